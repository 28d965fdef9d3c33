import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { API } from '../../support/service.ts'
import { CREATE } from '../newsroom.ts'
import { AS_PROBLEM, codesOf, type Json } from '../signed-in.ts'
import { serveUsers } from '../users.ts'

/** A public catalogue beside a protected back office (people.md, Anyone). */
const CATALOGUE = `
roles: [staff]
access: { all: staff }
classes:
  Product:
    access: { view: anyone, write: staff }
    properties: { name: string, price: decimal, supplier: Supplier, shelf: Shelf }
  Shelf:
    collection: shelves
    access: { read: anyone, list: staff, write: staff }
    properties: { code: string, key: Key }
  Supplier:
    properties: { name: string }
  Key:
    collection: false
    properties: { number: string }
`

async function serveCatalogue(t: Parameters<typeof serveUsers>[0], options: object = {}) {
  const shop = await serveUsers(t, { staff: [21, 'staff'] }, { api: CATALOGUE, ...options })
  const supplier = `${shop.base}/suppliers/s`
  const shelf = `${shop.base}/shelves/h`
  for (const [path, body] of [
    ['/suppliers/s', { name: 'Smith' }],
    ['/shelves/h', { code: 'A1', key: { number: '7' } }],
    ['/products/p', { name: 'Pen', price: '1.50', supplier, shelf }],
    ['/products/q', { name: 'Quill', price: '9' }],
  ] as const)
    assert.equal((await shop.as.staff.send('PUT', path, body, CREATE)).status, 201, path)
  return shop
}

const NOTICE = `    access: { view: anyone }
    properties: { text: string }
`

/** The part of step A that is the same for every request. */
const shapeOf = ({ status, body, headers }: TestResponse) => {
  const { date, 'x-authentication': nonce, ...rest } = headers
  return { status, body, headers: { ...rest, hasNonce: nonce !== undefined } }
}

const get = (client: TestClient, path: string, headers = {}) => client.send('GET', path, headers)

// contract: A request without `X-Authorization`, `X-Authentication` and `Authorization` is served what anyone may read
// contract: Everything else is step A, unknown paths included
// contract: Where the API file says so, and only there
// contract: `owner`, paths and account links do not exist for it
// contract: A client finds step A at `{base}/session`.
// contract: (The seed protects its endpoints
test('what anyone may read is served without signing in, and everything else is step A, byte for byte', async (t) => {
  const { client, base } = await serveCatalogue(t)
  const list = await get(client, '/products')
  assert.equal(list.status, 200)
  assert.deepEqual(
    (list.json().member as Json[]).map(({ name }) => name),
    ['Pen', 'Quill'],
  )
  assert.equal((await get(client, '/products/p')).json().supplier, `${base}/suppliers/s`)
  assert.equal((await get(client, '/shelves/h')).json().code, 'A1')
  assert.equal((await get(client, '/summaries/products?sum=price')).status, 200)
  for (const path of ['', '/vocab', '/contexts/Product', '/openapi'])
    assert.equal((await get(client, path)).status, 200, path)
  const missing = await get(client, '/products/none', AS_PROBLEM)
  assert.deepEqual([missing.status, codesOf(missing)], [404, 'MemberNotFound'])
  assert.equal((await get(client, '/products?colour=red')).status, 400)

  const stepA = shapeOf(await get(client, '/session'))
  assert.deepEqual([stepA.status, stepA.headers.hasNonce], [401, true])
  for (const path of [
    '/shelves',
    '/suppliers',
    '/suppliers/s',
    '/events',
    '/batch',
    '/none',
    '/products/p/x',
    '/summaries/suppliers',
    '/summaries/shelves',
    '/summaries/accounts',
    '/summaries/none',
    '/contexts/none',
    '/contexts/events',
  ])
    assert.deepEqual(shapeOf(await get(client, path)), stepA, path)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    for (const path of ['/products', '/products/p', ''])
      assert.deepEqual(shapeOf(await client.send(method, path)), stepA, `${method} ${path}`)
})

