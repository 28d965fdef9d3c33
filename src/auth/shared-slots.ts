import type { GiveBack, HashSlots } from './hash-slots.ts'

// authentication.md bounds the hashes of a host, not those of a process: where several serve, one shares out the slots.

/** From a process that hashes. The id is its own. */
export type SlotRequest =
  | { readonly kind: 'take slot'; readonly id: number; readonly address: string }
  | { readonly kind: 'give slot back'; readonly id: number }

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
      asked.set(latest, granted)
      send({ kind: 'take slot', id: latest, address })
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

/** The slots, on behalf of one process that asks for them. */
export function shareSlots(slots: HashSlots, send: (grant: SlotGrant) => void): SharedSlots {
  const held = new Map<number, GiveBack>()
  let ended = false

  return {
    receive(request) {
      if (request.kind === 'take slot') take(request)
      else giveBack(request.id)
    },
    end() {
      ended = true
      for (const id of [...held.keys()]) giveBack(id)
    },
  }

  function take({ id, address }: { readonly id: number; readonly address: string }): void {
    slots.take(address, (back) => {
      if (ended) {
        back()
        return
      }
      held.set(id, back)
      send({ kind: 'slot granted', id })
    })
  }

  function giveBack(id: number): void {
    const back = held.get(id)
    held.delete(id)
    back?.()
  }
}
