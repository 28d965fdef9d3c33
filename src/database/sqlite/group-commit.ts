import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { moduleUrl, type ThreadReply } from '../../channel.ts'
import type { AnyCommands, CommandSource, GroupCommit, WriteJob } from './commands.ts'
import { type ArrayStatement, arrays, sharedNow } from './connection.ts'
import { type CommitTimes, createCommitTimes, newSharedTimes } from './either-thread.ts'
import { failureOf, isBusy } from './errors.ts'
import { type FileWatch, unwatched } from './file-watch.ts'

/** Returns a function that creates the commands of all sources on a connection. */
export async function loadCommands(
  sources: readonly CommandSource[],
): Promise<(db: DatabaseSync) => AnyCommands> {
  const modules = await Promise.all(sources.map(({ module }) => import(moduleUrl(module))))
  return (db) =>
    Object.assign({}, ...modules.map((one, index) => one.createCommands(db, sources[index]?.data)))
}

/** Maximum number of jobs that share a commit: other processes wait meanwhile. */
const MAX_BATCH = 128
/** After this time no further job joins a transaction. */
const LONGEST_MS = 20
const RETRY_MS = 2

export interface GroupCommitOptions {
  readonly file?: FileWatch
  readonly times?: CommitTimes
  /** Called while another process has the lock; blocks this thread for a moment unless it is given. */
  readonly onBusy?: () => void
  /** Asked within the transaction; a job that is left waits. */
  readonly leaves?: (job: WriteJob) => boolean
}

export const createGroupCommit = (
  db: DatabaseSync,
  commands: AnyCommands,
  options: GroupCommitOptions = {},
): GroupCommit => new SqliteGroupCommit(db, commands, options)

/**
 * Waiting jobs share a transaction, and each gets its reply after the commit that contains it. A job that fails is undone
 * without the others; the others may then run again, on the same state.
 */
class SqliteGroupCommit implements GroupCommit {
  readonly #db: DatabaseSync
  readonly #commands: AnyCommands
  readonly #file: FileWatch
  readonly #times: CommitTimes
  readonly #onBusy: () => void
  readonly #leaves: (job: WriteJob) => boolean
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #rollback: StatementSync
  readonly #totalChanges: ArrayStatement
  #waiting: WriteJob[] = []
  /** How many of the first waiting jobs get a transaction each, because their common one was rolled back. */
  #alone = 0
  #isDurable: boolean | undefined
  #changes: unknown

  constructor(
    db: DatabaseSync,
    commands: AnyCommands,
    {
      file = unwatched(db),
      times = createCommitTimes(newSharedTimes()),
      onBusy = () => pause(RETRY_MS),
      leaves = () => false,
    }: GroupCommitOptions,
  ) {
    this.#db = db
    this.#commands = commands
    this.#file = file
    this.#times = times
    this.#onBusy = onBusy
    this.#leaves = leaves
    this.#begin = db.prepare('BEGIN IMMEDIATE')
    this.#commit = db.prepare('COMMIT')
    this.#rollback = db.prepare('ROLLBACK')
    this.#totalChanges = arrays(db, 'SELECT total_changes()')
  }

  add(jobs: readonly WriteJob[]): void {
    this.#waiting.push(...jobs)
  }

  takeWaiting(): WriteJob[] {
    return this.#waiting.splice(0)
  }

  isDone(): boolean {
    return this.#waiting.length === 0
  }

  commitNext(): ThreadReply[] {
    const replies = this.#transact(this.#waiting.slice(0, this.#alone > 0 ? 1 : MAX_BATCH))
    const replied = new Set(replies.map(({ id }) => id))
    this.#waiting = this.#waiting.filter(({ id }) => !replied.has(id))
    this.#alone = Math.max(0, this.#alone - replies.length)
    return replies
  }

  #transact(jobs: readonly WriteJob[]): ThreadReply[] {
    try {
      this.#file.checkBeforeWrite()
      this.#setDurability(jobs.some(({ durable }) => durable))
      this.#begin.run()
    } catch (error) {
      if (!isBusy(error)) return refuse(jobs, error)
      this.#onBusy()
      return refuse(
        jobs.filter(({ deadline }) => deadline <= sharedNow()),
        error,
      )
    }
    let taken = jobs
    let replies: ThreadReply[] = []
    try {
      taken = jobs.filter((job) => !this.#leaves(job))
      replies = this.#runAll(taken)
      // Only a commit that waits for the disk says how quick that is.
      const isSynced = this.#hasWritten() && this.#isDurable === true
      const commit = () => this.#commit.run()
      if (this.#db.isTransaction) this.#file.write(isSynced ? () => this.#times.measure(commit) : commit)
      return replies
    } catch (error) {
      if (this.#db.isTransaction) this.#rollback.run()
      return refuse(replies.length === 0 ? taken : taken.slice(0, replies.length), error)
    }
  }

  /** Does not use prepared statements: SQLite executes this PRAGMA when it is prepared. */
  #setDurability(durable: boolean): void {
    if (durable === this.#isDurable) return
    this.#db.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
    this.#isDurable = durable
  }

  /**
   * Runs as many jobs as there is time for, without savepoints: at each savepoint FTS5 flushes a segment, which costs more
   * than the job itself. A job that fails has mostly written nothing; if it has, the transaction is rolled back, and each
   * job gets its own.
   */
  #runAll(jobs: readonly WriteJob[]): ThreadReply[] {
    const replies: ThreadReply[] = []
    const started = performance.now()
    for (const job of jobs) {
      if (replies.length > 0 && performance.now() - started > LONGEST_MS) break
      const isAlone = jobs.length === 1
      if (!isAlone) this.#hasWritten()
      const reply = this.#run(job)
      replies.push(reply)
      if (!('failure' in reply)) continue
      if (!isAlone && !this.#hasWritten()) continue
      this.#rollback.run()
      if (isAlone) break
      this.#alone = jobs.length
      return []
    }
    return replies
  }

  /** Whether this connection has written since the last call. */
  #hasWritten(): boolean {
    const before = this.#changes
    this.#changes = this.#totalChanges.get()?.[0]
    return this.#changes !== before
  }

  /** Throws errors that end the whole transaction, such as a full disk. */
  #run({ id, name, args }: WriteJob): ThreadReply {
    try {
      return { id, value: this.#commands[name]?.(...(args as never)) }
    } catch (error) {
      if (!this.#db.isTransaction) throw error
      return { id, failure: failureOf(error) }
    }
  }
}

const refuse = (jobs: readonly WriteJob[], error: unknown): ThreadReply[] =>
  jobs.map(({ id }) => ({ id, failure: failureOf(error) }))

const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** Blocks the thread. */
export function pause(ms: number): void {
  Atomics.wait(sleeper, 0, 0, ms)
}
