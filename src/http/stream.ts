import type { Socket } from 'node:net'
import { readDeadline, type ServerLimits, type UnsentLimit } from './limits.ts'

/** A part of a response that comes about bit by bit, encoded once for all streams that it goes to. */
export interface StreamPart {
  readonly content: Buffer
  /** As a chunk of HTTP/1.1 (RFC 9112 §7.1). */
  readonly chunk: Buffer
}

export function encodePart(text: string): StreamPart {
  const size = `${Buffer.byteLength(text).toString(16)}\r\n`
  const chunk = Buffer.from(`${size}${text}\r\n`)
  return { chunk, content: chunk.subarray(size.length, -2) }
}

/** Where the app writes a response that comes about bit by bit. The response ends when the function that writes it does. */
export interface StreamWriter {
  /** A client for which too much waits already is cut off: see `ready`. */
  write(part: StreamPart): void
  /** What to wait for before more is written, where the client has left too much unread. */
  ready(): Promise<void> | undefined
  /** Aborted when nothing more can be sent: the client is gone, or too slow, or the server closes. */
  readonly signal: AbortSignal
}

interface ResponseStreamParts {
  readonly limits: ServerLimits
  readonly unsent: UnsentLimit
  readonly isChunked: boolean
}

/** A response in parts: chunks in HTTP/1.1, and in HTTP/1.0 all that comes until the connection ends. */
export class ResponseStream implements StreamWriter {
  /** What stands after the last part, so that a client can tell the end from a cut. */
  readonly last: string
  readonly #socket: Socket
  readonly #parts: ResponseStreamParts
  readonly #ending = new AbortController()
  #waiting: PromiseWithResolvers<void> | undefined
  #written = 0
  /** How much the client had taken when it was last looked at, and when it must have taken more. */
  #taken = -1
  #deadline = 0

  constructor(socket: Socket, head: string, parts: ResponseStreamParts) {
    this.#socket = socket
    this.#parts = parts
    this.last = parts.isChunked ? '0\r\n\r\n' : ''
    socket.write(head)
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  get #isFull(): boolean {
    return this.#socket.writableLength > this.#parts.limits.streamBytes
  }

  write({ content, chunk }: StreamPart): void {
    // A chunk without content would be the last one.
    if (content.length === 0 || this.signal.aborted) return
    const socket = this.#socket
    if (this.#isFull) return void socket.destroy()
    const bytes = this.#parts.isChunked ? chunk : content
    this.#written += bytes.length
    if (!socket.write(bytes)) this.#parts.unsent.add(socket, socket.writableLength)
  }

  ready(): Promise<void> | undefined {
    if (!this.#isFull || this.signal.aborted) return undefined
    this.#waiting ??= Promise.withResolvers()
    return this.#waiting.promise
  }

  /** Nothing waits for the client any more, or nothing more is sent. */
  drained(): void {
    this.#waiting?.resolve()
    this.#waiting = undefined
  }

  stop(): void {
    this.#ending.abort()
    this.drained()
  }

  /** Whether the client has taken nothing for too long of what waits for it. Asked now and then: writing is not to cost more. */
  isStalled(now: number): boolean {
    const unread = this.#socket.writableLength
    const taken = this.#written - unread
    if (unread === 0 || taken !== this.#taken) this.#deadline = readDeadline(this.#parts.limits, now, unread)
    this.#taken = taken
    return now >= this.#deadline
  }
}
