import type { DatabaseSync } from 'node:sqlite'
import { isBusy, translate } from './errors.ts'

/**
 * Group commit: whatever asks to write in one turn of the event loop shares a transaction, and each is
 * acknowledged after the commit that contains it. One request's failure undoes its own work alone.
 */
export interface Writer {
  /** Acknowledged when it is on disk. */
  write<T>(work: () => T): Promise<T>
  /**
   * Acknowledged when every process sees it; on disk with the next `write`, whose commit lies behind it. For what may
   * be forgotten when the power fails, since what it allows has then not happened either.
   */
  writeLightly<T>(work: () => T): Promise<T>
  /** Writes what is waiting and takes no more. */
  close(): Promise<void>
}

interface Job {
  readonly durable: boolean
  readonly work: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Settle = () => void

/** So many share a commit at most: the main thread is held for their sum. */
const BATCH = 128
const RETRY_MS = 5

/** `patienceMs`: how long a lock of another process is waited for, without holding up anything else. */
export function createWriter(db: DatabaseSync, patienceMs: number): Writer {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const savepoint = db.prepare('SAVEPOINT job')
  const release = db.prepare('RELEASE job')
  const rollbackJob = db.prepare('ROLLBACK TO job')
  const syncAtCommit = db.prepare('PRAGMA synchronous = FULL')
  const syncLater = db.prepare('PRAGMA synchronous = NORMAL')

  let waiting: Job[] = []
  let busySince: number | undefined
  let scheduled = false
  let drained: (() => void) | undefined

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }

  function flush(): void {
    scheduled = false
    const jobs = waiting.splice(0, BATCH)
    try {
      ;(jobs.some(({ durable }) => durable) ? syncAtCommit : syncLater).run()
      begin.run()
    } catch (error) {
      postpone(jobs, error)
      return
    }
    busySince = undefined
    for (const settle of commitAll(jobs)) settle()
    if (waiting.length > 0) schedule()
    else drained?.()
  }

  /** Retried, not slept through: node:sqlite would stop the whole process while it waits for the lock. */
  function postpone(jobs: Job[], error: unknown): void {
    busySince ??= Date.now()
    if (isBusy(error) && Date.now() - busySince < patienceMs) {
      waiting = [...jobs, ...waiting]
      scheduled = true
      setTimeout(flush, RETRY_MS)
      return
    }
    busySince = undefined
    for (const job of jobs) job.reject(translate(error))
    if (waiting.length > 0) schedule()
    else drained?.()
  }

  /** Nothing is settled before the commit: until then nothing is certain. */
  function commitAll(jobs: readonly Job[]): Settle[] {
    try {
      const settles = jobs.map(run)
      commit.run()
      return settles
    } catch (error) {
      if (db.isTransaction) rollback.run()
      return jobs.map((job) => () => job.reject(translate(error)))
    }
  }

  function run(job: Job): Settle {
    savepoint.run()
    try {
      const value = job.work()
      release.run()
      return () => job.resolve(value)
    } catch (error) {
      // Some errors (a full disk) end the whole transaction: then nobody's work is left to save.
      if (!db.isTransaction) throw error
      rollbackJob.run()
      release.run()
      return () => job.reject(translate(error))
    }
  }

  function enqueue<T>(durable: boolean, work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ durable, work, resolve: resolve as (value: unknown) => void, reject })
      schedule()
    })
  }

  return {
    write: (work) => enqueue(true, work),
    writeLightly: (work) => enqueue(false, work),
    close() {
      return new Promise((resolve) => {
        if (waiting.length === 0 && !scheduled) resolve()
        else drained = resolve
      })
    },
  }
}
