import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '../problem.ts'
import { type BodyReader, createBodyReader } from './body.ts'
import { type HeldMemory, memoryFull } from './body-memory.ts'
import type { Head } from './head.ts'
import type { Request } from './messages.ts'
import { httpProblem } from './problems.ts'

/** The connection, as its request uses it. */
export interface RequestSource {
  readonly bodyLimit: number
  addressOf(forwardedFor: string | undefined): string
  /** Counts bytes of a body that arrive before admission; undefined if there is no room for them. */
  holdEarly(address: string, bytes: number): HeldMemory | undefined
  /** From now on the connection reads the body. */
  wantBody(): void
  sendContinue(): void
}

const NOTHING = Buffer.alloc(0)

/** This much of a body is not counted before admission. Most bodies are shorter, and a connection itself takes as much. */
const SHORT = 4 * 1024

/** A request on a connection, whose body may still be arriving. */
export class ConnectionRequest implements Request {
  readonly head: Head
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly #source: RequestSource
  readonly #body: BodyReader | undefined
  /** The content so far; the buffer may be longer than `#length`. */
  #content: Buffer = NOTHING
  #length = 0
  /** Infinite until the app reads the body; until then only bytes that came with the head are taken. */
  #limit = Number.POSITIVE_INFINITY
  #hasBegun = false
  #isKept = true
  #waiting: PromiseWithResolvers<boolean> | undefined
  #broken: Problem | undefined
  /** The memory of bytes that arrived before the app asked for the body. */
  #early: HeldMemory | undefined
  /** Whether there was no memory for these bytes: the gate decides all the same, but the body cannot be read. */
  #isDropped = false

  constructor(head: Head, source: RequestSource) {
    this.head = head
    this.method = head.method
    this.target = head.target
    this.headers = head.headers
    this.rawHeaders = head.rawHeaders
    this.#source = source
    this.#body = head.length === 0 ? undefined : createBodyReader(head.length)
  }

  get bodyLength(): number | undefined {
    const { length } = this.head
    return length === 'chunked' ? undefined : length
  }

  get address(): string {
    return this.#source.addressOf(this.headers['x-forwarded-for'] as string | undefined)
  }

  get #isTooLong(): boolean {
    return this.#length > this.#limit
  }

  /** Whether all of its body has arrived. */
  get isComplete(): boolean {
    return this.#body === undefined || this.#body.isDone
  }

  /** Whether a part of the body has not arrived, and the app has not asked for it. */
  get isUnread(): boolean {
    return !this.isComplete && this.#waiting === undefined
  }

  /** Whether the app waits for more of its body. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined
  }

  async drain(): Promise<boolean> {
    this.release()
    this.#limit = this.#source.bodyLimit
    // A client that waits for `100 Continue` gets none before admission; a body that it sends nevertheless is checked.
    if (this.head.awaitsContinue && !this.#hasBegun) return true
    return this.#readAll()
  }

  async readBody(limit = this.#source.bodyLimit): Promise<Buffer> {
    const { length, awaitsContinue } = this.head
    this.#limit = limit
    if (length !== 'chunked' && length > limit) throw httpProblem('BodyTooLong', { maxBytes: limit })
    if (this.#isDropped) throw memoryFull()
    this.#early?.release()
    this.#early = undefined
    if (awaitsContinue && !this.#hasBegun && !this.isComplete) this.#source.sendContinue()
    if (!(await this.#readAll())) throw httpProblem('BodyTooLong', { maxBytes: limit })
    return this.#content.subarray(0, this.#length)
  }

  /** Takes bytes of the body, and returns how many. Throws if the body is malformed. */
  take(bytes: Buffer): number {
    this.#hasBegun = true
    const end = (this.#body as BodyReader).read(bytes, (content) => {
      if (this.#isKept && this.#length + content.length <= this.#limit && this.#hasRoomFor(content))
        this.#keep(content)
      this.#length += content.length
    })
    if (this.#isTooLong) this.#settle(false)
    else if (this.isComplete) this.#settle(true)
    return end
  }

  #hasRoomFor(content: Buffer): boolean {
    const bytes = this.#length + content.length
    if (bytes <= SHORT || this.#limit !== Number.POSITIVE_INFINITY) return true
    this.#early?.release()
    this.#early = this.#source.holdEarly(this.address, bytes)
    if (this.#early !== undefined) return true
    this.#isDropped = true
    this.release()
    return false
  }

  /**
   * Collects the body in one buffer: if it arrives in chunks of one byte, a list of chunks would take a hundred times its
   * memory. If the length of the body is known, the buffer has that length.
   */
  #keep(content: Buffer): void {
    const kept = this.#content
    const length = this.#length
    if (length === 0) this.#content = content
    else {
      if (length + content.length > kept.length) {
        this.#content = Buffer.allocUnsafe(this.#capacityFor(length + content.length))
        kept.copy(this.#content, 0, 0, length)
      }
      content.copy(this.#content, length)
    }
  }

  #capacityFor(bytes: number): number {
    const { length } = this.head
    // Before the app asks for the body, only the bytes that have arrived are kept.
    if (this.#limit === Number.POSITIVE_INFINITY) return bytes
    return length === 'chunked' ? Math.min(Math.max(bytes, 2 * this.#length), this.#limit) : length
  }

  /** Keeps nothing more of its body. */
  release(): void {
    this.#isKept = false
    this.#content = NOTHING
    this.#early?.release()
    this.#early = undefined
  }

  /** No more of its body will arrive. */
  abort(error: Problem): void {
    this.#broken = error
    this.#waiting?.reject(error)
    this.#waiting = undefined
  }

  /** True if the body ended within the limit, false as soon as it is longer. Rejects if the rest will not arrive. */
  #readAll(): Promise<boolean> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken)
    if (this.#isTooLong) return Promise.resolve(false)
    if (this.isComplete) return Promise.resolve(true)
    this.#waiting = Promise.withResolvers()
    const { promise } = this.#waiting
    this.#source.wantBody()
    return promise
  }

  #settle(isWhole: boolean): void {
    this.#waiting?.resolve(isWhole)
    this.#waiting = undefined
  }
}
