// Finds the class, id and properties that data means: our own exports, CSV, json-server's db.json, tables of a database.
import { isObject, JsonNumber, type JsonObject, type JsonValue } from '../json.ts'
import { fold, percentDecoded, withUsualEncodings } from '../text.ts'
import {
  type Class,
  classIri,
  hasCollection,
  ID,
  isSingle,
  type Model,
  type Property,
  pathOf,
  pathTo,
  plural,
  storedClasses,
  vocabIri,
} from '../vocabulary/index.ts'
import { importProblem } from './problems.ts'

/** Which class a member of the data belongs to, and which id it asks for. */
export interface Identity {
  readonly cls: Class
  /** Undefined where the data gives none. */
  readonly id: string | undefined
}

/**
 * The base of relative addresses in JSON-LD until they are written in full: `/books/1` is a path below the base URL here,
 * and not on its host.
 */
export const RELATIVE = 'http://relative.invalid/'

const AT_TYPE = { at: { property: '@type' } }
const AT_ID = { at: { property: '@id' } }

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/

export type Addresses = ReturnType<typeof createAddresses>

export function createAddresses(model: Model, base: string) {
  const classes = storedClasses(model)
  const names = classes.map(({ name }) => name)
  const byType = new Map(
    classes.flatMap((cls) =>
      [cls.name, classIri(cls, base), vocabIri(base, cls.name)].map((type) => [type, cls] as const),
    ),
  )
  const collections = new Map(classes.filter(hasCollection).map((cls) => [cls.collection, cls]))
  const singles = new Map(classes.filter(isSingle).map((cls) => [cls.name, cls]))
  const only = collections.size === 1 ? [...collections.values()][0] : undefined

  /** An address as the data may write it, `http://…/books/1`, `/books/1` or `books/1`, in full. */
  const absolute = (address: string): string => {
    if (address.startsWith(RELATIVE)) return `${base}/${address.slice(RELATIVE.length)}`
    if (SCHEME.test(address) || address.startsWith('//')) return address
    return address.startsWith('/') ? base + address : `${base}/${address}`
  }

  function typed(type: JsonValue): Class {
    const [first, ...others] = (Array.isArray(type) ? type : [type]).map((one) => classOf(one))
    if (first === undefined || others.some((other) => other !== first))
      throw importProblem('NotOneClass', {}, AT_TYPE)
    return first
  }

  function classOf(type: JsonValue): Class {
    if (typeof type !== 'string') throw importProblem('NotAClassName', {}, AT_TYPE)
    const found = byType.get(type)
    if (found !== undefined) return found
    throw importProblem('UnknownClass', { name: type.slice(0, 100), known: names }, AT_TYPE)
  }

  function addressed(sent: JsonValue): Identity {
    const path = typeof sent === 'string' ? pathBelowBase(sent) : undefined
    const [encoded = '', id, ...more] = path?.split('/') ?? []
    // Exports are percent-encoded; people may write the letters themselves.
    const segment = percentDecoded(encoded) ?? encoded
    const single = id === undefined ? singles.get(segment) : undefined
    if (single !== undefined) return { cls: single, id: single.name }
    const cls = collections.get(segment)
    if (cls !== undefined && id !== undefined && more.length === 0 && ID.test(id)) return { cls, id }
    throw importProblem('NotAnAddress', { base, example: example() }, AT_ID)
  }

  function pathBelowBase(sent: string): string | undefined {
    const address = absolute(sent)
    return withUsualEncodings(address).startsWith(`${base}/`) ? address.slice(base.length + 1) : undefined
  }

  const example = (): string => {
    const [collection] = collections.keys()
    return collection === undefined ? pathTo(classes[0]?.name ?? '') : `${pathTo(collection)}/1`
  }

  return {
    absolute,
    /** The id from `id`, where that is not a property of the class, or as `@id` says it; throws where they differ. */
    idIn(values: JsonObject, { properties }: Class, id: string | undefined): string | undefined {
      const { id: sent = null } = values
      if (sent === null || properties.some(({ name }) => name === 'id')) return id
      delete values.id
      const text = idIn(sent)
      if (text === undefined || !ID.test(text))
        throw importProblem('InvalidId', {}, { at: { property: 'id' } })
      if (id === undefined || id === text) return text
      throw importProblem('ConflictingIds', { id: text, addressed: id }, { at: { property: 'id' } })
    },
    /** From the values of `@type` and `@id`, either of which may be absent; throws where they do not lead to a class. */
    identify(type: JsonValue | undefined, id: JsonValue | undefined): Identity {
      const cls = type === undefined ? undefined : typed(type)
      // A blank node has no name outside its document (RDF 1.1 §3.4).
      const isGiven = id !== undefined && !(typeof id === 'string' && id.startsWith('_:'))
      if (!isGiven) {
        const found = cls ?? only
        if (found === undefined) throw importProblem('MissingClass', { known: names }, AT_TYPE)
        return { cls: found, id: hasCollection(found) ? undefined : found.name }
      }
      const identity = addressed(id)
      if (cls === undefined || identity.cls === cls) return identity
      throw importProblem('AddressOfOtherClass', { className: identity.cls.name, type: cls.name }, AT_ID)
    },
  }
}

