import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertChallenged, NONCE, tally, together } from '../support/auth-steps.ts'
import { type Headers, stepB, type TestResponse, USER } from '../support/client.ts'
import { countRows, newDatabase } from '../support/databases.ts'
import { listAll, serve, shareService } from '../support/service.ts'

const JSON_LD: Headers = { 'Content-Type': 'application/ld+json' }

/** A request, and what it is answered with where it is let in: the same with either switch off. */
interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Headers
  readonly body?: string
  readonly status: number
}

const REQUESTS: readonly Request[] = [
  { method: 'GET', path: '/', status: 200 },
  { method: 'HEAD', path: '/', status: 200 },
  { method: 'GET', path: '/vocab', status: 200 },
  { method: 'GET', path: '/books', status: 200 },
  { method: 'OPTIONS', path: '/books', status: 204 },
  { method: 'GET', path: '/books/none', status: 404 },
  { method: 'GET', path: '/nothing-here', status: 404 },
  { method: 'POST', path: '/vocab', status: 405 },
  { method: 'GET', path: '/books', headers: { Accept: 'image/png' }, status: 406 },
  { method: 'POST', path: '/authors', headers: JSON_LD, body: '{"name":"A"}', status: 201 },
  { method: 'POST', path: '/authors', headers: JSON_LD, body: '{"name":', status: 400 },
  { method: 'POST', path: '/authors', headers: JSON_LD, body: '{}', status: 422 },
  { method: 'POST', path: '/authors', headers: { 'Content-Type': 'text/plain' }, body: 'x', status: 415 },
]

// contract: Authentication is an optional deployment setting
// contract: authentication off ¦
test('while authentication is off every request is served, without nonce, token or challenge', async (t) => {
  const { client } = await serve(t, { flags: { auth: 'off' } })
  for (const { method, path, headers, body, status } of REQUESTS) {
    const response = await client.send(method, path, headers, body)
    assert.equal(response.status, status, `${method} ${path}: ${response.body}`)
    for (const name of ['x-authentication', 'x-authorization', 'www-authenticate']) {
      assert.equal(response.headers[name], undefined, `${name} on ${method} ${path}`)
    }
  }
})

test('while authentication is off no credentials are looked at', async (t) => {
  const { client, db } = await serve(t, { db: newDatabase(t), flags: { auth: 'off' } })
  const before = await countRows(db)
  const claims: readonly Headers[] = [
    stepB('00000000-0000-8000-8000-000000000000', USER, 'wrong'),
    { 'X-Authorization': 'f'.repeat(64) },
    { Authorization: 'Bearer x' },
  ]
  for (const headers of claims) {
    const response = await client.send('GET', '/books', headers)
    assert.equal(response.status, 200)
    assert.equal(response.json().totalItems, 0)
  }
  assert.deepEqual(await countRows(db), before)
})

// contract: Token-based authorization is switched on
// contract: authentication on, token off ¦
// contract: `--token` / `--no-token` ¦
test('while tokens are off a nonce with correct credentials serves the request itself, with the nonce for the next', async (t) => {
  const { client, db } = await serve(t, { db: newDatabase(t), flags: { token: 'off' } })
  const seen = new Set<string>()
  let nonce = await client.nonce()
  for (const { method, path, headers = {}, body, status } of REQUESTS) {
    seen.add(nonce)
    const response = await client.send(method, path, { ...headers, ...stepB(nonce) }, body)
    assert.equal(response.status, status, `${method} ${path}: ${response.body}`)
    assert.equal(response.headers['x-authorization'], undefined)
    assert.equal(response.headers['www-authenticate'], undefined)
    assert.equal(response.headers['cache-control'], 'no-store', `${method} ${path}`)
    nonce = response.headers['x-authentication'] ?? ''
    assert.match(nonce, NONCE, `${method} ${path}`)
  }
  assert.equal(seen.size, REQUESTS.length)
  assert.equal((await countRows(db)).tokens, 0)
})

const CHALLENGED: readonly { readonly name: string; readonly headers: (nonce: string) => Headers }[] = [
  { name: 'while tokens are off a request without credentials gets step A', headers: () => ({}) },
  // contract: authentication on, token off ¦
  {
    name: 'while tokens are off a wrong paraphrase gets step A',
    headers: (nonce) => stepB(nonce, USER, 'wrong'),
  },
  { name: 'while tokens are off an unknown user gets step A', headers: (nonce) => stepB(nonce, 999) },
  { name: 'while tokens are off an unknown name gets step A', headers: (nonce) => stepB(nonce, 'nobody') },
  {
    name: 'while tokens are off a nonce alone gets step A',
    headers: (nonce) => ({ 'X-Authentication': nonce }),
  },
  {
    name: 'while tokens are off credentials alone get step A',
    headers: (nonce) => ({ Authorization: stepB(nonce).Authorization ?? '' }),
  },
  {
    name: 'while tokens are off a forged nonce gets step A',
    headers: () => stepB('00000000-0000-8000-8000-000000000000'),
  },
]

const withoutTokens = shareService({ flags: { token: 'off' } })

for (const { name, headers } of CHALLENGED) {
  test(name, async () => {
    const { client } = await withoutTokens()
    const response = await client.send('POST', '/authors', headers(await client.nonce()), '{"name":"A"}')
    assertChallenged(response)
  })
}

// contract: authentication on, token off ¦
test('while tokens are off a token that was live before is ignored', async (t) => {
  const before = await serve(t, { db: newDatabase(t) })
  const token = await before.client.signIn()
  await before.close()
  const { client } = await serve(t, { db: before.db, flags: { token: 'off' } })
  assertChallenged(await client.send('GET', '/books', { 'X-Authorization': token }))
  const headers = { ...stepB(await client.nonce()), 'X-Authorization': 'not a token' }
  assert.equal((await client.send('GET', '/books', headers)).status, 200)
})

test('while tokens are off a nonce serves one request, of however many race', async () => {
  const { client, store } = await withoutTokens()
  const headers = { ...JSON_LD, ...stepB(await client.nonce()) }
  const responses: TestResponse[] = await together(20, () =>
    client.send('POST', '/authors', headers, '{"name":"A"}'),
  )
  assert.deepEqual(tally(responses), { 201: 1, 401: 19 })
  assert.equal((await listAll(store, 'Author')).total, 1)
})
