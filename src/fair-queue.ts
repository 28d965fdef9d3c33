/** Gives a slot back, or gives up waiting for it. A second call does nothing. */
export type Release = () => void

/** Called once with the result: it has a slot; or the queue is full, or its place has gone to another owner. */
export type Waiter = (isGranted: boolean) => void

/** A counting semaphore with a bounded queue, in which owners (addresses, or users) take turns. */
export interface Slots {
  /** Answers the waiter at once, or when it is the turn of its owner. */
  acquire(owner: string, waiter: Waiter): Release
}

export interface QueueSize {
  readonly slots: number
  readonly maxWaiting: number
}

export function createSlots({ slots, maxWaiting }: QueueSize): Slots {
  /** Owners take turns (round robin), so that a flood from one delays only itself; the next one first. */
  const queues = new Map<string, Set<Waiter>>()
  let free = slots
  let waiting = 0

  function remove(owner: string, waiter: Waiter): void {
    const queue = queues.get(owner)
    if (!queue?.delete(waiter)) return
    if (queue.size === 0) queues.delete(owner)
    waiting -= 1
  }

  function grantNext(): void {
    for (const [owner, queue] of queues) {
      const [first] = queue
      remove(owner, first as Waiter)
      if (queues.delete(owner)) queues.set(owner, queue)
      first?.(true)
      return
    }
  }

  /**
   * Whether this owner may wait. Where the queue is full, the last of the longest line (of the latest one among equals)
   * gives way to a newcomer from a shorter one (authentication.md, Step B in order): a few owners cannot keep all others
   * out.
   */
  function makeRoom(owner: string): boolean {
    if (waiting < maxWaiting) return true
    let longest = owner
    const lengthOf = (one: string) => queues.get(one)?.size ?? 0
    for (const one of queues.keys())
      if (lengthOf(one) > lengthOf(owner) && lengthOf(one) >= lengthOf(longest)) longest = one
    if (longest === owner) return false
    const last = [...(queues.get(longest) ?? [])].at(-1) as Waiter
    remove(longest, last)
    last(false)
    return true
  }

  return {
    acquire(owner, settle) {
      let isHeld = false
      const waiter: Waiter = (isGranted) => {
        isHeld = isGranted
        if (isGranted) free -= 1
        settle(isGranted)
      }
      if (free > 0) waiter(true)
      else if (makeRoom(owner)) {
        queues.set(owner, (queues.get(owner) ?? new Set()).add(waiter))
        waiting += 1
      } else waiter(false)
      return () => {
        remove(owner, waiter)
        if (!isHeld) return
        isHeld = false
        free += 1
        grantNext()
      }
    },
  }
}

/** Work that waits for slots. */
export interface FairQueue {
  /** Runs the work in a slot. Undefined where there is no place in the queue. */
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