// contract: A file without the word is served as before, to the byte.)
test('in a file without the word every address gets step A, and a user the same bytes as with a public class beside', async (t) => {
  const plain = await serveUsers(t, { reader: [22] }, { api: API })
  const beside = await serveUsers(t, { reader: [22] }, { api: `${API}  Notice:\n${NOTICE}` })
  const stepA = shapeOf(await get(plain.client, '/session'))
  const paths = [
    '',
    '/',
    '/vocab',
    '/openapi',
    '/contexts/Book',
    '/contexts/Author',
    '/books',
    '/books/b',
    '/none',
  ]
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
      assert.deepEqual({ ...shapeOf(await plain.client.send(method, path)), body: stepA.body }, stepA, path)
  const body = { title: 'Emma' }
  for (const { as } of [plain, beside])
    assert.equal((await as.reader.send('PUT', '/books/b', body, CREATE)).status, 201)
  const answerOf = async ({ as, base }: typeof plain, path: string) => {
    const { headers, ...rest } = await as.reader.send('GET', path)
    const { date, etag, ...same } = headers
    const text = JSON.stringify({ ...rest, same }).replaceAll(base, '')
    return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '').replace(/before=[\w-]+/g, '')
  }
  for (const path of ['/contexts/Book', '/books', '/books/b', '/books/none', '/books?none=1'])
    assert.equal(await answerOf(beside, path), await answerOf(plain, path), path)
})

// contract: A request that carries one of these headers goes through the gate as ever
test('a dead token, a nonce or credentials never get a public answer', async (t) => {
  const { client } = await serveCatalogue(t)
  for (const headers of [
    { 'X-Authorization': 'x'.repeat(43) },
    { 'X-Authorization': '' },
    { 'X-Authentication': '' },
    { Authorization: 'Basic eDp5' },
  ])
    assert.equal((await get(client, '/products', headers)).status, 401, JSON.stringify(headers))
})

// contract: `Cache-Control: no-cache` and `Vary` with all three headers and Accept.
// contract: `anyone` is part of every user's rights.
test('public answers may be kept, and are told apart from those of users', async (t) => {
  const { client, as } = await serveCatalogue(t)
  const { headers } = await get(client, '/products')
  assert.equal(headers['cache-control'], 'no-cache')
  assert.match(String(headers.vary), /^X-Authorization, X-Authentication, Authorization, Accept/)
  const known = await get(client, '/products', { 'If-None-Match': String(headers.etag) })
  assert.deepEqual([known.status, known.headers['cache-control']], [304, 'no-cache'])
  const ofStaff = await as.staff.send('GET', '/products')
  assert.equal(ofStaff.headers['cache-control'], 'private, no-cache')
})

test('nothing that is not for anyone is in documentation, contexts, OpenAPI or the entry point', async (t) => {
  const { client } = await serveCatalogue(t)
  const entry = (await get(client, '')).json()
  assert.ok(entry.products)
  for (const path of ['suppliers', 'shelves', 'session', 'batch', 'events'])
    assert.equal(entry[path], undefined, path)
  const texts = await Promise.all(
    ['/vocab', '/openapi', '/contexts/Product', '/products'].map(
      async (path) => (await get(client, path)).body,
    ),
  )
  for (const text of texts) {
    const found = /OperationBatch|"Session|"(PATCH|DELETE)"|#Supplier\//.exec(text)
    assert.equal(found?.[0], undefined, text.slice(Math.max(0, (found?.index ?? 0) - 100)).slice(0, 200))
  }
})

/** A file in which these lines, and nothing else, are not for anyone. */
const catalogueWith = (property = '', cls = '') => `
roles: [staff]
access: { all: staff }
classes:
  Product:
    access: { view: anyone, write: staff }
    properties:
      name: string${property}
      maker: Maker
  Maker:
    access: { view: anyone, write: staff }
    properties: { name: string }${cls}
`
const COST_PRICE = `
      costprice: { type: decimal, view: staff, write: staff }`
const ZEBRA = `
  Zebra:
    properties: { stripes: integer, product: Product }`

/** What anyone is told who asks for what does not exist: by name, by a name with a typing error, by a path. */
const QUESTIONS = ['costprice', 'costpric', 'maker.costprice', 'zebra', 'zebras', 'stripes'].flatMap((name) =>
  [`${name}=1`, `order[${name}]=asc`, `fields=${name}`, `exists[${name}]=true`, `include=${name}`].map(
    (query) => `/products?${query}`,
  ),
)

