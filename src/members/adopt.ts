import type { Violation } from '../errors.ts'
import type { Adopted, Link, Naming, WholeText } from '../store/store.ts'
import type { Class, Property, Range } from '../vocabulary/model.ts'
import { type HiddenLink, idOf, isHiddenLink, readHidden, writeHidden } from './adopt-hidden.ts'
import { movesBetween, present } from './adopt-moves.ts'
import { fit, isMarked, LINK_MARK } from './adopt-value.ts'
import { fillHoles, readText, type Values } from './stored-text.ts'
import { writeMember } from './stored-text-member.ts'

/** The class of a link by its path, or by what it was called when the link was hidden. */
export interface Targets {
  byPath(path: string): string | undefined
  byName(className: string): string | undefined
}

/** Of one member: a thousand values would fill the screen. */
const MOST_NAMED = 10

/**
 * A member that was written under another version of the API file, as this one stores it: values are found by the
 * name of their property, or by its former one; what has no property is hidden, and shown again once it has; links
 * follow their class to its present path (hypermedia.md, Changing the API file). `links`: what the store knows of them,
 * which is all that tells the class of a link where the API file does not have that class.
 */
export function adopt(
  cls: Class,
  former: WholeText,
  targets: Targets,
  links: () => readonly Link[] = () => [],
): Adopted | { readonly violations: readonly Violation[] } {
  const violations: Violation[] = []
  const renamed = new Map<string, string>()
  const namings: Naming[] = []
  let linksById: ReadonlyMap<string, readonly Link[]> | undefined
  const before = { shown: readMarked(former), hidden: readHidden(former.hidden) }
  const { values, hidden } = split(cls, merge(before.shown, before.hidden) as Values, '')
  if (violations.length > 0) return { violations: violations.slice(0, MOST_NAMED) }
  const written = {
    ...writeMember(cls, values, writeHidden(hidden)),
    ...(namings.length > 0 && { namings }),
  }
  if (renamed.size === 0 && written.hidden === former.hidden) return written
  const moves = movesBetween(before, { shown: values, hidden }, renamed)
  return moves.length === 0 ? written : { ...written, moves }

  function split(within: Class, stored: Values, path: string): { values: Values; hidden: Values } {
    const values: Record<string, unknown> = Object.create(null)
    const hidden: Record<string, unknown> = Object.create(null)
    const rest = new Map(Object.entries(stored))
    rest.delete('@type')
    for (const property of within.properties) {
      const name = sourceOf(property, rest, path)
      if (name === undefined) continue
      if (name !== property.name) renamed.set(withoutPlaces(path + name), withoutPlaces(path + property.name))
      const { value, hidden: part } = take(property, rest.get(name), path + property.name)
      rest.delete(name)
      if (value !== undefined) values[property.name] = value
      if (part !== undefined) hidden[property.name] = part
    }
    for (const [name, value] of rest) hidden[name] = hide(value, path + name)
    return { values, hidden }
  }

  /** Where members have values under both names, the store refuses the API file: one of them would be another's. */
  function sourceOf(
    { name, was = name }: Property,
    rest: ReadonlyMap<string, unknown>,
    path: string,
  ): string | undefined {
    const found = [...new Set([name, was])].filter((candidate) => rest.has(candidate))
    if (was !== name) {
      const property = withoutPlaces(path + name)
      for (const one of found) namings.push({ property, was, under: one === name ? 'name' : 'was' })
    }
    return found[0]
  }

  /** The value as its property is declared now, and what is hidden within it. */
  function take(
    { range, many }: Property,
    stored: unknown,
    path: string,
  ): { value?: unknown; hidden?: unknown } {
    const all = Array.isArray(stored) ? stored : [stored]
    if (!many && all.length > 1) {
      violations.push({ propertyPath: path, message: `takes one value now, and has ${all.length}.` })
      return {}
    }
    const taken = all.map((one, index) => takeOne(range, one, many ? `${path}/${index}` : path))
    const parts = taken.map(({ hidden }) => hidden)
    const hides = parts.some((part) => part !== undefined)
    if (!many) return { value: taken[0]?.value, hidden: parts[0] }
    return {
      value: taken.map(({ value }) => value),
      ...(hides && { hidden: parts.map((part) => part ?? {}) }),
    }
  }

  function takeOne(range: Range, stored: unknown, path: string): { value?: unknown; hidden?: unknown } {
    if (range.kind === 'embedded' && isEmbedded(stored)) {
      const { values, hidden } = split(range.cls, stored, `${path}/`)
      return { value: values, hidden: Object.keys(hidden).length === 0 ? undefined : hidden }
    }
    const fitted = fit(range, isHiddenLink(stored) ? LINK_MARK + stored['@id'] : stored)
    if ('value' in fitted) return fitted
    violations.push({ propertyPath: path, message: fitted.message })
    return {}
  }

  function hide(value: unknown, path: string): unknown {
    if (Array.isArray(value)) return value.map((one) => hide(one, path))
    if (isMarked(value)) return hideLink({ '@id': value.slice(LINK_MARK.length) }, path)
    if (isHiddenLink(value)) return hideLink(value, path)
    if (!isObject(value)) return value
    // What it is called does not matter, only that it is an embedded value.
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        name === '@type' ? '' : hide(one, `${path}/${name}`),
      ]),
    )
  }

  function hideLink({ '@id': address, '@type': knownAs }: HiddenLink, path: string): HiddenLink {
    const className =
      storedClass(idOf(address), withoutPlaces(path)) ??
      (knownAs === undefined ? targets.byPath(address) : (targets.byName(knownAs) ?? knownAs))
    return { '@id': address, ...(className !== undefined && { '@type': className }) }
  }

  function storedClass(id: string, path: string): string | undefined {
    linksById ??= Map.groupBy(links(), (link) => link.id)
    return linksById.get(id)?.find(({ property }) => present(property, renamed) === path)?.className
  }
}

/** The texts of links begin with a mark, which no text that was sent can have. */
function readMarked({ body, holes = '' }: WholeText): Values {
  return readText(fillHoles({ body, holes }, JSON.stringify(LINK_MARK).slice(1, -1)))
}

/** What is shown wins; what is hidden within an embedded value goes back into it. */
function merge(shown: unknown, hidden: unknown): unknown {
  if (shown === undefined || hidden === undefined) return shown ?? hidden
  if (Array.isArray(shown) && Array.isArray(hidden))
    return shown.map((one, index) => merge(one, hidden[index]))
  if (!isObject(shown) || !isObject(hidden)) return shown
  const names = new Set([...Object.keys(shown), ...Object.keys(hidden)])
  return Object.fromEntries([...names].map((name) => [name, merge(ownOf(shown, name), ownOf(hidden, name))]))
}

/** The same for each of many values. */
const withoutPlaces = (path: string): string => path.replace(/\/[0-9]+(?=\/)/g, '')

const ownOf = (values: Values, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Unlike a link that was hidden, and unlike texts by language. */
const isEmbedded = (value: unknown): value is Values =>
  isObject(value) && Object.hasOwn(value, '@type') && !isHiddenLink(value)
