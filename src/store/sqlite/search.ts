import type { Dialect } from '../query/dialect.ts'
import { type Query, toQuery, type Words } from '../query/filters.ts'
import { type Rows, toPage } from '../query/page.ts'
import { indexPlan, isIndexed } from '../query/plan.ts'
import type { Page, Selection } from '../store.ts'
import type { Statements } from './connection.ts'
import { dialectOf } from './dialect.ts'
import { everyRow, nowAndThen, type RowBudget, TooManyRows } from './row-budget.ts'
import type { Tables } from './tables.ts'
import { countMatching, drivenWay, indexWay, readRows, sortedWay, type Way } from './ways.ts'

/** From an index at random, so many members are read in the time in which all of a million are read in a row. */
const FEW = 20_000

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

  const few = drivenWay(statements, dialect, query, FEW, nowAndThen)
  const ways = few === undefined ? scanningWays(dialect, query, FEW) : [few]
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
export const totalOf = (statements: Statements, { classId }: Tables): number =>
  (statements('SELECT total FROM classes WHERE id = ?').get(classId) as unknown as [number])[0]
