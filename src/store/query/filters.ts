import type { Key } from '../../vocabulary/keys.ts'
import type { Bound, Bounds, Filter, Position, Selection } from '../store.ts'
import { columnOf, type Dialect } from './dialect.ts'

/** The words that are searched for, as a filter among others. */
export interface Words {
  readonly test: 'words'
  readonly words: readonly string[]
}

export type AnyFilter = Filter | Words

/** A selection in terms of what stands in the tables. All filters must pass. */
export interface Query extends Omit<Selection, 'filters' | 'words'> {
  readonly filters: readonly AnyFilter[]
}

export function toQuery(dialect: Dialect, { filters, words, ...rest }: Selection): Query {
  const written: AnyFilter[] = filters.map((filter) => writeFilter(dialect, filter))
  if (words.length > 0) written.push({ test: 'words', words })
  const { start } = rest
  if (start.at === 'offset' || start.position === 'end') return { ...rest, filters: written }
  const keys = start.position.keys.map((key) => (key === null ? null : dialect.write(key)))
  return { ...rest, filters: written, start: { ...start, position: { ...start.position, keys } } }
}

/** No stored string has a U+0000, and PostgreSQL takes none. */
const NUL = '\0'
const hasNul = (key: Key): key is string => typeof key === 'string' && key.includes(NUL)

function writeFilter({ write }: Dialect, filter: Filter): Filter {
  const { property } = filter
  switch (filter.test) {
    case 'in': {
      const keys = new Set(filter.keys.filter((key) => !hasNul(key)).map(write))
      return { property, test: 'in', keys: [...keys] }
    }
    case 'not':
      return hasNul(filter.key)
        ? { property, test: 'exists', exists: true }
        : { property, test: 'not', key: write(filter.key) }
    case 'contains':
      return hasNul(filter.text) ? { property, test: 'in', keys: [] } : filter
    case 'range': {
      const { whole } = filter
      const bounds = writeBounds(filter, write)
      return { property, test: 'range', ...bounds, ...(whole && { whole: writeBounds(whole, String) }) }
    }
    case 'exists':
      return filter
  }
}

const writeBounds = ({ from, to }: Bounds, write: (key: Key) => Key): Bounds => ({
  ...(from && { from: writeBound(from, write, false) }),
  ...(to && { to: writeBound(to, write, true) }),
})

/** What is beyond `ab\0…` is beyond `ab`: nothing that is stored lies between them. */
function writeBound({ key, inclusive }: Bound, write: (key: Key) => Key, isUpper: boolean): Bound {
  return hasNul(key)
    ? { key: write(key.slice(0, key.indexOf(NUL))), inclusive: isUpper }
    : { key: write(key), inclusive }
}

/** Whether pages are read from their end. */
export const isBackward = ({ start }: Pick<Query, 'start'>): boolean => start.at === 'before'

/** Where the page begins, apart from an offset. */
export const positionOf = ({ start }: Query): Position | undefined =>
  start.at === 'offset' || start.position === 'end' ? undefined : start.position

export const offsetOf = ({ start }: Pick<Query, 'start'>): number =>
  start.at === 'offset' ? start.offset : 0

export const othersThan = (one: AnyFilter | undefined, { filters }: Query): readonly AnyFilter[] =>
  filters.filter((other) => other !== one)

/** Of a property with many values, those that match: the least of them places a member in the order. */
export type ValueFilter = Extract<Filter, { test: 'in' | 'range' }>

/** Undefined where a member stands at the least of all its values, which is its key. */
export function placingFilter(dialect: Dialect, { filters, order }: Query): ValueFilter | undefined {
  const [by] = order
  if (by === undefined || !columnOf(dialect, by.property).shape.many) return undefined
  return filters.find(
    (one): one is ValueFilter => (one.test === 'in' || one.test === 'range') && one.property === by.property,
  )
}
