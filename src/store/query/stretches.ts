import type { Key } from '../../vocabulary/keys.ts'
import { compareKeys } from '../../vocabulary/keys.ts'
import type { Bound, Filter, Position } from '../store.ts'

/**
 * A part of an index in which members stand in order, without one that does not belong. `beyond`: only those whose
 * sequence number is beyond this one in the direction of the walk.
 */
export type Stretch =
  /** Everything, by sequence number. */
  | { readonly kind: 'all'; readonly beyond?: number }
  /** By key; of each key by sequence number. */
  | { readonly kind: 'span'; readonly from: Bound | undefined; readonly to: Bound | undefined }
  /** All with one key. */
  | { readonly kind: 'key'; readonly key: Key; readonly beyond?: number }
  /** All without a key. */
  | { readonly kind: 'none'; readonly beyond?: number }

/** A stretch of the index of a property. */
export type KeyStretch = Exclude<Stretch, { kind: 'all' }>

/** What a filter leaves of the index of its property, from the least key to the greatest, then those without one. */
export function stretchesOf(filter: Filter | undefined): KeyStretch[] {
  switch (filter?.test) {
    case 'in':
      return [...new Set(filter.keys)].sort(compareKeys).map((key) => ({ kind: 'key', key }))
    case 'range':
      return [{ kind: 'span', from: filter.from, to: filter.to }]
    case 'exists':
      return filter.exists ? [WITH_KEY] : [{ kind: 'none' }]
    default:
      return [WITH_KEY, { kind: 'none' }]
  }
}

const WITH_KEY: KeyStretch = { kind: 'span', from: undefined, to: undefined }

/**
 * In the order of a walk: `descending` as the order says, `backward` where it is walked from its end. Those without a
 * key come last in both orders.
 */
export function inOrder(
  stretches: readonly KeyStretch[],
  descending: boolean,
  backward: boolean,
): KeyStretch[] {
  const keyed = stretches.filter(({ kind }) => kind !== 'none')
  const none = stretches.filter(({ kind }) => kind === 'none')
  const forward = [...(descending ? keyed.reverse() : keyed), ...none]
  return backward ? forward.reverse() : forward
}

/** What is left behind a position. `down`: whether keys get smaller on the way, which is so in one of both directions. */
export function behind(
  stretches: readonly KeyStretch[],
  { keys: [key = null], sequence }: Position,
  down: boolean,
  backward: boolean,
): KeyStretch[] {
  return stretches.flatMap((stretch): KeyStretch[] => {
    if (stretch.kind === 'none') {
      if (key === null) return [{ kind: 'none', beyond: sequence }]
      return backward ? [] : [stretch]
    }
    if (key === null) return backward ? [stretch] : []
    return stretch.kind === 'key'
      ? behindInKey(stretch, key, sequence, down)
      : behindInSpan(stretch, key, sequence, down)
  })
}

function behindInKey(
  stretch: Extract<KeyStretch, { kind: 'key' }>,
  key: Key,
  sequence: number,
  down: boolean,
): KeyStretch[] {
  const ahead = compareKeys(stretch.key, key) * (down ? -1 : 1)
  if (ahead === 0) return [{ ...stretch, beyond: sequence }]
  return ahead > 0 ? [stretch] : []
}

/** First those that are equal to the position, then what is beyond: two walks that each begin where they should. */
function behindInSpan(
  span: Extract<KeyStretch, { kind: 'span' }>,
  key: Key,
  sequence: number,
  down: boolean,
): KeyStretch[] {
  const { from, to } = span
  const [near, far] = down ? [to, from] : [from, to]
  const side = (bound: Bound) => compareKeys(key, bound.key) * (down ? -1 : 1)
  const [fromNear, fromFar] = [near === undefined ? 1 : side(near), far === undefined ? -1 : side(far)]
  if (fromNear < 0 || (fromNear === 0 && near?.inclusive === false)) return [span]
  if (fromFar > 0 || (fromFar === 0 && far?.inclusive === false)) return []
  const equal: KeyStretch = { kind: 'key', key, beyond: sequence }
  if (fromFar === 0) return [equal]
  const edge: Bound = { key, inclusive: false }
  return [equal, down ? { kind: 'span', from, to: edge } : { kind: 'span', from: edge, to }]
}
