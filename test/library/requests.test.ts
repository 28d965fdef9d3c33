import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type ClientHttp2Session, connect, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import express from 'express'
import { openShop, PARAPHRASE, type Shop, until, withUsers } from './shop.ts'

interface Http2Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

async function openHttp2(t: TestContext, listener: Shop['listener']): Promise<ClientHttp2Session> {
  const server = createHttp2Server(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  t.after(() => {
    session.destroy()
    server.close()
  })
  return session
}

async function ask(
  session: ClientHttp2Session,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Http2Answer> {
  const method = body === undefined ? 'GET' : 'POST'
  const stream = session.request(
    { ':path': path, ':method': method, ...headers },
    { endStream: body === undefined },
  )
  if (body !== undefined) stream.end(body)
  const [answered] = await once(stream, 'response')
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return { status: answered[':status'], headers: answered, body: Buffer.concat(parts).toString() }
}

const JSON_TYPE = { 'content-type': 'application/json' }

test('the listener fits node:http2: all three steps, bodies, repeated headers and streams', async (t) => {
  const hydrant = await openShop(t, { db: await withUsers(t), auth: true })
  const session = await openHttp2(t, hydrant.listener)
  const challenged = await ask(session, '/api/orders', {}, 'x'.repeat(300_000))
  assert.deepEqual([challenged.status, challenged.body], [401, '{"401": "Need credentials to authenticate"}'])
  const exchange = {
    authorization: `Basic ${btoa(`1:${PARAPHRASE}`)}`,
    'x-authentication': String(challenged.headers['x-authentication']),
  }
  const exchanged = await ask(session, '/api/orders', exchange, '{}')
  assert.equal(exchanged.status, 200)
  const token = { 'x-authorization': String(exchanged.headers['x-authorization']) }

  const made = await ask(session, '/api/orders', { ...token, ...JSON_TYPE }, '{"customer":"Ann"}')
  assert.equal(made.status, 201)
  assert.equal(JSON.parse(made.body).customer, 'Ann')
  const path = new URL(String(made.headers.location)).pathname
  const read = await ask(session, path, { ...token, accept: 'application/json' })
  assert.equal(read.status, 200)
  assert.equal(String(read.headers.link).split('rel=').length, 3, 'documentation and context')
  assert.equal(read.headers.connection, undefined)
  const long = await ask(session, '/api/orders', { ...token, ...JSON_TYPE }, `"${'x'.repeat(1_100_000)}"`)
  assert.equal(long.status, 413)

  const stream = session.request({ ':path': '/api/events', ...token, accept: 'text/event-stream' })
  const parts = stream.setEncoding('utf8').iterator()
  assert.match((await parts.next()).value, /^event: start/)
  await hydrant.members('notes').add({ text: 'news' })
  assert.match((await parts.next()).value, /notes/)
  stream.destroy()
})

test('a body that something else has read is named as such, by the listener and by handle', async (t) => {
  const hydrant = await openShop(t)
  const server = createServer(express().use(express.json()).use('/api', hydrant.listener)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  t.after(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/orders`
  const post = { method: 'POST', headers: JSON_TYPE, body: '{"customer":"Ann"}' }
  const told = await fetch(url, post)
  assert.deepEqual([told.status, /in front of what reads bodies/.test(await told.text())], [500, true])
  assert.equal((await fetch(url)).status, 200, 'a request without a body')

  const used = new Request(`${hydrant.base}/orders`, post)
  await used.text()
  const web = await hydrant.handle(used)
  assert.deepEqual([web.status, /in front of what reads bodies/.test(await web.text())], [500, true])
})

test('handle heeds the signal of its request: before it, while a body is missing, and during a stream', async (t) => {
  const hydrant = await openShop(t)
  const url = `${hydrant.base}/orders`
  const reason = new Error('gone')
  const early = hydrant.handle(new Request(url, { signal: AbortSignal.abort(reason) }))
  await assert.rejects(early, reason)

  const slow = new AbortController()
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('{')),
    cancel: () => {
      cancelled = true
    },
  })
  const init = { method: 'POST', headers: JSON_TYPE, body, signal: slow.signal, duplex: 'half' as const }
  const waiting = hydrant.handle(new Request(url, init))
  await wait(20)
  slow.abort(reason)
  await assert.rejects(waiting, reason)
  await until(() => cancelled)

  const reading = new AbortController()
  const headers = { accept: 'text/event-stream' }
  const stream = await hydrant.handle(
    new Request(`${hydrant.base}/events`, { headers, signal: reading.signal }),
  )
  const reader = stream.body?.getReader()
  assert.equal((await reader?.read())?.done, false)
  const next = reader?.read()
  reading.abort(reason)
  await assert.rejects(async () => next, reason)
})

test('handle does not wait for the body of a request whose signal was aborted meanwhile', async (t) => {
  const hydrant = await openShop(t)
  const gone = new AbortController()
  const body = new ReadableStream<Uint8Array>()
  const init = { method: 'POST', headers: JSON_TYPE, body, signal: gone.signal, duplex: 'half' as const }
  const handled = hydrant.handle(new Request(`${hydrant.base}/notes`, init))
  gone.abort()
  await assert.rejects(handled, { name: 'AbortError' })
  const closed = hydrant.close().then(() => 'closed')
  assert.equal(await Promise.race([closed, wait(5_000, 'waits for the body', { ref: false })]), 'closed')
})

/** Sends a body that does not end, and resolves with the status of its answer; and ends all of them. */
interface Endless {
  send(): Promise<number>
  end(): void
}

const WITHOUT_LENGTH: Readonly<Record<string, (t: TestContext, hydrant: Shop) => Promise<Endless>>> = {
  async 'the listener behind node:http2'(t, { listener }) {
    const session = await openHttp2(t, listener)
    const headers = { ':path': '/api/orders', ':method': 'POST', ...JSON_TYPE }
    return {
      async send() {
        const stream = session.request(headers, { endStream: false }).on('error', () => {})
        stream.write('{')
        const [answered] = await once(stream, 'response')
        return answered[':status']
      },
      end: () => session.destroy(),
    }
  },
  async handle(_, { base, handle }) {
    const gone = new AbortController()
    return {
      async send() {
        const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{')) })
        const init = {
          method: 'POST',
          headers: JSON_TYPE,
          body,
          signal: gone.signal,
          duplex: 'half' as const,
        }
        return (await handle(new Request(`${base}/orders`, init))).status
      },
      end: () => gone.abort(),
    }
  },
}

for (const [name, prepare] of Object.entries(WITHOUT_LENGTH))
  test(`bodies without a length take no more than the memory for bodies: ${name}`, async (t) => {
    const hydrant = await openShop(t, { bodyMemory: '4MiB', maxBatchBytes: '1MiB' })
    const { send, end } = await prepare(t, hydrant)
    try {
      // One holds all of the memory, and 64 wait for it.
      const answers = Array.from({ length: 66 }, () => send().catch(() => undefined))
      assert.equal(await Promise.race([...answers, wait(9_000, undefined, { ref: false })]), 503)
      assert.equal((await hydrant.ask('GET', 'orders'))[0], 200)
    } finally {
      end()
    }
  })
