/** Where the app writes a response that comes about bit by bit. The response ends when the function that writes it does. */
export interface Outlet {
  /** Sends text. The client is cut off where much waits for it already: see `ready`. */
  write(text: string): void
  /** Resolves when more may be written: at once, unless the client has left too much unread. */
  ready(): Promise<void>
  /** Aborted when nothing more can be sent: the client is gone, or too slow, or the server closes. */
  readonly over: AbortSignal
}

/** What a stream needs of its connection. */
export interface StreamSink {
  /** How much waits for the client. */
  readonly unread: number
  readonly mostUnread: number
  sendPart(text: string): void
  destroy(): void
}

/** A response in parts (RFC 9112 §7.1): chunks in HTTP/1.1, and in HTTP/1.0 all that comes until the connection ends. */
export class ResponseStream implements Outlet {
  readonly #sink: StreamSink
  readonly #isChunked: boolean
  readonly #ending = new AbortController()
  #waiting: PromiseWithResolvers<void> | undefined

  constructor(sink: StreamSink, isChunked: boolean) {
    this.#sink = sink
    this.#isChunked = isChunked
  }

  get over(): AbortSignal {
    return this.#ending.signal
  }

  /** What stands behind the last part, so that a client can tell the end from a cut. */
  get last(): string {
    return this.#isChunked ? '0\r\n\r\n' : ''
  }

  write(text: string): void {
    // A chunk without content would be the last one.
    if (text === '' || this.over.aborted) return
    if (this.#isFull) this.#sink.destroy()
    else
      this.#sink.sendPart(this.#isChunked ? `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n` : text)
  }

  ready(): Promise<void> {
    if (!this.#isFull || this.over.aborted) return Promise.resolve()
    this.#waiting ??= Promise.withResolvers()
    return this.#waiting.promise
  }

  /** Something has left. */
  progress(): void {
    if (this.#isFull && !this.over.aborted) return
    this.#waiting?.resolve()
    this.#waiting = undefined
  }

  stop(): void {
    this.#ending.abort()
    this.progress()
  }

  get #isFull(): boolean {
    return this.#sink.unread > this.#sink.mostUnread
  }
}
