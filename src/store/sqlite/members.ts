import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../bounded-map.ts'
import { type Row, toMember } from '../query/page.ts'
import type {
  Changed,
  ClassShape,
  Compute,
  MemberStore,
  Page,
  Selection,
  StoredMember,
  WholeText,
} from '../store.ts'
import { arrays, type DataVersion } from './connection.ts'
import { reading } from './errors.ts'
import type { FileWatch } from './file-watch.ts'
import { lockDeadline, type Writer } from './group-commit.ts'
import { createListing, search } from './read.ts'
import { createReader, createUnfilteredRows, type Reader, readTotal } from './rows.ts'
import type { Scanner } from './scan.ts'
import { dialectOf, type Tables } from './tables.ts'
import type { Commands } from './writes.ts'

export interface MemberStoreParts {
  readonly db: DatabaseSync
  readonly file: FileWatch
  readonly writer: Writer<Commands>
  readonly readDataVersion: DataVersion
  /** The same, read once per turn of the event loop. */
  readonly dataVersion: DataVersion
  /** Undefined where no other thread can read the database. */
  readonly scanner: Scanner | undefined
  readonly scanMs: number
  /** Of the classes that the store was opened with. */
  readonly tables: ReadonlyMap<string, Tables>
}

/** Members cached for each class: 8 MB at the most. */
const MAX_CACHED = 500
const LONGEST_CACHED = 16 * 1_024

const NO_MEMBERS: Page = { members: [], total: 0, more: false, edges: undefined }

export function openMemberStore(parts: MemberStoreParts, shapes: readonly ClassShape[]): MemberStore {
  const { db, file, writer, readDataVersion, dataVersion, scanner, scanMs, tables } = parts
  const reader = createReader(db, scanMs)
  const states = createClassStates(reader, readDataVersion)
  const { refresh, totalOf } = states
  // A database in memory belongs to one connection, so no other thread can search it: other requests wait meanwhile.
  const searchHere = (found: Tables, selection: Selection): Page =>
    search(reader, found, selection, performance.now() + scanMs)
  const list = createListing({ db, reader, refresh, totalOf, search: scanner?.scan ?? searchHere })
  const exclusive = createMutex()
  const classes = new Map([...tables].map(([name, found]) => [name, prepareClass(found)]))
  // Where nothing was migrated, a class without members may have no tables, or those of another API file.
  const empty = new Set(shapes.flatMap(({ name }) => (classes.has(name) ? [] : [name])))

  function prepareClass(tables: Tables) {
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
      read: new BoundedMap<string, { readonly classVersion: number; readonly member: StoredMember }>(
        MAX_CACHED,
      ),
    }
  }

  /** The caller has the class from the same model that the store was opened with. */
  function classOf(name: string) {
    const found = classes.get(name)
    if (found === undefined) throw new Error(`The store was not opened with a class ${name}.`)
    return found
  }

  function findWithHidden(className: string, id: string): (StoredMember & WholeText) | undefined {
    const found = reading(
      () => classOf(className).findWithHidden.get(id) as (StoredMember & WholeText) | undefined,
    )
    return found && { ...found, owner: found.owner ?? undefined }
  }

  /** Computes on this thread; the writer refuses where the member has changed since, and it is computed again. */
  async function change(
    className: string,
    id: string,
    expected: readonly number[] | undefined,
    compute: Compute,
    deadline: number,
  ): Promise<Changed> {
    for (;;) {
      const current = findWithHidden(className, id)
      if (current === undefined) return { outcome: 'missing' }
      const { version, owner } = current
      if (expected?.includes(version) === false) return { outcome: 'stale', version }
      const written = compute(current)
      const changed = await writer.write('change', [className, id, version, written], deadline)
      if (changed.outcome === 'stale') continue
      if (changed.outcome !== 'changed') return changed
      const { body, holes } = written
      return { outcome: 'changed', member: { id, version: changed.version, body, holes, owner } }
    }
  }

  return {
    state: (className) =>
      reading(() => {
        if (empty.has(className)) return 0
        states.refresh(dataVersion())
        return states.version(classOf(className).tables.classId)
      }),
    find: (className, id) =>
      reading(() => {
        states.refresh(dataVersion())
        if (empty.has(className)) return undefined
        const { find, tables, read } = classOf(className)
        // Before the row is read: what is written meanwhile belongs to a later version of the class.
        const classVersion = states.version(tables.classId)
        const known = read.get(id)
        if (known?.classVersion === classVersion) return known.member
        const row = find.get(id)
        if (row === undefined) return undefined
        const member = toMember(row as unknown as Row)
        if (member.body.length <= LONGEST_CACHED) read.set(id, { classVersion, member })
        return member
      }),
    findWithHidden,
    findAll: (className, ids, bytes, owner) =>
      reading(() => {
        states.refresh(dataVersion())
        const found: StoredMember[] = []
        if (empty.has(className)) return found
        let left = bytes
        for (const row of classOf(className).findAll.iterate(JSON.stringify(ids), owner ?? null)) {
          const member = toMember(row as unknown as Row)
          found.push(member)
          left -= Buffer.byteLength(member.body)
          if (left < 0) break
        }
        return found
      }),
    list: (className, selection) =>
      reading(() => {
        file.checkOncePerMs()
        if (empty.has(className)) return NO_MEMBERS
        const page = list(classOf(className), selection)
        // A scan thread has a connection of its own, which may be to another file: so the file is checked after it.
        return page instanceof Promise ? page.finally(() => file.check()) : page
      }),
    add: (...args) => writer.write('add', args),
    addAll: (...args) => writer.write('addAll', args),
    change(className, id, expected, compute) {
      const deadline = lockDeadline()
      return exclusive(`${className} ${id}`, () => change(className, id, expected, compute, deadline))
    },
    remove: (...args) => writer.write('remove', args),
    writeAll: (...args) => writer.write('writeAll', args),
  }
}

