import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertChallenged,
  assertExchanged,
  MINUTE,
  START,
  STEP_A,
  STEP_B,
  TOKEN,
} from '../support/auth-steps.ts'
import { type Headers, stepB } from '../support/client.ts'
import { listAll, pathForAnyone, serve, shareService } from '../support/service.ts'

const JSON_LD: Headers = { 'Content-Type': 'application/ld+json' }
const MERGE_PATCH: Headers = { 'Content-Type': 'application/merge-patch+json' }

/** What an admitted request may be answered with, by place. A method that a place does not have: 405. */
interface Served {
  readonly entryPoint: readonly number[]
  readonly vocab: readonly number[]
  readonly collection: readonly number[]
  readonly member: readonly number[]
  readonly unknown: readonly number[]
}

interface MethodCase {
  readonly name: string
  readonly method: string
  readonly headers?: Headers
  readonly body?: string
  readonly served: Served
}

const NEVER = { entryPoint: [405], vocab: [405], collection: [405], member: [405], unknown: [404] }
const READ = { entryPoint: [200], vocab: [200], collection: [200], member: [200], unknown: [404] }

const METHODS: readonly MethodCase[] = [
  // contract: The material shows only a collection endpoint
  // contract: GET ¦ `{base_url}/<collection_name>`
  // contract: The client sends header `X-Authorization: <token>`
  // contract: authentication on, token on (the default) ¦
  // contract: Rule 1: everything else is protected
  // contract: Nothing here weakens `seed.md`: the user of a token
  { name: 'GET is challenged, exchanged and served at every place', method: 'GET', served: READ },
  { name: 'HEAD is challenged, exchanged and served at every place', method: 'HEAD', served: READ },
  // contract: A request with a nonce and correct Basic credentials
  // contract: Step B answers for the token only
  {
    name: 'POST is challenged, exchanged and served at every place, and step B creates nothing',
    method: 'POST',
    headers: JSON_LD,
    body: '{"name":"Ursula"}',
    served: { ...NEVER, collection: [201] },
  },
  {
    name: 'PUT is challenged, exchanged and served at every place, and step B replaces nothing',
    method: 'PUT',
    headers: JSON_LD,
    body: '{"name":"Ursula"}',
    served: { ...NEVER, member: [200] },
  },
  // contract: The client sends header `X-Authorization: <token>`
  {
    name: 'PATCH is challenged, exchanged and served at every place, and step B changes nothing',
    method: 'PATCH',
    headers: MERGE_PATCH,
    body: '{"name":"Ursula"}',
    served: { ...NEVER, member: [200] },
  },
  // contract: Step B answers for the token only
  {
    name: 'DELETE is challenged, exchanged and served at every place, and step B removes nothing',
    method: 'DELETE',
    served: { ...NEVER, member: [204] },
  },
  // contract: When authentication is enabled, every request is protected
  {
    name: 'OPTIONS that is no preflight is challenged, exchanged and served at every place',
    method: 'OPTIONS',
    served: { entryPoint: [204], vocab: [204], collection: [204], member: [204], unknown: [404] },
  },
]

const shared = shareService()

/** Whether a request without credentials is served: where the API file has the word `anyone`, some are (people.md, Anyone). */
function isForAnyone(method: string, path: string): boolean {
  const open = pathForAnyone()
  return open !== undefined && ['GET', 'HEAD'].includes(method) && ['/', '/vocab', open].includes(path)
}

