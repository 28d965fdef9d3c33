import { DEFAULT_SERVER_LIMITS } from './limits.ts'
import type { Request } from './messages.ts'
import { httpProblem } from './problems.ts'

/** The owner of memory: a user by id, or a client by its network. */
export type MemoryOwner = number | string

/** Memory that is held until `release`. */
export interface HeldMemory {
  /** Called when less memory is needed than expected. */
  shrink(bytes: number): void
  release(): void
}

/** Memory for each byte of a body: the byte, and the text that is decoded from it, with up to two bytes per character. */
const MEMORY_PER_BYTE = 3
/** One owner may hold a quarter of the memory; an owner that holds nothing may hold any single body. */
const PARTS = 4
/** Waiting requests hold the bytes that came with their heads, so their number is limited. */
const MAX_WAITING = 512
const MAX_OWN_WAITING = 64
const WAIT_MS = 10_000
const RETRY_SECONDS = 2

interface MemoryWaiter {
  readonly owner: MemoryOwner
  readonly bytes: number
  readonly settle: (isGranted: boolean) => void
}

/**
 * Keeps the bodies of requests below `most` bytes in total. The memory of a whole body is held before the body is read:
 * bodies that wait for each other in the middle would all be stuck. The waiting owner that holds the least is next.
 */
export class BodyMemory {
  readonly #most: number
  readonly #waitMs: number
  readonly #bodyBytes: number
  readonly #byOwner = new Map<MemoryOwner, number>()
  /** The bodies that wait, in the order of arrival. */
  readonly #waiting = new Set<MemoryWaiter>()
  #total = 0

  /** `bodyBytes`: the server's limit for one body. */
  constructor(most: number, { waitMs = WAIT_MS, bodyBytes = DEFAULT_SERVER_LIMITS.bodyBytes } = {}) {
    this.#most = most
    this.#waitMs = waitMs
    this.#bodyBytes = bodyBytes
  }

  /** Undefined if the memory is used up. */
  tryHold(owner: MemoryOwner, bytes: number): HeldMemory | undefined {
    const isFree = this.#isWithinPart(owner, bytes) && this.#total + bytes <= this.#most
    return isFree ? this.#hold(owner, bytes) : undefined
  }

  async acquire(owner: MemoryOwner, bytes: number): Promise<HeldMemory> {
    const waiting = this.#waiting
    const held = waiting.size === 0 ? this.tryHold(owner, bytes) : undefined
    if (held !== undefined) return held
    const own = [...waiting].filter((waiter) => waiter.owner === owner).length
    if (waiting.size >= MAX_WAITING || own >= MAX_OWN_WAITING) throw memoryFull()
    return new Promise((resolve, reject) => {
      const settle = (isGranted: boolean) => {
        clearTimeout(timer)
        if (isGranted) resolve(this.#hold(owner, bytes))
        else reject(memoryFull())
      }
      const waiter = { owner, bytes, settle }
      const timer = setTimeout(() => {
        waiting.delete(waiter)
        settle(false)
      }, this.#waitMs)
      waiting.add(waiter)
      this.#grantNext()
    })
  }

  /** Handles a request, and holds the memory of its body from the first read until the request is handled. */
  async during<T>(
    request: Request,
    findOwner: () => MemoryOwner,
    handle: (request: Request) => Promise<T> | T,
  ): Promise<T> {
    let held: HeldMemory | undefined
    const readBody = async (limit = this.#bodyBytes): Promise<Buffer> => {
      const declared = request.bodyLength ?? limit
      // A longer body is refused for its length.
      if (declared <= limit) held ??= await this.acquire(findOwner(), declared * MEMORY_PER_BYTE)
      const body = await request.readBody(limit)
      held?.shrink(body.length * MEMORY_PER_BYTE)
      return body
    }
    try {
      return await handle(new HeldRequest(request, readBody))
    } finally {
      held?.release()
    }
  }

  #heldBy(owner: MemoryOwner): number {
    return this.#byOwner.get(owner) ?? 0
  }

  #isWithinPart(owner: MemoryOwner, bytes: number): boolean {
    const own = this.#heldBy(owner)
    return own === 0 || own + bytes <= this.#most / PARTS
  }

  #hold(owner: MemoryOwner, bytes: number): HeldMemory {
    let held = bytes
    this.#add(owner, held)
    const shrink = (to: number) => {
      this.#add(owner, to - held)
      held = to
      this.#grantNext()
    }
    return { shrink, release: () => shrink(0) }
  }

  #add(owner: MemoryOwner, bytes: number): void {
    this.#total += bytes
    const own = this.#heldBy(owner) + bytes
    if (own === 0) this.#byOwner.delete(owner)
    else this.#byOwner.set(owner, own)
  }

  #grantNext(): void {
    while (this.#waiting.size > 0) {
      const next = this.#findNext()
      // Smaller bodies do not overtake it, or a large body would wait forever.
      if (next === undefined || this.#total + next.bytes > this.#most) return
      this.#waiting.delete(next)
      next.settle(true)
    }
  }

  /** The first waiter of the owner that holds the least, except owners that hold all that they may. */
  #findNext(): MemoryWaiter | undefined {
    let next: MemoryWaiter | undefined
    for (const waiter of this.#waiting) {
      const isBefore = next === undefined || this.#heldBy(waiter.owner) < this.#heldBy(next.owner)
      if (isBefore && this.#isWithinPart(waiter.owner, waiter.bytes)) next = waiter
    }
    return next
  }
}

/** The problem of a request for whose body there is no memory. */
export const memoryFull = () => httpProblem('BodyMemoryFull', { retryAfterSeconds: RETRY_SECONDS })

/** A request whose body holds memory. A class, since an accessor of a single object takes microseconds to define. */
class HeldRequest implements Request {
  readonly #request: Request
  readonly readBody: Request['readBody']
  readonly method: string
  readonly target: string
  readonly headers: Request['headers']
  readonly rawHeaders: Request['rawHeaders']
  readonly bodyLength: number | undefined

  constructor(request: Request, readBody: Request['readBody']) {
    this.#request = request
    this.readBody = readBody
    this.method = request.method
    this.target = request.target
    this.headers = request.headers
    this.rawHeaders = request.rawHeaders
    this.bodyLength = request.bodyLength
  }

  get address(): string {
    return this.#request.address
  }

  drain(): ReturnType<Request['drain']> {
    return this.#request.drain()
  }
}
