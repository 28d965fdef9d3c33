/**
 * Lets a few hashes run at once and a bounded number wait, so that a flood of exchanges neither takes the
 * processor from other requests nor grows memory (authentication.md, Credentials). Addresses take turns:
 * whoever floods waits behind himself.
 */
export interface HashQueue {
  /** Runs the work when a slot is free; undefined when there is no place left to wait in. */
  run<T>(address: string, work: () => Promise<T>): Promise<T> | undefined
}

export interface HashQueueSize {
  readonly slots: number
  readonly places: number
  readonly placesPerAddress: number
}

export function createHashQueue({ slots, places, placesPerAddress }: HashQueueSize): HashQueue {
  /** Addresses in the order of their turns; each with its own line. */
  const lines = new Map<string, (() => void)[]>()
  let running = 0
  let waiting = 0

  function next(): void {
    running -= 1
    const [turn] = lines
    if (turn === undefined) return
    const [address, line] = turn
    const start = line.shift()
    // To the back of the round, or out of it.
    lines.delete(address)
    if (line.length > 0) lines.set(address, line)
    waiting -= 1
    start?.()
  }

  function start<T>(work: () => Promise<T>): Promise<T> {
    running += 1
    return work().finally(next)
  }

  return {
    run(address, work) {
      if (running < slots) return start(work)
      const line = lines.get(address) ?? []
      if (waiting >= places || line.length >= placesPerAddress) return undefined
      waiting += 1
      lines.set(address, line)
      return new Promise((resolve, reject) => {
        line.push(() => start(work).then(resolve, reject))
      })
    },
  }
}
