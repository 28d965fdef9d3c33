import { closing, MAX_SCANS } from '../../database/index.ts'
import { type HttpError, unavailable } from '../../errors.ts'

/** How many searches without an index wait at most until others have ended. */
const MAX_WAITING = 64

interface ScanJob {
  readonly start: () => Promise<void>
  readonly reject: (reason: unknown) => void
}

/** `isTimeout`: whether an error means that the database has cancelled a search that took too long. */
export function createScans(scanMs: number, isTimeout: (error: unknown) => boolean = () => false) {
  const waiting = new Set<ScanJob>()
  const running = new Set<ScanJob>()
  let closed = false

  function next(): void {
    const [job] = waiting
    if (job === undefined || running.size >= MAX_SCANS) return
    waiting.delete(job)
    running.add(job)
    job.start().finally(() => {
      running.delete(job)
      next()
    })
  }

  return {
    /**
     * Runs `work` when one of the others has ended, with the milliseconds that are left to it; 503 where it is not done
     * `scanMs` after this call. After a timeout, work still counts as running until it ends.
     */
    async run<T>(work: (ms: number) => Promise<T>): Promise<T> {
      if (closed) throw closing()
      if (waiting.size >= MAX_WAITING) throw tooManyScans()
      const deadline = performance.now() + scanMs
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const start = () =>
        work(deadline - performance.now()).then(resolve, (error) =>
          reject(isTimeout(error) ? scanTimeout(scanMs) : error),
        )
      const job: ScanJob = { start, reject }
      const timer = setTimeout(() => {
        waiting.delete(job)
        reject(scanTimeout(scanMs))
      }, scanMs)
      waiting.add(job)
      next()
      return promise.finally(() => clearTimeout(timer))
    },
    /** Answers what is running and waiting with 503. */
    close(): void {
      closed = true
      for (const { reject } of [...waiting, ...running]) reject(closing())
      waiting.clear()
    },
  }
}

const WITHOUT_INDEX =
  'a search that no index answers (contains, ne, an exact count, or several filters at once)'

const tooManyScans = (): HttpError =>
  unavailable(
    `Too many others wait for ${WITHOUT_INDEX}; try again shortly, or ask for fewer members by one indexed filter.`,
    2,
  )

export const scanTimeout = (scanMs: number): HttpError =>
  unavailable(
    `This is ${WITHOUT_INDEX}, and it was not done within ${scanMs / 1_000} s; ` +
      'add a filter that few members match (=, a range, startsWith or a link), or leave out what has no index.',
    5,
  )
