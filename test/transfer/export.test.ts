import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quadsOf } from '../api/rdf.ts'
import { ANY_SCRIPT } from '../clients/scripts.ts'
import { API } from '../support/service.ts'
import { BASE, type Bulk, openBulk, tallyOf } from './transfer.ts'

/** Every kind of value, a class whose name is also a property, and terms that mean something else in another class. */
const EVERYTHING = `
title: Everything
classes:
  Address:
    collection: false
    properties:
      street: string
      country: Country
  Settings:
    collection: false
    operations: [read, replace]
    properties:
      colour: string
  Person:
    collection: people
    properties:
      name: { type: string, iri: http://schema.org/name }
      home: Address
      places: { type: Address, many: true }
      friends: { type: Person, many: true }
      greeting: langString
      born: date
      wakes: time
      takes: duration
      page: anyURI
      height: double
      saldo: decimal
      children: integer
      happy: boolean
      nicknames: { type: string, many: true }
      createdAt: { type: dateTime, writable: false, default: now }
  Country:
    collection: countries
    properties:
      name: { type: string, iri: http://purl.org/dc/terms/title }
  Name:
    properties:
      Name: string
`

const DATA = [
  { '@id': '/countries/at', name: 'Österreich' },
  {
    '@id': '/people/1',
    name: 'Ann "Nan"\n\u2028',
    home: { street: 'Ring 1', country: '/countries/at' },
    places: [{ street: 'a' }, { country: '/countries/at' }],
    friends: ['/people/2', '/people/1'],
    greeting: { en: 'Hello', de: 'Hallo' },
    born: '1990-01-02',
    wakes: '07:00:00',
    takes: 'PT20M',
    page: 'https://example.org/~ann?a=b',
    height: 1.75,
    saldo: '-0012.500',
    children: 2,
    happy: false,
    nicknames: ['Nan', 'A'],
    createdAt: '2001-02-03T04:05:06.789+02:00',
  },
  { '@id': '/people/2', friends: ['/people/1'] },
  { '@type': 'Name', '@id': '/names/1', Name: 'x' },
  { '@id': '/Settings', colour: 'red' },
]

async function filled(t: Parameters<typeof openBulk>[0]): Promise<Bulk> {
  const bulk = await openBulk(t, EVERYTHING)
  assert.deepEqual((await bulk.import(DATA)).reported, [])
  return bulk
}

const ROUND_TRIPS = [
  {
    format: 'ndjson',
    // contract: `hydrant import <api-file> <data>` / `export
    name: 'what is exported as NDJSON and imported into an empty database is the same there',
  },
  {
    format: 'jsonld',
    // contract: `hydrant import <api-file> <data>` / `export
    name: 'what is exported as JSON-LD and imported into an empty database is the same there',
  },
] as const

for (const { format, name } of ROUND_TRIPS) {
  test(name, async (t) => {
    const text = await (await filled(t)).export(format)
    const other = await openBulk(t, EVERYTHING)
    const imported = await other.import(text, { format, now: 1 })
    assert.deepEqual(imported, { added: DATA.length, alreadyThere: 0, refused: 0, reported: [] })
    assert.equal(await other.export(format), text)
  })
}

test('members whose names are of any script are imported by either spelling of an address, and exported by one', async (t) => {
  const bulk = await openBulk(t, ANY_SCRIPT)
  const imported = await bulk.import([
    { '@id': '/büros/1', 名: 'Größtes' },
    { '@id': `${BASE}/b%c3%bcros/2`, 名: 'Zweites' },
    {
      '@type': '本',
      '@id': '本/1',
      größe: 1,
      名前: 'x',
      büro: '/büros/1',
      maß: { länge: '1', amtBüro: `${BASE}/b%c3%bcros/2` },
    },
    {
      '@context': { v: `${BASE}/vocab#本/` },
      '@id': '/%E6%9C%AC/2',
      'v:größe': 2,
      'v:名前': 'y',
      'v:büro': { '@id': 'büros/2' },
    },
    { '@id': '/Überblick', текст: { ru: 'да' } },
  ])
  assert.deepEqual(imported.reported, [])
  for (const format of ['ndjson', 'jsonld'] as const) {
    const text = await bulk.export(format)
    const other = await openBulk(t, ANY_SCRIPT)
    assert.deepEqual(tallyOf(await other.import(text, { format })), [5, 0, 0])
    assert.equal(await other.export(format), text)
  }
  const members = await bulk.members()
  const paths = ['/b%C3%BCros/1', '/b%C3%BCros/2', '/%E6%9C%AC/1', '/%E6%9C%AC/2', '/%C3%9Cberblick']
  assert.deepEqual(Object.keys(members).sort(), paths.sort())
  assert.equal(members['/%E6%9C%AC/2']?.büro, `${BASE}/b%C3%BCros/2`)
  const quads = await quadsOf(JSON.parse(await bulk.export('jsonld')))
  assert.ok(
    quads.includes(`<${BASE}/%E6%9C%AC/2> <${BASE}/vocab#本/büro> <${BASE}/b%C3%BCros/2> .`),
    quads.join('\n'),
  )
})