for (const { name, method, headers = {}, body, served } of METHODS) {
  test(name, async () => {
    const { client, store } = await shared()
    const token = await client.signIn()
    const created = await client.send(
      'POST',
      '/authors',
      { ...JSON_LD, 'X-Authorization': token },
      '{"name":"A"}',
    )
    const member = new URL(created.headers.location ?? '').pathname.replace(/^\/api/, '')
    const open = pathForAnyone()
    const places: readonly (readonly [string, readonly number[]])[] = [
      ['/', served.entryPoint],
      ['/vocab', served.vocab],
      ['/authors', served.collection],
      ['/nothing-here', served.unknown],
      [member, served.member],
      ...(open === undefined ? [] : [[open, served.collection] as const]),
    ]
    const sent = (path: string, more: Headers) => client.send(method, path, { ...headers, ...more }, body)
    const stored = async () => JSON.stringify(await listAll(store, 'Author'))
    const silent = (text: string) => (method === 'HEAD' ? '' : text)

    for (const [path, statuses] of places) {
      const before = await stored()
      const isOpen = isForAnyone(method, path)
      if (isOpen) assert.equal((await sent(path, {})).status, 200)
      const challenge = await sent(isOpen ? '/session' : path, {})
      assertChallenged({ ...challenge, body: STEP_A }, `step A at ${path}`)
      assert.equal(challenge.body, silent(STEP_A))
      assert.equal(challenge.headers['content-length'], String(STEP_A.length))

      const exchange = await sent(path, stepB(challenge.headers['x-authentication'] ?? ''))
      assertExchanged({ ...exchange, body: STEP_B }, `step B at ${path}`)
      assert.equal(exchange.body, silent(STEP_B))
      assert.equal(exchange.headers['content-length'], String(STEP_B.length))
      assert.equal(await stored(), before, `step B at ${path} must not carry the operation out`)

      const answer = await sent(path, { 'X-Authorization': exchange.headers['x-authorization'] ?? '' })
      assert.ok(statuses.includes(answer.status), `step C at ${path}: ${answer.status} ${answer.body}`)
    }
  })
}

// contract: This document covers the service's two-step authentication
// contract: It can protect its endpoints with a two-factor procedure
// contract: `Content-type: application/ld+json`
// contract: Nonce ¦ value
// contract: The client-side progression is
// contract: Status ¦ 401
// contract: `Content-type` ¦ `application/ld+json`
// contract: `WWW-Authenticate` ¦
// contract: `X-Authentication` ¦ `<nonce>` (a newly issued nonce)
// contract: Body ¦ JSON object with one member: key `"401"`
// contract: 401 ¦ Protected endpoint requested
test('a request without credentials gets status 401, the Basic challenge, a nonce and a body of one member', async () => {
  const { client } = await shared()
  const response = await client.send('GET', '/books')
  assertChallenged(response)
  assert.deepEqual(response.json(), { 401: 'Need credentials to authenticate' })
})

// contract: This document covers the service's two-step authentication
// contract: It can protect its endpoints with a two-factor procedure
// contract: A client first proves its identity with a server-issued nonce
// contract: The server then issues a time-bound token
// contract: `Content-type: application/ld+json`
// contract: Authorised user ¦ paraphrase
// contract: Token ¦ value
// contract: The client-side progression is
// contract: Token-based authorization is switched on
// contract: `X-Authentication` ¦ `<nonce>`, the value received
// contract: `Authorization` ¦ `Basic
// contract: Status ¦ 200
// contract: `Content-type` ¦ `application/ld+json`
// contract: `X-Authorization` ¦ `<token>` (a unique
// contract: Body ¦ JSON object with one member: key `"200"`
// contract: A request with a nonce and correct Basic credentials
// contract: The success body in Step B follows
test('a nonce with correct credentials gets status 200, a token and a body of one member', async () => {
  const { client } = await shared()
  const response = await client.send('GET', '/books', stepB(await client.nonce()))
  assertExchanged(response)
  assert.deepEqual(response.json(), { 200: 'User token generated' })
})

// contract: `X-Authentication` ¦ `<nonce>` (a newly issued nonce)
test('every challenge carries a newly issued nonce', async () => {
  const { client } = await shared()
  const nonces = [await client.nonce(), await client.nonce(), await client.nonce()]
  assert.equal(new Set(nonces).size, 3)
})

// contract: This document covers the service's two-step authentication
// contract: The server then issues a time-bound token
// contract: The client-side progression is
// contract: The token alone is sufficient
// contract: No nonce and no `Authorization` header
// contract: A request with a valid, unexpired token
test('a token alone is sufficient, without nonce and without Authorization header', async () => {
  const { client } = await shared()
  const token = await client.signIn()
  const response = await client.send('GET', '/books', { 'X-Authorization': token })
  assert.equal(response.status, 200)
  assert.deepEqual(response.json()['@type'], ['Collection', 'BookCollection'])
})

