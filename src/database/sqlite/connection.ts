import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { turnOfLoop } from '../../turn.ts'
import { type FileSource, openingProblem } from '../index.ts'
import { isBusy, isDamaged, translate } from './errors.ts'
import { requireOurs } from './schema.ts'

export const MEMORY = ':memory:'
/** How long opening a database, or a command, waits for a lock: it blocks no requests meanwhile. */
const TIMEOUT_MS = 5_000
/**
 * SQLite's page cache, which each connection has: the main thread, the write thread, and two scan threads once they are
 * used. Its default, 2 MB, is less than a few indexes of a large class need.
 */
export const CACHE_KIB = 32 * 1_024
/** For bulk data, which is inserted all over the indexes: three of a million members fit. */
const BULK_CACHE_KIB = 128 * 1_024
/**
 * A checkpoint, which a commit waits for, runs when the log has this many pages, 64 MB. With fewer, the same pages are
 * written to the file again and again.
 */
export const CHECKPOINT_PAGES = 16_000
/** For bulk data: the same pages change again and again, and a checkpoint writes each of them once. */
const BULK_CHECKPOINT_PAGES = 65_536
/** A log that has grown beyond this is cut off: room for the commit before the checkpoint, and for what comes during it. */
const LONGEST_LOG = 96 * 1_024 * 1_024
/** Room for the pages of bulk data, since a file that is cut off has to grow again. */
const LONGEST_BULK_LOG = 320 * 1_024 * 1_024

/** Creates the file if it does not exist. Until `PRAGMA busy_timeout = 0`, statements wait for locks. */
export async function openConnection(path: string, bulk: boolean): Promise<DatabaseSync> {
  // The file contains the nonce secret, so only its owner may read it. SQLite gives its log the same mode. Not if the file
  // exists: closing any descriptor of a file releases all locks that this process has on it.
  if (path !== MEMORY && !existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const db = new DatabaseSync(path, { timeout: TIMEOUT_MS, enableForeignKeyConstraints: true })
  try {
    requireOurs(db, path)
    await useWriteAheadLog(db)
    prepareForWrites(db, bulk)
    return db
  } catch (error) {
    db.close()
    throw translate(error)
  }
}

export function prepareForWrites(db: DatabaseSync, bulk = false): void {
  // FULL: an acknowledged write is on disk, even if the power fails. The log shrinks again after a large change.
  db.exec(`PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;
    PRAGMA journal_size_limit = ${bulk ? LONGEST_BULK_LOG : LONGEST_LOG};
    PRAGMA cache_size = -${bulk ? BULK_CACHE_KIB : CACHE_KIB};
    PRAGMA wal_autocheckpoint = ${bulk ? BULK_CHECKPOINT_PAGES : CHECKPOINT_PAGES}`)
}

/** If several processes change the journal mode of a new file at once, SQLite refuses all but one without waiting. */
async function useWriteAheadLog(db: DatabaseSync): Promise<void> {
  const started = performance.now()
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() - started > TIMEOUT_MS) throw error
      await sleep(10)
    }
  }
}

/** Checkpoints nothing (SQLite 3.51). Returns how many pages the log has, and how many of them were checkpointed. */
export const CHECKPOINTED = 'PRAGMA wal_checkpoint(NOOP)'
export type Checkpointed = readonly [isBusy: number, logged: number, checkpointed: number]

/**
 * Empties the log by leaving its mode for a moment, which SQLite refuses while another process has the file open. So if
 * the log has content later, another process has written it, and may checkpoint it.
 */
export async function emptyOwnLog(db: DatabaseSync): Promise<void> {
  const [, logged, checkpointed] = arrays(db, CHECKPOINTED).get<Checkpointed>() ?? []
  if (logged === checkpointed) return
  try {
    db.exec('PRAGMA journal_mode = DELETE')
  } catch {
    // Another process has the file open, or the disk is full: the log stays, and reads continue.
    return
  }
  await useWriteAheadLog(db)
}

/** For a command that may run beside a server. `source`: where the path was given. */
export function openExisting(path: string, source: FileSource = 'db', readOnly = true): DatabaseSync {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw openingProblem('DatabaseNotFound', { path, source })
  if (stats.isDirectory()) throw openingProblem('DatabaseIsFolder', { path, source })
  const db = new DatabaseSync(path, { readOnly, timeout: TIMEOUT_MS })
  try {
    requireOurs(db, path, source)
    return db
  } catch (error) {
    db.close()
    if (!isDamaged(error)) throw translate(error)
    const { message: damage } = error as Error
    throw openingProblem('DamagedDatabase', { path, source, damage }, { cause: error })
  }
}

/** A number that has changed since the last call if any process has written. */
export type DataVersion = () => number

/**
 * `PRAGMA data_version` reads no table, and costs two system calls. It does not change with writes of this very
 * connection: if this connection writes, its own changes are added. Neither number ever decreases.
 */
export function createDataVersion(db: DatabaseSync, isWriting = false): DataVersion {
  const version = arrays(db, 'PRAGMA data_version')
  const changes = arrays(db, 'SELECT total_changes()')
  const read = (statement: ArrayStatement) => Number(statement.get()?.[0])
  return isWriting ? () => read(version) + read(changes) : () => read(version)
}

/**
 * Reads once per turn of the event loop, and is still exact (turn.ts). Callbacks of `setImmediate`, which run after the
 * poll, read again, and so does the first call after `forget`, which follows each acknowledged write of this process.
 */
export function memoizePerTurn(read: DataVersion): {
  readonly dataVersion: DataVersion
  readonly forget: () => void
} {
  let turn: number | undefined
  let seen = 0
  function forget(): void {
    turn = undefined
  }
  return {
    dataVersion() {
      const now = turnOfLoop()
      if (now !== turn) {
        seen = read()
        turn = now
        setImmediate(forget).unref()
      }
      return seen
    },
    forget,
  }
}

/** The caller says which columns a row has. */
export interface ArrayStatement extends Pick<StatementSync, 'run'> {
  get<Row = unknown[]>(...params: SQLInputValue[]): Row | undefined
  all<Row = unknown[]>(...params: SQLInputValue[]): Row[]
  iterate<Row = unknown[]>(...params: SQLInputValue[]): Iterable<Row>
}

/** Rows as arrays, which cost half as much as objects on a page of twenty. */
export function arrays(db: DatabaseSync, sql: string): ArrayStatement {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement as unknown as ArrayStatement
}

/** A monotonic clock in milliseconds, the same on every thread: `performance.now()` is not. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1_000_000
