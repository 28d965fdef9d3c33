import { hash } from 'node:crypto'
import type { Violation } from '../errors.ts'
import {
  type ClassShape,
  calledNow,
  type Link,
  type Move,
  type UsedName,
  type WholeText,
} from '../store/index.ts'
import {
  type Class,
  compileValidator,
  hasCollection,
  isListedByOwner,
  isSearched,
  keyShapes,
  type Model,
  type Property,
  type Range,
  storedClasses,
} from '../vocabulary/index.ts'
import {
  addressOf,
  fillHoles,
  type HiddenLink,
  hiddenPaths,
  idOf,
  isHiddenLink,
  isObject,
  listOf,
  merge,
  readHidden,
  readText,
  type Values,
  writeHidden,
  writeMember,
} from './stored-text.ts'
import { convertValue, isMarked, LINK_MARK } from './value-conversion.ts'

/** What a store must know of the classes of an API file. */
export function shapesOf(model: Model): ClassShape[] {
  const classes = storedClasses(model)
  const renamed = classes.flatMap(({ name, formerName }) =>
    formerName === undefined ? [] : [name, formerName],
  )
  return classes.map((cls) => ({
    name: cls.name,
    was: cls.formerName,
    fingerprint: fingerprintOf(cls, renamed),
    keys: keyShapes(cls),
    hasWords: cls.properties.some(isSearched),
    isListedByOwner: isListedByOwner(model.access, cls.name),
    isSingle: !hasCollection(cls),
    properties: new Map(cls.properties.map(({ name, formerName }) => [name, formerName])),
    addressOf: (id) => addressOf(cls, '')(id),
    convert: (stored, links) => convertMember(cls, stored, links),
    violationsOf: createViolationsOf(cls),
  }))
}

/** Checks only values that a client can write: it could not correct others. */
function createViolationsOf(cls: Class): ClassShape['violationsOf'] {
  const find = createFind(cls)
  return (body) => find(readText(body), '')
}

function createFind(cls: Class): (values: Values, path: string) => Violation[] {
  const validate = compileValidator(cls)
  const writable = new Set(cls.properties.flatMap(({ name, writable }) => (writable ? name : [])))
  const embedded = cls.properties.flatMap((property) =>
    property.range.kind === 'embedded' && property.writable
      ? [{ property, find: createFind(property.range.cls) }]
      : [],
  )
  return (values, path) => [
    ...validate(values)
      .filter(({ propertyPath }) => writable.has(propertyPath.split('/', 1)[0] ?? ''))
      .map(({ propertyPath, message }) => ({ propertyPath: path + propertyPath, message })),
    ...embedded.flatMap(({ property, find }) =>
      listOf(values, property).flatMap((value) => find(value as Values, `${path}${property.name}/`)),
    ),
  ]
}

/** Depends on all renamed classes: hidden links in members of any class may name one of them. */
function fingerprintOf({ fingerprint }: Class, renamed: readonly string[]): number {
  if (renamed.length === 0) return fingerprint
  return hash('sha256', JSON.stringify([fingerprint, renamed]), 'buffer').readUIntBE(0, 6)
}

/** How many violations of one member are reported: it may have thousands of values. */
const MAX_REPORTED = 10

/** The paths of a value; for the properties of an embedded one, with a slash at the end. */
interface Paths {
  /** In the present names, with the index among many values. */
  readonly path: string
  /** In the former names, the same for each of many values. */
  readonly formerPath: string
  /** In the former names, with the index among many values: as the member is served today. */
  readonly servedPath: string
  /** Whether it was hidden, or the embedded value around it. */
  readonly wasHidden: boolean
}

/** A value converted to the present declaration of its property, and the values that are hidden within it. */
interface ConvertedValue {
  readonly value?: unknown
  readonly hidden?: unknown
}

/**
 * Finds values by the name of their property, or by its former one; a value without a property is hidden, and shown again
 * once it has one; links get the present path of their class (hypermedia.md, Changing the API file). The class of a hidden
 * link is known from `links` alone, since the API file may not have it any more.
 */
