import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type HttpError, unavailable } from '../../errors.ts'
import { codeOf, isConflict, isTakenElsewhere, isTooLate } from './errors.ts'

const LOCK_NOT_AVAILABLE = '55P03'
const MOST_TRIES = 4
/** Later than this nothing is begun again: whoever waits is to hear within 3 s that it was in vain. */
const PATIENCE_MS = 1_000
/** Those who were in each other's way must not meet again. */
const MOST_PAUSE_MS = 20

export const busy = (): HttpError => unavailable('The database is busy; try again shortly.', 1)

/**
 * Another writer was in the way, and PostgreSQL has undone what was begun. Also by a value that was free when it was
 * looked for: next time it is seen. Or it was too late by a clock that has been set: next time that is known.
 */
const isInTheWay = (error: unknown): boolean =>
  isConflict(error) || isTakenElsewhere(error) || isTooLate(error) || codeOf(error) === LOCK_NOT_AVAILABLE

/**
 * Whether PostgreSQL itself has refused it and gone on: then nothing of it was written, and it may be made again. Where
 * the connection broke nobody knows, and where time was up there is no more.
 */
export const isUndone = (error: unknown): boolean =>
  isInTheWay(error) || error instanceof postgres.PostgresError

/** Whether there is time for one more try. */
export function createPatience(): () => boolean {
  const end = performance.now() + PATIENCE_MS
  return () => performance.now() < end
}

/** Again where another writer was in the way, a few times. */
export async function retrying<T>(
  work: () => Promise<T>,
  hasTime: () => boolean = createPatience(),
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isInTheWay(error) || tries === MOST_TRIES || !hasTime()) throw error
    }
    await sleep(Math.random() * MOST_PAUSE_MS * tries)
  }
}
