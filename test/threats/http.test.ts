import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import type { Headers } from '../support/client.ts'
import { type RawResponse, sendRaw } from '../support/raw.ts'
import { shareService } from '../support/service.ts'

// Every way to write a path or a method has the same protection as the plain one, and gets a 4xx, never 5xx.

const shared = shareService()

const AUTHOR = '{"name":"Ada"}'
const JSON_TYPE = { 'Content-Type': 'application/json' }

async function exchange(
  port: number,
  method: string,
  target: string,
  headers: Headers = {},
): Promise<RawResponse> {
  const lines = Object.entries({ Host: 'test', Connection: 'close', ...headers })
  const request = `${method} ${target} HTTP/1.1\r\n${lines.map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n`
  const { responses, closed } = await sendRaw(port, [Buffer.from(request, 'latin1')], 5_000)
  const [response, ...more] = responses
  assert.ok(response, `no response to ${method} ${target.slice(0, 100)}`)
  assert.deepEqual(more, [])
  assert.equal(closed, true)
  return response
}

/** All of a challenge but its nonce and date, which are its own. */
const withoutFresh = ({ status, headers, body }: RawResponse) => ({
  status,
  headers: { ...headers, date: '', 'x-authentication': headers['x-authentication']?.length },
  body,
})

interface Case {
  readonly name: string
  readonly target: string
  /** With a token. */
  readonly expected: number
}

const PATHS: readonly Case[] = [
  { name: 'Two slashes at the start are another path', target: '//api/authors', expected: 404 },
  { name: 'Two slashes within are another path', target: '/api//authors', expected: 404 },
  { name: 'A host behind two slashes is a path', target: '//evil.example/api/authors', expected: 404 },
  { name: 'Dot segments are not resolved', target: '/api/../api/authors', expected: 404 },
  { name: 'Dot segments do not leave the API', target: '/api/../../etc/passwd', expected: 404 },
  { name: 'A single dot is not resolved', target: '/api/./authors', expected: 404 },
  // contract: Ids are UUIDv7, or what a PUT
  { name: 'Dot segments as an id are no member', target: '/api/authors/..', expected: 404 },
  { name: 'Encoded dot segments are no member', target: '/api/authors/%2e%2e', expected: 404 },
  { name: 'Encoded dot segments are not resolved', target: '/api/authors/%2e%2e/vocab', expected: 404 },
  { name: 'An encoded slash does not separate', target: '/api%2fauthors', expected: 404 },
  { name: 'An encoded slash is part of a name', target: '/api/authors%2f1', expected: 404 },
  { name: 'An encoded slash is part of an id', target: '/api/authors/%2fvocab', expected: 404 },
  { name: 'A backslash does not separate', target: '/api\\authors', expected: 404 },
  { name: 'NUL behind a collection is another collection', target: '/api/authors%00', expected: 404 },
  { name: 'NUL as an id is no member', target: '/api/authors/%00', expected: 404 },
  { name: 'CR and LF in a path get nowhere', target: '/api/a%0d%0aSet-Cookie:%20a=b', expected: 404 },
  { name: 'A percent sign without digits is 400', target: '/api/%zz', expected: 400 },
  { name: 'A percent sign at the end is 400', target: '/api/authors/%', expected: 400 },
  { name: 'Percent-encoded bytes that are not UTF-8 are 400', target: '/api/authors/%ff', expected: 400 },
  { name: 'An overlong slash is 400', target: '/api/authors%c0%af1', expected: 400 },
  { name: 'A path parameter is part of the name', target: '/api/authors;x', expected: 404 },
  { name: 'A collection in another case is another', target: '/api/Authors', expected: 404 },
  { name: 'The mount in another case is not the API', target: '/API/authors', expected: 404 },
  { name: 'What begins like the mount is not the API', target: '/apiauthors', expected: 404 },
  { name: 'A slash at the end is another path', target: '/api/authors/', expected: 404 },
  { name: 'A slash behind the vocabulary is another path', target: '/api/vocab/', expected: 404 },
  // contract: Nothing but the API listens on the API's port
  { name: 'A path outside the mount is not the API', target: '/', expected: 404 },
  { name: 'An asterisk is for OPTIONS alone', target: '*', expected: 404 },
  { name: 'A fragment is part of the name', target: '/api/authors#x', expected: 404 },
  { name: 'The absolute form of no path is the root', target: 'http://evil.example', expected: 404 },
  { name: 'The absolute form of a foreign scheme is no path', target: 'ftp://a/api/authors', expected: 404 },
  { name: '__proto__ is no collection', target: '/api/__proto__', expected: 404 },
  { name: 'constructor is no collection', target: '/api/constructor', expected: 404 },
  { name: 'toString is no collection', target: '/api/toString', expected: 404 },
  { name: 'A member of __proto__ is none', target: '/api/__proto__/toString', expected: 404 },
  { name: '__proto__ is no member', target: '/api/authors/__proto__', expected: 404 },
  { name: '__proto__ is no context', target: '/api/contexts/__proto__', expected: 404 },
  { name: '__proto__ is no query parameter', target: '/api/authors?__proto__=1', expected: 400 },
  { name: 'constructor is no query parameter', target: '/api/authors?constructor=1', expected: 400 },
  { name: 'toString is no query parameter', target: '/api/authors?toString=1', expected: 400 },
  { name: 'A query that is not percent-encoded UTF-8 is 400', target: '/api/authors?%zz=1', expected: 400 },
  // contract: Rule 1: everything else is protected
  // contract: Limits: body 1 MiB
  { name: 'A target over 8 KiB is 414', target: `/api/${'x'.repeat(8 * 1024)}`, expected: 414 },
  // contract: Limits: body 1 MiB
  { name: 'A query over 8 KiB is 414', target: `/api/authors?page=${'1'.repeat(8 * 1024)}`, expected: 414 },
]

