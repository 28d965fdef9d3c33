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
import { type AnyFilter, predicate, type Query, type Words } from '../query/filters.ts'
import { type IndexPlan, indexPlan, isIndexed } from '../query/plan.ts'
import type { IndexRange } from '../query/ranges.ts'
import type { Reader } from './connection.ts'

/** From which index, and in which order, the members of a query are read. */
export interface AccessPath {
  /** How many rows may be looked at before another path is taken. */
  readonly budget: number
  /** The members from the beginning of the page, read one query after the other until it is full. */
  readonly rows: readonly OrderedRows[]
  /** All that match, each once. */
  readonly matching: () => Sql
}

/** What is asked first of each row; `sequence` names the row's number. */
type Guard = (sequence: string) => readonly Sql[]

const unguarded: Guard = () => []
/** Counts the rows. A call from SQLite into JavaScript costs as much as reading a row. */
const everyRow: Guard = () => [sql('tick()')]
/** Against the time alone, at no cost that could be measured. */
const nowAndThen: Guard = (sequence) => [sql(`((${sequence} & 255) <> 0 OR tick())`)]

/** Of so many words the rarest is looked for. */
const MOST_WORDS = 8
/** In questions to the row of a member; measured. */
const COST_OF_WORDS = 40

/** By the index that has the order. */
export function indexPath(
  dialect: Dialect,
  query: Query,
  plan: IndexPlan,
  budget = Number.POSITIVE_INFINITY,
): AccessPath {
  const guard = budget === Number.POSITIVE_INFINITY ? unguarded : everyRow
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
  if (filter.words.length > MOST_WORDS) return Number.POSITIVE_INFINITY
  return Math.min(...filter.words.map((word) => matches(dialect.withWords([word]))))
}

export const countUpTo = (reader: Reader, most: number, rows: Sql): number =>
  count(reader, fill('$ LIMIT $', rows, sql('CAST(? AS bigint)', most)))

export function count(reader: Reader, { text, params }: Sql): number {
  const [found] = reader.statement(`SELECT count(*) FROM (${text})`).get(...params) as unknown as [number]
  return found
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

const wordsIn = ({ filters }: Query): Words | undefined =>
  filters.find((filter): filter is Words => filter.test === 'words')
