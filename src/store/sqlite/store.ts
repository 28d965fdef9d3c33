import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../bounded-map.ts'
import { onThread } from '../../channel.ts'
import { watchedWrites } from '../changes.ts'
import {
  type ClassSchema,
  type MemberStore,
  NO_MEMBERS,
  type Store,
  type StoredMember,
  type StoreOptions,
  type WholeText,
} from '../index.ts'
import { watchOtherMigrations } from '../migration/migration.ts'
import { type Row, toMember } from '../query/page.ts'
import { SCAN_MS } from '../query/scans.ts'
import { openAuthStore } from './auth.ts'
import { openChangeLog } from './changes.ts'
import {
  arrays,
  createDataVersion,
  type DataVersion,
  emptyOwnLog,
  MEMORY,
  oncePerTurn,
  openDatabase,
} from './connection.ts'
import { translate } from './errors.ts'
import { type FileWatch, identifyFile, unwatched, watchFile } from './file-watch.ts'
import { createGroupCommit, createWriter, directly } from './group-commit.ts'
import { bringUpToDate, findTables } from './migrate.ts'
import { createReader, createUnfilteredRows } from './pages.ts'
import { createListing, type Search, search } from './read.ts'
import { createScanner, THREAD } from './scan.ts'
import { dialectOf, type Tables } from './tables.ts'
import type { WriteThreadData } from './thread.ts'
import { type Commands, createCommands, createWrites } from './writes.ts'

/** `shapes`: the classes whose members are kept here. */
export async function openSqliteStore(
  path: string,
  shapes: readonly ClassSchema[],
  options: StoreOptions = {},
): Promise<Store> {
  const { scanMs = SCAN_MS, bulk = false, onMigrated = () => {}, onMigratedElsewhere, onReplaced } = options
  const db = await openDatabase(path, bulk)
  try {
    const changes = await bringUpToDate(db, shapes, options)
    if (changes.length > 0) onMigrated(changes)
    await emptyOwnLog(db)
    // A read, which makes the log and its index.
    const classes = findTables(db, shapes)
    const isInMemory = path === MEMORY
    // A database in memory belongs to one connection; and for bulk data, for which no request waits, a thread only adds cost.
    const isDirect = isInMemory || bulk
    const watched = identifyFile(db, path)
    const file = isInMemory ? unwatched(db) : watchFile(db, watched, onReplaced)
    const { dataVersion, forget } = oncePerTurn(createDataVersion(db, isDirect))
    const start = isDirect
      ? directly(() => createGroupCommit(db, createCommands(db, classes), file))
      : onThread(THREAD, { task: 'write', path, watched, classes } satisfies WriteThreadData)
    const writer = createWriter<Commands>(start, forget)
    const scanner = isInMemory ? undefined : createScanner(path, scanMs)
    const opened = { db, file, dataVersion, scanMs, scan: scanner?.scan }
    const reads = createReads(opened, shapes, classes.tables)
    const { members, watch } = watchedWrites({ ...reads, ...createWrites(writer, reads) })
    const auth = openAuthStore(db, file, writer, dataVersion)
    // From here on this connection never waits for a lock, and where there is a write thread it only reads.
    db.exec(`PRAGMA busy_timeout = 0; PRAGMA query_only = ${isDirect ? 'OFF' : 'ON'}`)
    return {
      auth,
      changes: {
        ...openChangeLog(db, file, shapes),
        watch,
        sweep: (...args) => writer.writeUnsynced('sweepChanges', args),
      },
      members:
        onMigratedElsewhere === undefined ? members : watchOtherMigrations(members, onMigratedElsewhere),
      async reachable() {
        file.check()
        db.exec('SELECT 1 FROM sqlite_schema LIMIT 1')
      },
      async close() {
        await writer.close()
        await scanner?.close()
        if (db.isOpen) file.close()
      },
    }
  } catch (error) {
    db.close()
    throw translate(error)
  }
}

/** Members cached for each class: 8 MB at the most. */
const MAX_CACHED = 500
const LONGEST_CACHED = 16 * 1_024

interface Opened {
  readonly db: DatabaseSync
  readonly file: FileWatch
  readonly dataVersion: DataVersion
  readonly scanMs: number
  /** Undefined where no other thread can read the database. */
  readonly scan: Search | undefined
}

