import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy, translate } from './errors.ts'
import { requireOurs } from './schema.ts'

export const MEMORY = ':memory:'
/** Where nothing is served there is nothing to hold up: what opens a database may sleep until the lock is free. */
const TIMEOUT_MS = 5_000
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
  // FULL: an acknowledged write is on disk, also when the power fails. The log shrinks again after a large change.
  db.exec(`PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${LONGEST_LOG}; PRAGMA trusted_schema = OFF;
    PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${bulk ? BULK_PAGES : PAGES}`)
}

/** Where several processes change the journal mode of a new file at once, SQLite refuses all but one without waiting. */
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

/** For a command beside the server. `option`: the one that has named the file. */
export function openExisting(path: string, option: string, readOnly = true): DatabaseSync {
  const hint = `${option} sqlite:<path>`
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new Error(`There is no database ${path}; name it with ${hint}.`)
  if (stats.isDirectory())
    throw new Error(`The database ${path} cannot be opened: it is a folder; name another file with ${hint}.`)
  const db = new DatabaseSync(path, { readOnly, timeout: TIMEOUT_MS })
  try {
    requireOurs(db, path)
    return db
  } catch (error) {
    db.close()
    throw translate(error)
  }
}

/** A number that is another one whenever anything was written since the last call, by whatever process. */
export type LastWrite = () => number

/**
 * `PRAGMA data_version` tells so without touching a table, for two system calls. What this connection writes it does not
 * tell: one that writes too counts that besides. Neither number ever falls.
 */
export function watchWrites(db: DatabaseSync, isWriting = false): LastWrite {
  const version = arrays(db, 'PRAGMA data_version')
  const changes = arrays(db, 'SELECT total_changes()')
  const read = (statement: StatementSync) => (statement.get() as unknown as [number])[0]
  return isWriting ? () => read(version) + read(changes) : () => read(version)
}

/**
 * Looks once a turn of the event loop, and is exact: what one poll reports as readable had come before the look, and
 * `loopCount` is another one at each poll. What is done behind the poll, in `setImmediate`, looks again, and so does
 * whatever follows a call of `forget`: a write of this process was acknowledged.
 */
export function oncePerTurn(look: LastWrite): { readonly lastWrite: LastWrite; readonly forget: () => void } {
  let turn: number | undefined
  let seen = 0
  function forget(): void {
    turn = undefined
  }
  return {
    lastWrite() {
      const { loopCount } = performance.nodeTiming.uvMetricsInfo
      if (loopCount !== turn) {
        seen = look()
        turn = loopCount
        setImmediate(forget).unref()
      }
      return seen
    },
    forget,
  }
}

/** Rows as arrays: half the price of objects on a page of twenty. */
export function arrays(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}
