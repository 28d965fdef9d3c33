import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE, openBulk, tallyOf } from './transfer.ts'

const API = `
title: Library
classes:
  Author:
    properties:
      name: { type: string, required: true }
  Book:
    iri: http://schema.org/Book
    properties:
      title: { type: string, required: true, iri: http://schema.org/name }
      price: decimal
      author: { type: Author, iri: http://schema.org/author }
`

const BOOK = { '@type': 'Book', title: 'Emma', price: '12.50', author: `${BASE}/authors/austen` }

const SHAPES: Readonly<Record<string, string>> = {
  'our terms': '{"@id":"/books/1","title":"Emma","price":12.50,"author":"/authors/austen"}',
  'another context': `{"@context":{"schema":"http://schema.org/","id":"@id","type":"@type","name":"schema:name",
    "price":"${BASE}/vocab#Book/price","writer":{"@id":"schema:author","@type":"@id"}},
    "id":"books/1","type":"schema:Book","name":"Emma","price":12.50,"writer":"/authors/austen"}`,
  expanded: `{"@id":"${BASE}/books/1","@type":["http://schema.org/Book"],"http://schema.org/name":[{"@value":"Emma"}],
    "${BASE}/vocab#Book/price":[{"@value":12.50}],"http://schema.org/author":[{"@id":"/authors/austen"}]}`,
  'the context of the API by its address': `{"@context":"${BASE}/contexts/Book","@id":"/books/1","@type":"Book",
    "title":"Emma","price":"12.50","author":"/authors/austen"}`,
}

test('a member is read in any shape of JSON-LD, with the digits that were written', async (t) => {
  for (const [name, text] of Object.entries(SHAPES)) {
    const bulk = await openBulk(t, API)
    const { reported } = await bulk.import(
      `{"@id":"/authors/austen","name":"Jane Austen"}\n${text.replaceAll('\n', ' ')}\n`,
    )
    assert.deepEqual(reported, [], name)
    assert.deepEqual((await bulk.members())['/books/1'], BOOK, name)
  }
})

test('the context of a document is that of each of its members, and one of their own is added to it', async (t) => {
  const graph = `"@graph": [
    { "@id": "/authors/austen", "@type": "api:Author", "api:Author/name": "Jane Austen" },
    { "@id": "/books/1", "@type": "s:Book", "s:name": "Emma", "api:Book/price": 12.50, "s:author": { "@id": "/authors/austen" } },
    { "@context": { "called": "s:name" }, "@id": "/books/2", "@type": "s:Book", "called": "Emma" }
  ]`
  const context = `"@context": { "s": "http://schema.org/", "api": { "@id": "${BASE}/vocab#", "@prefix": true } }`
  for (const data of [`{ ${context}, ${graph} }`, `{ ${graph}, ${context} }`]) {
    const bulk = await openBulk(t, API)
    const { reported } = await bulk.import(data, { format: 'jsonld' })
    assert.deepEqual(reported, [])
    const members = await bulk.members()
    assert.deepEqual(members['/books/1'], BOOK)
    assert.deepEqual(members['/books/2'], { '@type': 'Book', title: 'Emma' })
  }
})

test('a list of nodes and a single node are read, and can be read again', async (t) => {
  const bulk = await openBulk(t, API)
  // Equal members are two all the same.
  const list = '[{"@type":"Author","name":"a"},{"@type":"Author","name":"a"}]'
  assert.deepEqual(tallyOf(await bulk.import(list, { format: 'jsonld' })), [2, 0, 0])
  assert.deepEqual(tallyOf(await bulk.import(list, { format: 'jsonld' })), [0, 2, 0])
  assert.deepEqual(
    tallyOf(await bulk.import('{"@type":"Author","name":"c"}', { format: 'jsonld' })),
    [1, 0, 0],
  )
})

test('what a shape cannot say of a member is refused with its line', async (t) => {
  const bulk = await openBulk(t, API)
  const rows: readonly (readonly [string, string])[] = [
    ['{"@context":"https://schema.org/","@type":"Book"}', '1: ForeignContext(https://schema.org/)'],
    [
      '{"@context":{"@vocab":"http://x/"},"@type":"Film"}',
      '1: @type UnknownClass(http://x/Film, of Author … Book)',
    ],
    [
      '{"@context":{"s":"http://schema.org/"},"@type":"s:Book","title":"x"}',
      '1: title NoMeaning(title, → title, http://localhost:8080/api/contexts/Book)',
    ],
    [
      '{"@context":{"s":"http://schema.org/"},"@type":"s:Book","s:nam":"x"}',
      '1: http://schema.org/nam UnknownProperty(Book, nam, of title … author)',
    ],
    ['{"@context":{},"@graph":[]}', '1: NotOneNode'],
    ['{"@context":5,"@type":"Book"}', '1: InvalidJsonLd'],
    ['{"@context":{"@vocab":"http://x/"}}', '1: NotOneNode'],
  ]
  for (const [line, expected] of rows) {
    const { reported, ...tally } = await bulk.import(line)
    assert.deepEqual(tallyOf(tally), [0, 0, 1], line)
    assert.equal(reported[0], expected)
  }
})

test('an element of a document that is broken is reported with the line of the file', async (t) => {
  const bulk = await openBulk(t, API)
  const { reported } = await bulk.import('{"@context":{},\n"@graph":[\n{\n"@type": Author\n}\n]}', {
    format: 'jsonld',
  })
  assert.deepEqual(reported, ['3: 4:10 MalformedJson(value, A)'])
})

test('@id and @type are never the values of properties with these titles', async (t) => {
  const bulk = await openBulk(
    t,
    `
title: Titles
classes:
  Note:
    properties:
      kind: { type: string, title: "@type" }
      place: { type: string, title: "@id" }
      at: Spot
  Spot:
    collection: false
    properties:
      kind: { type: string, title: "@type" }
`,
  )
  const note = { '@type': 'Note', at: { '@type': 'Spot' } }
  const { reported } = await bulk.import([{ '@id': '/notes/1', ...note }])
  assert.deepEqual(reported, [])
  assert.deepEqual((await bulk.members())['/notes/1'], note)
  const csv = await bulk.import('@type,@id\nshort,\nlong,here\n', { format: 'csv', file: 'notes.csv' })
  assert.deepEqual([tallyOf(csv), csv.reported], [[2, 0, 0], []])
  const [half, filled] = Object.values(await bulk.members()).slice(1)
  assert.deepEqual(half, { '@type': 'Note', kind: 'short' })
  assert.deepEqual(filled, { '@type': 'Note', kind: 'long', place: 'here' })
})
