import type { Documentation, PropertyDescription } from '../../../../src/client/index.ts'
import { embeddedClass, isObject, type Values, valueIn } from '../../../shared/values.ts'
import { draftOf, eachOnce, type PropertyDraft } from './draft.ts'

/** What was changed, as a merge patch (RFC 7396): null removes. */
export function changesOf(drafts: readonly PropertyDraft[], before: Values, after: Values): Values {
  const names = drafts.map(({ property }) => property.name)
  return patchOf(names, before, after)
}

function patchOf(names: readonly string[], before: Values, after: Values): Values {
  const entries = names.flatMap((name) => {
    const [was, is] = [valueIn(before, name), valueIn(after, name)]
    if (isSame(was, is)) return []
    return [[name, isObject(was) && isObject(is) ? patchOf(keysOf(was, is), was, is) : (is ?? null)]]
  })
  return Object.fromEntries(entries)
}

const keysOf = (one: Values, other: Values): readonly string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
]

/** By value; the order of keys does not matter, and null is the same as no value. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]))
  }
  if (isObject(one) && isObject(other))
    return keysOf(one, other).every((key) => isSame(valueIn(one, key), valueIn(other, key)))
  return (one ?? undefined) === (other ?? undefined)
}

export type Side = 'mine' | 'theirs'

export interface Difference {
  readonly property: PropertyDescription
  readonly seen: unknown
  readonly current: unknown
  readonly mine: unknown
  readonly changedBy: Side | 'both'
}

/** The same change by both sides is no difference. */
export function compare(
  drafts: readonly PropertyDraft[],
  seen: Values,
  current: Values,
  mine: Values,
): readonly Difference[] {
  return drafts.flatMap(({ property }) => {
    const [was, is, wanted] = [seen, current, mine].map((values) => valueIn(values, property.name))
    if (isSame(is, wanted)) return []
    const changedBy = isSame(was, is) ? 'mine' : isSame(was, wanted) ? 'theirs' : 'both'
    return [{ property, seen: was, current: is, mine: wanted, changedBy }]
  })
}

/** A change by one side alone is kept; a change by both has to be decided. */
export const proposedSide = ({ changedBy }: Difference): Side | undefined =>
  changedBy === 'both' ? undefined : changedBy

/** The member as it is now, with one's own values where they were chosen. */
export function mergedDrafts(
  drafts: readonly PropertyDraft[],
  current: Values,
  chosen: readonly Difference[],
  documentation: Documentation,
): readonly PropertyDraft[] {
  return drafts.map(({ property }) => {
    const now = valueIn(current, property.name)
    const mine = chosen.find((one) => one.property === property)
    const value = mine ? overCurrent(mine.mine, now, property, documentation) : now
    return { property, draft: draftOf(property, value, documentation) }
  })
}

/**
 * A value of one's own in the place of the current one. What only the server writes within it is sent as it is now, or
 * not at all: anything else would be refused (hypermedia.md, Writing). In a list the server knows values again that are
 * equal, and no others.
 */
function overCurrent(
  value: unknown,
  current: unknown,
  property: PropertyDescription,
  documentation: Documentation,
): unknown {
  const cls = embeddedClass(property, documentation)
  if (cls && Array.isArray(value)) {
    const left = [current].flat()
    return value.map((one) => {
      const equal = left.findIndex((other) => isSame(other, one))
      return equal < 0 ? overCurrent(one, undefined, property, documentation) : left.splice(equal, 1)[0]
    })
  }
  if (!cls || !isObject(value)) return value
  const now = isObject(current) ? current : {}
  const parts = eachOnce(cls).map((part) => {
    const [mine, theirs] = [valueIn(value, part.name), valueIn(now, part.name)]
    return [part.name, part.writable ? overCurrent(mine, theirs, part, documentation) : theirs] as const
  })
  const entries = Object.entries({ ...value, ...Object.fromEntries(parts) })
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined))
}