for (const { name, target, expected } of PATHS) {
  test(name, async () => {
    const { client, port, logged } = await shared()
    const plain = await exchange(port, 'GET', '/api/authors')
    assert.equal(plain.status, 401)
    assert.deepEqual(withoutFresh(await exchange(port, 'GET', target)), withoutFresh(plain))

    const token = { 'X-Authorization': await client.signIn() }
    const response = await exchange(port, 'GET', target, token)
    assert.equal(response.status, expected, response.body)
    assert.deepEqual(Object.keys(JSON.parse(response.body)), [String(expected)])
    assert.equal(response.headers['set-cookie'], undefined)
    assert.deepEqual(logged, [])
  })
}

test('The absolute form is as the origin form, its authority ignored', async () => {
  const { client, base, port } = await shared()
  const token = { 'X-Authorization': await client.signIn() }
  for (const target of ['http://evil.example/api/authors', 'HTTPS://evil.example:1/api/authors']) {
    assert.equal((await exchange(port, 'GET', target)).status, 401)
    const { status, headers, body } = await exchange(port, 'GET', target, token)
    assert.equal(status, 200)
    assert.equal(JSON.parse(body)['@id'], `${base}/authors`)
    assert.doesNotMatch(JSON.stringify(headers) + body, /evil/i)
  }
})

// contract: Authentication is switched on for all requests
// contract: When authentication is enabled, every request is protected
// contract: Rule 1: everything else is protected
// contract: Nothing but the API listens on the API's port
test('Every method that Node.js knows is challenged, also where it is not possible', async () => {
  const { port } = await shared()
  // CONNECT is refused before the gate; a response to HEAD has no body to read.
  const methods = METHODS.filter((method) => method !== 'CONNECT' && method !== 'HEAD')
  const plain = withoutFresh(await exchange(port, 'GET', '/api/authors'))
  for (const method of methods) {
    assert.deepEqual(withoutFresh(await exchange(port, method, '/api/authors')), plain, method)
  }
})

test('HEAD without a token is challenged', async () => {
  const { client } = await shared()
  const { status, headers } = await client.send('HEAD', '/authors')
  assert.equal(status, 401)
  assert.match(headers['x-authentication'] ?? '', /^[0-9a-f-]{36}$/)
})

test('TRACE echoes nothing', async () => {
  const { client, port } = await shared()
  const token = await client.signIn()
  const marked = { 'X-Marker': 'do-not-echo' }
  for (const headers of [marked, { ...marked, 'X-Authorization': token }]) {
    const response = await exchange(port, 'TRACE', '/api/authors', headers)
    assert.equal(response.status, 'X-Authorization' in headers ? 405 : 401)
    const text = JSON.stringify(response.headers) + response.body
    assert.equal(text.includes('do-not-echo'), false)
    assert.equal(text.includes(token), false)
  }
})

const OVERRIDES: readonly { name: string; headers: Headers; query: string }[] = [
  {
    name: 'X-HTTP-Method-Override does nothing',
    headers: { 'X-HTTP-Method-Override': 'DELETE' },
    query: '',
  },
  { name: 'X-HTTP-Method does nothing', headers: { 'X-HTTP-Method': 'DELETE' }, query: '' },
  { name: 'X-Method-Override does nothing', headers: { 'X-Method-Override': 'DELETE' }, query: '' },
  { name: 'A method in the query does nothing', headers: {}, query: '?_method=DELETE' },
]

for (const { name, headers, query } of OVERRIDES) {
  test(name, async () => {
    const { client } = await shared()
    const token = { 'X-Authorization': await client.signIn() }
    assert.equal((await client.send('GET', `/authors${query}`, headers)).status, 401)
    const added = await client.send('POST', '/authors', { ...token, ...JSON_TYPE }, AUTHOR)
    const path = `/authors/${String(added.headers.location).split('/').pop()}`
    for (const method of ['GET', 'POST', 'TRACE']) {
      const { status } = await client.send(method, path + query, { ...token, ...headers })
      assert.notEqual(status, 204)
      assert.ok(status < 500)
    }
    assert.equal((await client.send('GET', path, token)).status, 200)
  })
}

test('A header that names another path does nothing', async () => {
  const { client } = await shared()
  const token = { 'X-Authorization': await client.signIn() }
  const elsewhere = { 'X-Original-URL': '/api/authors', 'X-Rewrite-URL': '/api/authors' }
  assert.equal((await client.send('GET', '/nothing', elsewhere)).status, 401)
  assert.equal((await client.send('GET', '/nothing', { ...token, ...elsewhere })).status, 404)
})
