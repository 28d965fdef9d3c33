import type { Class } from '../vocabulary/index.ts'
import type { MemberName } from './member.ts'
import {
  filledIn,
  type HiddenLink,
  idOf,
  isHiddenLink,
  isObject,
  type MemberValues,
  ownOf,
  pairUp,
  readHidden,
  withFilled,
} from './stored-text.ts'

/**
 * Values of properties that the API file no longer has; within an embedded value, that its class no longer has.
 */
export const writeHidden = (hidden: MemberValues): string =>
  Object.keys(hidden).length === 0 ? '' : JSON.stringify(hidden)

/** The paths of hidden values; within an embedded value only if that value itself is shown. */
export function hiddenPaths(
  shown: MemberValues,
  hidden: MemberValues,
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

/** The shown and the hidden values together; a shown value wins. */
export function merge(shown: unknown, hidden: unknown): unknown {
  if (shown === undefined || hidden === undefined) return shown ?? hidden
  if (Array.isArray(shown) && Array.isArray(hidden))
    return shown.map((one, index) => merge(one, hidden[index]))
  if (!isObject(shown) || !isObject(hidden)) return shown
  const names = new Set([...Object.keys(shown), ...Object.keys(hidden)])
  return Object.fromEntries([...names].map((name) => [name, merge(ownOf(shown, name), ownOf(hidden, name))]))
}

/** The values that stay hidden when `former` values are replaced. Those within an embedded value are removed with it. */
export function keepHidden(cls: Class, hidden: string, values: MemberValues, former: MemberValues): string {
  if (hidden === '') return ''
  return withFilled(writeHidden(keepWithin(cls, readHidden(hidden), values, former)), filledIn(hidden))
}

function keepWithin(
  cls: Class,
  hidden: MemberValues,
  values: MemberValues,
  former: MemberValues,
): MemberValues {
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
    keepWithin(cls, (one ?? {}) as MemberValues, now as MemberValues, (before ?? {}) as MemberValues)
  if (!Array.isArray(part) || !Array.isArray(value)) return keep(part, value, former)
  const before = Array.isArray(former) ? former : []
  const pairs = pairUp(value, before, cls)
  return value.map((one, index) => {
    const at = pairs[index] ?? -1
    return keep(part[at], one, before[at])
  })
}

/** The hidden values without the links to members that are removed. */
export const withoutHiddenLinks = (hidden: string, isGone: (target: MemberName) => boolean): string =>
  changeHiddenLinks(hidden, (link, target) => (isGone(target) ? undefined : link))

/** The hidden values with other ids in some of their links. */
export const withHiddenLinkIds = (hidden: string, idFor: (target: MemberName) => string): string =>
  changeHiddenLinks(hidden, (link, target) => {
    const address = link['@id']
    return { ...link, '@id': address.slice(0, address.length - target.id.length) + idFor(target) }
  })

/** `change`: what takes the place of a link; undefined for nothing. Links to an unknown class stay. */
function changeHiddenLinks(
  hidden: string,
  change: (link: HiddenLink, target: MemberName) => HiddenLink | undefined,
): string {
  if (!hidden.includes('"@id"')) return hidden
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed).filter((one) => one !== undefined)
    if (!isObject(value)) return value
    if (isHiddenLink(value)) {
      const { '@id': address, '@type': className } = value
      return className === undefined ? value : change(value, { className, id: idOf(address) })
    }
    const kept = Object.entries(value).flatMap(([name, one]) => {
      const left = changed(one)
      return left === undefined ? [] : [[name, left]]
    })
    return Object.fromEntries(kept)
  }
  return withFilled(writeHidden(changed(readHidden(hidden)) as MemberValues), filledIn(hidden))
}