function createReads(
  opened: Opened,
  shapes: readonly ClassSchema[],
  stored: ReadonlyMap<string, Tables>,
): Pick<MemberStore, 'state' | 'find' | 'findWithHidden' | 'findAll' | 'list'> {
  const { db, file, dataVersion, scanMs, scan } = opened
  const reader = createReader(db, scanMs)
  const versionOf = createClassVersions(db, dataVersion)
  // A database in memory belongs to one connection, so no other thread can search it: other requests wait meanwhile.
  const searchHere: Search = (tables, selection) =>
    search(reader, tables, selection, performance.now() + scanMs)
  const list = createListing(db, reader, scan ?? searchHere)
  // Where nothing was migrated, a class without members may have no tables, or those of another API file.
  const classes = new Map(shapes.map(({ name }) => [name, prepareClass(stored.get(name))]))

  function prepareClass(tables: Tables | undefined) {
    if (tables === undefined) return undefined
    const { members, keys } = tables
    return {
      tables,
      find: arrays(db, `SELECT id, version, body, holes, owner FROM ${members} WHERE id = ?`),
      findAll: arrays(
        db,
        `SELECT m.id, m.version, m.body, m.holes, m.owner FROM json_each(?1) i CROSS JOIN ${members} m ON m.id = i.value
         WHERE ?2 IS NULL OR ?2 = (SELECT k.owner FROM ${keys} k WHERE k.sequence = m.sequence)`,
      ),
      findWithHidden: db.prepare(
        `SELECT id, version, body, holes, hidden, owner FROM ${members} WHERE id = ?`,
      ),
      dialect: dialectOf(tables),
      unfilteredRows: createUnfilteredRows(db, tables),
      /** The latest members that were read one by one, each valid for the version of the class at which it was read. */
      cached: new BoundedMap<string, { readonly classVersion: number; readonly member: StoredMember }>(
        MAX_CACHED,
      ),
    }
  }

  /** Undefined where there are no members. The caller has the class from the same model that the store was opened with. */
  function classOf(name: string) {
    if (!classes.has(name)) throw new Error(`The store was not opened with a class ${name}.`)
    return classes.get(name)
  }

  return {
    state: (className) =>
      file.read(() => {
        const cls = classOf(className)
        return cls === undefined ? 0 : versionOf(cls.tables)
      }),
    find: (className, id) =>
      file.read(() => {
        const cls = classOf(className)
        if (cls === undefined) return undefined
        // Before the row is read: what is written meanwhile belongs to a later version of the class.
        const classVersion = versionOf(cls.tables)
        const known = cls.cached.get(id)
        if (known?.classVersion === classVersion) return known.member
        const row = cls.find.get<Row>(id)
        if (row === undefined) return undefined
        const member = toMember(row)
        if (member.body.length <= LONGEST_CACHED) cls.cached.set(id, { classVersion, member })
        return member
      }),
    findWithHidden: (className, id) =>
      file.read(() => {
        const row = classOf(className)?.findWithHidden.get(id) as (StoredMember & WholeText) | undefined
        return row && { ...row, owner: row.owner ?? undefined }
      }),
    findAll: (className, ids, bytes, owner) =>
      file.read(() => {
        const found: StoredMember[] = []
        let left = bytes
        const rows = classOf(className)?.findAll.iterate<Row>(JSON.stringify(ids), owner ?? null)
        for (const row of rows ?? []) {
          const member = toMember(row)
          found.push(member)
          left -= Buffer.byteLength(member.body)
          if (left < 0) break
        }
        return found
      }),
    list: (className, selection) =>
      file.read(() => {
        const cls = classOf(className)
        if (cls === undefined) return NO_MEMBERS
        const page = list(cls, selection)
        // A scan thread has a connection of its own, which may be to another file: so the file is checked after it.
        return page instanceof Promise ? page.finally(() => file.check()) : page
      }),
  }
}

/** Once another process has migrated the class. */
const MIGRATED = -1

/** The last version that any process has given out in a class, by the number of its tables, which is never used again. */
function createClassVersions(db: DatabaseSync, dataVersion: DataVersion) {
  const rows = arrays(db, 'SELECT id, version FROM classes')
  let versions = new Map<number, number>()
  let seen: number | undefined
  return ({ classId }: Tables): number => {
    const current = dataVersion()
    if (current !== seen) versions = new Map(rows.all<[id: number, version: number]>())
    seen = current
    return versions.get(classId) ?? MIGRATED
  }
}
