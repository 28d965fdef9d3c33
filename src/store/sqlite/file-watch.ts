import { type BigIntStats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from '../../errors.ts'
import { arrays, watchWrites } from './connection.ts'
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

/** What every connection of this process watches: plain data, but for what they tell each other. */
export interface WatchedFile {
  /** Of the database, its log and its index. */
  readonly paths: readonly string[]
  readonly files: readonly (File | undefined)[]
  /** One number that all threads share: whether the file was lost. */
  readonly loss: Int32Array
}

type File = Pick<BigIntStats, 'ino' | 'dev'>

const REPLACED_BY_ANOTHER = 1
const WRITTEN_OVER = 2

/** Call once the file, its log and its index are there. */
export function identifyFile(db: DatabaseSync, path: string): WatchedFile {
  // SQLite puts the companions beside the file itself; the path may be a link to it.
  const file = db.location() ?? path
  const paths = [resolve(path), `${file}-wal`, `${file}-shm`]
  const files = paths.map(find).map((found) => found && { ino: found.ino, dev: found.dev })
  return { paths, files, loss: new Int32Array(new SharedArrayBuffer(4)) }
}

/** `onReplaced` is told once. */
export function watchFile(
  db: DatabaseSync,
  { paths, files, loss }: WatchedFile,
  onReplaced = () => {},
): FileWatch {
  const lastWrite = watchWrites(db)
  // NOOP carries nothing over, and tells how many pages of the log have been (SQLite 3.51).
  const checkpoint = arrays(db, 'PRAGMA wal_checkpoint(NOOP)')
  let seen = observe(find(paths[0] as string))
  let lookedAt = Number.NEGATIVE_INFINITY
  let isTold = false
  const isLost = () => Atomics.load(loss, 0) !== 0

  function observe(stats: BigIntStats | undefined) {
    const [, , carriedOver] = checkpoint.get() as unknown as [number, number, number]
    return { changedAt: stats?.mtimeNs, size: stats?.size, writes: lastWrite(), carriedOver }
  }

  /** What has become of the file; 0 where nothing has. */
  function findLoss(written: boolean): number {
    const found = paths.map(find)
    if (!found.every((one, index) => isSame(one, files[index]))) return REPLACED_BY_ANOTHER
    const [now] = found
    if (!written && now?.mtimeNs === seen.changedAt && now?.size === seen.size) return 0
    const before = seen
    seen = observe(now)
    // With a write-ahead log, SQLite writes to the file only to carry the log over. So this connection did, or another
    // that has written before: it may be at it still, until it is seen that it has carried over.
    const isCarriedOver = seen.carriedOver > before.carriedOver
    const isWrittenOver = !written && !isCarriedOver && seen.writes === before.writes
    if (!isCarriedOver) seen = { ...seen, writes: before.writes }
    return isWrittenOver ? WRITTEN_OVER : 0
  }

  /** Whether the log that is at its path, if any, is that of the file that is open, and belongs to nothing else. */
  function isOwnLog(): boolean {
    const log = find(paths[1] as string)
    return Atomics.load(loss, 0) !== WRITTEN_OVER && (log === undefined || isSame(log, files[1]))
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

  /** Of the connections of this process, the first that sees the loss salvages the log. */
  function look(written = false): void {
    lookedAt = performance.now()
    const found = isLost() ? 0 : findLoss(written)
    const isFirst = found !== 0 && Atomics.compareExchange(loss, 0, 0, found) === 0
    if (!isLost()) return
    if (!isTold) onReplaced()
    isTold = true
    if (isFirst) salvage()
    throw unavailable(REPLACED, 60)
  }

  return {
    look,
    glance() {
      if (isLost() || performance.now() - lookedAt >= GLANCE_MS) look()
    },
    close() {
      if (isLost()) salvage()
      if (!isLost() || isOwnLog()) db.close()
    },
  }
}

const find = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })

const isSame = (one: File | undefined, other: File | undefined): boolean =>
  one?.ino === other?.ino && one?.dev === other?.dev
