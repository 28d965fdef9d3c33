import { setImmediate as turn } from 'node:timers/promises'

/** Rejects with the error that `onTimeout` returns if there is no answer after `ms`. */
export async function limitTime<T>(answer: Promise<T>, ms: number, onTimeout: () => unknown): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  let isAnswered = false
  const giveUp = () => {
    if (!isAnswered) timeout.reject(onTimeout())
  }
  // One poll later: if this process itself hung, answers that have arrived are read between timers and immediates.
  const timer = setTimeout(() => setImmediate(giveUp), ms)
  try {
    return await Promise.race([answer, timeout.promise])
  } finally {
    isAnswered = true
    clearTimeout(timer)
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
