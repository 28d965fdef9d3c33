import { HttpError } from '../../errors.ts'

/**
 * Work on the same thing in the order in which it came, one after the other: otherwise each would hold a connection while
 * it waits in PostgreSQL for the one before. Where one finds the database busy or gone, so do those behind it: they have
 * waited with it, and have no time to find out for themselves.
 */
export function createTurns(): <T>(thing: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()

  return (thing, work) => {
    const result = (last.get(thing) ?? Promise.resolve()).then(work, (error) => {
      if (isUnavailable(error)) throw error
      return work()
    })
    last.set(thing, result)
    const forget = () => {
      if (last.get(thing) === result) last.delete(thing)
    }
    result.then(forget, forget)
    return result
  }
}

const isUnavailable = (error: unknown): boolean => error instanceof HttpError && error.status === 503
