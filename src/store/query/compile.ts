import type { Key } from '../../vocabulary/keys.ts'
import type { Order } from '../store.ts'
import { columnOf, type Dialect, type Source } from './dialect.ts'
import {
  type AnyFilter,
  isBackward,
  othersThan,
  placingFilter,
  positionOf,
  type Query,
  type ValueFilter,
} from './filters.ts'
import { isOnValues, memberTest, predicate, rangeTest, valueTest } from './predicates.ts'
import type { IndexRange } from './ranges.ts'
import { and, fill, join, type Sql, sql } from './sql.ts'

/** A query for members by their `sequence`, with the keys that place each in the order as `o0`, `o1` … */
export interface OrderedRows {
  readonly select: Sql
  readonly orderBy: string
}

/** All members. */
export const byCreation = ({ tables: { keys } }: Dialect): Source => ({
  row: 'k',
  from: `${keys} k`,
  sequence: 'k.sequence',
  key: undefined,
  fixed: [],
})

export const byKey = (dialect: Dialect, property: string): Source => ({
  ...byCreation(dialect),
  key: `k.k${columnOf(dialect, property).index}`,
})

/** Each value of a property with many. */
export const byValue = (dialect: Dialect, property: string): Source => ({
  row: 'v',
  from: `${dialect.tables.values} v`,
  sequence: 'v.sequence',
  key: 'v.key',
  fixed: [sql(`v.property = ${columnOf(dialect, property).index}`)],
})

export const limited = ({ select, orderBy }: OrderedRows, take: number, skip = 0): Sql =>
  sql(
    `${select.text} ORDER BY ${orderBy} LIMIT CAST(? AS bigint) OFFSET CAST(? AS bigint)`,
    ...select.params,
    take,
    skip,
  )

const direction = (down: boolean): string => (down ? 'DESC' : 'ASC')

/** Whether a row is in the range. `down`: whether the index is read from the greatest to the least. */
export function inRange(
  dialect: Dialect,
  { key, sequence }: Source,
  range: IndexRange,
  down: boolean,
): Sql[] {
  const further = down ? '<' : '>'
  if (range.kind === 'span') {
    const { after } = range
    if (after === undefined) return [rangeTest(String(key), range)]
    const { from, to } = range
    return [
      sql(`(${key}, ${sequence}) ${further} ${dialect.position}`, after.key, after.sequence),
      ...(from || to ? [rangeTest(String(key), range)] : []),
    ]
  }
  const after = range.after === undefined ? [] : [sql(`${sequence} ${further} ?`, range.after)]
  if (range.kind === 'all') return after
  return [range.key === null ? sql(`${key} IS NULL`) : sql(`${key} = ?`, range.key), ...after]
}

/** The order of an index: by the key too, where all rows have the same or none. */
export const indexOrder = ({ key, sequence }: Pick<Source, 'key' | 'sequence'>, down: boolean): string =>
  `${key === undefined ? '' : `${key} ${direction(down)}, `}${sequence} ${direction(down)}`

export const creationOrder = (down: boolean): string => `sequence ${direction(down)}`

/** The least value of a member that matches. */
export const leastValue = (dialect: Dialect, placing: ValueFilter, sequence: string): Sql =>
  fill(
    `(SELECT min(l.key) FROM ${dialect.valuesOfMember('l')} WHERE l.sequence = ${sequence} AND $)`,
    valueTest(dialect, placing, 'l'),
  )

export interface Matching {
  /** The filter from whose index they come; undefined where the database may choose, or looks at every member. */
  readonly driver: AnyFilter | undefined
  /** With the keys that place each in the order; without, they are only counted. */
  readonly withKeys: boolean
  /** What is asked first of each row. */
  readonly guard?: (sequence: string) => readonly Sql[]
}

/** All members that match, each once, in any order. */
export function matching(
  dialect: Dialect,
  query: Query,
  { driver, withKeys, guard = () => [] }: Matching,
): Sql {
  const placing = withKeys ? placingFilter(dialect, query) : undefined
  const { source, isGrouped } = driverRows(dialect, driver, placing, guard)
  const others = othersThan(driver, query).map((filter) => predicate(dialect, filter))
  const keys = withKeys
    ? query.order.map(({ property }, index) => {
        if (isGrouped) return sql('d.o0')
        const key = placing && leastValue(dialect, placing, 'k.sequence')
        return fill(
          `$ AS o${index}`,
          key ?? sql(dialect.unindexed(`k.k${columnOf(dialect, property).index}`)),
        )
      })
    : []
  const isRow = source.sequence === 'k.sequence'
  const needsRow = !isRow && (others.length > 0 || (keys.length > 0 && !isGrouped))
  const row = needsRow ? ` CROSS JOIN ${dialect.tables.keys} k` : ''
  const joined = needsRow ? [sql(`k.sequence = ${source.sequence}`)] : []
  return fill(
    `SELECT $ FROM $${row} WHERE $`,
    join([sql(`${source.sequence} AS sequence`), ...keys], ', '),
    source.from,
    and([...source.tests, ...joined, ...others]),
  )
}

