import assert from 'node:assert/strict'
import { once } from 'node:events'
import { METHODS as ALL_METHODS } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { tlsFlags } from '../cli/certificate.ts'
import { stepB } from '../support/client.ts'
import { newDatabase } from '../support/databases.ts'
import { parseResponses, readToEnd } from '../support/raw.ts'
import { serve } from '../support/service.ts'
import { assertError } from './every-response.ts'
import { AUTHOR, CHUNKED, GET, HOST, head, JSON_TYPE, linesOf, POST } from './requests.ts'

// RFC 9112 §9.6: a client that has sent what it has to say, and then FIN, still waits for the answers.

const LENGTH = 'Content-Length: 14'
const CHUNKS = '5\r\n{"nam\r\n9\r\ne":"Ada"}\r\n0\r\n\r\n'

const WAYS: readonly { readonly way: string; readonly tls?: ConnectionOptions }[] = [
  { way: 'without TLS' },
  { way: 'by TLS 1.2', tls: { maxVersion: 'TLSv1.2' } },
  { way: 'by TLS 1.3', tls: { minVersion: 'TLSv1.3' } },
]

/** Of each method on a collection, with a token; every other one is not possible there. */
const STATUSES: Readonly<Record<string, number>> = { GET: 200, HEAD: 200, POST: 201, OPTIONS: 204 }
const METHODS = ALL_METHODS.filter((method) => method !== 'CONNECT')
/** For TLS, which knows nothing of them. */
const SOME_METHODS = [...Object.keys(STATUSES), 'PUT', 'PROPFIND']

const CASES: readonly {
  readonly name: string
  readonly request: (token: string, exchange: readonly string[]) => string
  readonly expected: readonly number[]
  readonly added: number
}[] = [
  {
    name: 'A body in chunks and then FIN is answered',
    request: (token) => head(POST, HOST, token, JSON_TYPE, CHUNKED) + CHUNKS,
    expected: [201],
    added: 1,
  },
  {
    name: 'An exchange and then FIN is answered',
    request: (_, exchange) => head('GET /api HTTP/1.1', HOST, ...exchange),
    expected: [200],
    added: 0,
  },
  {
    name: 'Several requests and then FIN are all answered, in their order',
    request: (token, exchange) =>
      head('GET /api HTTP/1.1', HOST, ...exchange) +
      `${head(POST, HOST, token, JSON_TYPE, LENGTH)}${AUTHOR}` +
      head(GET, HOST) +
      head(POST, HOST, token, JSON_TYPE, CHUNKED) +
      CHUNKS +
      head('GET /api/nothing HTTP/1.1', HOST, token),
    expected: [200, 201, 401, 201, 404],
    added: 2,
  },
  {
    name: 'Fifty requests and then FIN are all answered',
    request: (token) => head(GET, HOST, token).repeat(50),
    expected: Array(50).fill(200),
    added: 0,
  },
  {
    name: 'FIN and nothing before it ends the connection',
    request: () => '',
    expected: [],
    added: 0,
  },
  {
    name: 'FIN within the headers has no effect',
    request: (token) => `${POST}\r\n${HOST}\r\n${token}\r\n${LENGTH}\r\n`,
    expected: [400],
    added: 0,
  },
  {
    name: 'FIN within a body of known length has no effect',
    request: (token) => head(POST, HOST, token, JSON_TYPE, 'Content-Length: 15') + AUTHOR,
    expected: [400],
    added: 0,
  },
  {
    name: 'FIN before the last chunk of a body has no effect',
    request: (token) => head(POST, HOST, token, JSON_TYPE, CHUNKED) + CHUNKS.slice(0, -5),
    expected: [400],
    added: 0,
  },
  {
    name: 'FIN within the last chunk of a body has no effect',
    request: (token) => head(POST, HOST, token, JSON_TYPE, CHUNKED) + CHUNKS.slice(0, -2),
    expected: [400],
    added: 0,
  },
  {
    name: 'FIN within the second of two requests has the effect of the first',
    request: (token) =>
      `${head(POST, HOST, token, JSON_TYPE, LENGTH)}${AUTHOR}` +
      `${head(POST, HOST, token, JSON_TYPE, LENGTH)}${AUTHOR.slice(1)}`,
    expected: [201, 400],
    added: 1,
  },
]

for (const { way, tls } of WAYS) {
  test(`Who sends FIN ${way} still gets the answers`, async (t) => {
    const { say, token, authors, nonce, base } = await begin(t, tls)
    for (const version of ['HTTP/1.1', 'HTTP/1.0']) {
      await t.test(`A request in ${version} and then FIN is answered, whatever its method`, async () => {
        for (const method of tls === undefined ? METHODS : SOME_METHODS) {
          const request = head(`${method} /api/authors ${version}`, HOST, token, JSON_TYPE, LENGTH) + AUTHOR
          const [response, ...more] = parseResponses(await say(request), method === 'HEAD')
          assert.equal(response?.status, STATUSES[method] ?? 405, method)
          assert.deepEqual(more, [])
        }
        const [author] = await authors()
        const member = new URL(author as string).pathname
        for (const [method, body, status] of [
          ['PUT', '{"name":"Eve"}', 200],
          ['PATCH', '{"name":"Ida"}', 200],
          ['GET', '', 200],
          ['DELETE', '', 204],
          ['GET', '', 404],
        ] as const) {
          const type = method === 'PATCH' ? 'Content-Type: application/merge-patch+json' : JSON_TYPE
          const lines = body === '' ? [] : [type, LENGTH]
          const request = head(`${method} ${member} ${version}`, HOST, token, ...lines) + body
          assert.equal(parseResponses(await say(request))[0]?.status, status, method)
        }
      })
    }
    for (const { name, request, expected, added } of CASES) {
      await t.test(name, async () => {
        const before = (await authors()).length
        const exchange = linesOf(stepB(await nonce()))
        const answered = parseResponses(await say(request(token, exchange)))
        assert.deepEqual(
          answered.map(({ status }) => status),
          expected,
        )
        const last = answered.at(-1)
        if (last?.status === 400) {
          assertError(last, 400, base)
          assert.equal(last.headers.connection, 'close')
        }
        assert.equal((await authors()).length, before + added)
      })
    }
  })
}

async function begin(t: TestContext, tls: ConnectionOptions | undefined) {
  const { client, db, ...plain } = await serve(t, tls === undefined ? {} : { db: newDatabase(t) })
  const { base, port } = tls === undefined ? plain : await serve(t, { db, flags: await tlsFlags(t) })
  const token = await client.signIn()
  return {
    base,
    nonce: client.nonce,
    token: `X-Authorization: ${token}`,
    /** Sends it, then FIN, and reads to the end of the connection. */
    say: (text: string) => converse(port, text, tls),
    authors: async () => {
      const { json } = await client.send('GET', '/authors', { 'X-Authorization': token })
      return (json().member as { '@id': string }[]).map((member) => member['@id'])
    },
  }
}

async function converse(port: number, text: string, tls: ConnectionOptions | undefined): Promise<string> {
  const address = { port, host: '127.0.0.1', allowHalfOpen: true }
  const socket: Socket =
    tls === undefined ? connect(address) : connectTls({ ...address, ...tls, rejectUnauthorized: false })
  await once(socket, tls === undefined ? 'connect' : 'secureConnect')
  socket.end(text)
  return readToEnd(socket)
}
