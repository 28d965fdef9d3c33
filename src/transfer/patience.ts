import { setTimeout as wait } from 'node:timers/promises'
import { HttpError } from '../errors.ts'

const PATIENCE_MS = 60_000
const RETRY_MS = 50

/**
 * A server that writes to the same database, or another import, may hold its lock for longer than a request would wait.
 * What was refused for that has changed nothing and can be tried again.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 503 || performance.now() > deadline) throw error
      await wait(RETRY_MS)
    }
  }
}
