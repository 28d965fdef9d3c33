import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ConnectionLost } from './errors.ts'

/** As the driver has read them from the URL. */
interface SocketAddresses {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** The path of a Unix socket; false if there is none. */
  readonly path: string | false
}

const LONGEST_PAUSE_MS = 500

/** The driver's sockets, kept here to be destroyed: the driver itself waits until the other end closes them. */
export class DriverSockets {
  readonly #hosts: { now: number }
  readonly #sockets = new Map<Socket, () => void>()
  #ended = 0
  #isOver = false

  /** `hosts`: the index of the current address, if there are several. */
  constructor(hosts: { now: number }) {
    this.#hosts = hosts
  }

  /** Opens a socket for the driver. Writes wait until it is connected, so that the driver need not. */
  readonly open = async ({ host, port, path }: SocketAddresses): Promise<Socket> => {
    const { length } = host
    // If a server accepts connections and closes them at once, the driver would reconnect without a pause.
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
    // The driver starts TLS itself, and passes only `host`, as the server name. An IP address cannot be a server name;
    // then Node.js checks the certificate against the undocumented `_host`. There is no other way to pass it.
    return Object.assign(socket, { host: host[at], _host: host[at] })
  }

  /** Destroys the sockets at once; no further socket is opened. */
  destroyAll(): void {
    this.#isOver = true
    for (const [socket, end] of this.#sockets) {
      socket.destroy()
      end()
    }
  }
}
