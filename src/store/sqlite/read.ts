import type { DatabaseSync } from 'node:sqlite'
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
import { and, columnOf, type Dialect, fill, join, type Source, type Sql, sql } from '../query/dialect.ts'
import { type AnyFilter, isCounted, predicate, type Query, toQuery } from '../query/filters.ts'
import { isUnfiltered, toPage } from '../query/page.ts'
import { type IndexPlan, type IndexRange, indexPlan, isIndexed, isQuick } from '../query/plan.ts'
import type { Awaitable, Page, Selection } from '../store.ts'
import {
  type AccessPath,
  countMatching,
  countUpTo,
  type Reader,
  readRows,
  readTotal,
  TooManyRows,
  type UnfilteredRows,
} from './rows.ts'
import { dialectOf, type Tables } from './tables.ts'

export interface ListedClass {
  readonly dialect: Dialect
  readonly unfilteredRows: UnfilteredRows
}

/** From so few matches of one filter a page is put together at once. */
const FEW = 1_000
/** So many rows may be looked at where a member has a row for each of its values. */
const ROWS_OF_MANY = 5_000

export interface ListingParts {
  readonly db: DatabaseSync
  readonly reader: Reader
  /** Called first within each transaction. */
  readonly refresh: () => void
  readonly totalOf: (tables: Tables, owner: number | undefined) => number
  /** Finds what no index may have. */
  readonly search: (tables: Tables, selection: Selection) => Awaitable<Page>
}

