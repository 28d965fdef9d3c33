import { hash } from 'node:crypto'
import { foldingOnce, wordsIn } from '../folding.ts'
import { datatypeOf, type LanguageMap, type Literal } from './datatypes.ts'
import type { KeylessKind } from './file-problems.ts'
import { elementAt, type Indexed, indexed, indexKey, type Key, type KeyForm } from './index-keys.ts'
import { type Class, type DatatypeName, isLinkToAccount, type Property, type Range } from './model.ts'

export { isDatatypeName } from './datatypes.ts'
export type { HistoryRule } from './model.ts'

/** Increased when keys are computed in another way: stores then compute the keys of all members again. */
export const KEYS_VERSION = 4

export interface KeyShape {
  /** For properties that are unique together, all of their names (`togetherName`). */
  readonly property: string
  readonly many: boolean
  /** Only one member may have a value; never with `many`. */
  readonly unique: boolean
  /** Whether a column has what the key does not hold (`Indexed.whole`). */
  readonly long: boolean
  /** How many embedded values lead to the property; absent without `many`, and for a property of the class itself. */
  readonly depth?: number
  /** Whether it is a link of the class itself to accounts: absent if not. Stores keep the members of each account at hand. */
  readonly isToAccounts?: true
}

export const hasAccountLinks = (shapes: readonly KeyShape[]): boolean =>
  shapes.some(({ isToAccounts }) => isToAccounts === true)

/** A link that rules follow on the way to accounts: the log of changes keeps what it led to before and after each change. */
export interface FollowedLink {
  readonly property: string
  /** The class that it leads to. */
  readonly className: string
  readonly isToAccounts: boolean
}

/** Whether members can be found by such a property at all (hypermedia.md, Datatypes and Filters). */
export const isFilterable = ({ range }: Pick<Property, 'range'>): boolean =>
  range.kind === 'link' ||
  (range.kind === 'datatype' && (datatypeOf(range.datatype).filterable || isByLanguage(range)))

const isByLanguage = (range: Range): boolean => range.kind === 'datatype' && range.datatype === 'langString'

/** Whether a property has filters; text by language is found only by `q`. */
export const hasFilters = ({ range, filterable }: Property): boolean => filterable && !isByLanguage(range)

/** Why the values of a property cannot be compared; undefined if they can. */
export function keylessKind({ range }: Pick<Property, 'range'>): KeylessKind | undefined {
  if (range.kind === 'embedded') return 'embedded'
  return isByLanguage(range) ? 'languages' : undefined
}

/** The properties of a class that have keys, in the order of `Keys.values`. */
const keyedProperties = (cls: Class): readonly Property[] =>
  cls.collection === undefined
    ? []
    : [...cls.properties.filter((property) => hasFilters(property) || property.unique), ...cls.within]

/** How `keysOf` reads a member. Made once: that takes longer than the keys of a small member. */
interface KeyPlan {
  readonly searched: readonly SearchedProperty[]
  readonly keyed: readonly ReadKeys[]
}

/** `start`: a prefix of its words, if not everybody may find members by them. */
interface SearchedProperty {
  readonly name: string
  readonly start: string
}

type FoldText = (text: string) => string
type ReadKeys = (values: StoredValues, foldOnce: FoldText) => Keys['values'][number]

const keyPlans = new WeakMap<Class, KeyPlan>()

function planKeys(cls: Class): KeyPlan {
  const known = keyPlans.get(cls)
  if (known !== undefined) return known
  const plan: KeyPlan = {
    searched: searchedProperties(cls).map((property) => ({
      name: property.name,
      start: hasOwnWords(property) ? wordStart(property.name) : '',
    })),
    keyed: keyedProperties(cls).map(createReadKeys),
  }
  keyPlans.set(cls, plan)
  return plan
}

/** The properties within embedded values that have filters, named by their paths. */
export const filteredWithin = ({ collection, within }: Class): readonly Property[] =>
  collection === undefined ? [] : within

