// Finds the classes and properties that names in data stand for: our own exports, CSV, json-server's db.json, tables of
// a database.

import { foldCase } from '../folding.ts'
import { isObject, JsonNumber, type JsonObject, type JsonValue } from '../json.ts'
import { Problem, type ProblemData } from '../problem.ts'
import {
  type Class,
  ID,
  isLinkToAccount,
  type Model,
  type Property,
  pathOf,
  pathTo,
  plural,
  storedClasses,
} from '../vocabulary/index.ts'
import { importViolation } from './problems.ts'

/** How the addresses of links are read. */
export interface LinkReader {
  /** An address as the data may write it, in full. */
  absolute(address: string): string
  /** The address of an account, by its id, its name or its address; undefined for the name of nobody. */
  account(text: string): string | undefined
}

/**
 * Makes the addresses of links absolute, in place, within embedded values too. An id alone counts as an address, and so does
 * the name of a user in a link to an account. Throws the violations of names that nobody has.
 */
export function setLinkPaths(values: JsonObject, cls: Class, reader: LinkReader): void {
  const violations: ProblemData[] = []
  setPathsWithin(values, cls, { ...reader, violations, path: '' })
  if (violations.length > 0) throw new Problem('ValidationFailed', {}, { violations })
}

interface PathsContext extends LinkReader {
  readonly violations: ProblemData[]
  /** Of the embedded value that the links are in. */
  readonly path: string
}

function setPathsWithin(values: JsonObject, cls: Class, context: PathsContext): void {
  const { absolute, account, violations, path } = context
  for (const { name, range } of cls.properties) {
    const value = values[name]
    if (value === undefined || range.kind === 'datatype') continue
    const addressIn = (text: string): string => {
      if (!isLinkToAccount(range)) return absolute(text)
      const found = account(text)
      if (found === undefined) violations.push(importViolation('UnknownAccount', path + name, { name: text }))
      return found ?? text
    }
    const change = (one: JsonValue): JsonValue => {
      if (range.kind === 'link') {
        const id = idIn(one)
        if (id !== undefined && isLinkToAccount(range)) return addressIn(id)
        if (id !== undefined) return absolute(ID.test(id) ? `${pathTo(range.collection)}/${id}` : id)
      }
      if (!isObject(one)) return one
      if (range.kind === 'embedded') setPathsWithin(one, range.cls, { ...context, path: `${path}${name}/` })
      else if (typeof one['@id'] === 'string') return { ...one, '@id': addressIn(one['@id']) }
      return one
    }
    values[name] = Array.isArray(value) ? value.map(change) : change(value)
  }
}

/** The class for the name of a table, a list or a file. */
export const findTable = (model: Model, name: string): Class | undefined =>
  findTableIn(storedClasses(model), name, pathOf)

/** Finds a class by its collection or its title, else by its own name or the plural of that. */
export function findTableIn<Named extends Pick<Class, 'name' | 'title' | 'collection'>>(
  classes: readonly Named[],
  name: string,
  pathOf: (cls: Named) => string | undefined = ({ collection }) => collection,
): Named | undefined {
  const letters = (text: string) => foldCase(text).replaceAll(/[^\p{L}\p{N}]/gu, '')
  const isCalled = (one: string) => letters(one) === letters(name)
  return (
    classes.find(({ title, name: own }) => title === name && title !== own) ??
    classes.find((cls) => pathOf(cls) === name) ??
    classes.find((cls) => isCalled(cls.name)) ??
    classes.find((cls) => isCalled(plural(cls.name))) ??
    // The proposed class of a table whose name is reserved.
    classes.find((cls) => letters(plural(cls.name)) === letters(`my${name}`))
  )
}

/** The property that a key stands for: by its name, by its title, or `authorId` and `author_id` for a link `author`. */
export function findProperty<Named extends NamedProperty>(
  { properties }: { readonly properties: readonly Named[] },
  key: string,
): Named | undefined {
  const found = properties.find(({ name }) => name === key) ?? properties.find(({ title }) => title === key)
  if (found !== undefined) return found
  const names = linkNames(key)
  return properties.find(({ name, range }) => range.kind === 'link' && names.includes(name))
}

/** The properties by whose value alone a member can be found. */
export const uniqueIn = ({ properties }: Class): readonly Property[] =>
  properties.filter(({ unique, range }) => unique && range.kind === 'datatype')
/** The parts of a property by which it is found. */
type NamedProperty = Pick<Property, 'name' | 'title'> & { readonly range: Pick<Property['range'], 'kind'> }

const SUFFIXES = ['Ids', '_ids', 'Id', '_id']

/** Names of the link that a key such as `authorId` stands for; none for any other key. */
export function linkNames(key: string): string[] {
  const suffix = SUFFIXES.find((one) => key.endsWith(one) && key.length > one.length)
  const stem = suffix === undefined ? undefined : key.slice(0, -suffix.length)
  return stem === undefined ? [] : [stem, plural(stem)]
}

/** The keywords of JSON-LD that data may have; they never stand for a property, whatever its title is. */
export const KEYWORDS = ['@id', '@type', '@context']

/** Renames keys to the properties that they stand for, in place, unless the data has the property too. */
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
