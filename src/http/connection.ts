import type { Socket } from 'node:net'
import type { HttpError } from '../errors.ts'
import { type Head, HeadReader } from './head.ts'
import { notWellFormed, readDeadline, type ServerLimits, tooSlow, type UnsentLimit } from './limits.ts'
import { type AddressReader, ConnectionRequest, type Request, type RequestSource } from './request.ts'
import {
  errorResponse,
  isStreamed,
  type Response,
  type StreamedResponse,
  writeResponse,
  writeStreamHead,
} from './response.ts'
import { ResponseStream } from './stream.ts'

/** Who answers, and how what does not get that far is refused. */
export interface Served {
  readonly app: (request: Request) => Promise<Response | StreamedResponse>
  /** Headers of what is refused before the app sees it. */
  readonly noStoreHeaders: readonly string[]
  /** Told of what could not be answered. */
  readonly onFault: (error: unknown) => void
}

/** What the connections of a server share. */
export interface Shared extends Served {
  readonly limits: ServerLimits
  readonly readAddress: AddressReader
  readonly unsent: UnsentLimit
  /** Monotonic, in milliseconds. */
  readonly now: () => number
  readonly isClosing: () => boolean
  /** A request is carried out, by one more or one less. */
  readonly count: (change: 1 | -1) => void
}

/**
 * - `waiting`: for a request, or the rest of its head
 * - `running`: a request is carried out; its body may still be coming
 * - `sending`: its response has not left yet
 * - `streaming`: its response is being written, part by part
 * - `closing`: the last response is on its way or gone
 */
type Phase = 'waiting' | 'running' | 'sending' | 'streaming' | 'closing'

/** One client's connection: one request at a time, in order, one response each (RFC 9112 §9). */
export class Connection implements RequestSource {
  readonly #peer: string
  readonly #socket: Socket
  readonly #shared: Shared
  readonly #heads = new HeadReader()
  #phase: Phase = 'waiting'
  /** Received and not read yet. */
  #input: Buffer | undefined
  #request: ConnectionRequest | undefined
  #stream: ResponseStream | undefined
  #hasEnded = false
  /** When the first byte of the request came. */
  #begunAt = 0
  #deadline: number
  /** How many more bytes are thrown away after the last request. */
  #lingering: number

