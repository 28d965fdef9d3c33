import {
  creationOrder,
  indexOf,
  indexOrder,
  inRange,
  leastValue,
  limited,
  matching,
  type OrderedRows,
  sorted,
} from '../query/compile.ts'
import { columnOf, type Dialect, type Source } from '../query/dialect.ts'
import { type AnyFilter, offsetOf, type Query } from '../query/filters.ts'
import { type Row, type Rows, totalSeen } from '../query/page.ts'
import { type IndexPlan, isIndexed } from '../query/plan.ts'
import { predicate } from '../query/predicates.ts'
import type { IndexRange } from '../query/ranges.ts'
import { and, fill, join, type Sql, sql } from '../query/sql.ts'
import { MOST_COUNTED } from '../store.ts'
import type { Statements } from './connection.ts'
import type { Guard } from './row-budget.ts'
import { columnsOf, type Reading, readShort, readWhole } from './rows.ts'

/** A way to the answer. */
export interface Way {
  /** How many rows may be looked at before another way is taken. */
  readonly budget: number
  /** The members from the beginning of the page, read one query after the other until it is full. */
  readonly rows: readonly OrderedRows[]
  /** All that match, each once. */
  readonly matching: () => Sql
}

/** Of so many words the rarest is looked for. */
const MOST_WORDS = 8
/** In questions to the row of a member; measured. */
const COST_OF_WORDS = 40

/** By the index that has the order. */
export function indexWay(
  dialect: Dialect,
  query: Query,
  plan: IndexPlan,
  guard: Guard,
  budget = Number.POSITIVE_INFINITY,
): Way {
  return {
    budget,
    rows: query.order.length === 0 ? mergedRows(dialect, plan, guard) : rowsByKey(dialect, plan, guard),
    matching: () => matching(dialect, query, { driver: plan.filter, withKeys: false, guard }),
  }
}

const rowsByKey = (dialect: Dialect, plan: IndexPlan, guard: Guard): OrderedRows[] =>
  plan.ranges.map((range) => ({
    select: rowsIn(dialect, plan, range, guard, `, ${plan.source.key} AS o0`),
    orderBy: indexOrder(plan.source, plan.down),
  }))

/** SQLite merges them as they come: each is in order already. One member may have several of many values. */
function mergedRows(dialect: Dialect, plan: IndexPlan, guard: Guard): OrderedRows[] {
  const parts = plan.ranges.map((range) => rowsIn(dialect, plan, range, guard, ''))
  const union = plan.source.row === 'v' ? ' UNION ' : ' UNION ALL '
  return parts.length === 0 ? [] : [{ select: join(parts, union), orderBy: creationOrder(plan.down) }]
}

function rowsIn(
  dialect: Dialect,
  { source, down, others, placing }: IndexPlan,
  range: IndexRange,
  guard: Guard,
  keys: string,
): Sql {
  const { from, sequence, fixed } = source
  const least = placing && fill(`${source.key} = $`, leastValue(dialect, placing, sequence))
  const needsRow = others.length > 0 && source.row !== 'k'
  const row = needsRow ? ` CROSS JOIN ${dialect.tables.keys} k ON k.sequence = ${sequence}` : ''
  return fill(
    `SELECT ${sequence} AS sequence${keys} FROM ${from}${row} WHERE $`,
    and([
      ...guard(sequence),
      ...inRange(dialect, source, range, down),
      ...fixed,
      ...(least === undefined ? [] : [least]),
      ...others.map((filter) => predicate(dialect, filter)),
    ]),
  )
}

/** All that match, from the index of one filter or by a look at every member, sorted. */
export const sortedWay = (
  dialect: Dialect,
  query: Query,
  driver: AnyFilter | undefined,
  guard: Guard,
): Way => ({
  budget: Number.POSITIVE_INFINITY,
  rows: [sorted(query, matching(dialect, query, { driver, withKeys: true, guard }))],
  matching: () => matching(dialect, query, { driver, withKeys: false, guard }),
})

