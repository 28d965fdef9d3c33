import { availableParallelism } from 'node:os'
import { createHashSlots, type HashSlots } from './hash-slots.ts'

/**
 * Lets a few hashes run at once and a bounded number wait, so that a flood of exchanges neither takes the
 * processor from other requests nor grows memory (authentication.md, Credentials).
 */
export interface HashQueue {
  /** Runs the work when a slot is free; undefined when there is no place left to wait in. */
  run<T>(address: string, work: () => Promise<T>): Promise<T> | undefined
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

/** `slots`: those of this process alone, unless it shares them with others. */
export function createHashQueue(
  { slots: count, places, placesPerAddress }: HashQueueSize,
  slots: HashSlots = createHashSlots(count),
): HashQueue {
  const waitingOf = new Map<string, number>()
  let running = 0
  let waiting = 0

  const isFull = (address: string): boolean =>
    waiting >= places || (waitingOf.get(address) ?? 0) >= placesPerAddress

  function wait(address: string): void {
    waiting += 1
    waitingOf.set(address, (waitingOf.get(address) ?? 0) + 1)
  }

  function begin(address: string): void {
    running += 1
    waiting -= 1
    const left = (waitingOf.get(address) ?? 0) - 1
    if (left > 0) waitingOf.set(address, left)
    else waitingOf.delete(address)
  }

  return {
    run(address, work) {
      if (!slots.isFree() && isFull(address)) return undefined
      wait(address)
      return new Promise((resolve, reject) => {
        slots.take(address, (giveBack) => {
          begin(address)
          const end = () => {
            running -= 1
            giveBack()
          }
          work().finally(end).then(resolve, reject)
        })
      })
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
  }
}
