import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Connection, type Served, type Shared } from './connection.ts'
import { createUnsentLimit, DEFAULT_SERVER_LIMITS, type ServerLimits } from './limits.ts'
import type { AddressReader } from './messages.ts'

/** Where a server listens, and whether with TLS. */
export interface ListenParts {
  readonly host: string
  readonly port: number
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined
}

export interface ServerParts extends ListenParts {
  readonly readAddress: AddressReader
  readonly limits?: Partial<ServerLimits>
  /** Further ones are closed at once. */
  readonly mostConnections?: number
  /** Called once the port is known and before the first request: the base URL may contain it. */
  readonly createApp: (port: number) => Served
}

/** Half-open: a client that has sent FIN still gets its answer, and the server ends the connection. */
const OPTIONS = { allowHalfOpen: true, noDelay: true }

/** The most connections that wait in the operating system, as `listen` of Node.js asks for. */
const BACKLOG = 511

/** Waits a whole turn of the event loop, after which all that the system had received has been read. */
const poll = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve))
  })

/** An HTTP/1.1 server on `node:net` or `node:tls`. */
export async function startServer(parts: ServerParts) {
  const limits = { ...DEFAULT_SERVER_LIMITS, ...parts.limits }
  const { tls, readAddress } = parts
  const server: Server =
    tls === undefined
      ? createServer(OPTIONS)
      : // Not imported above: it takes long to load, and few have a certificate.
        process.getBuiltinModule('node:tls').createServer({ ...OPTIONS, ...tls, ALPNProtocols: ['http/1.1'] })
  if (parts.mostConnections !== undefined) server.maxConnections = parts.mostConnections
  const endHandshakes = tls === undefined ? () => {} : limitHandshakes(server, limits.headersMs)
  /** Those in the middle of a TLS handshake too, which no server lists yet. */
  const sockets = new Set<Socket>()
  const connections = new Set<Connection>()
  let isClosing = false
  let accepted = 0
  let running = 0
  let onceIdle = () => {}

  server.listen(parts.port, parts.host)
  await once(server, 'listening')
  // Which the system chooses where 0 is asked for.
  const { port } = server.address() as AddressInfo
  try {
    const shared: Shared = {
      ...parts.createApp(port),
      limits,
      readAddress,
      unsent: createUnsentLimit(limits.unsentBytes),
      now: () => performance.now(),
      isClosing: () => isClosing,
      count(change) {
        running += change
        if (running === 0) onceIdle()
      },
    }
    server.on('connection', (socket: Socket) => {
      accepted += 1
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      const connection = new Connection(socket, shared)
      connections.add(connection)
      socket.once('close', () => connections.delete(connection))
    })
    // Without a listener, a connection that cannot be accepted for want of descriptors would end the process.
    server.on('error', shared.onFault)
  } catch (error) {
    server.close()
    throw error
  }
  const checking = setInterval(
    () => {
      const now = performance.now()
      for (const connection of connections) connection.checkDeadline(now)
    },
    Math.min(1_000, limits.headersMs / 2),
  ).unref()

  /** Waits for requests whose client is gone, which still use the store. */
  function finished(): Promise<void> {
    if (running === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limits.graceMs)
      onceIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Accepts no new connections and finishes running requests; after the grace period the rest is disconnected. */
  async function close(): Promise<void> {
    isClosing = true
    const started = performance.now()
    await acceptWaiting(started + limits.graceMs / 2)
    const closed = new Promise((resolve) => server.close(resolve))
    const cutOff = setTimeout(
      () => {
        for (const socket of sockets) socket.destroy()
      },
      started + limits.graceMs - performance.now(),
    )
    await poll()
    for (const connection of connections) connection.shutDown()
    endHandshakes()
    await closed
    clearTimeout(cutOff)
    clearInterval(checking)
    await finished()
  }

  /** Connections in the backlog of the system would be reset, with the requests on them. New ones may come all the time. */
  async function acceptWaiting(deadline: number): Promise<void> {
    let before: number
    let most = BACKLOG
    do {
      before = accepted
      await poll()
      most -= 1
    } while (accepted > before && most > 0 && performance.now() < deadline)
  }

  return { port, close }
}

/**
 * Limits the time of a TLS handshake. The `handshakeTimeout` of Node.js restarts with every byte, so that a slow client
 * could stay forever. Returns a function that ends all unfinished handshakes.
 */
function limitHandshakes(server: Server, ms: number): () => void {
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

/** The same for a TCP socket and for the TLS socket on it. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
