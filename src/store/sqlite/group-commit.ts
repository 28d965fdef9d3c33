import type { DatabaseSync } from 'node:sqlite'
import { closing } from '../query/scans.ts'
import { arrays } from './connection.ts'
import { isBusy, translate } from './errors.ts'
import { type FileWatch, unwatched } from './file-watch.ts'

/**
 * What asks to write in one turn of the event loop shares a transaction, and each is acknowledged after the commit that
 * contains it. A failure undoes its own work alone; the work of the others may then be done again, on the same state.
 */
export interface Writer {
  /** Acknowledged when it is on disk. */
  write<T>(work: () => T): Promise<T>
  /**
   * Acknowledged when every process sees it; on disk with the next `write`. For what may be forgotten when the power
   * fails, since what it allows has then not happened either.
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
  /** It shares no transaction: one that it was in had to be undone. */
  isAlone: boolean
}

interface Answer {
  readonly isRefused: boolean
  readonly send: () => void
}

const refusal = ({ reject }: Job, error: unknown): Answer => ({
  isRefused: true,
  send: () => reject(translate(error)),
})

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
    const jobs = waiting.splice(0, waiting[0]?.isAlone ? 1 : BATCH)
    try {
      file.look()
      setDurability(jobs.some(({ durable }) => durable))
      begin.run()
    } catch (error) {
      postpone(jobs, error)
      return
    }
    for (const { send } of commitAll(jobs)) send()
    if (waiting.length > 0) schedule()
    else drained?.()
  }

  /** Retried, not slept through: node:sqlite would stop the whole process while it waits for the lock. */
  function postpone(jobs: readonly Job[], error: unknown): void {
    const now = performance.now()
    const isPatient = ({ deadline }: Job) => isBusy(error) && now < deadline
    for (const job of jobs) if (!isPatient(job)) job.reject(translate(error))
    waiting = [...jobs.filter(isPatient), ...waiting]
    scheduled = waiting.length > 0
    if (scheduled) setTimeout(flush, RETRY_MS)
    else drained?.()
  }

  /** Nothing is answered before the commit: until then nothing is certain. What is not begun, or undone, waits again. */
  function commitAll(jobs: readonly Job[]): Answer[] {
    let begun = jobs.length
    let answers: Answer[]
    try {
      answers = runAll(jobs)
      begun = answers.length
      if (db.isTransaction) commit.run()
      file.look(true)
    } catch (error) {
      if (db.isTransaction) rollback.run()
      answers = jobs.slice(0, begun).map((job) => refusal(job, error))
    }
    waiting = [...jobs.slice(begun), ...waiting]
    return answers
  }

  /**
   * As many as there is time for, without a savepoint for each: at each, FTS5 writes free text out as a segment of its
   * own, which costs more than the whole job. A job that fails has mostly written nothing; where it has, all is undone,
   * and each is to be made alone.
   */
  function runAll(jobs: readonly Job[]): Answer[] {
    const answers: Answer[] = []
    const started = performance.now()
    for (const job of jobs) {
      if (answers.length > 0 && performance.now() - started > LONGEST_MS) break
      const before = changes()
      const answer = run(job)
      answers.push(answer)
      if (!answer.isRefused || changes() === before) continue
      rollback.run()
      if (jobs.length === 1) break
      for (const one of jobs) one.isAlone = true
      return []
    }
    return answers
  }

  /** Throws what ends the whole transaction (a full disk): then no work is left to save. */
  function run(job: Job): Answer {
    try {
      const value = job.work()
      return { isRefused: false, send: () => job.resolve(value) }
    } catch (error) {
      if (!db.isTransaction) throw error
      return refusal(job, error)
    }
  }

  function changes(): number {
    return (totalChanges.get() as unknown as [number])[0]
  }

  async function enqueue<T>(durable: boolean, work: () => T): Promise<T> {
    if (closed) throw closing()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const deadline = performance.now() + patienceMs
    waiting.push({ durable, deadline, work, resolve: resolve as Job['resolve'], reject, isAlone: false })
    schedule()
    return promise
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
