import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism, setPriority } from 'node:os'
import { promisify } from 'node:util'
import { createHashSlots, type HashSlots, type Release } from './hash-slots.ts'

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
  readonly address: string
  /** Its result, when it is not to run. */
  readonly giveWay: () => void
  readonly reject: (error: unknown) => void
  release: Release
}

/** `slots`: those of this process alone, unless it shares them with others. */
export function createHashQueue(
  { slots: count, places }: HashQueueSize,
  slots: HashSlots = createHashSlots(count),
): HashQueue {
  const lines = new Map<string, Set<Waiting>>()
  let running = 0
  let waiting = 0

  function enter(one: Waiting): void {
    waiting += 1
    lines.set(one.address, (lines.get(one.address) ?? new Set()).add(one))
  }

  function leave(one: Waiting): void {
    waiting -= 1
    const line = lines.get(one.address)
    line?.delete(one)
    if (line?.size === 0) lines.delete(one.address)
  }

  function sendAway(one: Waiting): void {
    leave(one)
    one.release()
  }

  /**
   * Whether there is a place for this address. Where all are taken, the last of the longest line gives way to a
   * newcomer from a shorter one (authentication.md, Step B in order): a few addresses cannot keep all others out.
   */
  function makeRoom(address: string): boolean {
    if (waiting < places) return true
    let longest = new Set<Waiting>()
    // Among equals the latest, whose turn is farthest away.
    for (const line of lines.values()) if (line.size >= longest.size) longest = line
    const last = [...longest].at(-1)
    if (last === undefined || (lines.get(address)?.size ?? 0) >= longest.size) return false
    sendAway(last)
    last.giveWay()
    return true
  }

  return {
    async run<T>(address: string, work: () => Promise<T>) {
      if (!slots.isFree() && !makeRoom(address)) return undefined
      return new Promise<T | undefined>((resolve, reject) => {
        const one: Waiting = { address, giveWay: () => resolve(undefined), reject, release: () => {} }
        enter(one)
        one.release = slots.acquire(address, (release) => {
          leave(one)
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
      for (const one of [...lines.values()].flatMap((line) => [...line])) {
        sendAway(one)
        one.reject(error)
      }
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting
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
