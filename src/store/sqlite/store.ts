import type { DatabaseSync } from 'node:sqlite'
import { CHANGE_COLUMNS, type ChangeRow, toChange, watchedWrites } from '../changes.ts'
import { migrate } from '../migration/migrate.ts'
import { watchOtherMigrations } from '../migration/migration.ts'
import { changesWithoutMigration, isMigrated } from '../migration/plan.ts'
import type { ChangeLog, ClassShape, MigrationChange, Store, StoreOptions } from '../store.ts'
import { openAuthStore } from './auth.ts'
import { onThread } from './channel.ts'
import { arrays, CACHE_KIB, createDataVersion, MEMORY, oncePerTurn, openDatabase } from './connection.ts'
import { reading, translate } from './errors.ts'
import { type FileWatch, identifyFile, unwatched, watchFile } from './file-watch.ts'
import { createGroupCommit, createWriter, directly } from './group-commit.ts'
import { openMemberStore } from './members.ts'
import { createMigrationStore, listClasses } from './migrate.ts'
import { createScanner } from './scan.ts'
import { isCurrent, upgradeSchema } from './schema.ts'
import { tablesOf } from './tables.ts'
import type { ThreadData } from './thread.ts'
import { type Commands, createCommands, type StoredClasses } from './writes.ts'

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
  const bulk = options.bulk ?? false
  const db = await openDatabase(path, bulk)
  try {
    const changes = await bringUpToDate(db, shapes, options)
    if (changes.length > 0) onMigrated(changes)
    const classes = findTables(db, shapes)
    const isInMemory = path === MEMORY
    // A database in memory belongs to one connection; and for bulk data, for which no request waits, a thread only adds cost.
    const isDirect = isInMemory || bulk
    const watched = identifyFile(db, path)
    const file = isInMemory ? unwatched(db) : watchFile(db, watched, onReplaced)
    const readDataVersion = createDataVersion(db, isDirect)
    const { dataVersion, forget } = oncePerTurn(() => {
      file.checkOncePerMs()
      return readDataVersion()
    })
    const start = isDirect
      ? directly(() => createGroupCommit(db, createCommands(db, classes), file))
      : onThread({ task: 'write', path, watched, classes } satisfies ThreadData)
    const writer = createWriter<Commands>(start, forget)
    const auth = openAuthStore(db, writer, dataVersion)
    const scanner = isInMemory ? undefined : createScanner(path, scanMs)
    const { tables } = classes
    const { members, watch } = watchedWrites(
      openMemberStore({ db, file, writer, readDataVersion, dataVersion, scanner, scanMs, tables }, shapes),
    )
    // From here on this connection never waits for a lock, and where there is a write thread it only reads.
    db.exec(`PRAGMA busy_timeout = 0; PRAGMA query_only = ${isDirect ? 'OFF' : 'ON'}`)
    return {
      auth,
      changes: {
        ...openChangeLog(db, file),
        watch,
        sweep: (...args) => writer.writeUnsynced('sweepChanges', args),
      },
      members:
        onMigratedElsewhere === undefined ? members : watchOtherMigrations(members, onMigratedElsewhere),
      async reachable() {
        file.check()
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

/** The tables of the classes whose members are stored under these shapes. */
function findTables(db: DatabaseSync, shapes: readonly ClassShape[]): StoredClasses {
  const stored = listClasses(db)
  const tables = shapes.flatMap((shape) => {
    const found = stored.find((one) => isMigrated(one, shape))
    return found === undefined ? [] : [[shape.name, tablesOf(found.id, shape.keys)] as const]
  })
  return { tables: new Map(tables), stored: new Map(stored.map(({ name, id }) => [name, id])) }
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
    // Another process may have migrated while this one waited for the lock.
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

/** One process writes at a time, so positions are in the order of the commits. */
function openChangeLog(db: DatabaseSync, file: FileWatch): Omit<ChangeLog, 'watch' | 'sweep'> {
  const epoch = arrays(db, "SELECT value FROM settings WHERE name = 'epoch'")
  const last = arrays(db, `SELECT ${CHANGE_COLUMNS} FROM changes ORDER BY position DESC LIMIT 1`)
  const after = arrays(
    db,
    `SELECT ${CHANGE_COLUMNS} FROM changes WHERE position > ? ORDER BY position LIMIT +?`,
  )
  const read = <T>(work: () => T): T =>
    reading(() => {
      file.checkOncePerMs()
      return work()
    })
  return {
    epoch: () => read(() => (epoch.get() as unknown as [string])[0]),
    last: () =>
      read(() => {
        const row = last.get() as unknown as ChangeRow | undefined
        return row && toChange(row)
      }),
    after: (position, limit) =>
      read(() => (after.all(position, limit) as unknown as ChangeRow[]).map(toChange)),
  }
}
