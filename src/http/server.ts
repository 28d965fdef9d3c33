import type { Server, Socket } from 'node:net'
import { createBodyMemory } from './body-memory.ts'
import { type AppBinding, Connection, type ConnectionDependencies } from './connection.ts'
import { createConnectionLimit, type Yielding } from './connection-limit.ts'
import { createUnsentLimit, DEFAULT_SERVER_LIMITS, type ServerLimits } from './limits.ts'
import type { AddressReader } from './messages.ts'
import { openPort, poll } from './port.ts'

export { openPort } from './port.ts'

/** Where a server listens, and whether with TLS. */
export interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined
}

export interface ServerDependencies<Binding extends AppBinding = AppBinding> extends ListenOptions {
  readonly readAddress: AddressReader
  /** What addresses of one client have in common. */
  readonly networkOf?: (address: string) => string
  readonly limits?: Partial<ServerLimits>
  /** Called once the port is known, since the base URL may contain it. Connections wait for it. */
  readonly createApp: (port: number) => Binding | Promise<Binding>
  /** Where another process listens on the port: called with the function that takes its connections. */
  readonly takeFrom?: ((accept: (socket: Socket) => void) => void) | undefined
}

/** `Binding`: what `createApp` has returned, for the caller. */
export interface RunningServer<Binding> {
  readonly port: number
  readonly served: Binding
  /** Accepts no new connections and finishes running requests; after the grace period the rest is disconnected. */
  close(): Promise<void>
}

/** An HTTP/1.1 server on `node:net` or `node:tls`. */
export async function startServer<Binding extends AppBinding>(
  parts: ServerDependencies<Binding>,
): Promise<RunningServer<Binding>> {
  const limits = { ...DEFAULT_SERVER_LIMITS, ...parts.limits }
  const { host, takeFrom } = parts
  /** Connections that arrive before the app is there. */
  const early: Socket[] = []
  let accept = (socket: Socket): void => {
    early.push(socket)
  }
  let onFault: (error: unknown) => void = () => {}
  const listening =
    takeFrom === undefined
      ? await openPort({
          ...{ host, port: parts.port },
          accept: (socket) => accept(socket),
          onFault: (error) => onFault(error),
        })
      : undefined
  const port = listening?.port ?? parts.port
  let served: Binding
  try {
    served = await parts.createApp(port)
  } catch (error) {
    await listening?.close(0)
    for (const socket of early) socket.destroy()
    throw error
  }
  onFault = served.onFault
  const serving = serve(served, parts, limits)
  accept = serving.accept
  for (const socket of early) accept(socket)
  takeFrom?.(accept)

  return {
    port,
    served,
    async close(): Promise<void> {
      const started = performance.now()
      serving.announceClose()
      await listening?.close(started + limits.graceMs / 2)
      await serving.close(started + limits.graceMs)
    },
  }
}

/** Serves connections, wherever they come from. */
function serve(
  served: AppBinding,
  { tls, readAddress, networkOf = String }: ServerDependencies,
  limits: ServerLimits,
) {
  /** Those in the middle of a TLS handshake too. */
  const sockets = new Set<Socket>()
  const connections = new Set<Connection>()
  let isClosing = false
  let running = 0
  let onceIdle = () => {}
  let onceEmpty = () => {}
  const now = () => performance.now()
  const shared: ConnectionDependencies = {
    ...served,
    limits,
    readAddress,
    unsent: createUnsentLimit(limits.unsentBytes),
    early: createBodyMemory(limits.earlyBytes),
    networkOf,
    now,
    isClosing: () => isClosing,
    count(change) {
      running += change
      if (running === 0) onceIdle()
    },
  }
  const secure = tls && createSecureServer(tls, limits.headersMs, begin)
  const limit = createConnectionLimit(listYielding, now)

  function* listYielding(): Iterable<Yielding> {
    yield* connections
    if (secure !== undefined) yield* secure.handshakes.values()
  }

  function accept(socket: Socket): void {
    if (sockets.size >= limits.connections && !limit.makeRoom()) return void socket.destroy()
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) onceEmpty()
    })
    if (secure === undefined) begin(socket)
    else secure.accept(socket)
  }

  function begin(socket: Socket): void {
    const connection = new Connection(socket, shared)
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  }

  const checking = setInterval(
    () => {
      const at = now()
      for (const connection of connections) connection.checkDeadline(at)
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

  function cutOff(): void {
    for (const socket of sockets) socket.destroy()
  }

  return {
    accept,
    /** From now on each response says that it is the last one on its connection. */
    announceClose(): void {
      isClosing = true
    },
    /** Finishes running requests; at the deadline the rest is disconnected. */
    async close(deadline: number): Promise<void> {
      const timer = setTimeout(cutOff, deadline - now())
      await poll()
      for (const connection of connections) connection.shutDown()
      for (const handshake of secure?.handshakes.values() ?? []) handshake.end()
      if (sockets.size > 0) await new Promise<void>((resolve) => (onceEmpty = resolve))
      clearTimeout(timer)
      clearInterval(checking)
      await finished()
    },
  }
}

/**
 * TLS on connections that have been accepted. The time of a handshake is limited here: the `handshakeTimeout` of Node.js
 * restarts with every byte, so that a slow client could stay forever.
 */
function createSecureServer(
  tls: NonNullable<ListenOptions['tls']>,
  handshakeMs: number,
  begin: (socket: Socket) => void,
) {
  const handshakes = new Map<string, Yielding>()
  // Not imported above: it takes long to load, and few have a certificate.
  const server: Server = process
    .getBuiltinModule('node:tls')
    .createServer({ ...tls, ALPNProtocols: ['http/1.1'] })
  server.on('secureConnection', (socket: Socket) => {
    handshakes.delete(nameOf(socket))
    begin(socket)
  })
  return {
    handshakes,
    accept(socket: Socket): void {
      const name = nameOf(socket)
      const end = () => void socket.destroy()
      const timer = setTimeout(() => handshakes.get(name)?.end(), handshakeMs)
      const until = performance.now() + handshakeMs
      handshakes.set(name, {
        get idleUntil() {
          return socket.destroyed ? undefined : until
        },
        end,
      })
      socket.once('close', () => {
        clearTimeout(timer)
        handshakes.delete(name)
      })
      server.emit('connection', socket)
    },
  }
}

/** The same for a TCP socket and for the TLS socket on it. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
