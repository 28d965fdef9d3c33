import type { DatabaseSync } from 'node:sqlite'
import { turnOfLoop } from '../../turn.ts'
import { databaseProblem, type FileLoss } from '../index.ts'
import {
  type ArrayStatement,
  arrays,
  CHECKPOINT_PAGES,
  CHECKPOINTED,
  type Checkpointed,
  createDataVersion,
  type DataVersion,
} from './connection.ts'
import { busy, isBusy, isMangled, translate } from './errors.ts'
import { mayWrite } from './schema.ts'
import {
  adopt,
  changeOf,
  type FileObservation,
  find,
  isLogEmptied,
  isSame,
  type LogObservation,
  NO_SALTS,
  type Observation,
  publish,
  readSalts,
  type WatchedFile,
} from './watched-file.ts'

/**
 * Checks that the file at the database's path is still the one that is open. After the file was moved, removed or
 * replaced, writes would be lost with it, and users removed in the new file would still be admitted here.
 */
export interface FileWatch {
  /** Throws `DatabaseReplaced` if it is not, and from then on. */
  check(): void
  /**
   * Runs `read` after the same check, at most one check per millisecond, and one for all requests that arrived together.
   * Translates errors; the channel does so for writes.
   */
  read<T>(read: () => T): T
  /**
   * The same check before a write, at most once per millisecond: no write is acknowledged before the check that follows it.
   * While its result is in doubt, the write gets SQLite's BUSY, and so is tried again.
   */
  checkBeforeWrite(): void
  /** Runs a commit on this connection, unless a newer version has upgraded the database, and checks after it. */
  write(commit: () => void): void
  /** How many pages of the log wait for a checkpoint. */
  uncheckpointed(): number
  /** Closes the database, unless SQLite would then write its log into another file, or remove another file's log. */
  close(): void
}

const CHECK_INTERVAL_MS = 1
/**
 * How long a checkpoint of another process may take. If another process has written, an overwritten file is noticed this
 * much later, and no write is acknowledged meanwhile.
 */
const LONGEST_CHECKPOINT_MS = 5_000

/** For a database in memory, which has no file. */
export const unwatched = (db: DatabaseSync): FileWatch => ({
  check() {},
  read(read) {
    try {
      return read()
    } catch (error) {
      throw translate(error)
    }
  },
  checkBeforeWrite() {},
  write: (commit) => commit(),
  uncheckpointed: () => 0,
  close: () => db.close(),
})

/** Indexes in the shared memory. */
const LOSS = 0
const WRITES = 1
const OTHERS = 2
/** Values of LOSS; 0 while all is well. */
const REPLACED_BY_ANOTHER = 1
const WRITTEN_OVER = 2
/** A newer version of Hydrant has upgraded the file: a write would not update its new tables. */
const UPGRADED = 4
/** Either a checkpoint of another process is running, or the file was overwritten. */
const IN_DOUBT = 3

export interface FileWatchOptions {
  /** Called once, with what has happened. */
  readonly onReplaced?: ((loss: FileLoss) => void) | undefined
  /** Whether commits of this connection may checkpoint, which changes the file. */
  readonly isCheckpointing: boolean
}

export const watchFile = (db: DatabaseSync, watched: WatchedFile, options: FileWatchOptions): FileWatch =>
  new OpenFileWatch(db, watched, options)

type CheckPurpose = 'before a write' | 'after a write' | 'after damage'

class OpenFileWatch implements FileWatch {
  readonly #db: DatabaseSync
  readonly #watched: WatchedFile
  readonly #onReplaced: ((loss: FileLoss) => void) | undefined
  readonly #isCheckpointing: boolean
  readonly #dataVersion: DataVersion
  readonly #checkpoint: ArrayStatement
  readonly #oldestVersion: ArrayStatement
  #seen: Observation
  /** The counter of writes in the shared memory, at the last check. */
  #seenWrites: number
  /** The data version within the last write of this connection. */
  #versionAtWrite: number | undefined
  #inDoubtSince: number | undefined
  #checkedAt = Number.NEGATIVE_INFINITY
  #checkedInTurn = -1
  #isReported = false