/** Writes the addresses of links in full, in place: within embedded values too. An id alone is an address as well. */
export function setLinkPaths(values: JsonObject, cls: Class, absolute: Addresses['absolute']): void {
  for (const { name, range } of cls.properties) {
    const value = values[name]
    if (value === undefined || range.kind === 'datatype') continue
    const change = (one: JsonValue): JsonValue => {
      if (range.kind === 'link') {
        const id = idIn(one)
        if (id !== undefined) return absolute(ID.test(id) ? `${pathTo(range.collection)}/${id}` : id)
      }
      if (!isObject(one)) return one
      if (range.kind === 'embedded') setLinkPaths(one, range.cls, absolute)
      else if (typeof one['@id'] === 'string') return { ...one, '@id': absolute(one['@id']) }
      return one
    }
    values[name] = Array.isArray(value) ? value.map(change) : change(value)
  }
}

/** The class for the name of a table, a list or a file: by its collection, else by its own name or the plural of that. */
export function findTable(model: Model, name: string): Class | undefined {
  const classes = storedClasses(model)
  const letters = (text: string) => fold(text).replaceAll(/[^\p{L}\p{N}]/gu, '')
  const isCalled = (one: string) => letters(one) === letters(name)
  return (
    classes.find((cls) => pathOf(cls) === name) ??
    classes.find((cls) => isCalled(cls.name)) ??
    classes.find((cls) => isCalled(plural(cls.name)))
  )
}

/** The property that a key means: by its name, by its title, or `authorId` and `author_id` for a link `author`. */
export function findProperty({ properties }: Pick<Class, 'properties'>, key: string): Property | undefined {
  const found = properties.find(({ name }) => name === key) ?? properties.find(({ title }) => title === key)
  if (found !== undefined) return found
  const names = linkNames(key)
  return properties.find(({ name, range }) => range.kind === 'link' && names.includes(name))
}

const SUFFIXES = ['Ids', '_ids', 'Id', '_id']

/** Names of the link that a key such as `authorId` stands for; none for any other key. */
export function linkNames(key: string): string[] {
  const suffix = SUFFIXES.find((one) => key.endsWith(one) && key.length > one.length)
  const stem = suffix === undefined ? undefined : key.slice(0, -suffix.length)
  return stem === undefined ? [] : [stem, plural(stem)]
}

/** The keywords of JSON-LD that data may have; they are no keys of properties, whatever the titles of those are. */
export const KEYWORDS = ['@id', '@type', '@context']

/** Renames keys to the properties that they mean, in place, unless the property is there too. */
export function renameKeys(values: JsonObject, cls: Class): void {
  for (const key of Object.keys(values)) {
    const property = KEYWORDS.includes(key) ? undefined : findProperty(cls, key)
    if (property === undefined) continue
    const value = values[key] as JsonValue
    if (property.range.kind === 'embedded')
      for (const one of [value].flat()) if (isObject(one)) renameKeys(one, property.range.cls)
    if (key === property.name || property.name in values) continue
    values[property.name] = value
    delete values[key]
  }
}

/** An id as data has it: text, or a number. */
export const idIn = (value: JsonValue | undefined): string | undefined =>
  value instanceof JsonNumber ? value.source : typeof value === 'string' ? value : undefined
