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

/** The open connections, also those in the middle of a TLS handshake, which node:http does not know yet. */
export function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

/**
 * RFC 9112 §9.6: a client that has sent its request, and then FIN, still waits for the answer. node:http would end the
 * connection at once, and what was asked for would be done and not told. `httpAllowHalfOpen` is not documented, but
 * nothing else keeps node:http from it.
 */
export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
  // Without TLS, node:http sets this itself.
  server.on('secureConnection', (socket: Socket) => {
    socket.allowHalfOpen = true
  })
}

/**
 * Limits the time of a TLS handshake. The `handshakeTimeout` of Node.js begins anew with every byte that comes, so that
 * a client that sends one now and then would stay for good.
 */
export function limitHandshakes(server: Server, ms: number): void {
  const timers = new Map<string, NodeJS.Timeout>()
  const end = (name: string) => {
    clearTimeout(timers.get(name))
    timers.delete(name)
  }
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    const cut = () => socket.destroy()
    timers.set(name, setTimeout(cut, ms))
    socket.once('close', () => end(name))
  })
  server.on('secureConnection', (socket: Socket) => end(nameOf(socket)))
}

/** The same for a connection and for the TLS connection that is made of it. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
