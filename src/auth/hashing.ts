import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism, setPriority } from 'node:os'
import { promisify } from 'node:util'

/** Gives a slot back, or gives up waiting for it. A second call does nothing. */
export type Release = () => void

/** Told once whether it has a slot. Otherwise the queue is full, or its place has gone to another address. */
export type Waiter = (isGranted: boolean) => void

/**
 * A counting semaphore with a bounded queue: a flood of exchanges takes neither the processor from other requests nor all
 * memory. It bounds the hashes of a host, not of a process (authentication.md, Credentials): where several processes
 * serve, the first one has it, and cli/workers/ asks for each slot.
 */
export interface HashSlots {
  /** Answers the waiter at once, or when it is the turn of its address. */
  acquire(address: string, waiter: Waiter): Release
}

export interface HashQueueSize {
  readonly slots: number
  readonly maxWaiting: number
}

/** Leaves a core to everything else (authentication.md, Credentials). */
export const defaultQueue = (): HashQueueSize => ({
  slots: Math.max(1, availableParallelism() - 1),
  maxWaiting: 512,
})

export function createHashSlots({ slots, maxWaiting }: HashQueueSize = defaultQueue()): HashSlots {
  /** Addresses take turns (round robin), so that a flood from one delays only itself; the next one first. */
  const queues = new Map<string, Set<Waiter>>()
  let free = slots
  let waiting = 0

  function remove(address: string, waiter: Waiter): void {
    const queue = queues.get(address)
    if (!queue?.delete(waiter)) return
    if (queue.size === 0) queues.delete(address)
    waiting -= 1
  }

  function grantNext(): void {
    for (const [address, queue] of queues) {
      const [first] = queue
      remove(address, first as Waiter)
      if (queues.delete(address)) queues.set(address, queue)
      first?.(true)
      return
    }
  }

  /**
   * Whether this address may wait. Where the queue is full, the last of the longest line (of the latest one among equals)
   * gives way to a newcomer from a shorter one (authentication.md, Step B in order): a few addresses cannot keep all
   * others out.
   */
  function makeRoom(address: string): boolean {
    if (waiting < maxWaiting) return true
    let longest = address
    const lengthOf = (one: string) => queues.get(one)?.size ?? 0
    for (const one of queues.keys())
      if (lengthOf(one) > lengthOf(address) && lengthOf(one) >= lengthOf(longest)) longest = one
    if (longest === address) return false
    const last = [...(queues.get(longest) ?? [])].at(-1) as Waiter
    remove(longest, last)
    last(false)
    return true
  }

  return {
    acquire(address, settle) {
      let isHeld = false
      const waiter: Waiter = (isGranted) => {
        isHeld = isGranted
        if (isGranted) free -= 1
        settle(isGranted)
      }
      if (free > 0) waiter(true)
      else if (makeRoom(address)) {
        queues.set(address, (queues.get(address) ?? new Set()).add(waiter))
        waiting += 1
      } else waiter(false)
      return () => {
        remove(address, waiter)
        if (!isHeld) return
        isHeld = false
        free += 1
        grantNext()
      }
    },
  }
}

/** The hashes of this process. */
export interface HashQueue {
  /** Runs the work in a slot. Undefined where there is no place in the queue. */
  run<T>(address: string, work: () => Promise<T>): Promise<T | undefined>
  /** Rejects all work that waits now. */
  refuseWaiting(error: unknown): void
  readonly running: number
  readonly waiting: number
}

export function createHashQueue(slots: HashSlots = createHashSlots()): HashQueue {
  const waiting = new Set<(error: unknown) => void>()
  let running = 0

  return {
    run: <T>(address: string, work: () => Promise<T>) =>
      new Promise<T | undefined>((resolve, reject) => {
        const refuse = (error: unknown) => {
          waiting.delete(refuse)
          release()
          reject(error)
        }
        waiting.add(refuse)
        const release = slots.acquire(address, (isGranted) => {
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

/** The lowest priority, which still gets a share: where others saturate every core, a sign-in takes seconds. */
const NICE = 19

/**
 * Gives hashing the lowest priority on the machine: a hash takes tens of milliseconds of a core, a request with a token a
 * fraction of one. Hashes run on libuv's thread pool, which has no other urgent work in this process; not called by a
 * service that only uses the gate. Node.js cannot set the priority of its threads, but Linux can, by the id of a thread,
 * found by its name; elsewhere only the number of hashes is bounded.
 */
export async function lowerHashPriority(): Promise<void> {
  if (process.platform !== 'linux') return
  // The pool starts its threads when it is first used.
  await promisify(randomBytes)(1)
  const tasks = '/proc/self/task'
  for (const task of await readdir(tasks)) {
    const name = await readFile(`${tasks}/${task}/comm`, 'utf8')
    if (name.trim() === 'libuv-worker') setPriority(Number(task), NICE)
  }
}
