import { availableParallelism } from 'node:os'
import { createHashSlots, type HashSlots, type Withdraw } from './hash-slots.ts'

/**
 * Lets a few hashes run at once and a bounded number wait, so that a flood of exchanges neither takes the
 * processor from other requests nor grows memory (authentication.md, Credentials).
 */
export interface HashQueue {
  /** Runs the work when a slot is free. Undefined when there is no place left to wait in, or it had to be given up. */
  run<T>(address: string, work: () => Promise<T>): Promise<T | undefined>
  /** All who wait now hear this error instead: what their work needs is not there, and each would find out in its turn. */
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
  /** Its answer, when it is not to run. */
  readonly giveWay: () => void
  readonly reject: (error: unknown) => void
  withdraw: Withdraw
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
    one.withdraw()
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
        const one: Waiting = { address, giveWay: () => resolve(undefined), reject, withdraw: () => {} }
        enter(one)
        one.withdraw = slots.take(address, (giveBack) => {
          leave(one)
          running += 1
          const end = () => {
            running -= 1
            giveBack()
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
