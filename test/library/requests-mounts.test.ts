import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect as connectSocket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { serve } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { HttpError, type Hydrant } from '../../src/library/index.ts'
import { openShop, type Shop } from './shop.ts'

/** Another path than the usual one, of two steps. */
const MOUNT = '/shop/v1'
const isApi = (path: string): boolean => path === MOUNT || path.startsWith(`${MOUNT}/`)

type Listening = Pick<Server, 'close' | 'address'> & { closeAllConnections?(): void }

/** Each way to serve Hydrant over HTTP/1.1 besides routes of one's own; the examples of docs/library.md are shorter. */
const MOUNTS: Readonly<Record<string, (hydrant: Hydrant) => Promise<Listening>>> = {
  'node:http': async ({ listener }) =>
    listening(
      createServer((request, response) => {
        if (isApi(new URL(request.url ?? '', 'http://x').pathname)) listener(request, response)
        else response.end('hello')
      }),
    ),
  async Express({ listener }) {
    const app = express().use(MOUNT, listener).use(express.json())
    app.get('/hello', (_, response) => void response.send('hello'))
    return listening(createServer(app))
  },
  async Fastify({ listener }) {
    const fastify = Fastify()
    fastify.get('/hello', () => 'hello')
    fastify.register(async (api) => {
      api.addHook('onRequest', async (request, reply) => {
        reply.hijack()
        listener(request.raw, reply.raw)
      })
      for (const path of [MOUNT, `${MOUNT}/*`]) api.all(path, () => {})
    })
    await fastify.listen({ host: '127.0.0.1', port: 0 })
    return fastify.server
  },
  async Koa({ listener }) {
    const app = new Koa()
    app.use(async (context, next) => {
      if (!isApi(context.path)) return next()
      context.respond = false
      listener(context.req, context.res)
    })
    app.use((context) => {
      context.body = 'hello'
    })
    return listening(createServer(app.callback()))
  },
  async Hono({ handle }) {
    const app = new Hono().get('/hello', (c) => c.text('hello'))
    for (const path of [MOUNT, `${MOUNT}/*`])
      app.all(path, (c) => handle(c.req.raw, { address: '127.0.0.1' }))
    return listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server)
  },
}

async function listening(server: Server): Promise<Server> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

const BASE_URL = `http://localhost${MOUNT}`

async function mounted(t: TestContext, hydrant: Shop, name: string): Promise<{ url: string; port: number }> {
  const server = await MOUNTS[name]?.(hydrant)
  assert.ok(server)
  t.after(() => {
    server.close()
    server.closeAllConnections?.()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port }
}

const POST = { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json' } }

for (const name of Object.keys(MOUNTS)) {
  test(`a service on ${name} mounts Hydrant: bodies, HEAD, errors, streams and the base path`, async (t) => {
    const hydrant = await openShop(t, { baseUrl: BASE_URL })
    const { url } = await mounted(t, hydrant, name)
    const api = url + MOUNT
    assert.equal(await (await fetch(`${url}/hello`)).text(), 'hello')

    const made = await fetch(`${api}/orders`, { ...POST, body: '{"customer":"Ann"}' })
    assert.equal(made.status, 201)
    const location = made.headers.get('location') ?? ''
    assert.match(location, /^http:\/\/localhost\/shop\/v1\/orders\/[-0-9a-f]+$/)
    const member = url + new URL(location).pathname
    const read = await fetch(member)
    const head = await fetch(member, { method: 'HEAD' })
    assert.deepEqual([read.status, head.status], [200, 200])
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(await read.text())))
    assert.equal(head.headers.get('etag'), read.headers.get('etag'))
    for (const entry of ['', '/', '?x=1']) assert.notEqual((await fetch(api + entry)).status, 404, entry)

    const wrong: readonly [number, string, RequestInit][] = [
      [404, `${api}/nothing`, {}],
      [405, `${api}/orders`, { method: 'DELETE' }],
      [400, `${api}/orders`, { ...POST, body: '{' }],
      [415, `${api}/orders`, { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }],
      [413, `${api}/orders`, { ...POST, body: `"${'x'.repeat(1_100_000)}"` }],
      [404, `${api}/orders/${'9'.repeat(300)}`, {}],
    ]
    for (const [status, address, init] of wrong) {
      // The server of Hono closes a connection whose body is not read to its end, and the response may be lost.
      if (name === 'Hono' && status === 413) continue
      const response = await fetch(address, init)
      assert.equal(response.status, status, `${init.method} ${address}`)
      assert.match(await response.text(), new RegExp(`"${status}"|"status":${status}`))
    }

    const abort = new AbortController()
    const events = await fetch(`${api}/events`, {
      headers: { accept: 'text/event-stream' },
      signal: abort.signal,
    })
    const parts = (events.body as ReadableStream<Uint8Array>).values()
    const next = async () => Buffer.from((await parts.next()).value ?? '').toString()
    assert.match(await next(), /^event: start/)
    await hydrant.members('notes').add({ text: 'news' })
    assert.match(await next(), /notes/)
    abort.abort()
  })
}

const headers = (...list: unknown[]) => ({ headers: list as string[] })
const cyclic = new HttpError(200, 'around.')
Object.assign(cyclic, { cause: cyclic, self: cyclic })

