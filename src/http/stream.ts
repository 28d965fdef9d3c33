import type { Socket } from 'node:net'
import { readDeadline, type ServerLimits, type UnsentLimit } from './limits.ts'
import type { StreamPart, StreamWriter } from './messages.ts'

export function encodePart(text: string): StreamPart {
  const size = `${Buffer.byteLength(text).toString(16)}\r\n`
  const chunk = Buffer.from(`${size}${text}\r\n`)
  return { chunk, content: chunk.subarray(size.length, -2) }
}

/** Whether a client has read nothing for too long. Asked periodically, so that writing costs nothing more. */
export class StallCheck {
  readonly #limits: ServerLimits
  /** How much the client had read at the last check, and when it must have read more. */
  #taken = -1
  #deadline = 0

  constructor(limits: ServerLimits) {
    this.#limits = limits
  }

  isStalled(now: number, written: number, unread: number): boolean {
    const taken = written - unread
    if (unread === 0 || taken !== this.#taken) this.#deadline = readDeadline(this.#limits, now, unread)
    this.#taken = taken
    return now >= this.#deadline
  }
}

interface ResponseStreamDependencies {
  readonly limits: ServerLimits
  readonly unsent: UnsentLimit
  readonly isChunked: boolean
}

/** A response in parts: chunks in HTTP/1.1, and in HTTP/1.0 all bytes until the connection ends. */
export class ResponseStream implements StreamWriter {
  /** Follows the last part, so that a client can tell the end from a broken connection. */
  readonly last: string
  readonly #socket: Socket
  readonly #dependencies: ResponseStreamDependencies
  readonly #ending = new AbortController()
  #waiting: PromiseWithResolvers<void> | undefined
  readonly #stall: StallCheck
  #written = 0

  constructor(socket: Socket, head: string, dependencies: ResponseStreamDependencies) {
    this.#socket = socket
    this.#dependencies = dependencies
    this.#stall = new StallCheck(dependencies.limits)
    this.last = dependencies.isChunked ? '0\r\n\r\n' : ''
    socket.write(head)
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  get #isFull(): boolean {
    return this.#socket.writableLength > this.#dependencies.limits.streamBytes
  }

  write({ content, chunk }: StreamPart): void {
    // A chunk without content would be the last one.
    if (content.length === 0 || this.signal.aborted) return
    const socket = this.#socket
    if (this.#isFull) return void socket.destroy()
    const bytes = this.#dependencies.isChunked ? chunk : content
    this.#written += bytes.length
    const unread = socket.write(bytes) ? 0 : socket.writableLength
    if (unread > 0) this.#dependencies.unsent.set(socket, unread, this.#written - unread)
  }

  ready(): Promise<void> | undefined {
    if (!this.#isFull || this.signal.aborted) return undefined
    this.#waiting ??= Promise.withResolvers()
    return this.#waiting.promise
  }

  /** The client has read everything, or nothing more is sent. */
  drained(): void {
    this.#waiting?.resolve()
    this.#waiting = undefined
  }

  stop(): void {
    this.#ending.abort()
    this.drained()
  }

  isStalled(now: number): boolean {
    return this.#stall.isStalled(now, this.#written, this.#socket.writableLength)
  }
}
