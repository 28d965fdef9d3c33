import { type BigIntStats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from '../../errors.ts'
import { arrays, watchForeignWrites } from './connection.ts'
import { isBusy } from './errors.ts'

/**
 * Whether the path of the database is still the file that is open. After that file was moved away, removed or replaced,
 * what is written is in no file that will be opened again, and users removed in the new one would live on here.
 */
export interface FileWatch {
  /** Throws 503 when it is not, from then on. `written`: this connection has written since the last look. */
  look(written?: boolean): void
  /** The same for reads, of which there are many: looks at most once in a millisecond. */
  glance(): void
  /** Closes the database, unless SQLite would then write its log over a file that is not its own, or remove another's. */
  close(): void
}

const REPLACED =
  'The database file was replaced, removed or written over while this server was running; restart it to go on.'
const GLANCE_MS = 1

/** For a database in memory, which has no file. */
export const unwatched = (db: DatabaseSync): FileWatch => ({
  look() {},
  glance() {},
  close: () => db.close(),
})

/** Call once the file, its log and its index are there. `onReplaced` is told once. */
export function watchFile(db: DatabaseSync, path: string, onReplaced: () => void): FileWatch {
  // SQLite puts the companions beside the file itself; the path may be a link to it.
  const file = db.location() ?? path
  const paths = [resolve(path), `${file}-wal`, `${file}-shm`]
  const [opened, ...companions] = paths.map(find)
  const foreignWrites = watchForeignWrites(db)
  // NOOP carries nothing over, and tells how many pages of the log have been (SQLite 3.51).
  const checkpoint = arrays(db, 'PRAGMA wal_checkpoint(NOOP)')
  let seen = observe(opened)
  let lookedAt = Number.NEGATIVE_INFINITY
  let isLost = false
  let isOverwritten = false

  function observe(stats: BigIntStats | undefined) {
    const [, , carriedOver] = checkpoint.get() as unknown as [number, number, number]
    return { changedAt: stats?.mtimeNs, size: stats?.size, writes: foreignWrites(), carriedOver }
  }

  function isReplaced(written: boolean): boolean {
    const [now, ...others] = paths.map(find)
    if (!isSame(now, opened) || !others.every((one, index) => isSame(one, companions[index]))) return true
    if (!written && now?.mtimeNs === seen.changedAt && now?.size === seen.size) return false
    const before = seen
    seen = observe(now)
    // With a write-ahead log, SQLite writes to the file only to carry the log over. So this connection did, or another
    // that has written before: it may be at it still, until it is seen that it has carried over.
    const isCarriedOver = seen.carriedOver > before.carriedOver
    isOverwritten = !written && !isCarriedOver && seen.writes === before.writes
    if (!isCarriedOver) seen = { ...seen, writes: before.writes }
    return isOverwritten
  }

  /** Whether the log that is at its path, if any, is that of the file that is open, and belongs to nothing else. */
  function isOwnLog(): boolean {
    const log = find(paths[1] as string)
    return !isOverwritten && (log === undefined || isSame(log, companions[0]))
  }

  /**
   * What was acknowledged goes into the file that is open, wherever that is now. The log becomes empty: SQLite would
   * take it for that of the file which has come into its place.
   */
  function salvage(): void {
    if (!isOwnLog()) return
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      // Something is being read: once more when all is closed.
      if (!isBusy(error)) throw error
    }
  }

  function look(written = false): void {
    lookedAt = performance.now()
    if (!isLost && isReplaced(written)) {
      isLost = true
      onReplaced()
      salvage()
    }
    if (isLost) throw unavailable(REPLACED, 60)
  }

  return {
    look,
    glance() {
      if (isLost || performance.now() - lookedAt >= GLANCE_MS) look()
    },
    close() {
      if (isLost) salvage()
      if (!isLost || isOwnLog()) db.close()
    },
  }
}

const find = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })

const isSame = (one: BigIntStats | undefined, other: BigIntStats | undefined): boolean =>
  one?.ino === other?.ino && one?.dev === other?.dev
