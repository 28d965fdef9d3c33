import { limitTime } from './deadline.ts'

/** The keys that some work writes to, and the keys that must not change while it runs. */
export interface LockKeys {
  readonly exclusive: readonly string[]
  readonly shared: readonly string[]
}

/** Holders and waiters of a lock, each as the promise of its release. */
interface Lock {
  /** The last exclusive holder or waiter. */
  exclusive: Promise<void> | undefined
  /** The shared holders or waiters behind it. */
  readonly shared: Set<Promise<void>>
}

/** How long work waits for its locks, and the error if it waits longer. */
export interface LockLimit {
  readonly ms: number
  readonly onTimeout: () => Error
}

/**
 * Read-write locks by key, first come, first served: on SQLite each change sees the one before, and on PostgreSQL no
 * request occupies a connection while it waits for another. All locks of a piece of work are requested at once, so there
 * are no deadlocks. Work that has begun is not abandoned.
 */
export function createLocks(limit?: LockLimit): <T>(keys: LockKeys, work: () => Promise<T>) => Promise<T> {
  const locks = new Map<string, Lock>()

  /** Queues up for all keys; returns the holders to wait for. */
  function enqueue({ exclusive, shared }: LockKeys, released: Promise<void>): Set<Promise<void>> {
    const before = new Set<Promise<void>>()
    // A key that is named twice must not wait for itself.
    for (const key of new Set(exclusive)) {
      const lock = locks.get(key)
      if (lock?.exclusive !== undefined) before.add(lock.exclusive)
      for (const holder of lock?.shared ?? []) before.add(holder)
      locks.set(key, { exclusive: released, shared: new Set() })
    }
    for (const key of shared) {
      const lock = locks.get(key) ?? { exclusive: undefined, shared: new Set() }
      if (lock.exclusive === released) continue
      if (lock.exclusive !== undefined) before.add(lock.exclusive)
      lock.shared.add(released)
      locks.set(key, lock)
    }
    return before
  }

  function remove({ exclusive, shared }: LockKeys, released: Promise<void>): void {
    for (const key of [...exclusive, ...shared]) {
      const lock = locks.get(key)
      if (lock === undefined) continue
      if (lock.exclusive === released) lock.exclusive = undefined
      lock.shared.delete(released)
      if (lock.exclusive === undefined && lock.shared.size === 0) locks.delete(key)
    }
  }

  return async (keys, work) => {
    const released = Promise.withResolvers<void>()
    const before = enqueue(keys, released.promise)
    const acquired = before.size === 0 ? undefined : Promise.all(before)
    try {
      if (acquired !== undefined) await (limit ? limitTime(acquired, limit.ms, limit.onTimeout) : acquired)
      return await work()
    } finally {
      const release = () => {
        remove(keys, released.promise)
        released.resolve()
      }
      // Even after a timeout, release only after the holders ahead: the waiters behind wait only for this one.
      if (acquired === undefined) release()
      else acquired.then(release)
    }
  }
}
