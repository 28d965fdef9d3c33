import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from '../../src/http/connection.ts'
import { type App, BodyMemory, DEFAULT_SERVER_LIMITS } from '../../src/http/index.ts'
import { createUnsentLimit } from '../../src/http/limits.ts'

/** One connection of our layer, on real sockets, whose time the test moves. */
export interface Opened {
  /** Reads nothing before `resume`. */
  readonly client: Socket
  readonly server: Socket
  readonly connection: Connection
  readonly faults: unknown[]
  /** How many requests are being carried out. */
  running(): number
  /** Sends it, and waits until the server has received it. */
  send(text: string): Promise<void>
  /** Lets so much time pass. */
  pass(ms: number): void
  /** All that has come, once this is a part of it. */
  received(part: string): Promise<string>
  /** All that has come, at the end of the connection. */
  toEnd(): Promise<string>
  shutDown(): void
}

export async function open(
  t: TestContext,
  app: App,
  unsent = createUnsentLimit(DEFAULT_SERVER_LIMITS.unsentBytes),
  early = new BodyMemory(DEFAULT_SERVER_LIMITS.earlyBytes),
  { isEncrypted = false } = {},
): Promise<Opened> {
  const listener = createServer({ allowHalfOpen: true, noDelay: true }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const accepted = once(listener, 'connection')
  const { port } = listener.address() as AddressInfo
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).pause()
  const [server] = (await accepted) as [Socket]
  listener.close()
  if (isEncrypted) Object.assign(server, { encrypted: true })
  const faults: unknown[] = []
  let now = 1_000
  let running = 0
  let isClosing = false
  const connection = new Connection(server, {
    app,
    noStoreHeaders: [],
    onFault: (error) => faults.push(error),
    limits: DEFAULT_SERVER_LIMITS,
    readAddress: (peer) => peer,
    unsent,
    early,
    networkOf: String,
    now: () => now,
    isClosing: () => isClosing,
    count(change) {
      running += change
    },
  })
  let text = ''
  client.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  client.on('error', () => {}).pause()
  t.after(() => {
    client.destroy()
    server.destroy()
  })
  let sent = 0
  return {
    client,
    server,
    connection,
    faults,
    running: () => running,
    async send(part) {
      sent += Buffer.byteLength(part, 'latin1')
      client.write(part, 'latin1')
      await until(() => server.bytesRead === sent)
    },
    pass(ms) {
      now += ms
      connection.checkDeadline(now)
    },
    async received(part) {
      client.resume()
      await until(() => text.includes(part))
      return text
    },
    async toEnd() {
      client.resume()
      await until(() => client.readableEnded || client.destroyed)
      return text
    },
    shutDown() {
      isClosing = true
      connection.shutDown()
    },
  }
}

const PATIENCE_MS = 30_000

export async function until(condition: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  while (!condition()) await wait(1, undefined, { signal })
}
