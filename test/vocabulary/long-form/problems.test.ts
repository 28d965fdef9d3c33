import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  bookDocument,
  classOf,
  collectionOf,
  documentOf,
  entryPointTo,
  type Json,
  operations,
  problemsOf,
  supported,
} from './document.ts'

const GET = operations('GET')
const name = supported('name', 'xsd:string')

describe('What cannot be served is a problem with its place', () => {
  const cases: [what: string, document: Json | string, problem: string][] = [
    ['no JSON', '{"@context": }', '1:14 MalformedJson(value, })'],
    ['a key twice', '{"@id": "a", "@id": "b"}', '1:14 DuplicateKey(@id)'],
    ['JSON that is too deep', `${'['.repeat(40)}${']'.repeat(40)}`, '1:33 JsonTooDeep(32)'],
    ['a string', '"ApiDocumentation"', 'NotADocument'],
    ['a file that is too large', `"${'x'.repeat(16 * 1024 * 1024)}"`, 'DocumentTooLong(16)'],
    ['broken JSON-LD', { '@context': { a: { '@id': 7 } }, a: 1 }, 'InvalidJsonLd'],
    ['no documentation', { '@id': 'http://example.org/', 'http://example.org/a': 1 }, 'NoDocumentation'],
    [
      'two documentations',
      {
        '@context': 'http://www.w3.org/ns/hydra/core',
        '@graph': [documentOf([]), { ...documentOf([]), '@id': 'http://b.example/' }],
      },
      'SeveralDocumentations(2)',
    ],
    ['no classes', documentOf([]), 'NoServedClass'],
    [
      'a remote context',
      { ...bookDocument([name]), '@context': 'https://example.org/context.jsonld' },
      'ForeignContext(https://example.org/context.jsonld)',
    ],
    [
      'a property named like a keyword',
      bookDocument([supported('@type', 'xsd:string', {}, { '@id': 'http://example.org/vocab#kind' })]),
      'supportedClass "Book", supportedProperty "@type" KeywordAsName(@type)',
    ],
    [
      'a property without a usable name',
      bookDocument([supported('1 2', 'xsd:string', {}, { '@id': 'http://example.org/vocab#3' })]),
      'supportedClass "Book", supportedProperty "1 2" InvalidPropertyName(1 2)',
    ],
    [
      'two properties of one name',
      bookDocument([name, supported('name', 'xsd:string', {}, { '@id': 'http://schema.org/name' })]),
      'supportedClass "Book", supportedProperty "name" DuplicateProperty(name)',
    ],
    [
      'an unknown datatype',
      bookDocument([supported('speed', 'xsd:gYearMonth')]),
      'supportedClass "Book", supportedProperty "speed" UnknownRange(http://www.w3.org/2001/XMLSchema#gYearMo…, gYearMonth, of string … langString)',
    ],
    [
      'a datatype that is nearly one',
      bookDocument([supported('open', 'xsd:datetime')]),
      'supportedClass "Book", supportedProperty "open" UnknownRange(http://www.w3.org/2001/XMLSchema#datetim…, datetime, of string … langString)',
    ],
    [
      'a class that the document does not describe',
      bookDocument([supported('author', 'http://schema.org/Person')]),
      'supportedClass "Book", supportedProperty "author" UnknownRange(http://schema.org/Person, Person, of Book … Book)',
    ],
    [
      'several ranges',
      bookDocument([supported('when', ['xsd:date', 'xsd:dateTime'])]),
      'supportedClass "Book", supportedProperty "when" SeveralRanges(2)',
    ],
    [
      'a collection of nobody knows what',
      bookDocument([supported('things', 'hydra:Collection')]),
      'supportedClass "Book", supportedProperty "things" UnknownMemberClass(property)',
    ],
    [
      'a link of the entry point to a collection of nobody knows what',
      documentOf([
        { ...entryPointTo({}), supportedProperty: [supported('things', 'hydra:Collection')] },
        classOf('Book', [name], GET),
      ]),
      'supportedClass "EntryPoint", supportedProperty "things" UnknownMemberClass(property)',
    ],
    [
      'a collection class of nobody knows what',
      documentOf([
        { '@id': 'http://example.org/vocab#Stuff', subClassOf: 'hydra:Collection' },
        classOf('Book', [name], GET),
      ]),
      'supportedClass "Stuff" UnknownMemberClass(class)',
    ],
    [
      'two classes on one path',
      documentOf([
        entryPointTo({ books: 'Book' }),
        collectionOf('Book'),
        classOf('Book', [name], GET),
        { ...collectionOf('Novel'), '@id': 'http://example.org/vocab#books' },
        classOf('Novel', [name], GET),
      ]),
      'supportedClass "Novel" PathTaken(Novel, books, Book, link)',
    ],
    [
      'two classes of one name',
      documentOf([
        classOf('Book', [name], GET),
        { ...classOf('Book', [name], GET), '@id': 'http://example.org/vocab#book' },
      ]),
      'supportedClass "Book" DuplicateClass(Book)',
    ],
    [
      'a class that cannot be called so',
      documentOf([{ ...classOf('Book', [name], GET), '@id': 'http://example.org/vocab#1', title: '1' }]),
      'supportedClass "1" UnnamableClass',
    ],
    [
      'a class of the server',
      documentOf([classOf('Session', [name], GET)]),
      'supportedClass "Session" ReservedClassName(Session)',
    ],
    [
      'values within themselves',
      bookDocument(
        [supported('part', 'Part')],
        [classOf('Part', [supported('piece', 'Piece')]), classOf('Piece', [supported('whole', 'Part')])],
      ),
      'supportedClass "Piece", supportedProperty "whole" EmbeddingCycle(Part Piece Part)',
    ],
    [
      'a pattern that is none',
      withShape({ 'sh:pattern': '[' }),
      'supportedClass "Book", supportedProperty "name" InvalidPattern',
    ],
    [
      'a pattern that looks ahead',
      withShape({ 'sh:pattern': '^(?=a)' }),
      'supportedClass "Book", supportedProperty "name" UnsupportedPattern((?=)',
    ],
    [
      'a pattern with flags',
      withShape({ 'sh:pattern': 'a', 'sh:flags': 'i' }),
      'supportedClass "Book", supportedProperty "name" PatternWithFlags',
    ],
    [
      'a value that does not fit',
      withShape({ 'sh:in': { '@list': [1, 2] } }),
      'supportedClass "Book", supportedProperty "name" InvalidValue("sh:in", enum, WrongDatatype(string, number))',
    ],
    [
      'a length that is none',
      withShape({ 'sh:minLength': -1 }),
      'supportedClass "Book", supportedProperty "name" InvalidLength("sh:minLength")',
    ],
    [
      'lengths that cross',
      withShape({ 'sh:minLength': 3, 'sh:maxLength': 2 }),
      'supportedClass "Book", supportedProperty "name" CrossedBounds("sh:minLength", 3, 2)',
    ],
    [
      'a default that does not fit',
      withShape({ 'sh:defaultValue': 'abc', 'sh:maxLength': 2 }),
      'supportedClass "Book", supportedProperty "name" InvalidValue(its default, default, name TooLong(2))',
    ],
  ]
  for (const [what, document, problem] of cases) {
    it(what, async () => {
      const problems = await problemsOf(document)
      assert.ok(problems.includes(problem), problems.join('\n'))
    })
  }

  for (const path of [
    'vocab',
    'contexts',
    'session',
    'events',
    'openapi',
    'batch',
    'accounts',
    'summaries',
  ]) {
    it(`a collection on the reserved name ${path}`, async () => {
      const document = documentOf([
        entryPointTo({ [path]: 'Book' }),
        collectionOf('Book'),
        classOf('Book', [name], GET),
      ])
      assert.deepEqual(await problemsOf(document), [
        `supportedClass "Book" ReservedPath(Book, ${path}, link)`,
      ])
    })
  }
})

