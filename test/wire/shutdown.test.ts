import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { tlsFlags } from '../cli/certificate.ts'
import { stepB } from '../support/client.ts'
import { parseResponses, readToClose } from '../support/raw.ts'
import { serve } from '../support/service.ts'
import { GET, HOST, head, linesOf } from './requests.ts'

// A server that is told to stop finishes what it has begun, and answers what had arrived by then.

// contract: SIGTERM or SIGINT: no new connections
test('Requests that were received together are all answered while the server shuts down', async (t) => {
  const service = await serve(t)
  const token = `X-Authorization: ${await service.client.signIn()}`
  const slow = linesOf(stepB(await service.client.nonce()))
  const socket = connect(service.port, '127.0.0.1')
  const text = readToClose(socket)
  // The first response says that the others, of the same packet, are there as well.
  const closed = once(socket, 'data').then(() => service.close())
  socket.write(head(GET, HOST, token) + head(GET, HOST, ...slow) + head(GET, HOST))
  const statuses = parseResponses(await text).map(({ status }) => status)
  assert.deepEqual(statuses, [200, 200, 401])
  await closed
})

// contract: SIGTERM or SIGINT: no new connections
test('Requests that have arrived, and that nothing has read yet, are answered while the server shuts down', async (t) => {
  const service = await serve(t)
  const sockets = Array.from({ length: 20 }, () => connect(service.port, '127.0.0.1'))
  const texts = sockets.map(readToClose)
  // The first one has been idle after a response; of the others, most are not even accepted.
  await once(sockets[0] as Socket, 'connect')
  sockets[0]?.write(head(GET, HOST))
  await once(sockets[0] as Socket, 'data')
  const late = Array.from({ length: 20 }, () => connect(service.port, '127.0.0.1'))
  const lateTexts = late.map(readToClose)
  await Promise.all(late.map((socket) => once(socket, 'connect').then(() => socket.write(head(GET, HOST)))))
  for (const socket of sockets) socket.write(head(GET, HOST))
  await service.close()
  const answered = (await Promise.all([...texts, ...lateTexts])).map((text) =>
    parseResponses(text).map(({ status }) => status),
  )
  assert.deepEqual(answered, [[401, 401], ...Array(39).fill([401])])
})

// contract: SIGTERM or SIGINT: no new connections
test('A request that was on its way to an idle connection is answered while the server shuts down', async (t) => {
  const service = await serve(t)
  const socket = connect(service.port, '127.0.0.1')
  const text = readToClose(socket)
  socket.write(head(GET, HOST))
  await once(socket, 'data')
  const closed = service.close()
  // Some turns of the event loop after the server has begun to close.
  await sleep(5)
  socket.write(head(GET, HOST))
  const answers = parseResponses(await text)
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.connection]),
    [
      [401, undefined],
      [401, 'close'],
    ],
  )
  await closed
})

test('A response that is still being read when the server shuts down arrives whole', async (t) => {
  const service = await serve(t)
  const token = await service.client.signIn()
  // A page of 4 MiB: more than the buffers between two sockets hold, so that the end of it waits for the reader.
  const author = JSON.stringify({ name: 'x'.repeat(1_000_000) })
  const headers = { 'X-Authorization': token, 'Content-Type': 'application/json' }
  for (let count = 0; count < 5; count += 1) await service.client.send('POST', '/authors', headers, author)

  const socket = connect(service.port, '127.0.0.1')
  socket.write(head(GET, HOST, `X-Authorization: ${token}`))
  await once(socket, 'readable')
  const closed = service.close()
  const [response] = parseResponses(await readToClose(socket))
  assert.equal(response?.body.length, Number(response?.headers['content-length']))
  await closed
})

test('Idle connections are closed when the server shuts down', async (t) => {
  const service = await serve(t)
  const socket = connect(service.port, '127.0.0.1')
  socket.write(head(GET, HOST))
  await once(socket, 'data')
  const ended = once(socket, 'close')
  await service.close()
  await ended
})

test('Connections on which no request has come, or only a part of one, do not hold up a shutdown', {
  timeout: 30_000,
}, async (t) => {
  const limits = { graceMs: 60_000, headersMs: 60_000 }
  const flags = await tlsFlags(t)
  for (const service of [await serve(t, { limits }), await serve(t, { limits, flags })]) {
    const silent = connect(service.port, '127.0.0.1')
    const halfway = connect(service.port, '127.0.0.1')
    const ended = Promise.all([readToClose(silent), readToClose(halfway)])
    await Promise.all([once(silent, 'connect'), once(halfway, 'connect')])
    // The beginning of a request, or of a handshake.
    halfway.write(service.base.startsWith('https') ? '\x16\x03\x01' : 'GET /api/ HT')
    await service.close()
    assert.deepEqual(await ended, ['', ''])
  }
})
