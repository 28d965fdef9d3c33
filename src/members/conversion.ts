import { createHash } from 'node:crypto'
import type { Violation } from '../errors.ts'
import type { ClassShape, Converted, Link, Move, UsedName, WholeText } from '../store/index.ts'
import {
  type Class,
  keyShapes,
  type Model,
  type Property,
  type Range,
  storedClasses,
} from '../vocabulary/index.ts'
import { hiddenPaths, merge, writeHidden } from './hidden.ts'
import {
  addressOf,
  type HiddenLink,
  idOf,
  isHiddenLink,
  isObject,
  readHidden,
  type Values,
  writeMember,
} from './stored-text.ts'
import { convertValue, isMarked, LINK_MARK, readMarked } from './value-conversion.ts'

/** What a store must know of the classes of an API file. */
export function shapesOf(model: Model): ClassShape[] {
  const classes = storedClasses(model)
  const renamed = classes.flatMap(({ name, was }) => (was === undefined ? [] : [name, was]))
  return classes.map((cls) => ({
    name: cls.name,
    was: cls.was,
    fingerprint: fingerprintOf(cls, renamed),
    keys: keyShapes(cls),
    properties: cls.properties.map(({ name }) => name),
    addressOf: (id) => addressOf(cls, '')(id),
    convert: (stored, links) => convertMember(cls, stored, links),
  }))
}

/** Where a class has another name, links to it that are hidden in members of any class must learn that. */
function fingerprintOf({ fingerprint }: Class, renamed: readonly string[]): number {
  if (renamed.length === 0) return fingerprint
  const hash = createHash('sha256').update(JSON.stringify([fingerprint, renamed]))
  return hash.digest().readUIntBE(0, 6)
}

/** Of one member: a thousand values would fill the screen. */
const MOST_NAMED = 10

/** Where an embedded value is, with a slash at the end. */
interface Place {
  /** In the present names, with the place among many values. */
  readonly path: string
  /** In the former names, the same for each of many values. */
  readonly formerPath: string
  /** As a whole, or something around it. */
  readonly wasHidden: boolean
}

/** A value as its property is declared now, and what is hidden within it. */
interface Taken {
  readonly value?: unknown
  readonly hidden?: unknown
}

/**
 * A member that was written under another version of the API file, as this one stores it: values are found by the
 * name of their property, or by its former one; what has no property is hidden, and shown again once it has; links
 * follow their class to its present path (hypermedia.md, Changing the API file). `links`: those that the store knows it
 * by, which alone tell the class of a link that is hidden, since the API file need not have that class.
 */
