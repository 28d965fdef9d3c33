// The ways to the members of a query: which indexes are read, and how many of their rows.
import {
  creationOrder,
  indexOf,
  indexOrder,
  inRange,
  leastValue,
  matching,
  type OrderedRows,
  sorted,
} from '../query/compile.ts'
import { and, columnOf, type Dialect, fill, type IndexScan, join, type Sql, sql } from '../query/dialect.ts'
import type { StoredQuery } from '../query/filters.ts'
import { type IndexPlan, type IndexRange, indexPlan, isIndexed } from '../query/plan.ts'
import { predicate } from '../query/predicates.ts'
import type { Filter } from '../selection.ts'
import { isDriver, type RowTicks, rowsFor } from './drivers.ts'
import { linkedOrderPath } from './linked-order.ts'
import { type AccessPath, countUpTo, type LimitedReader, TooManyRows } from './pages.ts'
import { paced } from './tables.ts'

/** Counts every row. A call from SQLite into JavaScript costs as much as reading a row. */
export const everyRow: RowTicks = () => [sql('tick()')]
const nowAndThen: RowTicks = (sequence) => [sql(paced(sequence))]

/** How many rows of other indexes may be read for each that matches. */
const ROWS_FOR_ONE = 4
/** With up to this many words, the rarest is looked for. */
const MAX_WORDS = 8
/** Measured cost, compared with a test of one column. */
const COST_OF_WORDS = 40
const COST_OF_STEP = 4

/** Reads the index that has the order. */
export function indexPath(
  dialect: Dialect,
  query: StoredQuery,
  plan: IndexPlan,
  budget = Number.POSITIVE_INFINITY,
): AccessPath {
  const ticks: RowTicks = budget === Number.POSITIVE_INFINITY ? () => [] : everyRow
  const { indexScan, ranges, down, others, sortFilter } = plan
  const { row, sequence, key, repeats } = indexScan
  const needsRow = others.length > 0 && row !== 'k'
  const joined = needsRow ? ` CROSS JOIN ${dialect.tables.keys} k ON k.sequence = ${sequence}` : ''
  const tests = [
    ...indexScan.fixed,
    ...(sortFilter === undefined ? [] : [fill(`${key} = $`, leastValue(dialect, sortFilter, sequence))]),
    ...others.map((filter) => predicate(dialect, filter)),
  ]
  const rowsIn = (range: IndexRange, keys = ''): Sql =>
    fill(
      `SELECT ${repeats ? 'DISTINCT ' : ''}${sequence} AS sequence${keys} FROM ${indexScan.from}${joined} WHERE $`,
      and([...ticks(sequence), ...inRange(dialect, indexScan, range, down), ...tests]),
    )
  const inKeyOrder = (range: IndexRange): OrderedRows => ({
    select: rowsIn(range, `, ${key} AS o0`),
    orderBy: indexOrder(indexScan, down),
  })
  // SQLite merges the ranges without sorting, since each is in order. A member with many values may be in several ranges.
  const union = row === 'v' ? ' UNION ' : ' UNION ALL '
  const merged = (parts: readonly Sql[]): OrderedRows[] =>
    parts.length === 0 ? [] : [{ select: join(parts, union), orderBy: creationOrder(down) }]
  return {
    budget,
    rows: query.order.length > 0 ? ranges.map(inKeyOrder) : merged(ranges.map((range) => rowsIn(range))),
    matching: () => matching(dialect, query, { driver: plan.filter, withKeys: false, ticks }),
  }
}

/** Sorts all matches, from the index of one filter or from all members. */
export function sortedPath(dialect: Dialect, query: StoredQuery, driver: Filter | undefined): AccessPath {
  const found = driver && !isIndexed(driver) ? rowsFor(dialect, driver, nowAndThen) : undefined
  const all = (withKeys: boolean) => matching(dialect, query, { driver, found, withKeys, ticks: nowAndThen })
  return {
    budget: Number.POSITIVE_INFINITY,
    rows: [sorted(query, all(true))],
    matching: () => all(false),
  }
}

/**
 * Reads the index of the filter with the fewest matches, if testing these against the other filters costs at most `most`.
 * Undefined if every filter has more matches.
 */
export function selectivePath(
  reader: LimitedReader,
  dialect: Dialect,
  query: StoredQuery,
  most: number,
): AccessPath | undefined {
  const costs = query.filters.reduce((sum, filter) => sum + costOf(dialect, filter), 0)
  let best: { readonly driver: Filter; readonly matches: number } | undefined
  for (const driver of query.filters.filter(isDriver)) {
    const allowed = Math.floor(most / Math.max(1, costs - costOf(dialect, driver)))
    // Counts no further than the best so far.
    const limit = Math.min(allowed, (best?.matches ?? Number.POSITIVE_INFINITY) - 1)
    const matches = countMatches(reader, dialect, driver, limit)
    if (matches <= limit) best = { driver, matches }
  }
  return best && sortedPath(dialect, query, best.driver)
}

/** The cost of testing one member, in tests of one column. */
function costOf(dialect: Dialect, filter: Filter): number {
  if (filter.test === 'words') return COST_OF_WORDS
  if ('filters' in filter) return filter.filters.reduce((sum) => sum + COST_OF_STEP, COST_OF_STEP)
  return filter.test === 'in' && columnOf(dialect, filter.property).shape.many ? filter.keys.length : 1
}

/** Counts up to one more than `most`. */
function countMatches(reader: LimitedReader, dialect: Dialect, filter: Filter, most: number): number {
  const matches = ({ from, fixed }: IndexScan): number =>
    countUpTo(reader, most + 1, fill(`SELECT 1 FROM ${from} WHERE $`, and(fixed)))
  if (!isIndexed(filter)) return countByStep(reader, dialect, filter, most)
  if (filter.test !== 'words') return matches(indexOf(dialect, filter))
  if (filter.words.length > MAX_WORDS) return Number.POSITIVE_INFINITY
  return Math.min(...filter.words.map((word) => matches(dialect.withWords([word]))))
}

/** The rows of the other indexes on the way are limited, too. */
function countByStep(reader: LimitedReader, dialect: Dialect, filter: Filter, most: number): number {
  try {
    const count = () => countUpTo(reader, most + 1, rowsFor(dialect, filter, everyRow))
    return reader.limit(ROWS_FOR_ONE * (most + 1), Number.POSITIVE_INFINITY, count)
  } catch (error) {
    if (error instanceof TooManyRows) return Number.POSITIVE_INFINITY
    throw error
  }
}

/** The paths that a scan tries in order if no filter has few matches; the last one has no row budget. */
export function scanningPaths(dialect: Dialect, query: StoredQuery, budget: number): AccessPath[] {
  const everything = sortedPath(dialect, query, wordsIn(query))
  const linked = linkedOrderPath(dialect, query, budget)
  if (linked !== undefined) return [linked, everything]
  const plan = indexPlan(dialect, query)
  // Testing each row of an index for words costs more than sorting all members that have them.
  const isAskedForWords = plan?.others.some(({ test }) => test === 'words')
  if (plan === undefined || isAskedForWords) return [everything]
  return [indexPath(dialect, query, plan, budget), everything]
}

/** For an exact count: reads one whole index, or all members. */
export function countingPath(dialect: Dialect, query: StoredQuery): AccessPath {
  const { filters } = query
  return sortedPath(dialect, query, filters.length === 1 ? filters.find(isIndexed) : wordsIn(query))
}

export const wordsIn = ({ filters }: StoredQuery) => filters.find(({ test }) => test === 'words')
