import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { newDatabase } from '../support/databases.ts'
import { parseResponses, readToClose } from '../support/raw.ts'
import { serve } from '../support/service.ts'

// Clients that hold a connection and do nothing with it are disconnected, and keep nobody else from being served.

/** Longer than a busy machine takes for a thousand connections: one of which nothing was read gets no answer. */
const HEADERS_MS = 3_000
const GET = 'GET /api/authors HTTP/1.1\r\nHost: test\r\n'

test('A thousand idle connections are reaped, and keep nobody from being served', {
  timeout: 30_000,
}, async (t) => {
  const { client, port } = await serve(t, { limits: { headersMs: HEADERS_MS } })
  const idle = await Promise.all(Array.from({ length: 1_000 }, () => open(t, port)))
  const token = await client.signIn()
  assert.equal((await client.send('GET', '/authors', { 'X-Authorization': token })).status, 200)
  for (const { socket } of idle) socket.resume()
  await Promise.all(idle.map(({ ended }) => ended))
})

test('A thousand half-sent requests are reaped, and keep nobody from being served', {
  timeout: 30_000,
}, async (t) => {
  const { client, port } = await serve(t, { limits: { headersMs: HEADERS_MS } })
  const slow = await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      const { socket } = await open(t, port)
      const answer = readToClose(socket)
      socket.write(GET)
      return { answer }
    }),
  )
  const token = await client.signIn()
  assert.equal((await client.send('GET', '/authors', { 'X-Authorization': token })).status, 200)
  for (const { answer } of slow) assert.equal(parseResponses(await answer)[0]?.status, 408)
})

test('A client that does not read is disconnected, and keeps nobody from being served', {
  timeout: 30_000,
}, async (t) => {
  const patient = await serve(t, { db: newDatabase(t) })
  const { client, port } = await serve(t, {
    limits: { stallMs: 300, slowestBytesPerMs: 1e6 },
    db: patient.db,
  })
  const token = await client.signIn()
  const headers = { 'X-Authorization': token, 'Content-Type': 'application/json' }
  const author = JSON.stringify({ name: 'x'.repeat(1_000_000) })
  for (let count = 0; count < 10; count += 1) await patient.client.send('POST', '/authors', headers, author)

  // 300 MB of responses, none of which is read.
  const { socket: reader, ended } = await open(t, port)
  reader.write(`${GET}X-Authorization: ${token}\r\n\r\n`.repeat(30))
  assert.equal((await client.send('GET', '/session', headers)).status, 200)

  // Only writing tells a client that does not read of the end of its connection. Empty lines are no request, and
  // come more rarely than would keep the connection alive.
  const knocking = setInterval(() => reader.write('\r\n'), 1_000)
  t.after(() => clearInterval(knocking))
  await ended
  assert.equal((await client.send('GET', '/session', headers)).status, 200)
})

/** A connection on which nothing is read until `resume`, and its end, however it comes about. */
async function open(t: TestContext, port: number): Promise<{ socket: Socket; ended: Promise<void> }> {
  const socket = connect(port, '127.0.0.1')
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.pause().on('error', () => {})
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  return { socket, ended }
}
