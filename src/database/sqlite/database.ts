import type { DatabaseSync } from 'node:sqlite'
import { createChannel, onThread, type StartThread } from '../../channel.ts'
import { closing, type FileLoss, outcomeUnknown } from '../index.ts'
import type {
  AnyCommands,
  CommandSource,
  CommandTable,
  GroupCommit,
  RunCommand,
  WriteJob,
  Writer,
} from './commands.ts'
import {
  CHECKPOINT_PAGES,
  createDataVersion,
  type DataVersion,
  emptyOwnLog,
  MEMORY,
  memoizePerTurn,
  openConnection,
  sharedNow,
} from './connection.ts'
import {
  type CommitsHere,
  type CommitTimes,
  createCommitTimes,
  newSharedTimes,
  onEitherThread,
} from './either-thread.ts'
import { errorOf, translate } from './errors.ts'
import { type FileWatch, unwatched, watchFile } from './file-watch.ts'
import { identifyFile } from './watched-file.ts'
import type { WriteThreadData } from './write-thread.ts'

/** One connection for reads, and one writer, which the stores on this database share. */
export interface SqliteDatabase {
  readonly db: DatabaseSync
  readonly file: FileWatch
  /** Changes with each write. */
  readonly dataVersion: DataVersion
  /** As `dataVersion`, without the small writes on this thread, which are all of members. */
  readonly versionElsewhere: DataVersion
  /** Undefined for a database in memory, which belongs to one connection: no other thread can read it. */
  readonly path: string | undefined
  /** The writer, for the commands of one of its sources. */
  writer<Commands extends CommandTable<Commands>>(): Writer<Commands>
  /** From then on this connection never waits for a lock, and if there is a write thread, it only reads. */
  stopWaiting(): void
  /** `work` runs when everything is written, before the file is closed. */
  beforeClose(work: () => Promise<void>): void
  reachable(): Promise<void>
  /** Carries out waiting writes first. */
  close(): Promise<void>
}

interface Opening<T> {
  readonly bulk?: boolean
  /** Brings the tables up to date. */
  upgrade(db: DatabaseSync): void | Promise<void>
  /** Creates the result of `openSqlite`, with `startDatabase`. */
  open(db: DatabaseSync): Promise<T>
}

/** Opens a file, and closes it again if that fails. Statements wait for locks until `stopWaiting`. */
export async function openSqlite<T>(path: string, { bulk = false, upgrade, open }: Opening<T>): Promise<T> {
  const db = await openConnection(path, bulk)
  try {
    await upgrade(db)
    await emptyOwnLog(db)
    return await open(db)
  } catch (error) {
    db.close()
    throw translate(error)
  }
}

interface SqliteOptions {
  readonly path: string
  readonly commands: readonly CommandSource[]
  readonly bulk?: boolean
  readonly onReplaced?: ((loss: FileLoss) => void) | undefined
}

