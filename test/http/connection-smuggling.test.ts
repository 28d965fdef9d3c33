import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '../../src/http/index.ts'
import { parseResponses } from '../support/raw.ts'
import { readByLlhttp } from './llhttp.ts'
import { open } from './opened.ts'

// RFC 9112 §11.2: a proxy in front of us and we must see the same requests in the same bytes. Whatever could be read in
// two ways is refused, once, and nothing that stands behind it is taken for a request.

const POISON = 'GET /poison HTTP/1.1\r\nHost: x\r\n\r\n'
const SIZE = POISON.length.toString(16)

/** A POST with these lines behind its Host. */
const post = (lines: string, body = ''): string => `POST / HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n${body}`
const chunked = (body: string): string => post('Transfer-Encoding: chunked', body)
const LAST_CHUNK = '0\r\n\r\n'

const TRANSFER_ENCODINGS = [
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunkedx',
  'Transfer-Encoding: Chunked',
  'Transfer-Encoding: "chunked"',
  "Transfer-Encoding: 'chunked'",
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: gzip',
  'Transfer-Encoding: chunked;q=1',
  'Transfer-Encoding: ,chunked',
  'Transfer-Encoding: chunked,',
  'Transfer-Encoding: chunked chunked',
  'Transfer-Encoding: chun ked',
  'Transfer-Encoding:',
  'Transfer-Encoding: \x0bchunked',
  'Transfer-Encoding: \x0cchunked',
  'Transfer-Encoding: \xa0chunked',
  'Transfer-Encoding: chunked\0',
  'Transfer-Encoding: \x00chunked',
  'Transfer-Encoding: chunked\x7f',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\ntransfer-encoding: x',
  'Transfer-Encoding:\r\n chunked',
  'Transfer-Encoding: x\r\n chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding\t: chunked',
  'Transfer-Encoding\0: chunked',
  ' Transfer-Encoding: chunked',
  '\tTransfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'X: y\r\n\rTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\n',
  'Transfer-Encoding',
  '"Transfer-Encoding": chunked',
  'Transfer-\x00Encoding: chunked',
  'Transfer-Éncoding: chunked',
]

const CONTENT_LENGTHS = [
  'Content-Length: 4\r\nContent-Length: 5',
  'Content-Length: 4\r\nContent-Length: 4',
  'Content-Length: 4\r\ncontent-length: 0',
  'Content-Length: 4, 4',
  'Content-Length: 4,5',
  'Content-Length: 4 4',
  'Content-Length: 4;',
  'Content-Length: +4',
  'Content-Length: -4',
  'Content-Length: 0x4',
  'Content-Length: 4.0',
  'Content-Length: 4e0',
  'Content-Length: 4_',
  'Content-Length: "4"',
  'Content-Length: \xb2',
  'Content-Length: 18446744073709551620',
  'Content-Length: 00000000000000000004',
  'Content-Length:',
  'Content-Length: x',
  'Content-Length: \x0b4',
  'Content-Length: 4\0',
  'Content-Length : 4',
  'Content-Length\t: 4',
  ' Content-Length: 4',
  'Content-Length:\r\n 4',
  'Content-Length: 4\r\n 5',
  'X: y\nContent-Length: 4',
  'X: y\rContent-Length: 4',
]

