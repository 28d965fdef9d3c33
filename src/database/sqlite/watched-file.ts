import { type BigIntStats, closeSync, openSync, readSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

/** The file that every connection of this process watches, as plain data, which can be sent to threads. */
export interface WatchedFile {
  /** The paths of the database, its log and its index. */
  readonly paths: readonly string[]
  readonly files: readonly (File | undefined)[]
  /**
   * Shared memory of all threads: what has happened to the file, a counter that is odd while a thread writes, whether
   * another process has ever written, and how our last write left the log; and how it left the files.
   */
  readonly shared: Int32Array
  readonly left: BigInt64Array
}

type File = Pick<BigIntStats, 'ino' | 'dev'>

/** Call this when the file, its log and its index exist. */
export function identifyFile(db: DatabaseSync, path: string): WatchedFile {
  // SQLite creates the log and its index beside the file itself; the path may be a link to it.
  const file = db.location() ?? path
  const paths = [resolve(path), `${file}-wal`, `${file}-shm`]
  const files = paths.map(find).map((found) => found && { ino: found.ino, dev: found.dev })
  return {
    paths,
    files,
    shared: new Int32Array(new SharedArrayBuffer(20)),
    left: new BigInt64Array(new SharedArrayBuffer(24)),
  }
}

/** The state of the file at a check, and what SQLite knows about it. */
export interface Observation extends LogObservation, FileObservation {}

export interface FileObservation {
  readonly changedAt: bigint | undefined
  readonly size: bigint | undefined
  /** Which beginning the log has; undefined if it cannot be read. */
  readonly salts: bigint | undefined
}

export interface LogObservation {
  /** Changes with each write of another connection. */
  readonly writes: number
  readonly logged: number
  readonly checkpointed: number
}

/** Indexes in the shared memory. Those before belong to the watch. */
const LOGGED = 3
const CHECKPOINTED_PAGES = 4
/** Indexes in `left`. */
const CHANGED_AT = 0
const SIZE = 1
const SALTS = 2

/** What a write of this thread has left, for the other threads; or what they begin with. */
export function publish({ shared, left }: WatchedFile, seen: Observation): void {
  const { logged, checkpointed, changedAt = 0n, size = 0n, salts = 0n } = seen
  Atomics.store(shared, LOGGED, logged)
  Atomics.store(shared, CHECKPOINTED_PAGES, checkpointed)
  Atomics.store(left, CHANGED_AT, changedAt)
  Atomics.store(left, SIZE, size)
  Atomics.store(left, SALTS, salts)
}

/** What the last write of another thread has left: it explains no further change of the file. */
export function adopt({ shared, left }: WatchedFile, seen: Observation, observed: Observation): Observation {
  const logged = Atomics.load(shared, LOGGED)
  const salts = Atomics.load(left, SALTS)
  // To a connection, a write of another thread looks like one of another process, except for the log. Its length alone is
  // not enough: another process may have emptied it and filled it again.
  const { writes } = observed.logged === logged && observed.salts === salts ? observed : seen
  return {
    ...{ writes, logged, salts, checkpointed: Atomics.load(shared, CHECKPOINTED_PAGES) },
    ...{ changedAt: Atomics.load(left, CHANGED_AT), size: Atomics.load(left, SIZE) },
  }
}

export const find = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })

export const changeOf = (file: BigIntStats | undefined): Pick<FileObservation, 'changedAt' | 'size'> => ({
  changedAt: file?.mtimeNs,
  size: file?.size,
})

/** In the header of a log: SQLite chooses new ones whenever it begins the log again. */
const SALTS_AT = 16
const header = new BigInt64Array(1)
/** Those of an empty log. */
export const NO_SALTS = 0n

/**
 * Which beginning the log at this path has. Not the time of its last write: on Linux, a file system that was asked for that
 * writes it to the disk with the next write, and a commit waits for it.
 */
export function readSalts(path: string): bigint | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    header[0] = NO_SALTS
    readSync(file, header, 0, header.byteLength, SALTS_AT)
    return header[0]
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/**
 * Whether the log at this path was emptied in place. A checkpoint, too, may empty it, but then SQLite counts no pages in it
 * until the next write.
 */
export function isLogEmptied(path: string, observeLog: () => LogObservation): boolean {
  for (let before = observeLog(); ; ) {
    const salts = readSalts(path)
    const after = observeLog()
    if (salts !== NO_SALTS || after.logged === 0) return false
    // Otherwise another connection may have begun the log after we have looked at it.
    if (after.writes === before.writes) return true
    before = after
  }
}

export const isSame = (one: File | undefined, other: File | undefined): boolean =>
  one?.ino === other?.ino && one?.dev === other?.dev