/** A mutex for each key, first come, first served: of many optimistic changes of one member all but one would fail. */
function createMutex() {
  const last = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const result = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, result)
    const forget = () => {
      if (last.get(key) === result) last.delete(key)
    }
    result.then(forget, forget)
    return result
  }
}

/** How many owners' totals are cached, each valid for the version of the class at which it was read. */
const MAX_CACHED_TOTALS = 1_000
const MIGRATED = { version: -1, total: 0 }

/** Version and total of each class, by the number of its tables, which is never used again. */
function createClassStates(reader: Reader, readDataVersion: DataVersion) {
  const rows = reader.statement('SELECT id, version, total FROM classes')
  let classes = new Map<number, { readonly version: number; readonly total: number }>()
  let seen: number | undefined
  const owned = new BoundedMap<string, { readonly version: number; readonly total: number }>(
    MAX_CACHED_TOTALS,
  )
  const of = (classId: number) => classes.get(classId) ?? MIGRATED
  return {
    /** The last version that any process has given out; another number, too, once another process has migrated the class. */
    version: (classId: number): number => of(classId).version,
    /** Of all members, or of one owner's. */
    totalOf(tables: Tables, owner: number | undefined): number {
      const { version, total } = of(tables.classId)
      if (owner === undefined) return total
      const key = `${tables.classId} ${owner}`
      const known = owned.get(key)
      if (known?.version === version) return known.total
      const read = readTotal(reader, tables, owner)
      owned.set(key, { version, total: read })
      return read
    },
    /** To be called before the others. */
    refresh(dataVersion = readDataVersion()): void {
      if (dataVersion === seen) return
      const found = rows.all() as unknown as [id: number, version: number, total: number][]
      classes = new Map(found.map(([id, version, total]) => [id, { version, total }]))
      seen = dataVersion
    },
  }
}
