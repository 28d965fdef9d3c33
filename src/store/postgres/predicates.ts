import { columnOf } from '../query/filters.ts'
import { and, type Sql, sql } from '../query/sql.ts'
import { textArray } from './arrays.ts'
import { type Filter, hasWhole, type TextFilter, type TextRange, type TextSelection } from './selecting.ts'
import { fill } from './sql.ts'
import { isText, type Tables } from './tables.ts'

/** What is compared of a property: its key, the whole string where that is cut, the folded one where it differs. */
interface Columns {
  readonly key: string
  readonly whole: string | undefined
  readonly folded: string
}

const inMembers = (tables: Tables, index: number): Columns => {
  const shape = tables.shapes[index]
  const isKept = shape !== undefined && isText(shape)
  return {
    key: `m.k${index}`,
    whole: isKept ? `m.x${index}` : undefined,
    folded: isKept ? `coalesce(m.f${index}, m.x${index}, substr(m.k${index}, 2))` : `substr(m.k${index}, 2)`,
  }
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
export const valueTest = (index: number, condition: TextFilter): Sql =>
  and([sql(`v.property = ${index}`), keyTest(IN_VALUES, condition)])

function keyTest(columns: Columns, condition: TextFilter): Sql {
  const { key, folded } = columns
  switch (condition.test) {
    case 'in':
      return condition.keys.length === 1
        ? sql(`${key} = ?`, condition.keys[0] as string)
        : sql(`${key} = ANY (?::text[])`, textArray(condition.keys as string[]))
    case 'range':
      return rangeTest(columns, condition)
    case 'not':
      return sql(`${key} <> ?`, condition.key)
    case 'contains':
      return sql(`strpos(${folded}, ?) > 0`, condition.text)
    case 'exists':
      return sql(`${key} IS ${condition.exists ? 'NOT ' : ''}NULL`)
  }
}

function rangeTest({ key, whole: column }: Columns, { from, to, whole }: TextRange): Sql {
  const above = (name: string, bound: TextRange['from']) =>
    bound === undefined ? [] : [sql(`${name} >${bound.inclusive ? '=' : ''} ?`, bound.key)]
  const below = (name: string, bound: TextRange['to']) =>
    bound === undefined ? [] : [sql(`${name} <${bound.inclusive ? '=' : ''} ?`, bound.key)]
  const tests = [...above(key, from), ...below(key, to)]
  if (tests.length === 0) return sql(`${key} IS NOT NULL`)
  if (whole === undefined || column === undefined) return and(tests)
  const exact = and([...above(column, whole.from), ...below(column, whole.to)])
  return and([...tests, fill(`(${column} IS NULL OR ($))`, exact)])
}

/** The condition whose matching values place a member in the order of a property with many values. */
export type Placing = Extract<TextFilter, { test: 'in' | 'range' }>

/** Undefined where the least of all values places it, which is its key. */
export function placingOf(tables: Tables, { filters }: TextSelection, property: string): Placing | undefined {
  if (!columnOf(tables, property).shape.many) return undefined
  return filters.find(
    (one): one is Placing => (one.test === 'in' || one.test === 'range') && one.property === property,
  )
}

/** The whole string where the key `o0` … of row `w`, of the member `m`, is cut. */
export function wholeOf(tables: Tables, property: string, place: number): string {
  const { index, shape } = columnOf(tables, property)
  if (!hasWhole(shape)) return 'NULL'
  if (!shape.many) return `m.x${index}`
  return `(SELECT v.whole FROM ${tables.values} v
    WHERE v.property = ${index} AND v.key = w.o${place} AND v.sequence = w.sequence)`
}

export const othersThan = (one: Filter | undefined, { filters }: TextSelection): Filter[] =>
  filters.filter((other) => other !== one)

export const allOf = (tables: Tables, filters: readonly Filter[]): Sql =>
  and(filters.map((filter) => predicate(tables, filter)))
