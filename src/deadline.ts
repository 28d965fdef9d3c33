/** Rejects with the error that `onTimeout` returns where there is no answer after `ms`. */
export async function limitTime<T>(answer: Promise<T>, ms: number, onTimeout: () => unknown): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  let isAnswered = false
  const giveUp = () => {
    if (!isAnswered) timeout.reject(onTimeout())
  }
  // One poll later: where this very process hung, answers that have arrived are read between timers and immediates.
  const timer = setTimeout(() => setImmediate(giveUp), ms)
  try {
    return await Promise.race([answer, timeout.promise])
  } finally {
    isAnswered = true
    clearTimeout(timer)
  }
}
