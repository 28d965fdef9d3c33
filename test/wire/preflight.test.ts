import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Headers, TestResponse } from '../support/client.ts'
import { sendRaw } from '../support/raw.ts'
import { serve, shareService } from '../support/service.ts'
import { assertError, assertEveryHeader } from './every-response.ts'
import { HOST, head, linesOf } from './requests.ts'

const shared = shareService()

// authentication.md, The gate: departure (a) from the seed. A browser cannot attach credentials to a preflight.

const PREFLIGHT = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'DELETE' }

function assertPreflight(response: TestResponse, base: string): void {
  assert.equal(response.status, 204)
  assertEveryHeader(response, base)
  const { headers } = response
  assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, POST, PUT, PATCH, DELETE')
  assert.equal(
    headers['access-control-allow-headers'],
    'Authorization, X-Authentication, X-Authorization, Content-Type, Accept, If-Match, If-None-Match, Prefer, ' +
      'Last-Event-ID, Accept-Datetime',
  )
  assert.equal(headers['access-control-max-age'], '7200')
  assert.equal(headers['x-authentication'], undefined)
  assert.equal(headers['www-authenticate'], undefined)
  assert.equal(headers.allow, undefined)
}

const PREFLIGHTS: readonly { name: string; path: string; headers: Headers }[] = [
  { name: 'A preflight of the entry point needs no credentials', path: '/', headers: PREFLIGHT },
  // contract: **Deliberate departures from the seed
  // contract: Preflight: `Access-Control-Allow-Methods
  { name: 'A preflight of a collection needs no credentials', path: '/authors', headers: PREFLIGHT },
  { name: 'A preflight of the session needs no credentials', path: '/session', headers: PREFLIGHT },
  // contract: **Deliberate departures from the seed
  {
    name: 'A preflight of what does not exist is like any other',
    path: '/nothing/%zz',
    headers: PREFLIGHT,
  },
  {
    name: 'A preflight that asks for headers is told the same',
    path: '/authors',
    headers: { ...PREFLIGHT, 'Access-Control-Request-Headers': 'x-authorization, x-evil' },
  },
  {
    name: 'A preflight for a method that is never allowed is told the same',
    path: '/authors',
    headers: { ...PREFLIGHT, 'Access-Control-Request-Method': 'TRACE' },
  },
]

for (const { name, path, headers } of PREFLIGHTS) {
  test(name, async () => {
    const { client, base } = await shared()
    const response = await client.send('OPTIONS', path, headers)
    assertPreflight(response, base)
    const root = await client.send('OPTIONS', '/', PREFLIGHT)
    assert.deepEqual({ ...response.headers, date: '' }, { ...root.headers, date: '' })
  })
}

// contract: Preflight: `Access-Control-Allow-Methods
test('A preflight is the same with a token, tokens off and authentication off', async (t) => {
  const { client, base } = await shared()
  const token = { 'X-Authorization': await client.signIn() }
  assertPreflight(await client.send('OPTIONS', '/authors', { ...PREFLIGHT, ...token }), base)
  for (const flags of [{ token: false }, { auth: false }]) {
    const service = await serve(t, { flags })
    assertPreflight(await service.client.send('OPTIONS', '/authors', PREFLIGHT), service.base)
  }
})

interface Protected {
  readonly name: string
  readonly target: string
  readonly headers: Headers
  /** With a token. */
  readonly expected: { readonly status: number; readonly allow?: RegExp }
}

const PROTECTED: readonly Protected[] = [
  // contract: Any other OPTIONS is protected
  {
    name: 'OPTIONS without the headers of a preflight is protected, and tells what a collection allows',
    target: '/api/authors',
    headers: {},
    expected: { status: 204, allow: /^GET, HEAD, POST\b/ },
  },
  // contract: Any other OPTIONS is protected
  {
    name: 'OPTIONS with Origin alone is protected',
    target: '/api/vocab',
    headers: { Origin: 'https://app.example' },
    expected: { status: 204, allow: /^GET, HEAD$/ },
  },
  {
    name: 'OPTIONS with Access-Control-Request-Method alone is protected',
    target: '/api/session',
    headers: { 'Access-Control-Request-Method': 'GET' },
    expected: { status: 204, allow: /^GET, HEAD, DELETE$/ },
  },
  {
    name: 'OPTIONS of the server as a whole is protected, and tells every method',
    target: '*',
    headers: {},
    expected: { status: 204, allow: /^GET, HEAD, POST, PUT, PATCH, DELETE\b/ },
  },
  {
    name: 'OPTIONS of what does not exist is protected, and 404 with a token',
    target: '/api/nothing',
    headers: {},
    expected: { status: 404 },
  },
]

for (const { name, target, headers, expected } of PROTECTED) {
  test(name, async () => {
    const { client, base, port } = await shared()
    const token = await client.signIn()
    const request = (who: string) =>
      head(`OPTIONS ${target} HTTP/1.1`, HOST, 'Connection: close', ...linesOf(headers), who)

    const [challenge] = (await sendRaw(port, [request('X-Nobody: 1')], 5_000)).responses
    assert.ok(challenge)
    assertError(challenge, 401, base)
    assert.equal(challenge.headers.allow, undefined)

    const [response] = (await sendRaw(port, [request(`X-Authorization: ${token}`)], 5_000)).responses
    assert.ok(response)
    assert.equal(response.status, expected.status)
    assertEveryHeader(response, base)
    if (expected.allow !== undefined) assert.match(response.headers.allow ?? '', expected.allow)
    assert.equal(response.headers['access-control-allow-methods'], undefined)
  })
}

test('The headers of a preflight open nothing to another method', async () => {
  const { client, base } = await shared()
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
    const response = await client.send(method, '/authors', PREFLIGHT)
    assert.equal(response.status, 401, method)
    assertEveryHeader(response, base)
  }
})

test('A preflight of the server as a whole is like any other', async () => {
  const { base, port } = await shared()
  const request = head('OPTIONS * HTTP/1.1', HOST, 'Connection: close', ...linesOf(PREFLIGHT))
  const [response] = (await sendRaw(port, [request], 5_000)).responses
  assert.ok(response)
  assertPreflight({ ...response, json: () => ({}) }, base)
})
