import type { Dialect } from '../query/dialect.ts'
import { type Query, toQuery } from '../query/filters.ts'
import { isUnfiltered, toPage } from '../query/page.ts'
import { indexPlan, isQuick } from '../query/plan.ts'
import { late } from '../query/scans.ts'
import type { Awaitable, Page, Selection } from '../store.ts'
import type { ClassStates } from './class-states.ts'
import { everyRow, TooLate, TooManyRows, unguarded } from './row-budget.ts'
import type { UnfilteredRows } from './rows.ts'
import type { Scanner } from './scan.ts'
import { type Reader, search, totalOf } from './search.ts'
import type { Tables } from './tables.ts'
import { countMatching, drivenWay, indexWay, readRows, type Way } from './ways.ts'

export interface Listed {
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

/**
 * Pages: at once where an index bounds the work, and on a scan thread otherwise. Without a scanner (a database in
 * memory belongs to one connection) the search is made here, and others wait for it until `scanMs` are over.
 */
export function createListing(
  reader: Reader,
  states: ClassStates,
  scanner: Scanner | undefined,
  scanMs: number,
): (cls: Listed, selection: Selection) => Awaitable<Page> {
  const { statements, budget } = reader

  return (cls, selection) => {
    if (isUnfiltered(selection)) return inOneState(cls.name, (state) => unfilteredPage(cls, selection, state))
    const query = toQuery(cls.dialect, selection)
    const way = wayTo(cls.dialect, query)
    if (way === undefined) return scan(cls, selection)
    try {
      return inOneState(cls.name, (state) => pageBy(way, cls, query, state))
    } catch (error) {
      if (error instanceof TooManyRows) return scan(cls, selection)
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

  function unfilteredPage(cls: Listed, selection: Selection, state: number): Page {
    const { rows, more } = cls.unfilteredRows(selection)
    const { start } = selection
    const total = totalIn(cls, state)
    const isMore = start.at === 'offset' ? start.offset + rows.length < total : more
    return toPage({ rows, more: isMore }, total, selection, cls.dialect.read)
  }

  /** Undefined where no index bounds the work; `contains` may look through megabytes, however few the members. */
  function wayTo(dialect: Dialect, query: Query): Way | undefined {
    if (query.filters.some(({ test }) => test === 'contains')) return undefined
    const plan = indexPlan(dialect, query)
    if (plan !== undefined && isQuick(plan, query)) return indexWay(dialect, query, plan, unguarded)
    const isOfMany = plan?.placing !== undefined && plan.others.length === 0 && query.count === 'bounded'
    return isOfMany
      ? indexWay(dialect, query, plan, everyRow, ROWS_OF_MANY)
      : drivenWay(statements, dialect, query, FEW, unguarded)
  }

  function pageBy(way: Way, cls: Listed, query: Query, state: number): Page {
    return budget.spend(way.budget, Number.POSITIVE_INFINITY, () => {
      const rows = readRows(statements, cls.dialect, way, query, false)
      const total =
        query.filters.length > 0 ? countMatching(statements, way, query, rows) : totalIn(cls, state)
      return toPage(rows, total, query, cls.dialect.read)
    })
  }

  function totalIn({ name, tables }: Listed, state: number): number {
    return states.recall(name, state, () => totalOf(statements, tables))
  }

  function scan({ name, tables }: Listed, selection: Selection): Awaitable<Page> {
    if (scanner !== undefined) return scanner.scan(tables, selection)
    try {
      return inOneState(name, () => search(reader, tables, selection, performance.now() + scanMs))
    } catch (error) {
      throw error instanceof TooLate ? late(scanMs) : error
    }
  }
}
