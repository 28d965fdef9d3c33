import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ConnectionLost } from './errors.ts'

/** As the driver has read them from the URL. */
export interface Addresses {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** Of a socket in the file system; false where there is none. */
  readonly path: string | false
}

/** Which of several addresses is tried; common to all drivers of a pool, which follow each other. */
export interface Turn {
  readonly opened: Map<Socket, number>
  now: number
}

export const createTurn = (): Turn => ({ opened: new Map(), now: 0 })

/** The sockets of a driver, which lets go of one that it gives up, and waits for the other end to do so too. */
export interface Sockets {
  /** Writes wait until it is connected, so that the driver need not. */
  open(addresses: Addresses): Promise<Socket>
  /** At once, whatever the other end does; and none is opened any more. */
  destroyAll(): void
}

const LONGEST_PAUSE_MS = 500

export function createSockets(turn: Turn): Sockets {
  const own = new Set<Socket>()
  let ended = 0
  let isOver = false

  /** An address whose connection has ended may be that of a server that is not the primary any more: the next one. */
  function choose(addresses: number): number {
    let isEnded = false
    for (const [socket, at] of turn.opened) {
      if (!socket.destroyed) continue
      turn.opened.delete(socket)
      if (own.delete(socket)) ended += 1
      if (at === turn.now) isEnded = true
    }
    if (isEnded) turn.now = (turn.now + 1) % addresses
    return turn.now
  }

  return {
    async open({ host, port, path }) {
      const at = choose(host.length)
      // The driver tries again at once where it is let in and thrown out, for as long as somebody waits for it.
      if (ended > host.length) await wait(Math.min(25 * 2 ** (ended - host.length), LONGEST_PAUSE_MS))
      if (isOver) throw new ConnectionLost()
      const socket = path ? connect(path) : connect(port[at] as number, host[at])
      own.add(socket)
      turn.opened.set(socket, at)
      // For TLS: the driver asks for a certificate by the one, and node checks it against the other where that is a number.
      return Object.assign(socket, { host: host[at], _host: host[at] })
    },
    destroyAll() {
      isOver = true
      for (const socket of own) socket.destroy()
    },
  }
}
