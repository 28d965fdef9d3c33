import type { DatabaseSync } from 'node:sqlite'
import { type Answer, createChannel, type Question, type Start } from '../../channel.ts'
import { OutcomeUnknown } from '../../errors.ts'
import { closing } from '../../members/query/scans.ts'
import { arrays } from './connection.ts'
import { errorOf, failureOf, isBusy } from './errors.ts'
import { type FileWatch, unwatched } from './file-watch.ts'

/** Writes by their names, each carried out within a transaction. */
type CommandTable<C> = Readonly<Record<keyof C, (...args: never) => unknown>>

/** The commands for methods of a store, which return promises of their outcomes. */
export type CommandsFor<Store extends CommandTable<Store>> = {
  readonly [Name in keyof Store]: (...args: Parameters<Store[Name]>) => Awaited<ReturnType<Store[Name]>>
}

type Write<C extends CommandTable<C>> = <Name extends keyof C>(
  name: Name,
  args: Parameters<C[Name]>,
  deadline?: number,
) => Promise<ReturnType<C[Name]>>

/** Runs commands on a thread of its own, so that a request that reads never waits for a disk or a lock. */
export interface Writer<C extends CommandTable<C>> {
  /** Acknowledged when it is on disk. */
  readonly write: Write<C>
  /**
   * Acknowledged when every process sees it; on disk with the next `write`. For writes that may be lost in a power failure,
   * since what depends on them is lost too.
   */
  readonly writeUnsynced: Write<C>
  /** Writes what is waiting and takes no more. */
  close(): Promise<void>
}

/** How long a write waits for a lock of another process. */
const LOCK_TIMEOUT_MS = 2_000

export const lockDeadline = (): number => sharedNow() + LOCK_TIMEOUT_MS

/** `onAnswered` is called before any write is acknowledged: what is cached of the database may be stale. */
export function createWriter<C extends CommandTable<C>>(
  start: Start<Job>,
  onAnswered: () => void,
): Writer<C> {
  const unanswered = (cause: unknown) => new OutcomeUnknown(cause)
  const channel = createChannel({ start, unanswered, closed: closing, errorOf, onAnswered })
  const enqueue =
    (durable: boolean): Write<C> =>
    (name, args, deadline = lockDeadline()) =>
      channel.ask({ name: String(name), args, durable, deadline }) as ReturnType<Write<C>>
  return {
    write: enqueue(true),
    writeUnsynced: enqueue(false),
    async close() {
      await channel.drain()
      await channel.close()
    },
  }
}

/** Writes on this thread. */
export const directly =
  (create: () => ReturnType<typeof createGroupCommit>): Start<Job> =>
  (onAnswers) => {
    const commits = create()
    return {
      ask(jobs) {
        commits.add(jobs)
        while (!commits.isDone()) onAnswers(commits.commitNext())
      },
      unref() {},
      async close() {},
    }
  }

/** A write as plain data: it may be carried out on another thread. */
export interface Job extends Question {
  readonly name: string
  readonly args: readonly unknown[]
  /** Acknowledged when it is on disk; otherwise when every process sees it. */
  readonly durable: boolean
  /** Until when it waits for a lock of another process, by `sharedNow()`. */
  readonly deadline: number
}

/** A monotonic clock in milliseconds, the same on every thread: `performance.now()` is not. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1_000_000

/** The most jobs that share a commit: other processes wait meanwhile. */
const MAX_BATCH = 128
/** No further job joins a transaction after so long. */
const LONGEST_MS = 20
const RETRY_MS = 2

/**
 * Jobs that wait share a transaction, and each is answered after the commit that contains it. A failure undoes its own
 * work alone; the work of the others may then be done again, on the same state.
 */
export function createGroupCommit(
  db: DatabaseSync,
  commands: CommandTable<Record<string, unknown>>,
  file: FileWatch = unwatched(db),
) {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const totalChanges = arrays(db, 'SELECT total_changes()')
  const changes = () => totalChanges.get()?.[0]

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
