// authentication.md (Credentials) bounds the hashes of a host, not of a process: where several processes serve, the
// first one has the semaphore, and the workers ask it for each slot.

/** Gives a slot back, or gives up waiting for it. A second call does nothing. */
export type Release = () => void

/** A counting semaphore that serves addresses in turn (round robin), so that a flood from one delays only itself. */
export interface HashSlots {
  /** Calls `granted` when a slot is free and it is the turn of this address: at once, or later. */
  acquire(address: string, granted: () => void): Release
  /** Whether `acquire` would grant at once. */
  isFree(): boolean
}

/** A queue for each address, served in turn (round robin). */
export class FairQueue<Item> {
  /** In the order in which they are served. */
  readonly #queues = new Map<string, Set<Item>>()
  size = 0

  add(address: string, item: Item): void {
    this.#queues.set(address, (this.#queues.get(address) ?? new Set()).add(item))
    this.size++
  }

  remove(address: string, item: Item): boolean {
    const queue = this.#queues.get(address)
    if (!queue?.delete(item)) return false
    if (queue.size === 0) this.#queues.delete(address)
    this.size--
    return true
  }

  takeNext(): Item | undefined {
    for (const [address, queue] of this.#queues) {
      const [first] = queue
      this.remove(address, first as Item)
      if (this.#queues.delete(address)) this.#queues.set(address, queue)
      return first
    }
    return undefined
  }

  /** The last item of the longest queue, of the latest among equals; undefined where none is longer than this address's. */
  lastOfLongerThan(address: string): Item | undefined {
    let longest = new Set<Item>()
    for (const queue of this.#queues.values()) if (queue.size >= longest.size) longest = queue
    return longest.size > (this.#queues.get(address)?.size ?? 0) ? [...longest].at(-1) : undefined
  }

  list(): Item[] {
    return [...this.#queues.values()].flatMap((queue) => [...queue])
  }
}

export function createHashSlots(count: number): HashSlots {
  const waiting = new FairQueue<() => void>()
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
      else waiting.add(address, grant)
      return () => {
        waiting.remove(address, grant)
        if (!isHeld) return
        isHeld = false
        free += 1
        waiting.takeNext()?.()
      }
    },
    isFree: () => free > 0,
  }
}

/** From a worker to the first process. The id is the worker's own. */
export type SlotRequest =
  | AcquireSlot
  /** Whether the slot was granted, or is still waited for. */
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
    // Only the first process knows.
    isFree: () => false,
  }
}

export interface SharedSlots {
  receive(request: SlotRequest): void
  /** Called when the worker has ended, and its hashes with it: releases its slots and drops its requests. */
  end(): void
}

/** No hash takes so long, even where other programs saturate every core. */
const LONGEST_HOLD_MS = 10_000

/**
 * Acquires slots on behalf of one worker. A worker that hangs must not keep the others from hashing: a slot that it holds
 * for too long is reclaimed, `onHang` is called, and the worker gets no further slot until it sends a message again.
 */
export function shareSlots(
  slots: HashSlots,
  send: (grant: SlotGrant) => void,
  onHang: (heldMs: number) => void = () => {},
): SharedSlots {
  /** Of each request that waits for a slot or holds one. */
  const active = new Map<number, Release>()
  /** Requests whose turn came while the worker hung. */
  const deferred = new Map<number, AcquireSlot>()
  let state: 'running' | 'hung' | 'ended' = 'running'

  function acquire(request: AcquireSlot): void {
    const { id, address } = request
    let timer: NodeJS.Timeout | undefined
    const release = slots.acquire(address, () => {
      if (state !== 'running') {
        deferred.set(id, request)
        return release()
      }
      timer = setTimeout(reclaim, LONGEST_HOLD_MS, id).unref()
      send({ kind: 'slot granted', id })
    })
    active.set(id, () => {
      clearTimeout(timer)
      release()
    })
  }

  function reclaim(id: number): void {
    state = 'hung'
    onHang(LONGEST_HOLD_MS)
    drop(id)
  }

  function drop(id: number): void {
    const release = active.get(id)
    active.delete(id)
    deferred.delete(id)
    release?.()
  }

  return {
    receive(request) {
      if (state === 'ended') return
      state = 'running'
      if (request.kind === 'acquire slot') acquire(request)
      else drop(request.id)
      const retried = [...deferred.values()]
      deferred.clear()
      for (const request of retried) acquire(request)
    },
    end() {
      state = 'ended'
      for (const id of active.keys()) drop(id)
    },
  }
}