/** What a program may throw by mistake, and HTTP cannot carry. */
const UNSENDABLE: Readonly<Record<string, unknown>> = {
  'a line break in a value': new HttpError(409, 'no', headers('X-Secret', 'a\r\nX-Injected: yes')),
  'a line break in a name': new HttpError(409, 'no', headers('X-Secret\r\nX-Injected', 'yes')),
  'a space in a name': new HttpError(409, 'no', headers('X Secret', 'yes')),
  'an empty name': new HttpError(409, 'no', headers('', 'x-secret')),
  'a pseudo-header': new HttpError(409, 'no', headers(':status', '200')),
  'a value that is not ASCII': new HttpError(409, 'no', headers('X-Secret', 'schön')),
  'a value that is a number': new HttpError(409, 'no', headers('X-Secret', 5)),
  'a name without a value': new HttpError(409, 'no', headers('X-Secret')),
  'headers as an object': new HttpError(409, 'no', { headers: { 'X-Secret': 'yes' } as never }),
  'a length of its own': new HttpError(409, 'no', headers('Content-Length', '0')),
  'a transfer coding': new HttpError(409, 'no', headers('Transfer-Encoding', 'chunked')),
  'a connection header': new HttpError(409, 'no', headers('connection', 'x-secret')),
  'a status out of range': new HttpError(200, 'x-secret'),
  'a status with a fraction': new HttpError(409.5, 'x-secret'),
  'a cause that causes itself': cyclic,
  'violations without a path': new HttpError(422, 'no', { violations: [{ message: 'x-secret' } as never] }),
  'an error of another copy': Object.assign(new Error('x-secret'), {
    name: 'HttpError',
    status: 409,
    headers: ['X-Secret', 'a\nb'],
  }),
}

/** A shop whose hooks and operations throw this. */
const throwing = (t: TestContext, thrown: () => unknown, more = {}): Promise<Shop> => {
  const fail = (): never => {
    throw thrown()
  }
  return openShop(t, {
    baseUrl: BASE_URL,
    hooks: { Order: { beforeWrite: fail }, Note: { beforeDelete: fail } },
    operations: { Note: { send: { handle: async () => fail() } } },
    ...more,
  })
}

/** The whole answer to a request, as it is on the wire. */
async function onTheWire(port: number, path: string, body: string): Promise<string> {
  const socket = connectSocket(port, '127.0.0.1')
  const head = `POST ${MOUNT}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}`
  socket.end(`${head}\r\nContent-Type: application/json\r\n\r\n${body}`)
  let text = ''
  for await (const part of socket.setEncoding('latin1')) text += part
  return text
}

function assertFault(answer: string, { logged }: Shop, why: string): void {
  assert.match(answer, /^HTTP\/1\.1 500 /, why)
  assert.doesNotMatch(answer, /x-secret|x-injected|around/i, why)
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(answer)?.[0]
  assert.ok(id, why)
  assert.match(logged.at(-1) ?? '', /^error a request failed .*TypeError: An HttpError must /, why)
}

for (const name of [...Object.keys(MOUNTS), 'a port of its own']) {
  test(`what HTTP cannot carry is 500 with an id, and nothing of it is on the wire: ${name}`, async (t) => {
    let thrown: unknown
    const ownPort = name.startsWith('a port')
    const hydrant = await throwing(t, () => thrown, ownPort ? { port: 0, consolePort: 'off' } : {})
    const { port = 0 } = ownPort ? hydrant : await mounted(t, hydrant, name)
    for (const [why, error] of Object.entries(UNSENDABLE)) {
      thrown = error
      assertFault(await onTheWire(port, '/orders', '{}'), hydrant, why)
    }
    const note = await hydrant.members('notes').add({ text: 'a' })
    assertFault(
      await onTheWire(port, `/notes/${String(note['@id']).split('/').at(-1)}/send`, ''),
      hydrant,
      'send',
    )
    thrown = new HttpError(409, 'Not now.', headers('Retry-After', '5', 'X-Two', 'a, b'))
    const right = await onTheWire(port, '/orders', '{}')
    assert.match(right, /^HTTP\/1\.1 409 [\s\S]*\r\nretry-after: 5\r\n[\s\S]*x-two: a, b\r\n/i)
    assert.deepEqual((await hydrant.ask('GET', 'orders'))[1].totalItems, 0)
  })
}

test('what HTTP cannot carry is 500 over node:http2 and in batches, and an error to the program itself', async (t) => {
  let thrown: unknown
  const hydrant = await throwing(t, () => thrown)
  const server = createHttp2Server(hydrant.listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  t.after(() => {
    session.destroy()
    server.close()
  })
  const note = await hydrant.members('notes').add({ text: 'a' })
  for (const [why, error] of Object.entries(UNSENDABLE)) {
    thrown = error
    const stream = session.request({
      ':path': `${MOUNT}/orders`,
      ':method': 'POST',
      'content-type': 'application/json',
    })
    stream.end('{}')
    const [head] = await once(stream, 'response')
    const body = (await stream.setEncoding('utf8').toArray()).join('')
    const shown = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
    assertFault([`HTTP/1.1 ${head[':status']} `, ...shown, body].join('\n'), hydrant, why)

    for (const mode of ['strict', 'lenient']) {
      const operation = [{ method: 'POST', target: 'orders', body: {} }]
      const prefer = mode === 'lenient' ? { prefer: 'handling=lenient' } : undefined
      const [status, answer] = await hydrant.ask('POST', 'batch', { operation }, prefer)
      assert.equal(status, mode === 'lenient' ? 200 : 500, why)
      assertFault(`HTTP/1.1 500 ${JSON.stringify(answer)}`, hydrant, `${mode}: ${why}`)
    }
    await assert.rejects(hydrant.members('orders').add({}), { name: 'TypeError' }, why)
    await assert.rejects(hydrant.members('notes').remove(String(note['@id'])), { name: 'TypeError' }, why)
  }
})
