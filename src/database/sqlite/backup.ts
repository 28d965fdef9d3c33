import { randomInt, randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openingProblem } from '../index.ts'
import { openExisting } from './connection.ts'
import { isBusy, isFull } from './errors.ts'

/**
 * Copies one snapshot of the database into a new file: VACUUM INTO reads in one transaction, which with a write-ahead log
 * blocks no writer. The copy gets its name when it is complete and on disk.
 */
export function backUpSqlite(path: string, target: string): void {
  const db = openExisting(path)
  try {
    if (existsSync(target)) throw openingProblem('BackupExists', { path: target })
    const folder = dirname(target)
    if (!existsSync(folder)) throw openingProblem('NoBackupFolder', { folder })
    nameFullDisk(target, () => writeCopy(db, target))
  } finally {
    db.close()
  }
}

function writeCopy(db: DatabaseSync, target: string): void {
  const partial = `${target}.partial`
  removeDatabase(partial)
  try {
    // The copy contains the nonce secret, so only its owner may read it. SQLite accepts an empty file as target.
    closeSync(openSync(partial, 'wx', 0o600))
    db.prepare('VACUUM INTO ?').run(partial)
    renewEpoch(partial)
    const file = openSync(partial, 'r')
    fsyncSync(file)
    closeSync(file)
    renameSync(partial, target)
  } finally {
    removeDatabase(partial)
  }
}

function nameFullDisk(path: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    throw isFull(error) ? openingProblem('NoSpaceForCopy', { path }, { cause: error }) : error
  }
}

/**
 * Replaces the database by a backup. The database is kept under the name `aside`; without that name, an existing database
 * is not replaced.
 */
export function restoreSqlite(backup: string, path: string, aside: string | undefined): void {
  const db = openExisting(backup, 'backup')
  // A name with the process id: without it, a backup might have the same name.
  const copy = `${path}.${process.pid}.restored`
  try {
    const isThere = COMPANIONS.some((suffix) => existsSync(path + suffix))
    if (isThere && aside === undefined) throw openingProblem('DatabaseExists', { path })
    const damage = damageOf(db)
    if (damage !== 'ok') throw openingProblem('DamagedBackup', { path: backup, damage })
    nameFullDisk(path, () => writeCopy(db, copy))
  } finally {
    db.close()
  }
  let replaced: DatabaseSync | undefined
  try {
    if (existsSync(path)) replaced = lockAlone(path)
    nameFullDisk(path, () => beginNonceSeries(copy, replaced))
    // SQLite would apply a log that stays behind to the new file.
    for (const suffix of COMPANIONS)
      if (existsSync(path + suffix)) renameSync(path + suffix, `${aside}${suffix}`)
    renameSync(copy, path)
  } finally {
    removeDatabase(copy)
    if (replaced?.isOpen) replaced.close()
  }
}

/** The damage in one line; `ok` for none. */
function damageOf(db: DatabaseSync): string {
  try {
    const [state] = db.prepare('PRAGMA integrity_check(1)').all()
    return String(state?.integrity_check).replaceAll('\n', ' ')
  } catch (error) {
    return (error as Error).message
  }
}

const COMPANIONS = ['', '-wal', '-shm', '-journal']

/** If a disk is full SQLite leaves its journal there, and would apply it to the next file of this name. */
function removeDatabase(path: string): void {
  for (const suffix of COMPANIONS) rmSync(path + suffix, { force: true })
}

/**
 * Merges the log into the file, if no other process has it open, and locks the file until it is closed. Closed already if
 * it is damaged.
 */
function lockAlone(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (isBusy(error)) throw openingProblem('DatabaseInUse', { path }, { cause: error })
    // A damaged file may be replaced: that is the purpose of a backup.
  }
  return db
}

/** From here on, the changes of a restored copy differ from those of the original database (live.md, The feed). */
function renewEpoch(path: string): void {
  change(path, (db) => db.prepare("UPDATE settings SET value = ? WHERE name = 'epoch'").run(randomUUID()))
}

/** Small enough for two million restores: a series is a safe integer. */
const LARGEST_STEP = 2 ** 32

/**
 * Nonces that were spent since the backup are not in it, and none may be accepted twice (authentication.md, Nonce): so the
 * nonces of all earlier series are refused. The new series is later by a random number, since the database that is
 * replaced may be lost or damaged, and then its series, which an earlier restore may have begun, is unknown.
 */
function beginNonceSeries(path: string, replaced: DatabaseSync | undefined): void {
  change(path, (db) => {
    const series = Math.max(nonceSeriesOf(db), knownSeriesOf(replaced)) + randomInt(1, LARGEST_STEP)
    db.prepare(`INSERT INTO settings VALUES ('nonce_series', CAST(? AS INTEGER))
      ON CONFLICT DO UPDATE SET value = excluded.value`).run(series)
  })
}

const nonceSeriesOf = (db: DatabaseSync): number =>
  Number(db.prepare("SELECT value FROM settings WHERE name = 'nonce_series'").get()?.value ?? 0)

function knownSeriesOf(replaced: DatabaseSync | undefined): number {
  try {
    return replaced === undefined ? 0 : nonceSeriesOf(replaced)
  } catch {
    // A damaged file, or another one that is no database of ours.
    return 0
  }
}

function change(path: string, write: (db: DatabaseSync) => unknown): void {
  const db = new DatabaseSync(path)
  try {
    write(db)
  } finally {
    db.close()
  }
}
