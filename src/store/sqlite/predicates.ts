import { columnOf, type Words } from '../query/filters.ts'
import { and, type Sql, sql } from '../query/sql.ts'
import type { Filter as KeyFilter, Selection } from '../store.ts'
import { hasFoldedColumn, type Tables, valuesByMember } from './tables.ts'

export type Filter = KeyFilter | Words

/** All of them must pass. */
export const filtersOf = ({ filters, words }: Selection): Filter[] =>
  words.length === 0 ? [...filters] : [...filters, { test: 'words', words }]

/** What is left to be asked where one of them says which part of an index. */
export const othersThan = (one: Filter | undefined, selection: Selection): Filter[] =>
  filtersOf(selection).filter((other) => other !== one && !(other.test === 'words' && one?.test === 'words'))

/** Whether a key passes. */
export function keyTest(column: string, condition: Exclude<KeyFilter, { test: 'contains' }>): Sql {
  switch (condition.test) {
    case 'in':
      return sql(`${column} IN (${condition.keys.map(() => '?').join(', ')})`, ...condition.keys)
    case 'range': {
      const { from, to } = condition
      return and([
        ...(from === undefined ? [] : [sql(`${column} >${from.inclusive ? '=' : ''} ?`, from.key)]),
        ...(to === undefined ? [] : [sql(`${column} <${to.inclusive ? '=' : ''} ?`, to.key)]),
        ...(from === undefined && to === undefined ? [sql(`${column} IS NOT NULL`)] : []),
      ])
    }
    case 'not':
      return sql(`${column} <> ?`, condition.key)
    case 'exists':
      return sql(`${column} IS ${condition.exists ? 'NOT ' : ''}NULL`)
  }
}

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
    const test =
      filter.test === 'contains'
        ? sql('instr(coalesce(v.folded, v.key), ?) > 0', filter.text)
        : keyTest('v.key', filter)
    return sql(
      `EXISTS (SELECT 1 FROM ${valuesByMember(tables, 'v')}
        WHERE v.sequence = k.sequence AND v.property = ${index} AND ${test.text})`,
      ...test.params,
    )
  }
  if (filter.test !== 'contains') return keyTest(`+k.k${index}`, filter)
  const folded = hasFoldedColumn(shape) ? `coalesce(k.f${index}, k.k${index})` : `k.k${index}`
  return sql(`instr(${folded}, ?) > 0`, filter.text)
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
