import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inSoak } from '../../support/soak.ts'
import { faultsIn, serveWriter } from '../writing.ts'

const RUNS = { numRuns: inSoak(150, 40) }

const API = `
classes:
  Author: { properties: { name: string } }
  Address: { collection: false, properties: { street: string, country: Author, toString: string } }
  Book:
    properties:
      title: string
      price: decimal
      pages: integer
      label: langString
      genres: { type: string, many: true }
      author: Author
      address: Address
      others: { type: Address, many: true }
      constructor: string
      made: { type: dateTime, writable: false, default: now }
  Settings:
    collection: false
    operations: [read, create, replace, update, delete]
    properties: { theme: string, address: Address }
`

const anyText = fc.oneof(
  fc.constantFrom(
    '\0',
    '\ud800',
    '',
    '@',
    '_:b',
    '@id',
    'http://x.example/a',
    'a:b',
    '../x',
    '//',
    'urn:x',
    '{base}',
  ),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
)

const NAMES = [
  ...[
    'title',
    'price',
    'label',
    'genres',
    'author',
    'address',
    'others',
    'made',
    'street',
    'country',
    'theme',
  ],
  ...[
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    'valueOf',
    'id',
    'originId',
    'http://x.example/a',
  ],
  ...[
    '@id',
    '@type',
    '@context',
    '@value',
    '@language',
    '@list',
    '@set',
    '@nest',
    '@index',
    '@graph',
    '@reverse',
  ],
  ...[
    '@included',
    '@direction',
    '@json',
    '@none',
    '@base',
    '@vocab',
    '@version',
    '@import',
    '@protected',
    '@container',
  ],
  ...['@propagate', '@prefix', '@made-up', '', ':', 'a:b', 'en'],
]

const anyKey = fc.oneof(
  { arbitrary: fc.constantFrom(...NAMES), weight: 5 },
  { arbitrary: anyText, weight: 1 },
)

/** JSON of any shape, most of it with keys that mean something to us or to a JSON-LD processor. */
const { anyValue } = fc.letrec<{ anyValue: unknown }>((tie) => ({
  anyValue: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(
      anyText,
      fc.constantFrom(...NAMES),
      fc.double(),
      fc.constantFrom(null, true, 1.1, 'Book', 'Address'),
    ),
    fc.array(tie('anyValue'), { maxLength: 3 }),
    fc.dictionary(anyKey, tie('anyValue'), { maxKeys: 4 }),
  ),
}))

const TARGETS: [method: string, path: string, headers: Record<string, string>][] = [
  ['POST', '/books', {}],
  ['PUT', '/books/here', {}],
  ['PATCH', '/books/here', { 'Content-Type': 'application/merge-patch+json' }],
  ['PUT', '/books/new', { 'If-None-Match': '*' }],
  ['PUT', '/Settings', {}],
  ['PATCH', '/Settings', { 'Content-Type': 'application/merge-patch+json' }],
]

// contract: `__proto__` and friends are ordinary unknown properties.
test('any JSON at all as the body of any write is answered, and never with a fault of the server', async (t) => {
  const writer = await serveWriter(t, { api: API })
  const { put, send, get, base } = writer
  await put('/books/here', { title: 'A', address: { street: 'S' } }, { 'If-None-Match': '*' })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...TARGETS),
      fc.dictionary(anyKey, anyValue as fc.Arbitrary<unknown>, { maxKeys: 5 }),
      async ([method, path, headers], body) => {
        const text = JSON.stringify(body).replaceAll('{base}', base)
        const { status } = await send(method, path, { 'Content-Type': 'application/json', ...headers }, text)
        assert.ok([200, 201, 400, 404, 412, 422].includes(status), `${status}`)
      },
    ),
    { numRuns: inSoak(500, 100) },
  )
  for (const path of ['/books/here', '/books']) {
    const { status, body } = await get(path)
    assert.equal(status, 200)
    JSON.parse(body)
  }
  assert.deepEqual(faultsIn(writer), [])
})

test('any context at all is answered, and never with a fault of the server', async (t) => {
  const writer = await serveWriter(t, { api: API })
  const { post, base } = writer
  await fc.assert(
    fc.asyncProperty(anyValue as fc.Arbitrary<unknown>, async (context) => {
      const text = JSON.stringify({ '@context': context, title: 'A', [`${base}/vocab#Book/pages`]: 5 })
      const { status } = await post('/books', text.replaceAll('{base}', base))
      assert.ok([201, 400, 422].includes(status), `${status}`)
    }),
    RUNS,
  )
  assert.deepEqual(faultsIn(writer), [])
})

test('what was stored from any JSON at all can be sent back as it is served', async (t) => {
  const { post, put, get, base } = await serveWriter(t, { api: API })
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        {
          title: anyText,
          label: fc.dictionary(fc.constantFrom('en', 'de'), anyText),
          genres: fc.array(anyText),
          address: fc.record({ street: anyText, toString: anyText }, { requiredKeys: [] }),
          constructor: anyText,
        },
        { requiredKeys: [] },
      ),
      async (body) => {
        const created = await post('/books', body)
        if (created.status === 422) return
        assert.equal(created.status, 201)
        const path = String(created.headers.location).slice(base.length)
        const replaced = await put(path, created.body)
        assert.equal(replaced.status, 200, replaced.body)
        assert.equal((await get(path)).body, created.body)
      },
    ),
    RUNS,
  )
})

test('any text as a body is answered, and never with a fault of the server', async (t) => {
  const writer = await serveWriter(t)
  const { post } = writer
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    'title',
    '\\u',
    '\\',
    '1',
    'e',
    '-',
    '.',
    'null',
    ' ',
    '\u00e9',
  ]
  const anyJsonLike = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(anyJsonLike, async (body) => {
      const { status } = await post('/books', body)
      assert.ok([201, 400, 422].includes(status), `${status}`)
    }),
    RUNS,
  )
  assert.deepEqual(faultsIn(writer), [])
})
