import { closing, databaseProblem, MAX_SCANS } from '../../database/index.ts'
import type { Problem } from '../../problem.ts'
import type { SearchPlace } from '../selection.ts'

/** Maximum number of waiting searches without an index. */
const MAX_WAITING = 64

interface ScanJob {
  readonly place: SearchPlace | undefined
  readonly start: () => Promise<void>
  readonly reject: (reason: unknown) => void
}

/** `isTimeout`: whether an error means that the database has cancelled a search that took too long. */
export function createScans(scanMs: number, isTimeout: (error: unknown) => boolean = () => false) {
  const waiting = new Set<ScanJob>()
  const running = new Set<ScanJob>()
  let closed = false

  function next(): void {
    const isStrange = ({ place }: ScanJob) => place !== undefined
    const areBusy = [...running].some(isStrange)
    const job = [...waiting].find((one) => !(areBusy && isStrange(one)))
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
     * Runs `work` when there is a free slot, with the milliseconds that are left; throws SearchTooLong if it is not done
     * `scanMs` after this call. After a timeout, work still counts as running until it ends.
     */
    async run<T>(work: (ms: number) => Promise<T>, place?: SearchPlace): Promise<T> {
      if (closed) throw closing()
      const others = [...waiting].filter((one) => one.place === place)
      if (others.length >= MAX_WAITING) throw databaseProblem('TooManySearches', { retryAfterSeconds: 2 })
      const deadline = performance.now() + scanMs
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const start = () =>
        work(deadline - performance.now()).then(resolve, (error) =>
          reject(isTimeout(error) ? scanTimeout(scanMs) : error),
        )
      const job: ScanJob = { start, reject, place }
      const timer = setTimeout(() => {
        waiting.delete(job)
        reject(scanTimeout(scanMs))
      }, scanMs)
      waiting.add(job)
      next()
      return promise.finally(() => clearTimeout(timer))
    },
    /** Rejects running and waiting searches. */
    close(): void {
      closed = true
      for (const { reject } of [...waiting, ...running]) reject(closing())
      waiting.clear()
    },
  }
}

export const scanTimeout = (scanMs: number): Problem =>
  databaseProblem('SearchTooLong', { maxMs: scanMs, retryAfterSeconds: 5 })
