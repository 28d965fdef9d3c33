import type { DatabaseSync } from 'node:sqlite'
import { migrate } from '../migration/migrate.ts'
import { watchOtherMigrations } from '../migration/migrated-elsewhere.ts'
import { changesWithoutMigration } from '../migration/plan.ts'
import type { ClassShape, MigrationChange, Store, StoreOptions } from '../store.ts'
import { openAuthStore } from './auth.ts'
import { CACHE_KIB, MEMORY, openDatabase, watchForeignWrites } from './connection.ts'
import { translate } from './errors.ts'
import { unwatched, watchFile } from './file-watch.ts'
import { createWriter } from './group-commit.ts'
import { openMemberStore } from './members.ts'
import { createMigrationStore, listClasses } from './migrate.ts'
import { createScanner } from './scan.ts'
import { isCurrent, upgradeSchema } from './schema.ts'

/** How long a write waits for another process to let go of the database. */
const PATIENCE_MS = 2_000
/** How long a search without an index may take (hypermedia.md, Cost). */
const SCAN_MS = 2_000
const MIGRATION_CACHE_KIB = 128 * 1_024

/** `shapes`: the classes whose members are kept here. */
export async function openSqliteStore(
  path: string,
  shapes: readonly ClassShape[],
  options: StoreOptions = {},
): Promise<Store> {
  const { scanMs = SCAN_MS, onMigrated = () => {}, onMigratedElsewhere, onReplaced = () => {} } = options
  const db = await openDatabase(path, options.bulk ?? false)
  try {
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
    const members = openMemberStore({ db, file, writer, foreignWrites, scanner, scanMs }, shapes)
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