test('a request that is served to a token carries neither a nonce nor a token', async () => {
  const { client } = await shared()
  const token = await client.signIn()
  for (const path of ['/books', '/nothing-here']) {
    const { headers } = await client.send('GET', path, { 'X-Authorization': token })
    assert.equal(headers['x-authentication'], undefined)
    assert.equal(headers['x-authorization'], undefined)
    assert.equal(headers['www-authenticate'], undefined)
  }
})

const BESIDE_A_TOKEN: readonly { readonly name: string; readonly headers: Headers }[] = [
  {
    name: 'a live token is served beside a malformed Authorization header',
    headers: { Authorization: 'Basic %%%' },
  },
  { name: 'a live token is served beside a foreign scheme', headers: { Authorization: 'Bearer abc' } },
  // contract: A request with a valid, unexpired token
  // contract: A well-formed `X-Authorization` that names a live token
  {
    name: 'a live token is served beside wrong credentials and a forged nonce',
    headers: stepB('00000000-0000-8000-8000-000000000000', 7, 'wrong'),
  },
  { name: 'a live token is served beside an empty nonce', headers: { 'X-Authentication': '' } },
]

test('beside a live token nothing else is looked at', async () => {
  const { client } = await shared()
  const token = await client.signIn()
  for (const { name, headers } of BESIDE_A_TOKEN) {
    const { status } = await client.send('GET', '/books', { ...headers, 'X-Authorization': token })
    assert.equal(status, 200, name)
  }
})

// contract: A well-formed `X-Authorization` that names a live token
test('a live token beside correct nonce and credentials is served and the nonce is not spent', async () => {
  const { client } = await shared()
  const token = await client.signIn()
  const headers = stepB(await client.nonce())
  assert.equal((await client.send('GET', '/vocab', { ...headers, 'X-Authorization': token })).status, 200)
  assertExchanged(await client.send('GET', '/vocab', headers))
})

// contract: Otherwise one `X-Authentication` and one
test('step B works beside an expired token and beside an unknown one', async (t) => {
  const time = { now: START }
  const { client } = await serve(t, { time })
  const expired = await client.signIn()
  time.now += 45 * MINUTE
  for (const token of [expired, 'f'.repeat(64), 'not a token']) {
    const headers = { ...stepB(await client.nonce()), 'X-Authorization': token }
    const response = await client.send('GET', '/books', headers)
    assertExchanged(response, token)
    assert.match(response.headers['x-authorization'] ?? '', TOKEN)
  }
})

// contract: Step B answers for the token only
test('step B answers before the body is looked at: what is not JSON gets a token as well', async () => {
  const { client } = await shared()
  const headers = { ...JSON_LD, ...stepB(await client.nonce()) }
  assertExchanged(await client.send('POST', '/books', headers, '{"title": '))
})

const ACCEPTS: readonly { readonly name: string; readonly accept: string }[] = [
  // contract: Steps A and B, 429 and 503 of the gate
  {
    name: 'steps A and B keep the seed form where application/problem+json is asked for',
    accept: 'application/problem+json',
  },
  { name: 'steps A and B keep the seed form where text/turtle is asked for', accept: 'text/turtle' },
  { name: 'steps A and B keep the seed form where image/png is asked for', accept: 'image/png' },
  { name: 'steps A and B keep the seed form where nothing is acceptable', accept: '*/*;q=0' },
]

test('steps A and B keep the seed form whatever is asked for', async (t) => {
  const { client } = await shared()
  for (const { name, accept } of ACCEPTS) {
    await t.test(name, async () => {
      const challenge = await client.send('GET', '/nothing-here', { Accept: accept })
      assertChallenged(challenge)
      const headers = { ...stepB(challenge.headers['x-authentication'] ?? ''), Accept: accept }
      assertExchanged(await client.send('GET', '/nothing-here', headers))
    })
  }
})
