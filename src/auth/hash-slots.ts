// authentication.md (Credentials) bounds the hashes of a host, not of a process: where several processes serve, the
// first one has the semaphore, and the workers ask it for each slot.

/** Gives a slot back, or gives up waiting for it. A second call does nothing. */
export type Release = () => void

/** A counting semaphore in which addresses take turns, so that a flood waits behind itself. */
export interface HashSlots {
  /** Calls `granted` when a slot is free and it is the turn of this address: at once, or later. */
  acquire(address: string, granted: () => void): Release
  /** Whether `acquire` would grant at once. */
  isFree(): boolean
}

/** What waits, in one line for each address. */
export class Lines<Waiting> {
  readonly #lines = new Map<string, Set<Waiting>>()
  size = 0

  add(address: string, one: Waiting): void {
    this.#lines.set(address, (this.#lines.get(address) ?? new Set()).add(one))
    this.size++
  }

  remove(address: string, one: Waiting): boolean {
    const line = this.#lines.get(address)
    if (!line?.delete(one)) return false
    if (line.size === 0) this.#lines.delete(address)
    this.size--
    return true
  }

  /** The first of the line whose turn it is, which then goes to the end of the round. */
  takeNext(): Waiting | undefined {
    for (const [address, line] of this.#lines) {
      const [first] = line
      this.remove(address, first as Waiting)
      if (this.#lines.delete(address)) this.#lines.set(address, line)
      return first
    }
    return undefined
  }

  /** The last of the longest line, and among equals of the latest; undefined where no line is longer than this one's. */
  lastOfLongerThan(address: string): Waiting | undefined {
    let longest = new Set<Waiting>()
    for (const line of this.#lines.values()) if (line.size >= longest.size) longest = line
    return longest.size > (this.#lines.get(address)?.size ?? 0) ? [...longest].at(-1) : undefined
  }

  list(): Waiting[] {
    return [...this.#lines.values()].flatMap((line) => [...line])
  }
}

export function createHashSlots(count: number): HashSlots {
  const lines = new Lines<() => void>()
  let free = count
  return {
    acquire(address, granted) {
      let isHeld = false
      const grant = () => {
        isHeld = true
        free -= 1
        granted()
      }
      if (free > 0) grant()
      else lines.add(address, grant)
      return () => {
        lines.remove(address, grant)
        if (!isHeld) return
        isHeld = false
        free += 1
        lines.takeNext()?.()
      }
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
  const requested = new Map<number, () => void>()
  let latest = 0
  return {
    acquire(address, granted) {
      latest += 1
      const id = latest
      requested.set(id, granted)
      send({ kind: 'acquire slot', id, address })
      return () => {
        if (requested.delete(id)) send({ kind: 'release slot', id })
      }
    },
    receive: ({ id }) => requested.get(id)?.(),
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
  /** What ends each request that waits for a slot or holds one. */
  const active = new Map<number, Release>()
  /** Requests whose turn came while the worker was late. */
  const parked = new Map<number, AcquireSlot>()
  let state: 'running' | 'late' | 'ended' = 'running'

  function acquire(request: AcquireSlot): void {
    const { id, address } = request
    let timer: NodeJS.Timeout | undefined
    const release = slots.acquire(address, () => {
      if (state !== 'running') {
        parked.set(id, request)
        return release()
      }
      timer = setTimeout(handOn, LONGEST_HOLD_MS, id).unref()
      send({ kind: 'slot granted', id })
    })
    active.set(id, () => {
      clearTimeout(timer)
      release()
    })
  }

  function handOn(id: number): void {
    state = 'late'
    onLate(LONGEST_HOLD_MS)
    drop(id)
  }

  function drop(id: number): void {
    const release = active.get(id)
    active.delete(id)
    parked.delete(id)
    release?.()
  }

  return {
    receive(request) {
      if (state === 'ended') return
      state = 'running'
      if (request.kind === 'acquire slot') acquire(request)
      else drop(request.id)
      const waiting = [...parked.values()]
      parked.clear()
      for (const one of waiting) acquire(one)
    },
    end() {
      state = 'ended'
      for (const id of active.keys()) drop(id)
    },
  }
}
