import { describe } from 'node:test'
import { COMPLETED, DOUBTFUL, IGNORED } from '../../../src/service/problems/notes.ts'
import { testSentences } from '../../support/sentences.ts'

describe('sentences about what was completed in an API file', () => {
  testSentences(COMPLETED, [
    ['TitleFromFile', { title: 'bookshop' }, 'The title is "bookshop", the name of the file.'],
    [
      'CollectionFromName',
      { className: 'Book', collection: 'books' },
      'The collection of Book is "books", its plural in lower case.',
    ],
    [
      'AllOperations',
      { className: 'Book', operations: ['list', 'read'] },
      'Book has all operations: list, read.',
    ],
    [
      'NoAccessInDocument',
      {},
      'A document says nothing about access: every user may do everything, unless --access names a file with rules.',
    ],
    [
      'NoDocumentTitle',
      { title: 'bookshop' },
      'There is no title; completed: "bookshop", the name of the file.',
    ],
    [
      'UntypedDocumentation',
      {},
      'The type "ApiDocumentation" is missing; the node with "supportedClass" is taken for it.',
    ],
    ['NoEntryPoint', {}, 'The entry point has no class; completed.'],
    ['UnlistedClass', {}, 'it is described, but not in "supportedClass"; it is read as if it were.'],
    [
      'ServedUnderName',
      { written: 'a book', name: 'ABook' },
      'it is "a book" in the document, and served as ABook.',
    ],
    ['NoClassTitle', { name: 'Book' }, 'it has no title; completed: "Book".'],
    [
      'CollectionClassRenamed',
      { name: 'BookCollection' },
      'the class of this collection is served as BookCollection.',
    ],
    ['UnservedLink', { className: 'Book' }, 'it is not served by itself, but with the collection of Book.'],
    ['NoOperations', {}, 'it has no operations; it can be listed and read.'],
    ['NoRead', {}, 'no operation reads a member; one with the method GET would.'],
    [
      'ServedAsSingle',
      { className: 'Home' },
      'no collection holds it; it is served as one resource at /Home.',
    ],
    ['CreatedByPut', {}, 'no operation creates it; PUT does, as long as it does not exist.'],
    ['NoCollectionClass', { className: 'Book' }, 'its collection has no class; completed: BookCollection.'],
    ['NoLinkFromEntryPoint', {}, 'the entry point does not link to its collection; completed.'],
    ['PathFromName', { path: 'books' }, 'its collection has no path; completed: "books".'],
    [
      'ExpectsOtherClass',
      { className: 'Book', other: 'Draft' },
      'an operation expects Draft; here it takes Book itself.',
    ],
    ['NoOperationTitle', { methods: ['GET', 'PUT'] }, 'the title of GET, PUT is missing; completed.'],
    ['NoReturns', { methods: ['GET', 'PUT'] }, '"returns" of GET, PUT is missing; completed.'],
    ['SharedIri', { other: 'name' }, 'it has the IRI of "name", and is served under a term of its own.'],
    ['NeverFilled', {}, 'nobody can write it, and it has no default; it stays empty.'],
    [
      'RangeFromProperty',
      { className: 'Book' },
      'its property is the class Book, which is taken for its range.',
    ],
    ['NoRange', { datatype: 'string' }, 'it has no range; completed: string.'],
    [
      'ServedAsDatatype',
      { iri: 'http://www.w3.org/2001/XMLSchema#int', datatype: 'integer' },
      'its range "http://www.w3.org/2001/XMLSchema#int" is served as integer.',
    ],
    ['AnyResource', {}, 'it leads to any resource; it is served as anyURI, an IRI that is not checked.'],
  ])
})

// Each ends a line that begins with "Ignored" and a place.
describe('sentences about what was ignored in a document', () => {
  testSentences(IGNORED, [
    ['UnusedClassIgnored', {}, 'it has no operations and is the range of no property that is served.'],
    [
      'UnknownTerms',
      { names: ['titel', 'x'], more: 0 },
      'keys without a meaning in the context of the document: "titel", "x".',
    ],
    [
      'UnknownTerms',
      { names: ['titel'], more: 3 },
      'keys without a meaning in the context of the document: "titel" and 3 more.',
    ],
    [
      'UnknownHydraTerm',
      { term: 'titel', where: 'Book', known: ['title'] },
      '"hydra:titel" in "Book" is not a term of Hydra; did you mean "hydra:title"?',
    ],
    [
      'UnknownHydraTerm',
      { term: 'xyzzy', where: undefined, known: ['title'] },
      '"hydra:xyzzy" is not a term of Hydra; see the Hydra Core Vocabulary.',
    ],
    [
      'Inheritance',
      { iri: 'http://schema.org/Thing' },
      '"subClassOf" "http://schema.org/Thing", since nothing is inherited.',
    ],
    [
      'FurtherCollection',
      { className: 'Book', path: 'books' },
      'Book has the collection "books", where all members are.',
    ],
    ['SearchTemplate', {}, 'its search template; every collection has one for all its properties.'],
    ['LinkToNoClass', {}, 'it leads to no class of this document.'],
    ['OperationWithoutMethod', {}, 'an operation without a method.'],
    ['MethodOfCollection', { method: 'DELETE' }, 'DELETE of a whole collection, which is not possible here.'],
    [
      'UnknownMethod',
      { method: 'get', target: 'member', known: ['GET', 'PUT'] },
      '"get" is not a method of members here; did you mean GET?',
    ],
    [
      'UnknownMethod',
      { method: 'COPY', target: 'collection', known: ['GET', 'POST'] },
      '"COPY" is not a method of collections here; possible: GET, POST.',
    ],
    ['OperationOfProgram', {}, 'an operation of a program; name the module that has it with --with.'],
    ['NotReadable', {}, 'that it cannot be read: users who read a member read all of it.'],
    ['RequiredIgnored', {}, 'that it is required, since nobody can write it.'],
    ['UncheckedConstraint', { name: 'sh:minExclusive' }, '"sh:minExclusive", which is not checked here.'],
    [
      'DefaultIgnored',
      {},
      'its default, since links, embedded values and texts by language cannot have one.',
    ],
    [
      'OwnTermIgnored',
      { term: 'onDelete', value: 'cascade' },
      '"onDelete" "cascade"; possible for a link: "refuse", "delete", and "unset" if it is not required.',
    ],
    [
      'OwnTermIgnored',
      { term: 'reverseOf', value: 'http://a.example/vocab#Book/author' },
      '"reverseOf" "http://a.example/vocab#Book/author"; possible: a link to this class, of the class whose collection the property leads to.',
    ],
    [
      'OwnTermIgnored',
      { term: 'always', value: 'yes' },
      '"always" "yes"; possible: "now" for a date or dateTime, and "user" for an integer that is not required.',
    ],
  ])
})

describe('sentences about what was perhaps not meant', () => {
  testSentences(DOUBTFUL, [
    [
      'NoProperties',
      { className: 'Tag', typed: [] },
      'Tag has no properties. If it should have some, write them below its key "properties", indented further than it; if not, write "properties: {}".',
    ],
    [
      'NoProperties',
      { className: 'Book', typed: ['title'] },
      'Book has no properties. If "title" should be one, write it below its key "properties", indented further than it; if not, write "properties: {}".',
    ],
    [
      'NoProperties',
      { className: 'Book', typed: ['title', 'description'] },
      'Book has no properties. If "title" and "description" should be some, write them below its key "properties", indented further than it; if not, write "properties: {}".',
    ],
  ])
})
