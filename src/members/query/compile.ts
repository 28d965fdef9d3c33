import type { Key } from '../../vocabulary/index-keys.ts'
import { type Filter, hasTie, isOnProperty, type Order } from '../selection.ts'
import {
  and,
  byCreation,
  columnOf,
  type Dialect,
  fill,
  type IndexScan,
  join,
  type Sql,
  sql,
} from './dialect.ts'
import {
  isBackward,
  othersThan,
  positionOf,
  type StoredQuery,
  sortColumns,
  sortFilterOf,
  type ValueFilter,
} from './filters.ts'
import { type IndexRange, indexScanOf } from './plan.ts'
import { predicate } from './predicates.ts'
import { memberTest, rangeTest, valueTest } from './property-tests.ts'

/** A query for the `sequence` of members, with the keys that order them as `o0`, `o1` … */
export interface OrderedRows {
  readonly select: Sql
  readonly orderBy: string
}

/** The rows of an index that match a filter. */
export function indexOf(dialect: Dialect, filter: Filter): IndexScan {
  const indexScan = indexScanOf(dialect, filter)
  if (!isOnProperty(filter)) return indexScan
  const test = indexScan.row === 'v' ? valueTest(dialect, filter, 'v') : memberTest(dialect, filter)
  return { ...indexScan, fixed: [test] }
}

export const limited = ({ select, orderBy }: OrderedRows, take: number, skip = 0): Sql => {
  const text = `${select.text} ORDER BY ${orderBy} LIMIT CAST(? AS bigint) OFFSET CAST(? AS bigint)`
  return sql(text, ...select.params, take, skip)
}

const direction = (down: boolean): string => (down ? 'DESC' : 'ASC')

/** Conditions for a row to be in the range. `down`: whether the index is read in descending order. */
export function inRange(
  dialect: Dialect,
  { key, sequence }: IndexScan,
  range: IndexRange,
  down: boolean,
): Sql[] {
  const further = down ? '<' : '>'
  if (range.kind === 'span') {
    const { from, to, after } = range
    const within = rangeTest(String(key), range)
    if (after === undefined) return [within]
    const behind = sql(`(${key}, ${sequence}) ${further} ${dialect.position}`, after.key, after.sequence)
    return from || to ? [behind, within] : [behind]
  }
  const after = range.after === undefined ? [] : [sql(`${sequence} ${further} ?`, range.after)]
  return range.kind === 'all' ? after : [isKey(String(key), range.key), ...after]
}

const isKey = (column: string, key: Key | null): Sql =>
  key === null ? sql(`${column} IS NULL`) : sql(`${column} = ?`, key)

/** The order of an index, including its key even if all rows of a range have the same key. */
export const indexOrder = ({ key, sequence }: Pick<IndexScan, 'key' | 'sequence'>, down: boolean): string =>
  `${key === undefined ? '' : `${key} ${direction(down)}, `}${sequence} ${direction(down)}`

export const creationOrder = (down: boolean): string => `sequence ${direction(down)}`

/** The least of a member's values that match. */
export const leastValue = (dialect: Dialect, sortFilter: ValueFilter, sequence: string): Sql =>
  fill(
    `(SELECT min(l.key) FROM ${dialect.valuesOfMember('l')} WHERE l.sequence = ${sequence} AND $)`,
    valueTest(dialect, sortFilter, 'l'),
  )

export interface Matching {
  /** The filter whose index is read; undefined if the database chooses, or reads every member. */
  readonly driver: Filter | undefined
  /** The members that the driver finds, as a query for `sequence`, if no single index has them. */
  readonly found?: Sql | undefined
  /** Whether to select the keys that order the members; false if they are only counted. */
  readonly withKeys: boolean
  /** Conditions that count the rows that are read, tested first. */
  readonly ticks?: (sequence: string) => readonly Sql[]
}

/** All matching members, each once, in any order. */
export function matching(dialect: Dialect, query: StoredQuery, how: Matching): Sql {
  const { driver, found, withKeys } = how
  const sortFilter = withKeys ? sortFilterOf(dialect, query) : undefined
  const isGrouped = sortFilter !== undefined && driver === sortFilter
  const { from, sequence, tests } = driverRows(dialect, how, isGrouped)
  // A member found by several indexes may have matched only one of several filters.
  const rest = found === undefined ? othersThan(driver, query) : query.filters
  const others = rest.map((filter) => predicate(dialect, filter))
  const { joins, keys } = isGrouped
    ? { joins: [], keys: [sql('d.o0')] }
    : orderKeys(dialect, withKeys ? query.order : [], sortFilter)
  const needsRow = sequence !== 'k.sequence' && (others.length > 0 || (keys.length > 0 && !isGrouped))
  return fill(
    `SELECT $ FROM $${needsRow ? ` CROSS JOIN ${dialect.tables.keys} k` : ''} $ WHERE $`,
    join([sql(`${sequence} AS sequence`), ...keys], ', '),
    from,
    join(joins, ' '),
    and([...tests, ...(needsRow ? [sql(`k.sequence = ${sequence}`)] : []), ...others]),
  )
}

