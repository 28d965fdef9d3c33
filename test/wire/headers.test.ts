import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { type Headers, stepB, type TestResponse } from '../support/client.ts'
import { readToEnd, sendRaw } from '../support/raw.ts'
import { shareService, type TestService } from '../support/service.ts'
import { assertError, assertEveryHeader, assertRefused } from './every-response.ts'
import { AUTHOR, HOST, head } from './requests.ts'

const shared = shareService()

// authentication.md, On every response, whatever its status.

interface Scene extends TestService {
  /** The headers of a request with a token. */
  readonly known: Headers
  /** As `known`, and of a JSON body. */
  readonly writing: Headers
  /** The path of a member, below the base. */
  readonly path: string
  readonly etag: string
}

const SERVED = {
  'cache-control': 'private, no-cache',
  vary: 'X-Authorization, Authorization, Accept',
}
const NOT_STORED = { 'cache-control': 'no-store', vary: undefined }

async function scene(): Promise<Scene> {
  const service = await shared()
  const known = { 'X-Authorization': await service.client.signIn() }
  const writing = { ...known, 'Content-Type': 'application/json' }
  const { headers } = await service.client.send('POST', '/authors', writing, AUTHOR)
  const path = (headers.location ?? '').slice(service.base.length)
  return { ...service, known, writing, path, etag: headers.etag ?? '' }
}

interface Case {
  readonly name: string
  readonly request: (scene: Scene) => Promise<TestResponse>
  readonly expected: number
  readonly caching: Readonly<Record<string, string | undefined>>
}

const CASES: readonly Case[] = [
  // contract: `Link` with the relation
  // contract: `Access-Control-Allow-Origin: *`
  // contract: `Content-Length`
  // contract: `Date`
  // contract: It is referenced by the `Link` header
  // contract: `Link` ¦
  // contract: `Access-Control-Allow-Origin` ¦
  // contract: `Access-Control-Expose-Headers` ¦
  {
    name: 'Every header is on the challenge',
    request: ({ client }) => client.send('GET', '/authors'),
    expected: 401,
    caching: NOT_STORED,
  },
  // contract: `X-Content-Type-Options: nosniff`
  {
    name: 'Every header is on the exchange',
    request: async ({ client }) => client.send('GET', '/authors', stepB(await client.nonce())),
    expected: 200,
    caching: NOT_STORED,
  },
  // contract: `X-Content-Type-Options: nosniff`
  {
    name: 'Every header is on the entry point',
    request: ({ client, known }) => client.send('GET', '/', known),
    expected: 200,
    caching: SERVED,
  },
  {
    name: 'Every header is on the vocabulary',
    request: ({ client, known }) => client.send('GET', '/vocab', known),
    expected: 200,
    caching: SERVED,
  },
  // contract: `Content-Type` ¦
  {
    name: 'Every header is on a collection',
    request: ({ client, known }) => client.send('GET', '/authors', known),
    expected: 200,
    caching: SERVED,
  },
  {
    name: 'Every header is on the session',
    request: ({ client, known }) => client.send('GET', '/session', known),
    expected: 200,
    caching: SERVED,
  },
  {
    name: 'Every header is on what was added',
    request: ({ client, writing }) => client.send('POST', '/authors', writing, AUTHOR),
    expected: 201,
    caching: SERVED,
  },
  // contract: `Content-Type` ¦
  {
    name: 'Every header but the type is on what was added and is not shown',
    request: ({ client, writing }) =>
      client.send('POST', '/authors', { ...writing, Prefer: 'return=minimal' }, AUTHOR),
    expected: 201,
    caching: SERVED,
  },
  // contract: `Content-Type` ¦
  {
    name: 'Every header but type and length is on the response to DELETE',
    request: ({ client, known, path }) => client.send('DELETE', path, known),
    expected: 204,
    caching: SERVED,
  },
  // contract: `Content-Type` ¦
  // contract: `Content-Length`, `Date` ¦
  {
    name: 'Every header but type and length is on 304',
    request: ({ client, known, path, etag }) => client.send('GET', path, { ...known, 'If-None-Match': etag }),
    expected: 304,
    caching: SERVED,
  },
  {
    name: 'Every header but type and length is on the response to OPTIONS',
    request: ({ client, known }) => client.send('OPTIONS', '/authors', known),
    expected: 204,
    caching: SERVED,
  },
  {
    name: 'Every header but type and length is on the response to a preflight',
    request: ({ client }) =>
      client.send('OPTIONS', '/authors', { Origin: 'null', 'Access-Control-Request-Method': 'GET' }),
    expected: 204,
    caching: NOT_STORED,
  },
]

