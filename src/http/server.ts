import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { createConnections, type Served } from './connection.ts'
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from './limits.ts'
import { MAX_HEADER_BYTES, malformed, refusalOfParserError } from './refusal.ts'
import type { AddressReader } from './request.ts'
import { answerHalfClosed, limitHandshakes, listen, trackSockets } from './sockets.ts'

export interface ServerParts {
  readonly host: string
  readonly port: number
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined
  readonly readAddress: AddressReader
  readonly limits?: Partial<ServerLimits>
  /** Called once the port is known and before the first request: the base URL may contain it. */
  readonly createApp: (port: number) => Served
}

export interface RunningServer {
  readonly port: number
  /** No new connections, requests in flight are finished; after the grace period the rest is cut off. */
  close(): Promise<void>
}

/** Listens, and carries requests to the app and its responses back. */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const limits = { ...DEFAULT_SERVER_LIMITS, ...parts.limits }
  const connections = createConnections(limits, parts.readAddress)
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    // node:http would answer 400 by itself, without the headers that every response has.
    requireHostHeader: false,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs / 2),
    noDelay: true,
  }
  const server: Server =
    parts.tls === undefined ? createHttpServer(options) : createHttpsServer({ ...options, ...parts.tls })
  // Headers beyond a maximum count are dropped silently by node:http, repeated ones too; their size is limited anyway.
  server.maxHeadersCount = 0
  server.timeout = limits.idleMs
  answerHalfClosed(server)
  if (parts.tls !== undefined) limitHandshakes(server, limits.headersMs)

  const sockets = trackSockets(server)
  server.on(parts.tls === undefined ? 'connection' : 'secureConnection', connections.connect)
  server.on('request', connections.receive)
  server.on('checkContinue', connections.receive)
  server.on('checkExpectation', connections.receive)
  server.on('clientError', (error: Error, socket: Duplex) =>
    connections.refuseRest(socket, refusalOfParserError(error)),
  )
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    // node:http has taken its own listener off: without one, a client that resets the connection ends the process.
    socket.on('error', () => socket.destroy())
    connections.refuseRest(socket, malformed('CONNECT is not possible here.'))
  })

  const port = await listen(server, parts)
  try {
    const served = parts.createApp(port)
    connections.serve(served)
    // A connection that cannot be accepted, for want of descriptors, ends neither the process nor the others.
    server.on('error', served.onFault)
  } catch (error) {
    server.close()
    throw error
  }

  async function close(): Promise<void> {
    const cutOff = setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, limits.graceMs)
    // The close of node:net. That of node:http takes a connection for idle, and cuts it off, once its response has been
    // handed over, however much of it the client has yet to read; and it has no option not to.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
    connections.close()
    await closed
    clearTimeout(cutOff)
    await connections.finished()
    // Now that of node:http too, which ends its timers.
    server.close()
  }
  return { port, close }
}
