import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism, setPriority } from 'node:os'
import { promisify } from 'node:util'
import { createHashSlots, FairQueue, type HashSlots } from './hash-slots.ts'

/**
 * Lets a few hashes run at once and a bounded number wait, so that a flood of exchanges takes neither the processor from
 * other requests nor all memory (authentication.md, Credentials).
 */
export interface HashQueue {
  /** Runs the work when a slot is free. Undefined when the queue is full, or the work has given way to another address. */
  run<T>(address: string, work: () => Promise<T>): Promise<T | undefined>
  /** Rejects all work that waits now. */
  refuseWaiting(error: unknown): void
  readonly running: number
  readonly waiting: number
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

interface Waiting {
  readonly resolve: (result: undefined) => void
  readonly reject: (error: unknown) => void
  /** Takes it out of the queue. */
  readonly leave: () => void
}

/** `slots`: by default those of this process alone. */
export function createHashQueue(
  { slots: count, maxWaiting }: HashQueueSize,
  slots: HashSlots = createHashSlots(count),
): HashQueue {
  const queue = new FairQueue<Waiting>()
  let running = 0

  /**
   * Whether this address may wait. Where the queue is full, the last of the longest queue gives way to a newcomer from a
   * shorter one (authentication.md, Step B in order): a few addresses cannot keep all others out.
   */
  function makeRoom(address: string): boolean {
    if (queue.size < maxWaiting) return true
    const last = queue.lastOfLongerThan(address)
    last?.leave()
    last?.resolve(undefined)
    return last !== undefined
  }

  return {
    async run<T>(address: string, work: () => Promise<T>) {
      if (!slots.isFree() && !makeRoom(address)) return undefined
      return new Promise<T | undefined>((resolve, reject) => {
        const leave = () => {
          queue.remove(address, waiting)
          release()
        }
        const waiting: Waiting = { resolve, reject, leave }
        queue.add(address, waiting)
        const release = slots.acquire(address, () => {
          queue.remove(address, waiting)
          running += 1
          const end = () => {
            running -= 1
            release()
          }
          work().finally(end).then(resolve, reject)
        })
      })
    },
    refuseWaiting(error) {
      for (const { leave, reject } of queue.list()) {
        leave()
        reject(error)
      }
    },
    get running() {
      return running
    },
    get waiting() {
      return queue.size
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