const CHUNKS = [
  '+4\r\nabcd\r\n',
  '-1\r\n',
  '0x4\r\nabcd\r\n',
  '4h\r\nabcd\r\n',
  ' 4\r\nabcd\r\n',
  '4 \r\nabcd\r\n',
  '4\t\r\nabcd\r\n',
  '4_0\r\n',
  '\r\n',
  '\r\n4\r\nabcd\r\n',
  '100000000\r\n',
  'fffffffffffffffff\r\n',
  '10000000000000004\r\nabcd\r\n',
  '000000004\r\nabcd\r\n',
  '4\nabcd\r\n',
  '4\rabcd\r\n',
  '4\r\r\nabcd\r\n',
  '4\r\nabcd\n',
  '4\r\nabcd\r',
  '4\r\nabcd',
  '4\r\nabcde\r\n',
  '4\r\nabc\r\n',
  '4;\r\nabcd\r\n',
  '4;\nabcd\r\n',
  '4;a\nb\r\nabcd\r\n',
  '4;a=\r\nabcd\r\n',
  '4;a="\n"\r\nabcd\r\n',
  '4;a="b\r\nabcd\r\n',
  '4 ;a\r\nabcd\r\n',
  '4; a\r\nabcd\r\n',
  '4\0\r\nabcd\r\n',
  '0\n\n',
  '0\r\n\n',
  '0\r\n\rX',
  '0\r\nX : y\r\n\r\n',
  '0\r\n X: y\r\n\r\n',
  '0\r\nX: y\r\n z\r\n\r\n',
  '0\r\nX: y\n\r\n',
  '0\r\nX\r\n\r\n',
  '0\r\nContent-Length: 5\r\n\r\n',
  '0\r\nTransfer-Encoding: chunked\r\n\r\n',
]

const HEADS = [
  'GET / HTTP/1.1\nHost: x\n\n',
  'GET / HTTP/1.1\r\nHost: x\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\rX: y\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n\n',
  'GET / HTTP/1.1\r\n Host: x\r\n\r\n',
  'GET / HTTP/1.1\r\nX: y\r\n z\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nX: y\r\n\tz\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nX\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nX\0: b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nX: a\x7fb\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x, y\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x/y\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x@y\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET http://x/ HTTP/1.1\r\n\r\n',
  'GET http://x/ HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'GET http://x\\@y/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET http:/x HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET x HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET x:80 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /\tb HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /\xe9 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET  / HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /  HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET\t/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1 \r\nHost: x\r\n\r\n',
  ' GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\r\nHost: x\r\n\r\n',
  'GET / http/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.10\r\nHost: x\r\n\r\n',
  'GET / HTTP/01.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1,1\r\nHost: x\r\n\r\n',
  'GET / HTTP/11\r\nHost: x\r\n\r\n',
  'GET /\r\nHost: x\r\n\r\n',
  'GET / \r\nHost: x\r\n\r\n',
  'get / HTTP/1.1\r\nHost: x\r\n\r\n',
  'G\0T / HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET\r\n/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n',
  '\n\nGET / HTTP/1.1\r\nHost: x\r\n\r\n',
  '\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n',
  '\xef\xbb\xbfGET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n',
  'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
]

const REFUSED: readonly string[] = [
  // TE.TE, and TE.CL and CL.TE where one of the two parties sees only one of the headers.
  ...TRANSFER_ENCODINGS.flatMap((line) => [
    post(line, LAST_CHUNK),
    post(`${line}\r\nContent-Length: 5`, LAST_CHUNK),
    post(`Content-Length: 5\r\n${line}`, LAST_CHUNK),
  ]),
  post('Transfer-Encoding: chunked\r\nContent-Length: 5', LAST_CHUNK),
  post('Content-Length: 5\r\nTransfer-Encoding: chunked', LAST_CHUNK),
  post('Content-Length: 0\r\nTransfer-Encoding: chunked', LAST_CHUNK),
  post(`Transfer-Encoding: chunked\r\nContent-Length: 4`, `${SIZE}\r\n`),
  ...CONTENT_LENGTHS.map((lines) => post(lines, 'abcd')),
  ...CHUNKS.map((body) => chunked(body)),
  ...CHUNKS.map((body) => chunked(`4\r\nabcd\r\n${body}`)),
  ...HEADS,
]

/** What the app has been asked for and given whole, and the statuses that come back, for bytes that come in these pieces. */
async function read(t: Parameters<typeof open>[0], pieces: readonly string[]) {
  const whole: string[] = []
  const app: App = async (request) => {
    const { method, target } = request
    try {
      const body = (await request.readBody()).toString('latin1')
      whole.push(body === '' ? `${method} ${target}` : `${method} ${target} ${body}`)
    } catch {
      // The layer has answered.
    }
    return { status: 200, shared: [], headers: [], body: '' }
  }
  const { client, toEnd, server } = await open(t, app)
  for (const piece of pieces) {
    client.write(piece, 'latin1')
    await new Promise(setImmediate)
  }
  client.end()
  const statuses = parseResponses(await toEnd()).map(({ status }) => status)
  server.destroy()
  return { whole, statuses }
}

