import { hash } from 'node:crypto'
import { fold, wordsOf } from '../text.ts'
import { datatypeOf, type LanguageMap, type Literal } from './datatypes.ts'
import type { KeylessKind } from './file-problems.ts'
import type { Class, Property, Range } from './model.ts'

/**
 * Stores find and sort members by keys, which are computed when writing, the same for every store. Equal values of a
 * property have equal keys, and keys sort as values do: numbers by size, strings by code point.
 */
export type Key = string | number

/** Raised when keys are computed in another way: stores then compute those of all members again. */
export const KEYS_VERSION = 2

export interface KeyShape {
  /** Of properties that are unique together: all of their names (`togetherName`). */
  readonly property: string
  readonly many: boolean
  /** Only one member may have a value; never with `many`. */
  readonly unique: boolean
  /** Whether keys may be cut (`indexKey`): the whole text is stored too, and the folded one for `contains`. */
  readonly long: boolean
}

/** Whether members can be found by such a property at all (hypermedia.md, Datatypes and Filters). */
export const isFilterable = ({ range }: Pick<Property, 'range'>): boolean =>
  range.kind === 'link' ||
  (range.kind === 'datatype' && (datatypeOf(range.datatype).filterable || isByLanguage(range)))

const isByLanguage = (range: Range): boolean => range.kind === 'datatype' && range.datatype === 'langString'

/** Whether a property has filters; text by language is found by `q` alone. */
export const hasFilters = ({ range, filterable }: Property): boolean => filterable && !isByLanguage(range)

/** Why the values of a property cannot be compared; undefined where they can. */
export function keylessKind({ range }: Pick<Property, 'range'>): KeylessKind | undefined {
  if (range.kind === 'embedded') return 'embedded'
  return isByLanguage(range) ? 'languages' : undefined
}

/** The properties of a class that have keys, in the order of `Keys.values`. */
const keyedProperties = (cls: Class): Property[] => [
  ...cls.properties.filter((property) => hasFilters(property) || property.unique),
  ...filteredLinks(cls),
]

/** The links within embedded values that have filters, named by their paths. */
export const filteredLinks = ({ collection, linksWithin }: Class): readonly Property[] =>
  collection === undefined ? [] : linksWithin

export const keyShapes = (cls: Class): KeyShape[] => [
  ...keyedProperties(cls).map((property) => {
    const { name, many, unique } = property
    return { property: name, many, unique, long: isLong(property) }
  }),
  ...cls.uniqueTogether.map((names) => {
    return { property: togetherName(names), many: false, unique: true, long: false }
  }),
]

/** The name of the key that several properties have together: no property has a space in its name. */
export const togetherName = (names: readonly string[]): string => names.join(' ')

/** The inverse: all of the properties that a key is made of. */
export const namesInKey = ({ property }: Pick<KeyShape, 'property'>): readonly string[] => property.split(' ')

/**
 * One key for all values of properties that are unique together (model.md): an index over their own keys would have longer
 * entries than PostgreSQL allows. Undefined where a value is missing, since such a member collides with nothing.
 */
export function togetherKey(
  { properties }: Class,
  names: readonly string[],
  values: StoredValues,
): Key | undefined {
  const keys = names.map((name) => {
    const property = properties.find((one) => one.name === name)
    const [value] = listAt(values, name)
    return property === undefined || value == null ? undefined : keyOf(property, value as Literal)
  })
  return keys.includes(undefined) ? undefined : indexKey(JSON.stringify(keys))
}

/** Text, and dateTimes with any number of fractional digits. Decimals have 100 digits at most; ids have no ranges. */
function isLong({ range }: Property): boolean {
  if (range.kind !== 'datatype') return false
  const { family } = datatypeOf(range.datatype)
  return family === 'text' || family === 'temporal'
}

export interface Indexed {
  /** Cut by `indexKey`. */
  readonly key: Key
  /** The whole text; null where the key is not cut. */
  readonly whole: string | null
  /** The folded text; null where it equals the whole text. */
  readonly folded: string | null
}

