import { HttpError } from '../../errors.ts'
import { OutcomeUnknown } from './errors.ts'
import { busy } from './retrying.ts'

/**
 * Nothing is begun later, so that all hear within 3 s what has become of it, also where the database is silent, or late
 * with each of its answers: to the time, the member and the change.
 */
const LONGEST_WAIT_MS = 1_000

/**
 * Work on the same thing in the order in which it came, one after the other: otherwise each would hold a connection while
 * it waits in PostgreSQL for the one before. Where one finds the database busy or gone, so do those behind it: they have
 * waited with it, and have no time to find out for themselves.
 */
export function createTurns(): <T>(thing: string, work: () => Promise<T>) => Promise<T> {
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
      // Whoever is late has an answer, and is nothing to those behind.
      const begin = async () => {
        clearTimeout(timer)
        if (!isLate) return work()
      }
      const result = (last.get(thing) ?? Promise.resolve()).then(begin, (error: unknown) => {
        if (!isUnavailable(error)) return begin()
        clearTimeout(timer)
        // What is not known of the one before is known of this one: it was not sent.
        throw error instanceof OutcomeUnknown ? busy() : error
      })
      result.then((value) => resolve(value as T), reject)
      follow(thing, result)
    })
}

const isUnavailable = (error: unknown): boolean => error instanceof HttpError && error.status === 503
