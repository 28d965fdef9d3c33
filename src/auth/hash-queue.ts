import { availableParallelism } from 'node:os'
import { createHashSlots, type HashSlots, type Withdraw } from './hash-slots.ts'

/**
 * Lets a few hashes run at once and a bounded number wait, so that a flood of exchanges neither takes the
 * processor from other requests nor grows memory (authentication.md, Credentials).
 */
export interface HashQueue {
  /** Runs the work when a slot is free; undefined when there is no place left to wait in. */
  run<T>(address: string, work: () => Promise<T>): Promise<T> | undefined
  /** All who wait now hear this error instead: what their work needs is not there, and each would find out in its turn. */
  refuseWaiting(error: unknown): void
  readonly running: number
  readonly waiting: number
}

export interface HashQueueSize {
  readonly slots: number
  readonly places: number
  readonly placesPerAddress: number
}

/** As many hashes at once as leave a core to everything else; authentication.md, Credentials. */
export const defaultQueue = (): HashQueueSize => ({
  slots: Math.max(1, availableParallelism() - 1),
  places: 512,
  placesPerAddress: 128,
})

interface Waiting {
  readonly address: string
  readonly reject: (error: unknown) => void
  withdraw: Withdraw
}

/** `slots`: those of this process alone, unless it shares them with others. */
export function createHashQueue(
  { slots: count, places, placesPerAddress }: HashQueueSize,
  slots: HashSlots = createHashSlots(count),
): HashQueue {
  const waiting = new Set<Waiting>()
  const waitingOf = new Map<string, number>()
  let running = 0

  const isFull = (address: string): boolean =>
    waiting.size >= places || (waitingOf.get(address) ?? 0) >= placesPerAddress

  function enter(one: Waiting): void {
    waiting.add(one)
    waitingOf.set(one.address, (waitingOf.get(one.address) ?? 0) + 1)
  }

  function leave(one: Waiting): void {
    waiting.delete(one)
    const { address } = one
    const left = (waitingOf.get(address) ?? 0) - 1
    if (left > 0) waitingOf.set(address, left)
    else waitingOf.delete(address)
  }

  return {
    run(address, work) {
      if (!slots.isFree() && isFull(address)) return undefined
      return new Promise((resolve, reject) => {
        const one: Waiting = { address, reject, withdraw: () => {} }
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
      for (const one of [...waiting]) {
        leave(one)
        one.withdraw()
        one.reject(error)
      }
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting.size
    },
  }
}
