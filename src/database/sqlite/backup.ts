import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { listClasses } from '../../members/sqlite/migrate.ts'
import type { Cell, CopiedClass, CopiedTable } from '../../store/dump.ts'
import { arrays, openExisting } from './connection.ts'
import { isBusy } from './errors.ts'
import { isNew, upgradeSchema } from './schema.ts'

/**
 * Copies one snapshot of the database into a new file: VACUUM INTO reads in one transaction, which with a write-ahead log
 * blocks no writer. The copy gets its name when it is complete and on disk.
 */
export function backUpSqlite(path: string, target: string): void {
  const db = openExisting(path)
  try {
    if (existsSync(target)) throw new Error(`${target} exists already; name a file that does not.`)
    if (!existsSync(dirname(target))) throw new Error(`There is no folder ${dirname(target)}; make it first.`)
    writeCopy(db, target)
  } finally {
    db.close()
  }
}

function writeCopy(db: DatabaseSync, target: string): void {
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  try {
    // The copy holds the nonce secret: for its owner alone. SQLite accepts an empty file as target.
    closeSync(openSync(partial, 'wx', 0o600))
    db.prepare('VACUUM INTO ?').run(partial)
    renewEpoch(partial)
    const file = openSync(partial, 'r')
    fsyncSync(file)
    closeSync(file)
    renameSync(partial, target)
  } finally {
    rmSync(partial, { force: true })
  }
}

/**
 * Puts a backup in the place of the database, which is kept under the name `aside`; without that name, an existing
 * database is not replaced.
 */
export function restoreSqlite(backup: string, path: string, aside: string | undefined): void {
  const db = openExisting(backup, 'name a file that `hydrant backup` has written')
  // Of this process alone: a backup may be called so too.
  const copy = `${path}.${process.pid}.restored`
  try {
    const isThere = COMPANIONS.some((suffix) => existsSync(path + suffix))
    if (isThere && aside === undefined)
      throw new Error(`${path} is there already; with --force it is put aside, under a name that is printed.`)
    const damage = damageOf(db)
    if (damage !== 'ok')
      throw new Error(`${backup} is damaged (${damage}); take another backup. Nothing was changed.`)
    writeCopy(db, copy)
  } finally {
    db.close()
  }
  let release = () => {}
  try {
    if (existsSync(path)) release = lockAlone(path)
    // SQLite would apply a log that stays behind to the new file.
    for (const suffix of COMPANIONS)
      if (existsSync(path + suffix)) renameSync(path + suffix, `${aside}${suffix}`)
    renameSync(copy, path)
  } finally {
    rmSync(copy, { force: true })
    release()
  }
}

/** In one line; `ok` for none. */
function damageOf(db: DatabaseSync): string {
  try {
    const [state] = db.prepare('PRAGMA integrity_check(1)').all()
    return String(state?.integrity_check).replaceAll('\n', ' ')
  } catch (error) {
    return (error as Error).message
  }
}

const COMPANIONS = ['', '-wal', '-shm', '-journal']

/** Merges the log into the file, which works only where no other process has it open. Returns how to release the lock. */
function lockAlone(path: string): () => void {
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (isBusy(error))
      throw new Error(`${path} is open in another process; stop the server on it first. Nothing was changed.`)
    // A damaged file may be replaced: that is what a backup is for.
  }
  return () => {
    if (db.isOpen) db.close()
  }
}

/** The changes of the database after this are not those of a copy that is put in its place (live.md, The feed). */
function renewEpoch(path: string): void {
  const db = new DatabaseSync(path)
  db.prepare("UPDATE settings SET value = ? WHERE name = 'epoch'").run(randomUUID())
  db.close()
}

export type SqliteContents = ReturnType<typeof openSqliteContents>

/** The contents of a file in one snapshot; writers are locked out until it is closed. */
export function openSqliteContents(path: string) {
  const db = openExisting(path, 'name another file with --from sqlite:<path>', false)
  try {
    if (isNew(db)) throw new Error(`There is nothing in ${path} yet.`)
    lockForWriters(db, path)
    // A file of an earlier Hydrant is upgraded only for this reading: closing rolls the transaction back.
    upgradeSchema(db)
  } catch (error) {
    db.close()
    throw error
  }

  /** The last number that a table has given out, also where its row is gone. */
  const lastNumber = (table: string): number => {
    const [text, name] =
      table === 'users'
        ? ['SELECT value FROM settings WHERE name = ?', 'user_number']
        : ['SELECT seq AS value FROM sqlite_sequence WHERE name = ?', table]
    return Number(db.prepare(text).get(name)?.value ?? 0)
  }
  return {
    classes: listClasses(db).map(({ id, name, total, version }): CopiedClass => {
      return { id, name, total, version, sequence: lastNumber(`members_${id}`) }
    }),
    *rows(table: CopiedTable): Iterable<Cell[]> {
      const columns = table.columns.map(({ name }) => expressionOf(table, name))
      const keys = table.columns.slice(0, table.keyLength).map(({ name }) => name)
      const text = `SELECT ${columns} FROM ${table.name} ${conditionOf(table)} ORDER BY ${keys}`
      yield* arrays(db, text).iterate<Cell[]>()
    },
    count: (table: CopiedTable): number =>
      Number(db.prepare(`SELECT count(*) AS rows FROM ${table.name} ${conditionOf(table)}`).get()?.rows),
    lastNumber,
    close: (): void => db.close(),
  }
}

/** A server on the file goes on reading; its writes time out, so none that it acknowledges is missed. */
function lockForWriters(db: DatabaseSync, path: string): void {
  try {
    db.exec('BEGIN IMMEDIATE')
    ensureSecret(db)
  } catch (error) {
    throw isBusy(error)
      ? new Error(`Another process keeps writing to ${path}; stop it, or try again.`, { cause: error })
      : error
  }
}

/**
 * A file that no server has opened yet has no secret. The ETags of pages depend on it: each database would make one of its
 * own, and the same page would have another ETag there.
 */
function ensureSecret(db: DatabaseSync): void {
  if (db.prepare("SELECT 1 FROM settings WHERE name = 'nonce_secret'").get() !== undefined) return
  db.prepare("INSERT INTO settings VALUES ('nonce_secret', ?)").run(randomBytes(32))
  db.exec('COMMIT; BEGIN IMMEDIATE')
}

/** These settings belong to this file alone: the generation of its token caches, its counter of users, its epoch. */
const conditionOf = ({ name }: CopiedTable): string =>
  name === 'settings' ? "WHERE name NOT IN ('token_generation', 'user_number', 'epoch')" : ''

/** Settings are of any type in SQLite: the secret is a blob, and a time that node:sqlite has bound may be a REAL. All numbers are integers. */
const SETTING = `CASE typeof(value)
  WHEN 'blob' THEN lower(hex(value))
  WHEN 'real' THEN CAST(CAST(value AS INTEGER) AS TEXT)
  ELSE CAST(value AS TEXT) END`

const expressionOf = ({ name }: CopiedTable, column: string): string =>
  name === 'settings' && column === 'value' ? SETTING : column
