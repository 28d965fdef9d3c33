import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { stepB } from '../support/client.ts'
import { type Part, RESPONSE, sendRaw } from '../support/raw.ts'
import { serve, shareService } from '../support/service.ts'
import { assertClosedBy, statuses } from './every-response.ts'
import { CHUNKED, GET, HOST, head, linesOf, POST, signedIn } from './requests.ts'

// authentication.md, Before the gate: at most one response is sent per request, in the order of the requests, and a
// parser error after a response has begun only closes.

interface Sent {
  readonly token: string
  /** Headers of step B, whose answer takes a while. */
  readonly exchange: readonly string[]
}

interface Case {
  readonly name: string
  readonly request: (sent: Sent) => readonly Part[]
  readonly expected: readonly number[]
}

const MALFORMED_AFTER: readonly Case[] = [
  // contract: At most one response is sent per request
  {
    name: 'A good request is answered before the malformed one behind it',
    request: ({ token }) => [head(GET, HOST, token) + head('broken')],
    expected: [200, 400],
  },
  {
    name: 'A good request whose answer takes a while is answered before the malformed one behind it',
    request: ({ exchange }) => [head(GET, HOST, ...exchange) + head('broken'), 5, 'more', 5, 'and more'],
    expected: [200, 400],
  },
  {
    name: 'Several good requests are answered before the malformed one behind them',
    request: ({ exchange, token }) => [
      head(GET, HOST, ...exchange) + head(GET, HOST) + head(GET, HOST, token) + head('broken'),
    ],
    expected: [200, 401, 200, 400],
  },
  {
    name: 'A good request is answered before one behind it whose length is doubtful',
    request: ({ token }) => [head(GET, HOST, token) + head(POST, HOST, token, 'Content-Length: +4')],
    expected: [200, 400],
  },
  {
    name: 'A good request is answered before one without a Host behind it',
    request: ({ exchange, token }) => [head(GET, HOST, ...exchange) + head(GET, token)],
    expected: [200, 400],
  },
  {
    name: 'A good request is answered before the CONNECT behind it',
    request: ({ exchange }) => [head(GET, HOST, ...exchange) + head('CONNECT a:80 HTTP/1.1', HOST)],
    expected: [200, 400],
  },
  {
    name: 'A good request is answered before one behind it with a bad chunk',
    request: ({ exchange, token }) => [
      head(GET, HOST, ...exchange) + head('DELETE /api/session HTTP/1.1', HOST, token, CHUNKED),
      5,
      'xyz\r\n',
    ],
    expected: [200, 400],
  },
]

for (const { name, request, expected } of MALFORMED_AFTER) {
  test(name, async () => {
    const { service, sent } = await begin()
    const exchange = await sendRaw(service.port, request(sent), 5_000)
    assert.deepEqual(statuses(exchange), expected)
    assertClosedBy(exchange, 400, service.base)
  })
}

const ONE_ONLY: readonly Case[] = [
  {
    name: 'A request behind one with Connection: close gets no response',
    request: ({ token }) => [head(GET, HOST, token, 'Connection: close') + head(GET, HOST)],
    expected: [200],
  },
  {
    name: 'Malformed data behind a request with Connection: close gets no response',
    request: ({ exchange }) => [head(GET, HOST, ...exchange, 'Connection: close') + head('broken')],
    expected: [200],
  },
  // contract: At most one response is sent per request
  {
    name: 'A bad chunk after an early 401 only closes',
    request: () => [head(POST, HOST, CHUNKED), RESPONSE, '3\r\nabc\r\n', 10, 'xyz\r\n'],
    expected: [401],
  },
  {
    name: 'A bad chunk after an early 404 only closes',
    request: ({ token }) => [head('POST /api/nothing HTTP/1.1', HOST, token, CHUNKED), RESPONSE, 'xyz\r\n'],
    expected: [404],
  },
  {
    name: 'A bad chunk after 417 only closes',
    request: () => [head(POST, HOST, 'Expect: foo', CHUNKED), RESPONSE, 'xyz\r\n'],
    expected: [417],
  },
  {
    name: 'A bad chunk after an early 400 only closes',
    request: () => [head(POST, CHUNKED), RESPONSE, 'xyz\r\n'],
    expected: [400],
  },
  // contract: At most one response is sent per request
  {
    name: 'Malformed data that goes on and on is answered once',
    request: () => [head('broken'), 5, head('broken'), 5, 'x'.repeat(200_000), 5, head(GET, HOST)],
    expected: [400],
  },
  {
    name: 'What comes behind a request to upgrade is not taken for a request',
    request: () => [
      `${head(POST, HOST, 'Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 3')}abc${head(GET, HOST)}`,
      5,
      head(GET, HOST),
    ],
    expected: [401],
  },
]