/** The keys by which the member in row `k` is sorted, as `o0` …, and the joins for those of linked members. */
function orderKeys(dialect: Dialect, order: readonly Order[], sortFilter: ValueFilter | undefined) {
  const joins: Sql[] = []
  const keys = order.flatMap((one, index) => {
    if (one.through !== undefined)
      return linkedKeys(dialect, one, `t${index}`, joins).slice(0, hasTie(order, one) ? 2 : 1)
    if (sortFilter !== undefined) return [leastValue(dialect, sortFilter, 'k.sequence')]
    return [sql(dialect.unindexed(`k.k${columnOf(dialect, one.property).index}`))]
  })
  return { joins, keys: keys.map((key, index) => fill(`$ AS o${index}`, key)) }
}

/** The key of the last target, and its sequence number (`Position`). Adds the joins to `joins`. */
function linkedKeys(dialect: Dialect, { property, through = [] }: Order, alias: string, joins: Sql[]): Sql[] {
  let [row, at]: [string, Dialect] = ['k', dialect]
  for (const [index, step] of through.entries()) {
    const target = at.of(step.className)
    if (target === undefined) return [sql('CAST(NULL AS text)'), sql('CAST(NULL AS bigint)')]
    const inner = `${alias}_${index}`
    const test = and(step.filters.map((filter) => predicate(target, filter, { alias: inner, level: 1 })))
    joins.push(target.joinTarget(inner, `${row}.k${columnOf(at, step.property).index}`, test))
    ;[row, at] = [inner, target]
  }
  const key = `${row}.k${columnOf(at, property).index}`
  return [sql(key), sql(`CASE WHEN ${key} IS NOT NULL THEN ${row}.sequence END`)]
}

/** `isGrouped`: one row for each member, with the key that orders it. */
function driverRows(dialect: Dialect, { driver, found, ticks = () => [] }: Matching, isGrouped: boolean) {
  if (found !== undefined)
    return {
      from: fill('(SELECT DISTINCT sequence FROM ($) a) d', found),
      sequence: 'd.sequence',
      tests: ticks('d.sequence'),
    }
  const { row, from, sequence, fixed, repeats } =
    driver === undefined ? byCreation(dialect.tables) : indexOf(dialect, driver)
  const tests = [...ticks(sequence), ...fixed]
  // A member has at most one row with a given key.
  const isOnce = row !== 'v' || (!repeats && driver?.test === 'in' && driver.keys.length === 1)
  if (isOnce && !isGrouped) return { from: sql(from), sequence, tests }
  // One GROUP BY finds the least values: a subquery for each member takes ten times as long.
  const rows = isGrouped
    ? fill(`(SELECT v.sequence, min(v.key) AS o0 FROM ${from} WHERE $ GROUP BY v.sequence) d`, and(tests))
    : fill(`(SELECT DISTINCT v.sequence FROM ${from} WHERE $) d`, and(tests))
  return { from: rows, sequence: 'd.sequence', tests: [] }
}

/** Rows behind the position of a query, in its order. */
export function sorted(query: StoredQuery, rows: Sql): OrderedRows {
  const { order } = query
  const rest = beyond(query)
  return {
    select: rest === undefined ? rows : fill(`SELECT ${columnsOf(order)} FROM ($) a WHERE $`, rows, rest),
    orderBy: orderBy(order, isBackward(query)),
  }
}

export const columnsOf = (order: readonly Order[]): string =>
  ['sequence', ...sortColumns(order).map(({ name }) => name)].join(', ')

/** Members without the value come last in both directions; members with equal keys follow the direction of the last order. */
export function orderBy(order: readonly Order[], backward: boolean): string {
  const keys = sortColumns(order).map(
    ({ name, descending }) =>
      `${name} ${direction(descending !== backward)} NULLS ${backward ? 'FIRST' : 'LAST'}`,
  )
  return [...keys, creationOrder((order.at(-1)?.descending ?? false) !== backward)].join(', ')
}

/** The condition for rows behind the position, in the direction in which the page is read. */
function beyond(query: StoredQuery): Sql | undefined {
  const { order } = query
  const position = positionOf(query)
  if (position === undefined) return undefined
  const backward = isBackward(query)
  const compare = (descending: boolean) => (descending === backward ? '>' : '<')
  const last = sql(`sequence ${compare(order.at(-1)?.descending ?? false)} ?`, position.sequence)
  return sortColumns(order).reduceRight((further, { name, descending }, index) => {
    const key = position.keys[index] ?? null
    const farther = fartherThan(name, key, compare(descending), backward)
    return fill('($ OR ($ AND $))', farther, isKey(name, key), further)
  }, last)
}

function fartherThan(column: string, key: Key | null, compared: string, backward: boolean): Sql {
  if (key === null) return sql(backward ? `${column} IS NOT NULL` : 'false')
  return sql(backward ? `${column} ${compared} ?` : `(${column} ${compared} ? OR ${column} IS NULL)`, key)
}
