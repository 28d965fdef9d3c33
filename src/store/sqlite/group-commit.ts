import type { DatabaseSync } from 'node:sqlite'
import { sweepText } from '../changes.ts'
import type { History } from '../store.ts'
import { createAuthWrites } from './auth-writes.ts'
import { arrays } from './connection.ts'
import { type Failure, failureOf, isBusy } from './errors.ts'
import { type FileWatch, unwatched } from './file-watch.ts'
import { createMemberWrites, type StoredClasses } from './writes.ts'

/** All writes, each within a transaction of the group commit. */
export const createCommands = (db: DatabaseSync, classes: StoredClasses) => ({
  ...createAuthWrites(db),
  ...createMemberWrites(db, classes),
  sweepChanges: createChangeSweep(db),
})

export type Commands = ReturnType<typeof createCommands>

/** A write as plain data: it may be carried out on another thread. */
export interface Job {
  readonly id: number
  readonly name: keyof Commands
  readonly args: readonly unknown[]
  /** Acknowledged when it is on disk; otherwise when every process sees it. */
  readonly durable: boolean
  /** Until when it waits for a lock of another process, by `sharedNow()`. */
  readonly deadline: number
}

/** The outcome of a job. */
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: Failure }

/** A monotonic clock in milliseconds, the same on every thread: `performance.now()` is not. */
export function sharedNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1_000_000
}

/** The most jobs that share a commit: other processes wait meanwhile. */
const MAX_BATCH = 128
/** No further job joins a transaction after so long. */
const LONGEST_MS = 20
const RETRY_MS = 2

type CommandTable = { readonly [Name in keyof Commands]?: (...args: never) => unknown }

/**
 * Jobs that wait share a transaction, and each is answered after the commit that contains it. A failure undoes its own
 * work alone; the work of the others may then be done again, on the same state.
 */
export function createGroupCommit(db: DatabaseSync, commands: CommandTable, file: FileWatch = unwatched(db)) {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const totalChanges = arrays(db, 'SELECT total_changes()')

  let waiting: Job[] = []
  /** How many of the first waiting jobs get a transaction each: their common one was rolled back. */
  let alone = 0
  let isDurable: boolean | undefined

  /** Not by prepared statements: SQLite executes this PRAGMA when it is prepared. */
  function setDurability(durable: boolean): void {
    if (durable === isDurable) return
    db.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
    isDurable = durable
  }

  function transact(jobs: readonly Job[]): Answer[] {
    try {
      file.checkBeforeWrite()
      setDurability(jobs.some(({ durable }) => durable))
      begin.run()
    } catch (error) {
      if (!isBusy(error)) return refuse(jobs, error)
      pause(RETRY_MS)
      return refuse(
        jobs.filter(({ deadline }) => deadline <= sharedNow()),
        error,
      )
    }
    let answers: Answer[] = []
    try {
      answers = runAll(jobs)
      if (db.isTransaction) file.write(() => commit.run())
      return answers
    } catch (error) {
      if (db.isTransaction) rollback.run()
      return refuse(answers.length === 0 ? jobs : jobs.slice(0, answers.length), error)
    }
  }

  /**
   * Runs as many jobs as there is time for, without savepoints: at each savepoint FTS5 flushes a segment, which costs more
   * than the job itself. A job that fails has mostly written nothing; where it has, the transaction is rolled back, and each
   * job gets one of its own.
   */
  function runAll(jobs: readonly Job[]): Answer[] {
    const answers: Answer[] = []
    const started = performance.now()
    for (const job of jobs) {
      if (answers.length > 0 && performance.now() - started > LONGEST_MS) break
      const before = changes()
      const answer = run(job)
      answers.push(answer)
      if (!('failure' in answer) || changes() === before) continue
      rollback.run()
      if (jobs.length === 1) break
      alone = jobs.length
      return []
    }
    return answers
  }

  /** Throws errors that end the whole transaction, such as a full disk. */
  function run({ id, name, args }: Job): Answer {
    try {
      return { id, value: commands[name]?.(...(args as never)) }
    } catch (error) {
      if (!db.isTransaction) throw error
      return { id, failure: failureOf(error) }
    }
  }

  function changes(): number {
    return (totalChanges.get() as unknown as [number])[0]
  }

  return {
    add(jobs: readonly Job[]): void {
      waiting.push(...jobs)
    },
    isDone: (): boolean => waiting.length === 0,
    /** Runs one transaction. Returns the outcomes of some of the jobs, or of none while another process has the lock. */
    commitNext(): Answer[] {
      const answers = transact(waiting.slice(0, alone > 0 ? 1 : MAX_BATCH))
      const answered = new Set(answers.map(({ id }) => id))
      waiting = waiting.filter(({ id }) => !answered.has(id))
      alone = Math.max(0, alone - answers.length)
      return answers
    },
  }
}

const refuse = (jobs: readonly Job[], error: unknown): Answer[] =>
  jobs.map(({ id }) => ({ id, failure: failureOf(error) }))

const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** Blocks the thread. */
export function pause(ms: number): void {
  Atomics.wait(sleeper, 0, 0, ms)
}

function createChangeSweep(db: DatabaseSync) {
  const sweep = db.prepare(sweepText('?2', '?3', '?1'))
  return (now: number, { ageMs, count }: History, limit: number): boolean =>
    Number(sweep.run(limit, now - ageMs, count).changes) >= limit
}
