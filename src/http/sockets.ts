import type { Server, Socket } from 'node:net'

/**
 * RFC 9112 §9.6: a client that has sent its request, and then FIN, still waits for the answer. node:http would end the
 * connection at once, and what was asked for would be done and not told.
 */
export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
  // Without TLS node:http has it so.
  server.on('secureConnection', (socket: Socket) => {
    socket.allowHalfOpen = true
  })
}

/**
 * A TLS handshake has so long in all. The `handshakeTimeout` of Node.js begins anew with every byte that comes, so that
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
