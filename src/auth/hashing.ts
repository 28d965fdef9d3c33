import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism, setPriority } from 'node:os'
import { promisify } from 'node:util'
import { createHashSlots, type HashSlots, Lines } from './hash-slots.ts'

/**
 * Lets a few hashes run at once and a bounded number wait, so that a flood of exchanges neither takes the processor
 * from other requests nor grows memory (authentication.md, Credentials).
 */
export interface HashQueue {
  /** Runs the work when a slot is free. Undefined when no place to wait in is left, or the place had to be given up. */
  run<T>(address: string, work: () => Promise<T>): Promise<T | undefined>
  /** Rejects all work that waits now: what it needs is not there, and each would find out after the other. */
  refuseWaiting(error: unknown): void
  readonly running: number
  readonly waiting: number
}

export interface HashQueueSize {
  readonly slots: number
  readonly places: number
}

/** As many hashes at once as leave a core to everything else; authentication.md, Credentials. */
export const defaultQueue = (): HashQueueSize => ({
  slots: Math.max(1, availableParallelism() - 1),
  places: 512,
})

interface Waiting {
  readonly resolve: (result: undefined) => void
  readonly reject: (error: unknown) => void
  /** Takes it out of the line. */
  readonly leave: () => void
}

/** `slots`: those of this process alone, unless it shares them with others. */
export function createHashQueue(
  { slots: count, places }: HashQueueSize,
  slots: HashSlots = createHashSlots(count),
): HashQueue {
  const lines = new Lines<Waiting>()
  let running = 0

  /**
   * Whether there is a place for this address. Where all are taken, the last of the longest line gives way to a
   * newcomer from a shorter one (authentication.md, Step B in order): a few addresses cannot keep all others out.
   */
  function makeRoom(address: string): boolean {
    if (lines.size < places) return true
    const last = lines.lastOfLongerThan(address)
    last?.leave()
    last?.resolve(undefined)
    return last !== undefined
  }

  return {
    async run<T>(address: string, work: () => Promise<T>) {
      if (!slots.isFree() && !makeRoom(address)) return undefined
      return new Promise<T | undefined>((resolve, reject) => {
        const leave = () => {
          lines.remove(address, one)
          release()
        }
        const one: Waiting = { resolve, reject, leave }
        lines.add(address, one)
        const release = slots.acquire(address, () => {
          lines.remove(address, one)
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
      for (const { leave, reject } of lines.list()) {
        leave()
        reject(error)
      }
    },
    get running() {
      return running
    },
    get waiting() {
      return lines.size
    },
  }
}

/** The lowest, which is still a share: where others saturate every core, a sign-in takes seconds, and is not impossible. */
const NICE = 19

/**
 * Makes hashing yield to everything else on the machine: a hash takes tens of milliseconds of a core, a request with a
 * token a fraction of one. Hashes run on libuv's pool, which does nothing else in this process that is in a hurry; a
 * service that only borrows the gate keeps its own priorities. Node.js has no call for the priority of its threads, but
 * Linux has one for each thread, found by its name; elsewhere the bounded number of hashes at once has to do.
 */
export async function lowerHashPriority(): Promise<void> {
  if (process.platform !== 'linux') return
  // The threads of the pool are made when it is first used.
  await promisify(randomBytes)(1)
  const tasks = '/proc/self/task'
  for (const task of await readdir(tasks)) {
    const name = await readFile(`${tasks}/${task}/comm`, 'utf8')
    if (name.trim() === 'libuv-worker') setPriority(Number(task), NICE)
  }
}