function convertMember(
  cls: Class,
  stored: WholeText,
  links: readonly Link[],
): ReturnType<ClassShape['convert']> {
  const violations: Violation[] = []
  const usedNames: UsedName[] = []
  const moves = new Map<string, Move>()
  let linksById: ReadonlyMap<string, readonly Link[]> | undefined
  const [shownBefore, hiddenBefore] = [readMarked(stored), readHidden(stored.hidden)]
  const pathsBefore = hiddenPaths(shownBefore, hiddenBefore)
  const whole = merge(shownBefore, hiddenBefore) as Values
  const { values, hidden } = split(cls, whole, { path: '', formerPath: '', servedPath: '', wasHidden: false })
  if (violations.length > 0) return { violations: violations.slice(0, MAX_REPORTED) }
  return {
    ...writeMember(cls, values, writeHidden(hidden)),
    ...(usedNames.length > 0 && { usedNames }),
    ...(moves.size > 0 && { moves: [...moves.values()] }),
  }

  function split(cls: Class, stored: Values, at: Paths): { values: Values; hidden: Values } {
    const values: Record<string, unknown> = Object.create(null)
    const hidden: Record<string, unknown> = Object.create(null)
    const rest = new Map(Object.entries(stored))
    rest.delete('@type')
    for (const property of cls.properties) {
      const path = at.path + property.name
      const name = sourceOf(property, rest, path)
      if (name === undefined) continue
      const formerPath = at.formerPath + name
      const wasHidden = pathsBefore.has(formerPath)
      if (name !== property.name) note({ change: 'renamed', property: path, from: formerPath })
      else if (wasHidden) note({ change: 'shown', property: path })
      const servedPath = at.servedPath + name
      const paths = { path, formerPath, servedPath, wasHidden: wasHidden || at.wasHidden }
      const taken = take(property, rest.get(name), paths)
      rest.delete(name)
      if (taken.value !== undefined) values[property.name] = taken.value
      if (taken.hidden !== undefined) hidden[property.name] = taken.hidden
    }
    for (const [name, value] of rest) {
      const formerPath = at.formerPath + name
      if (!at.wasHidden && !pathsBefore.has(formerPath)) note({ change: 'hidden', property: at.path + name })
      hidden[name] = hide(value, formerPath)
    }
    return { values, hidden }
  }

  function note(move: Move): void {
    const property = withoutIndexes(move.property)
    moves.set(`${move.change} ${property}`, { ...move, property })
  }

  /** Where members have values under both names, the migration is refused (findings.ts). */
  function sourceOf({ name, formerName: was }: Property, rest: ReadonlyMap<string, unknown>, path: string) {
    if (was === undefined || was === name) return rest.has(name) ? name : undefined
    const found = [name, was].filter((candidate) => rest.has(candidate))
    const property = withoutIndexes(path)
    for (const one of found) usedNames.push({ property, was, under: one === name ? 'name' : 'was' })
    return found[0]
  }

  function take({ range, many }: Property, stored: unknown, paths: Paths): ConvertedValue {
    const { path, servedPath } = paths
    const all = Array.isArray(stored) ? stored : [stored]
    if (!many && all.length > 1) return refuse(paths, `takes one value now, and has ${all.length}.`)
    if (!many) return all.length === 0 ? {} : takeOne(range, all[0], paths)
    const taken = all.map((one, index) =>
      takeOne(range, one, { ...paths, path: `${path}/${index}`, servedPath: `${servedPath}/${index}` }),
    )
    const hides = taken.some(({ hidden }) => hidden !== undefined)
    return {
      value: taken.map(({ value }) => value),
      ...(hides && { hidden: taken.map(({ hidden }) => hidden ?? {}) }),
    }
  }

  function takeOne(range: Range, stored: unknown, paths: Paths): ConvertedValue {
    if (range.kind === 'embedded' && isEmbedded(stored)) {
      const { path, formerPath, servedPath, wasHidden } = paths
      const within = {
        path: `${path}/`,
        formerPath: `${formerPath}/`,
        servedPath: `${servedPath}/`,
        wasHidden,
      }
      const { values, hidden } = split(range.cls, stored, within)
      return { value: values, hidden: Object.keys(hidden).length === 0 ? undefined : hidden }
    }
    const converted = convertValue(range, isHiddenLink(stored) ? LINK_MARK + stored['@id'] : stored)
    return 'value' in converted ? converted : refuse(paths, converted.message)
  }

  function refuse({ path, servedPath }: Paths, message: string): ConvertedValue {
    const renamed = path === servedPath ? '' : ` ${calledNow(path)}`
    violations.push({ propertyPath: servedPath, message: message + renamed })
    return {}
  }

  function hide(value: unknown, formerPath: string): unknown {
    if (Array.isArray(value)) return value.map((one) => hide(one, formerPath))
    if (isMarked(value)) return hideLink({ '@id': value.slice(LINK_MARK.length) }, formerPath)
    if (isHiddenLink(value)) return hideLink(value, formerPath)
    if (!isObject(value)) return value
    // An empty @type marks an embedded value; its class does not matter.
    const hideIn = (name: string, one: unknown) =>
      name === '@type' ? '' : hide(one, `${formerPath}/${name}`)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hideIn(name, one)]))
  }

  function hideLink({ '@id': address, '@type': knownAs }: HiddenLink, formerPath: string): HiddenLink {
    linksById ??= Map.groupBy(links, ({ id }) => id)
    const known = linksById.get(idOf(address))?.find(({ property }) => property === formerPath)
    const className = known?.className ?? knownAs
    return { '@id': address, ...(className !== undefined && { '@type': className }) }
  }
}

/** The values of a member, with its links marked. */
const readMarked = (text: WholeText): Values =>
  readText(fillHoles(text, JSON.stringify(LINK_MARK).slice(1, -1)))

/** The same for each of many values. */
const withoutIndexes = (path: string): string => path.replace(/\/[0-9]+(?=\/)/g, '')

/** Neither a hidden link nor texts by language. */
const isEmbedded = (value: unknown): value is Values =>
  isObject(value) && Object.hasOwn(value, '@type') && !isHiddenLink(value)
