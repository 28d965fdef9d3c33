import type { DatabaseSync } from 'node:sqlite'
import type { Awaitable } from '../../database/index.ts'
import { isBeginning } from '../../text.ts'
import type { Page } from '../member-store.ts'
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
import { isCounted, predicate, type StoredQuery, toQuery } from '../query/filters.ts'
import { isUnfiltered, toPage } from '../query/page.ts'
import { type IndexPlan, type IndexRange, indexPlan, isIndexed, isQuick } from '../query/plan.ts'
import type { Filter, Selection } from '../selection.ts'
import {
  type AccessPath,
  countMatching,
  countUpTo,
  type LimitedReader,
  readRows,
  readTotal,
  TooManyRows,
  type UnfilteredRows,
} from './pages.ts'
import { dialectOf, type SqliteTables } from './tables.ts'

export interface ListedClass {
  readonly dialect: Dialect<SqliteTables>
  readonly unfilteredRows: UnfilteredRows
}

/** If one filter has at most this many matches, the page is read on this thread. */
const FEW = 1_000
/** The row budget if a member has a row for each of its values. */
const ROWS_OF_MANY = 5_000

export type Search = (tables: SqliteTables, selection: Selection) => Awaitable<Page>

export type ListMembers = (cls: ListedClass, selection: Selection) => Awaitable<Page>

/** Reads a page directly if an index limits the work, and by `search` otherwise. */
export function createListing(db: DatabaseSync, reader: LimitedReader, search: Search): ListMembers {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')

  return (cls, selection) => {
    if (isUnfiltered(selection)) return inSnapshot(() => unfilteredPage(cls, selection))
    const { dialect } = cls
    const query = toQuery(dialect, selection)
    const path = quickPath(dialect, query)
    if (path === undefined) return search(dialect.tables, selection)
    try {
      return inSnapshot(() => pageBy(path, dialect, query))
    } catch (error) {
      if (error instanceof TooManyRows) return search(dialect.tables, selection)
      throw error
    }
  }

  /** Total and members are of one snapshot, whatever other processes write. */
  function inSnapshot(read: () => Page): Page {
    begin.run()
    try {
      return read()
    } finally {
      commit.run()
    }
  }

  function unfilteredPage({ unfilteredRows, dialect }: ListedClass, selection: Selection): Page {
    const { rows, more } = unfilteredRows(selection)
    const { start, owner } = selection
    const total = readTotal(reader, dialect.tables, owner)
    const isMore = start.at === 'offset' ? start.offset + rows.length < total : more
    return toPage({ rows, more: isMore }, total, selection, dialect.read)
  }

  /** Undefined where no index bounds the work. */
  function quickPath(dialect: Dialect, query: StoredQuery): AccessPath | undefined {
    if (query.filters.some(isUnbounded)) return undefined
    const plan = indexPlan(dialect, query)
    if (plan !== undefined && isQuick(plan, query)) return indexPath(dialect, query, plan)
    const isOfMany = plan?.sortFilter !== undefined && plan.others.length === 0 && query.count === 'bounded'
    return isOfMany
      ? indexPath(dialect, query, plan, ROWS_OF_MANY)
      : selectivePath(reader, dialect, query, FEW)
  }

  function pageBy(path: AccessPath, dialect: Dialect<SqliteTables>, query: StoredQuery): Page {
    return reader.limit(path.budget, Number.POSITIVE_INFINITY, () => {
      const rows = readRows(reader, dialect, query, path)
      const total = isCounted(query)
        ? readTotal(reader, dialect.tables, query.owner)
        : countMatching(reader, query, path, rows)
      return toPage(rows, total, query, dialect.read)
    })
  }
}

/** `contains` may read megabytes, however few the members; FTS5 merges all words that begin alike before the first row. */
const isUnbounded = (filter: Filter): boolean =>
  filter.test === 'contains' || (filter.test === 'words' && filter.words.some(isBeginning))

/** Reading this many members in the order of an index takes as long as reading a million in the order of the table. */
const FEW_OF_A_SCAN = 20_000