export const keyShapes = (cls: Class): KeyShape[] => [
  ...keyedProperties(cls).map((property) => {
    const { name, many, unique } = property
    const depth = many ? name.split('.').length - 1 : 0
    const isToAccounts = isLinkToAccount(property.range) && cls.properties.includes(property)
    return {
      ...{ property: name, many, unique, long: keyForm(property) !== 'short' },
      ...(depth > 0 && { depth }),
      ...(isToAccounts && { isToAccounts }),
    }
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
  return joinedKey(
    names.map((name) => properties.find((one) => one.name === name)),
    values,
  )
}

function joinedKey(
  properties: readonly (KeyedProperty | undefined)[],
  values: StoredValues,
): Key | undefined {
  const keys = properties.map((property) => {
    const [value] = property === undefined ? [] : listAt(values, property.name)
    return property === undefined || value == null ? undefined : keyOf(property, value as Literal)
  })
  return keys.includes(undefined) ? undefined : indexKey(JSON.stringify(keys))
}

/** The key as the index has it. */
export function togetherKeyOf(
  properties: readonly (KeyedProperty | undefined)[],
  values: StoredValues,
): Indexed | null {
  const key = joinedKey(properties, values)
  return key === undefined ? null : indexed(key, 'short')
}

/** A property, as far as its keys depend on it. */
export interface KeyedProperty extends Pick<Property, 'name' | 'many'> {
  readonly range:
    | { readonly kind: 'datatype'; readonly datatype: DatatypeName }
    | { readonly kind: 'link' | 'embedded' }
}

export function keyForm({ range }: Pick<KeyedProperty, 'range'>): KeyForm {
  if (range.kind !== 'datatype') return 'short'
  const { family } = datatypeOf(range.datatype)
  return family === 'text' ? 'text' : family === 'temporal' ? 'long' : 'short'
}

/** The key of a stored value as an index has it. */
export const indexedKey = (property: Property, value: Literal): Key =>
  indexed(keyOf(property, value), keyForm(property)).key

export interface Keys {
  /** One for each shape: null if the member has no value, a list if the property has many values. */
  readonly values: readonly (Indexed | null | readonly Indexed[])[]
  /** The distinct words of all texts that `q` searches, folded; those of a property for some users have a prefix. */
  readonly words: readonly string[]
}

/** The values of a member by property, as they are stored. */
type StoredValues = Readonly<Record<string, unknown>>

export function keysOf(cls: Class, values: StoredValues): Keys {
  const words = new Set<string>()
  const foldOnce = foldingOnce()
  const { searched, keyed } = planKeys(cls)
  for (const property of searched) addWords(words, property, values, foldOnce)
  const keys = keyed.map((readKeys) => readKeys(values, foldOnce))
  const together = cls.uniqueTogether.map((names) => {
    const key = togetherKey(cls, names, values)
    return key === undefined ? null : indexed(key, 'short')
  })
  return { values: together.length === 0 ? keys : [...keys, ...together], words: [...words] }
}

/** Reads the keys of one property, which may be within embedded values. */
export function createReadKeys(property: KeyedProperty): ReadKeys {
  const { name, many } = property
  const [form, keyOfValue] = [keyForm(property), createKeyOf(property)]
  const distinct = (list: readonly unknown[], foldOnce: FoldText) =>
    [...new Set(list.map((one) => keyOfValue(one as Literal)))].map((key) => indexed(key, form, foldOnce))

  if (name.includes('.'))
    return (values, foldOnce) => {
      const found = elementsAt(values, name).flatMap(({ indexes, list }) => {
        const element = many && indexes.length > 0 ? { element: elementAt(indexes) } : {}
        return distinct(list, foldOnce).map((key) => ({ ...key, ...element }))
      })
      return many ? found : (found[0] ?? null)
    }
  if (many) return (values, foldOnce) => distinct(listAt(values, name), foldOnce)
  return (values, foldOnce) => {
    const [value] = listAt(values, name)
    return value === undefined ? null : indexed(keyOfValue(value as Literal), form, foldOnce)
  }
}

/** Adds the words of one property of the class itself. */
export function addWords(
  words: Set<string>,
  { name, start }: SearchedProperty,
  values: StoredValues,
  foldOnce: FoldText,
): void {
  for (const value of listAt(values, name))
    for (const text of typeof value === 'string' ? [value] : Object.values(value as LanguageMap))
      for (const word of wordsIn(foldOnce(text))) words.add(start + indexKey(word))
}

/** The values at a path, for each embedded value that may have some. `indexes`: where the embedded value is. */
function elementsAt(values: StoredValues, path: string): { indexes: number[]; list: readonly unknown[] }[] {
  const dot = path.indexOf('.')
  if (dot < 0) return [{ indexes: [], list: listAt(values, path) }]
  return listAt(values, path.slice(0, dot)).flatMap((one, index) =>
    elementsAt(one as StoredValues, path.slice(dot + 1)).map(({ indexes, list }) => ({
      indexes: [index, ...indexes],
      list,
    })),
  )
}

export function listAt(values: StoredValues, name: string): readonly unknown[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

/** Whether its words are kept apart from those of others, since not everybody may find members by them. */
export const hasOwnWords = (property: Property): boolean =>
  property.view !== undefined && isSearched(property)

/**
 * The prefix of a property's words: no word has U+0080, and the tokenizer of SQLite takes it for a letter. A digest,
 * since a name may be longer than an index allows.
 */
export const wordStart = (name: string): string => `\u0080${hash('sha256', name, 'hex').slice(0, 12)}\u0080`

/** The prefixes of the words in its properties for some users. */
export const wordStarts = (cls: Class): string[] =>
  searchedProperties(cls)
    .filter(hasOwnWords)
    .map(({ name }) => wordStart(name))

/** The properties that `q` searches. */
export const searchedProperties = ({ collection, properties }: Class): readonly Property[] =>
  collection === undefined ? [] : properties.filter(isSearched)

/** Whether `q` searches it: hypermedia.md, "free text over the string and language-tagged properties". */
export const isSearched = ({ range, filterable }: Property): boolean =>
  filterable && range.kind === 'datatype' && (range.datatype === 'string' || isByLanguage(range))

/**
 * The whole key of a stored value: of a text, the text itself; of a link, whose value is a path such as `/authors/7`,
 * the id.
 */
export const keyOf = (property: Pick<KeyedProperty, 'range'>, value: Literal): Key =>
  createKeyOf(property)(value)

const createKeyOf = ({ range }: Pick<KeyedProperty, 'range'>): ((value: Literal) => Key) =>
  range.kind === 'datatype' ? datatypeOf(range.datatype).key : idOfPath

const idOfPath = (path: Literal): string => String(path).slice(String(path).lastIndexOf('/') + 1)