test('What could be read in two ways is 400, once, and nothing behind it is taken for a request', async (t) => {
  for (const bytes of REFUSED) {
    const shown = JSON.stringify(bytes)
    assert.deepEqual(await read(t, [bytes + POISON]), { whole: [], statuses: [400] }, shown)
    assert.deepEqual(await read(t, [bytes, POISON]), { whole: [], statuses: [400] }, shown)
  }
})

test('A good request before it is answered, and nothing behind it', async (t) => {
  for (const bytes of REFUSED) {
    const found = await read(t, [POISON.replace('poison', 'good') + bytes + POISON])
    assert.deepEqual(found, { whole: ['GET /good'], statuses: [200, 400] }, JSON.stringify(bytes))
  }
})

/** What has one reading only, though it looks like a trick: what the app is given, and nothing else. */
const READ: readonly [bytes: string, whole: readonly string[]][] = [
  [post(`Content-Length: ${POISON.length}`, POISON), [`POST / ${POISON}`]],
  [post(`Content-Length: 004`, 'abcd') + POISON, ['POST / abcd', 'GET /poison']],
  [post(`Content-Length:\t4 \t`, 'abcd') + POISON, ['POST / abcd', 'GET /poison']],
  [chunked(`${SIZE}\r\n${POISON}\r\n${LAST_CHUNK}`), [`POST / ${POISON}`]],
  [
    chunked(`${SIZE.toUpperCase()};a="${'b'.repeat(99)}";c\r\n${POISON}\r\n000\r\n\r\n`),
    [`POST / ${POISON}`],
  ],
  [chunked(`0\r\nX: y\r\nHost: z\r\n\r\n${POISON}`), ['POST /', 'GET /poison']],
  // A length on a request that usually has none is its length.
  [`GET / HTTP/1.1\r\nHost: x\r\nContent-Length: ${POISON.length}\r\n\r\n${POISON}`, [`GET / ${POISON}`]],
  // Names that are not those headers, whatever CGI would make of them.
  [post('Content_Length: 4') + POISON, ['POST /', 'GET /poison']],
  [post('Transfer_Encoding: chunked') + POISON, ['POST /', 'GET /poison']],
  [post('X-Transfer-Encoding: chunked') + POISON, ['POST /', 'GET /poison']],
  [`\r\n${POISON}`, ['GET /poison']],
  // Its authority is ignored, and so is the Host.
  ['GET http://other:1/a?b HTTP/1.1\r\nHost: x\r\n\r\n', ['GET http://other:1/a?b']],
  ['OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', ['OPTIONS *']],
  // The last one on its connection, whatever stands behind it.
  [post('Connection: close') + POISON, ['POST /']],
  [post('Connection: x, CLOSE') + POISON, ['POST /']],
  [post('Connection: Upgrade\r\nUpgrade: h2c') + POISON, ['POST /']],
  [post('Proxy-Connection: close') + POISON, ['POST /']],
  [`POST / HTTP/1.0\r\n\r\n${POISON}`, ['POST /']],
  [
    `POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\nabcd${POISON}`,
    ['POST / abcd', 'GET /poison'],
  ],
]

test('What has one reading is read so, in one piece and byte by byte, and llhttp reads no more in it', async (t) => {
  for (const [bytes, whole] of READ) {
    const statuses = Array(whole.length).fill(200)
    assert.deepEqual(await read(t, [bytes]), { whole, statuses }, JSON.stringify(bytes))
    assert.deepEqual(await read(t, [...bytes]), { whole, statuses }, JSON.stringify(bytes))
    const { messages } = readByLlhttp([Buffer.from(bytes, 'latin1')])
    assert.deepEqual(
      messages
        .map(({ method, target, body }) => `${method} ${target}${body === '' ? '' : ` ${body}`}`)
        .slice(0, whole.length),
      whole,
    )
  }
})
