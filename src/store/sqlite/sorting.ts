import type { Key } from '../../vocabulary/keys.ts'
import { columnOf } from '../query/filters.ts'
import { and, join, type Sql, sql } from '../query/sql.ts'
import type { Order, Position, Selection } from '../store.ts'
import type { Guard } from './meter.ts'
import {
  type Filter,
  keyColumnsOf,
  keyTest,
  matchText,
  othersThan,
  placingOf,
  predicate,
  valueColumns,
} from './predicates.ts'
import { type Tables, valuesByMember } from './tables.ts'
import { isBackward, positionOf, type Walk } from './walks.ts'

/**
 * All that match, sorted. `driver`: the filter from whose index they come, undefined for a look at every member; the
 * others are asked of each. `whole`: from the beginning and in any order, for counting.
 */
export function sorted(
  tables: Tables,
  selection: Selection,
  driver: Filter | undefined,
  guard: Guard,
  whole: boolean,
): Walk {
  const asked = othersThan(driver, selection).map((filter) => predicate(tables, filter))
  const { from, where } = drivenBy(tables, driver, guard)
  const keys = whole ? [] : selection.order.map(({ property }) => orderKey(tables, selection, property))
  const columns = join(
    [
      sql('k.sequence AS sequence'),
      ...keys.map(({ text, params }, index) => sql(`${text} AS o${index}`, ...params)),
    ],
    ', ',
  )
  const inner = join(
    [sql('SELECT'), columns, sql('FROM'), from, sql('WHERE'), and([...where, ...asked])],
    ' ',
  )
  if (whole) return { select: inner, orderBy: undefined }

  const { order } = selection
  const backward = isBackward(selection)
  const position = positionOf(selection)
  const rest = position === undefined ? undefined : beyond(order, position, backward)
  return {
    select: rest === undefined ? inner : join([sql('SELECT * FROM ('), inner, sql(') WHERE'), rest], ' '),
    orderBy: orderBy(order, backward),
  }
}

/** Rows `k` of the keys, each once. */
function drivenBy(
  tables: Tables,
  driver: Filter | undefined,
  guard: Guard,
): { from: Sql; where: readonly Sql[] } {
  const { keys, values, words } = tables
  if (driver === undefined) return { from: sql(`${keys} k`), where: [sql(guard('k.sequence'))] }
  if (driver.test === 'words') {
    return {
      from: sql(`${words} w CROSS JOIN ${keys} k ON k.sequence = w.rowid`),
      where: [sql(guard('w.rowid')), sql(`w.${words} MATCH ?`, matchText(driver.words))],
    }
  }
  const { index, shape } = columnOf(tables, driver.property)
  if (!shape.many || driver.test === 'exists') {
    return {
      from: sql(`${keys} k`),
      where: [sql(guard('k.sequence')), keyTest(keyColumnsOf(tables, index), driver)],
    }
  }
  const test = and([
    sql(guard('v.sequence')),
    sql(`v.property = ${index}`),
    keyTest(valueColumns('v'), driver),
  ])
  return {
    from: sql(
      `(SELECT DISTINCT v.sequence FROM ${values} v WHERE ${test.text}) d CROSS JOIN ${keys} k ON k.sequence = d.sequence`,
      ...test.params,
    ),
    where: [],
  }
}

function orderKey(tables: Tables, selection: Selection, property: string): Sql {
  const { index } = columnOf(tables, property)
  const placing = placingOf(tables, selection, property)
  if (placing === undefined) return sql(`k.k${index}`)
  const test = keyTest(valueColumns('v'), placing)
  return sql(
    `(SELECT min(v.key) FROM ${valuesByMember(tables, 'v')}
      WHERE v.sequence = k.sequence AND v.property = ${index} AND ${test.text})`,
    ...test.params,
  )
}

const isDescending = (order: readonly Order[]): boolean => order.at(-1)?.descending ?? false

/** Members without the value come last in both directions; equals are in the direction of the last order. */
function orderBy(order: readonly Order[], backward: boolean): string {
  const direction = (descending: boolean) => (descending === backward ? 'ASC' : 'DESC')
  const keys = order.map(
    ({ descending }, index) => `o${index} IS NULL ${direction(false)}, o${index} ${direction(descending)}`,
  )
  return [...keys, `sequence ${direction(isDescending(order))}`].join(', ')
}

/** What comes behind the position in the direction of the walk. */
function beyond(order: readonly Order[], { keys, sequence }: Position, backward: boolean): Sql {
  const last = sql(`sequence ${isDescending(order) === backward ? '>' : '<'} ?`, sequence)
  return order.reduceRight((further, { descending }, index) => {
    const key = keys[index] ?? null
    const column = `o${index}`
    const equal = and([sql(`${column} IS ?`, key), further])
    return join([sql('('), farther(column, key, descending, backward), sql(' OR '), equal, sql(')')], '')
  }, last)
}

function farther(column: string, key: Key | null, descending: boolean, backward: boolean): Sql {
  if (key === null) return sql(backward ? `${column} IS NOT NULL` : 'false')
  const compared = `${column} ${descending === backward ? '>' : '<'} ?`
  return sql(backward ? compared : `(${compared} OR ${column} IS NULL)`, key)
}