/** The answers to questions, and every representation that links lead to from the entry point, by address and type. */
async function readAll(client: TestClient, base: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const known = new Set([`${base}/`, ...QUESTIONS.map((path) => base + path)])
  for (const address of known) {
    for (const Accept of ['application/ld+json, application/problem+json', 'text/turtle', 'text/csv']) {
      const { status, body } = await client.send('GET', address.slice(base.length), { Accept })
      // Cursors are sealed with a secret of the service.
      const text = body.replaceAll(/before=[\w-]+/g, 'page=1')
      found.set(`${Accept} ${address}`.replace(base, ''), `${status} ${text.replaceAll(base, '')}`)
      for (const [link] of text.matchAll(/http:[^"#<>{},\s]+/g))
        if (link.startsWith(`${base}/`)) known.add(link)
    }
  }
  return found
}

test('what is not for anyone could as well not exist: not a byte of what anyone may read tells of it', async (t) => {
  const read = async (api: string, more: readonly (readonly [string, object])[], price: object) => {
    const { client, base, as } = await serveUsers(t, { staff: [21, 'staff'] }, { api })
    const product = { name: 'Pen', maker: `${base}/makers/m`, ...price }
    const put = [['/makers/m', { name: 'Smith' }], ['/products/p', product], ...more] as const
    for (const [path, body] of put)
      assert.equal((await as.staff.send('PUT', path, body, CREATE)).status, 201, path)
    return readAll(client, base)
  }
  const without = await read(catalogueWith(), [], {})
  const zebras = [['/zebras/z', { stripes: 40 }]] as const
  const hidden = await read(catalogueWith(COST_PRICE, ZEBRA), zebras, { costprice: '0.25' })
  for (const [place, text] of without) assert.equal(hidden.get(place), text, place)
  assert.equal(hidden.size, without.size)
  const served = [...without.values()].filter((text) => text.startsWith('200 '))
  assert.ok(served.length > 20, `${served.length} representations`)
})

// contract: Searches that may scan have one place of their own
test('an address that has not signed in is limited', async (t) => {
  const { client, as } = await serveCatalogue(t, { flags: { anyoneRequests: '5' } })
  const answers = []
  // Where a new minute begins in between, one more is served.
  for (let request = 0; request < 7; request += 1) answers.push(await get(client, '/products', AS_PROBLEM))
  const refused = answers.at(-1) as TestResponse
  const served = answers.filter(({ status }) => status === 200).length
  assert.ok(served === 5 || served === 6, `${served} were served`)
  assert.deepEqual([refused.status, codesOf(refused)], [429, 'TooManyRequests'])
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await as.staff.send('GET', '/products')).status, 200)
  assert.equal((await get(client, '/suppliers')).status, 401, 'and step A is not')
})

const BLOG = `
roles: [staff]
accounts: { manage: staff, view: everyone }
access: { write: staff }
classes:
  Post:
    access: { view: anyone }
    properties: { title: string, author: Account, proof: Proof }
  Proof: { collection: false, properties: { stage: Stage } }
  Stage: { collection: false, properties: { place: string, reader: Account } }
`

// contract: `owner`, paths and account links do not exist for it
test('links to accounts do not exist for anyone, within embedded values neither', async (t) => {
  const { as, client, base } = await serveUsers(t, { staff: [21, 'staff'] }, { api: BLOG })
  const reader = `${base}/accounts/21`
  const body = { title: 'A', author: reader, proof: { stage: { place: 'Berlin', reader } } }
  assert.equal((await as.staff.send('PUT', '/posts/a', body, CREATE)).status, 201)
  const read = await get(client, '/posts/a')
  assert.deepEqual([read.json().title, read.json().author, read.json().proof], ['A', undefined, undefined])
  for (const path of ['/posts', '/posts/a', '/contexts/Post', '/openapi', '/posts?q=A'])
    assert.doesNotMatch((await get(client, path)).body, /accounts|reader|Account/, path)
  for (const query of [
    'proof.stage.reader.exists=true',
    `proof.stage.reader=${reader}`,
    'include=proof.stage.reader',
  ])
    assert.equal((await get(client, `/posts?${query}`)).status, 400, query)
  const { proof } = (await as.staff.send('GET', '/posts/a')).json() as { proof: { stage: Json } }
  assert.equal(proof.stage.reader, reader)
})
