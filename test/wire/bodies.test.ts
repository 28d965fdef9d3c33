import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Headers, stepB } from '../support/client.ts'
import { type Part, RESPONSE, sendRaw } from '../support/raw.ts'
import { serve } from '../support/service.ts'
import { assertError, statuses } from './every-response.ts'
import { AUTHOR, HOST, head, JSON_TYPE, linesOf, POST, signedIn } from './requests.ts'

// authentication.md, Before the gate: an early response ends the connection, and `100 Continue` is for the admitted.

const MIB = 1024 * 1024

const begin = async (t: TestContext) => signedIn(await serve(t, { limits: { lingerMs: 200 } }))

interface Early {
  readonly name: string
  /** `who`: the header line with the token. */
  readonly request: (who: string) => string
  readonly expected: number
}

const EARLY: readonly Early[] = [
  // contract: When a response is sent while a body is still coming
  {
    name: 'A body of 300 MiB behind an early 401 is cut off',
    request: () => head(POST, HOST, `Content-Length: ${300 * MIB}`),
    expected: 401,
  },
  // contract: When a response is sent while a body is still coming
  {
    name: 'A chunked body of 300 MiB behind an early 401 is cut off',
    request: () => `${head(POST, HOST, 'Transfer-Encoding: chunked')}${(300 * MIB).toString(16)}\r\n`,
    expected: 401,
  },
  {
    name: 'A body of 300 MiB behind an early 413 is cut off',
    request: (who) => head(POST, HOST, JSON_TYPE, who, `Content-Length: ${300 * MIB}`),
    expected: 413,
  },
  {
    name: 'A chunked body of 300 MiB is 413 once it is over the limit, and cut off',
    request: (who) =>
      `${head(POST, HOST, JSON_TYPE, who, 'Transfer-Encoding: chunked')}${(300 * MIB).toString(16)}\r\n`,
    expected: 413,
  },
  {
    name: 'A body of 300 MiB behind an early 404 is cut off',
    request: (who) => head('POST /api/nothing HTTP/1.1', HOST, who, `Content-Length: ${300 * MIB}`),
    expected: 404,
  },
  {
    name: 'A body of 300 MiB behind a refusal before the gate is cut off',
    request: (who) => head(POST, who, `Content-Length: ${300 * MIB}`),
    expected: 400,
  },
]

for (const { name, request, expected } of EARLY) {
  test(name, async (t) => {
    const { base, port, who, count } = await begin(t)
    const block = Buffer.alloc(64 * 1024, 0x20)
    const exchange = await sendRaw(port, [request(who), ...Array(4_800).fill(block)], 5_000)
    const [response, ...more] = exchange.responses
    assert.deepEqual(more, [])
    assert.ok(response)
    assertError(response, expected, base)
    assert.equal(response.headers.connection, 'close')
    assert.equal(exchange.closed, true)
    // What the server reads is 64 KiB, after the limit of 1 MiB at most; the rest is in the buffers of the sockets.
    assert.ok(exchange.sent < 16 * MIB, `${exchange.sent} bytes were taken`)
    assert.equal(await count(), 0)
  })
}

test('A client that sends no more of its body after an early response is disconnected', async (t) => {
  const { port } = await serve(t, { limits: { lingerMs: 50 } })
  const exchange = await sendRaw(port, [head(POST, HOST, 'Content-Length: 14')], 5_000)
  assert.deepEqual(statuses(exchange), [401])
  assert.equal(exchange.responses[0]?.headers.connection, 'close')
  assert.equal(exchange.closed, true)
})

test('A client that finishes a small body after an early response is not reset', async (t) => {
  const { port } = await serve(t)
  const exchange = await sendRaw(port, [head(POST, HOST, 'Content-Length: 14'), RESPONSE, AUTHOR], 5_000)
  assert.deepEqual(statuses(exchange), [401])
  assert.equal(exchange.closed, true)
})

test('A small body in the packet of its headers does not cost the connection', async (t) => {
  const { port, who, count } = await begin(t)
  const anonymous = head(POST, HOST, JSON_TYPE, 'Content-Length: 14') + AUTHOR
  const known = head(POST, HOST, JSON_TYPE, who, 'Content-Length: 14', 'Connection: close') + AUTHOR
  const exchange = await sendRaw(port, [anonymous, 50, anonymous, 50, known], 5_000)
  assert.deepEqual(statuses(exchange), [401, 401, 201])
  assert.deepEqual(
    exchange.responses.map(({ headers }) => headers.connection),
    [undefined, undefined, 'close'],
  )
  assert.equal(await count(), 1)
})

interface Sized {
  readonly name: string
  readonly bytes: number
  readonly token: boolean
  readonly expected: number
}

const SIZES: readonly Sized[] = [
  // contract: Limits: body 1 MiB
  { name: 'A body of exactly 1 MiB is taken', bytes: MIB, token: true, expected: 201 },
  // contract: Limits: body 1 MiB
  { name: 'A body over 1 MiB is 413 with a token', bytes: MIB + 1, token: true, expected: 413 },
  // contract: Rule 1: everything else is protected
  { name: 'A body over 1 MiB is 401 without a token', bytes: MIB + 1, token: false, expected: 401 },
]