/**
 * From the index of the filter that fewest members match, if there is not more than `most` to be asked then: of each
 * member, whether it passes the others. Undefined where there is.
 */
export function drivenWay(
  statements: Statements,
  dialect: Dialect,
  query: Query,
  most: number,
  guard: Guard,
): Way | undefined {
  const costs = query.filters.reduce((sum, filter) => sum + costOf(dialect, filter), 0)
  let best: { readonly driver: AnyFilter; readonly matches: number } | undefined
  for (const driver of query.filters.filter(isIndexed)) {
    const allowed = Math.floor(most / Math.max(1, costs - costOf(dialect, driver)))
    // No further than it takes to know that another one has fewer.
    const limit = Math.min(allowed, (best?.matches ?? Number.POSITIVE_INFINITY) - 1)
    const matches = countMatches(statements, dialect, driver, limit)
    if (matches <= limit) best = { driver, matches }
  }
  return best === undefined ? undefined : sortedWay(dialect, query, best.driver, guard)
}

/** What it costs to ask one member: a question is a look at its row, at each of many values, or a search for words. */
function costOf(dialect: Dialect, filter: AnyFilter): number {
  if (filter.test === 'words') return COST_OF_WORDS
  return filter.test === 'in' && columnOf(dialect, filter.property).shape.many ? filter.keys.length : 1
}

/** Up to one more than `most`. */
function countMatches(statements: Statements, dialect: Dialect, filter: AnyFilter, most: number): number {
  const matches = (source: Source): number =>
    count(statements, upTo(most + 1, fill(`SELECT 1 FROM ${source.from} WHERE $`, and(source.fixed))))
  if (filter.test !== 'words') return matches(indexOf(dialect, filter))
  if (filter.words.length > MOST_WORDS) return Number.POSITIVE_INFINITY
  return Math.min(...filter.words.map((word) => matches(dialect.withWords([word]))))
}

/** The rows of a page. `isLong`: what takes long is not to be read twice where its members are large. */
export function readRows(
  statements: Statements,
  { tables }: Dialect,
  { rows: queries }: Way,
  query: Query,
  isLong: boolean,
): Rows {
  const { limit, order } = query
  const read = ({ kind, bounds, all, isFull }: Reading): Row[] => {
    const columns = columnsOf(kind, order.length)
    const rows: Row[] = []
    let skip = offsetOf(query)
    for (const ordered of queries) {
      const { text, params } = limited(ordered, limit + 1 - rows.length, skip)
      // Bodies are read for the page alone, in the order in which the rows come out of the query.
      const statement = statements(
        `SELECT ${columns} FROM (${text}) w CROSS JOIN ${tables.members} m ON m.sequence = w.sequence`,
      )
      const found = all(statement, [...bounds, ...params])
      rows.push(...found)
      if (rows.length > limit || isFull()) break
      if (skip > 0) skip = found.length > 0 ? 0 : skip - count(statements, limited(ordered, skip))
    }
    return rows
  }
  return (isLong ? undefined : readShort(query, read)) ?? readWhole(query, read)
}

function count(statements: Statements, { text, params }: Sql): number {
  const [found] = statements(`SELECT count(*) FROM (${text})`).get(...params) as unknown as [number]
  return found
}

const upTo = (most: number, rows: Sql): Sql => fill('$ LIMIT $', rows, sql('CAST(? AS bigint)', most))

/** All that match; undefined where there are more than are counted. */
export function countMatching(
  statements: Statements,
  way: Way,
  query: Query,
  page: Rows,
): number | undefined {
  const most = query.count === 'exact' ? Number.MAX_SAFE_INTEGER - 1 : MOST_COUNTED
  const total = totalSeen(page, query) ?? count(statements, upTo(most + 1, way.matching()))
  return total > most ? undefined : total
}
