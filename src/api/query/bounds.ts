import type { Bound } from '../../store/store.ts'
import { compareKeys } from '../../vocabulary/keys.ts'

export interface Bounds {
  readonly from?: Bound
  readonly to?: Bound
}

/** A range that is narrowed by another; one that nothing can be in is no error. */
export function intersect<T extends Bounds>(one: T, other: Bounds): T {
  return {
    ...one,
    ...narrower('from', one.from, other.from, 1),
    ...narrower('to', one.to, other.to, -1),
  }
}

/** `sign`: 1 where the greater bound is the narrower one. */
function narrower(
  side: 'from' | 'to',
  one: Bound | undefined,
  other: Bound | undefined,
  sign: 1 | -1,
): Bounds {
  if (one === undefined || other === undefined) {
    const only = one ?? other
    return only === undefined ? {} : { [side]: only }
  }
  const difference = sign * compareKeys(one.key, other.key)
  const isOne = difference > 0 || (difference === 0 && !one.inclusive)
  return { [side]: isOne ? one : other }
}

/** All texts with this beginning are a range by code point, up to the least text behind them. */
export function beginningWith(prefix: string): Bounds {
  const from: Bound = { key: prefix, inclusive: true }
  const after = textBehind(prefix)
  return after === undefined ? { from } : { from, to: { key: after, inclusive: false } }
}

/** Undefined where none is behind: after nothing but U+10FFFF, the last code point. */
export function textBehind(prefix: string): string | undefined {
  const points = [...prefix]
  while (points.at(-1) === '\u{10ffff}') points.pop()
  const last = points.pop()?.codePointAt(0)
  if (last === undefined) return undefined
  // Surrogates are no characters: behind U+D7FF comes U+E000.
  const next = last === 0xd7ff ? 0xe000 : last + 1
  return points.join('') + String.fromCodePoint(next)
}
