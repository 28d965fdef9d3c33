import type { HttpError } from '../../errors.ts'
import { crowded, late, MOST_WAITING_SCANS } from '../query/scans.ts'
import { MOST_SCANS } from './connections.ts'
import { isCanceled } from './errors.ts'

/** Makes what may look at every member: two at once, the others in turn, each for `scanMs` at most (hypermedia.md, Cost). */
export type Scans = <T>(work: () => Promise<T>) => Promise<T>

interface Job {
  readonly start: () => Promise<void>
}

export function createScans(scanMs: number): Scans {
  const waiting = new Set<Job>()
  let running = 0

  function next(): void {
    const [job] = waiting
    if (job === undefined || running >= MOST_SCANS) return
    waiting.delete(job)
    running += 1
    job.start().finally(() => {
      running -= 1
      next()
    })
  }

  /** The time of one that waits runs. One that is answered already has its connection until PostgreSQL has ended it too. */
  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const job: Job = { start: () => work().then(succeed, (error) => fail(reasonOf(error, scanMs))) }
      const timer = setTimeout(() => fail(late(scanMs)), scanMs)
      waiting.add(job)
      next()

      function succeed(result: T): void {
        clearTimeout(timer)
        resolve(result)
      }

      function fail(reason: unknown): void {
        clearTimeout(timer)
        waiting.delete(job)
        reject(reason)
      }
    })
  }

  return async (work) => {
    if (waiting.size >= MOST_WAITING_SCANS) throw crowded()
    return enqueue(work)
  }
}

/** PostgreSQL ends a statement after the same time. */
const reasonOf = (error: unknown, scanMs: number): HttpError | unknown =>
  isCanceled(error) ? late(scanMs) : error
