import { columnOf, type Words } from '../query/filters.ts'
import { type Sql, sql } from '../query/sql.ts'
import type { Selection } from '../store.ts'
import { everyRow, type Guard, nowAndThen, unguarded } from './meter.ts'
import {
  type Filter,
  filtersOf,
  keyColumnsOf,
  keyTest,
  matchText,
  placingOf,
  valueColumns,
} from './predicates.ts'
import { count } from './reading.ts'
import { sorted } from './sorting.ts'
import type { Statements } from './statements.ts'
import type { Tables } from './tables.ts'
import { MOST_MERGED, type Walk, walksOf } from './walks.ts'

/** A way to the answer, given up when it has looked at so many rows. */
export interface Plan {
  readonly rows: number
  readonly walks: (whole: boolean) => Walk[]
}

/** Of so many words the rarest is looked for. */
const MOST_WORDS = 8
/** In questions to the row of a member; measured. */
const COST_OF_WORDS = 40
/** So many rows may be looked at where a member has a row for each of its values. */
const ROWS_OF_MANY = 5_000

export const isFiltered = ({ filters, words }: Selection): boolean => filters.length + words.length > 0

/**
 * A selection that is a stretch of one index, in its order: what is looked at is what is answered (hypermedia.md, Cost).
 * Undefined where it is not.
 */
export function straight(tables: Tables, selection: Selection): Plan | undefined {
  const filters = filtersOf(selection)
  const [base] = filters
  if (filters.length > 1 || selection.order.length > 1) return undefined
  const [order] = selection.order
  if (base !== undefined && !(order === undefined ? keepsCreation(base) : isIndexOf(base, order.property)))
    return undefined
  const isMany = order !== undefined && placingOf(tables, selection, order.property) !== undefined
  return isMany
    ? walking(tables, selection, base, everyRow, ROWS_OF_MANY)
    : walking(tables, selection, base, unguarded)
}

/** Whether its members are found in the order of creation. */
function keepsCreation(filter: Filter): boolean {
  switch (filter.test) {
    case 'in':
      return filter.keys.length <= MOST_MERGED
    case 'exists':
      return !filter.exists
    case 'words':
      // Of several words, each common, it may take long to find a member that has all.
      return filter.words.length === 1
    default:
      return false
  }
}

/** Whether it says which part of the index of a property, and that part has no member that does not match. */
const isIndexOf = (filter: Filter, property: string): boolean =>
  filter.test !== 'words' && filter.property === property && isIndexed(filter) && !isCompared(filter)

/** Whether the index does not tell all that match from the others. */
const isCompared = (filter: Filter): boolean => filter.test === 'range' && filter.whole !== undefined

const isIndexed = ({ test }: Filter): boolean => test !== 'contains' && test !== 'not'

export const walking = (
  tables: Tables,
  selection: Selection,
  base: Filter | undefined,
  guard: Guard,
  rows = Number.POSITIVE_INFINITY,
): Plan => ({ rows, walks: (whole) => walksOf(tables, selection, base, guard, whole) })

export const sorting = (
  tables: Tables,
  selection: Selection,
  driver: Filter | undefined,
  guard: Guard,
): Plan => ({
  rows: Number.POSITIVE_INFINITY,
  walks: (whole) => [sorted(tables, selection, driver, guard, whole)],
})

/**
 * From the index of the filter that fewest members match, if there is not more than `most` to be asked then: of each
 * member, whether it passes the others. Undefined where there is.
 */
export function driven(
  statements: Statements,
  tables: Tables,
  selection: Selection,
  most: number,
  guard: Guard,
): Plan | undefined {
  const filters = filtersOf(selection)
  const costs = filters.reduce((sum, filter) => sum + costOf(tables, filter), 0)
  let best: { readonly driver: Filter; readonly matches: number } | undefined
  for (const driver of filters.filter(isIndexed)) {
    const allowed = Math.floor(most / Math.max(1, costs - costOf(tables, driver)))
    // No further than it takes to know that another one has fewer.
    const limit = Math.min(allowed, (best?.matches ?? Number.POSITIVE_INFINITY) - 1)
    const matches = countMatches(statements, tables, driver, limit)
    if (matches <= limit) best = { driver, matches }
  }
  return best === undefined ? undefined : sorting(tables, selection, best.driver, guard)
}

/** What it costs to ask one member: a question is a look at its row, at each of many values, or a search for words. */
function costOf(tables: Tables, filter: Filter): number {
  if (filter.test === 'words') return COST_OF_WORDS
  return filter.test === 'in' && columnOf(tables, filter.property).shape.many ? filter.keys.length : 1
}

/** Up to one more than `most`. */
function countMatches(statements: Statements, tables: Tables, filter: Filter, most: number): number {
  const matches = (driver: Filter): number =>
    count(statements, [{ select: rowsOf(tables, driver), orderBy: undefined }], most + 1)
  if (filter.test !== 'words') return matches(filter)
  if (filter.words.length > MOST_WORDS) return Number.POSITIVE_INFINITY
  return Math.min(...filter.words.map((word) => matches({ test: 'words', words: [word] })))
}

/** A row for each that matches; of many values, for each value. */
function rowsOf(tables: Tables, filter: Filter): Sql {
  const { keys, values, words } = tables
  if (filter.test === 'words')
    return sql(`SELECT 1 FROM ${words} WHERE ${words} MATCH ?`, matchText(filter.words))
  const { index, shape } = columnOf(tables, filter.property)
  const isMany = shape.many && filter.test !== 'exists'
  const test = keyTest(isMany ? valueColumns('v') : keyColumnsOf(tables, index), filter)
  return isMany
    ? sql(`SELECT 1 FROM ${values} v WHERE v.property = ${index} AND ${test.text}`, ...test.params)
    : sql(`SELECT 1 FROM ${keys} k WHERE ${test.text}`, ...test.params)
}

/** What a scan tries where no filter has few matches, one after the other: the last one ends with the time alone. */
export function scanning(tables: Tables, selection: Selection, rows: number): Plan[] {
  const everything = sorting(tables, selection, wordsIn(selection), nowAndThen)
  const base = baseOf(tables, selection)
  return base === 'none' ? [everything] : [walking(tables, selection, base, everyRow, rows), everything]
}

/** To count all, there is no shorter way than through all of one index, or of the members. */
export function counting(tables: Tables, selection: Selection): Plan {
  const base = baseOf(tables, selection)
  return base !== 'none' && base !== undefined && filtersOf(selection).length === 1
    ? walking(tables, selection, base, nowAndThen)
    : sorting(tables, selection, wordsIn(selection), nowAndThen)
}

const wordsIn = (selection: Selection): Words | undefined =>
  filtersOf(selection).find((filter): filter is Words => filter.test === 'words')

/** The filter that says which part of the index is walked in the order of the selection; none where none can be. */
function baseOf(tables: Tables, selection: Selection): Filter | undefined | 'none' {
  const [order, ...further] = selection.order
  const words = wordsIn(selection)
  if (further.length > 0 || (order !== undefined && words !== undefined)) return 'none'
  if (words !== undefined) return words
  if (order === undefined) return selection.filters.find(keepsCreation)
  // Of many values, those that match this condition place the member: it is them that must be walked.
  const placing = placingOf(tables, selection, order.property)
  if (placing !== undefined) return isCompared(placing) ? 'none' : placing
  return selection.filters.find((one) => isIndexOf(one, order.property))
}
