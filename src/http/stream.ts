import type { Socket } from 'node:net'
import { readDeadline, type ServerLimits } from './limits.ts'

/** Where the app writes a response that comes about bit by bit. The response ends when the function that writes it does. */
export interface Outlet {
  /** Sends text. A client for which too much waits already is cut off: see `ready`. */
  write(text: string): void
  /** Resolves when more may be written: at once, unless the client has left too much unread. */
  ready(): Promise<void>
  /** Aborted when nothing more can be sent: the client is gone, or too slow, or the server closes. */
  readonly over: AbortSignal
}

interface StreamParts {
  readonly limits: ServerLimits
  readonly now: () => number
  readonly isChunked: boolean
  /** Told how much waits for the client, whenever that changes. */
  readonly onUnsent: (bytes: number) => void
}

/** A response in parts: chunks in HTTP/1.1 (RFC 9112 §7.1), and in HTTP/1.0 all that comes until the connection ends. */
export class ResponseStream implements Outlet {
  /** When the client must have read what waits for it. */
  deadline = Number.POSITIVE_INFINITY
  /** What stands after the last part, so that a client can tell the end from a cut. */
  readonly last: string
  readonly #socket: Socket
  readonly #parts: StreamParts
  readonly #ending = new AbortController()
  #waiting: PromiseWithResolvers<void> | undefined

  constructor(socket: Socket, head: string, parts: StreamParts) {
    this.#socket = socket
    this.#parts = parts
    this.last = parts.isChunked ? '0\r\n\r\n' : ''
    this.#send(head)
  }

  get over(): AbortSignal {
    return this.#ending.signal
  }

  write(text: string): void {
    // A chunk without content would be the last one.
    if (text === '' || this.over.aborted) return
    if (this.#isFull) this.#socket.destroy()
    else if (this.#parts.isChunked) this.#send(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
    else this.#send(text)
  }

  ready(): Promise<void> {
    if (!this.#isFull || this.over.aborted) return Promise.resolve()
    this.#waiting ??= Promise.withResolvers()
    return this.#waiting.promise
  }

  stop(): void {
    this.#ending.abort()
    this.#waiting?.resolve()
  }

  get #isFull(): boolean {
    return this.#socket.writableLength > this.#parts.limits.streamBytes
  }

  #send(text: string): void {
    const socket = this.#socket
    const { limits, now, onUnsent } = this.#parts
    if (socket.writableLength === 0) this.deadline = readDeadline(limits, now(), text.length)
    socket.write(text, () => {
      const unread = socket.writableLength
      onUnsent(unread)
      this.deadline = unread === 0 ? Number.POSITIVE_INFINITY : readDeadline(limits, now(), unread)
      if (this.#isFull) return
      this.#waiting?.resolve()
      this.#waiting = undefined
    })
    onUnsent(socket.writableLength)
  }
}
