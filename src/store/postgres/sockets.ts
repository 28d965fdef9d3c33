import { connect, type Socket } from 'node:net'

/** As the driver has read them from the URL. */
export interface Addresses {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** Of a socket in the file system; false where there is none. */
  readonly path: string | false
}

/** The sockets of a pool: the driver lets go of one that it gives up, and waits for the other end to do so too. */
export interface Sockets {
  /** Writes wait until it is connected, so that the driver need not. */
  open(addresses: Addresses): Socket
  /** At once, whatever the other end does. */
  destroyAll(): void
}

export function createSockets(): Sockets {
  const opened = new Map<Socket, number>()
  let turn = 0

  /** An address whose connection has ended may be that of a server that is not the primary any more: the next one. */
  function choose(addresses: number): number {
    let isOver = false
    for (const [socket, at] of opened) {
      if (!socket.destroyed) continue
      opened.delete(socket)
      if (at === turn) isOver = true
    }
    if (isOver) turn = (turn + 1) % addresses
    return turn
  }

  return {
    open({ host, port, path }) {
      const at = choose(host.length)
      const socket = path ? connect(path) : connect(port[at] as number, host[at])
      opened.set(socket, at)
      // For TLS: the driver asks for a certificate by the one, and node checks it against the other where that is a number.
      return Object.assign(socket, { host: host[at], _host: host[at] })
    },
    destroyAll() {
      for (const socket of opened.keys()) socket.destroy()
    },
  }
}
