import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePart } from '../../src/http/stream.ts'
import { GET } from './answers.ts'
import { open, until } from './opened.ts'
import { quiet, stream } from './streams.ts'

const PART = 'x'.repeat(64 * 1024)
const ENCODED_PART = encodePart(PART)
const MOST = 256 * 1024

const WAYS: readonly [name: string, request: string, head: RegExp, body: string][] = [
  [
    'comes in chunks, and ends when its writer does',
    GET,
    /\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n$/,
    '1\r\na\r\n3\r\n\xe2\x82\xac\r\n0\r\n\r\n',
  ],
  [
    'comes without chunks in HTTP/1.0, also where the client would keep the connection',
    'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    /\r\nConnection: close\r\n\r\n$/,
    'a\xe2\x82\xac',
  ],
  ['is not begun for HEAD', GET.replace('GET', 'HEAD'), /\r\nTransfer-Encoding: chunked\r\n\r\n$/, ''],
  [
    'is the last response on its connection',
    GET + GET,
    /\r\nConnection: close\r\n/,
    '1\r\na\r\n3\r\n\xe2\x82\xac\r\n0\r\n\r\n',
  ],
]

for (const [name, request, head, body] of WAYS) {
  test(`A stream ${name}`, async (t) => {
    let begun = 0
    const app = stream(async (writer) => {
      begun += 1
      writer.write(encodePart('a'))
      // An empty chunk would be the end.
      writer.write(encodePart(''))
      writer.write(encodePart('€'))
    })
    const { send, toEnd, faults, running } = await open(t, app)
    await send(request)
    const text = await toEnd()
    const end = text.indexOf('\r\n\r\n') + 4
    assert.match(text.slice(0, end), head)
    assert.equal(text.includes('Content-Length'), false)
    assert.equal(text.slice(end), body)
    assert.equal(begun, request.startsWith('HEAD') ? 0 : 1)
    assert.deepEqual([running(), faults], [0, []])
  })
}

test('A writer waits while 256 KiB wait for the client, and no more than that and one part is buffered', async (t) => {
  let written = 0
  let most = 0
  const app = stream(async (writer) => {
    while (written < 1_000) {
      writer.write(ENCODED_PART)
      written += 1
      most = Math.max(most, opened.server.writableLength)
      await writer.ready()
    }
  })
  const opened = await open(t, app)
  const { send, client, server, pass, toEnd } = opened
  await send(GET)
  // The rest is in the buffers of the sockets.
  await until(() => server.writableLength > MOST)
  assert.ok(written < 1_000)
  client.resume()
  // A client that reads, however long it takes, is not cut off.
  while (written < 1_000) {
    pass(20_000)
    const before = written
    await until(() => written > before)
  }
  assert.ok((await toEnd()).endsWith('\r\n0\r\n\r\n'))
  assert.ok(most <= MOST + PART.length + 10, `${most} bytes`)
})

test('A client that reads nothing of a stream is cut off by its deadline, and its writer learns of it', async (t) => {
  for (const version of ['1.1', '1.0']) {
    const { app, writer, ended } = quiet()
    const { send, pass, server } = await open(t, app)
    await send(GET.replace('1.1', version))
    const given = await writer
    while (server.writableLength <= MOST / 2) given.write(ENCODED_PART)
    pass(1)
    // More for it to read is not what it has read.
    while (server.writableLength <= MOST) given.write(ENCODED_PART)
    const waiting = given.ready()
    pass(30_000)
    assert.equal(server.destroyed, false)
    pass(15_000)
    assert.equal(server.destroyed, true)
    await Promise.all([waiting, ended])
    assert.equal(given.signal.aborted, true)
  }
})

test('A writer that does not wait is cut off', async (t) => {
  const { app, writer, ended } = quiet()
  const { send, server } = await open(t, app)
  await send(GET)
  const given = await writer
  for (let count = 0; count < 1_000; count += 1) given.write(ENCODED_PART)
  await ended
  assert.deepEqual([server.destroyed, given.signal.aborted], [true, true])
})

test('A stream on which nothing happens stays open', async (t) => {
  const { app, writer } = quiet()
  const { send, pass, received, server } = await open(t, app)
  await send(GET)
  const given = await writer
  await received('\r\n\r\n')
  await until(() => server.writableLength === 0)
  pass(1_000_000_000)
  given.write(encodePart(': still here'))
  await received('c\r\n: still here\r\n')
  assert.equal(server.destroyed, false)
})

const ENDS: readonly [
  name: string,
  act: (opened: Awaited<ReturnType<typeof open>>) => unknown,
  isWhole: boolean,
][] = [
  ['a client that has gone', ({ client }) => client.resetAndDestroy(), false],
  ['FIN of the client', ({ client }) => client.end(), true],
  ['the end of the server', ({ shutDown }) => shutDown(), true],
  ['64 KiB and a byte behind the request', ({ client }) => client.write(`${PART}x`), false],
]

for (const [name, act, isWhole] of ENDS) {
  test(`A stream is ended by ${name}, and its writer learns of it`, async (t) => {
    const { app, writer, ended } = quiet()
    const opened = await open(t, app)
    await opened.send(GET)
    const { signal } = await writer
    await opened.received('\r\n\r\n')
    act(opened)
    await ended
    assert.equal(signal.aborted, true)
    assert.equal((await opened.toEnd()).endsWith('\r\n\r\n0\r\n\r\n'), isWhole)
    await until(() => opened.running() === 0)
    assert.deepEqual(opened.faults, [])
  })
}

test('A stream that begins while the server closes, or for a client that has sent FIN, ends at once', async (t) => {
  for (const act of ['shutDown', 'end'] as const) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { app, ended } = quiet()
    const opened = await open(t, async (request) => {
      await promise
      return app(request)
    })
    await opened.send(GET)
    if (act === 'end') opened.client.end()
    else opened.shutDown()
    await until(() => act === 'shutDown' || opened.server.readableEnded)
    resolve()
    assert.ok((await opened.toEnd()).endsWith('\r\n\r\n0\r\n\r\n'))
    await ended
  }
})

test('A stream whose writer fails is cut, so that no client takes it for whole, and the fault is told', async (t) => {
  const fault = new Error('no more')
  const app = stream(async (writer) => {
    writer.write(encodePart('a'))
    throw fault
  })
  const { send, toEnd, faults } = await open(t, app)
  await send(GET)
  assert.equal((await toEnd()).endsWith('0\r\n\r\n'), false)
  assert.deepEqual(faults, [fault])
})
