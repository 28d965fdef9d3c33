import type { AddressInfo, Server, Socket } from 'node:net'

/** Resolves with the port, which the system chooses where 0 is asked for. */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** The open connections, also those in the middle of a TLS handshake, which no server knows yet. */
export function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

/**
 * Limits the time of a TLS handshake. The `handshakeTimeout` of Node.js begins anew with every byte that comes, so that
 * a client that sends one now and then would stay for good. Returns what ends all that are not finished.
 */
export function limitHandshakes(server: Server, ms: number): () => void {
  const unfinished = new Map<string, { readonly socket: Socket; readonly timer: NodeJS.Timeout }>()
  const end = (name: string) => {
    clearTimeout(unfinished.get(name)?.timer)
    unfinished.delete(name)
  }
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    unfinished.set(name, { socket, timer: setTimeout(() => socket.destroy(), ms) })
    socket.once('close', () => end(name))
  })
  server.on('secureConnection', (socket: Socket) => end(nameOf(socket)))
  return () => {
    for (const { socket } of unfinished.values()) socket.destroy()
  }
}

/** The same for a connection and for the TLS connection that is made of it. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
