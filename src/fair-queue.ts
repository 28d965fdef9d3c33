/** Gives a slot back, or gives up waiting for it. A second call does nothing. */
export type Release = () => void

/** Called once with the result: true for a slot, false if the queue is full or its place has gone to another owner. */
export type Waiter = (isGranted: boolean) => void

/** A counting semaphore with a bounded queue, in which owners (addresses, or users) take turns. */
export interface Slots {
  /** Calls the waiter at once, or when it is the turn of its owner. */
  acquire(owner: string, waiter: Waiter): Release
}

export interface QueueSize {
  readonly slots: number
  readonly maxWaiting: number
}

export const createSlots = (size: QueueSize): Slots => new SlotQueue(size)

class SlotQueue implements Slots {
  readonly #maxWaiting: number
  /** Waiters by owner; the first owner is next. Owners take turns (round robin), so that a flood from one delays only itself. */
  readonly #queues = new Map<string, Set<Waiter>>()
  #free: number
  #waiting = 0

  constructor({ slots, maxWaiting }: QueueSize) {
    this.#free = slots
    this.#maxWaiting = maxWaiting
  }

  acquire(owner: string, settle: Waiter): Release {
    let isHeld = false
    const waiter: Waiter = (isGranted) => {
      isHeld = isGranted
      if (isGranted) this.#free -= 1
      settle(isGranted)
    }
    if (this.#free > 0) waiter(true)
    else if (this.#makeRoom(owner)) {
      this.#queues.set(owner, (this.#queues.get(owner) ?? new Set()).add(waiter))
      this.#waiting += 1
    } else waiter(false)
    return () => {
      this.#remove(owner, waiter)
      if (!isHeld) return
      isHeld = false
      this.#free += 1
      this.#grantNext()
    }
  }

  #remove(owner: string, waiter: Waiter): void {
    const queue = this.#queues.get(owner)
    if (!queue?.delete(waiter)) return
    if (queue.size === 0) this.#queues.delete(owner)
    this.#waiting -= 1
  }

  #grantNext(): void {
    for (const [owner, queue] of this.#queues) {
      const [first] = queue
      this.#remove(owner, first as Waiter)
      if (this.#queues.delete(owner)) this.#queues.set(owner, queue)
      first?.(true)
      return
    }
  }

  /**
   * Whether this owner may wait. If the queue is full, the last waiter of the longest line (the latest line among equals)
   * loses its place to a newcomer from a shorter line (authentication.md, Step B in order), so that a few owners cannot
   * keep all others out.
   */
  #makeRoom(owner: string): boolean {
    if (this.#waiting < this.#maxWaiting) return true
    let longest = owner
    const lengthOf = (one: string) => this.#queues.get(one)?.size ?? 0
    for (const one of this.#queues.keys())
      if (lengthOf(one) > lengthOf(owner) && lengthOf(one) >= lengthOf(longest)) longest = one
    if (longest === owner) return false
    const last = [...(this.#queues.get(longest) ?? [])].at(-1) as Waiter
    this.#remove(longest, last)
    last(false)
    return true
  }
}

/** Work that waits for slots. */
export interface FairQueue {
  /** Runs the work in a slot. Undefined if there is no place in the queue. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T | undefined>
  /** Rejects all work that waits now. */
  refuseWaiting(error: unknown): void
  readonly running: number
  readonly waiting: number
}

export function createFairQueue(slots: Slots): FairQueue {
  const waiting = new Set<(error: unknown) => void>()
  let running = 0

  return {
    run: <T>(owner: string, work: () => Promise<T>) =>
      new Promise<T | undefined>((resolve, reject) => {
        const refuse = (error: unknown) => {
          waiting.delete(refuse)
          release()
          reject(error)
        }
        waiting.add(refuse)
        const release = slots.acquire(owner, (isGranted) => {
          waiting.delete(refuse)
          if (!isGranted) return resolve(undefined)
          running += 1
          const end = () => {
            running -= 1
            release()
          }
          work().finally(end).then(resolve, reject)
        })
      }),
    refuseWaiting(error) {
      for (const refuse of waiting) refuse(error)
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting.size
    },
  }
}
