/** Gives a slot back, for the next hash. */
export type GiveBack = () => void

/** Whoever waits for a slot does so no longer. Does nothing once it was granted. */
export type Withdraw = () => void

type Granted = (giveBack: GiveBack) => void

/** Says when a hash may run. Addresses take turns: whoever floods waits behind himself. */
export interface HashSlots {
  /** Calls back when it is this address's turn and a slot is free: at once, or later. */
  take(address: string, granted: Granted): Withdraw
  /** Whether it would be at once. */
  isFree(): boolean
}

export function createHashSlots(slots: number): HashSlots {
  /** Addresses in the order of their turns; each with its own line. */
  const lines = new Map<string, Granted[]>()
  let free = slots

  function giveBack(): void {
    free += 1
    const [turn] = lines
    if (turn === undefined) return
    const [address, line] = turn
    const granted = line.shift()
    // To the back of the round, or out of it.
    lines.delete(address)
    if (line.length > 0) lines.set(address, line)
    if (granted !== undefined) grant(granted)
  }

  function grant(granted: Granted): void {
    free -= 1
    granted(giveBack)
  }

  function withdraw(address: string, granted: Granted): void {
    const line = lines.get(address) ?? []
    const place = line.indexOf(granted)
    if (place === -1) return
    line.splice(place, 1)
    if (line.length === 0) lines.delete(address)
  }

  return {
    take(address, granted) {
      if (free > 0) {
        grant(granted)
        return () => {}
      }
      const line = lines.get(address) ?? []
      line.push(granted)
      lines.set(address, line)
      return () => withdraw(address, granted)
    },
    isFree: () => free > 0,
  }
}
