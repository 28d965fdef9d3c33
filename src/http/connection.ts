import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Problem } from '../problem.ts'
import { beginTurn } from '../turn.ts'
import type { HeldMemory } from './body-memory.ts'
import type { Yielding } from './connection-limit.ts'
import { beginsWithEmptyLine, type Head, HeadReader } from './head.ts'
import { readDeadline } from './limits.ts'
import type { Response, StreamedResponse } from './messages.ts'
import { Outgoing } from './outgoing.ts'
import { httpErrorResponse, httpProblem } from './problems.ts'
import { ConnectionRequest, type RequestSource } from './request.ts'
import { isStreamed, writeResponse, writeStreamHead } from './response.ts'
import { ResponseStream } from './stream.ts'
import type { ConnectionDependencies } from './types.ts'

/**
 * - `waiting`: for a request, or the rest of its head
 * - `running`: the app handles a request, whose body may still be arriving
 * - `sending`: the client has not read all of the response
 * - `streaming`: the response is written part by part
 * - `closing`: the last response has been written
 */
type Phase = 'waiting' | 'running' | 'sending' | 'streaming' | 'closing'

/** One client's connection: one request at a time, in order, one response each (RFC 9112 §9). */
export class Connection implements RequestSource, Yielding {
  readonly #peer: string
  readonly #socket: Socket
  readonly #shared: ConnectionDependencies
  readonly #outgoing: Outgoing
  readonly #heads = new HeadReader()
  readonly #onSent = () => this.#next()
  #phase: Phase = 'waiting'
  /** Received and not read yet. */
  #input: Buffer | undefined
  #request: ConnectionRequest | undefined
  #stream: ResponseStream | undefined
  #hasEnded = false
  /** Whether the event loop may have reported other bytes than those of the request that begins now (turn.ts). */
  #mayBeLate = false
  /** When the first byte of the request arrived. */
  #begunAt = 0
  #deadline: number
  /** How many more bytes are read and discarded after the last request. */
  #lingering: number

