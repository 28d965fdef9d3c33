import { type HttpError, unavailable } from '../../errors.ts'

/** So many searches without an index run at once in each process, and so many wait at most (hypermedia.md, Cost). */
export const MOST_SCANS = 2
const MOST_WAITING = 64

export interface Scans {
  /**
   * Runs `work` when its turn comes, with the milliseconds that are left to it; 503 where it is not done `scanMs` after
   * it was asked for. Work that is answered already keeps its turn until it ends.
   */
  run<T>(work: (ms: number) => Promise<T>): Promise<T>
  /** Answers what is running and waiting with 503. */
  close(): void
}

interface Job {
  readonly start: () => Promise<void>
  readonly fail: (reason: unknown) => void
}

/** `isLate`: whether the database has ended a search because its time was over. */
export function createScans(scanMs: number, isLate: (error: unknown) => boolean): Scans {
  const waiting = new Set<Job>()
  const running = new Set<Job>()
  let closed = false

  function next(): void {
    const [job] = waiting
    if (job === undefined || running.size >= MOST_SCANS) return
    waiting.delete(job)
    running.add(job)
    job.start().finally(() => {
      running.delete(job)
      next()
    })
  }

  function enqueue<T>(work: (ms: number) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + scanMs
      const timer = setTimeout(() => fail(late(scanMs)), scanMs)
      const succeed = (result: T) => {
        clearTimeout(timer)
        resolve(result)
      }
      const fail = (reason: unknown) => {
        clearTimeout(timer)
        waiting.delete(job)
        reject(reason)
      }
      const job: Job = {
        start: () =>
          work(deadline - performance.now()).then(succeed, (error) =>
            fail(isLate(error) ? late(scanMs) : error),
          ),
        fail,
      }
      waiting.add(job)
      next()
    })
  }

  return {
    async run(work) {
      if (closed) throw closing()
      if (waiting.size >= MOST_WAITING) throw crowded()
      return enqueue(work)
    },
    close() {
      closed = true
      for (const { fail } of [...waiting, ...running]) fail(closing())
    },
  }
}

const WITHOUT_INDEX =
  'a search that no index answers (contains, ne, an exact count, or several filters at once)'

export const closing = (): HttpError => unavailable('The database is being closed.', 1)

const crowded = (): HttpError =>
  unavailable(
    `Too many others wait for ${WITHOUT_INDEX}; try again shortly, or ask for fewer members by one indexed filter.`,
    2,
  )

export const late = (scanMs: number): HttpError =>
  unavailable(
    `This is ${WITHOUT_INDEX}, and it was not done within ${scanMs / 1_000} s; ` +
      'add a filter that few members match (=, a range, startsWith or a link), or leave out what has no index.',
    5,
  )
