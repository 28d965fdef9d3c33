import type { Class } from '../vocabulary/index.ts'
import { isObject, ownOf, readHidden, type Values } from './stored-text.ts'

/**
 * Values that the API file does not show: those of properties that it has no more, and within an embedded value those
 * of properties that its class has no more.
 */
export const writeHidden = (hidden: Values): string =>
  Object.keys(hidden).length === 0 ? '' : JSON.stringify(hidden)

/** The paths of what is hidden; one within an embedded value only where that value itself is shown. */
export function hiddenPaths(
  shown: Values,
  hidden: Values,
  path = '',
  found = new Set<string>(),
): Set<string> {
  for (const [name, part] of Object.entries(hidden)) {
    const values = [ownOf(shown, name)].flat()
    for (const [index, one] of [part].flat().entries()) {
      const value = values[index]
      if (isObject(one) && isObject(value)) hiddenPaths(value, one, `${path}${name}/`, found)
      else found.add(path + name)
    }
  }
  return found
}

/** What is shown wins; what is hidden within an embedded value goes back into it. */
export function merge(shown: unknown, hidden: unknown): unknown {
  if (shown === undefined || hidden === undefined) return shown ?? hidden
  if (Array.isArray(shown) && Array.isArray(hidden))
    return shown.map((one, index) => merge(one, hidden[index]))
  if (!isObject(shown) || !isObject(hidden)) return shown
  const names = new Set([...Object.keys(shown), ...Object.keys(hidden)])
  return Object.fromEntries([...names].map((name) => [name, merge(ownOf(shown, name), ownOf(hidden, name))]))
}

/** What stays hidden when `former` values are replaced: what is hidden within an embedded value goes with it. */
export function keepHidden(cls: Class, hidden: string, values: Values, former: Values): string {
  return hidden === '' ? '' : writeHidden(keepWithin(cls, readHidden(hidden), values, former))
}

function keepWithin(cls: Class, hidden: Values, values: Values, former: Values): Values {
  const declared = new Map(cls.properties.map((property) => [property.name, property]))
  const kept = Object.entries(hidden).flatMap(([name, part]): [string, unknown][] => {
    const range = declared.get(name)?.range
    if (range === undefined) return [[name, part]]
    if (range.kind !== 'embedded' || !Object.hasOwn(values, name)) return []
    return [[name, keepParts(range.cls, part, values[name], former[name])]]
  })
  return Object.fromEntries(kept)
}

function keepParts(cls: Class, part: unknown, value: unknown, former: unknown): unknown {
  const keep = (one: unknown, now: unknown, before: unknown) =>
    keepWithin(cls, (one ?? {}) as Values, now as Values, (before ?? {}) as Values)
  if (!Array.isArray(part) || !Array.isArray(value)) return keep(part, value, former)
  const before = Array.isArray(former) ? former : []
  const pairs = pairUp(value, before)
  return value.map((one, index) => {
    const at = pairs[index] ?? -1
    return keep(part[at], one, before[at])
  })
}

/** Which of the former values each of many is: an equal one wherever it stands, else the one at its index if free. */
export function pairUp(
  values: readonly unknown[],
  former: readonly unknown[],
): readonly (number | undefined)[] {
  const indexes = Map.groupBy(former.keys(), (index) => textOf(former[index]))
  const equal = values.map((one) => indexes.get(textOf(one))?.shift())
  const taken = new Set(equal)
  return equal.map(
    (found, index) => found ?? (index < former.length && !taken.has(index) ? index : undefined),
  )
}

/** Whatever the order of the keys; the class of an embedded value goes without saying. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (key, one) => {
    if (key === '@type') return undefined
    if (!isObject(one)) return one
    return Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