/** Reads a page without a suitable index, in one snapshot; throws 503 after the deadline. */
export function search(
  reader: LimitedReader,
  tables: SqliteTables,
  selection: Selection,
  deadline: number,
): Page {
  const dialect = dialectOf(tables)
  const query = toQuery(dialect, selection)
  /** Uses the first path whose row budget suffices. */
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
  const counting = isCountedApart ? [countingPath(dialect, query)] : paths
  const total = isCounted(query)
    ? readTotal(reader, tables, query.owner)
    : within(counting, (path) => countMatching(reader, query, path, rows))
  return toPage(rows, total, query, dialect.read)
}

/** Conditions before all others that limit the work; `sequence` is the column of the row's number. */
type Guard = (sequence: string) => readonly Sql[]

/** Counts every row. A call from SQLite into JavaScript costs as much as reading a row. */
const everyRow: Guard = () => [sql('tick()')]
/** Checks only the deadline, at no measurable cost. */
const nowAndThen: Guard = (sequence) => [sql(`((${sequence} & 255) <> 0 OR tick())`)]

/** With up to this many words, the rarest is looked for. */
const MAX_WORDS = 8
/** Measured cost, compared with a test of one column. */
const COST_OF_WORDS = 40

/** Reads the index that has the order. */
export function indexPath(
  dialect: Dialect,
  query: StoredQuery,
  plan: IndexPlan,
  budget = Number.POSITIVE_INFINITY,
): AccessPath {
  const guard: Guard = budget === Number.POSITIVE_INFINITY ? () => [] : everyRow
  const { indexScan, ranges, down, others, sortFilter } = plan
  const { row, sequence, key } = indexScan
  const needsRow = others.length > 0 && row !== 'k'
  const joined = needsRow ? ` CROSS JOIN ${dialect.tables.keys} k ON k.sequence = ${sequence}` : ''
  const tests = [
    ...indexScan.fixed,
    ...(sortFilter === undefined ? [] : [fill(`${key} = $`, leastValue(dialect, sortFilter, sequence))]),
    ...others.map((filter) => predicate(dialect, filter)),
  ]
  const rowsIn = (range: IndexRange, keys = ''): Sql =>
    fill(
      `SELECT ${sequence} AS sequence${keys} FROM ${indexScan.from}${joined} WHERE $`,
      and([...guard(sequence), ...inRange(dialect, indexScan, range, down), ...tests]),
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
    matching: () => matching(dialect, query, { driver: plan.filter, withKeys: false, guard }),
  }
}

/** Sorts all matches, from the index of one filter or from all members. */
export function sortedPath(dialect: Dialect, query: StoredQuery, driver: Filter | undefined): AccessPath {
  const all = (withKeys: boolean) => matching(dialect, query, { driver, withKeys, guard: nowAndThen })
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
  for (const driver of query.filters.filter(isIndexed)) {
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
  return filter.test === 'in' && columnOf(dialect, filter.property).shape.many ? filter.keys.length : 1
}

/** Counts up to one more than `most`. */
function countMatches(reader: LimitedReader, dialect: Dialect, filter: Filter, most: number): number {
  const matches = ({ from, fixed }: IndexScan): number =>
    countUpTo(reader, most + 1, fill(`SELECT 1 FROM ${from} WHERE $`, and(fixed)))
  if (filter.test !== 'words') return matches(indexOf(dialect, filter))
  if (filter.words.length > MAX_WORDS) return Number.POSITIVE_INFINITY
  return Math.min(...filter.words.map((word) => matches(dialect.withWords([word]))))
}

/** The paths that a scan tries in order if no filter has few matches; the last one has no row budget. */
export function scanningPaths(dialect: Dialect, query: StoredQuery, budget: number): AccessPath[] {
  const everything = sortedPath(dialect, query, wordsIn(query))
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

const wordsIn = ({ filters }: StoredQuery) => filters.find(({ test }) => test === 'words')
