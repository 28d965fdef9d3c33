import type { Bounds, Filter } from '../store.ts'
import { columnOf, type Dialect } from './dialect.ts'
import type { AnyFilter } from './filters.ts'
import { and, fill, type Sql, sql } from './sql.ts'
import { hasTextColumns } from './tables.ts'

/** What is compared of a property: its key, the whole text where that is cut, the folded one where it differs. */
interface Columns {
  readonly key: string
  readonly whole: string
  readonly folded: string
}

/** In a row of the keys. */
function columnsOfMember(dialect: Dialect, property: string): Columns {
  const { index, shape } = columnOf(dialect, property)
  const key = `k.k${index}`
  if (!hasTextColumns(shape)) return { key, whole: 'NULL', folded: dialect.text(key) }
  return { key, whole: `k.x${index}`, folded: `coalesce(k.f${index}, k.x${index}, ${dialect.text(key)})` }
}

/** Whether the member in row `k` passes. */
export function predicate(dialect: Dialect, filter: AnyFilter): Sql {
  if (filter.test === 'words') return dialect.hasWords(filter.words)
  if (!isOnValues(dialect, filter)) return memberTest(dialect, filter, dialect.unindexed)
  return fill(
    `EXISTS (SELECT 1 FROM ${dialect.valuesOfMember('v')} WHERE v.sequence = k.sequence AND $)`,
    valueTest(dialect, filter, 'v'),
  )
}

/** Whether it is asked of each of many values. */
export const isOnValues = (dialect: Dialect, { property, test }: Filter): boolean =>
  test !== 'exists' && columnOf(dialect, property).shape.many

/** Whether row `k` passes, by the key in it. */
export function memberTest(
  dialect: Dialect,
  filter: Filter,
  columnIn: (key: string) => string = (key) => key,
): Sql {
  const columns = columnsOfMember(dialect, filter.property)
  return keyTest(dialect, { ...columns, key: columnIn(columns.key) }, filter)
}

/** Whether a row of the values is one that matches. */
export const valueTest = (dialect: Dialect, filter: Filter, row: string): Sql =>
  and([
    sql(`${row}.property = ${columnOf(dialect, filter.property).index}`),
    keyTest(
      dialect,
      {
        key: `${row}.key`,
        whole: `${row}.whole`,
        folded: `coalesce(${row}.folded, ${row}.whole, ${dialect.text(`${row}.key`)})`,
      },
      filter,
    ),
  ])

function keyTest(dialect: Dialect, { key, whole, folded }: Columns, filter: Filter): Sql {
  switch (filter.test) {
    case 'in':
      return filter.keys.length === 1
        ? sql(`${key} = ?`, filter.keys[0] ?? null)
        : dialect.isOneOf(key, filter.keys)
    case 'range':
      return filter.whole === undefined
        ? rangeTest(key, filter)
        : fill(`$ AND (${whole} IS NULL OR $)`, rangeTest(key, filter), rangeTest(whole, filter.whole))
    case 'not':
      return sql(`${key} <> ?`, filter.key)
    case 'contains':
      return sql(`${dialect.find}(${folded}, ?) > 0`, filter.text)
    case 'exists':
      return sql(`${key} IS ${filter.exists ? 'NOT ' : ''}NULL`)
  }
}

export const rangeTest = (column: string, { from, to }: Bounds): Sql =>
  and([
    ...(from === undefined ? [] : [sql(`${column} >${from.inclusive ? '=' : ''} ?`, from.key)]),
    ...(to === undefined ? [] : [sql(`${column} <${to.inclusive ? '=' : ''} ?`, to.key)]),
    ...(from === undefined && to === undefined ? [sql(`${column} IS NOT NULL`)] : []),
  ])
