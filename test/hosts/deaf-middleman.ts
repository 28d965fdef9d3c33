import { connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** Stands between the hosts and PostgreSQL, and keeps from them what others have ended. */
export interface DeafMiddleman {
  /** The same address with it in the place of the server. */
  through(url: string): string
  /** How many connections listen. */
  listeners(): number
  /** Cuts the connections that listen, and every one that is made to listen from now on. */
  cutListeners(): void
  /** They stay open, and nothing comes through them. */
  silenceListeners(): void
  /** As it was before. */
  relent(): void
}

/** PostgreSQL's first message names the application, in clear text. */
const LISTENS = 'hydrant listening'

export async function startDeafMiddleman(t: TestContext, target: string): Promise<DeafMiddleman> {
  const { hostname, port: targetPort } = new URL(target)
  const all = new Set<Socket>()
  const listening = new Set<Socket>()
  let mode: 'fair' | 'cut' | 'silent' = 'fair'

  const server = createServer((client) => {
    const upstream = connect(Number(targetPort), hostname)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      all.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        all.delete(one)
        listening.delete(one)
        other.destroy()
      })
    }
    client.on('data', (data) => {
      if (data.includes(LISTENS)) listening.add(client)
      if (mode === 'cut' && listening.has(client)) client.destroy()
      else if (mode === 'fair' || !listening.has(client)) upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (mode === 'fair' || !listening.has(client)) client.write(data)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  t.after(() => {
    server.close()
    for (const socket of all) socket.destroy()
  })
  return {
    through: (url) => Object.assign(new URL(url), { port: String(port) }).href,
    listeners: () => listening.size,
    cutListeners() {
      mode = 'cut'
      for (const socket of listening) socket.destroy()
    },
    silenceListeners() {
      mode = 'silent'
    },
    relent() {
      mode = 'fair'
    },
  }
}
