import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { serveSignedIn } from './signed-in.ts'

const RUNS = { numRuns: 150 }

const NAMES = [
  'title',
  'isbn',
  'pages',
  'price',
  'available',
  'genres',
  'author',
  'createdAt',
  '@id',
  '@type',
]

/** Text that JSON.stringify and the socket carry as it is; lone surrogates included, as escapes. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\0', '\ud800', '"', '\\', '/', '@'),
    fc.string({ unit: 'grapheme', maxLength: 2 }),
  ),
})

test('any JSON at all as a body is answered, and never with a fault of the server', async (t) => {
  const { post, get, logged } = await serveSignedIn(t)
  const anyBody = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), anyText), fc.jsonValue({ maxDepth: 3 })),
    fc.record({ title: anyText, genres: fc.array(anyText), author: anyText }, { requiredKeys: [] }),
    fc.record(
      { title: fc.constant('a'), price: fc.double(), pages: fc.double() },
      { requiredKeys: ['title'] },
    ),
  )
  await fc.assert(
    fc.asyncProperty(anyBody, async (body) => {
      const { status } = await post('/books', JSON.stringify(body))
      assert.ok([201, 400, 422].includes(status), `${status}`)
    }),
    RUNS,
  )
  assert.equal((await get('/books')).status, 200)
  assert.deepEqual(
    logged.filter((line) => line.includes('"level":"error"')),
    [],
  )
})

test('any text as a body is answered, and never with a fault of the server', async (t) => {
  const { post, logged } = await serveSignedIn(t)
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
  assert.deepEqual(
    logged.filter((line) => line.includes('"level":"error"')),
    [],
  )
})

test('any text as a query is answered, and never with a fault of the server', async (t) => {
  const { get, logged } = await serveSignedIn(t)
  const bytes = fc
    .uint8Array({ maxLength: 20 })
    .map((all) => [...all].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  })
  const named = fc.tuple(
    fc.constantFrom('page', 'itemsPerPage'),
    fc.oneof(visible, bytes, fc.nat().map(String)),
  )
  const anyQuery = fc.oneof(
    bytes,
    visible,
    named.map((pair) => pair.join('=')),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/books', '/books/1', '/', '/vocab', '/contexts/Book'),
      anyQuery,
      async (path, query) => {
        const { status } = await get(`${path}?${query}`)
        assert.ok([200, 400, 404].includes(status), `${status}`)
      },
    ),
    RUNS,
  )
  assert.deepEqual(
    logged.filter((line) => line.includes('"level":"error"')),
    [],
  )
})
