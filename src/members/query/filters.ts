import type { Key } from '../../vocabulary/index-keys.ts'
import {
  type Bound,
  type Bounds,
  type Filter,
  hasTie,
  isOnProperty,
  type Order,
  type Position,
  type PropertyFilter,
  type Selection,
} from '../selection.ts'
import { columnOf, type Dialect } from './dialect.ts'

/** A selection with keys as they are stored. All filters must match. */
export interface StoredQuery extends Omit<Selection, 'filters' | 'words'> {
  readonly filters: readonly Filter[]
}

export function toQuery(dialect: Dialect, { filters, words, ...rest }: Selection): StoredQuery {
  const written = filters.map((filter) => writeFilter(dialect, filter))
  if (words.length > 0) written.push({ test: 'words', words })
  const { start, owner } = rest
  if (owner !== undefined) written.unshift({ test: 'owner', owner })
  const order = rest.order.map((one) => writeOrder(dialect, one))
  if (start.at === 'offset' || start.position === 'end') return { ...rest, order, filters: written }
  const columns = sortColumns(order)
  const keys = start.position.keys.map((key, index) =>
    key === null || columns[index]?.isTie === true ? key : dialect.write(key),
  )
  return { ...rest, order, filters: written, start: { ...start, position: { ...start.position, keys } } }
}

const writeOrder = (dialect: Dialect, order: Order): Order =>
  order.through === undefined
    ? order
    : {
        ...order,
        through: order.through.map((step) => {
          return { ...step, filters: step.filters.map((filter) => writeFilter(dialect, filter)) }
        }),
      }

/** No stored string contains U+0000, and PostgreSQL refuses it as a parameter. */
const NUL = '\0'
const hasNul = (key: Key): key is string => typeof key === 'string' && key.includes(NUL)

/** A filter with its keys as they are stored. */
export function writeFilter(dialect: Dialect, filter: Filter): Filter {
  if (isOnProperty(filter)) return writePropertyFilter(dialect, filter)
  if (!('filters' in filter)) return filter
  return { ...filter, filters: filter.filters.map((one) => writeFilter(dialect, one)) }
}

function writePropertyFilter({ write }: Dialect, filter: PropertyFilter): PropertyFilter {
  const { property } = filter
  switch (filter.test) {
    case 'in': {
      const keys = new Set(filter.keys.filter((key) => !hasNul(key)).map(write))
      return { ...filter, keys: [...keys] }
    }
    case 'not':
      return hasNul(filter.key)
        ? { property, test: 'exists', exists: true }
        : { property, test: 'not', key: write(filter.key) }
    case 'contains':
      return hasNul(filter.text) ? { property, test: 'in', keys: [] } : filter
    case 'range': {
      const whole = filter.whole && writeBounds(filter.whole, String)
      return { property, test: 'range', ...writeBounds(filter, write), whole }
    }
    case 'spans':
      return { property, test: 'spans', spans: filter.spans.map((span) => writeBounds(span, write)) }
    case 'exists':
      return filter
  }
}

const writeBounds = ({ from, to }: Bounds, write: (key: Key) => Key): Bounds => ({
  from: from && writeBound(from, write, false),
  to: to && writeBound(to, write, true),
})

/** No stored string is between `ab` and `ab\0…`, so the bound can end before the U+0000. */
function writeBound({ key, inclusive }: Bound, write: (key: Key) => Key, isUpper: boolean): Bound {
  return hasNul(key)
    ? { key: write(key.slice(0, key.indexOf(NUL))), inclusive: isUpper }
    : { key: write(key), inclusive }
}

/** A column by which rows are sorted: `o0`, `o1` … */
export interface SortColumn {
  readonly name: string
  readonly descending: boolean
  /** Whether it has the sequence number of the last target of an order through links (`Position`). */
  readonly isTie: boolean
}

/** In the order of `Position.keys`. */
export const sortColumns = (order: readonly Order[]): SortColumn[] =>
  order
    .flatMap((one) => (hasTie(order, one) ? [false, true] : [false]).map((isTie) => ({ ...one, isTie })))
    .map(({ descending, isTie }, index) => ({ descending, isTie, name: `o${index}` }))

/** Whether pages are read from their end. */
export const isBackward = ({ start }: Pick<StoredQuery, 'start'>): boolean => start.at === 'before'

/** The beginning of the page, unless it is an offset. */
export const positionOf = ({ start }: StoredQuery): Position | undefined =>
  start.at === 'offset' || start.position === 'end' ? undefined : start.position

export const offsetOf = ({ start }: Pick<StoredQuery, 'start'>): number =>
  start.at === 'offset' ? start.offset : 0

export const othersThan = (filter: Filter | undefined, { filters }: StoredQuery): readonly Filter[] =>
  filters.filter((other) => other !== filter)

/** Whether a stored total answers the count: that of all members, of one owner's, or of those that link to an account. */
export const isCounted = (query: Pick<StoredQuery, 'filters'>): boolean =>
  query.filters.every(({ test }) => test === 'owner') || accountIn(query) !== undefined

/** The link to an account that is all that limits a selection. */
export function accountIn({ filters }: Pick<StoredQuery, 'filters'>) {
  const [only, ...further] = filters
  if (only?.test !== 'in' || only.isScope !== true || further.length > 0) return undefined
  const { property, keys } = only
  return { property, account: String(keys[0]) }
}

/** A filter on a property with many values that can also sort members: by the least value that matches. */
export type ValueFilter = Extract<PropertyFilter, { test: 'in' | 'range' | 'spans' }>

const isValueFilter = (filter: Filter): filter is ValueFilter =>
  filter.test === 'in' || filter.test === 'range' || filter.test === 'spans'

/** Undefined if members are sorted by the least of all values, which is the key. */
export function sortFilterOf(dialect: Dialect, { filters, order }: StoredQuery): ValueFilter | undefined {
  const [by] = order
  if (by === undefined || by.through !== undefined) return undefined
  if (!columnOf(dialect, by.property).shape.many) return undefined
  return filters.filter(isValueFilter).find(({ property }) => property === by.property)
}
