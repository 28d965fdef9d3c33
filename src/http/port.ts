import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** The address and handlers of a port. */
export interface PortDependencies {
  readonly host: string
  readonly port: number
  /** Called for every connection, from the first on. */
  readonly accept: (socket: Socket) => void
  readonly onFault: (error: unknown) => void
  /** Whether to read nothing, since connections are passed to another process. */
  readonly pauseOnConnect?: boolean
}

/** Maximum number of connections that wait in the operating system: the default of `listen` in Node.js. */
const BACKLOG = 511

/** Waits a whole turn of the event loop, after which everything that the system had received has been read. */
export const poll = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve))
  })

/** Listens on a port. Handlers are attached first, so that no connection comes too early. */
export async function openPort({ host, port, accept, onFault, pauseOnConnect = false }: PortDependencies) {
  // Half-open: a client that has sent FIN still gets its response, and the server ends the connection.
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect })
  let accepted = 0
  server.on('connection', (socket: Socket) => {
    accepted += 1
    accept(socket)
  })
  server.listen(port, host)
  await once(server, 'listening')
  // Without a listener, a connection that cannot be accepted because the process has no free descriptor would end the
  // process.
  server.on('error', onFault)

  return {
    /** The port; the system chooses one if it was given as 0. */
    port: (server.address() as AddressInfo).port,
    /**
     * Stops accepting connections. Connections in the backlog of the system would be reset, with the requests on them, so
     * they are accepted first; but only until `deadline`, since new ones may arrive all the time.
     */
    async close(deadline: number): Promise<void> {
      let before: number
      let most = BACKLOG
      do {
        before = accepted
        await poll()
        most -= 1
      } while (accepted > before && most > 0 && performance.now() < deadline)
      server.close()
    },
  }
}
