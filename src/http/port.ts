import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Where a server listens. */
export interface PortParts {
  readonly host: string
  readonly port: number
  /** Called for every connection, from the first on. */
  readonly accept: (socket: Socket) => void
  readonly onFault: (error: unknown) => void
  /** Nothing is read from a connection that is passed to another process. */
  readonly pauseOnConnect?: boolean
}

/** The most connections that wait in the operating system, as `listen` of Node.js asks for. */
const BACKLOG = 511

/** Waits a whole turn of the event loop, after which all that the system had received has been read. */
export const poll = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve))
  })

/** Listens on a port. Handlers are attached before that: no connection comes too early. */
export async function openPort({ host, port, accept, onFault, pauseOnConnect = false }: PortParts) {
  // Half-open: a client that has sent FIN still gets its answer, and the server ends the connection.
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect })
  let accepted = 0
  server.on('connection', (socket: Socket) => {
    accepted += 1
    accept(socket)
  })
  server.listen(port, host)
  await once(server, 'listening')
  // Without a listener, a connection that cannot be accepted for want of descriptors would end the process.
  server.on('error', onFault)

  return {
    /** Which the system chooses where 0 is asked for. */
    port: (server.address() as AddressInfo).port,
    /**
     * Accepts no new connections. Those in the backlog of the system would be reset, with the requests on them, so they
     * are accepted first; new ones may come all the time, so only until `deadline`.
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
