import { compareKeys, type Key } from '../../vocabulary/index-keys.ts'
import {
  type AskedWord,
  type Bounds,
  type Filter,
  isOfMany,
  isOnProperty,
  type Order,
  type Position,
  type PropertyFilter,
} from '../selection.ts'
import { byCreation, byKey, byValue, type Dialect, type IndexScan } from './dialect.ts'
import {
  isBackward,
  isCounted,
  othersThan,
  positionOf,
  type StoredQuery,
  sortFilterOf,
  type ValueFilter,
} from './filters.ts'
import { isOnValues } from './property-tests.ts'

/** An index that has members in the order of a query. */
export interface IndexPlan {
  readonly indexScan: IndexScan
  /** The ranges are read one after the other in the order of keys, or merged in the order of creation. */
  readonly ranges: readonly IndexRange[]
  /** Whether they are read in descending order. */
  readonly down: boolean
  /** The filter that the ranges answer; undefined for all members. */
  readonly filter: Filter | undefined
  /** The filters that each row is tested against. */
  readonly others: readonly Filter[]
  /** If a member has several rows, only the one with the least value that matches this filter counts. */
  readonly sortFilter: ValueFilter | undefined
  /** A single-index plan: every row that is read is in the result (hypermedia.md, Cost). */
  readonly isSingle: boolean
}

/** How many ranges are merged in the order of creation. */
const MAX_MERGED = 100

/** Undefined if no index has the order. */
export function indexPlan(dialect: Dialect, query: StoredQuery): IndexPlan | undefined {
  const [order, ...further] = query.order
  if (further.length > 0 || order?.through !== undefined) return undefined
  return order === undefined ? planByCreation(dialect, query) : planByKey(dialect, query, order)
}

function planByCreation(dialect: Dialect, query: StoredQuery): IndexPlan {
  const filters = query.filters.filter((filter) => keepsCreation(dialect, filter))
  // Words come first, since they cost most to test for each member; then filters of one range.
  const filter =
    filters.find(({ test }) => test === 'words') ??
    filters.find((one) => one.test !== 'in' || one.keys.length === 1) ??
    filters[0]
  const others = othersThan(filter, query)
  const isSingle = others.length === 0 && !(filter?.test === 'words' && mayTakeLong(filter.words))
  const down = isBackward(query)
  return {
    ...rangesByCreation(dialect, query, filter),
    down,
    filter,
    others,
    sortFilter: undefined,
    isSingle,
  }
}

/** It may take long to find a member that has several common words; and very many words may have the same beginning. */
const mayTakeLong = (words: readonly AskedWord[]): boolean => words.length > 1 || words.some(isOfMany)

/** Whether an index has the matches of a filter in the order of creation. */
function keepsCreation(dialect: Dialect, filter: Filter): boolean {
  if (filter.test === 'in') return filter.keys.length <= MAX_MERGED
  if (filter.test === 'words') return dialect.isOneRange(filter.words)
  if (filter.test === 'owner') return true
  return filter.test === 'exists' && !filter.exists
}

function rangesByCreation(
  dialect: Dialect,
  query: StoredQuery,
  filter: Filter | undefined,
): Pick<IndexPlan, 'indexScan' | 'ranges'> {
  const position = positionOf(query)
  const after = position && { after: position.sequence }
  const indexScan = filter === undefined ? byCreation(dialect.tables) : indexScanOf(dialect, filter)
  if (filter === undefined || !isOnProperty(filter)) return { indexScan, ranges: [{ kind: 'all', ...after }] }
  const keys = filter.test === 'in' ? filter.keys : [null]
  return { indexScan, ranges: keys.map((key) => ({ kind: 'key', key, ...after })) }
}

/** The index that answers a filter; for a property with many values, it has a row for each value. */
export function indexScanOf(dialect: Dialect, filter: Filter): IndexScan {
  if (filter.test === 'words') return dialect.withWords(filter.words)
  if (filter.test === 'owner') return dialect.ofOwner(filter.owner)
  if (!isOnProperty(filter)) throw new Error(`No single index answers "${filter.test}".`)
  return isOnValues(dialect, filter) ? byValue(dialect, filter.property) : byKey(dialect, filter.property)
}

