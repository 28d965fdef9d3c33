import type { Dialect } from '../query/dialect.ts'
import { isCounted, type Query, toQuery } from '../query/filters.ts'
import { isUnfiltered, toPage } from '../query/page.ts'
import { indexPlan, isQuick } from '../query/plan.ts'
import { late } from '../query/scans.ts'
import type { Awaitable, Page, Selection } from '../store.ts'
import { type AccessPath, countingPath, indexPath, scanningPaths, selectivePath } from './access-paths.ts'
import { type ForeignWrites, type Reader, TooLate, TooManyRows } from './connection.ts'
import { countMatching, readRows, type UnfilteredRows } from './rows.ts'
import { dialectOf, type Tables } from './tables.ts'

/** Numbers that name the present state of each class: a state that has passed never comes back. */
export interface ClassStates {
  of(className: string): number
  /** The state when it was last looked at, for nothing: another process may have written since. */
  lastSeen(className: string): number
  /** Call inside the transaction that changes the class. */
  change(className: string): void
}

export function createClassStates(classNames: readonly string[], foreignWrites: ForeignWrites): ClassStates {
  const states = new Map(classNames.map((name) => [name, 0]))
  let latest = 0
  let seenWrites: number | undefined
  const lastSeen = (className: string): number => states.get(className) ?? 0
  return {
    of(className) {
      const writes = foreignWrites()
      if (writes !== seenWrites) {
        // What was written is not known, so everything may have changed.
        latest += 1
        for (const name of states.keys()) states.set(name, latest)
        seenWrites = writes
      }
      return lastSeen(className)
    },
    lastSeen,
    change(className) {
      latest += 1
      states.set(className, latest)
    },
  }
}

export interface ListedClass {
  readonly name: string
  readonly tables: Tables
  readonly dialect: Dialect
  readonly unfilteredRows: UnfilteredRows
}

/** From so few matches of one filter a page is put together at once. */
const FEW = 1_000
/** So many rows may be looked at where a member has a row for each of its values. */
const ROWS_OF_MANY = 5_000
/** A writer that gets in between so often is not there: each try takes microseconds, each write milliseconds. */
const MOST_TRIES = 10

/** Finds what no index may have. */
export type Search = (tables: Tables, selection: Selection) => Awaitable<Page>

/** Pages: at once where an index bounds the work, and by `scan` otherwise. */
export function createListing(
  reader: Reader,
  states: ClassStates,
  scan: Search,
): (cls: ListedClass, selection: Selection) => Awaitable<Page> {
  const totals = new Map<string, { readonly state: number; readonly total: number }>()

  return (cls, selection) => {
    if (isUnfiltered(selection)) return inOneState(cls.name, (state) => unfilteredPage(cls, selection, state))
    const query = toQuery(cls.dialect, selection)
    const path = quickPath(cls.dialect, query)
    if (path === undefined) return scan(cls.tables, selection)
    try {
      return inOneState(cls.name, (state) => pageBy(path, cls, query, state))
    } catch (error) {
      if (error instanceof TooManyRows) return scan(cls.tables, selection)
      throw error
    }
  }

  /**
   * Total and members belong together: once more when another process has written in between, or since it was last
   * looked at. One look a page, behind it, is enough.
   */
  function inOneState(className: string, read: (state: number) => Page): Page {
    let state = states.lastSeen(className)
    for (let tries = 1; ; tries += 1) {
      const page = read(state)
      const now = states.of(className)
      if (now === state || tries === MOST_TRIES) return page
      state = now
    }
  }

  function unfilteredPage(cls: ListedClass, selection: Selection, state: number): Page {
    const { rows, more } = cls.unfilteredRows(selection)
    const { start } = selection
    const total = totalIn(cls, selection, state)
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

  function pageBy(path: AccessPath, cls: ListedClass, query: Query, state: number): Page {
    return reader.limit(path.budget, Number.POSITIVE_INFINITY, () => {
      const rows = readRows(reader, cls.dialect, query, path)
      const total = isCounted(query) ? totalIn(cls, query, state) : countMatching(reader, query, path, rows)
      return toPage(rows, total, query, cls.dialect.read)
    })
  }

  function totalIn({ name, tables }: ListedClass, { owner }: Whose, state: number): number {
    if (owner !== undefined) return totalOf(reader, tables, { owner })
    const known = totals.get(name)
    if (known?.state === state) return known.total
    const total = totalOf(reader, tables, {})
    totals.set(name, { state, total })
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