for (const { name, bytes, token: known, expected } of SIZES) {
  test(name, async (t) => {
    const { client, token } = await begin(t)
    const headers = { 'Content-Type': 'application/json', ...(known ? token : {}) }
    const response = await client.send('POST', '/authors', headers, AUTHOR.padEnd(bytes))
    assert.equal(response.status, expected)
  })
}

interface Continue {
  readonly name: string
  readonly request: (who: string) => string
  readonly rest?: readonly Part[]
  readonly expected: readonly number[]
}

const EXPECT = 'Expect: 100-continue'

const CONTINUE: readonly Continue[] = [
  // contract: `100 Continue` is sent only after admission
  {
    name: 'A client without a token gets no 100 Continue before its 401',
    request: () => head(POST, HOST, JSON_TYPE, EXPECT, 'Content-Length: 14'),
    expected: [401],
  },
  // contract: `100 Continue` is sent only after admission
  {
    name: 'A client with a token gets 100 Continue, then 201',
    request: (who) => head(POST, HOST, JSON_TYPE, who, 'Connection: close', EXPECT, 'Content-Length: 14'),
    rest: [RESPONSE, AUTHOR],
    expected: [100, 201],
  },
  {
    name: 'A client that does not wait gets no 100 Continue (RFC 9110 §10.1.1)',
    request: (who) =>
      `${head(POST, HOST, JSON_TYPE, who, 'Connection: close', EXPECT, 'Content-Length: 14')}{`,
    rest: [100, AUTHOR.slice(1)],
    expected: [201],
  },
  {
    name: 'The expectation is met in any case of its letters',
    request: (who) =>
      head(POST, HOST, JSON_TYPE, who, 'Connection: close', 'Expect: 100-Continue', 'Content-Length: 14'),
    rest: [RESPONSE, AUTHOR],
    expected: [100, 201],
  },
  {
    name: 'A body that will not be read because of its type gets no 100 Continue before its 415',
    request: (who) => head(POST, HOST, 'Content-Type: text/plain', who, EXPECT, 'Content-Length: 14'),
    expected: [415],
  },
  {
    name: 'A body that will not be read because of its length gets no 100 Continue before its 413',
    request: (who) => head(POST, HOST, JSON_TYPE, who, EXPECT, `Content-Length: ${2 * MIB}`),
    expected: [413],
  },
  {
    name: 'In HTTP/1.0 the expectation is ignored (RFC 9110 §10.1.1)',
    request: (who) =>
      head('POST /api/authors HTTP/1.0', HOST, JSON_TYPE, who, EXPECT, 'Content-Length: 14') + AUTHOR,
    expected: [201],
  },
]

for (const { name, request, rest = [], expected } of CONTINUE) {
  test(name, async (t) => {
    const { port, who, count } = await begin(t)
    assert.deepEqual(statuses(await sendRaw(port, [request(who), ...rest], 5_000)), expected)
    assert.equal(await count(), expected.includes(201) ? 1 : 0)
  })
}

// contract: `100 Continue` is sent only after admission
test('Step B gets its token without a 100 Continue: its body is not wanted', async (t) => {
  const { client, port } = await serve(t, { limits: { lingerMs: 50 } })
  const lines = linesOf(stepB(await client.nonce()))
  const request = head(POST, HOST, JSON_TYPE, ...lines, EXPECT, 'Content-Length: 14')
  assert.deepEqual(statuses(await sendRaw(port, [request], 5_000)), [200])
})

const TYPES: readonly { name: string; headers: Headers; expected: number }[] = [
  { name: 'A body without a Content-Type is 415', headers: {}, expected: 415 },
  { name: 'A plain text body is 415', headers: { 'Content-Type': 'text/plain' }, expected: 415 },
  {
    name: 'A form is 415',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    expected: 415,
  },
  {
    name: 'A type that only begins like JSON is 415',
    headers: { 'Content-Type': 'application/jsonx' },
    expected: 415,
  },
  {
    name: 'JSON with a charset is taken',
    headers: { 'Content-Type': 'Application/JSON; charset=utf-8' },
    expected: 201,
  },
  {
    name: 'A body compressed with gzip is 415',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    expected: 415,
  },
  {
    name: 'A body compressed with br is 415',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'br' },
    expected: 415,
  },
  {
    name: 'A body compressed twice is 415',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'deflate, gzip' },
    expected: 415,
  },
  {
    name: 'A body that is said to be uncompressed, in any case, is taken',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'Identity' },
    expected: 201,
  },
]

for (const { name, headers, expected } of TYPES) {
  test(name, async (t) => {
    const { client, base, token, count } = await begin(t)
    assertError(await client.send('POST', '/authors', headers, AUTHOR), 401, base)
    const response = await client.send('POST', '/authors', { ...headers, ...token }, AUTHOR)
    assert.equal(response.status, expected, response.body)
    assert.equal(await count(), expected === 201 ? 1 : 0)
  })
}
