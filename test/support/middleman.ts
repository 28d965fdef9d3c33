import { connect, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

/** Stands between Hydrant and PostgreSQL, and makes trouble when it is told to. */
export interface Middleman {
  readonly port: number
  /** The same address with it in the place of the server. */
  through(url: string): string
  /** Every answer comes so much later. */
  delay(ms: number): void
  /** Nothing gets through any more, in either direction, and nobody is told; new connections are accepted. */
  hold(): void
  /** What was held goes on its way. */
  release(): void
  /** Cuts every connection; new ones are accepted. */
  cut(): void
  /** Cuts every connection and refuses new ones. */
  refuse(): void
  /** Takes connections again. */
  accept(): Promise<void>
  /** How many connections there are. */
  connections(): number
  /** How many there have been. */
  accepted(): number
}

/** Looks at what passes; what it returns goes on, where that is anything. */
export type Look = (data: Buffer, cut: () => void) => Buffer | undefined

export interface Looks {
  readonly request?: Look
  readonly answer?: Look
}

export async function startMiddleman(
  t: TestContext,
  target: string,
  { request = (data) => data, answer = (data) => data }: Looks = {},
): Promise<Middleman> {
  const { hostname, port: targetPort } = new URL(target)
  const pairs = new Set<readonly [Socket, Socket]>()
  let delayMs = 0
  let held: (() => void)[] | undefined

  let accepted = 0

  function pass(data: Buffer | undefined, to: Socket, lateMs: number): void {
    if (data === undefined) return
    const send = () => to.writable && to.write(data)
    if (held !== undefined) held.push(send)
    else if (lateMs === 0) send()
    else wait(lateMs, undefined, { ref: false }).then(send)
  }

  const server: Server = createServer((client) => {
    const upstream = connect(Number(targetPort), hostname)
    const pair = [client, upstream] as const
    pairs.add(pair)
    accepted += 1
    const end = () => {
      for (const socket of pair) socket.destroy()
    }
    client.on('data', (data) => pass(request(data, end), upstream, 0))
    upstream.on('data', (data) => pass(answer(data, end), client, delayMs))
    for (const [one, other] of [pair, [upstream, client] as const]) {
      one.on('error', () => {})
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
    }
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as { port: number }

  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  const refuse = () => {
    server.close()
    cut()
  }
  t.after(refuse)
  return {
    port,
    through: (url) => Object.assign(new URL(url), { port: String(port) }).href,
    delay: (ms) => {
      delayMs = ms
    },
    hold: () => {
      held ??= []
    },
    release: () => {
      const waiting = held ?? []
      held = undefined
      for (const send of waiting) send()
    },
    cut,
    refuse,
    accept: () => listen(port),
    connections: () => pairs.size,
    accepted: () => accepted,
  }
}
