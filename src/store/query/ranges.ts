import { compareKeys, type Key } from '../../vocabulary/keys.ts'
import type { Bounds, Filter, Position } from '../store.ts'

/**
 * A part of an index, whose rows all belong to what is asked for. `after`: only those behind this one in the direction
 * in which the index is read.
 */
export type IndexRange =
  /** All members, by sequence number. */
  | { readonly kind: 'all'; readonly after?: number }
  /** Those with one key, or without any, by sequence number. */
  | { readonly kind: 'key'; readonly key: Key | null; readonly after?: number }
  /** By key; of each key by sequence number. */
  | KeySpan

interface KeySpan extends Bounds {
  readonly kind: 'span'
  readonly after?: { readonly key: Key; readonly sequence: number }
}

type KeyRange = Exclude<IndexRange, { kind: 'all' }>

/** How an index is read: as the order says, and whether from its end. */
export interface Direction {
  readonly descending: boolean
  readonly backward: boolean
}

/** Whether keys get smaller on the way. */
export const isDown = ({ descending, backward }: Direction): boolean => descending !== backward

/** What a filter leaves of the index of its property, one range after the other, behind a position. */
export function rangesOf(
  filter: Filter | undefined,
  direction: Direction,
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

function keyRanges(filter: Filter | undefined): KeyRange[] {
  if (filter?.test === 'in') return filter.keys.toSorted(compareKeys).map((key) => ({ kind: 'key', key }))
  if (filter?.test === 'range') return [{ kind: 'span', ...boundsOf(filter) }]
  if (filter?.test === 'spans') return filter.spans.map((span) => ({ kind: 'span', ...boundsOf(span) }))
  return isForNone(filter) ? [] : [{ kind: 'span' }]
}

const isForNone = (filter: Filter | undefined): boolean => filter?.test === 'exists' && !filter.exists

const boundsOf = ({ from, to }: Bounds): Bounds => ({ ...(from && { from }), ...(to && { to }) })

/** What is left of a range behind a position. */
function behind(range: KeyRange, position: Position, direction: Direction): KeyRange[] {
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
  return [{ kind: 'span', ...boundsOf(rest as Bounds), after: { key, sequence } }]
}

/** Whether the first of two different keys comes behind the other. */
function isAhead(one: Key | null, other: Key | null, direction: Direction): boolean {
  if (one === null || other === null) return (one === null) !== direction.backward
  return compareKeys(one, other) > 0 !== isDown(direction)
}
