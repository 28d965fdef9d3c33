import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { tlsFlags } from '../cli/certificate.ts'
import { parseResponses, readToClose, readToEnd } from '../support/raw.ts'
import { serve, type TestService } from '../support/service.ts'

// As many connections as there may be keep nobody out: the idlest gives way.

const GET = 'GET /api/authors HTTP/1.1\r\nHost: test\r\n'
const POST =
  'POST /api/authors HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 14\r\n'
const FEW = { auth: false, maxConnections: '8' } as const

const statusOf = (text: string) => parseResponses(text)[0]?.status

async function open(t: TestContext, port: number, sent = ''): Promise<Socket & { ended: Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  const ended = readToClose(socket)
  await once(socket, 'connect')
  if (sent !== '') socket.write(sent)
  return Object.assign(socket, { ended })
}

/** Requests whose bodies are on their way. */
const openBusy = async (t: TestContext, { port }: TestService, count: number) => {
  const busy = await Promise.all(Array.from({ length: count }, () => open(t, port, `${POST}\r\n{"name"`)))
  // Each is asked for more of its body by then.
  for (const one of busy) {
    one.write(':')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return busy
}

const finish = (busy: readonly (Socket & { ended: Promise<string> })[]) =>
  Promise.all(
    busy.map((one) => {
      one.end('"Ann"}')
      return one.ended.then(statusOf)
    }),
  )

for (const [name, sent] of [
  ['that say nothing', ''],
  ['with a part of a head', GET],
  ['that were answered before', `${GET}\r\n`],
] as const) {
  test(`connections ${name} give way to new ones, the idlest first, and requests in flight do not`, async (t) => {
    const service = await serve(t, { flags: FEW })
    const busy = await openBusy(t, service, 2)
    const idle = []
    for (let count = 0; count < 6; count += 1) {
      const one = await open(t, service.port, sent)
      if (sent.endsWith('\r\n\r\n')) await once(one, 'data')
      idle.push(one)
    }
    for (let count = 0; count < 20; count += 1) {
      const newcomer = await open(t, service.port, `${GET}Connection: close\r\n\r\n`)
      assert.equal(statusOf(await newcomer.ended), 200)
    }
    await idle[0]?.ended
    assert.deepEqual(await finish(busy), [201, 201])
  })
}

test('where every connection is busy, a new one is closed at once', async (t) => {
  const service = await serve(t, { flags: FEW })
  const busy = await openBusy(t, service, 8)
  const newcomer = await open(t, service.port, `${GET}\r\n`)
  assert.equal(await newcomer.ended, '')
  assert.deepEqual(new Set(await finish(busy)), new Set([201]))
})

test('TLS handshakes that do not end give way, too', async (t) => {
  const service = await serve(t, { flags: { ...FEW, ...(await tlsFlags(t)) } })
  const silent = await Promise.all(Array.from({ length: 8 }, () => open(t, service.port)))
  for (let count = 0; count < 4; count += 1) {
    const socket = connectTls({ port: service.port, host: '127.0.0.1', rejectUnauthorized: false })
    t.after(() => socket.destroy())
    socket.write(`${GET}Connection: close\r\n\r\n`)
    assert.equal(statusOf(await readToEnd(socket)), 200)
  }
  await Promise.any(silent.map(({ ended }) => ended))
})
