import { columnOf, type Words } from '../query/filters.ts'
import { and, type Sql, sql } from '../query/sql.ts'
import type { Bounds, Filter as KeyFilter, Selection } from '../store.ts'
import { hasTextColumns, type Tables, valuesByMember } from './tables.ts'

export type Filter = KeyFilter | Words

/** All of them must pass. */
export const filtersOf = ({ filters, words }: Selection): Filter[] =>
  words.length === 0 ? [...filters] : [...filters, { test: 'words', words }]

/** What is left to be asked where one of them says which part of an index. */
export const othersThan = (one: Filter | undefined, selection: Selection): Filter[] =>
  filtersOf(selection).filter((other) => other !== one && !(other.test === 'words' && one?.test === 'words'))

/** What is compared of a property: its key, the whole text where that is cut, the folded one where it differs. */
export interface Columns {
  readonly key: string
  readonly whole: string
  readonly folded: string
}

/** In a row `k` of the keys. */
export function keyColumnsOf(tables: Tables, index: number): Columns {
  const shape = tables.shapes[index]
  const [key, whole] = [`k.k${index}`, shape !== undefined && hasTextColumns(shape) ? `k.x${index}` : 'NULL']
  return { key, whole, folded: whole === 'NULL' ? key : `coalesce(k.f${index}, ${whole}, ${key})` }
}

/** In a row of the values. */
export const valueColumns = (row: string): Columns => ({
  key: `${row}.key`,
  whole: `${row}.whole`,
  folded: `coalesce(${row}.folded, ${row}.whole, ${row}.key)`,
})

/** Whether a value passes. */
export function keyTest({ key, whole, folded }: Columns, condition: KeyFilter): Sql {
  switch (condition.test) {
    case 'in':
      return sql(`${key} IN (${condition.keys.map(() => '?').join(', ')})`, ...condition.keys)
    case 'range': {
      if (condition.whole === undefined) return rangeTest(key, condition)
      const { text, params } = rangeTest(whole, condition.whole)
      return and([rangeTest(key, condition), sql(`(${whole} IS NULL OR ${text})`, ...params)])
    }
    case 'not':
      return sql(`${key} <> ?`, condition.key)
    case 'contains':
      return sql(`instr(${folded}, ?) > 0`, condition.text)
    case 'exists':
      return sql(`${key} IS ${condition.exists ? 'NOT ' : ''}NULL`)
  }
}

export const rangeTest = (column: string, { from, to }: Bounds): Sql =>
  and([
    ...(from === undefined ? [] : [sql(`${column} >${from.inclusive ? '=' : ''} ?`, from.key)]),
    ...(to === undefined ? [] : [sql(`${column} <${to.inclusive ? '=' : ''} ?`, to.key)]),
    ...(from === undefined && to === undefined ? [sql(`${column} IS NOT NULL`)] : []),
  ])

/**
 * Whether the member in row `k` of the keys passes. The plus keeps SQLite from choosing the index of this condition:
 * which one drives is decided before.
 */
export function predicate(tables: Tables, filter: Filter): Sql {
  if (filter.test === 'words') {
    const { words } = tables
    return sql(
      `EXISTS (SELECT 1 FROM ${words} WHERE ${words} MATCH ? AND rowid = k.sequence)`,
      matchText(filter.words),
    )
  }
  const { index, shape } = columnOf(tables, filter.property)
  if (shape.many && filter.test !== 'exists') {
    const test = keyTest(valueColumns('v'), filter)
    return sql(
      `EXISTS (SELECT 1 FROM ${valuesByMember(tables, 'v')}
        WHERE v.sequence = k.sequence AND v.property = ${index} AND ${test.text})`,
      ...test.params,
    )
  }
  const columns = keyColumnsOf(tables, index)
  return keyTest({ ...columns, key: `+${columns.key}` }, filter)
}

/** Quoted: some words are operators of FTS5. */
export const matchText = (words: readonly string[]): string =>
  words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')

/** The condition whose matching values place a member in the order of a property with many values. */
export type Placing = Extract<KeyFilter, { test: 'in' | 'range' }>

/** Undefined where the least of all values places it, which is its key. */
export function placingOf(tables: Tables, { filters }: Selection, property: string): Placing | undefined {
  if (!columnOf(tables, property).shape.many) return undefined
  return filters.find(
    (one): one is Placing => one.property === property && (one.test === 'in' || one.test === 'range'),
  )
}