test('an exported document means the same to a JSON-LD processor as the lines with their own contexts', async (t) => {
  const bulk = await filled(t)
  const document = JSON.parse(await bulk.export('jsonld'))
  assert.deepEqual(Object.keys(document), ['@context', '@graph'])
  const members = (await bulk.export())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  assert.deepEqual(document['@graph'], members)
  const quads = await quadsOf(document)
  for (const expected of [
    `<${BASE}/people/1> <http://schema.org/name> "Ann \\"Nan\\"\\n\u2028" .`,
    `<${BASE}/countries/at> <http://purl.org/dc/terms/title> "Österreich" .`,
    `<${BASE}/people/1> <${BASE}/vocab#Person/greeting> "Hallo"@de .`,
    `<${BASE}/people/1> <${BASE}/vocab#Person/saldo> "-0012.500"^^<http://www.w3.org/2001/XMLSchema#decimal> .`,
    `<${BASE}/names/1> <${BASE}/vocab#Name/Name> "x" .`,
    `<${BASE}/names/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${BASE}/vocab#Name> .`,
    `<${BASE}/Settings> <${BASE}/vocab#Settings/colour> "red" .`,
  ])
    assert.ok(quads.includes(expected), `${expected} is not in\n${quads.join('\n')}`)
})

test('members come in the order of their creation, and classes behind those that they link to', async (t) => {
  const bulk = await openBulk(t, API.replace(/( {2}Author:[\s\S]*?)( {2}Book:[\s\S]*)/, '$2$1'))
  await bulk.import([
    { '@id': '/authors/2', name: 'b' },
    { '@id': '/books/9', title: 'x', author: '/authors/2' },
    { '@id': '/authors/1', name: 'a' },
    { '@id': '/books/8', title: 'y' },
  ])
  assert.deepEqual(Object.keys(await bulk.members()), ['/authors/2', '/authors/1', '/books/9', '/books/8'])
})

test('more members than fit on a page are all exported, each once', async (t) => {
  const bulk = await openBulk(t, API)
  const data = Array.from({ length: 2_500 }, (_, id) => ({ '@id': `/authors/${id}`, name: `${id}` }))
  await bulk.import(data)
  assert.deepEqual(
    Object.keys(await bulk.members()),
    data.map((member) => member['@id']),
  )
})

test('an export of nothing can be imported', async (t) => {
  const bulk = await openBulk(t, API)
  assert.equal(await bulk.export(), '')
  assert.deepEqual(JSON.parse(await bulk.export('jsonld'))['@graph'], [])
  for (const format of ['ndjson', 'jsonld'] as const)
    assert.deepEqual(tallyOf(await bulk.import(await bulk.export(format), { format })), [0, 0, 0])
})

test('a link from the other side is not exported, and an import ignores it as it is served', async (t) => {
  const api = `
classes:
  Author: { properties: { name: string } }
  Book: { properties: { author: { type: Author, reverse: books } } }
`
  const bulk = await openBulk(t, api)
  const books = `${BASE}/books?author=${BASE}/authors/1`
  const data = [
    { '@id': '/authors/1', name: 'Ann', books },
    { '@type': 'Author', name: 'Ben', books },
    { '@id': '/authors/3', name: 'Cid', books: `${BASE}/books?author=x` },
  ]
  assert.deepEqual(tallyOf(await bulk.import(data)), [2, 0, 1])
  const exported = await bulk.export()
  assert.ok(exported.includes('Ann') && !exported.includes('books'), exported)
  const document = await bulk.export('jsonld')
  assert.ok(document.includes('Ann') && !document.includes('books'), document)
})
