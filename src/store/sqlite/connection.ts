import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { BoundedMap } from '../../bounded-map.ts'
import { isBusy, translate } from './errors.ts'
import { requireOurs } from './schema.ts'

export const MEMORY = ':memory:'
/** Before anything is served there is nothing to hold up: opening may sleep until the lock is free. */
const OPENING_TIMEOUT_MS = 5_000
/** What SQLite keeps in memory of the file: by itself no more than 2 MB, which a few indexes of a large class exceed. */
export const CACHE_KIB = 64 * 1_024
/** So many pages of the log are carried over at once, which a commit waits for. */
const PAGES = 1_000
const BULK_PAGES = 16_384
const LONGEST_LOG = 64 * 1_024 * 1_024

/** The file is made where there is none. Until `PRAGMA busy_timeout = 0`, statements wait for locks. */
export async function openDatabase(path: string, bulk: boolean): Promise<DatabaseSync> {
  // The file holds the nonce secret: for its owner alone. SQLite gives its companions the same mode. Only a new one: to
  // close a file gives up all locks that this process has on it.
  if (path !== MEMORY && !existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const db = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS, enableForeignKeyConstraints: true })
  try {
    requireOurs(db, path)
    await useWriteAheadLog(db)
    // FULL: an acknowledged write is on disk, also when the power fails. The log shrinks again after a large change.
    db.exec(`PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${LONGEST_LOG}; PRAGMA trusted_schema = OFF;
      PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${bulk ? BULK_PAGES : PAGES}`)
    return db
  } catch (error) {
    db.close()
    throw translate(error)
  }
}

/** Where several processes change the journal mode of a new file at once, SQLite refuses all but one without waiting. */
async function useWriteAheadLog(db: DatabaseSync): Promise<void> {
  const started = performance.now()
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() - started > OPENING_TIMEOUT_MS) throw error
      await sleep(10)
    }
  }
}

/** A number that is different whenever another connection, of whatever process, has written since the last call. */
export type ForeignWrites = () => number

/**
 * `PRAGMA data_version` tells so without touching a table, for two system calls. It does not change with what this
 * connection writes: caches are told of that by the code that writes.
 */
export function watchForeignWrites(db: DatabaseSync): ForeignWrites {
  const dataVersion = db.prepare('PRAGMA data_version')
  // As an array: an object for a single number would cost as much as the query.
  dataVersion.setReturnArrays(true)
  return () => (dataVersion.get() as unknown as [number])[0]
}

/** So many are kept; which ones are needed depends on what is asked for. */
const KEPT = 256
/** Longer ones ask for many values at once; each would be kept for itself, and they take the most memory. */
const LONGEST_KEPT = 4_096

export type Statements = (sql: string) => StatementSync

/** Rows as arrays: half the price of objects on a page of twenty. */
export function arrays(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

/** Statements for SQL that is put together: prepared once for each text. */
export function createStatements(db: DatabaseSync): Statements {
  const kept = new BoundedMap<string, StatementSync>(KEPT)
  return (sql) => {
    const known = kept.get(sql)
    if (known !== undefined) return known
    const statement = arrays(db, sql)
    if (sql.length > LONGEST_KEPT) return statement
    kept.set(sql, statement)
    return statement
  }
}