function withShape(shape: Json): Json {
  const path = { '@id': 'http://example.org/vocab#name' }
  const property = [{ 'sh:path': path, 'sh:maxCount': 1, ...shape }]
  return {
    ...bookDocument([name]),
    'sh:shapesGraph': {
      'sh:targetClass': { '@id': 'http://example.org/vocab#Book' },
      'sh:property': property,
    },
  }
}

// contract: What cannot be served
test('All problems of a document are reported at once', async () => {
  const problems = await problemsOf(
    documentOf([
      entryPointTo({ batch: 'Book' }),
      collectionOf('Book'),
      classOf('Book', [supported('@id', 'xsd:string', {}, { '@id': 'http://example.org/vocab#i' })], GET),
      classOf(
        'Author',
        [
          supported('@set', 'xsd:hexBinary', {}, { '@id': 'http://example.org/vocab#s' }),
          supported('kind', 'http://example.com/Kind'),
        ],
        GET,
      ),
    ]),
  )
  assert.deepEqual(problems, [
    'supportedClass "Author", supportedProperty "@set" UnknownRange(http://www.w3.org/2001/XMLSchema#hexBina…, hexBinary, of string … langString)',
    'supportedClass "Author", supportedProperty "@set" KeywordAsName(@set)',
    'supportedClass "Author", supportedProperty "kind" UnknownRange(http://example.com/Kind, Kind, of Book … Author)',
    'supportedClass "Book" ReservedPath(Book, batch, link)',
    'supportedClass "Book", supportedProperty "@id" KeywordAsName(@id)',
  ])
})

test('A line and a column where the file is not even JSON', async () => {
  const { readLongForm } = await import('../../../src/vocabulary/long-form/long-form.ts')
  const found = await readLongForm('{\n  "@context": x\n}', 'a.jsonld')
  assert.ok('problems' in found)
  assert.deepEqual([found.problems[0]?.at.line, found.problems[0]?.at.column], [2, 15])
})
