import type { DatabaseSync } from 'node:sqlite'
import { type FileSource, openingProblem } from '../index.ts'
import { isNoDatabase } from './errors.ts'
import { PUBLISHED, type SchemaStep } from './published.ts'

/** "HYDR": a file that carries another program's mark is not touched. */
const APPLICATION_ID = 0x48594452

/**
 * The steps that are newer than the last published Hydrant, which may open the file again afterwards, and may even have it
 * open while a command of this version applies them. The rules are those of `postgres/schema.ts`, with one more: the
 * former version inserts into `settings`, `spent_nonces`, `owner_totals` and `account_totals` without naming columns, so
 * these four get no column.
 */
const ADDITIONS: readonly SchemaStep[] = []

const STEPS = [...PUBLISHED, ...ADDITIONS]
/** Version 1 was gone before the first release. */
const FIRST = 2
export const SCHEMA_VERSION: number = FIRST + STEPS.length - 1
/** The oldest version that may open a file which this one has upgraded: that of the last published Hydrant. */
const OLDEST_VERSION = FIRST + PUBLISHED.length - 1

/** Throws for a file that this version of Hydrant must not touch. Only reads: setting the journal mode would be a change. */
export function requireOurs(db: DatabaseSync, path: string, source: FileSource = 'db'): void {
  const found = identify(db)
  if (found === undefined) throw openingProblem('ForeignFile', { path, source })
  const { oldest } = found
  if (oldest > SCHEMA_VERSION)
    throw openingProblem('NewerSchema', { database: path, version: oldest, known: SCHEMA_VERSION })
  if (oldest > 0 && oldest < FIRST)
    throw openingProblem('OutdatedSchema', { database: path, version: oldest })
}

/** Undefined for a file that is not ours. Reads one snapshot: another process may be creating the tables right now. */
function identify(db: DatabaseSync): { readonly oldest: number } | undefined {
  db.exec('BEGIN')
  try {
    const mark = readPragma(db, 'application_id')
    const hasTables = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined
    const isOurs = mark === APPLICATION_ID || (mark === 0 && !hasTables)
    return isOurs ? { oldest: readPragma(db, 'user_version') } : undefined
  } catch (error) {
    if (isNoDatabase(error)) return undefined
    throw error
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
}

/** Whether a file that this version has opened may still be written to. `oldest`: its user_version. */
export const mayWrite = (oldest: number): boolean => oldest >= OLDEST_VERSION && oldest <= SCHEMA_VERSION

/**
 * The last step that was applied. `user_version` is another number, the oldest version that may open the file; for the
 * first published versions, which do not know the setting, the two were the same.
 */
function findVersion(db: DatabaseSync): number {
  const oldest = readPragma(db, 'user_version')
  if (oldest === 0) return 0
  const row = db.prepare("SELECT value FROM settings WHERE name = 'sqlite_schema'").get()
  return Number(row?.value ?? oldest)
}

export const isCurrent = (db: DatabaseSync): boolean => findVersion(db) >= SCHEMA_VERSION

/** Brings the database to the schema of this version of Hydrant, within a transaction. */
export function upgradeSchema(db: DatabaseSync, steps = STEPS, oldest = OLDEST_VERSION): void {
  const version = findVersion(db)
  const last = FIRST + steps.length - 1
  if (version >= last) return
  for (const step of steps.slice(Math.max(0, version - FIRST + 1)))
    db.exec(typeof step === 'string' ? step : step(db))
  db.exec(`
    INSERT INTO settings VALUES ('sqlite_schema', ${last}) ON CONFLICT DO UPDATE SET value = excluded.value;
    PRAGMA user_version = ${Math.max(oldest, readPragma(db, 'user_version'))};
    PRAGMA application_id = ${APPLICATION_ID}`)
}

/** Calls `upgradeSchema` in its own transaction. */
export function ensureSchema(db: DatabaseSync): void {
  if (isCurrent(db)) return
  db.exec('BEGIN IMMEDIATE')
  try {
    upgradeSchema(db)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Whether the file is still empty. */
export const isNew = (db: DatabaseSync): boolean => readPragma(db, 'user_version') === 0

function readPragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0])
}
