import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import jsonld from 'jsonld'
import { inSoak } from '../../support/soak.ts'
import type { Json } from '../signed-in.ts'
import { faultsIn, serveWriter, valuesOf } from '../writing.ts'

const API = `
classes:
  Author: { properties: { name: string } }
  Address:
    collection: false
    properties:
      street: { type: string, iri: "http://schema.org/streetAddress" }
      floor: integer
      since: date
      names: langString
      owner: Author
  Book:
    iri: http://schema.org/Book
    properties:
      title: { type: string, iri: "http://schema.org/name" }
      type: string
      pages: integer
      rank: positiveInteger
      price: decimal
      weight: double
      available: boolean
      published: date
      printedAt: dateTime
      opens: time
      length: duration
      page: anyURI
      label: langString
      genres: { type: string, many: true }
      prices: { type: decimal, many: true }
      author: Author
      editors: { type: Author, many: true }
      address: Address
      others: { type: Address, many: true }
`

const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0') && value.isWellFormed())
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(10 ** 9))
  .map((parts) => parts.join('.'))
const pad = (count: number) => String(count).padStart(2, '0')
const date = fc
  .tuple(
    fc.integer({ min: 1000, max: 9999 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([y, m, d]) => `${y}-${pad(m)}-${pad(d)}`)
const time = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.constantFrom('', '.5', '.120'))
  .map(([h, m, s, fraction]) => `${pad(h)}:${pad(m)}:${pad(s)}${fraction}`)
const zone = fc.constantFrom('Z', '+00:00', '-05:30')
const dateTime = fc.tuple(date, time, zone).map(([day, clock, offset]) => `${day}T${clock}${offset}`)
const languages = fc.dictionary(fc.constantFrom('en', 'de', 'en-GB', 'zh-Hant-TW'), text, {
  minKeys: 1,
  noNullPrototype: true,
})
const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 4 })

/** Any valid member, in our terms; `authors`: addresses to link to. */
function anyBook(authors: readonly string[]): fc.Arbitrary<Json> {
  const link = fc.constantFrom(...authors)
  const address = fc
    .record(
      { street: text, floor: fc.integer(), since: date, names: languages, owner: link },
      { requiredKeys: [] },
    )
    .map((values) => ({ '@type': 'Address', ...values }))
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
  return fc.record(
    {
      ...{
        title: text,
        type: text,
        pages: fc.maxSafeInteger(),
        rank: fc.integer({ min: 1 }),
        price: decimal,
      },
      ...{ weight: number, available: fc.boolean(), published: date, printedAt: dateTime, opens: time },
      ...{ length: fc.constantFrom('P1Y2M', 'PT0.5S', '-P3D'), page: fc.webUrl(), label: languages },
      ...{ genres: some(text), prices: some(decimal), author: link, editors: some(link) },
      ...{ address, others: some(address) },
    },
    { requiredKeys: ['title'], noNullPrototype: true },
  )
}

// contract: Bodies: `application/ld+json`, `application/json`
test('any valid member reads back equal, in whatever shape of JSON-LD it was written', async (t) => {
  const writer = await serveWriter(t, { api: API })
  const { add, post, put, get, base } = writer
  const authors = [
    (await add('/authors', { name: 'Ann' }))['@id'],
    (await add('/authors', { name: 'Bob' }))['@id'],
  ]
  const own = (await get('/contexts/Book')).json()['@context'] as Json
  const vocab = `${base}/vocab#`
  const XSD = 'http://www.w3.org/2001/XMLSchema#'
  const prefixes = { s: 'http://schema.org/', b: `${vocab}Book/`, a: `${vocab}Address/`, v: vocab, x: XSD }
  const renamed = {
    ...{ n: 'http://schema.org/name', is: '@type', xsd: XSD, where: `${vocab}Book/address` },
    price: { '@id': `${vocab}Book/price`, '@type': `${XSD}decimal` },
    by: { '@id': `${vocab}Book/author`, '@type': '@id' },
    printed: { '@id': `${vocab}Book/printedAt`, '@type': `${XSD}dateTime` },
    said: { '@id': `${vocab}Book/label`, '@container': '@language' },
    kinds: { '@id': `${vocab}Book/genres`, '@container': '@set' },
    ...{ '@vocab': 'http://example.org/', '@base': `${base}/authors/` },
  }
  const offline = { documentLoader: () => Promise.reject(new Error('offline')) }

  await fc.assert(
    fc.asyncProperty(anyBook(authors), async (book) => {
      const linked = { '@context': own, '@type': 'Book', ...book } as never
      const expanded = await jsonld.expand(linked, { base: `${base}/books`, ...offline })
      const shapes: [name: string, body: unknown][] = [
        ['in our terms', book],
        ['with our context', linked],
        ['expanded', expanded],
        ['with other prefixes', await jsonld.compact(expanded, prefixes as never, offline)],
        ['under another context', await jsonld.compact(expanded, renamed as never, offline)],
        ['in our terms, processed', { ...book, '@nest': {} }],
      ]
      let first: string | undefined
      for (const [name, body] of shapes) {
        const created = await post('/books', body)
        assert.equal(created.status, 201, `${name} ${JSON.stringify(body)} ${created.body}`)
        assert.deepEqual(valuesOf(created), book, name)
        first ??= created.headers.location
        const replaced = await put(String(first).slice(base.length), body)
        assert.equal(replaced.status, 200, `${name} ${replaced.body}`)
        assert.deepEqual(valuesOf(replaced), book, name)
      }
    }),
    { numRuns: inSoak(60, 12) },
  )
  assert.deepEqual(faultsIn(writer), [])
})
