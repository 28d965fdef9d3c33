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
  const cases: [what: string, document: Json | string, problem: RegExp][] = [
    [
      'no JSON',
      '{"@context": }',
      /^This is not JSON: at line 1, column 14 there is "}" where a value is expected/,
    ],
    ['a key twice', '{"@id": "a", "@id": "b"}', /"@id" is in one object twice/],
    ['JSON that is too deep', `${'['.repeat(40)}${']'.repeat(40)}`, /nested more than 32 levels deep/],
    ['a string', '"ApiDocumentation"', /must be a JSON object with "@context"/],
    ['a file that is too large', `"${'x'.repeat(16 * 1024 * 1024)}"`, /16 MiB at most/],
    ['broken JSON-LD', { '@context': { a: { '@id': 7 } }, a: 1 }, /^This is not JSON-LD: /],
    [
      'no documentation',
      { '@id': 'http://example.org/', 'http://example.org/a': 1 },
      /is not a Hydra ApiDocumentation/,
    ],
    [
      'two documentations',
      {
        '@context': 'http://www.w3.org/ns/hydra/core',
        '@graph': [documentOf([]), { ...documentOf([]), '@id': 'http://b.example/' }],
      },
      /there are 2 ApiDocumentations/,
    ],
    ['no classes', documentOf([]), /there is no class whose members could be served/],
    [
      'a remote context',
      { ...bookDocument([name]), '@context': 'https://example.org/context.jsonld' },
      /^The context "https:\/\/example.org\/context.jsonld" is not known here, and no context is ever fetched/,
    ],
    [
      'a property named like a keyword',
      bookDocument([supported('@type', 'xsd:string', {}, { '@id': 'http://example.org/vocab#kind' })]),
      /^supportedClass "Book", supportedProperty "@type": "@type" cannot be the name of a property: "@" begins/,
    ],
    [
      'a property without a usable name',
      bookDocument([supported('1 2', 'xsd:string', {}, { '@id': 'http://example.org/vocab#3' })]),
      /^supportedClass "Book", supportedProperty "1 2": "1 2" cannot be the name of a property/,
    ],
    [
      'two properties of one name',
      bookDocument([name, supported('name', 'xsd:string', {}, { '@id': 'http://schema.org/name' })]),
      /supportedProperty "name": there are two properties "name"/,
    ],
    [
      'an unknown datatype',
      bookDocument([supported('speed', 'xsd:gYearMonth')]),
      /^supportedClass "Book", supportedProperty "speed": the range ".*#gYearMonth" is not known; it must be a class of this document, or one of xsd:string/,
    ],
    [
      'a datatype that is nearly one',
      bookDocument([supported('open', 'xsd:datetime')]),
      /supportedProperty "open": the range ".*#datetime" is not known; did you mean xsd:dateTime\?$/,
    ],
    [
      'a class that the document does not describe',
      bookDocument([supported('author', 'http://schema.org/Person')]),
      /supportedProperty "author": the range "http:\/\/schema.org\/Person" is not known/,
    ],
    [
      'several ranges',
      bookDocument([supported('when', ['xsd:date', 'xsd:dateTime'])]),
      /supportedProperty "when": it has 2 ranges, and can have one/,
    ],
    [
      'a collection of nobody knows what',
      bookDocument([supported('things', 'hydra:Collection')]),
      /supportedProperty "things": nothing says which class its collection holds; add a "memberAssertion"/,
    ],
    [
      'a link of the entry point to a collection of nobody knows what',
      documentOf([
        { ...entryPointTo({}), supportedProperty: [supported('things', 'hydra:Collection')] },
        classOf('Book', [name], GET),
      ]),
      /^supportedClass "EntryPoint", supportedProperty "things": nothing says which class/,
    ],
    [
      'a collection class of nobody knows what',
      documentOf([
        { '@id': 'http://example.org/vocab#Stuff', subClassOf: 'hydra:Collection' },
        classOf('Book', [name], GET),
      ]),
      /^supportedClass "Stuff": nothing says which class this collection holds/,
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
      /^supportedClass "Novel": Novel cannot be at \/books, the address of Book already; choose another by the IRI/,
    ],
    [
      'two classes of one name',
      documentOf([
        classOf('Book', [name], GET),
        { ...classOf('Book', [name], GET), '@id': 'http://example.org/vocab#book' },
      ]),
      /^supportedClass "Book": there are two classes "Book"/,
    ],
    [
      'a class that cannot be called so',
      documentOf([{ ...classOf('Book', [name], GET), '@id': 'http://example.org/vocab#1', title: '1' }]),
      /^supportedClass "1": no class can have this name; give it a title/,
    ],
    [
      'a class of the server',
      documentOf([classOf('Session', [name], GET)]),
      /^supportedClass "Session": "Session" is a class that every API has/,
    ],
    [
      'values within themselves',
      bookDocument(
        [supported('part', 'Part')],
        [classOf('Part', [supported('piece', 'Piece')]), classOf('Piece', [supported('whole', 'Part')])],
      ),
      /Part embeds Piece embeds Part: a value cannot be within itself/,
    ],
    [
      'a pattern that is none',
      withShape({ 'sh:pattern': '[' }),
      /supportedProperty "name": the pattern is not a regular expression/,
    ],
    [
      'a pattern that looks ahead',
      withShape({ 'sh:pattern': '^(?=a)' }),
      /supportedProperty "name": the pattern has "\(\?=", which cannot be matched in linear time/,
    ],
    [
      'a pattern with flags',
      withShape({ 'sh:pattern': 'a', 'sh:flags': 'i' }),
      /a pattern with flags cannot be checked/,
    ],
    [
      'a value that does not fit',
      withShape({ 'sh:in': { '@list': [1, 2] } }),
      /a value of "sh:in" must be a string/,
    ],
    ['a length that is none', withShape({ 'sh:minLength': -1 }), /"sh:minLength" must be an integer/],
    [
      'lengths that cross',
      withShape({ 'sh:minLength': 3, 'sh:maxLength': 2 }),
      /"sh:minLength" \(3\) is greater than the largest that is allowed \(2\)/,
    ],
    [
      'a default that does not fit',
      withShape({ 'sh:defaultValue': 'abc', 'sh:maxLength': 2 }),
      /its default must have at most 2/,
    ],
  ]
  for (const [what, document, problem] of cases) {
    it(what, async () => {
      const problems = await problemsOf(document)
      assert.match(problems.join('\n'), problem)
    })
  }

  for (const path of ['vocab', 'contexts', 'session', 'events', 'openapi', 'batch']) {
    it(`a collection on the reserved name ${path}`, async () => {
      const document = documentOf([
        entryPointTo({ [path]: 'Book' }),
        collectionOf('Book'),
        classOf('Book', [name], GET),
      ])
      const [problem, ...others] = await problemsOf(document)
      assert.equal(
        problem,
        `supportedClass "Book": Book cannot be at /${path}, which is reserved for the API itself; choose another by ` +
          `the IRI of its property of the entry point, such as …/my-${path}`,
      )
      assert.deepEqual(others, [])
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
  assert.deepEqual(
    problems.map((problem) => problem.slice(0, problem.indexOf(': '))),
    [
      'supportedClass "Author", supportedProperty "@set"',
      'supportedClass "Author", supportedProperty "@set"',
      'supportedClass "Author", supportedProperty "kind"',
      'supportedClass "Book"',
      'supportedClass "Book", supportedProperty "@id"',
    ],
  )
})

test('A line and a column where the file is not even JSON', async () => {
  const { readLongForm } = await import('../../../src/vocabulary/long-form/long-form.ts')
  const found = await readLongForm('{\n  "@context": x\n}', 'a.jsonld')
  assert.ok('problems' in found)
  assert.deepEqual([found.problems[0]?.at.line, found.problems[0]?.at.column], [2, 15])
})
