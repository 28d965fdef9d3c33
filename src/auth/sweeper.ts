import type { AuthStore, FailureLimits } from '../store/store.ts'
import type { Clock } from './clock.ts'

const INTERVAL_MS = 60_000
/** Small, because the embedded store deletes on the main thread. */
const BATCH = 500

export interface SweeperParts {
  readonly store: AuthStore
  readonly clock: Clock
  readonly limits: FailureLimits
  readonly onError: (error: unknown) => void
  readonly intervalMs?: number
}

/** Removes expired tokens, spent nonces and old failures, batch by batch, off the path of requests. */
export function startSweeper({ store, clock, limits, onError, intervalMs = INTERVAL_MS }: SweeperParts) {
  let stopped = false
  let sweeping: Promise<void> = Promise.resolve()

  async function sweep(): Promise<void> {
    try {
      while (!stopped && (await store.sweep(clock.now(), limits, BATCH)));
    } catch (error) {
      // A locked or full database: the next round tries again.
      onError(error)
    }
  }

  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep)
  }, intervalMs)
  timer.unref()

  return {
    async stop(): Promise<void> {
      stopped = true
      clearInterval(timer)
      await sweeping
    },
  }
}
