import type { Key } from '../../vocabulary/index-keys.ts'
import type { Bound, Bounds, Filter, Position, PropertyFilter, Selection } from '../selection.ts'
import { and, columnOf, type Dialect, fill, hasWholeColumn, join, type Sql, sql } from './dialect.ts'

export const isOnProperty = (filter: Filter): filter is PropertyFilter => 'property' in filter

/** A selection with keys as they are stored. All filters must match. */
export interface StoredQuery extends Omit<Selection, 'filters' | 'words'> {
  readonly filters: readonly Filter[]
}

export function toQuery(dialect: Dialect, { filters, words, ...rest }: Selection): StoredQuery {
  const written: Filter[] = filters.map((filter) => writeFilter(dialect, filter))
  if (words.length > 0) written.push({ test: 'words', words })
  const { start, owner } = rest
  if (owner !== undefined) written.unshift({ test: 'owner', owner })
  if (start.at === 'offset' || start.position === 'end') return { ...rest, filters: written }
  const keys = start.position.keys.map((key) => (key === null ? null : dialect.write(key)))
  return { ...rest, filters: written, start: { ...start, position: { ...start.position, keys } } }
}

/** No stored string contains U+0000, and PostgreSQL refuses it as a parameter. */
const NUL = '\0'
const hasNul = (key: Key): key is string => typeof key === 'string' && key.includes(NUL)

function writeFilter({ write }: Dialect, filter: PropertyFilter): PropertyFilter {
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

/** Whether pages are read from their end. */
export const isBackward = ({ start }: Pick<StoredQuery, 'start'>): boolean => start.at === 'before'

/** The beginning of the page, unless it is an offset. */
export const positionOf = ({ start }: StoredQuery): Position | undefined =>
  start.at === 'offset' || start.position === 'end' ? undefined : start.position

export const offsetOf = ({ start }: Pick<StoredQuery, 'start'>): number =>
  start.at === 'offset' ? start.offset : 0

export const othersThan = (filter: Filter | undefined, { filters }: StoredQuery): readonly Filter[] =>
  filters.filter((other) => other !== filter)

/** Whether a stored total answers the count: that of all members, or of one owner's. */
export const isCounted = ({ filters }: Pick<StoredQuery, 'filters'>): boolean =>
  filters.every(({ test }) => test === 'owner')

/** A filter on a property with many values that can also sort members: by the least value that matches. */
export type ValueFilter = Extract<PropertyFilter, { test: 'in' | 'range' | 'spans' }>

const isValueFilter = (filter: Filter): filter is ValueFilter =>
  filter.test === 'in' || filter.test === 'range' || filter.test === 'spans'

/** Undefined if members are sorted by the least of all values, which is the key. */
export function sortFilterOf(dialect: Dialect, { filters, order }: StoredQuery): ValueFilter | undefined {
  const [by] = order
  if (by === undefined || !columnOf(dialect, by.property).shape.many) return undefined
  return filters.filter(isValueFilter).find(({ property }) => property === by.property)
}

/** Whether the member in row `k` matches. */
export function predicate(dialect: Dialect, filter: Filter): Sql {
  if (filter.test === 'words') return dialect.hasWords(filter.words)
  if (filter.test === 'owner') return sql(`${dialect.unindexed('k.owner')} = ?`, filter.owner)
  if (!isOnValues(dialect, filter)) return memberTest(dialect, filter, dialect.unindexed)
  return fill(
    `EXISTS (SELECT 1 FROM ${dialect.valuesOfMember('v')} WHERE v.sequence = k.sequence AND $)`,
    valueTest(dialect, filter, 'v'),
  )
}

/** Whether the filter is tested on each value of the property. */
export const isOnValues = (dialect: Dialect, { property, test }: PropertyFilter): boolean =>
  test !== 'exists' && columnOf(dialect, property).shape.many

/** Whether row `k` matches, by its key. */
export function memberTest(
  dialect: Dialect,
  filter: PropertyFilter,
  columnIn: (key: string) => string = (key) => key,
): Sql {
  const { index, shape } = columnOf(dialect, filter.property)
  const whole = hasWholeColumn(shape) ? `k.x${index}` : 'NULL'
  return keyTest(dialect, filter, { key: columnIn(`k.k${index}`), whole })
}

/** Whether a row of the values matches. */
export function valueTest(dialect: Dialect, filter: PropertyFilter, row: string): Sql {
  const isOfProperty = sql(`${row}.property = ${columnOf(dialect, filter.property).index}`)
  return and([isOfProperty, keyTest(dialect, filter, { key: `${row}.key`, whole: `${row}.whole` })])
}

/** The columns of a property (`Indexed`). */
type KeyColumns = Readonly<Record<'key' | 'whole', string>>

function keyTest(dialect: Dialect, filter: PropertyFilter, { key, whole }: KeyColumns): Sql {
  switch (filter.test) {
    case 'in':
      return filter.keys.length === 1
        ? sql(`${key} = ?`, filter.keys[0] ?? null)
        : dialect.isOneOf(key, filter.keys)
    case 'range':
      return filter.whole === undefined
        ? rangeTest(key, filter)
        : fill(`$ AND (${whole} IS NULL OR $)`, rangeTest(key, filter), rangeTest(whole, filter.whole))
    case 'spans': {
      const tests = filter.spans.map((span) => fill('($)', rangeTest(key, span)))
      return fill('($)', join(tests, ' OR '))
    }
    case 'not':
      return sql(`${key} <> ?`, filter.key)
    case 'contains':
      // The whole key first, which is quick: cutting the folded text out of it takes as long as all the rest.
      return sql(
        `${dialect.find}(coalesce(${whole}, ${key}), ?) > 0
          AND ${dialect.find}(coalesce(${whole}, ${dialect.foldedIn(key)}), ?) > 0`,
        filter.text,
        filter.text,
      )
    case 'exists':
      return sql(`${key} IS ${filter.exists ? 'NOT ' : ''}NULL`)
  }
}

export function rangeTest(column: string, { from, to }: Bounds): Sql {
  const tests = [
    from && sql(`${column} >${from.inclusive ? '=' : ''} ?`, from.key),
    to && sql(`${column} <${to.inclusive ? '=' : ''} ?`, to.key),
  ].filter((test) => test !== undefined)
  return tests.length === 0 ? sql(`${column} IS NOT NULL`) : and(tests)
}
