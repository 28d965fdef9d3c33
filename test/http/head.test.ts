import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Head, HeadReader } from '../../src/http/head.ts'
import { Problem } from '../../src/problem.ts'
import { readByLlhttp } from './llhttp.ts'
import { readByOurs } from './reading.ts'

const HOST = 'Host: x\r\n'
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const read = (text: string): Head => new HeadReader().read(bytes(text))?.head as Head

/** Every way in which llhttp takes what we refuse. Each row is a smuggling trick, or could be part of one. */
const ONLY_LLHTTP: readonly [why: string, request: string][] = [
  ['two empty lines before the request', `\r\n\r\nGET / HTTP/1.1\r\n${HOST}\r\n`],
  ['LF before the request', `\nGET / HTTP/1.1\r\n${HOST}\r\n`],
  ['CR before the request', `\rGET / HTTP/1.1\r\n${HOST}\r\n`],
  ['two spaces before the target', `GET  / HTTP/1.1\r\n${HOST}\r\n`],
  ['two spaces behind the target', `GET /  HTTP/1.1\r\n${HOST}\r\n`],
  ['a target that begins with an asterisk', `GET *x HTTP/1.1\r\n${HOST}\r\n`],
  ['an absolute address without a host', `GET http:/// HTTP/1.1\r\n${HOST}\r\n`],
  ['an absolute address with two @', `GET http://a@b@c/ HTTP/1.1\r\n${HOST}\r\n`],
  ['RTSP', `GET / RTSP/1.0\r\n${HOST}\r\n`],
  ['ICE', `SOURCE / ICE/1.0\r\n${HOST}\r\n`],
  ['HTTP/0.9', `GET / HTTP/0.9\r\n${HOST}\r\n`],
  ['HTTP/2.0', `GET / HTTP/2.0\r\n${HOST}\r\n`],
  ['a method of RTSP', `DESCRIBE / RTSP/1.0\r\n${HOST}\r\n`],
  ['CONNECT', `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
  ['two Hosts', `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`],
  ['a Host that is none', 'GET / HTTP/1.1\r\nHost: a, b\r\n\r\n'],
  ['an expectation that cannot be met', `GET / HTTP/1.1\r\n${HOST}Expect: x\r\n\r\n`],
  [
    'a Transfer-Encoding in another case',
    `GET / HTTP/1.1\r\n${HOST}Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n`,
  ],
  [
    'a Transfer-Encoding before chunked',
    `GET / HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a Transfer-Encoding of HTTP/1.0', 'GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  [
    'a chunk size of nine digits',
    `GET / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n000000000\r\n\r\n`,
  ],
  [
    'a chunk extension without its value',
    `GET / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0;a=\r\n\r\n`,
  ],
]

for (const [why, request] of ONLY_LLHTTP) {
  test(`llhttp alone accepts ${why}`, () => {
    assert.equal(readByLlhttp([bytes(request)]).isRefused, false)
    assert.deepEqual(readByOurs([bytes(request)]), { messages: [], isRefused: true })
  })
}

const REFUSED: readonly [request: string, code: string][] = [
  ['GET\r\n', 'MalformedRequest'],
  ['GET /\r\n', 'MalformedRequest'],
  ['get / HTTP/1.1', 'UnknownMethod'],
  ['GETS', 'UnknownMethod'],
  ['\x16\x03\x01', 'MalformedRequest'],
  ['GET / HTTP/1.1\n', 'MalformedRequest'],
  ['GET / HTTP/1.1\rX', 'MalformedRequest'],
  [`GET / HTTP/1.1\r\n${HOST}X\0`, 'MalformedRequest'],
  ['GET / HTTP/1.3\r\n', 'UnsupportedHttpVersion'],
  ['GET /\xf6 HTTP/1.1\r\n', 'InvalidTarget'],
  ['GET x HTTP/1.1\r\n', 'MalformedRequest'],
  [`GET / HTTP/1.1\r\n${HOST}X : y\r\n\r\n`, 'MalformedRequest'],
  [`GET / HTTP/1.1\r\n${HOST} X: y\r\n\r\n`, 'MalformedRequest'],
  [`GET / HTTP/1.1\r\n${HOST}: y\r\n\r\n`, 'MalformedRequest'],
  [`GET / HTTP/1.1\r\n${HOST}X: a\rb\r\n\r\n`, 'MalformedRequest'],
  [`GET / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 1\r\n\r\n`, 'MalformedRequest'],
  [`GET / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 'MalformedRequest'],
  [`GET / HTTP/1.1\r\n${HOST}Content-Length: 10000000000000000000\r\n\r\n`, 'MalformedRequest'],
  [`GET / HTTP/1.1\r\n${HOST}Expect: x\r\n\r\n`, 'UnmetExpectation'],
  [`GET / HTTP/1.1\r\n${HOST}${'a:\r\n'.repeat(2_000)}\r\n`, 'HeadersTooLong'],
  [`GET /${'x'.repeat(17_000)}`, 'HeadersTooLong'],
  [`GET /${'x'.repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`, 'HeadersTooLong'],
]

for (const [request, code] of REFUSED) {
  test(`refused as ${code}, whole and byte by byte: ${JSON.stringify(request.slice(0, 60))}`, () => {
    const isRight = (error: unknown) => error instanceof Problem && error.code === code
    assert.throws(() => new HeadReader().read(bytes(request)), isRight)
    const reader = new HeadReader()
    assert.throws(() => {
      for (const byte of bytes(request)) reader.read(Buffer.of(byte))
    }, isRight)
  })
}

test('a head of 16 KiB is read, and one byte more is refused, in whatever pieces it comes', () => {
  const line = `GET / HTTP/1.1\r\n${HOST}`
  const headOf = (size: number) => `${line}X: ${'x'.repeat(size + 2 - line.length - 5)}\r\n\r\n`
  for (const split of [1, 4_096, 20_000]) {
    const readIn = (size: number) => {
      const reader = new HeadReader()
      const all = bytes(headOf(size))
      let found: ReturnType<HeadReader['read']>
      for (let at = 0; at < all.length; at += split) found = reader.read(all.subarray(at, at + split))
      return found
    }
    assert.equal(readIn(16_384)?.head.method, 'GET')
    assert.throws(() => readIn(16_385), { code: 'HeadersTooLong' })
  }
})

test('where a head ends is told, in the packet that ends it', () => {
  const reader = new HeadReader()
  assert.equal(reader.read(bytes('\r')), undefined)
  assert.equal(reader.read(bytes(`\nGET / HTTP/1.1\r\n${HOST}\r`)), undefined)
  assert.equal(reader.hasBegun, true)
  assert.equal(reader.read(bytes('\nrest'))?.end, 1)
  assert.equal(reader.hasBegun, false)
  assert.equal(reader.read(bytes(`\r\nGET / HTTP/1.1\r\n${HOST}\r\nrest`))?.end, 29)
})

test('repeated headers are joined as node:http joins them', () => {
  const { headers, rawHeaders } = read(
    `GET / HTTP/1.1\r\n${HOST}X-A: 1\r\nx-a:  2 \t\r\nCookie: a\r\nCookie: b\r\nUser-Agent: c\r\nUser-Agent: d\r\n__proto__: e\r\n\r\n`,
  )
  assert.deepEqual(
    { ...headers },
    {
      host: 'x',
      'x-a': '1, 2',
      cookie: 'a; b',
      'user-agent': 'c',
      ['__proto__']: 'e',
    },
  )
  assert.deepEqual(rawHeaders.slice(2, 6), ['X-A', '1', 'x-a', '2'])
})

const CONNECTIONS: readonly [lines: string, keepsAlive: boolean][] = [
  ['GET / HTTP/1.1\r\nHost: x\r\n', true],
  ['GET / HTTP/1.1\r\nHost: x\r\nConnection: x, Close\r\n', false],
  ['GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n', true],
  ['GET / HTTP/1.1\r\nHost: x\r\nConnection: closed\r\n', true],
  ['GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n', false],
  ['GET / HTTP/1.1\r\nHost: x\r\nProxy-Connection: close\r\n', false],
  ['GET / HTTP/1.0\r\n', false],
  ['GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n', true],
  ['GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n', false],
  ['GET / HTTP/1.0\r\nConnection: x\r\n', false],
]

for (const [lines, keepsAlive] of CONNECTIONS) {
  test(`the connection ${keepsAlive ? 'stays open' : 'ends'}: ${JSON.stringify(lines)}`, () => {
    assert.equal(read(`${lines}\r\n`).keepsAlive, keepsAlive)
  })
}

test('what a head says of its body', () => {
  const length = (...lines: string[]) =>
    read(`POST / HTTP/1.1\r\n${HOST}${lines.join('\r\n')}\r\n\r\n`).length
  assert.equal(read(`POST / HTTP/1.1\r\n${HOST}\r\n`).length, 0)
  assert.equal(length('Content-Length: 007'), 7)
  assert.equal(length('Content-Length: 9999999999999999999'), 1e19)
  assert.equal(length('Transfer-Encoding: chunked'), 'chunked')
  const awaits = (version: string) =>
    read(`POST / HTTP/1.${version}\r\n${HOST}Expect: 100-Continue\r\n\r\n`).awaitsContinue
  assert.equal(awaits('1'), true)
  assert.equal(awaits('0'), false)
})

test('An unknown method is refused as one, however it is split, and is not repeated; what is no method is not well-formed', () => {
  const codeOf = (parts: readonly string[]): string => {
    const reader = new HeadReader()
    try {
      for (const part of parts) reader.read(Buffer.from(part, 'latin1'))
    } catch (error) {
      return (error as Problem).code
    }
    return 'no refusal'
  }
  const UNKNOWN = 'UnknownMethod'
  const MALFORMED = 'MalformedRequest'
  const SAID: readonly [method: string, expected: string][] = [
    ['FOO', UNKNOWN],
    ['get', UNKNOWN],
    ['Post', UNKNOWN],
    ['GETS', UNKNOWN],
    ['GE', UNKNOWN],
    ['X'.repeat(100), UNKNOWN],
    ['GE(T', MALFORMED],
    ['{}', MALFORMED],
    ['\x16\x03\x01', MALFORMED],
    ['', MALFORMED],
  ]
  for (const [method, expected] of SAID) {
    const text = `${method} / HTTP/1.1\r\n${HOST}\r\n`
    assert.equal(codeOf([text]), expected, method)
    for (let at = 1; at < text.length; at += 1) {
      const said = codeOf([text.slice(0, at), text.slice(at)])
      // The beginning may be that of a token.
      assert.ok(
        said === expected || (expected === MALFORMED && said === UNKNOWN),
        `${method} at ${at}: ${said}`,
      )
    }
  }
  assert.equal(codeOf(['FOO\r\n\r\n']), MALFORMED)
})
