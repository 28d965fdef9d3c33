// authentication.md (Credentials) bounds the hashes of a host, not of a process: where several processes serve, the
// first one has the semaphore, and the workers ask it for each slot.

/** Gives a slot back, or gives up waiting for it. A second call does nothing. */
export type Release = () => void

/** A counting semaphore in which addresses take turns, so that a flood waits behind itself. */
export interface HashSlots {
  /** Calls `granted` when a slot is free and it is the turn of this address: at once, or later. */
  acquire(address: string, granted: (release: Release) => void): Release
  /** Whether `acquire` would grant at once. */
  isFree(): boolean
}

export function createHashSlots(count: number): HashSlots {
  /** What waits, by address; the address whose turn it is comes first. */
  const lines = new Map<string, Set<() => void>>()
  let free = count

  function leave(address: string, grant: () => void): void {
    const line = lines.get(address)
    line?.delete(grant)
    if (line?.size === 0) lines.delete(address)
  }

  function grantNext(): void {
    const [next] = lines
    if (next === undefined) return
    const [address, line] = next
    const [grant] = line
    // To the end of the round, or out of it.
    lines.delete(address)
    if (line.size > 1) lines.set(address, line)
    line.delete(grant as () => void)
    grant?.()
  }

  return {
    acquire(address, granted) {
      let state: 'waiting' | 'held' | 'released' = 'waiting'
      const grant = () => {
        state = 'held'
        free -= 1
        granted(release)
      }
      const release = () => {
        const before = state
        state = 'released'
        if (before === 'waiting') leave(address, grant)
        if (before !== 'held') return
        free += 1
        grantNext()
      }
      if (free > 0) grant()
      else lines.set(address, (lines.get(address) ?? new Set()).add(grant))
      return release
    },
    isFree: () => free > 0,
  }
}

/** From a worker to the first process. The id is the worker's own. */
export type SlotRequest =
  | AcquireSlot
  /** Of a slot that was granted, or of one that is not waited for any more. */
  | { readonly kind: 'release slot'; readonly id: number }

interface AcquireSlot {
  readonly kind: 'acquire slot'
  readonly id: number
  readonly address: string
}

/** From the first process to a worker. */
export interface SlotGrant {
  readonly kind: 'slot granted'
  readonly id: number
}

export interface RemoteSlots extends HashSlots {
  receive(grant: SlotGrant): void
}

/** The slots as a worker sees them: it asks the first process for each. */
export function createRemoteSlots(send: (request: SlotRequest) => void): RemoteSlots {
  const waiting = new Map<number, () => void>()
  let latest = 0
  return {
    acquire(address, granted) {
      latest += 1
      const id = latest
      let released = false
      const release = () => {
        if (released) return
        released = true
        waiting.delete(id)
        send({ kind: 'release slot', id })
      }
      waiting.set(id, () => granted(release))
      send({ kind: 'acquire slot', id, address })
      return release
    },
    receive({ id }) {
      const grant = waiting.get(id)
      waiting.delete(id)
      grant?.()
    },
    // Only the first process knows, and not for long.
    isFree: () => false,
  }
}

export interface SharedSlots {
  receive(request: SlotRequest): void
  /** The worker has ended, and its hashes with it: what it held is free, and what it waited for is not granted. */
  end(): void
}

/** No hash takes so long, even where other programs saturate every core. */
const LONGEST_HOLD_MS = 10_000

/**
 * The slots, on behalf of one worker that asks for them. A worker that stands still must not keep all others from
 * hashing: a slot that it holds for too long is handed on, `onLate` is told, and the worker gets no further slot until
 * it sends a message again.
 */
export function shareSlots(
  slots: HashSlots,
  send: (grant: SlotGrant) => void,
  onLate: (heldMs: number) => void = () => {},
): SharedSlots {
  /** Requests that wait for a slot or, once they have a timer, hold one. */
  const active = new Map<number, Active>()
  /** Requests that waited when the worker was late. */
  const parked = new Map<number, AcquireSlot>()
  let ended = false

  function acquire(request: AcquireSlot): void {
    const { id, address } = request
    parked.delete(id)
    const entry: Active = { request, release: () => {} }
    active.set(id, entry)
    entry.release = slots.acquire(address, (release) => {
      if (ended) return release()
      entry.release = release
      entry.timer = setTimeout(handOn, LONGEST_HOLD_MS, id).unref()
      send({ kind: 'slot granted', id })
    })
  }

  function handOn(id: number): void {
    for (const { request, timer } of [...active.values()]) {
      if (timer !== undefined) continue
      drop(request.id)
      parked.set(request.id, request)
    }
    onLate(LONGEST_HOLD_MS)
    drop(id)
  }

  function drop(id: number): void {
    const { release, timer } = active.get(id) ?? {}
    active.delete(id)
    parked.delete(id)
    clearTimeout(timer)
    release?.()
  }

  return {
    receive(request) {
      if (ended) return
      if (request.kind === 'acquire slot') parked.set(request.id, request)
      else drop(request.id)
      for (const waiting of [...parked.values()]) acquire(waiting)
    },
    end() {
      ended = true
      for (const id of [...active.keys()]) drop(id)
      parked.clear()
    },
  }
}

interface Active {
  readonly request: AcquireSlot
  release: Release
  timer?: NodeJS.Timeout
}
