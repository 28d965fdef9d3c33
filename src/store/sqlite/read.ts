import type { Dialect } from '../query/dialect.ts'
import { type Query, toQuery, type Words } from '../query/filters.ts'
import { isUnfiltered, type Rows, toPage } from '../query/page.ts'
import { indexPlan, isIndexed, isQuick } from '../query/plan.ts'
import { late } from '../query/scans.ts'
import type { Awaitable, Page, Selection } from '../store.ts'
import type { ClassStates } from './class-states.ts'
import { dialectOf } from './dialect.ts'
import { everyRow, nowAndThen, type RowBudget, TooLate, TooManyRows, unguarded } from './row-budget.ts'
import type { UnfilteredRows } from './rows.ts'
import type { Scanner } from './scan.ts'
import type { Statements } from './statements.ts'
import type { Tables } from './tables.ts'
import { countMatching, drivenWay, indexWay, readRows, sortedWay, type Way } from './ways.ts'

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

/** From an index at random, so many members are read in the time in which all of a million are read in a row. */
const FEW_OF_A_SCAN = 20_000

/** What is read in one snapshot of the database, with which it is read. */
export interface Reader {
  readonly statements: Statements
  readonly budget: RowBudget
}

/** The answer to a selection that no index may have; throws TooLate past the deadline. */
export function search(
  { statements, budget }: Reader,
  tables: Tables,
  selection: Selection,
  deadline: number,
): Page {
  const dialect = dialectOf(tables)
  const query = toQuery(dialect, selection)
  const within = <T>(ways: readonly Way[], read: (way: Way) => T): T => {
    for (const way of ways.slice(0, -1)) {
      try {
        return budget.spend(way.budget, deadline, () => read(way))
      } catch (error) {
        if (!(error instanceof TooManyRows)) throw error
      }
    }
    return budget.spend(Number.POSITIVE_INFINITY, deadline, () => read(ways.at(-1) as Way))
  }

  const few = drivenWay(statements, dialect, query, FEW_OF_A_SCAN, nowAndThen)
  const ways = few === undefined ? scanningWays(dialect, query, FEW_OF_A_SCAN) : [few]
  const readPage = (way: Way) => readRows(statements, dialect, way, query, true)
  const total = (way: Way, rows: Rows) => countMatching(statements, way, query, rows)
  const page = (rows: Rows, counted: number | undefined) => toPage(rows, counted, query, dialect.read)

  if (query.filters.length === 0) return page(within(ways, readPage), totalOf(statements, tables))
  if (few === undefined && query.count === 'exact') {
    const rows = within(ways, readPage)
    return page(
      rows,
      within([countingWay(dialect, query)], (way) => total(way, rows)),
    )
  }
  return within(ways, (way) => {
    const rows = readPage(way)
    return page(rows, total(way, rows))
  })
}

/** What a scan tries where no filter has few matches, one after the other: the last one ends with the time alone. */
export function scanningWays(dialect: Dialect, query: Query, budget: number): Way[] {
  const everything = sortedWay(dialect, query, wordsIn(query), nowAndThen)
  const plan = indexPlan(dialect, query)
  // To ask each row of an index for words costs more than to sort all that have them.
  const isAskedForWords = plan?.others.some(({ test }) => test === 'words')
  if (plan === undefined || isAskedForWords) return [everything]
  return [indexWay(dialect, query, plan, everyRow, budget), everything]
}

/** To count all, there is no shorter way than through all of one index, or of the members. */
export function countingWay(dialect: Dialect, query: Query): Way {
  const { filters } = query
  const driver = filters.length === 1 ? filters.find(isIndexed) : wordsIn(query)
  return sortedWay(dialect, query, driver, nowAndThen)
}

const wordsIn = ({ filters }: Query): Words | undefined =>
  filters.find((filter): filter is Words => filter.test === 'words')

/** Exact without counting: every write keeps it. */
const totalOf = (statements: Statements, { classId }: Tables): number =>
  (statements('SELECT total FROM classes WHERE id = ?').get(classId) as unknown as [number])[0]