for (const { name, request, expected, caching } of CASES) {
  test(name, async () => {
    const there = await scene()
    const response = await request(there)
    assert.equal(response.status, expected, response.body)
    assertEveryHeader(response, there.base)
    assert.equal(response.headers['content-length'] ?? '0', String(Buffer.byteLength(response.body)))
    const { 'cache-control': cacheControl, vary } = response.headers
    assert.deepEqual({ 'cache-control': cacheControl, vary }, caching)
  })
}

const ERRORS: readonly Omit<Case, 'caching'>[] = [
  {
    name: 'Every header is on 400 for a body that is not JSON',
    request: ({ client, writing }) => client.send('POST', '/authors', writing, '{'),
    expected: 400,
  },
  // contract: It is referenced by the `Link` header
  // contract: Error bodies use the status code as the key
  // contract: Error bodies are one JSON object
  {
    name: 'Every header is on 404',
    request: ({ client, known }) => client.send('GET', '/nothing', known),
    expected: 404,
  },
  {
    name: 'Every header is on 405',
    request: ({ client, known }) => client.send('DELETE', '/vocab', known),
    expected: 405,
  },
  // contract: `Content-Type` ¦
  {
    name: 'Every header is on 406, and its type is that of every error',
    request: ({ client, known }) => client.send('GET', '/authors', { ...known, Accept: 'image/png' }),
    expected: 406,
  },
  {
    name: 'Every header is on 412',
    request: ({ client, known, path }) => client.send('DELETE', path, { ...known, 'If-Match': '"99-x"' }),
    expected: 412,
  },
  {
    name: 'Every header is on 413',
    request: ({ client, writing }) =>
      client.send('POST', '/authors', writing, AUTHOR.padEnd(1024 * 1024 + 1)),
    expected: 413,
  },
  {
    name: 'Every header is on 414',
    request: ({ client, known }) => client.send('GET', `/${'x'.repeat(8 * 1024)}`, known),
    expected: 414,
  },
  {
    name: 'Every header is on 415',
    request: ({ client, known }) => client.send('POST', '/authors', known, AUTHOR),
    expected: 415,
  },
  // contract: Error bodies use the status code as the key
  // contract: `Cache-Control`, `Vary` ¦
  {
    name: 'Every header is on 422',
    request: ({ client, writing }) => client.send('POST', '/authors', writing, '{}'),
    expected: 422,
  },
]

for (const { name, request, expected } of ERRORS) {
  test(name, async () => {
    const there = await scene()
    assertError(await request(there), expected, there.base)
  })
}

const RAW: readonly { name: string; request: string; expected: number }[] = [
  // contract: `Access-Control-Allow-Origin` ¦
  // contract: All of these carry the headers above
  { name: 'Every header is on 400 for what is not HTTP', request: head('hello'), expected: 400 },
  // contract: `Access-Control-Expose-Headers` ¦
  // contract: `X-Content-Type-Options: nosniff`
  // contract: All of these carry the headers above
  {
    name: 'Every header is on 431',
    request: head('GET /api HTTP/1.1', HOST, `X-Long: ${'x'.repeat(16 * 1024)}`),
    expected: 431,
  },
]

for (const { name, request, expected } of RAW) {
  test(name, async () => {
    const { base, port } = await shared()
    assertRefused(await sendRaw(port, [request], 5_000), expected, base)
  })
}

// contract: `Content-Length`, `Date` ¦
test('HEAD has every header of GET, its length included, and no body', async () => {
  const { client, known, base, path } = await scene()
  for (const [target, headers] of [
    ['/', known],
    ['/vocab', known],
    ['/authors', known],
    [path, known],
    ['/nothing', known],
    ['/authors', {}],
  ] as const) {
    const get = await client.send('GET', target, headers)
    const answer = await client.send('HEAD', target, headers)
    assert.equal(answer.status, get.status)
    assertEveryHeader(answer, base)
    assert.equal(answer.headers['content-length'], String(Buffer.byteLength(get.body)))
    assert.deepEqual(answer.headerNames, get.headerNames)
    assert.equal(answer.body, '')
  }
})

test('HEAD sends nothing after its headers', async () => {
  const { port } = await shared()
  const socket = connect(port, '127.0.0.1')
  socket.write(head('HEAD /api/authors HTTP/1.1', HOST, 'Connection: close'))
  // Read as bytes: a body would be taken for the next response.
  const answer = await readToEnd(socket)
  assert.match(answer, /^HTTP\/1\.1 401 /)
  assert.equal(answer.indexOf('\r\n\r\n'), answer.length - 4)
})
