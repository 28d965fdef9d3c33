import type { DatabaseSync } from 'node:sqlite'
import { classChanges } from '../migration/changes.ts'
import { areAdopted, unadopted } from '../migration/classes.ts'
import { watchOvertaking } from '../migration/overtaking.ts'
import {
  type AdoptionChange,
  type ClassShape,
  NotAdoptedError,
  type Store,
  type StoreOptions,
} from '../store.ts'
import { adopt } from './adoption.ts'
import { openAuthStore } from './auth.ts'
import { listClasses } from './classes.ts'
import { CACHE_KIB, MEMORY, openDatabase, watchForeignWrites } from './connection.ts'
import { translate } from './errors.ts'
import { unwatched, watchFile, watchMembers } from './file-watch.ts'
import { createWriter } from './group-commit.ts'
import { openMemberStore } from './members.ts'
import { createScanner } from './scan.ts'
import { isCurrent, isNew, migrate } from './schema.ts'

/** How long a write waits for another process to let go of the database. */
const PATIENCE_MS = 2_000
/** How long a search without an index may take (hypermedia.md, Cost). */
const SCAN_MS = 2_000
const ADOPTION_CACHE_KIB = 128 * 1_024

/** `shapes`: the classes whose members are kept here. */
export async function openSqliteStore(
  path: string,
  shapes: readonly ClassShape[],
  options: StoreOptions = {},
): Promise<Store> {
  const { scanMs = SCAN_MS, onAdopted = () => {}, onOvertaken, onReplaced = () => {} } = options
  const db = await openDatabase(path, options.bulk ?? false)
  try {
    const changes = bringUpToDate(db, shapes, options)
    if (changes.length > 0) onAdopted(changes)
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
      members: onOvertaken === undefined ? members : watchOvertaking(members, onOvertaken),
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

/** In one transaction: a database whose members do not fit the API file stays as it was. */
function bringUpToDate(
  db: DatabaseSync,
  shapes: readonly ClassShape[],
  { adopt: which = 'all', onAdopt = () => {} }: StoreOptions,
): AdoptionChange[] {
  if (isCurrent(db) && areAdopted(listClasses(db), shapes)) return classChanges(listClasses(db), [], shapes)
  if (isCurrent(db) && which === 'none') {
    requireAdopted(db, shapes)
    return []
  }
  db.exec(`PRAGMA cache_size = -${ADOPTION_CACHE_KIB}; BEGIN IMMEDIATE`)
  try {
    // Another process may have been faster while this one waited for the lock: both see what is left to be done.
    if (which !== 'all' && !isNew(db)) requireAdopted(db, shapes)
    migrate(db)
    const changes = which === 'none' ? [] : adopt(db, shapes, onAdopt)
    db.exec('COMMIT')
    return changes
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  } finally {
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  }
}

function requireAdopted(db: DatabaseSync, shapes: readonly ClassShape[]): void {
  const names = unadopted(listClasses(db), shapes)
  if (names.length > 0) throw new NotAdoptedError(names)
}
