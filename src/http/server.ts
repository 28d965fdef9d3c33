import type { Server, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { BodyMemory } from './body-memory.ts'
import { Connection } from './connection.ts'
import { createConnectionLimit, type Yielding } from './connection-limit.ts'
import { createUnsentLimit, DEFAULT_SERVER_LIMITS, type ServerLimits } from './limits.ts'
import type { AddressReader } from './messages.ts'
import { openPort, poll } from './port.ts'
import type { ConnectionDependencies, ServedApp } from './types.ts'

export { openPort } from './port.ts'

/** The address that a server listens on, and its TLS options. */
export interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined
}

export interface ServerOptions<Binding extends ServedApp = ServedApp> extends ListenOptions {
  readonly readAddress: AddressReader
  /** The network of an address: addresses of one client share it. */
  readonly networkOf?: (address: string) => string
  readonly limits?: Partial<ServerLimits>
  /** Called once the port is known, since the base URL may contain it. Connections wait for it. */
  readonly createApp: (port: number) => Binding | Promise<Binding>
  /** Set if another process listens on the port; called with the function that takes its connections. */
  readonly takeFrom?: ((accept: (socket: Socket) => void) => void) | undefined
}

/** `Binding`: what `createApp` has returned, for the caller. */
export interface RunningServer<Binding> {
  readonly port: number
  readonly served: Binding
  /** Stops accepting connections and finishes running requests; after the grace period the rest are disconnected. */
  close(): Promise<void>
}

/** An HTTP/1.1 server on `node:net` or `node:tls`. */
export async function startServer<Binding extends ServedApp>(
  options: ServerOptions<Binding>,
): Promise<RunningServer<Binding>> {
  const limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits }
  const { host, takeFrom } = options
  /** Connections that arrive before the app is ready. */
  const early: Socket[] = []
  let accept = (socket: Socket): void => {
    early.push(socket)
  }
  let onFault: (error: unknown) => void = () => {}
  const listening =
    takeFrom === undefined
      ? await openPort({
          ...{ host, port: options.port },
          accept: (socket) => accept(socket),
          onFault: (error) => onFault(error),
        })
      : undefined
  const port = listening?.port ?? options.port
  let served: Binding
  let serving: Connections
  try {
    served = await options.createApp(port)
    onFault = served.onFault
    serving = new Connections(served, options, limits)
  } catch (error) {
    await listening?.close(0)
    for (const socket of early) socket.destroy()
    throw error
  }
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

/**
 * How long connections without a request stay open when the server stops: a client may have sent one that has not arrived,
 * and another one after a response that did not say yet that it was the last.
 */
const ON_THE_WAY_MS = 25

/** Serves connections, wherever they come from. */
class Connections {
  /** Includes connections in the middle of a TLS handshake. */
  readonly #sockets = new Set<Socket>()
  readonly #connections = new Set<Connection>()
  readonly #limits: ServerLimits
  readonly #dependencies: ConnectionDependencies
  readonly #secure: SecureServer | undefined
  readonly #limit = createConnectionLimit(() => this.#listYielding(), now)
  readonly #checking: NodeJS.Timeout
  #isClosing = false
  #running = 0
  #onceIdle = () => {}
  #onceEmpty = () => {}

  constructor(
    served: ServedApp,
    { tls, readAddress, networkOf = String }: ServerOptions,
    limits: ServerLimits,
  ) {
    this.#limits = limits
    this.#dependencies = {
      ...served,
      limits,
      readAddress,
      unsent: createUnsentLimit(limits.unsentBytes),
      early: new BodyMemory(limits.earlyBytes),
      networkOf,
      now,
      isClosing: () => this.#isClosing,
      count: (change) => {
        this.#running += change
        if (this.#running === 0) this.#onceIdle()
      },
    }
    this.#secure = tls && createSecureServer(tls, limits.headersMs, (socket) => this.#begin(socket))
    this.#checking = setInterval(() => this.#checkDeadlines(), Math.min(1_000, limits.headersMs / 2)).unref()
  }

  readonly accept = (socket: Socket): void => {
    const sockets = this.#sockets
    if (sockets.size >= this.#limits.connections && !this.#limit.makeRoom()) return void socket.destroy()
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) this.#onceEmpty()
    })
    if (this.#secure === undefined) this.#begin(socket)
    else this.#secure.accept(socket)
  }

  /** From now on each response says that it is the last one on its connection. */
  announceClose(): void {
    this.#isClosing = true
  }

  /** Finishes running requests; at the deadline the rest are disconnected. */
  async close(deadline: number): Promise<void> {
    const timer = setTimeout(() => this.#cutOff(), deadline - now())
    await poll()
    if (this.#connections.size > 0) await sleep(ON_THE_WAY_MS)
    for (const connection of this.#connections) connection.shutDown()
    for (const handshake of this.#secure?.handshakes.values() ?? []) handshake.end()
    if (this.#sockets.size > 0) await new Promise<void>((resolve) => (this.#onceEmpty = resolve))
    clearTimeout(timer)
    clearInterval(this.#checking)
    await this.#finished()
  }

  #begin(socket: Socket): void {
    const connection = new Connection(socket, this.#dependencies)
    this.#connections.add(connection)
    socket.once('close', () => this.#connections.delete(connection))
  }

  *#listYielding(): Iterable<Yielding> {
    yield* this.#connections
    if (this.#secure !== undefined) yield* this.#secure.handshakes.values()
  }

  #checkDeadlines(): void {
    const at = now()
    for (const connection of this.#connections) connection.checkDeadline(at)
  }

  /** Waits for requests whose client has disconnected, since they still use the store. */
  #finished(): Promise<void> {
    if (this.#running === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#limits.graceMs)
      this.#onceIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #cutOff(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

const now = (): number => performance.now()

interface SecureServer {
  /** Connections in the middle of a handshake. */
  readonly handshakes: ReadonlyMap<string, Yielding>
  accept(socket: Socket): void
}

/**
 * TLS on connections that have been accepted. The time of a handshake is limited here: the `handshakeTimeout` of Node.js
 * restarts with every byte, so that a slow client could stay forever.
 */
function createSecureServer(
  tls: NonNullable<ListenOptions['tls']>,
  handshakeMs: number,
  begin: (socket: Socket) => void,
): SecureServer {
  const handshakes = new Map<string, Yielding>()
  // Not imported above: it takes long to load, and few deployments set a certificate.
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

/** A name that a TCP socket shares with the TLS socket on it. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
