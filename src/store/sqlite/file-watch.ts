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
  /** Throws 503 when it is not, from then on. */
  look(): void
  /** The same for reads, of which there are many: looks at most once in a millisecond. */
  glance(): void
  /** Writes to the file by this connection, and looks behind it. */
  write(commit: () => void): void
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
  write: (commit) => commit(),
  close: () => db.close(),
})

/** What every connection of this process watches: plain data, but for what they tell each other. */
export interface WatchedFile {
  /** Of the database, its log and its index. */
  readonly paths: readonly string[]
  readonly files: readonly (File | undefined)[]
  /** What all threads share: what has become of the file, and a number that is odd while one writes to it. */
  readonly shared: Int32Array
}

type File = Pick<BigIntStats, 'ino' | 'dev'>

/** Places in what is shared. */
const LOSS = 0
const WRITES = 1
/** What has become of the file. */
const REPLACED_BY_ANOTHER = 1
const WRITTEN_OVER = 2

/** Call once the file, its log and its index are there. */
export function identifyFile(db: DatabaseSync, path: string): WatchedFile {
  // SQLite puts the companions beside the file itself; the path may be a link to it.
  const file = db.location() ?? path
  const paths = [resolve(path), `${file}-wal`, `${file}-shm`]
  const files = paths.map(find).map((found) => found && { ino: found.ino, dev: found.dev })
  return { paths, files, shared: new Int32Array(new SharedArrayBuffer(8)) }
}

/** `onReplaced` is told once. */
export function watchFile(
  db: DatabaseSync,
  { paths, files, shared }: WatchedFile,
  onReplaced = () => {},
): FileWatch {
  const lastWrite = watchWrites(db)
  // NOOP carries nothing over, and tells how many pages of the log have been (SQLite 3.51).
  const checkpoint = arrays(db, 'PRAGMA wal_checkpoint(NOOP)')
  let seen = observe(find(paths[0] as string))
  let lookedAt = Number.NEGATIVE_INFINITY
  let isTold = false
  const writes = () => Atomics.load(shared, WRITES)
  let seenWrites = writes()
  const isLost = () => Atomics.load(shared, LOSS) !== 0

  function observe(stats: BigIntStats | undefined) {
    const [, , carriedOver] = checkpoint.get() as unknown as [number, number, number]
    return { changedAt: stats?.mtimeNs, size: stats?.size, writes: lastWrite(), carriedOver }
  }

  /** What has become of the file; 0 where nothing has. `written`: this connection has written since the last look. */
  function findLoss(written: boolean): number {
    const began = writes()
    const found = paths.map(find)
    if (!found.every((one, index) => isSame(one, files[index]))) return REPLACED_BY_ANOTHER
    const [now] = found
    const isUnchanged = now?.mtimeNs === seen.changedAt && now?.size === seen.size
    if (!written && began === seenWrites && isUnchanged) return 0
    const before = seen
    const observed = observe(now)
    // Another thread is at it: one look later it can be told.
    if (!written && (began % 2 === 1 || began !== writes())) return 0
    const isOurs = written || began !== seenWrites
    seenWrites = began
    // With a write-ahead log, SQLite writes to the file only to carry the log over. So this process did, or another
    // that has written before: it may be at it still, until it is seen that it has carried over.
    const isCarriedOver = observed.carriedOver > before.carriedOver
    seen = isOurs || isCarriedOver ? observed : { ...observed, writes: before.writes }
    return !isOurs && !isCarriedOver && observed.writes === before.writes ? WRITTEN_OVER : 0
  }

  /** Whether the log that is at its path, if any, is that of the file that is open, and belongs to nothing else. */
  function isOwnLog(): boolean {
    const log = find(paths[1] as string)
    return Atomics.load(shared, LOSS) !== WRITTEN_OVER && (log === undefined || isSame(log, files[1]))
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
    const isFirst = found !== 0 && Atomics.compareExchange(shared, LOSS, 0, found) === 0
    if (!isLost()) return
    if (!isTold) onReplaced()
    isTold = true
    if (isFirst) salvage()
    throw unavailable(REPLACED, 60)
  }

  return {
    look: () => look(),
    write(commit) {
      // It is odd already where a thread has ended while it wrote.
      Atomics.store(shared, WRITES, (writes() + 1) | 1)
      try {
        commit()
        look(true)
      } finally {
        seenWrites = Atomics.add(shared, WRITES, 1) + 1
      }
    },
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
