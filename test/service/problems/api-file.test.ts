import { describe } from 'node:test'
import { OPERATIONS, SHORT_FORM, SYNTAX } from '../../../src/service/problems/api-file.ts'
import { testSentences } from '../../support/sentences.ts'

const FILE = { kind: 'file' } as const
const BOOK = { kind: 'class', className: 'Book' } as const
const TITLE = { className: 'Book', property: 'title' }

describe('sentences about the syntax of an API file', () => {
  testSentences(SYNTAX, [
    ['NoSuchApiFile', {}, 'there is no such file; write one with "hydrant init", or name another file'],
    ['NoSuchApiFile', { meant: 'api.yml' }, 'there is no such file; did you mean "api.yml"?'],
    ['NoSuchFile', {}, 'there is no such file; write it, or name another file'],
    ['NoSuchFile', { meant: 'roles.yaml' }, 'there is no such file; did you mean "roles.yaml"?'],
    ['ApiFileIsFolder', {}, 'this is a folder; name the API file in it'],
    [
      'UnreadableApiFile',
      { systemCode: 'EACCES', reason: 'EACCES: permission denied' },
      'this user may not read it; give the user the right to, with chmod or chown, or name another file',
    ],
    [
      'UnreadableApiFile',
      { systemCode: 'ENOTDIR', reason: 'ENOTDIR: not a directory' },
      'a part of this path is not a folder; name another file',
    ],
    [
      'UnreadableApiFile',
      { systemCode: 'EIO', reason: 'EIO: i/o error' },
      'the file cannot be read: EIO: i/o error; name another file',
    ],
    [
      'UnknownFileEnding',
      { ending: '.txt', known: ['.yaml', '.yml', '.json', '.jsonld'] },
      'the name of an API file must end in .yaml, .yml, .json or .jsonld; this one ends in ".txt"',
    ],
    [
      'UnknownFileEnding',
      { ending: '', known: ['.yaml', '.json'] },
      'the name of an API file must end in .yaml or .json; this one has no ending',
    ],
    ['LongFormAsJson', {}, 'this is JSON-LD, the long form of an API file; rename it to end in .jsonld'],
    ['EmptyApiFile', {}, 'the file is empty; "hydrant init" writes one to start from'],
    [
      'EmptyAccessFile',
      {},
      'the file is empty; give roles, access, accounts or classes, or leave --access out',
    ],
    ['EmptyWebhooksFile', {}, 'the file is empty; list webhooks in it, or leave --webhooks out'],
    [
      'InvalidYaml',
      { reason: 'A node can have at most one tag' },
      'this is not YAML or JSON: A node can have at most one tag',
    ],
    [
      'UnevenIndentation',
      {},
      'this line is indented differently from those beside it; begin all entries of a map, or of a list, in the same column',
    ],
    [
      'ContinuedValue',
      {},
      'this line is indented further than the one above, which has a value already; indent both alike, or put a text of several lines in quotes',
    ],
    ['TabAsIndentation', {}, 'this line is indented with a tab; use spaces, two for each level'],
    [
      'SecondColon',
      {},
      'this line has a second colon, which YAML takes for the end of another name; put the value in quotes if it is a text, or on lines of its own if it is a map',
    ],
    [
      'MissingColon',
      {},
      'a name must be followed by a colon, and by a space if its value is on the same line, as in "title: Books"; a line that belongs to the text above must be indented further',
    ],
    [
      'MissingComma',
      {},
      'a comma, a colon or a brace is missing here; write a map in one line as in { type: string, required: true }',
    ],
    [
      'MissingSpace',
      { name: 'title', value: '{' },
      'there is no space after the colon of "title"; write "title: {"',
    ],
    ['EmptyEntry', {}, 'there is nothing before this comma; remove it'],
    [
      'MisplacedElement',
      {},
      '"-" begins an element of a list, and no list has begun in this column; begin all elements in one column, or write the list in one line, as in "operations: [list, read]"',
    ],
    [
      'UnclosedBracket',
      { opening: '{', closing: '}' },
      'this "{" is not closed; add a "}" after its last entry',
    ],
    [
      'UnopenedBracket',
      { opening: '{', closing: '}' },
      'there is no "{" for this "}"; remove it, or add the "{"',
    ],
    [
      'UnclosedQuote',
      { quote: '"' },
      'the quote that begins here is not closed; add " at the end of the text',
    ],
    ['TextAfterQuote', {}, 'the text goes on after its closing quote; put all of it in one pair of quotes'],
    ['JoinedComment', {}, 'a comment needs a space before its "#"; add one, or put the whole text in quotes'],
    [
      'UnknownEscape',
      {},
      'a backslash in double quotes begins an escape such as \\n; write two of them, or use single quotes',
    ],
    [
      'SpecialStart',
      { character: '@' },
      'a text cannot begin with "@", which has a meaning in YAML; put it in quotes',
    ],
    ['SecondDocument', {}, 'the line "---" begins a second document, but a file has one; remove the line'],
    [
      'UnquotedPattern',
      { pattern: '^[A-Z]{3}$' },
      'YAML reads part of the pattern ^[A-Z]{3}$ as something else; put the pattern in single quotes',
    ],
    ['AliasNotPossible', { name: 'book' }, 'the alias *book cannot be used here; write the value out'],
    ['TagNotPossible', { name: '!!set' }, 'the tag !!set cannot be used here; write the value without it'],
    ['NotAMap', { within: FILE }, 'the API file must be a map of names to values'],
    ['NotAMap', { within: { kind: 'access file' } }, 'the access file must be a map of names to values'],
    [
      'NotAMap',
      { within: { kind: 'classes' } },
      '"classes" must be a map of names to values, such as { Book: { properties: { title: string } } }',
    ],
    [
      'NotAMap',
      { within: { kind: 'access' } },
      '"access" must be a map of names to values, such as { view: everyone, write: nobody }',
    ],
    [
      'NotAMap',
      { within: { kind: 'accounts' } },
      '"accounts" must be a map of names to values, such as { manage: nobody, view: everyone }',
    ],
    [
      'NotAMap',
      { within: { kind: 'properties', className: 'Book' } },
      'the properties of Book must be a map of names to values, such as { title: string, price: decimal }',
    ],
    ['NameNotText', { within: BOOK }, 'a name in class Book must be a string; put it in quotes'],
    [
      'UnknownKey',
      { name: 'titel', known: ['title', 'classes'], within: FILE },
      '"titel" is not a key of the API file; did you mean "title"?',
    ],
    [
      'UnknownKey',
      { name: 'x', known: ['read', 'write'], within: { kind: 'access' } },
      '"x" is not a key of "access"; possible: read, write',
    ],
    [
      'UnknownKey',
      { name: 'x', known: ['access'], within: { kind: 'class rules', className: 'Book' } },
      '"x" is not a key of class Book; possible: access',
    ],
    [
      'UnknownKey',
      { name: 'pages', known: ['title'], within: BOOK },
      '"pages" is not a key of class Book; its properties belong under "properties"; possible: title',
    ],
    [
      'UnknownKey',
      { name: 'max', known: ['type'], within: { kind: 'property', ...TITLE } },
      '"max" is not a key of property "title" of Book; write "maximum" for numbers, and "maxLength" for texts',
    ],
    [
      'UnknownKey',
      { name: 'private', known: ['type'], within: { kind: 'property', ...TITLE } },
      '"private" is not a key of property "title" of Book; write "view", with who may see it: { type: string, view: owner }',
    ],
    [
      'UnknownKey',
      { name: 'edit', known: ['update'], within: { kind: 'access' } },
      '"edit" is not a key of "access"; write "update"',
    ],
    [
      'UnknownKey',
      { name: 'create', known: ['manage', 'view'], within: { kind: 'accounts' } },
      '"create" is not a key of "accounts"; write "manage"',
    ],
    [
      'RepeatedKey',
      { name: 'title', within: { kind: 'property', ...TITLE } },
      '"title" is in property "title" of Book twice; keep one of them',
    ],
    ['NotAText', { name: 'title' }, '"title" must be a string; put it in quotes'],
    ['NotAFlag', { name: 'required' }, '"required" must be true or false'],
    [
      'RelativeIri',
      { iri: 'name' },
      '"name" is not an absolute IRI; write one such as http://schema.org/name',
    ],
  ])
})

