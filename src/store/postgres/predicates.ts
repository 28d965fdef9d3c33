import { columnOf } from '../query/filters.ts'
import { and, type Sql, sql } from '../query/sql.ts'
import type { Bounds, Filter as KeyFilter } from '../store.ts'
import { textArray } from './arrays.ts'
import type { Filter, TextSelection } from './selecting.ts'
import { fill } from './sql.ts'
import { hasTextColumns, type Tables } from './tables.ts'

/** What is compared of a property: its key, the whole text where that is cut, the folded one where it differs. */
interface Columns {
  readonly key: string
  readonly whole: string
  readonly folded: string
}

/** In a row `m` of the members. */
function inMembers(tables: Tables, index: number): Columns {
  const shape = tables.shapes[index]
  const [key, whole] = [`m.k${index}`, shape !== undefined && hasTextColumns(shape) ? `m.x${index}` : 'NULL']
  const text = `substr(${key}, 2)`
  return { key, whole, folded: whole === 'NULL' ? text : `coalesce(m.f${index}, ${whole}, ${text})` }
}

const IN_VALUES: Columns = {
  key: 'v.key',
  whole: 'v.whole',
  folded: 'coalesce(v.folded, v.whole, substr(v.key, 2))',
}

/** Whether the member in row `m` passes. A form from which PostgreSQL can begin, by the index of any filter. */
export function predicate(tables: Tables, filter: Filter): Sql {
  if (filter.test === 'words') {
    return and(
      filter.words.map((word) =>
        sql(`m.sequence IN (SELECT w.sequence FROM ${tables.words} w WHERE w.word = ?)`, word),
      ),
    )
  }
  const { index, shape } = columnOf(tables, filter.property)
  if (!shape.many || filter.test === 'exists') return keyTest(inMembers(tables, index), filter)
  return fill(`m.sequence IN (SELECT v.sequence FROM ${tables.values} v WHERE $)`, valueTest(index, filter))
}

/** Whether a row `v` of the values is one that matches. */
export const valueTest = (index: number, condition: KeyFilter): Sql =>
  and([sql(`v.property = ${index}`), keyTest(IN_VALUES, condition)])

function keyTest({ key, whole, folded }: Columns, condition: KeyFilter): Sql {
  switch (condition.test) {
    case 'in':
      return condition.keys.length === 1
        ? sql(`${key} = ?`, condition.keys[0] as string)
        : sql(`${key} = ANY (?::text[])`, textArray(condition.keys as string[]))
    case 'range':
      return condition.whole === undefined
        ? rangeTest(key, condition)
        : fill(`$ AND (${whole} IS NULL OR $)`, rangeTest(key, condition), rangeTest(whole, condition.whole))
    case 'not':
      return sql(`${key} <> ?`, condition.key)
    case 'contains':
      return sql(`strpos(${folded}, ?) > 0`, condition.text)
    case 'exists':
      return sql(`${key} IS ${condition.exists ? 'NOT ' : ''}NULL`)
  }
}

const rangeTest = (column: string, { from, to }: Bounds): Sql =>
  and([
    ...(from === undefined ? [] : [sql(`${column} >${from.inclusive ? '=' : ''} ?`, from.key)]),
    ...(to === undefined ? [] : [sql(`${column} <${to.inclusive ? '=' : ''} ?`, to.key)]),
    ...(from === undefined && to === undefined ? [sql(`${column} IS NOT NULL`)] : []),
  ])

/** The condition whose matching values place a member in the order of a property with many values. */
export type Placing = Extract<KeyFilter, { test: 'in' | 'range' }>

/** Undefined where the least of all values places it, which is its key. */
export function placingOf(tables: Tables, { filters }: TextSelection, property: string): Placing | undefined {
  if (!columnOf(tables, property).shape.many) return undefined
  return filters.find(
    (one): one is Placing => (one.test === 'in' || one.test === 'range') && one.property === property,
  )
}

export const othersThan = (one: Filter | undefined, { filters }: TextSelection): Filter[] =>
  filters.filter((other) => other !== one)

export const allOf = (tables: Tables, filters: readonly Filter[]): Sql =>
  and(filters.map((filter) => predicate(tables, filter)))
