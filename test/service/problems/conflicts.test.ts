import { describe } from 'node:test'
import { CONFLICTS } from '../../../src/service/problems/conflicts.ts'
import { testSentences } from '../../support/sentences.ts'

describe('sentences about parts of a model that conflict', () => {
  testSentences(CONFLICTS, [
    [
      'InvalidClassName',
      { name: 'author' },
      '"author" is not a class name; it must be letters and digits, and begin with a capital letter, such as Author',
    ],
    [
      'InvalidClassName',
      { name: '1 2' },
      '"1 2" is not a class name; it must be letters and digits, and begin with a capital letter, such as Book',
    ],
    [
      'InvalidClassName',
      { name: 'Bu\u0308ro' },
      '"Büro" is not a class name; it must be in Unicode\'s form NFC, where it is "B\\u00fcro"',
    ],
    [
      'ReservedClassName',
      { name: 'EntryPoint' },
      '"EntryPoint" is a class that every API has; choose another name',
    ],
    [
      'ReservedClassName',
      { name: 'Account' },
      '"Account" is a class that every API has; its members are the users: write "type: Account" to link to one, or choose another name',
    ],
    ['DuplicateClass', { name: 'Book' }, 'there are two classes "Book"; rename one of them'],
    [
      'CollectionClassName',
      { name: 'BookCollection', owner: 'Book' },
      '"BookCollection" is the class of the collection of Book; choose another name',
    ],
    [
      'PathTaken',
      { className: 'Tome', path: 'books', other: 'Book', remedy: 'collection' },
      'Tome cannot be at /books, which is already the address of Book; choose another path, such as collection: my-books',
    ],
    [
      'ReservedPath',
      { className: 'Home', path: 'vocab', remedy: 'name' },
      'Home cannot be at /vocab, which is reserved for the API itself; choose another name',
    ],
    [
      'ReservedPath',
      { className: 'Book', path: 'vocab', remedy: 'link' },
      'Book cannot be at /vocab, which is reserved for the API itself; choose another path with the IRI of its link at the entry point, such as …/my-vocab',
    ],
    [
      'InvalidPath',
      { path: '-a' },
      '"-a" cannot be the path of a collection; it must be letters, digits, ".", "_", "~" and "-", and begin with a letter or a digit, such as books',
    ],
    [
      'InvalidPath',
      { path: 'bu\u0308cher' },
      '"bücher" cannot be the path of a collection; it must be in Unicode\'s form NFC, where it is "b\\u00fccher"',
    ],
    [
      'DuplicateClassIri',
      { className: 'Book', other: 'Tome' },
      'Book has the same iri as Tome; each class needs its own',
    ],
    [
      'FormerNameInUse',
      { kind: 'class', name: 'Tome', formerName: 'Book' },
      'Tome cannot have been "Book", which is still a class; remove "was", or that class',
    ],
    [
      'FormerNameInUse',
      { kind: 'property', name: 'heading', formerName: 'title' },
      '"heading" cannot have been "title", which is still a property; remove "was", or that property',
    ],
    [
      'DuplicateFormerName',
      { kind: 'class', name: 'A', other: 'B', formerName: 'C' },
      'A and B cannot both have been "C"; remove "was" from one of them',
    ],
    [
      'DuplicateFormerName',
      { kind: 'property', name: 'a', other: 'b', formerName: 'c' },
      '"a" and "b" cannot both have been "c"; remove "was" from one of them',
    ],
    [
      'ListOfSingle',
      { className: 'Home' },
      'Home has no collection, so nothing can be listed; remove "list", or give it a collection',
    ],
    [
      'NestedTooDeep',
      { className: 'Order', maxLevels: 8 },
      'Order embeds values more than 8 levels deep; give one of them a collection, so that it is linked instead of embedded',
    ],
    [
      'TooManyTerms',
      { className: 'Order', maxTerms: 1_000 },
      'Order and the values embedded in it have more than 1000 properties; give one of them a collection, so that it is linked instead of embedded',
    ],
    [
      'UnusedClass',
      { className: 'Address' },
      'Address has no collection, is the type of no property and has no operations; give it a collection, make it the type of a property, or give it operations to serve it at /Address; where an operation of a module expects or returns it, name that module with --with',
    ],
    [
      'InvalidPropertyName',
      { name: 'a b' },
      '"a b" cannot be the name of a property; it must be letters, digits, "_" and "-", and not begin with a digit or "-"',
    ],
    [
      'InvalidPropertyName',
      { name: 'gro\u0308ße' },
      '"größe" cannot be the name of a property; it must be in Unicode\'s form NFC, where it is "gr\\u00f6\\u00dfe"',
    ],
    [
      'KeywordAsName',
      { name: '@id' },
      '"@id" cannot be the name of a property: "@" begins the keywords of JSON-LD; choose another name',
    ],
    [
      'UnprocessableName',
      { name: '__proto__' },
      '"__proto__" cannot be the name of a property: JSON-LD processors in JavaScript fail on it; choose another name',
    ],
    ['DuplicateProperty', { name: 'title' }, 'there are two properties "title"; rename one of them'],
    ['IriOfType', { name: 'kind' }, 'the iri of "kind" is that of "@type" in JSON-LD; choose another IRI'],
    [
      'DuplicatePropertyIri',
      { name: 'title', other: 'heading' },
      '"title" has the same iri as "heading"; each property of a class needs its own',
    ],
    [
      'SchemeIsProperty',
      { name: 'title', scheme: 'urn' },
      'the iri of "title" begins with "urn:", which would be taken for the property "urn"; rename that property, or choose another IRI',
    ],
    [
      'ManyLanguageMaps',
      { name: 'title' },
      '"title" cannot have many values, since it has one text for each language; remove "many"',
    ],
    [
      'MultilineUnfit',
      { name: 'pages' },
      '"multiline" can only be used with string and langString, and "pages" is neither; remove it',
    ],
    [
      'UniqueList',
      { name: 'tags' },
      '"tags" cannot be unique and have many values; remove "unique" or "many"',
    ],
    [
      'UniqueWithoutKey',
      { name: 'address', kind: 'embedded' },
      '"address" is an embedded value, which cannot be unique; remove "unique"',
    ],
    [
      'UniqueWithoutCollection',
      { className: 'Home', name: 'title' },
      'Home has no collection in which "title" could be unique; remove "unique"',
    ],
    [
      'UniqueTogetherWithoutCollection',
      { className: 'Part' },
      'Part has no collection in which values could be unique; remove "unique"',
    ],
    [
      'UniqueTogetherTooFew',
      { names: ['a', 'a'] },
      '"unique" of a class needs two different properties or more, not [a, a]; if one alone is unique, write "unique: true" at the property',
    ],
    [
      'NoSuchProperty',
      { on: 'label', name: 'nme', known: ['name'] },
      '"label" names "nme", which is not a property of the class; did you mean "name"?',
    ],
    [
      'NoSuchProperty',
      { on: 'label', name: 'string', known: [] },
      '"label" names "string", which is not a property of the class; the class has none: write them below its key "properties", indented further than it',
    ],
    [
      'LabelUnfit',
      { name: 'tags', kind: 'many' },
      '"tags" has many values, and cannot name a member; choose a property with one text, number, date or link',
    ],
    [
      'LabelUnfit',
      { name: 'part', kind: 'embedded' },
      '"part" is an embedded value, and cannot name a member; choose a property with one text, number, date or link',
    ],
    [
      'NotFilterable',
      { name: 'at', kind: 'time' },
      '"at" is a time, which cannot be filtered by; leave "filterable" out',
    ],
    [
      'NotFilterable',
      { name: 'title', kind: 'languages' },
      '"title" is text by language, which cannot be filtered by; leave "filterable" out',
    ],
    [
      'NotFilterable',
      { name: 'author', kind: undefined },
      '"author" is a link, which cannot be filtered by; leave "filterable" out',
    ],
    [
      'ReverseUnlisted',
      { className: 'Line', name: 'product', lacking: 'collection' },
      '"reverse" of "product" would lead to members of Line, which has no collection; remove "reverse", or give it a collection',
    ],
    [
      'ReverseUnlisted',
      { className: 'Tip', name: 'topic', lacking: 'list' },
      '"reverse" of "topic" would lead to members of Tip, which cannot be listed; remove "reverse", or add "list" to the operations',
    ],
    [
      'ReverseUnlisted',
      { className: 'Book', name: 'author', lacking: 'filter' },
      '"reverse" of "author" would lead to members of Book, which cannot be filtered by it; remove "reverse" or "filterable: false"',
    ],
    [
      'ReverseTaken',
      { name: 'books', target: 'Author' },
      'Author has a property "books" already; choose another name',
    ],
    [
      'ReverseTaken',
      { name: 'books', target: 'Author', link: { className: 'Book', property: 'editor' } },
      'Author has "books" for the other side of "editor" of Book already; choose another name',
    ],
  ])
})