describe('sentences about classes and properties in the short form', () => {
  testSentences(SHORT_FORM, [
    ['PropertiesOutsideClass', {}, '"properties" belongs in a class; indent it'],
    [
      'PropertyAmongKeys',
      TITLE,
      '"title" looks like a property of Book; properties are written below the key "properties", indented further than it',
    ],
    [
      'NoClass',
      {},
      'the API file has no class; "classes" must map at least one name, such as Book, to a class',
    ],
    ['InvalidCollection', {}, '"collection" must be a path such as books, or false for none'],
    [
      'OperationsNotAList',
      { className: 'Book' },
      'the operations of Book must be a list such as [list, read]',
    ],
    [
      'UnknownOperation',
      { name: 'raed', known: ['list', 'read'] },
      '"raed" is not an operation; did you mean "read"?',
    ],
    [
      'UnknownOperation',
      { name: 'patch', known: ['list', 'read'] },
      '"patch" is not an operation; write "update"',
    ],
    [
      'UnknownOperation',
      { name: undefined, known: ['list', 'read'] },
      'this is not an operation; possible: list, read',
    ],
    [
      'DuplicateOperation',
      { className: 'Book', operation: 'read' },
      '"read" is in the operations of Book twice; keep one of them',
    ],
    [
      'NotAProperty',
      { ...TITLE, element: undefined },
      'property "title" of Book must be a type such as string, or a map with a "type"',
    ],
    [
      'NotAProperty',
      { ...TITLE, element: 'string' },
      'property "title" of Book must be a type such as string, or a map with a "type"; write a list as { type: string, many: true }',
    ],
    [
      'MissingType',
      { ...TITLE, known: ['string', 'integer'] },
      'property "title" of Book has no "type"; possible: string, integer',
    ],
    [
      'ListAsType',
      {},
      'a property has one type; a list has the type of its elements and "many: true": { type: string, many: true }',
    ],
    [
      'UnknownType',
      { type: 'sting', known: ['string', 'Book'] },
      '"sting" is not a type; did you mean "string"?',
    ],
    [
      'UnknownType',
      { type: 'xyzzy', known: ['string', 'Book'] },
      '"xyzzy" is not a type; possible: string, Book',
    ],
    [
      'UnknownType',
      { type: 'number', known: ['string', 'Book'] },
      '"number" is not a type; did you mean "decimal"?',
    ],
    [
      'UnknownType',
      { type: 'User', known: ['string', 'Account'] },
      '"User" is not a type; write Account, for a link to a user of the API',
    ],
    [
      'UnknownType',
      { type: 'user', known: ['string', 'User'] },
      '"user" is not a type; did you mean "User"?',
    ],
    [
      'EmbeddingCycle',
      { cycle: ['Order', 'Line', 'Order'] },
      'Order embeds Line embeds Order: a value cannot contain itself; give one of them a collection, so that it is linked instead of embedded',
    ],
    [
      'EmbeddedTooDeep',
      {},
      'the classes embed each other too many levels deep; give one of them a collection, so that it is linked instead of embedded',
    ],
    [
      'RequiredNotWritable',
      { name: 'title' },
      '"title" is required but nobody can write it; give it a default or make it writable',
    ],
    [
      'UnfitConstraint',
      { constraint: 'minimum', range: 'datatype', type: 'string' },
      '"minimum" can only be used with numbers, not with string; remove it',
    ],
    [
      'UnfitConstraint',
      { constraint: 'pattern', range: 'link', type: 'Author' },
      '"pattern" can only be used with string and anyURI, not with a link to Author; remove it',
    ],
    [
      'UnfitConstraint',
      { constraint: 'enum', range: 'embedded', type: 'Address' },
      '"enum" cannot be used with the embedded value Address; remove it',
    ],
    ['DuplicateChoice', { value: 'red' }, '"red" is in "enum" twice; keep one of them'],
    ['EmptyDefault', {}, '"default" has no value; give one, or leave it out'],
    [
      'NoDefaultPossible',
      { name: 'author', kind: undefined, word: undefined },
      '"author" is a link, which cannot have a default; remove "default"',
    ],
    [
      'NoDefaultPossible',
      { name: 'assignee', kind: undefined, word: 'user' },
      '"assignee" is a link to accounts, whose default can only be user; write "default: user", or remove it',
    ],
    [
      'NoDefaultPossible',
      { name: 'title', kind: 'languages', word: undefined },
      '"title" is text by language, which cannot have a default; remove "default"',
    ],
    [
      'RequiredUserDefault',
      { name: 'author' },
      '"author" cannot be required: its default is the user, and there is none in an import or with authentication off; leave "required" out',
    ],
    [
      'ForeignDefault',
      { value: 'now()', datatype: 'dateTime', meant: 'now' },
      '"now()" is not a value of type dateTime; write "default: now"',
    ],
    [
      'ForeignDefault',
      { value: 'currentUser', datatype: 'integer', meant: 'user' },
      '"currentUser" is not a value of type integer; write "default: user"',
    ],
    [
      'ForeignDefault',
      { value: 'uuid()', datatype: 'integer', meant: 'id' },
      '"uuid()" is not a value of type integer; leave it out: every member has an id in its address; for one of your own, write { type: string, unique: true }',
    ],
    [
      'AlwaysWritable',
      { name: 'p' },
      '"p" is set at every write, so nobody else can write it; remove "writable" or "always"',
    ],
    [
      'AlwaysAndDefault',
      { name: 'p' },
      '"p" is set at every write, so its default would never be used; remove "default" or "always"',
    ],
    [
      'AlwaysUnfit',
      { name: 'p', type: 'dateTime', many: false, word: 'now' },
      '"always" of "p", which is dateTime, can only be now; write "always: now"',
    ],
    [
      'AlwaysUnfit',
      { name: 'p', type: 'dateTime', many: true, word: undefined },
      '"always" sets one value, and "p" has many; remove "many" or "always"',
    ],
    [
      'AlwaysUnfit',
      { name: 'p', type: 'string', many: false, word: undefined },
      '"always" is for date, dateTime, integer and Account, and this is string; remove it',
    ],
    ['RemovalRuleUnfit', { type: 'string' }, '"onDelete" is for links, and this is string; remove it'],
    [
      'UnknownRemovalRule',
      { word: undefined, known: ['refuse', 'unset'] },
      '"onDelete" must be one of refuse, unset',
    ],
    [
      'UnknownRemovalRule',
      { word: 'SET NULL', known: ['refuse', 'unset'] },
      '"onDelete" cannot be "SET NULL"; write "unset"',
    ],
    [
      'UnknownRemovalRule',
      { word: 'refuze', known: ['refuse', 'unset'] },
      '"onDelete" cannot be "refuze"; did you mean "refuse"?',
    ],
    [
      'UnsetRequired',
      {},
      'a required value cannot be unset; write "onDelete: delete" or "onDelete: refuse", or remove "required"',
    ],
    ['ReverseUnfit', { type: 'string' }, '"reverse" is for links, and this is string; remove it'],
    [
      'NoExamplePossible',
      { name: 'p' },
      '"p" cannot have an example: it is a link, an embedded value or text by language; remove "example"',
    ],
    ['UnitUnfit', { type: 'date' }, '"unit" is for numbers, and this is date; remove it'],
    [
      'UniqueNotAList',
      { className: 'Book' },
      '"unique" of Book must be a list of lists of properties, such as [[customer, number]]; if one property alone is unique, write "unique: true" at the property',
    ],
    [
      'LabelNotNames',
      { className: 'Book' },
      '"label" of Book must be the name of a property, or a list of such names: [project, day]',
    ],
    [
      'InvalidHistoryRule',
      {},
      '"history" must be true, false, or a number of days from 1d to 99999d, such as 90d',
    ],
    [
      'HistoryOfEmbedded',
      { className: 'Address' },
      'Address is embedded, and has no history of its own; give "history" to the class that embeds it',
    ],
    [
      'DefaultNotAList',
      { name: 'tags' },
      'the default of "tags" must be a list, since the property has many values',
    ],
    ['DefaultIsAList', { name: 'title' }, 'the default of "title" must be one value, not a list'],
  ])
})

