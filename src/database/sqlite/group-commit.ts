import type { DatabaseSync } from 'node:sqlite'
import { moduleUrl, type ThreadReply } from '../../channel.ts'
import type { AnyCommands, CommandSource, GroupCommit, WriteJob } from './commands.ts'
import { arrays, sharedNow } from './connection.ts'
import { failureOf, isBusy } from './errors.ts'
import { type FileWatch, unwatched } from './file-watch.ts'

/** Returns how to create the commands of all sources on a connection. */
export async function loadCommands(
  sources: readonly CommandSource[],
): Promise<(db: DatabaseSync) => AnyCommands> {
  const modules = await Promise.all(sources.map(({ module }) => import(moduleUrl(module))))
  return (db) =>
    Object.assign({}, ...modules.map((one, index) => one.createCommands(db, sources[index]?.data)))
}

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
  commands: AnyCommands,
  file: FileWatch = unwatched(db),
): GroupCommit {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const totalChanges = arrays(db, 'SELECT total_changes()')
  const changes = () => totalChanges.get()?.[0]

  let waiting: WriteJob[] = []
  /** How many of the first waiting jobs get a transaction each: their common one was rolled back. */
  let alone = 0
  let isDurable: boolean | undefined

  /** Not by prepared statements: SQLite executes this PRAGMA when it is prepared. */
  function setDurability(durable: boolean): void {
    if (durable === isDurable) return
    db.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
    isDurable = durable
  }

  function transact(jobs: readonly WriteJob[]): ThreadReply[] {
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
    let replies: ThreadReply[] = []
    try {
      replies = runAll(jobs)
      if (db.isTransaction) file.write(() => commit.run())
      return replies
    } catch (error) {
      if (db.isTransaction) rollback.run()
      return refuse(replies.length === 0 ? jobs : jobs.slice(0, replies.length), error)
    }
  }

  /**
   * Runs as many jobs as there is time for, without savepoints: at each savepoint FTS5 flushes a segment, which costs more
   * than the job itself. A job that fails has mostly written nothing; where it has, the transaction is rolled back, and each
   * job gets one of its own.
   */
  function runAll(jobs: readonly WriteJob[]): ThreadReply[] {
    const replies: ThreadReply[] = []
    const started = performance.now()
    for (const job of jobs) {
      if (replies.length > 0 && performance.now() - started > LONGEST_MS) break
      const before = changes()
      const reply = run(job)
      replies.push(reply)
      if (!('failure' in reply) || changes() === before) continue
      rollback.run()
      if (jobs.length === 1) break
      alone = jobs.length
      return []
    }
    return replies
  }

  /** Throws errors that end the whole transaction, such as a full disk. */
  function run({ id, name, args }: WriteJob): ThreadReply {
    try {
      return { id, value: commands[name]?.(...(args as never)) }
    } catch (error) {
      if (!db.isTransaction) throw error
      return { id, failure: failureOf(error) }
    }
  }

  return {
    add(jobs) {
      waiting.push(...jobs)
    },
    isDone: () => waiting.length === 0,
    commitNext() {
      const replies = transact(waiting.slice(0, alone > 0 ? 1 : MAX_BATCH))
      const replied = new Set(replies.map(({ id }) => id))
      waiting = waiting.filter(({ id }) => !replied.has(id))
      alone = Math.max(0, alone - replies.length)
      return replies
    },
  }
}

const refuse = (jobs: readonly WriteJob[], error: unknown): ThreadReply[] =>
  jobs.map(({ id }) => ({ id, failure: failureOf(error) }))

const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** Blocks the thread. */
export function pause(ms: number): void {
  Atomics.wait(sleeper, 0, 0, ms)
}