function convertMember(
  cls: Class,
  stored: WholeText,
  links: readonly Link[],
): Converted | { readonly violations: readonly Violation[] } {
  const violations: Violation[] = []
  const usedNames: UsedName[] = []
  const moves = new Map<string, Move>()
  let linksById: ReadonlyMap<string, readonly Link[]> | undefined
  const [shownBefore, hiddenBefore] = [readMarked(stored), readHidden(stored.hidden)]
  const pathsBefore = hiddenPaths(shownBefore, hiddenBefore)
  const whole = merge(shownBefore, hiddenBefore) as Values
  const { values, hidden } = split(cls, whole, { path: '', formerPath: '', wasHidden: false })
  if (violations.length > 0) return { violations: violations.slice(0, MOST_NAMED) }
  return {
    ...writeMember(cls, values, writeHidden(hidden)),
    ...(usedNames.length > 0 && { usedNames }),
    ...(moves.size > 0 && { moves: [...moves.values()] }),
  }

  function split(within: Class, stored: Values, place: Place): { values: Values; hidden: Values } {
    const values: Record<string, unknown> = Object.create(null)
    const hidden: Record<string, unknown> = Object.create(null)
    const rest = new Map(Object.entries(stored))
    rest.delete('@type')
    for (const property of within.properties) {
      const path = place.path + property.name
      const name = sourceOf(property, rest, path)
      if (name === undefined) continue
      const formerPath = place.formerPath + name
      const wasHidden = pathsBefore.has(formerPath)
      if (name !== property.name) note({ change: 'renamed', property: withoutPlaces(path), from: formerPath })
      else if (wasHidden) note({ change: 'shown', property: withoutPlaces(path) })
      const taken = take(property, rest.get(name), {
        path,
        formerPath,
        wasHidden: wasHidden || place.wasHidden,
      })
      rest.delete(name)
      if (taken.value !== undefined) values[property.name] = taken.value
      if (taken.hidden !== undefined) hidden[property.name] = taken.hidden
    }
    for (const [name, value] of rest) {
      const formerPath = place.formerPath + name
      if (!place.wasHidden && !pathsBefore.has(formerPath))
        note({ change: 'hidden', property: withoutPlaces(place.path + name) })
      hidden[name] = hide(value, formerPath)
    }
    return { values, hidden }
  }

  function note(move: Move): void {
    moves.set(`${move.change} ${move.property}`, move)
  }

  /** Where members have values under both names, the migration is refused: one of them would be another's. */
  function sourceOf(
    { name, was = name }: Property,
    rest: ReadonlyMap<string, unknown>,
    path: string,
  ): string | undefined {
    const found = [...new Set([name, was])].filter((candidate) => rest.has(candidate))
    if (was !== name) {
      const property = withoutPlaces(path)
      for (const one of found) usedNames.push({ property, was, under: one === name ? 'name' : 'was' })
    }
    return found[0]
  }

  function take({ range, many }: Property, stored: unknown, place: Place): Taken {
    const { path } = place
    const all = Array.isArray(stored) ? stored : [stored]
    if (!many && all.length > 1) {
      violations.push({ propertyPath: path, message: `takes one value now, and has ${all.length}.` })
      return {}
    }
    if (!many) return all.length === 0 ? {} : takeOne(range, all[0], place)
    const taken = all.map((one, index) => takeOne(range, one, { ...place, path: `${path}/${index}` }))
    const hides = taken.some(({ hidden }) => hidden !== undefined)
    return {
      value: taken.map(({ value }) => value),
      ...(hides && { hidden: taken.map(({ hidden }) => hidden ?? {}) }),
    }
  }

  function takeOne(range: Range, stored: unknown, { path, formerPath, wasHidden }: Place): Taken {
    if (range.kind === 'embedded' && isEmbedded(stored)) {
      const within = { path: `${path}/`, formerPath: `${formerPath}/`, wasHidden }
      const { values, hidden } = split(range.cls, stored, within)
      return { value: values, hidden: Object.keys(hidden).length === 0 ? undefined : hidden }
    }
    const converted = convertValue(range, isHiddenLink(stored) ? LINK_MARK + stored['@id'] : stored)
    if ('value' in converted) return converted
    violations.push({ propertyPath: path, message: converted.message })
    return {}
  }

  function hide(value: unknown, formerPath: string): unknown {
    if (Array.isArray(value)) return value.map((one) => hide(one, formerPath))
    if (isMarked(value)) return hideLink({ '@id': value.slice(LINK_MARK.length) }, formerPath)
    if (isHiddenLink(value)) return hideLink(value, formerPath)
    if (!isObject(value)) return value
    // The class of an embedded value does not matter, only that it is one.
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        name === '@type' ? '' : hide(one, `${formerPath}/${name}`),
      ]),
    )
  }

  function hideLink({ '@id': address, '@type': knownAs }: HiddenLink, formerPath: string): HiddenLink {
    linksById ??= Map.groupBy(links, ({ id }) => id)
    const known = linksById.get(idOf(address))?.find(({ property }) => property === formerPath)
    const className = known?.className ?? knownAs
    return { '@id': address, ...(className !== undefined && { '@type': className }) }
  }
}

/** The same for each of many values. */
const withoutPlaces = (path: string): string => path.replace(/\/[0-9]+(?=\/)/g, '')

/** Unlike a link that was hidden, and unlike texts by language. */
const isEmbedded = (value: unknown): value is Values =>
  isObject(value) && Object.hasOwn(value, '@type') && !isHiddenLink(value)