/** Pages: at once where an index bounds the work, and by `search` otherwise. */
export function createListing({ db, reader, refresh, totalOf, search }: ListingParts) {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')

  return (cls: ListedClass, selection: Selection): Awaitable<Page> => {
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

  /** Total and members belong together, whoever writes meanwhile. */
  function inSnapshot(read: () => Page): Page {
    begin.run()
    try {
      refresh()
      return read()
    } finally {
      commit.run()
    }
  }

  function unfilteredPage({ unfilteredRows, dialect }: ListedClass, selection: Selection): Page {
    const { rows, more } = unfilteredRows(selection)
    const { start, owner } = selection
    const total = totalOf(dialect.tables, owner)
    const isMore = start.at === 'offset' ? start.offset + rows.length < total : more
    return toPage({ rows, more: isMore }, total, selection, dialect.read)
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

  function pageBy(path: AccessPath, dialect: Dialect, query: Query): Page {
    return reader.limit(path.budget, Number.POSITIVE_INFINITY, () => {
      const rows = readRows(reader, dialect, query, path)
      const total = isCounted(query)
        ? totalOf(dialect.tables, query.owner)
        : countMatching(reader, query, path, rows)
      return toPage(rows, total, query, dialect.read)
    })
  }
}

/** From an index at random, so many members are read in the time in which all of a million are read in a row. */
const FEW_OF_A_SCAN = 20_000

/** The answer to a selection that no index may have, in one snapshot; 503 past the deadline. */
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
  const counting = isCountedApart ? [countingPath(dialect, query)] : paths
  const total = isCounted(query)
    ? readTotal(reader, tables, query.owner)
    : within(counting, (path) => countMatching(reader, query, path, rows))
  return toPage(rows, total, query, dialect.read)
}

/** What is asked first of each row; `sequence` names the row's number. */
type Guard = (sequence: string) => readonly Sql[]

/** Counts the rows. A call from SQLite into JavaScript costs as much as reading a row. */
const everyRow: Guard = () => [sql('tick()')]
/** Against the time alone, at no cost that could be measured. */
const nowAndThen: Guard = (sequence) => [sql(`((${sequence} & 255) <> 0 OR tick())`)]

/** Of so many words the rarest is looked for. */
const MAX_WORDS = 8
/** In questions to the row of a member; measured. */
const COST_OF_WORDS = 40

/** By the index that has the order. */
export function indexPath(
  dialect: Dialect,
  query: Query,
  plan: IndexPlan,
  budget = Number.POSITIVE_INFINITY,
): AccessPath {
  const guard: Guard = budget === Number.POSITIVE_INFINITY ? () => [] : everyRow
  const { source, ranges, down, others, placing } = plan
  const { row, sequence, key } = source
  const needsRow = others.length > 0 && row !== 'k'
  const joined = needsRow ? ` CROSS JOIN ${dialect.tables.keys} k ON k.sequence = ${sequence}` : ''
  const tests = [
    ...source.fixed,
    ...(placing === undefined ? [] : [fill(`${key} = $`, leastValue(dialect, placing, sequence))]),
    ...others.map((filter) => predicate(dialect, filter)),
  ]
  const rowsIn = (range: IndexRange, keys = ''): Sql =>
    fill(
      `SELECT ${sequence} AS sequence${keys} FROM ${source.from}${joined} WHERE $`,
      and([...guard(sequence), ...inRange(dialect, source, range, down), ...tests]),
    )
  const inKeyOrder = (range: IndexRange): OrderedRows => ({
    select: rowsIn(range, `, ${key} AS o0`),
    orderBy: indexOrder(source, down),
  })
  // SQLite merges them as they come: each is in order already. One member may have several of many values.
  const union = row === 'v' ? ' UNION ' : ' UNION ALL '
  const merged = (parts: readonly Sql[]): OrderedRows[] =>
    parts.length === 0 ? [] : [{ select: join(parts, union), orderBy: creationOrder(down) }]
  return {
    budget,
    rows: query.order.length > 0 ? ranges.map(inKeyOrder) : merged(ranges.map((range) => rowsIn(range))),
    matching: () => matching(dialect, query, { driver: plan.filter, withKeys: false, guard }),
  }
}

/** All that match, from the index of one filter or by a look at every member, sorted. */
export function sortedPath(dialect: Dialect, query: Query, driver: AnyFilter | undefined): AccessPath {
  const all = (withKeys: boolean) => matching(dialect, query, { driver, withKeys, guard: nowAndThen })
  return {
    budget: Number.POSITIVE_INFINITY,
    rows: [sorted(query, all(true))],
    matching: () => all(false),
  }
}

/**
 * From the index of the filter that fewest members match, if there is not more than `most` to be asked then: of each
 * member, whether it passes the others. Undefined where there is.
 */
export function selectivePath(
  reader: Reader,
  dialect: Dialect,
  query: Query,
  most: number,
): AccessPath | undefined {
  const costs = query.filters.reduce((sum, filter) => sum + costOf(dialect, filter), 0)
  let best: { readonly driver: AnyFilter; readonly matches: number } | undefined
  for (const driver of query.filters.filter(isIndexed)) {
    const allowed = Math.floor(most / Math.max(1, costs - costOf(dialect, driver)))
    // No further than it takes to know that another one has fewer.
    const limit = Math.min(allowed, (best?.matches ?? Number.POSITIVE_INFINITY) - 1)
    const matches = countMatches(reader, dialect, driver, limit)
    if (matches <= limit) best = { driver, matches }
  }
  return best && sortedPath(dialect, query, best.driver)
}

/** What it costs to ask one member: a question is a look at its row, at each of many values, or a search for words. */
function costOf(dialect: Dialect, filter: AnyFilter): number {
  if (filter.test === 'words') return COST_OF_WORDS
  return filter.test === 'in' && columnOf(dialect, filter.property).shape.many ? filter.keys.length : 1
}

/** Up to one more than `most`. */
function countMatches(reader: Reader, dialect: Dialect, filter: AnyFilter, most: number): number {
  const matches = ({ from, fixed }: Source): number =>
    countUpTo(reader, most + 1, fill(`SELECT 1 FROM ${from} WHERE $`, and(fixed)))
  if (filter.test !== 'words') return matches(indexOf(dialect, filter))
  if (filter.words.length > MAX_WORDS) return Number.POSITIVE_INFINITY
  return Math.min(...filter.words.map((word) => matches(dialect.withWords([word]))))
}

/** What a scan tries where no filter has few matches, one after the other: the last one ends with the time alone. */
export function scanningPaths(dialect: Dialect, query: Query, budget: number): AccessPath[] {
  const everything = sortedPath(dialect, query, wordsIn(query))
  const plan = indexPlan(dialect, query)
  // To ask each row of an index for words costs more than to sort all that have them.
  const isAskedForWords = plan?.others.some(({ test }) => test === 'words')
  if (plan === undefined || isAskedForWords) return [everything]
  return [indexPath(dialect, query, plan, budget), everything]
}

/** To count all, there is no shorter path than through all of one index, or of the members. */
export function countingPath(dialect: Dialect, query: Query): AccessPath {
  const { filters } = query
  return sortedPath(dialect, query, filters.length === 1 ? filters.find(isIndexed) : wordsIn(query))
}

const wordsIn = ({ filters }: Query) => filters.find(({ test }) => test === 'words')