  constructor(db: DatabaseSync, watched: WatchedFile, { onReplaced, isCheckpointing }: FileWatchOptions) {
    this.#db = db
    this.#watched = watched
    this.#onReplaced = onReplaced
    this.#isCheckpointing = isCheckpointing
    this.#dataVersion = createDataVersion(db)
    this.#checkpoint = arrays(db, CHECKPOINTED)
    this.#oldestVersion = arrays(db, 'PRAGMA user_version')
    this.#seen = this.#observe()
    // Another process has written the log (`emptyOwnLog`), or this one has before its API file was replaced.
    if (this.#seen.logged !== this.#seen.checkpointed) this.#reportOthers()
    this.#seenWrites = this.#writes()
    // For the other threads, if the first write fails.
    if (this.#seenWrites === 0) publish(watched, this.#seen)
  }

  check(): void {
    this.#check()
  }

  checkBeforeWrite(): void {
    // After a write of another thread, which the check after ours would take for one of another process.
    const isFollowing = this.#writes() !== this.#seenWrites
    if (isFollowing || this.#isDue() || this.#inDoubtSince !== undefined) this.#check('before a write')
  }

  read<T>(read: () => T): T {
    try {
      if (this.#isDueInTurn()) this.#check()
      return read()
    } catch (error) {
      throw translate(this.#explain(error))
    }
  }

  write(commit: () => void): void {
    const { shared } = this.#watched
    // Within the transaction, where no other connection writes, and reading costs no lock.
    const version = this.#dataVersion()
    if (version !== this.#versionAtWrite && !this.#mayWrite())
      Atomics.compareExchange(shared, LOSS, 0, UPGRADED)
    this.#versionAtWrite = version
    if (this.#isLost()) this.#check()
    // It is odd already if a thread has ended while it wrote.
    Atomics.store(shared, WRITES, (this.#writes() + 1) | 1)
    try {
      commit()
      this.#check('after a write')
      publish(this.#watched, this.#seen)
    } finally {
      this.#seenWrites = Atomics.add(shared, WRITES, 1) + 1
    }
  }

  uncheckpointed(): number {
    const { logged, checkpointed } = this.#writes() === this.#seenWrites ? this.#seen : this.#observeLog()
    return logged - checkpointed
  }

  close(): void {
    if (this.#isLost()) this.#salvage()
    if (!this.#isLost() || this.#isOwnLog()) this.#db.close()
  }

  #loss(): number {
    return Atomics.load(this.#watched.shared, LOSS)
  }

  #isLost(): boolean {
    return this.#loss() !== 0
  }

  #isDue(): boolean {
    return this.#isLost() || performance.now() - this.#checkedAt >= CHECK_INTERVAL_MS
  }

  /** Requests that arrived together were sent before the check of the first one. */
  #isDueInTurn(): boolean {
    if (!this.#isDue()) return false
    const before = this.#checkedInTurn
    this.#checkedInTurn = turnOfLoop()
    return this.#checkedInTurn !== before || this.#isLost()
  }

  #writes(): number {
    return Atomics.load(this.#watched.shared, WRITES)
  }

  /** Whether no newer version has upgraded the file. */
  #mayWrite(): boolean {
    const [oldest] = this.#oldestVersion.get() ?? []
    return mayWrite(Number(oldest))
  }

  /** Another process has written to the file. */
  #reportOthers(): void {
    Atomics.store(this.#watched.shared, OTHERS, 1)
  }

  #hasOthers(): boolean {
    return Atomics.load(this.#watched.shared, OTHERS) === 1
  }

  /** `writes` is read first, since that makes the connection look at the log again; its own commit has done so, too. */
  #observeLog(writes = this.#dataVersion()): LogObservation {
    const [, logged = 0, checkpointed = 0] = this.#checkpoint.get<Checkpointed>() ?? []
    return { writes, logged, checkpointed }
  }

  #observe(): Observation {
    const log = this.#observeLog()
    // The file is read last: a log that has been checkpointed no longer changes it.
    const [file = '', ownLog = ''] = this.#watched.paths
    return { ...log, salts: readSalts(ownLog), ...changeOf(find(file)) }
  }

  /** Instead of damage that a read has met, what has happened to the file since the check before it, if that is the cause. */
  #explain(error: unknown): unknown {
    if (!isMangled(error)) return error
    try {
      this.#check('after damage')
      return error
    } catch (cause) {
      return cause
    }
  }

  /** The first connection of this process that sees the loss salvages the log. */
  #check(purpose?: CheckPurpose): void {
    this.#checkedAt = performance.now()
    const found = this.#isLost() ? 0 : this.#findLoss(purpose)
    if (found === IN_DOUBT) {
      if (purpose === 'before a write' || purpose === 'after damage') throw busy()
      return
    }
    const isFirst = found !== 0 && Atomics.compareExchange(this.#watched.shared, LOSS, 0, found) === 0
    if (!this.#isLost()) return
    const loss = this.#loss() === UPGRADED ? 'upgraded' : 'replaced'
    if (!this.#isReported) this.#onReplaced?.(loss)
    this.#isReported = true
    if (isFirst) this.#salvage()
    throw databaseProblem('DatabaseReplaced', { loss, retryAfterSeconds: 60 })
  }

  /** What has happened to the file; 0 for nothing. */
  #findLoss(purpose: CheckPurpose | undefined): number {
    try {
      return this.#compare(purpose)
    } catch (error) {
      // A check reads no more than the first page, which was there when the file was opened.
      if (isMangled(error)) return WRITTEN_OVER
      throw error
    }
  }

  #compare(purpose: CheckPurpose | undefined): number {
    const began = this.#writes()
    // This connection has written since the last check.
    const written = purpose === 'after a write'
    const log = written ? this.#observeLog(this.#versionAtWrite) : undefined
    const now = this.#look(purpose)
    if (now === undefined) return REPLACED_BY_ANOTHER
    if (now.salts === NO_SALTS && this.#isLogEmptied(log ?? this.#seen)) return WRITTEN_OVER
    const isSeen = began === this.#seenWrites
    if (!written && isSeen && this.#isUnchanged(now)) return 0
    const observed = log === undefined ? this.#observe() : { ...log, ...now }
    // Another thread is writing: the next check decides.
    const undecided = purpose === 'after damage' && !this.#isUnchanged(now) ? IN_DOUBT : 0
    if (!written && began % 2 === 1) return undecided
    if (!written && !isSeen) this.#seen = adopt(this.#watched, this.#seen, observed)
    if (!written && began !== this.#writes()) return undecided
    this.#seenWrites = began
    // With a write-ahead log, SQLite writes to the file only in a checkpoint: one by this process, or by another that has
    // committed before. That one may still be running until the number of checkpointed pages has changed.
    const isChanged = !this.#isUnchanged(observed)
    const isCheckpointed = observed.checkpointed !== this.#seen.checkpointed
    const { writes } = this.#seen
    const isWritten = observed.writes !== writes
    if (isWritten) this.#reportOthers()
    // A checkpoint of our own that fails, on a full disk for instance, also changes the file.
    const mayBeOurs = written && this.#isCheckpointing && observed.logged >= CHECKPOINT_PAGES
    if (isChanged && !isCheckpointed && !isWritten && !mayBeOurs) return this.#doubt(observed)
    const isRunning = !written && isChanged && !isCheckpointed
    this.#seen = isRunning ? { ...observed, writes } : observed
    this.#inDoubtSince = undefined
    return 0
  }

  /** Undefined if the files at the paths are no longer those that are open. */
  #look(purpose: CheckPurpose | undefined): FileObservation | undefined {
    const { paths, files } = this.#watched
    const [path = '', log = '', index = ''] = paths
    const file = find(path)
    if (!isSame(file, files[0])) return undefined
    // Before a write, the file alone: the check after it covers the log, before the write is acknowledged.
    if (purpose === 'before a write') return { ...changeOf(file), salts: this.#seen.salts }
    const salts = readSalts(log)
    // Other salts: the log has begun again, or it is another file.
    if (salts !== this.#seen.salts && !isSame(find(log), files[1])) return undefined
    return isSame(find(index), files[2]) ? { ...changeOf(file), salts } : undefined
  }

  /** `logged`: how many pages the log should have. */
  #isLogEmptied({ logged }: LogObservation): boolean {
    const [, path = ''] = this.#watched.paths
    return logged > 0 && isLogEmptied(path, () => this.#observeLog())
  }

  #isUnchanged({ changedAt, size }: Pick<Observation, 'changedAt' | 'size'>): boolean {
    return changedAt === this.#seen.changedAt && size === this.#seen.size
  }

  /** The file has changed, and no known write explains it: for a while, another process may be checkpointing. */
  #doubt({ writes }: LogObservation): number {
    // It may have committed after we have looked at the log, and before we have looked at the file.
    if (this.#dataVersion() !== writes) this.#reportOthers()
    if (!this.#hasOthers()) return WRITTEN_OVER
    this.#inDoubtSince ??= performance.now()
    return performance.now() - this.#inDoubtSince < LONGEST_CHECKPOINT_MS ? IN_DOUBT : WRITTEN_OVER
  }

  /** Whether the log at its path, if there is one, belongs to the file that is open. */
  #isOwnLog(): boolean {
    const { paths, files } = this.#watched
    const log = find(paths[1] as string)
    return this.#loss() !== WRITTEN_OVER && (log === undefined || isSame(log, files[1]))
  }

  /**
   * Checkpoints acknowledged writes into the open file, wherever that is now, and empties the log: otherwise SQLite would
   * apply it to the file that has taken the path.
   */
  #salvage(): void {
    if (!this.#isOwnLog()) return
    try {
      this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      // A reader is using the log: `close` tries again.
      if (!isBusy(error)) throw error
    }
  }
}
