import type { Changed } from '../store.ts'
import { attempt, type Change, change } from './changing.ts'
import type { WrittenClass } from './class-writing.ts'
import type { Pool, Run } from './pool.ts'
import { isUndone } from './retrying.ts'

interface Job {
  readonly cls: WrittenClass
  readonly wanted: Change
  readonly resolve: (changed: Changed | Promise<Changed>) => void
  readonly reject: (error: unknown) => void
}

/** So many share a commit: who serves the same members waits as long. */
const BATCH = 100

/**
 * For bulk data: changes that are asked for in one turn of the event loop share a transaction, and so a sync of the disk.
 * Where it fails, and for whom it is not as simple as that, each is made alone.
 */
export function createChangeBatches(
  reads: Run,
  writes: Pool,
): (cls: WrittenClass, wanted: Change) => Promise<Changed> {
  let waiting: Job[] = []

  function start(): void {
    const jobs = waiting
    waiting = []
    for (let first = 0; first < jobs.length; first += BATCH) carryOut(jobs.slice(first, first + BATCH))
  }

  const alone = ({ cls, wanted }: Job) => change(reads, writes, cls, wanted)

  /** Never rejects. */
  async function carryOut(jobs: readonly Job[]): Promise<void> {
    try {
      const outcomes = await writes.transaction(({ run, write }) =>
        Promise.all(jobs.map(({ cls, wanted }) => attempt(run, write, cls, wanted, 'FOR NO KEY UPDATE'))),
      )
      for (const [index, job] of jobs.entries()) {
        const outcome = outcomes[index]
        job.resolve(outcome === undefined || 'doubtful' in outcome ? alone(job) : outcome)
      }
    } catch (error) {
      for (const job of jobs) {
        if (jobs.length > 1 && isUndone(error)) job.resolve(alone(job))
        else job.reject(error)
      }
    }
  }

  return (cls, wanted) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ cls, wanted, resolve, reject }) === 1) setImmediate(start)
    })
}
