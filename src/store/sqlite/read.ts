import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../bounded-map.ts'
import type { Dialect } from '../query/dialect.ts'
import { isCounted, type Query, toQuery } from '../query/filters.ts'
import { isUnfiltered, toPage } from '../query/page.ts'
import { indexPlan, isQuick } from '../query/plan.ts'
import { late } from '../query/scans.ts'
import type { Awaitable, Page, Selection } from '../store.ts'
import { type AccessPath, countingPath, indexPath, scanningPaths, selectivePath } from './access-paths.ts'
import { arrays, type LastWrite, type Reader, TooLate, TooManyRows } from './connection.ts'
import { countMatching, readRows, type UnfilteredRows } from './rows.ts'
import { dialectOf, type Tables } from './tables.ts'

/** Each class as it was last seen, by the number of its tables, which is never given twice. */
export interface ClassStates {
  /** Its last version: every change raises it, by whatever process. Another one once another process has migrated it. */
  version(classId: number): number
  total(classId: number): number
  /** Call before either: with the last write that was seen, or without, to look. */
  refresh(lastWrite?: number): void
}

const MIGRATED = { version: -1, total: 0 }

export function createClassStates(db: DatabaseSync, look: LastWrite): ClassStates {
  const rows = arrays(db, 'SELECT id, version, total FROM classes')
  let classes = new Map<number, { readonly version: number; readonly total: number }>()
  let seen: number | undefined
  const of = (classId: number) => classes.get(classId) ?? MIGRATED
  return {
    version: (classId) => of(classId).version,
    total: (classId) => of(classId).total,
    refresh(lastWrite = look()) {
      if (lastWrite === seen) return
      const found = rows.all() as unknown as [id: number, version: number, total: number][]
      classes = new Map(found.map(([id, version, total]) => [id, { version, total }]))
      seen = lastWrite
    },
  }
}

export interface ListedClass {
  readonly tables: Tables
  readonly dialect: Dialect
  readonly unfilteredRows: UnfilteredRows
}

/** From so few matches of one filter a page is put together at once. */
const FEW = 1_000
/** So many rows may be looked at where a member has a row for each of its values. */
const ROWS_OF_MANY = 5_000

/** Finds what no index may have. */
export type Search = (tables: Tables, selection: Selection) => Awaitable<Page>

/** Pages: at once where an index bounds the work, and by `scan` otherwise. */
export function createListing(
  db: DatabaseSync,
  reader: Reader,
  states: ClassStates,
  scan: Search,
): (cls: ListedClass, selection: Selection) => Awaitable<Page> {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  const totals = createOwnerTotals(reader, states)

  return (cls, selection) => {
    if (isUnfiltered(selection)) return inSnapshot(() => unfilteredPage(cls, selection))
    const query = toQuery(cls.dialect, selection)
    const path = quickPath(cls.dialect, query)
    if (path === undefined) return scan(cls.tables, selection)
    try {
      return inSnapshot(() => pageBy(path, cls, query))
    } catch (error) {
      if (error instanceof TooManyRows) return scan(cls.tables, selection)
      throw error
    }
  }

  /** Total and members belong together, whoever writes meanwhile. */
  function inSnapshot(read: () => Page): Page {
    begin.run()
    try {
      states.refresh()
      return read()
    } finally {
      commit.run()
    }
  }

  function unfilteredPage(cls: ListedClass, selection: Selection): Page {
    const { rows, more } = cls.unfilteredRows(selection)
    const { start } = selection
    const total = totalIn(cls, selection)
    const isMore = start.at === 'offset' ? start.offset + rows.length < total : more
    return toPage({ rows, more: isMore }, total, selection, cls.dialect.read)
  }

  /** Undefined where no index bounds the work; `contains` may look through megabytes, however few the members. */
  function quickPath(dialect: Dialect, query: Query): AccessPath | undefined {
    if (query.filters.some(({ test }) => test === 'contains')) return undefined
    const plan = indexPlan(dialect, query)
    if (plan !== undefined && isQuick(plan, query)) return indexPath(dialect, query, plan)
    const isOfMany = plan?.placing !== undefined && plan.others.length === 0 && query.count === 'bounded'
    return isOfMany
      ? indexPath(dialect, query, plan, ROWS_OF_MANY)
      : selectivePath(reader, dialect, query, FEW)
  }

  function pageBy(path: AccessPath, cls: ListedClass, query: Query): Page {
    return reader.limit(path.budget, Number.POSITIVE_INFINITY, () => {
      const rows = readRows(reader, cls.dialect, query, path)
      const total = isCounted(query) ? totalIn(cls, query) : countMatching(reader, query, path, rows)
      return toPage(rows, total, query, cls.dialect.read)
    })
  }

  function totalIn({ tables }: ListedClass, { owner }: Whose): number {
    return owner === undefined ? states.total(tables.classId) : totals(tables, owner)
  }
}

/** So many owners' totals are remembered, each good for the version of the class at which it was read. */
const REMEMBERED = 1_000

function createOwnerTotals(reader: Reader, states: ClassStates): (tables: Tables, owner: number) => number {
  const known = new BoundedMap<string, { readonly version: number; readonly total: number }>(REMEMBERED)
  return (tables, owner) => {
    const key = `${tables.classId} ${owner}`
    const version = states.version(tables.classId)
    const found = known.get(key)
    if (found?.version === version) return found.total
    const total = totalOf(reader, tables, { owner })
    known.set(key, { version, total })
    return total
  }
}

/** For a database in memory, which belongs to one connection: other requests wait until `scanMs` are over. */
export const createSearch =
  (reader: Reader, scanMs: number): Search =>
  (tables, selection) => {
    try {
      return search(reader, tables, selection, performance.now() + scanMs)
    } catch (error) {
      throw error instanceof TooLate ? late(scanMs) : error
    }
  }

/** From an index at random, so many members are read in the time in which all of a million are read in a row. */
const FEW_OF_A_SCAN = 20_000

/** The answer to a selection that no index may have, in one snapshot; throws TooLate past the deadline. */
export function search(reader: Reader, tables: Tables, selection: Selection, deadline: number): Page {
  const dialect = dialectOf(tables)
  const query = toQuery(dialect, selection)
  /** By the first path whose row budget suffices. */
  function within<T>([path, ...others]: readonly AccessPath[], read: (path: AccessPath) => T): T {
    try {
      return reader.limit((path as AccessPath).budget, deadline, () => read(path as AccessPath))
    } catch (error) {
      if (error instanceof TooManyRows) return within(others, read)
      throw error
    }
  }

  const few = selectivePath(reader, dialect, query, FEW_OF_A_SCAN)
  const paths = few === undefined ? scanningPaths(dialect, query, FEW_OF_A_SCAN) : [few]
  const rows = within(paths, (path) => readRows(reader, dialect, query, path, true))
  const isCountedApart = few === undefined && query.count === 'exact'
  const total = isCounted(query)
    ? totalOf(reader, tables, query)
    : within(isCountedApart ? [countingPath(dialect, query)] : paths, (path) =>
        countMatching(reader, query, path, rows),
      )
  return toPage(rows, total, query, dialect.read)
}

type Whose = Pick<Selection, 'owner'>

/** Exact without counting: every write keeps it. */
function totalOf(reader: Reader, { classId }: Tables, { owner }: Whose): number {
  const found =
    owner === undefined
      ? reader.statement('SELECT total FROM classes WHERE id = ?').get(classId)
      : reader
          .statement('SELECT total FROM owner_totals WHERE class_id = ? AND owner = ?')
          .get(classId, owner)
  return (found as unknown as [number] | undefined)?.[0] ?? 0
}