  constructor(socket: Socket, shared: ConnectionDependencies) {
    const { limits, now } = shared
    this.#socket = socket
    this.#shared = shared
    // The last bytes of the handshake.
    this.#mayBeLate = (socket as Partial<TLSSocket>).encrypted === true
    this.#outgoing = new Outgoing(socket, shared.unsent)
    // Read now: a socket that has been reset has no address.
    this.#peer = socket.remoteAddress ?? ''
    this.#deadline = now() + limits.headersMs
    this.#lingering = limits.lingerBytes
    socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    socket.on('end', () => this.#receiveEnd())
    socket.on('drain', () => this.#drained())
    // A reset is followed by `close`; without a listener it would end the process.
    socket.on('error', () => {})
    socket.on('close', () => this.#closed())
  }

  /** Requests that have been received are still answered; a stream ends. */
  shutDown(): void {
    if (this.#phase === 'waiting' && this.#input === undefined) this.#close('')
    else this.#endStream()
  }

  get idleUntil(): number | undefined {
    const isIdle = this.#phase === 'closing' ? this.#socket.writableFinished : this.#phase === 'waiting'
    return isIdle && !this.#socket.destroyed ? this.#deadline : undefined
  }

  end(): void {
    this.#socket.destroy()
  }

  /** Called periodically. */
  checkDeadline(now: number): void {
    if (this.#stream === undefined ? now < this.#deadline : !this.#stream.isStalled(now)) return
    if (this.#phase === 'running' || (this.#phase === 'waiting' && this.#heads.hasBegun))
      this.#refuse(httpProblem('RequestTimeout'))
    else this.#socket.destroy()
  }

  get bodyLimit(): number {
    return this.#shared.limits.bodyBytes
  }

  addressOf(forwardedFor: string | undefined): string {
    return this.#shared.readAddress(this.#peer, forwardedFor)
  }

  holdEarly(address: string, bytes: number): HeldMemory | undefined {
    return this.#shared.early.tryHold(this.#shared.networkOf(address), bytes)
  }

  wantBody(): void {
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
    // Pipelined requests are not read yet, except for the few reads that Node.js makes before it pauses. Nor is a body
    // that the app has not asked for, except for the part that came with the head.
    if (this.#input !== undefined || (this.#phase === 'running' && this.#request?.isUnread))
      this.#socket.pause()
  }

  /** RFC 9112 §9.6: a client that has sent its request, and then FIN, still waits for the response. */
  #receiveEnd(): void {
    this.#hasEnded = true
    if (this.#phase === 'waiting') {
      if (this.#heads.hasBegun) this.#refuse(httpProblem('MalformedRequest'))
      else if (this.#input === undefined) this.#close('')
    }
    this.#feed()
    // Without writes, nothing else shows that the client of a stream has disconnected.
    this.#endStream()
  }

  /** Begins the next request, if its head is complete. */
  #advance(): void {
    if (this.#phase !== 'waiting' || this.#input === undefined) return
    const { limits, now, isClosing } = this.#shared
    if (!this.#heads.hasBegun) {
      this.#begunAt = now()
      this.#mayBeLate ||= beginsWithEmptyLine(this.#input)
    }
    try {
      const found = this.#heads.read(this.#input)
      this.#consume(found?.end)
      if (found !== undefined) this.#begin(found.head)
      else if (this.#hasEnded) this.#refuse(httpProblem('MalformedRequest'))
      else if (isClosing()) this.#close('')
      else {
        this.#deadline = this.#begunAt + limits.headersMs
        this.#socket.resume()
      }
    } catch (error) {
      this.#refuse(error as Problem)
    }
  }

  /** Drops the input before `end`, or all of it. */
  #consume(end: number | undefined): void {
    const input = this.#input as Buffer
    this.#input = end === undefined || end === input.length ? undefined : input.subarray(end)
  }

  #begin(head: Head): void {
    if (this.#mayBeLate) beginTurn()
    this.#mayBeLate = false
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
      // The app responds to its own errors. For any other error there is no response, and it must not end the process.
      onFault(error)
      this.#socket.destroy()
    } finally {
      count(-1)
    }
  }

  /** Passes the input to the body of the request. */
  #feed(): void {
    const request = this.#request
    if (this.#phase !== 'running' || request === undefined || request.isComplete) return
    try {
      if (this.#input !== undefined) this.#consume(request.take(this.#input))
      if (request.isComplete) this.#deadline = Number.POSITIVE_INFINITY
      else if (this.#hasEnded) throw httpProblem('MalformedRequest')
    } catch (error) {
      this.#refuse(error as Problem)
    }
  }

  /** Responds to a malformed or incomplete request, whatever the app does with it. */
  #refuse(error: Problem): void {
    const response = httpErrorResponse(error, this.#shared.noStoreHeaders)
    // RFC 9110 §9.3.2. If its head was refused, there is no request that has a method.
    const request = this.#request
    const isHead = request === undefined ? this.#heads.isHeadRequest(this.#input) : request.method === 'HEAD'
    this.#close(writeResponse(response, { isHead, connection: 'close' }).text)
    this.#request?.abort(error)
  }

  #send(request: ConnectionRequest, response: Response): void {
    // The request has been refused meanwhile, or the client has disconnected.
    if (this.#phase !== 'running' || this.#socket.destroyed) return
    this.#feed()
    if (this.#phase !== 'running') return
    const { limits, now, isClosing } = this.#shared
    const isLast = this.#input === undefined && (this.#hasEnded || isClosing())
    const isFinal = !request.isComplete || !request.head.keepsAlive || isLast
    const connection = isFinal ? 'close' : request.head.minor === 0 ? 'keep-alive' : undefined
    const { text, encoding } = writeResponse(response, { isHead: request.method === 'HEAD', connection })
    if (isFinal) {
      this.#close(text, encoding)
      return
    }
    this.#phase = 'sending'
    if (this.#outgoing.send(text, encoding, this.#onSent)) this.#next()
    else this.#deadline = readDeadline(limits, now(), text.length)
  }

  /** The client has read all that was written. */
  #drained(): void {
    if (!this.#outgoing.drained()) return
    this.#stream?.drained()
    if (this.#phase === 'sending') this.#next()
  }

  #next(): void {
    const { now, limits, isClosing } = this.#shared
    this.#phase = 'waiting'
    this.#request?.release()
    this.#request = undefined
    this.#deadline = now() + limits.idleMs
    // After a turn of the event loop, so that other connections are served in between. The socket stays paused until the
    // pipelined requests are answered.
    if (this.#input !== undefined) {
      this.#mayBeLate = true
      setImmediate(() => this.#advance())
    } else if (this.#hasEnded || isClosing()) this.#close('')
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
    // Reading continues, to notice when the client closes the connection.
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
   * Sends FIN, and discards input for a while (RFC 9112 §9.6): closing at once would reset the connection, and the client
   * could lose the response.
   */
  #close(text: string, encoding: BufferEncoding = 'utf8'): void {
    const { limits, now } = this.#shared
    this.#phase = 'closing'
    this.#input = undefined
    this.#request?.release()
    this.#deadline = readDeadline(limits, now(), text.length + this.#socket.writableLength)
    this.#outgoing.end(text, encoding, () => {
      this.#deadline = now() + limits.lingerMs
    })
    this.#socket.resume()
  }

  #closed(): void {
    if (this.#phase === 'running') this.#request?.abort(httpProblem('MalformedRequest'))
    this.#request?.release()
    this.#phase = 'closing'
    this.#shared.unsent.remove(this.#socket)
    this.#endStream()
  }
}