function planByKey(dialect: Dialect, query: StoredQuery, { property, descending }: Order): IndexPlan {
  const sortFilter = sortFilterOf(dialect, query)
  const isOfIndex = (one: Filter): one is PropertyFilter =>
    isOnProperty(one) && one.property === property && isIndexed(one)
  const filter = sortFilter ?? query.filters.find(isOfIndex)
  const direction = { descending, backward: isBackward(query) }
  // All texts that share the head of a long bound are within the range, and tested again by the filter itself.
  const isRechecked = sortFilter === undefined && filter?.test === 'range' && filter.whole !== undefined
  const others = isRechecked ? query.filters : othersThan(filter, query)
  return {
    indexScan: sortFilter === undefined ? byKey(dialect, property) : byValue(dialect, property),
    ranges: rangesOf(filter, direction, positionOf(query)),
    down: isDown(direction),
    filter,
    others,
    sortFilter,
    isSingle: others.length === 0 && sortFilter === undefined,
  }
}

/** Whether a single index answers the filter. */
export const isIndexed = ({ test }: Filter): boolean => !UNINDEXED.includes(test)

const UNINDEXED: readonly Filter['test'][] = ['contains', 'not', 'some', 'none', 'any']

/** Whether the page, and as many members as are counted, are read from a single index. */
export const isQuick = (plan: IndexPlan, query: StoredQuery): boolean =>
  plan.isSingle && (query.count === 'bounded' || isCounted(query))

/**
 * A part of an index, all of whose rows match. `after`: only rows behind this one, in the direction in which the index is
 * read.
 */
export type IndexRange =
  /** All members, by sequence number. */
  | { readonly kind: 'all'; readonly after?: number }
  /** Members with this key, or with null those without a key, by sequence number. */
  | { readonly kind: 'key'; readonly key: Key | null; readonly after?: number }
  /** By key, then by sequence number. */
  | (Bounds & { readonly kind: 'span'; readonly after?: { readonly key: Key; readonly sequence: number } })

type KeyRange = Exclude<IndexRange, { kind: 'all' }>

/** The direction of the order, and whether the page is read from its end. */
export interface ReadDirection {
  readonly descending: boolean
  readonly backward: boolean
}

/** Whether the index is read in descending order. */
export const isDown = ({ descending, backward }: ReadDirection): boolean => descending !== backward

/** The ranges of the index of its property that match a filter, behind a position. */
export function rangesOf(
  filter: PropertyFilter | undefined,
  direction: ReadDirection,
  position: Position | undefined,
): KeyRange[] {
  const { backward } = direction
  const keyed = keyRanges(filter)
  if (isDown(direction)) keyed.reverse()
  // Members without a key come last in both orders.
  const hasNone = filter === undefined || isForNone(filter)
  const none: KeyRange[] = hasNone ? [{ kind: 'key', key: null }] : []
  const all = backward ? [...none, ...keyed] : [...keyed, ...none]
  return position === undefined ? all : all.flatMap((range) => behind(range, position, direction))
}

function keyRanges(filter: PropertyFilter | undefined): KeyRange[] {
  if (filter?.test === 'in') return filter.keys.toSorted(compareKeys).map((key) => ({ kind: 'key', key }))
  if (filter?.test === 'range') return [{ kind: 'span', from: filter.from, to: filter.to }]
  if (filter?.test === 'spans') return filter.spans.map((span) => ({ kind: 'span', ...span }))
  return isForNone(filter) ? [] : [{ kind: 'span' }]
}

const isForNone = (filter: PropertyFilter | undefined): boolean => filter?.test === 'exists' && !filter.exists

/** The part of a range behind a position. */
function behind(range: KeyRange, position: Position, direction: ReadDirection): KeyRange[] {
  const [key = null] = position.keys
  const { sequence } = position
  if (range.kind === 'key') {
    if (range.key === key) return [{ ...range, after: sequence }]
    return isAhead(range.key, key, direction) ? [range] : []
  }
  if (key === null) return direction.backward ? [range] : []
  const [near, far] = isDown(direction) ? [range.to, range.from] : [range.from, range.to]
  const isBefore = near && (near.key === key ? !near.inclusive : isAhead(near.key, key, direction))
  if (isBefore) return [range]
  const isPast = far && (far.key === key ? !far.inclusive : isAhead(key, far.key, direction))
  if (isPast) return []
  const rest = isDown(direction) ? { from: range.from } : { to: range.to }
  return [{ kind: 'span', ...rest, after: { key, sequence } }]
}

/** Whether the first of two different keys comes after the second. */
function isAhead(one: Key | null, other: Key | null, direction: ReadDirection): boolean {
  if (one === null || other === null) return (one === null) !== direction.backward
  return compareKeys(one, other) > 0 !== isDown(direction)
}
