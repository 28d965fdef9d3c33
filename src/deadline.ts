import { setImmediate as turn } from 'node:timers/promises'

/**
 * Rejects with the error that `onTimeout` returns if there is no answer after `ms`. `unwanted`: aborted when nobody waits
 * for the result any more, so that it does not keep the process running.
 */
export async function limitTime<T>(
  answer: Promise<T>,
  ms: number,
  onTimeout: () => unknown,
  unwanted?: AbortSignal,
): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  let isAnswered = false
  const giveUp = () => {
    if (!isAnswered) timeout.reject(onTimeout())
  }
  // One poll later: if this process itself hung, answers that have arrived are read between timers and immediates.
  const timer = setTimeout(() => setImmediate(giveUp), ms)
  const stopTimer = () => clearTimeout(timer)
  unwanted?.addEventListener('abort', stopTimer)
  try {
    return await Promise.race([answer, timeout.promise])
  } finally {
    isAnswered = true
    stopTimer()
    unwanted?.removeEventListener('abort', stopTimer)
  }
}

/** How long a request works on this thread before others get a turn. */
const SLICE_MS = 5

/** Returns a function to be awaited often: after each slice of time it yields to other requests. */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined
    return turn().then(() => {
      since = performance.now()
    })
  }
}
