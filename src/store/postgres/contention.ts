import { setTimeout as sleep } from 'node:timers/promises'
import { HttpError, OutcomeUnknown, unavailable } from '../../errors.ts'
import { isInTheWay, isOfPostgres } from './errors.ts'

const MOST_TRIES = 4
/** Nothing is begun later, so that every request is answered within 3 s, also where the database is silent. */
export const LONGEST_WAIT_MS = 1_000
/** Random up to this, times the number of tries, so that two writers do not meet again. */
const MOST_PAUSE_MS = 20

export const busy = (): HttpError => unavailable('The database is busy; try again shortly.', 1)

/**
 * Whether PostgreSQL itself has refused it and gone on: then nothing of it was written, and it may be made again. After a
 * broken connection that is not known, and after a time limit there is no time.
 */
export const isUndone = (error: unknown): boolean => isInTheWay(error) || isOfPostgres(error)

/** Whether there is time for one more try. */
export function createPatience(): () => boolean {
  const end = performance.now() + LONGEST_WAIT_MS
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

/**
 * A mutex for each thing, first come, first served: otherwise each request would hold a connection while it waits in
 * PostgreSQL for the one before. Where one finds the database busy or gone, so do those behind it: they have waited with
 * it, and have no time left to find out for themselves.
 */
export function createMutex(): <T>(thing: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()

  function follow(thing: string, result: Promise<unknown>): void {
    last.set(thing, result)
    const forget = () => {
      if (last.get(thing) === result) last.delete(thing)
    }
    result.then(forget, forget)
  }

  return <T>(thing: string, work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        reject(busy())
      }, LONGEST_WAIT_MS)
      // A late one has its answer, and does not concern those behind it.
      const begin = async () => {
        clearTimeout(timer)
        if (!isLate) return work()
      }
      const result = (last.get(thing) ?? Promise.resolve()).then(begin, (error: unknown) => {
        if (!(error instanceof HttpError && error.status === 503)) return begin()
        clearTimeout(timer)
        // The outcome of the one before is unknown; this one was not sent.
        throw error instanceof OutcomeUnknown ? busy() : error
      })
      result.then((value) => resolve(value as T), reject)
      follow(thing, result)
    })
}