const THREAD = new URL('write-thread', import.meta.url)
/** More room for new objects saves no time: a batch is short-lived. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 48 }

/** Called within `open` of `openSqlite`. */
export async function startDatabase(db: DatabaseSync, options: SqliteOptions): Promise<SqliteDatabase> {
  const { path, commands, bulk = false, onReplaced } = options
  const look = () => db.exec('SELECT 1 FROM sqlite_schema LIMIT 1')
  // A read, which creates the log and its index.
  look()
  // A database in memory belongs to one connection, and so to this thread.
  const isInMemory = path === MEMORY
  const watched = identifyFile(db, path)
  const file = isInMemory ? unwatched(db) : watchFile(db, watched, { onReplaced, isCheckpointing: false })
  const times = newSharedTimes()
  const readVersion = createDataVersion(db, isInMemory)
  const commitsHere = createCommitsHere(db, { commands, file, times: createCommitTimes(times) })
  // The version does not change with commits of this very connection; neither number ever decreases.
  const { dataVersion: versionElsewhere, forget } = memoizePerTurn(readVersion)

  async function chooseThread() {
    const data: WriteThreadData = { path, bulk, watched, times, commands }
    if (!isInMemory) return onEitherThread(onThread(THREAD, data, THREAD_LIMITS), commitsHere)
    const { createGroupCommit, loadCommands } = await import('./group-commit.ts')
    const createCommands = await loadCommands(commands)
    return onSameThread(() => createGroupCommit(db, createCommands(db), { file }))
  }

  const writer = createWriter(await chooseThread(), forget)
  const endings: (() => Promise<void>)[] = []
  return {
    db,
    file,
    dataVersion: () => versionElsewhere() + commitsHere.count(),
    versionElsewhere,
    path: isInMemory ? undefined : path,
    writer: <Commands extends CommandTable<Commands>>() => writer as unknown as Writer<Commands>,
    stopWaiting: () => db.exec(`PRAGMA busy_timeout = 0; PRAGMA query_only = ${isInMemory ? 'OFF' : 'ON'}`),
    beforeClose(work) {
      endings.push(work)
    },
    async reachable() {
      file.check()
      look()
    },
    async close() {
      await writer.close()
      for (const work of endings) await work()
      if (db.isOpen) file.close()
    },
  }
}

/** How long a write waits for a lock of another process. */
const LOCK_TIMEOUT_MS = 2_000

export const lockDeadline = (): number => sharedNow() + LOCK_TIMEOUT_MS

/** `onReply` is called before any write is acknowledged, since caches may be stale. */
function createWriter(start: StartThread<WriteJob>, onReply: () => void) {
  const channel = createChannel({ start, unanswered: outcomeUnknown, closed: closing, errorOf, onReply })
  const enqueue =
    (durable: boolean, isSmall = false): RunCommand<AnyCommands> =>
    (name, args, deadline = lockDeadline()) =>
      channel.ask({ name, args, durable, isSmall, deadline })
  return {
    write: enqueue(true),
    writeSmall: enqueue(true, true),
    writeUnsynced: enqueue(false),
    /** Carries out waiting writes and takes no more. */
    async close(): Promise<void> {
      await channel.drain()
      await channel.close()
    },
  }
}

interface CommitsHereOptions extends Pick<SqliteOptions, 'commands'> {
  readonly file: FileWatch
  readonly times: CommitTimes
}

/** Commits on the connection that reads, which from the first of them on may write. */
function createCommitsHere(
  db: DatabaseSync,
  { commands, file, times }: CommitsHereOptions,
): CommitsHere & { count(): number } {
  let count = 0
  let commits: GroupCommit | undefined
  let isLoading = false

  async function load(): Promise<void> {
    const { createGroupCommit, loadCommands } = await import('./group-commit.ts')
    const created = (await loadCommands(commands))(db)
    // Checkpoints are left to the write thread: they take much longer than a commit.
    db.exec('PRAGMA query_only = OFF; PRAGMA wal_autocheckpoint = 0')
    const leaves = ({ args }: WriteJob) => created.takesLong?.(...(args as never)) === true
    commits = createGroupCommit(db, created, { file, times, onBusy() {}, leaves })
  }

  return {
    find() {
      if (!times.areShort()) return undefined
      // A failure stays in the promise: writes then go to the write thread, which reports what is wrong.
      if (!isLoading) load().catch(() => {})
      isLoading = true
      return file.uncheckpointed() < CHECKPOINT_PAGES ? commits : undefined
    },
    onCommit() {
      count += 1
    },
    count: () => count,
  }
}

/** Writes on this thread. */
const onSameThread =
  (create: () => GroupCommit): StartThread<WriteJob> =>
  (onReplies) => {
    const commits = create()
    return {
      send(jobs) {
        commits.add(jobs)
        while (!commits.isDone()) onReplies(commits.commitNext())
      },
      unref() {},
      async close() {},
    }
  }