for (const { name, request, expected } of ONE_ONLY) {
  test(name, async () => {
    const { service, sent } = await begin()
    const exchange = await sendRaw(service.port, request(sent), 5_000)
    assert.deepEqual(statuses(exchange), expected)
    assert.equal(exchange.responses[0]?.headers.connection, 'close')
    assert.equal(exchange.closed, true)
  })
}

// RFC 9112 §9.6: a server that sends close must not process further requests received on that connection.
const NOT_CARRIED_OUT: readonly { name: string; first: readonly Part[]; expected: readonly number[] }[] = [
  { name: 'A DELETE behind a refused request is not carried out', first: [head(GET)], expected: [400] },
  {
    name: 'A DELETE behind a refused request that had to wait is not carried out',
    first: [head(GET, HOST) + head(GET)],
    expected: [401, 400],
  },
  {
    name: 'A DELETE behind an unmet expectation is not carried out',
    first: [head(GET, HOST, 'Expect: foo')],
    expected: [417],
  },
  {
    name: 'A DELETE behind the rest of a body that was answered early is not carried out',
    first: [head(POST, HOST, 'Content-Length: 3'), RESPONSE, 'abc'],
    expected: [401],
  },
]

for (const { name, first, expected } of NOT_CARRIED_OUT) {
  test(name, async () => {
    const { service, sent, token } = await begin()
    const added = await service.client.send('POST', '/authors', { ...token, ...JSON_TYPE }, '{"name":"Ada"}')
    const path = new URL(String(added.headers.location)).pathname
    const remove = head(`DELETE ${path} HTTP/1.1`, HOST, sent.token)
    // In one packet with what is before it: that is when a parser goes on to the next request.
    const exchange = await sendRaw(
      service.port,
      [...first.slice(0, -1), String(first.at(-1)) + remove, 5, remove],
      5_000,
    )
    assert.deepEqual(statuses(exchange), expected)
    assert.equal(exchange.responses.at(-1)?.headers.connection, 'close')
    const { status } = await service.client.send('GET', path.replace('/api', ''), token)
    assert.equal(status, 200)
  })
}

test('Requests that are sent together are answered in their order', async () => {
  const { service, sent } = await begin()
  const requests =
    head(GET, HOST, ...sent.exchange) +
    `${head(POST, HOST, sent.token, 'Content-Type: application/json', 'Content-Length: 14')}{"name":"Ada"}` +
    head('GET /api/nothing HTTP/1.1', HOST, sent.token) +
    head(GET, HOST, 'Connection: close')
  assert.deepEqual(statuses(await sendRaw(service.port, [requests], 5_000)), [200, 201, 404, 401])
})

// RFC 9112 §9.3.2: only safe requests may be carried out side by side.
test('A request sees what the one before it on its connection has done', async () => {
  const { service, sent, token } = await begin()
  const session = 'GET /api/session HTTP/1.1'
  const { totalItems } = (await service.client.send('GET', '/authors', token)).json()
  const requests =
    `${head(POST, HOST, sent.token, 'Content-Type: application/json', 'Content-Length: 14')}{"name":"Ada"}` +
    head(GET, HOST, sent.token) +
    head('DELETE /api/session HTTP/1.1', HOST, sent.token) +
    head(session, HOST, sent.token, 'Connection: close')
  const exchange = await sendRaw(service.port, [requests], 5_000)
  assert.deepEqual(statuses(exchange), [201, 200, 204, 401])
  assert.equal(JSON.parse(exchange.responses[1]?.body ?? '').totalItems, Number(totalItems) + 1)
})

test('Many requests in one packet and in many are all answered', async () => {
  const { service, sent } = await begin()
  const many = (head(GET, HOST) + head(GET, HOST, sent.token)).repeat(200)
  const last = head(GET, HOST, ...sent.exchange, 'Connection: close')
  const split = [many.slice(0, 10_001), 5, many.slice(10_001, 20_002), 5, many.slice(20_002)]
  const exchange = await sendRaw(service.port, [many, ...split, last], 5_000)
  assert.deepEqual(statuses(exchange), [...Array(400).fill([401, 200]).flat(), 200])
})

const JSON_TYPE = { 'Content-Type': 'application/json' }

const shared = shareService()

async function begin() {
  const service = await signedIn(await shared())
  const { token, who } = service
  return { service, token, sent: { token: who, exchange: linesOf(stepB(await service.client.nonce())) } }
}

test('What is pipelined is read no faster than it is answered', async (t) => {
  const { port } = await serve(t)
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.after(() => socket.destroy())
  const requests = head(GET, HOST).repeat(1_000)
  let taken = 0
  const send = () =>
    socket.write(requests, (error) => {
      if (error) return
      taken += requests.length
      send()
    })
  send()
  let answered = 0
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      answered += chunk.toString('latin1').split('HTTP/1.1 401 ').length - 1
      if (answered >= 5_000) resolve()
    })
  })
  // The system keeps a few megabytes in between.
  assert.ok(taken < 16 * 1024 * 1024, `${taken} bytes were taken for ${answered} answers`)
})