describe('sentences about the operations of a program', () => {
  testSentences(OPERATIONS, [
    [
      'NotAStoredClass',
      { name: 'Boook', known: ['Book'] },
      '"Boook" is not a class with members; did you mean "Book"?',
    ],
    [
      'InvalidOperationName',
      {},
      'the name of an operation must be lower-case letters, digits and "-", and begin with a letter, such as ship',
    ],
    ['ReservedOperationName', { name: 'history' }, '"history" has a meaning of its own; choose another name'],
    [
      'OperationIsProperty',
      { className: 'Order', name: 'total' },
      'Order has a property "total" already; choose another name',
    ],
    [
      'UnknownOperationKey',
      { name: 'handel', known: ['handle', 'title'] },
      '"handel" is not a key of an operation; did you mean "handle"?',
    ],
    ['NoHandler', {}, 'the operation has no function "handle" that carries it out; add one'],
    ['TransactionNotBoolean', {}, '"transaction" must be true or false'],
    ['OperationKeyNotText', { key: 'title' }, '"title" must be a string'],
    ['OperationKeyNotText', { key: 'returns' }, '"returns" must be the name of a class'],
    [
      'UnknownClass',
      { key: 'expects', name: 'Boook', known: ['Book'] },
      '"expects" must be the name of a class, and "Boook" is not one; did you mean "Book"?',
    ],
  ])
})