export function indexed(key: Key, long: boolean): Indexed {
  const cut = indexKey(key)
  if (typeof key === 'number' || !long) return { key: cut, whole: null, folded: null }
  const folded = fold(key)
  return { key: cut, whole: cut === key ? null : key, folded: folded === key ? null : folded }
}

export interface Keys {
  /** One for each shape: null where the member has no value, a list where it may have many. */
  readonly values: readonly (Indexed | null | readonly Indexed[])[]
  /** The distinct words of all texts that `q` searches, folded. */
  readonly words: readonly string[]
}

/** The values of a member by property, as they are stored. */
type StoredValues = Readonly<Record<string, unknown>>

export function keysOf(cls: Class, values: StoredValues): Keys {
  const words = new Set<string>()
  for (const property of cls.properties) {
    if (!isSearched(property)) continue
    for (const value of listAt(values, property.name))
      for (const text of typeof value === 'string' ? [value] : Object.values(value as LanguageMap))
        for (const word of wordsOf(text)) words.add(indexKey(word))
  }
  const keys = keyedProperties(cls).map((property) => {
    const all = property.name.includes('.')
      ? listWithin(values, property.name)
      : listAt(values, property.name)
    const whole = [...new Set(all.map((one) => keyOf(property, one as Literal)))]
    const found = whole.map((key) => indexed(key, isLong(property)))
    return property.many ? found : (found[0] ?? null)
  })
  const together = cls.uniqueTogether.map((names) => {
    const key = togetherKey(cls, names, values)
    return key === undefined ? null : indexed(key, false)
  })
  return { values: [...keys, ...together], words: [...words] }
}

const listWithin = (values: StoredValues, path: string): readonly unknown[] =>
  path
    .split('.')
    .reduce<readonly unknown[]>(
      (within, name) => within.flatMap((one) => listAt(one as StoredValues, name)),
      [values],
    )

export function listAt(values: StoredValues, name: string): readonly unknown[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

/** Whether `q` searches it: hypermedia.md, "free text over the string and language-tagged properties". */
export const isSearched = ({ range, filterable }: Property): boolean =>
  filterable && range.kind === 'datatype' && (range.datatype === 'string' || isByLanguage(range))

/** The whole key of a stored value. The key of a link, whose value is a path such as `/authors/7`, is the id. */
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

export const least = (keys: readonly Indexed[]): Indexed | null =>
  keys.reduce<Indexed | null>(
    (found, one) => (found === null || compareKeys(one.key, found.key) < 0 ? one : found),
    null,
  )

/** How many characters of a text an order compares (hypermedia.md, Filters): four such texts fit into a cursor. */
const LONGEST = 200

/**
 * A key as stores index it and as cursors carry it. Of a text beyond 200 characters (code points) that is its beginning
 * with a digest: all 256 bits of SHA-256, so that nobody finds two texts with one key, and equality and `unique` need no
 * look at the text. A key is longer than 200 characters only where it is cut; so it compares with a text of up to 200 as
 * the whole text does: either both differ from it within its length, or both begin with it and are longer.
 */
export function indexKey<T extends Key>(key: T): T | string {
  const head = headOf(key)
  return head === undefined ? key : head + hash('sha256', key as string, 'hex')
}

/** Sorts after every digest, which is hexadecimal. */
export const BEHIND_DIGESTS = 'g'

/** The beginning that a text beyond 200 characters shares with its key; undefined for all others. */
export function headOf(key: Key): string | undefined {
  if (typeof key === 'number' || key.length <= LONGEST) return undefined
  let end = 0
  for (let count = 0; count < LONGEST; count += 1) {
    if (end >= key.length) return undefined
    end += (key.codePointAt(end) as number) > 0xffff ? 2 : 1
  }
  return end < key.length ? key.slice(0, end) : undefined
}
