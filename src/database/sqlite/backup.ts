import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openingProblem } from '../index.ts'
import { openExisting } from './connection.ts'
import { isBusy } from './errors.ts'

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
    writeCopy(db, target)
  } finally {
    db.close()
  }
}

function writeCopy(db: DatabaseSync, target: string): void {
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
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
    rmSync(partial, { force: true })
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

/** Merges the log into the file, if no other process has it open. Returns a function to release the lock. */
function lockAlone(path: string): () => void {
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (isBusy(error)) throw openingProblem('DatabaseInUse', { path }, { cause: error })
    // A damaged file may be replaced: that is the purpose of a backup.
  }
  return () => {
    if (db.isOpen) db.close()
  }
}

/** From here on, the changes of a restored copy differ from those of the original database (live.md, The feed). */
function renewEpoch(path: string): void {
  const db = new DatabaseSync(path)
  db.prepare("UPDATE settings SET value = ? WHERE name = 'epoch'").run(randomUUID())
  db.close()
}
