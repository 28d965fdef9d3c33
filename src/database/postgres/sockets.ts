import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ConnectionLost } from './errors.ts'

/** As the driver has read them from the URL. */
interface SocketAddresses {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** Of a socket in the file system; false where there is none. */
  readonly path: string | false
}

const LONGEST_PAUSE_MS = 500

/** The driver's sockets, kept here to be destroyed: the driver itself waits until the other end closes them. */
export class DriverSockets {
  readonly #hosts: { now: number }
  readonly #sockets = new Map<Socket, () => void>()
  #ended = 0
  #isOver = false

  /** `hosts`: the index of the address that is used, of several. */
  constructor(hosts: { now: number }) {
    this.#hosts = hosts
  }

  /** For the driver. Writes wait until it is connected, so that the driver need not. */
  readonly open = async ({ host, port, path }: SocketAddresses): Promise<Socket> => {
    const { length } = host
    // The driver reconnects without a pause where a server accepts connections and closes them at once.
    if (this.#ended > length) await wait(Math.min(25 * 2 ** (this.#ended - length), LONGEST_PAUSE_MS))
    if (this.#isOver) throw new ConnectionLost()
    const hosts = this.#hosts
    const at = hosts.now
    const socket = path ? connect(path) : connect(port[at] as number, host[at])
    const end = () => {
      if (!this.#sockets.delete(socket)) return
      this.#ended += 1
      // The address may be that of a former primary: the next connection goes to the next address.
      if (hosts.now === at) hosts.now = (at + 1) % length
    }
    this.#sockets.set(socket, end)
    socket.once('close', end)
    // For TLS, which the driver begins itself, and tells only `host`, as the server name. An IP address is no server name:
    // then Node.js checks the certificate against `_host`, which is not documented. There is no other way to pass it.
    return Object.assign(socket, { host: host[at], _host: host[at] })
  }

  /** Destroys them at once; no further one is opened. */
  destroyAll(): void {
    this.#isOver = true
    for (const [socket, end] of this.#sockets) {
      socket.destroy()
      end()
    }
  }
}
