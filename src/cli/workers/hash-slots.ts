// The hash slots of a host, shared by its processes: the first one has them, and each worker asks it by messages.
import type { Release, Slots, Waiter } from '../../fair-queue.ts'

/** A message from a worker to the first process. The worker chooses the id. */
export type SlotRequest =
  | { readonly kind: 'acquire slot'; readonly id: number; readonly address: string }
  /** Releases a slot, or withdraws a request that is still waiting. */
  | { readonly kind: 'release slot'; readonly id: number }

/** A message from the first process to a worker. */
export interface SlotAnswer {
  readonly kind: 'slot'
  readonly id: number
  readonly isGranted: boolean
}

/** The slots as a worker sees them. */
export function createRemoteSlots(send: (request: SlotRequest) => void) {
  const requested = new Map<number, Waiter>()
  let latest = 0
  return {
    acquire(address: string, waiter: Waiter): Release {
      latest += 1
      const id = latest
      requested.set(id, waiter)
      send({ kind: 'acquire slot', id, address })
      return () => {
        if (requested.delete(id)) send({ kind: 'release slot', id })
      }
    },
    receive({ id, isGranted }: SlotAnswer): void {
      const waiter = requested.get(id)
      if (!isGranted) requested.delete(id)
      waiter?.(isGranted)
    },
  }
}

/** No hash takes this long, even if other programs saturate every core. */
const LONGEST_HOLD_MS = 10_000

/**
 * Acquires slots on behalf of one worker. A worker that hangs must not keep the others from hashing: a slot that it holds
 * for too long is reclaimed, `onHang` is called, and the worker gets no further slot until it sends a message again.
 */
export function shareSlots(
  slots: Slots,
  send: (answer: SlotAnswer) => void,
  onHang: (heldMs: number) => void = () => {},
) {
  /** How to release the slot of each request that waits for one or holds one. */
  const active = new Map<number, Release>()
  /** The addresses of requests whose turn came while the worker hung. */
  const deferred = new Map<number, string>()
  let state: 'running' | 'hung' | 'ended' = 'running'

  function acquire(id: number, address: string): void {
    let timer: NodeJS.Timeout | undefined
    active.set(id, () => {
      clearTimeout(timer)
      release()
    })
    const release = slots.acquire(address, (isGranted) => {
      if (isGranted && state !== 'running') {
        deferred.set(id, address)
        return release()
      }
      if (isGranted) timer = setTimeout(reclaim, LONGEST_HOLD_MS, id).unref()
      else active.delete(id)
      send({ kind: 'slot', id, isGranted })
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
    receive(request: SlotRequest): void {
      if (state === 'ended') return
      state = 'running'
      if (request.kind === 'acquire slot') acquire(request.id, request.address)
      else drop(request.id)
      const retried = [...deferred]
      deferred.clear()
      for (const [id, address] of retried) acquire(id, address)
    },
    /** The worker has ended, and its hashes with it. */
    end(): void {
      state = 'ended'
      for (const id of active.keys()) drop(id)
    },
  }
}
