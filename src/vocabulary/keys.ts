import { wordsOf } from '../text.ts'
import { datatypeOf, type Literal } from './datatypes.ts'
import type { Class, Property } from './model.ts'

/**
 * What a store finds and sorts members by: computed when writing, the same for every store. Two values of a property
 * are equal where their keys are, and ordered as their keys are: numbers by size, strings by code point.
 */
export type Key = string | number

/** What a store must know of a property to keep its keys. */
export interface KeyShape {
  readonly property: string
  readonly many: boolean
  /** Only one member may have a value; never with `many`. */
  readonly unique: boolean
  /** Text that `contains` looks into, without regard to case. */
  readonly folded: boolean
}

/** Whether members can be found by it at all (hypermedia.md, Datatypes). */
export const isFilterable = ({ range }: Pick<Property, 'range'>): boolean =>
  range.kind === 'link' || (range.kind === 'datatype' && datatypeOf(range.datatype).filterable)

/** Whether two values of it can be told to be the same. */
export const hasKey = (property: Pick<Property, 'range'>): boolean => withoutKey(property) === undefined

/** What has no one value to compare, for a sentence; undefined for what has. */
export function withoutKey({ range }: Pick<Property, 'range'>): string | undefined {
  if (range.kind === 'embedded') return 'an embedded value'
  return range.kind === 'datatype' && range.datatype === 'langString' ? 'text by language' : undefined
}

/** The properties of a class that have keys, in the order of `Keys.values`. */
const keyedProperties = (cls: Class): Property[] =>
  cls.properties.filter(({ filterable, unique }) => filterable || unique)

export const keyShapes = (cls: Class): KeyShape[] =>
  keyedProperties(cls).map(({ name, many, unique, range }) => ({
    property: name,
    many,
    unique,
    folded: range.kind === 'datatype' && datatypeOf(range.datatype).family === 'text',
  }))

export interface Keys {
  /** One for each shape: null where the member has no value, a list where it may have many. */
  readonly values: readonly (Key | null | readonly Key[])[]
  /** Of all filterable strings, folded, for free text; each once. */
  readonly words: readonly string[]
}

/** `values`: canonical, as they are stored. */
export function keysOf(cls: Class, values: Readonly<Record<string, unknown>>): Keys {
  const words = new Set<string>()
  const keys = keyedProperties(cls).map((property) => {
    const value = Object.hasOwn(values, property.name) ? values[property.name] : undefined
    const all = value === undefined ? [] : Array.isArray(value) ? value : [value]
    if (isSearched(property))
      for (const text of all) for (const word of wordsOf(text as string)) words.add(word)
    const found = [...new Set(all.map((one) => keyOf(property, one as Literal)))]
    return property.many ? found : (found[0] ?? null)
  })
  return { values: keys, words: [...words] }
}

/** Whether `q` looks into it: hypermedia.md, "free text over the string properties". */
export const isSearched = ({ range, filterable }: Property): boolean =>
  filterable && range.kind === 'datatype' && range.datatype === 'string'

/** The key of one stored value; of a link, whose value is a path such as `/authors/7`, the id. */
export function keyOf({ range }: Property, value: Literal): Key {
  if (range.kind === 'datatype') return datatypeOf(range.datatype).key(value)
  return String(value).slice(String(value).lastIndexOf('/') + 1)
}

/** Numbers by size, before all text; text by its bytes in UTF-8, which is by code point. */
export function compareKeys(left: Key, right: Key): number {
  if (typeof left === 'number') return typeof right === 'number' ? left - right : -1
  if (typeof right === 'number') return 1
  if (left === right) return 0
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

export const least = (keys: readonly Key[]): Key | null =>
  keys.reduce<Key | null>((found, key) => (found === null || compareKeys(key, found) < 0 ? key : found), null)
