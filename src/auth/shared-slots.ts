import type { GiveBack, HashSlots, Withdraw } from './hash-slots.ts'

// authentication.md bounds the hashes of a host, not those of a process: where several serve, one shares out the slots.

/** From a process that hashes. The id is its own. */
export type SlotRequest =
  | Wanted
  /** Also of one that was asked for and is not wanted any more. */
  | { readonly kind: 'give slot back'; readonly id: number }

interface Wanted {
  readonly kind: 'take slot'
  readonly id: number
  readonly address: string
}

/** To it. */
export interface SlotGrant {
  readonly kind: 'slot granted'
  readonly id: number
}

export interface AskedSlots extends HashSlots {
  receive(grant: SlotGrant): void
}

/** The slots, as a process sees them that has to ask for each. */
export function askForSlots(send: (request: SlotRequest) => void): AskedSlots {
  const asked = new Map<number, (giveBack: GiveBack) => void>()
  let latest = 0
  return {
    take(address, granted) {
      latest += 1
      const id = latest
      asked.set(id, granted)
      send({ kind: 'take slot', id, address })
      return () => {
        if (asked.delete(id)) send({ kind: 'give slot back', id })
      }
    },
    receive({ id }) {
      const granted = asked.get(id)
      asked.delete(id)
      granted?.(() => send({ kind: 'give slot back', id }))
    },
    // Only the other process knows, and not for long.
    isFree: () => false,
  }
}

export interface SharedSlots {
  receive(request: SlotRequest): void
  /** The process has ended, and its hashes with it: what it held is free, and what it waits for is not granted. */
  end(): void
}

/** No hash takes so long, even where others saturate every core. */
const HELD_MS = 10_000

/**
 * The slots, on behalf of one process that asks for them. `onLate`: told that it has kept one for so long that it was
 * handed on. A process that stands still must not keep all others from hashing, and gets no further slot until it is
 * heard of again.
 */
export function shareSlots(
  slots: HashSlots,
  send: (grant: SlotGrant) => void,
  onLate: (heldMs: number) => void = () => {},
): SharedSlots {
  const held = new Map<number, Held>()
  const waiting = new Map<number, Waiting>()
  /** What it was waiting for when it was late. */
  const parked = new Map<number, Wanted>()
  let ended = false

  return {
    receive(request) {
      if (ended) return
      if (request.kind === 'take slot') parked.set(request.id, request)
      else drop(request.id)
      for (const wanted of [...parked.values()]) take(wanted)
    },
    end() {
      ended = true
      for (const id of [...parked.keys(), ...waiting.keys(), ...held.keys()]) drop(id)
    },
  }

  function take(wanted: Wanted): void {
    const { id, address } = wanted
    parked.delete(id)
    const one: Waiting = { wanted, withdraw: () => {} }
    waiting.set(id, one)
    one.withdraw = slots.take(address, (back) => {
      waiting.delete(id)
      held.set(id, { back, timer: setTimeout(handOn, HELD_MS, id).unref() })
      send({ kind: 'slot granted', id })
    })
  }

  function handOn(id: number): void {
    for (const { wanted } of [...waiting.values()]) {
      drop(wanted.id)
      parked.set(wanted.id, wanted)
    }
    onLate(HELD_MS)
    drop(id)
  }

  function drop(id: number): void {
    parked.delete(id)
    waiting.get(id)?.withdraw()
    waiting.delete(id)
    const { back, timer } = held.get(id) ?? {}
    held.delete(id)
    clearTimeout(timer)
    back?.()
  }
}

interface Held {
  readonly back: GiveBack
  readonly timer: NodeJS.Timeout
}

interface Waiting {
  readonly wanted: Wanted
  withdraw: Withdraw
}
