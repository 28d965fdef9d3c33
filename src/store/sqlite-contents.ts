import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { arrays, openExisting } from '../database/sqlite/connection.ts'
import { isBusy } from '../database/sqlite/errors.ts'
import { isNew, upgradeSchema } from '../database/sqlite/schema.ts'
import { hasTable, listClasses } from '../members/sqlite/migrate.ts'
import type { CopiedCell, CopiedClass, CopiedTable } from './dump.ts'
import { copyProblem } from './problems.ts'

/** The contents of a file, in one snapshot; writers are locked out until it is closed. */
export interface SqliteContents {
  readonly classes: readonly CopiedClass[]
  rows(table: CopiedTable): Iterable<CopiedCell[]>
  count(table: CopiedTable): number
  /** The last number that a table has issued, even if its row has been deleted. */
  lastNumber(table: string): number
  close(): void
}

export function openSqliteContents(path: string): SqliteContents {
  const db = openExisting(path, 'from', false)
  try {
    if (isNew(db)) throw copyProblem('NothingToCopy', { path })
    lockForWriters(db, path)
    // A file of an earlier Hydrant is upgraded only for this reading: closing rolls the transaction back.
    upgradeSchema(db)
    requireConverted(db, path)
  } catch (error) {
    db.close()
    throw error
  }

  const lastNumber = (table: string): number => {
    const [text, name] =
      table === 'users'
        ? ['SELECT value FROM settings WHERE name = ?', 'user_number']
        : ['SELECT seq AS value FROM sqlite_sequence WHERE name = ?', table]
    return Number(db.prepare(text).get(name)?.value ?? 0)
  }
  return {
    classes: listClasses(db).map(({ id, name, total, version }): CopiedClass => {
      const hasHistory = hasTable(db, `history_${id}`)
      return { id, name, total, version, sequence: lastNumber(`members_${id}`), hasHistory }
    }),
    *rows(table) {
      const columns = table.columns.map(({ name }) => expressionOf(table, name))
      const keys = table.columns.slice(0, table.keyLength).map(({ name }) => name)
      const text = `SELECT ${columns} FROM ${table.name} ${conditionOf(table)} ORDER BY ${keys}`
      yield* arrays(db, text).iterate<CopiedCell[]>()
    },
    count: (table) =>
      Number(db.prepare(`SELECT count(*) AS rows FROM ${table.name} ${conditionOf(table)}`).get()?.rows),
    lastNumber,
    close: () => db.close(),
  }
}

/** Which defaults a member lacks is known from the form in which it is stored, and forms are not copied. */
function requireConverted(db: DatabaseSync, path: string): void {
  const classNames = listClasses(db).flatMap(({ name, layout }) => (layout?.isConverting ? name : []))
  if (classNames.length > 0) throw copyProblem('StillConverting', { path, classNames })
}

/** A server on the file can still read; its writes time out, so the copy misses no acknowledged write. */
function lockForWriters(db: DatabaseSync, path: string): void {
  try {
    db.exec('BEGIN IMMEDIATE')
    ensureSecret(db)
  } catch (error) {
    throw isBusy(error) ? copyProblem('SourceBusy', { path }) : error
  }
}

/**
 * A file that no server has opened yet has no secret. The ETags of pages depend on it: each database would create its own,
 * and the same page would have different ETags.
 */
function ensureSecret(db: DatabaseSync): void {
  if (db.prepare("SELECT 1 FROM settings WHERE name = 'nonce_secret'").get() !== undefined) return
  db.prepare("INSERT INTO settings VALUES ('nonce_secret', ?)").run(randomBytes(32))
  db.exec('COMMIT; BEGIN IMMEDIATE')
}

/**
 * Leaves out settings that belong to this file only: its schema, the generations of caches, its counter of users, its epoch, and the
 * layouts of its tables.
 */
const conditionOf = ({ name }: CopiedTable): string =>
  name === 'settings'
    ? `WHERE name NOT IN ('sqlite_schema', 'token_generation', 'users_generation', 'user_number', 'epoch')
        AND name NOT LIKE 'layout of %'`
    : ''

/**
 * Settings may have any type in SQLite: the secret is a blob, and a time that node:sqlite has bound may be a REAL. All
 * numbers are integers.
 */
const SETTING = `CASE typeof(value)
  WHEN 'blob' THEN lower(hex(value))
  WHEN 'real' THEN CAST(CAST(value AS INTEGER) AS TEXT)
  ELSE CAST(value AS TEXT) END`

const expressionOf = ({ name }: CopiedTable, column: string): string =>
  name === 'settings' && column === 'value' ? SETTING : column