interface DriverRows {
  readonly source: { readonly from: Sql; readonly sequence: string; readonly tests: readonly Sql[] }
  /** Whether each member comes with the key that places it. */
  readonly isGrouped: boolean
}

function driverRows(
  dialect: Dialect,
  driver: AnyFilter | undefined,
  placing: ValueFilter | undefined,
  guard: NonNullable<Matching['guard']>,
): DriverRows {
  const { row, from, sequence, fixed } = driver === undefined ? byCreation(dialect) : indexOf(dialect, driver)
  const tests = [...guard(sequence), ...fixed]
  const isGrouped = placing !== undefined && driver === placing
  // With one key, a member has one row at most.
  const isOnce = row !== 'v' || (driver?.test === 'in' && driver.keys.length === 1)
  if (isOnce && !isGrouped) return { source: { from: sql(from), sequence, tests }, isGrouped }
  // The least of each in one go: looking it up for each member takes ten times as long.
  const rows = isGrouped
    ? fill(`(SELECT v.sequence, min(v.key) AS o0 FROM ${from} WHERE $ GROUP BY v.sequence) d`, and(tests))
    : fill(`(SELECT DISTINCT v.sequence FROM ${from} WHERE $) d`, and(tests))
  return { source: { from: rows, sequence: 'd.sequence', tests: [] }, isGrouped }
}

/** The rows of an index that a filter matches: of many values, one for each value. */
export function indexOf(dialect: Dialect, filter: AnyFilter): Source {
  if (filter.test === 'words') return dialect.withWords(filter.words)
  if (isOnValues(dialect, filter))
    return { ...byValue(dialect, filter.property), fixed: [valueTest(dialect, filter, 'v')] }
  return { ...byKey(dialect, filter.property), fixed: [memberTest(dialect, filter)] }
}

/** Rows behind the position of a query, in its order. */
export function sorted(query: Query, rows: Sql): OrderedRows {
  const { order } = query
  const backward = isBackward(query)
  const rest = beyond(query)
  return {
    select: rest === undefined ? rows : fill(`SELECT ${columnsOf(order)} FROM ($) a WHERE $`, rows, rest),
    orderBy: orderBy(order, backward),
  }
}

export const columnsOf = (order: readonly Order[]): string =>
  ['sequence', ...order.map((_, index) => `o${index}`)].join(', ')

/** Members without the value come last in both directions; equals are in the direction of the last order. */
export function orderBy(order: readonly Order[], backward: boolean): string {
  const keys = order.map(
    ({ descending }, index) =>
      `o${index} ${direction(descending !== backward)} NULLS ${backward ? 'FIRST' : 'LAST'}`,
  )
  return [...keys, creationOrder((order.at(-1)?.descending ?? false) !== backward)].join(', ')
}

/** What comes behind the position, as the page is read. */
function beyond(query: Query): Sql | undefined {
  const { order } = query
  const position = positionOf(query)
  if (position === undefined) return undefined
  const backward = isBackward(query)
  const compare = (descending: boolean) => (descending === backward ? '>' : '<')
  const last = sql(`sequence ${compare(order.at(-1)?.descending ?? false)} ?`, position.sequence)
  return order.reduceRight((further, { descending }, index) => {
    const [column, key] = [`o${index}`, position.keys[index] ?? null]
    const equal = key === null ? sql(`${column} IS NULL`) : sql(`${column} = ?`, key)
    const farther = fartherThan(column, key, compare(descending), backward)
    return fill('($ OR ($ AND $))', farther, equal, further)
  }, last)
}

function fartherThan(column: string, key: Key | null, compared: string, backward: boolean): Sql {
  if (key === null) return sql(backward ? `${column} IS NOT NULL` : 'false')
  return sql(backward ? `${column} ${compared} ?` : `(${column} ${compared} ? OR ${column} IS NULL)`, key)
}
