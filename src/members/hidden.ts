import type { Link, Written } from '../store/index.ts'
import { type Class, keysOf, type Property } from '../vocabulary/index.ts'
import { linksOf, type Values, writeText } from './stored-text.ts'

/**
 * Values that the API file does not show: those of properties that it has no more, and within an embedded value those
 * of properties that its class has no more. A link is an object, so that it still counts as one.
 */
export interface HiddenLink {
  readonly '@id': string
  /** Its class, whether or not the API file has that; undefined where nothing tells it. */
  readonly '@type'?: string
}

export const isHiddenLink = (value: unknown): value is HiddenLink =>
  isObject(value) && Object.hasOwn(value, '@id')

export const readHidden = (hidden: string): Values => (hidden === '' ? {} : JSON.parse(hidden))

export const writeHidden = (hidden: Values): string =>
  Object.keys(hidden).length === 0 ? '' : JSON.stringify(hidden)

/** They keep their targets, so that they lead somewhere when they are shown again. */
export const hiddenLinks = (hidden: string): Link[] =>
  hidden.includes('"@id"') ? linksWithin(readHidden(hidden), '') : []

function linksWithin(value: unknown, path: string): Link[] {
  if (Array.isArray(value)) return value.flatMap((one) => linksWithin(one, path))
  if (!isObject(value)) return []
  if (!isHiddenLink(value)) {
    return Object.entries(value).flatMap(([name, one]) =>
      linksWithin(one, path === '' ? name : `${path}/${name}`),
    )
  }
  const { '@id': address, '@type': className } = value
  return className === undefined ? [] : [{ property: path, className, id: idOf(address) }]
}

/** The paths of what is hidden; one within an embedded value only where that value itself is shown. */
export function hiddenPaths(
  shown: Values,
  hidden: Values,
  path = '',
  found = new Set<string>(),
): Set<string> {
  for (const [name, part] of Object.entries(hidden)) {
    const values = Object.hasOwn(shown, name) ? [shown[name]].flat() : []
    for (const [index, one] of [part].flat().entries()) {
      const value = values[index]
      if (isObject(one) && isObject(value)) hiddenPaths(value, one, `${path}${name}/`, found)
      else found.add(path + name)
    }
  }
  return found
}

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** What stays hidden when `former` values are replaced: what is hidden within an embedded value goes with it. */
export function keepHidden(cls: Class, hidden: string, values: Values, former: Values): string {
  return hidden === '' ? '' : writeHidden(keepWithin(cls, readHidden(hidden), values, former))
}

function keepWithin(cls: Class, hidden: Values, values: Values, former: Values): Values {
  const declared = new Map(cls.properties.map((property) => [property.name, property]))
  const kept = Object.entries(hidden).flatMap(([name, part]): [string, unknown][] => {
    const property = declared.get(name)
    if (property === undefined) return [[name, part]]
    const left = Object.hasOwn(values, name)
      ? keepParts(property, part, values[name], former[name])
      : undefined
    return left === undefined ? [] : [[name, left]]
  })
  return Object.fromEntries(kept)
}

function keepParts({ range }: Property, part: unknown, value: unknown, former: unknown): unknown {
  if (range.kind !== 'embedded') return undefined
  const keep = (one: unknown, now: unknown, before: unknown) =>
    keepWithin(range.cls, (one ?? {}) as Values, now as Values, (before ?? {}) as Values)
  if (!Array.isArray(part) || !Array.isArray(value)) return keep(part, value, former)
  const before = Array.isArray(former) ? former : []
  const pairs = pairUp(value, before)
  return value.map((one, index) => {
    const at = pairs[index] ?? -1
    return keep(part[at], one, before[at])
  })
}

/**
 * Which of the former values each of many is: an equal one wherever it stands, else the one at the same place, unless
 * that is another's.
 */
export function pairUp(
  values: readonly unknown[],
  former: readonly unknown[],
): readonly (number | undefined)[] {
  const places = new Map<string, number[]>()
  former.forEach((one, index) => {
    const text = textOf(one)
    const known = places.get(text)
    if (known === undefined) places.set(text, [index])
    else known.push(index)
  })
  const equal = values.map((one) => places.get(textOf(one))?.shift())
  const taken = new Set(equal)
  return equal.map(
    (found, index) => found ?? (index < former.length && !taken.has(index) ? index : undefined),
  )
}

/** Whatever the order of the keys; the class of an embedded value goes without saying. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (key, one) => {
    if (key === '@type') return undefined
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one
    return Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })

/** All that is stored of a member. `hidden`: as in store.ts. */
export function writeMember(cls: Class, values: Values, hidden: string): Written {
  const links = linksOf(cls, values)
  return {
    ...writeText(cls, values),
    hidden,
    links: hidden === '' ? links : [...links, ...hiddenLinks(hidden)],
    keys: keysOf(cls, values),
  }
}
