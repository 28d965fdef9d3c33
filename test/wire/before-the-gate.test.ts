import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { type Part, RESPONSE, sendRaw } from '../support/raw.ts'
import { serve, shareService } from '../support/service.ts'
import { assertClosedBy, assertRefused, statuses, testRefusals } from './every-response.ts'
import { GET, HOST, head, JSON_TYPE, POST } from './requests.ts'

const shared = shareService()

// authentication.md, Before the gate. A client library would tidy these up: all go over a raw socket.

const post = (who: string, ...lines: readonly string[]): string =>
  `${head(POST, HOST, JSON_TYPE, who, 'Content-Length: 14', ...lines)}{"name":"Ada"}`

testRefusals({
  400: [
    // contract: What is not well-formed HTTP/1.0 or 1.1
    // contract: All of these carry the headers above
    { name: 'What is no HTTP at all is 400', request: (who) => head('hello', HOST, who) },
    {
      name: 'A TLS handshake on the plain port is 400',
      request: () => '\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03',
    },
    // contract: What is not well-formed HTTP/1.0 or 1.1
    {
      name: 'A method that is not among those of Node.js 24 is 400',
      request: (who) => head('BREW /api HTTP/1.1', HOST, who),
    },
    ...['QUERY2', 'GETS', 'PRI', 'DESCRIBE', 'ANNOUNCE', 'PLAY', 'GET_PARAMETER', 'FLUSH'].map((method) => ({
      name: `${method}, which is not among those of Node.js 24, is 400`,
      request: (who: string) => head(`${method} /api HTTP/1.1`, HOST, who),
    })),
    ...[
      'ANNOUNCE /api RTSP/1.0',
      'GET /api/authors RTSP/1.0',
      'GET /api/authors RTSP/1.1',
      'GET  /api/authors  RTSP/1.0',
      '\r\n\r\nGET /api/authors RTSP/1.0',
      'OPTIONS * RTSP/1.0',
      'SOURCE /api/authors ICE/1.0',
      'SOURCE /api/authors ICE/1.1',
      'GET /api/authors HTTPS/1.1',
    ].map((line) => ({
      name: `Another protocol is 400, also where the parser knows it: ${JSON.stringify(line)}`,
      request: (who: string) => head(line, HOST, who),
    })),
    // contract: What is not well-formed HTTP/1.0 or 1.1
    {
      name: 'A POST of another protocol that the parser knows is 400',
      request: (who) => post(who).replace('HTTP/1.1', 'RTSP/1.0'),
    },
    { name: 'A method in lower case is 400', request: (who) => head('get /api/authors HTTP/1.1', HOST, who) },
    // contract: What is not well-formed HTTP/1.0 or 1.1
    {
      name: 'CONNECT with an authority is 400',
      request: (who) => head('CONNECT example.org:80 HTTP/1.1', HOST, who),
    },
    {
      name: 'CONNECT with a path is 400',
      request: (who) => head('CONNECT /api/authors HTTP/1.1', HOST, who),
    },
    // contract: What is not well-formed HTTP/1.0 or 1.1
    { name: 'HTTP/1.1 without a Host is 400', request: (who) => head(GET, who) },
    // contract: What is not well-formed HTTP/1.0 or 1.1
    { name: 'Two Hosts are 400, even when they agree', request: (who) => head(GET, HOST, HOST, who) },
    // contract: `node:http` answers some of them by itself
    {
      name: 'Two Hosts in HTTP/1.0 are 400',
      request: (who) => head('GET /api/authors HTTP/1.0', HOST, 'host: other', who),
    },
    {
      name: 'A Host that cannot be one is 400 (RFC 9112 §3.2)',
      request: (who) => head(GET, 'Host: a.example, b.example', who),
    },
    // contract: What is not well-formed HTTP/1.0 or 1.1
    { name: 'HTTP/0.9 without a version is 400', request: () => 'GET /api/authors\r\n\r\n' },
    { name: 'HTTP/0.9 by name is 400', request: (who) => head('GET /api/authors HTTP/0.9', HOST, who) },
    { name: 'HTTP/1.2 is 400', request: (who) => head('GET /api/authors HTTP/1.2', HOST, who) },
    // contract: What is not well-formed HTTP/1.0 or 1.1
    { name: 'HTTP/2.0 in text is 400', request: (who) => head('GET /api/authors HTTP/2.0', HOST, who) },
    { name: 'The preface of HTTP/2 is 400', request: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  ],
  417: [
    // contract: What is not well-formed HTTP/1.0 or 1.1
    { name: 'An unknown expectation is 417', request: (who) => head(GET, HOST, who, 'Expect: foo') },
    {
      name: 'An unknown expectation beside 100-continue is 417',
      request: (who) => post(who, 'Expect: foo, 100-continue'),
    },
    {
      name: 'Expect: 100-continue twice is 417',
      request: (who) => post(who, 'Expect: 100-continue', 'Expect: 100-continue'),
    },
    { name: 'An expectation without a value is 417', request: (who) => head(GET, HOST, who, 'Expect:') },
    // contract: `node:http` answers some of them by itself
    {
      name: 'An unknown expectation in HTTP/1.0 is 417',
      request: (who) => head('GET /api/authors HTTP/1.0', HOST, who, 'Expect: foo'),
    },
  ],
  431: [
    // contract: What is not well-formed HTTP/1.0 or 1.1
    {
      name: 'A header over 16 KiB is 431',
      request: (who) => head(GET, HOST, who, `X-Long: ${'x'.repeat(16 * 1024)}`),
    },
    {
      name: 'A target over 16 KiB is 431',
      request: (who) => head(`GET /api/${'x'.repeat(16 * 1024)} HTTP/1.1`, HOST, who),
    },
    // contract: What is not well-formed HTTP/1.0 or 1.1
    {
      name: 'Headers and target that are over 16 KiB only together are 431',
      request: (who) =>
        head(`GET /api/${'x'.repeat(8200)} HTTP/1.1`, HOST, who, `X-Long: ${'x'.repeat(8200)}`),
    },
    {
      name: 'Small headers that are over 16 KiB with what is between them are 431',
      request: (who) => head(GET, HOST, ...Array(1_900).fill('abcd: ef'), who),
    },
    {
      name: 'Over 2,000 headers with the token last are 431: none is dropped silently',
      request: (who) => head(GET, HOST, ...Array(3_000).fill('a:'), who),
    },
  ],
})

test('An address with letters that are not percent-encoded is 400 that says how to write them', async () => {
  const { port } = await shared()
  const exchange = await sendRaw(port, [head('GET /api/authors?größe=1 HTTP/1.1', HOST)], 5_000)
  assert.deepEqual(statuses(exchange), [400])
  assert.match(exchange.text, /%C3%B6/)
})

// What only looks like the first line of a request in another protocol stands in a body, or behind one.
const RTSP = 'GET /api/authors RTSP/1.0'
const PROTOCOLS: readonly {
  readonly name: string
  readonly parts: (who: string) => readonly Part[]
  readonly expected: readonly number[]
}[] = [
  {
    name: 'in one packet behind a good request',
    parts: (who) => [head(GET, HOST, who) + head(RTSP, HOST, who)],
    expected: [200, 400],
  },
  {
    name: 'in one packet behind a body',
    parts: (who) => [post(who) + head(RTSP, HOST, who)],
    expected: [201, 400],
  },
  {
    name: 'in the packet of the rest of a body',
    parts: (who) => [post(who).slice(0, -5), 20, post(who).slice(-5) + head(RTSP, HOST, who)],
    expected: [201, 400],
  },
  {
    name: 'behind a body in chunks that has been answered',
    parts: (who) => [
      `${head(POST, HOST, JSON_TYPE, who, 'Transfer-Encoding: chunked')}e\r\n{"name":"Ada"}\r\n0\r\n\r\n`,
      RESPONSE,
      head(RTSP, HOST, who),
    ],
    expected: [201, 400],
  },
  {
    name: 'in packets of one byte',
    parts: (who) => [
      head(GET, HOST, who),
      RESPONSE,
      ...[...RTSP].flatMap((byte) => [byte, 2]),
      `\r\n${HOST}\r\n\r\n`,
    ],
    expected: [200, 400],
  },
  {
    name: 'in a body, and a good request for the same behind it',
    parts: (who) => [
      `${head(POST, HOST, JSON_TYPE, who, `Content-Length: ${RTSP.length + 11}`)}{"name":"${RTSP}"}`,
      head(GET, HOST, who, 'Connection: close'),
    ],
    expected: [201, 200],
  },
  {
    name: 'in a header, and a good request for the same behind it',
    parts: (who) => [head(GET, HOST, who, `User-Agent: ${RTSP}`) + head(GET, HOST, who, 'Connection: close')],
    expected: [200, 200],
  },
]

for (const { name, parts, expected } of PROTOCOLS) {
  test(`What the first line of a request says is told by its place: ${name}`, async () => {
    const { client, port } = await shared()
    const exchange = await sendRaw(port, parts(`X-Authorization: ${await client.signIn()}`), 5_000)
    assert.deepEqual(statuses(exchange), expected)
  })
}

/** Longer than a busy machine stands still: a connection of which nothing is read in time gets no answer. */
const PATIENT = { headersMs: 700, requestMs: 1_000 }

const SLOW: readonly { name: string; request: readonly Part[]; expected: readonly number[] }[] = [
  // contract: `node:http` answers some of them by itself
  { name: 'A request line that does not end in time is 408', request: ['GET /api'], expected: [408] },
  // contract: What is not well-formed HTTP/1.0 or 1.1
  {
    name: 'Headers that come slowly, a few bytes at a time, are 408',
    request: [`${GET}\r\n${HOST}\r\n`, 60, 'X-A: 1\r\n', 60, 'X-B: 1\r\n', 60, 'X-C: 1\r\n'],
    expected: [408],
  },
  {
    name: 'Slow headers of a second request on a connection are 408',
    request: [head(GET, HOST), RESPONSE, GET],
    expected: [401, 408],
  },
]

for (const { name, request, expected } of SLOW) {
  test(name, async (t) => {
    const { base, port } = await serve(t, { limits: PATIENT })
    const exchange = await sendRaw(port, request, 5_000)
    assert.deepEqual(statuses(exchange), expected)
    assertClosedBy(exchange, 408, base)
  })
}

// contract: What is not well-formed HTTP/1.0 or 1.1
test('A body that comes slowly is 408, and nothing is added', async (t) => {
  const { client, base, port } = await serve(t, { limits: PATIENT })
  const token = await client.signIn()
  const who = `X-Authorization: ${token}`
  const parts = [head(POST, HOST, JSON_TYPE, who, 'Content-Length: 14'), 50, '{"na', 50, 'me"']
  assertRefused(await sendRaw(port, parts, 5_000), 408, base)
  const authors = await client.send('GET', '/authors', { 'X-Authorization': token })
  assert.equal(authors.json().totalItems, 0)
})

test('Headers just under 16 KiB are served', async () => {
  const { client } = await shared()
  const token = await client.signIn()
  const headers = { 'X-Authorization': token, 'X-Long': 'x'.repeat(16 * 1024 - 300) }
  assert.equal((await client.send('GET', '/authors', headers)).status, 200)
})

test('A client that resets the connection right after CONNECT does not end the process', async () => {
  const { client, port } = await shared()
  for (let count = 0; count < 20; count += 1) await resetAfter(port, head('CONNECT a:80 HTTP/1.1', HOST))
  assert.equal((await client.send('GET', '/authors')).status, 401)
})

function resetAfter(port: number, request: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).on('close', () => resolve())
    socket.write(request, () => socket.resetAndDestroy())
  })
}
