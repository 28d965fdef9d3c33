import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from '../../errors.ts'
import { isBusy, translate } from './errors.ts'
import { type FileWatch, unwatched } from './file-watch.ts'
import { arrays } from './statements.ts'

/**
 * Group commit: whatever asks to write in one turn of the event loop shares a transaction, and each is
 * acknowledged after the commit that contains it. One request's failure undoes its own work alone; the work of the
 * others may then be done a second time, on the same state as the first.
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
  /** How long it waits for a lock, in terms of `performance.now()`: the time of day may be set meanwhile. */
  readonly deadline: number
  readonly work: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Settle = () => void

/** So many share a commit at most: the main thread is held for their sum. */
const BATCH = 128
/** And no more begin after so long. */
const LONGEST_MS = 20
const RETRY_MS = 5

/** `patienceMs`: how long a lock of another process is waited for, without holding up anything else. */
export function createWriter(db: DatabaseSync, patienceMs: number, file: FileWatch = unwatched(db)): Writer {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const savepoint = db.prepare('SAVEPOINT job')
  const release = db.prepare('RELEASE job')
  const rollbackToSavepoint = db.prepare('ROLLBACK TO job')
  const totalChanges = arrays(db, 'SELECT total_changes()')

  let waiting: Job[] = []
  let scheduled = false
  let closed = false
  let isDurable: boolean | undefined
  let drained: (() => void) | undefined

  /** Not as prepared statements: SQLite carries such a PRAGMA out when it is prepared. */
  function setDurability(durable: boolean): void {
    if (durable === isDurable) return
    db.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
    isDurable = durable
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }

  function flush(): void {
    scheduled = false
    const jobs = waiting.splice(0, BATCH)
    try {
      file.look()
      setDurability(jobs.some(({ durable }) => durable))
      begin.run()
    } catch (error) {
      postpone(jobs, error)
      return
    }
    for (const settle of commitAll(jobs)) settle()
    if (waiting.length > 0) schedule()
    else drained?.()
  }

  /** Retried, not slept through: node:sqlite would stop the whole process while it waits for the lock. */
  function postpone(jobs: readonly Job[], error: unknown): void {
    const now = performance.now()
    const [patient, refused] = isBusy(error) ? partition(jobs, ({ deadline }) => now < deadline) : [[], jobs]
    for (const job of refused) job.reject(translate(error))
    waiting = [...patient, ...waiting]
    if (waiting.length === 0) {
      drained?.()
      return
    }
    scheduled = true
    setTimeout(flush, RETRY_MS)
  }

  /** Nothing is settled before the commit: until then nothing is certain. */
  function commitAll(jobs: readonly Job[]): Settle[] {
    let begun = jobs.length
    let settles: Settle[]
    try {
      savepoint.run()
      const together = runTogether(jobs)
      begun = together.begun
      settles = together.settles ?? runApart(jobs.slice(0, begun))
      commit.run()
      file.look(true)
    } catch (error) {
      if (db.isTransaction) rollback.run()
      settles = jobs.slice(0, begun).map((job) => () => job.reject(translate(error)))
    }
    waiting = [...jobs.slice(begun), ...waiting]
    return settles
  }

  /**
   * As many as there is time for, without a savepoint for each: at each, free text is written out as a segment of its
   * own, which costs more than the whole job. Who fails has mostly written nothing; no `settles` where that is not so,
   * and all must be undone.
   */
  function runTogether(jobs: readonly Job[]): { readonly begun: number; readonly settles?: Settle[] } {
    const settles: Settle[] = []
    const started = performance.now()
    for (const job of jobs) {
      if (settles.length > 0 && performance.now() - started > LONGEST_MS) break
      const before = changes()
      try {
        const value = job.work()
        settles.push(() => job.resolve(value))
      } catch (error) {
        // Some errors (a full disk) end the whole transaction: then nobody's work is left to save.
        if (!db.isTransaction) throw error
        if (changes() !== before) return { begun: settles.length + 1 }
        settles.push(() => job.reject(translate(error)))
      }
    }
    return { begun: settles.length, settles }
  }

  /** Once more from the beginning, so that each failure undoes its own work alone. */
  function runApart(jobs: readonly Job[]): Settle[] {
    rollbackToSavepoint.run()
    return jobs.map((job) => {
      savepoint.run()
      try {
        const value = job.work()
        release.run()
        return () => job.resolve(value)
      } catch (error) {
        if (!db.isTransaction) throw error
        rollbackToSavepoint.run()
        release.run()
        return () => job.reject(translate(error))
      }
    })
  }

  function changes(): number {
    return (totalChanges.get() as unknown as [number])[0]
  }

  function enqueue<T>(durable: boolean, work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (closed) {
        reject(unavailable('The database is being closed.', 1))
        return
      }
      const deadline = performance.now() + patienceMs
      waiting.push({ durable, deadline, work, resolve: resolve as (value: unknown) => void, reject })
      schedule()
    })
  }

  return {
    write: (work) => enqueue(true, work),
    writeLightly: (work) => enqueue(false, work),
    close() {
      closed = true
      return new Promise((resolve) => {
        if (waiting.length === 0 && !scheduled) resolve()
        else drained = resolve
      })
    },
  }
}

function partition<T>(list: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  return [list.filter(belongs), list.filter((one) => !belongs(one))]
}
