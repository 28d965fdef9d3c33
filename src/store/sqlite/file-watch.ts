import { type BigIntStats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from '../../errors.ts'
import { arrays, watchWrites } from './connection.ts'
import { busy, isBusy } from './errors.ts'

/**
 * Whether the path of the database is still the file that is open. After that file was moved away, removed or replaced,
 * what is written is in no file that will be opened again, and users removed in the new one would live on here.
 */
export interface FileWatch {
  /** Throws 503 when it is not, from then on. */
  look(): void
  /** The same for reads, of which there are many: looks at most once in a millisecond. */
  glance(): void
  /** The same before a write, which SQLite's own BUSY holds up while it cannot be told. */
  lookToWrite(): void
  /** Writes to the file by this connection, and looks behind it. */
  write(commit: () => void): void
  /** Closes the database, unless SQLite would then write its log over a file that is not its own, or remove another's. */
  close(): void
}

const REPLACED =
  'The database file was replaced, removed or written over while this server was running; restart it to go on.'
const GLANCE_MS = 1
/**
 * How long another process may take to carry the log over, from the last that is known of it. Where another process has
 * written, a file that was written over is so noticed later, and nothing is acknowledged meanwhile.
 */
const PATIENCE_MS = 5_000

/** For a database in memory, which has no file. */
export const unwatched = (db: DatabaseSync): FileWatch => ({
  look() {},
  glance() {},
  lookToWrite() {},
  write: (commit) => commit(),
  close: () => db.close(),
})

/** What every connection of this process watches: plain data, but for what they tell each other. */
export interface WatchedFile {
  /** Of the database, its log and its index. */
  readonly paths: readonly string[]
  readonly files: readonly (File | undefined)[]
  /**
   * What all threads share: what has become of the file, a number that is odd while one writes to it, and whether another
   * process has ever written.
   */
  readonly shared: Int32Array
}

type File = Pick<BigIntStats, 'ino' | 'dev'>

/** Places in what is shared. */
const LOSS = 0
const WRITES = 1
const OTHERS = 2
/** What has become of the file. */
const REPLACED_BY_ANOTHER = 1
const WRITTEN_OVER = 2
/** Either another process is carrying the log over, or the file was written over. */
const IN_DOUBT = 3

/** Call once the file, its log and its index are there. */
export function identifyFile(db: DatabaseSync, path: string): WatchedFile {
  // SQLite puts the companions beside the file itself; the path may be a link to it.
  const file = db.location() ?? path
  const paths = [resolve(path), `${file}-wal`, `${file}-shm`]
  const files = paths.map(find).map((found) => found && { ino: found.ino, dev: found.dev })
  return { paths, files, shared: new Int32Array(new SharedArrayBuffer(12)) }
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
  let seen = observe()
  let inDoubtSince: number | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let isTold = false
  const writes = () => Atomics.load(shared, WRITES)
  let seenWrites = writes()
  const isLost = () => Atomics.load(shared, LOSS) !== 0

  function observe() {
    const [, , carriedOver] = checkpoint.get() as unknown as [number, number, number]
    // The file last: a log that is known to be carried over changes it no more.
    const stats = find(paths[0] as string)
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
    const observed = observe()
    // Another thread is at it: one look later it can be told.
    if (!written && (began % 2 === 1 || began !== writes())) return 0
    const isOurs = written || began !== seenWrites
    seenWrites = began
    // With a write-ahead log, SQLite writes to the file only to carry the log over. So this process did, or another
    // that has written before: it may be at it still, until it is seen that it has carried over.
    const isCarriedOver = observed.carriedOver !== before.carriedOver
    const isWritten = observed.writes !== before.writes
    // A connection that writes hears of others alone, one that reads also of the thread that writes.
    if (isWritten && (written || !isOurs)) Atomics.store(shared, OTHERS, 1)
    if (isOurs || isCarriedOver || isWritten) {
      seen = isOurs || isCarriedOver ? observed : { ...observed, writes: before.writes }
      inDoubtSince = undefined
      return 0
    }
    if (Atomics.load(shared, OTHERS) === 0) return WRITTEN_OVER
    inDoubtSince ??= performance.now()
    return performance.now() - inDoubtSince < PATIENCE_MS ? IN_DOUBT : WRITTEN_OVER
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
  function look(purpose?: 'to write' | 'written'): void {
    lookedAt = performance.now()
    const found = isLost() ? 0 : findLoss(purpose === 'written')
    if (found === IN_DOUBT) {
      if (purpose === 'to write') throw busy()
      return
    }
    const isFirst = found !== 0 && Atomics.compareExchange(shared, LOSS, 0, found) === 0
    if (!isLost()) return
    if (!isTold) onReplaced()
    isTold = true
    if (isFirst) salvage()
    throw unavailable(REPLACED, 60)
  }

  return {
    look: () => look(),
    lookToWrite: () => look('to write'),
    write(commit) {
      // It is odd already where a thread has ended while it wrote.
      Atomics.store(shared, WRITES, (writes() + 1) | 1)
      try {
        commit()
        look('written')
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