  constructor(socket: Socket, shared: Shared) {
    const { limits, now } = shared
    this.#socket = socket
    this.#shared = shared
    // Read now: a connection that has been reset has none.
    this.#peer = socket.remoteAddress ?? ''
    this.#deadline = now() + limits.headersMs
    this.#lingering = limits.lingerBytes
    socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    socket.on('end', () => this.#receiveEnd())
    socket.on('drain', () => this.#drained())
    // A reset is followed by `close`; without a listener it would end the process.
    socket.on('error', () => {})
    socket.on('close', () => this.#leave())
  }

  /** What has been received is still answered; a stream ends. */
  shutDown(): void {
    if (this.#phase === 'waiting' && this.#input === undefined) this.#close('')
    else this.#endStream()
  }

  /** Called now and then: ends what has taken too long. */
  checkDeadline(now: number): void {
    if (this.#stream === undefined ? now < this.#deadline : !this.#stream.isStalled(now)) return
    if (this.#phase === 'running' || (this.#phase === 'waiting' && this.#heads.hasBegun))
      this.#refuse(tooSlow())
    else this.#socket.destroy()
  }

  get bodyLimit(): number {
    return this.#shared.limits.bodyBytes
  }

  addressOf(forwardedFor: string | undefined): string {
    return this.#shared.readAddress(this.#peer, forwardedFor)
  }

  want(): void {
    this.#feed()
    this.#socket.resume()
  }

  sendContinue(): void {
    this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n')
  }

  #receive(bytes: Buffer): void {
    if (this.#phase === 'closing' || this.#phase === 'streaming') {
      this.#lingering -= bytes.length
      if (this.#lingering < 0) this.#socket.destroy()
      return
    }
    const before = this.#input
    this.#input = before === undefined ? bytes : Buffer.concat([before, bytes])
    if (this.#request?.isWaiting) this.#feed()
    else if (this.#phase === 'waiting' && before === undefined) this.#advance()
    // What a client pipelines waits in its own memory, but for the few reads that Node.js makes before it pauses.
    if (this.#input !== undefined) this.#socket.pause()
  }

  /** RFC 9112 §9.6: a client that has sent its request, and then FIN, still waits for the answer. */
  #receiveEnd(): void {
    this.#hasEnded = true
    if (this.#phase === 'waiting') {
      if (this.#heads.hasBegun) this.#refuse(notWellFormed())
      else if (this.#input === undefined) this.#close('')
    }
    this.#feed()
    // Nothing else would tell that the reader of a stream on which little happens has gone.
    this.#endStream()
  }

  /** Begins the next request, if all of its head has come. */
  #advance(): void {
    if (this.#phase !== 'waiting' || this.#input === undefined) return
    const { limits, now, isClosing } = this.#shared
    if (!this.#heads.hasBegun) this.#begunAt = now()
    try {
      const found = this.#heads.read(this.#input)
      this.#keep(found?.end)
      if (found !== undefined) this.#begin(found.head)
      else if (this.#hasEnded) this.#refuse(notWellFormed())
      else if (isClosing()) this.#close('')
      else {
        this.#deadline = this.#begunAt + limits.headersMs
        this.#socket.resume()
      }
    } catch (error) {
      this.#refuse(error as HttpError)
    }
  }

  /** Forgets what has been read: all of it, or what stands before `end`. */
  #keep(end: number | undefined): void {
    const input = this.#input as Buffer
    this.#input = end === undefined || end === input.length ? undefined : input.subarray(end)
  }

  #begin(head: Head): void {
    const request = new ConnectionRequest(head, this)
    this.#phase = 'running'
    this.#request = request
    this.#deadline = this.#begunAt + this.#shared.limits.requestMs
    if (request.isComplete) this.#deadline = Number.POSITIVE_INFINITY
    else this.#feed()
    if (this.#phase === 'running') void this.#run(request)
  }

  async #run(request: ConnectionRequest): Promise<void> {
    const { app, count, onFault } = this.#shared
    count(1)
    try {
      const response = await app(request)
      if (isStreamed(response)) await this.#sendStream(request, response)
      else this.#send(request, response)
    } catch (error) {
      // The app answers its own faults. What is left cannot be answered, and must not end the process.
      onFault(error)
      this.#socket.destroy()
    } finally {
      count(-1)
    }
  }

  /** Gives what has come to the body of the request. */
  #feed(): void {
    const request = this.#request
    if (this.#phase !== 'running' || request === undefined || request.isComplete) return
    try {
      if (this.#input !== undefined) this.#keep(request.take(this.#input))
      if (request.isComplete) this.#deadline = Number.POSITIVE_INFINITY
      else if (this.#hasEnded) throw notWellFormed()
    } catch (error) {
      this.#refuse(error as HttpError)
    }
  }

  /** Of a request that is no HTTP, or never ends, that is the answer, whatever the app would have said. */
  #refuse(error: HttpError): void {
    const response = errorResponse(error, this.#shared.noStoreHeaders)
    const isHead = this.#request?.method === 'HEAD'
    this.#close(writeResponse(response, { isHead, connection: 'close' }).text)
    this.#request?.break(error)
  }

  #send(request: ConnectionRequest, response: Response): void {
    // Another answer has been given meanwhile, or the client is gone.
    if (this.#phase !== 'running' || this.#socket.destroyed) return
    this.#feed()
    if (this.#phase !== 'running') return
    const { limits, now, unsent, isClosing } = this.#shared
    const isLast = this.#input === undefined && (this.#hasEnded || isClosing())
    const isFinal = !request.isComplete || !request.head.keepsAlive || isLast
    const connection = isFinal ? 'close' : request.head.minor === 0 ? 'keep-alive' : undefined
    const { text, encoding } = writeResponse(response, { isHead: request.method === 'HEAD', connection })
    if (isFinal) this.#close(text, encoding)
    else if (this.#socket.write(text, encoding)) this.#next()
    else {
      unsent.add(this.#socket, text.length)
      this.#phase = 'sending'
      this.#deadline = readDeadline(limits, now(), text.length)
    }
  }

  /** All that was written has left. */
  #drained(): void {
    this.#shared.unsent.remove(this.#socket)
    this.#stream?.drained()
    if (this.#phase === 'sending') this.#next()
  }

  /** The response has left: the next request may come. */
  #next(): void {
    const { now, limits, isClosing } = this.#shared
    this.#phase = 'waiting'
    this.#request = undefined
    this.#deadline = now() + limits.idleMs
    // One after the other, and other connections in between. Nothing more is read before all of it is answered.
    if (this.#input !== undefined) setImmediate(() => this.#advance())
    else if (this.#hasEnded || isClosing()) this.#close('')
    else this.#socket.resume()
  }

  async #sendStream({ head, method }: ConnectionRequest, response: StreamedResponse): Promise<void> {
    if (this.#phase !== 'running' || this.#socket.destroyed) return
    const { limits, isClosing, unsent } = this.#shared
    const isChunked = head.minor === 1
    const text = writeStreamHead(response, isChunked)
    if (method === 'HEAD') return this.#close(text)
    const stream = new ResponseStream(this.#socket, text, { limits, unsent, isChunked })
    this.#phase = 'streaming'
    this.#stream = stream
    this.#input = undefined
    // Reading goes on, to learn when the client leaves.
    this.#socket.resume()
    if (this.#hasEnded || isClosing()) this.#endStream()
    await response.body(stream)
    this.#endStream()
  }

  #endStream(): void {
    const stream = this.#stream
    if (stream === undefined) return
    this.#stream = undefined
    if (this.#phase === 'streaming') this.#close(stream.last)
    stream.stop()
  }

  /**
   * FIN, and then what still comes is thrown away for a while (RFC 9112 §9.6): closing at once would reset the
   * connection, and take the response, unread, away from the client.
   */
  #close(text: string, encoding: BufferEncoding = 'utf8'): void {
    const { limits, now, unsent } = this.#shared
    unsent.add(this.#socket, text.length)
    this.#phase = 'closing'
    this.#input = undefined
    this.#deadline = readDeadline(limits, now(), text.length + this.#socket.writableLength)
    this.#socket.end(text, encoding, () => {
      this.#deadline = now() + limits.lingerMs
    })
    this.#socket.resume()
  }

  #leave(): void {
    this.#phase = 'closing'
    this.#shared.unsent.remove(this.#socket)
    this.#request?.break(notWellFormed())
    this.#endStream()
  }
}
