import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../migration/migrate.ts'
import { watchOtherMigrations } from '../migration/migrated-elsewhere.ts'
import { changesWithoutMigration } from '../migration/plan.ts'
import type { ClassShape, MigrationChange, Store, StoreOptions } from '../store.ts'
import { openAuthStore } from './auth.ts'
import { isBusy, translate } from './errors.ts'
import { unwatched, watchFile, watchMembers } from './file-watch.ts'
import { watchForeignWrites } from './foreign-writes.ts'
import { openMemberStore } from './members.ts'
import { createMigrationStore, listClasses } from './migrate.ts'
import { createScanner } from './scanner.ts'
import { isCurrent, requireOurs, upgradeSchema } from './schema.ts'
import { createWriter } from './writer.ts'

const MEMORY = ':memory:'
/** How long a write waits for another process to let go of the database. */
const PATIENCE_MS = 2_000
/** Before anything is served there is nothing to hold up: opening may sleep until the lock is free. */
const OPENING_TIMEOUT_MS = 5_000
/** How long a search without an index may take (hypermedia.md, Cost). */
const SCAN_MS = 2_000
/** What SQLite keeps in memory of the file: by itself no more than 2 MB, which a few indexes of a large class exceed. */
const CACHE_KIB = 64 * 1_024
const MIGRATION_CACHE_KIB = 128 * 1_024
/** So many pages of the log are carried over at once: whoever commits then waits for it. */
const PAGES = 1_000
const BULK_PAGES = 16_384
const LONGEST_LOG = 64 * 1_024 * 1_024

/** `shapes`: the classes whose members are kept here. */
export async function openSqliteStore(
  path: string,
  shapes: readonly ClassShape[],
  options: StoreOptions = {},
): Promise<Store> {
  const { scanMs = SCAN_MS, onMigrated = () => {}, onMigratedElsewhere, onReplaced = () => {} } = options
  // The file holds the nonce secret: for its owner alone. SQLite gives its companions the same mode. Only a new one: to
  // close a file gives up all locks that this process has on it.
  if (path !== MEMORY && !existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const db = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS, enableForeignKeyConstraints: true })
  try {
    requireOurs(db, path)
    await useWriteAheadLog(db)
    // FULL: an acknowledged write is on disk, also when the power fails. The log shrinks again after a large change.
    db.exec(`PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${LONGEST_LOG}; PRAGMA trusted_schema = OFF;
      PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${options.bulk ? BULK_PAGES : PAGES}`)
    const changes = await bringUpToDate(db, shapes, options)
    if (changes.length > 0) onMigrated(changes)
    const file = path === MEMORY ? unwatched(db) : watchFile(db, path, onReplaced)
    const writer = createWriter(db, PATIENCE_MS, file)
    const lastWrite = watchForeignWrites(db)
    const foreignWrites = () => {
      file.glance()
      return lastWrite()
    }
    const auth = openAuthStore(db, writer, foreignWrites)
    const scanner = path === MEMORY ? undefined : createScanner(path, scanMs)
    const members = watchMembers(
      openMemberStore({ db, writer, foreignWrites, scanner, scanMs }, shapes),
      file,
    )
    db.exec('PRAGMA busy_timeout = 0')
    return {
      auth,
      members:
        onMigratedElsewhere === undefined ? members : watchOtherMigrations(members, onMigratedElsewhere),
      async reachable() {
        file.look()
        db.exec('SELECT 1 FROM sqlite_schema LIMIT 1')
      },
      async close() {
        await writer.close()
        await scanner?.close()
        if (db.isOpen) file.close()
      },
    }
  } catch (error) {
    db.close()
    throw translate(error)
  }
}

/** In one transaction: a database with incompatible members stays as it was. */
async function bringUpToDate(
  db: DatabaseSync,
  shapes: readonly ClassShape[],
  { migrate: which = 'all', onMigrate }: StoreOptions,
): Promise<readonly MigrationChange[]> {
  if (isCurrent(db)) {
    const changes = changesWithoutMigration(listClasses(db), shapes, which === 'none' ? 'none' : 'all')
    if (changes !== undefined) return changes
  }
  db.exec(`PRAGMA cache_size = -${MIGRATION_CACHE_KIB}; BEGIN IMMEDIATE`)
  try {
    // Another process may have been faster while this one waited for the lock: both see what is left to be done.
    upgradeSchema(db)
    const changes =
      changesWithoutMigration(listClasses(db), shapes, which) ??
      (await migrate(createMigrationStore(db, false), shapes, onMigrate)).changes
    db.exec('COMMIT')
    return changes
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  } finally {
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
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
