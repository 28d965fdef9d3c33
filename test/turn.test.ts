import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { turnOfLoop } from '../src/turn.ts'
import { answer, GET } from './http/answers.ts'
import { type Opened, open } from './http/opened.ts'

/** More than libuv takes from the system at once. */
const MANY = 1_100

/** Connections, both ends of each in this process. */
async function connectMany(t: TestContext, count: number) {
  const accepted: Socket[] = []
  const listener = createServer((socket) => void accepted.push(socket)).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const clients: Socket[] = []
  t.after(() => {
    for (const socket of [...clients, ...accepted]) socket.destroy()
    listener.close()
  })
  // Fewer at once than the system lets wait.
  while (clients.length < count) {
    const some = Array.from({ length: Math.min(100, count - clients.length) }, () =>
      connect(port, '127.0.0.1'),
    )
    clients.push(...some)
    await Promise.all(some.map((socket) => once(socket, 'connect')))
  }
  while (accepted.length < count) await nextIteration()
  return { clients, accepted }
}

test('each poll is a turn of its own, also where one iteration of the loop polls several times', async (t) => {
  const { clients, accepted } = await connectMany(t, MANY)
  const seen: { readonly iteration: number; readonly turn: number }[] = []
  for (const socket of accepted)
    socket.on('data', () =>
      seen.push({ iteration: performance.nodeTiming.uvMetricsInfo.loopCount, turn: turnOfLoop() }),
    )
  for (const client of clients) client.write('x')
  while (seen.length < MANY) await nextIteration()
  const turnsIn = (iteration: number) =>
    new Set(seen.filter((one) => one.iteration === iteration).map(({ turn }) => turn)).size
  assert.ok(seen.some(({ iteration }) => turnsIn(iteration) > 1))
  assert.ok(new Set(seen.map(({ turn }) => turn)).size < 50, 'what one poll reports is one turn')
})

test('a request that may have been sent after the poll begins a turn', async (t) => {
  const turns: number[] = []
  const app = async () => {
    turns.push(turnOfLoop())
    return answer('')
  }
  const [first, second, emptyLine, last] = [
    await open(t, app),
    await open(t, app),
    await open(t, app),
    await open(t, app),
  ]
  const encrypted = await open(t, app, undefined, undefined, { isEncrypted: true })
  const receive = (one: Opened, text: string) => one.server.emit('data', Buffer.from(text))
  for (const one of [first, second]) receive(one, GET)
  receive(emptyLine, `\r\n${GET}`)
  receive(encrypted, GET)
  receive(last, GET)
  const begins = turns.map((turn, index) => turn !== turns[index - 1])
  assert.deepEqual(begins, [true, false, true, true, false])
})
