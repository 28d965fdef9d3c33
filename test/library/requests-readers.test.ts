import assert from 'node:assert/strict'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import express from 'express'
import { DEFAULT_SERVER_LIMITS, encodePart, type StreamedResponse } from '../../src/http/index.ts'
import { createListener, handleWeb } from '../../src/library/requests.ts'
import { type Handle, openShop, signIn, until, withUsers } from './shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of any shape
type Any = any

const readerOf = (body: Any): ReadableStreamDefaultReader<string> =>
  body.pipeThrough(new TextDecoderStream()).getReader()

// contract: `hydrant.handle(request, { address })`
test('a stream of handle brings changes as they happen, and ends with its reader or with the program', async (t) => {
  const hydrant = await openShop(t)
  const open = async () => {
    const request = new Request(`${hydrant.base}/events`, { headers: { accept: 'text/event-stream' } })
    const { body } = await hydrant.handle(request)
    return readerOf(body)
  }
  const [first, second] = [await open(), await open()]
  assert.match((await first.read()).value ?? '', /^event: start/)
  assert.match((await second.read()).value ?? '', /^event: start/)
  await hydrant.members('notes').add({ text: 'news' })
  assert.match((await first.read()).value ?? '', /"created"|Create|notes/)
  await first.cancel()
  // A reader may go at any moment, also while a part is on its way to it, and nothing may be thrown by that.
  for (let turns = 0; turns < 20; turns++) {
    const fleeting = await open()
    for (let turn = 0; turn < turns; turn++) await null
    await fleeting.cancel()
  }
  await hydrant.close()
  while (!(await second.read()).done);
  await assert.rejects(open(), /closed/)
})

async function listen(t: TestContext, server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const MOUNTS: readonly (readonly [name: string, mount: (listener: RequestListener) => RequestListener])[] = [
  ['node:http', (listener) => listener],
  ['Express, below a path', (listener) => express().use('/api', listener)],
]

for (const [name, mount] of MOUNTS) {
  // contract: `hydrant.listener` is for `node:http`
  test(`the listener answers requests of ${name}, streams included`, async (t) => {
    const hydrant = await openShop(t, { db: await withUsers(t), auth: true })
    const origin = await listen(t, createServer(mount(hydrant.listener)))
    const handle: Handle = (path, init) => fetch(`${origin}/api${path}`, init)
    const token = await signIn(handle, 1)
    const headers = { 'x-authorization': token, 'content-type': 'application/json' }
    const made = await handle('/orders', { method: 'POST', headers, body: '{"customer":"Ann"}' })
    assert.deepEqual([made.status, ((await made.json()) as Any).customer], [201, 'Ann'])
    const long = { method: 'POST', headers, body: JSON.stringify({ customer: 'x'.repeat(1_100_000) }) }
    assert.equal((await handle('/orders', long)).status, 413)
    const { body } = await handle('/events', { headers: { ...headers, accept: 'text/event-stream' } })
    const reader = readerOf(body)
    assert.match((await reader.read()).value ?? '', /^event: start/)
    await hydrant.close()
    while (!(await reader.read()).done);
  })
}

const partsOf = (body: StreamedResponse['body']) => ({
  app: async () => ({ status: 200, shared: [], headers: ['Content-Type', 'text/event-stream'], body }),
  readAddress: (peer: string) => peer,
  closing: new AbortController().signal,
  limits: { ...DEFAULT_SERVER_LIMITS, stallMs: 1_500, slowestBytesPerMs: 1e6 },
})

test('a reader of handle may go at the moment when its stream ends', async () => {
  const ending = Promise.withResolvers<void>()
  const request = new Request('http://localhost/api')
  // Each goes a turn later than the one before.
  const gone = Array.from({ length: 20 }, async (_, turns) => {
    const { body } = await handleWeb(
      request,
      {},
      partsOf(() => ending.promise),
    )
    const reader = (body ?? assert.fail()).getReader()
    const reading = reader.read()
    await ending.promise
    for (let turn = 0; turn < turns; turn++) await null
    await reader.cancel()
    assert.ok((await reading).done)
  })
  await wait(10)
  ending.resolve()
  await Promise.all(gone)
  // What was thrown where nobody can catch it fails this test.
  await wait(10)
})

test('a reader of handle may wait for several parts at once', { timeout: 60_000 }, async () => {
  const parts = partsOf(async (writer) => {
    for (const text of ['a', 'b', 'c']) {
      await wait(10)
      writer.write(encodePart(text))
    }
    await new Promise((resolve) => writer.signal.addEventListener('abort', resolve))
  })
  const { body } = await handleWeb(new Request('http://localhost/api'), {}, parts)
  const reader = (body ?? assert.fail()).getReader()
  const read = await Promise.all([reader.read(), reader.read(), reader.read()])
  assert.equal(Buffer.concat(read.map(({ value }) => value as Uint8Array)).toString(), 'abc')
  await reader.cancel()
})

// contract: Writing pauses while 256 KiB wait for a reader
test('a reader of handle or the listener that takes nothing is cut off, and a slow one is not', async (t) => {
  let streams = 0
  const part = encodePart('x'.repeat(30_000))
  const body: StreamedResponse['body'] = async (writer) => {
    streams++
    while (!writer.signal.aborted) {
      await writer.ready()
      writer.write(part)
      await wait(1)
    }
    streams--
  }
  const parts = partsOf(body)
  const listener = createListener(parts, assert.ifError)
  const origin = await listen(t, createServer(listener))
  const web = () => handleWeb(new Request('http://localhost/api/events'), {}, parts)

  const silent = await web()
  await until(() => streams === 0)
  await assert.rejects(silent.text(), /too slow/)
  askAndReadNothing(t, origin)
  await until(() => streams === 1)
  await until(() => streams === 0)

  const reader = (await web()).body?.getReader()
  for (let reads = 0; reads < 5; reads++) {
    assert.equal((await reader?.read())?.done, false)
    await wait(400)
  }
  await reader?.cancel()
  await until(() => streams === 0)
})

function askAndReadNothing(t: TestContext, origin: string): void {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.pause())
  t.after(() => socket.destroy())
  socket.on('error', () => {}).write('GET /api/events HTTP/1.1\r\nHost: x\r\n\r\n')
}

// contract: Writing pauses while 256 KiB wait for a reader
test('a reader of the listener that takes nothing is cut off while comments are written to it', async (t) => {
  let outgoing: ServerResponse | undefined
  let isCutOff = false
  const [many, comment] = [encodePart('x'.repeat(12_000)), encodePart(':\n\n')]
  const listener = createListener(
    partsOf(async (writer) => {
      // Until the system takes no more of it, and far from where the writer would have to wait.
      for (; outgoing?.writableLength === 0; await wait(1)) writer.write(many)
      assert.equal(writer.ready(), undefined)
      for (; !writer.signal.aborted; await wait(100)) writer.write(comment)
      isCutOff = true
    }),
    assert.ifError,
  )
  const server = createServer((incoming, response) => {
    outgoing = response
    listener(incoming, response)
  })
  askAndReadNothing(t, await listen(t, server))
  await until(() => isCutOff)
})
