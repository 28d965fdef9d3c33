import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { IMPORT_SENTENCES, importSentence } from '../../src/transfer/sentences.ts'
import { testSentences } from '../support/sentences.ts'

// Those that begin with a small letter follow their property, or the name of the file.
describe('sentences about data', () => {
  testSentences(IMPORT_SENTENCES, [
    ['MemberTooLong', { maxMebibytes: 4 }, 'This member has more than 4 MiB; make it smaller.'],
    [
      'NotUtf8',
      {},
      'This is not valid text in the encoding of the file; save the file as UTF-8, or give its encoding, usually --encoding latin1.',
    ],
    ['NotAnObject', {}, 'This must be one JSON object, the member itself.'],
    ['NotAnEntry', {}, 'This is not an entry of a history, as an export with --history writes it.'],
    [
      'NoHistoryKept',
      { className: 'Book' },
      'The API file keeps no history of Book; write "history: true" there, or export without --history.',
    ],
    [
      'EntriesWithoutMember',
      { className: 'Book', id: 'b' },
      'The history of Book "b" ends before it was deleted, and no such member follows; put its line after its entries.',
    ],
    ['NotOneNode', {}, 'This must be one node of linked data, the member itself.'],
    ['TextAfterQuote', {}, 'After a closing quote there must be a comma or the end of the line.'],
    ['QuoteInCell', {}, 'A cell with a quote in it must be in quotes, and the quote doubled.'],
    ['OpenQuote', {}, 'A quote is opened and not closed; close it, or double it within a cell.'],
    ['NoHeader', {}, 'there is no header; begin the file with a line of column names.'],
    [
      'WrongDelimiter',
      { delimiter: '|' },
      'The header has "|" and no comma; save the file with commas between the cells.',
    ],
    ['UnnamedColumn', { column: 3 }, 'Column 3 has no name in the header; give it one.'],
    [
      'UnknownColumn',
      { className: 'Book', column: 'titel', known: ['title', 'pages'] },
      'is not a property of Book; did you mean "title"?',
    ],
    [
      'UnknownColumn',
      { className: 'Book', column: 'x', known: ['title', 'pages'] },
      'is not a property of Book; possible: title, pages.',
    ],
    [
      'ColumnNotUnique',
      { className: 'Customer', property: 'name', link: 'customer' },
      'does not say which Customer is meant, because name is not unique there; write "unique: true" at it in the API file, or give ids in a column "customer".',
    ],
    [
      'WrongCellCount',
      { count: 3, expected: 4 },
      'This line has 3 cells, but the header has 4; give one for each column.',
    ],
    [
      'ValueAndPart',
      { value: 'address', part: 'address.city' },
      '"address" has a value, and so has its part "address.city"; leave one of the two cells empty.',
    ],
    ['InvalidCell', { datatype: 'integer', cell: 'x' }, 'must be an integer such as 12, not "x".'],
    ['InvalidCell', { datatype: 'boolean', cell: 'x' }, 'must be true or false, not "x".'],
    ['InvalidCell', { datatype: 'decimal', cell: 'x' }, 'must be a decimal such as 12.50, not "x".'],
    ['InvalidCell', { datatype: 'double', cell: 'x' }, 'must be a number such as 12.5, not "x".'],
    ['InvalidCell', { datatype: 'float', cell: 'x' }, 'must be a number such as 12.5, not "x".'],
    [
      'InvalidCell',
      { datatype: 'date', cell: '1.2.2026', flag: '--dates dd.mm.yyyy' },
      'must be a date such as 2026-12-31, not "1.2.2026"; if all of them are written this way, add --dates dd.mm.yyyy.',
    ],
    [
      'InvalidCell',
      { datatype: 'decimal', cell: '12.5', decimalComma: true },
      'must be a decimal such as 12,50, not "12.5".',
    ],
    [
      'NoSuchTarget',
      { className: 'Customer', property: 'email', value: 'a@b.example' },
      'no Customer has the email "a@b.example"; correct it, or import that Customer first.',
    ],
    ['DocumentCutOff', {}, 'The document is cut off: it ends before its JSON does.'],
    ['MalformedDocument', { expected: 'document' }, 'This is not JSON: a document is expected here.'],
    ['MalformedDocument', { expected: 'key' }, 'This is not JSON: a key is expected here.'],
    ['MalformedDocument', { expected: 'colon' }, 'This is not JSON: a colon is expected here.'],
    ['MalformedDocument', { expected: 'value' }, 'This is not JSON: a value is expected here.'],
    ['MalformedDocument', { expected: 'commaOrBrace' }, 'This is not JSON: a comma or "}" is expected here.'],
    [
      'MalformedDocument',
      { expected: 'commaOrBracket' },
      'This is not JSON: a comma or "]" is expected here.',
    ],
    ['MalformedDocument', { expected: 'end' }, 'This is not JSON: the end of the document is expected here.'],
    [
      'DuplicateDocumentKey',
      { key: '@graph' },
      'The key "@graph" is in the document twice; keep one of them.',
    ],
    [
      'DocumentTooLarge',
      {},
      'This JSON-LD has more than 64 MiB and cannot be read piece by piece: make it an object whose "@context" comes before its "@graph", and its members the elements of that, or use NDJSON.',
    ],
    ['ContextTooLong', { maxMebibytes: 1 }, 'The context has more than 1 MiB; make it smaller.'],
    [
      'UnknownTable',
      { name: 'boooks' },
      '"boooks" is not a collection of this API; add it to the API file, or leave it out.',
    ],
    [
      'BesideGraph',
      { key: 'title' },
      '"title" is beside "@graph", where it belongs to no member; leave it out.',
    ],
    ['MissingClass', { known: ['Book', 'Author'] }, 'is missing; name the class: Book, Author.'],
    ['NotOneClass', {}, 'must name one class, not several.'],
    ['NotAClassName', {}, 'must be the name of a class.'],
    [
      'UnknownClass',
      { name: 'Boook', known: ['Book'] },
      '"Boook" is not a class of this API; did you mean "Book"?',
    ],
    [
      'NotAnAddress',
      { base: 'http://a', example: 'http://a/books/1' },
      'must be the address of a member below http://a (see --base-url), such as http://a/books/1; or be left out.',
    ],
    [
      'AddressOfOtherClass',
      { className: 'Book', type: 'Author' },
      'is the address of a member of Book, and "@type" says Author; correct one of them.',
    ],
    ['InvalidId', {}, 'must be 1 to 128 letters, digits, ".", "_", "~" and "-"; or be left out.'],
    ['ConflictingIds', { id: 'a', addressed: 'b' }, 'is "a", and "@id" says "b"; leave one of them out.'],
    [
      'UnknownAccount',
      { name: 'anna' },
      'must be the id or the name of a user, or the address of an account; nobody is called "anna".',
    ],
    [
      'OtherValues',
      {},
      'is that of a member that exists already with other values; change that member, or give another "@id".',
    ],
    ['RefusedTarget', { address: '/authors/1', line: 3 }, 'links to /authors/1, which was refused (line 3).'],
    [
      'RefusedTarget',
      { address: '/authors/1', line: 3, row: 'authors 1' },
      'links to /authors/1, which was refused (authors 1).',
    ],
    [
      'AddedWithoutLink',
      {
        problem: {
          code: 'RefusedTarget',
          at: { property: 'author' },
          values: { address: '/authors/1', line: 3 },
        },
      },
      'links to /authors/1, which was refused (line 3). The member was added without this link.',
    ],
    ['UnreadTable', { table: 'log' }, 'log is not imported: the API file has no class for it.'],
    [
      'ForbiddenTable',
      { table: 'log' },
      'log is not imported: the user of the address may not read it; grant that right: GRANT SELECT ON log TO …',
    ],
    [
      'UnreadColumn',
      { table: 'authors', column: 'photo', className: 'Author' },
      'authors.photo is not imported: Author has no property for it.',
    ],
    [
      'NoTablesThere',
      {},
      'it has no tables that can be read; name another database, or another schema of PostgreSQL with ?search_path=<name>.',
    ],
    [
      'NoSchemasThere',
      {},
      'no operation in it returns an object that a schema describes; name a document whose responses have such schemas.',
    ],
    ['TooLargeToPropose', {}, 'it has more than 64 MiB; propose from a part of it.'],
    [
      'NotOpenApi',
      {},
      'it must be an OpenAPI document of version 3.0 or 3.1, which its key "openapi" says; convert one of an older version first.',
    ],
    ['MalformedYaml', { reason: 'Tabs are not allowed' }, 'it is not YAML: Tabs are not allowed'],
    [
      'NotTables',
      {},
      'it must be an object of collections, each a list of members, like the db.json of json-server.',
    ],
  ])
})

test('a sentence about data begins with its property, also where it is one of the wire', () => {
  const at = { property: 'title' }
  assert.equal(
    importSentence({ code: 'NotAClassName', at, values: {} }),
    'title: must be the name of a class.',
  )
  assert.equal(importSentence({ code: 'RequiredValue', at, values: {} }), 'title: is required.')
  assert.equal(importSentence({ code: 'BodyNotUtf8', at: {}, values: {} }), 'The body is not UTF-8.')
})
