import { isObject, type Values, valueIn } from '../../../shared/values/index.ts'
import type { PropertyDraft } from './draft.ts'

/** What was changed, as a merge patch (RFC 7396): null removes. */
export function changesOf(drafts: readonly PropertyDraft[], before: Values, after: Values): Values {
  return patchOf(
    drafts.map(({ property }) => property.name),
    before,
    after,
  )
}

function patchOf(names: readonly string[], before: Values, after: Values): Values {
  const changed = names.filter((name) => !isSame(valueIn(before, name), valueIn(after, name)))
  return Object.fromEntries(
    changed.map((name) => [name, changeOf(valueIn(before, name), valueIn(after, name))]),
  )
}

function changeOf(before: unknown, after: unknown): unknown {
  if (after === undefined) return null
  if (!isObject(before) || !isObject(after)) return after
  return patchOf([...new Set([...Object.keys(before), ...Object.keys(after)])], before, after)
}

/** By value; the order of keys does not matter, and null is the same as no value. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]))
  }
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...keys].every((key) => isSame(valueIn(one, key), valueIn(other, key)))
  }
  return (one ?? undefined) === (other ?? undefined)
}
