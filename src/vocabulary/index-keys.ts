import { hash } from 'node:crypto'
import { fold } from '../folding.ts'

/**
 * Stores find and sort members by keys, which are computed when writing, the same for every store. Equal values of a
 * property have equal keys, and keys sort as values do: numbers by size, moments in time, and text as people sort it
 * (`textKey`). Keys that are strings compare by code point.
 */
export type Key = string | number

/**
 * How the keys of a property are made of its values. `text`: by `textKey`. `long`: a text that may be cut, such as a dateTime
 * with any number of fractional digits. `short`: numbers, decimals of 100 digits at most, and ids, which have no ranges.
 */
export type KeyForm = 'text' | 'long' | 'short'

export interface Indexed {
  /** The key as an index has it. */
  readonly key: Key
  /** The whole value for ranges and `contains`, folded if it is a text; null if the key holds all of it. */
  readonly whole: string | null
  /** The embedded value that has it, of a property within embedded values (`elementAt`); absent for any other. */
  readonly element?: number
}

/** A list has at most 1,000 values (`MAX_VALUES`), and a path leads through three embedded values at most. */
const ELEMENT_BITS = 10
const DEEPEST_ELEMENT = 3

/**
 * A number for an embedded value, by its index in each list on the way to it: 2 and 0 for `lines/2/parts/0`. The values of
 * one embedded value have one number, and those within it numbers that agree with it (`elementShift`).
 */
export const elementAt = (indexes: readonly number[]): number =>
  indexes.reduce((number, index, level) => number + ((index + 1) << elementShift(level + 1)), 0)

/** Shifted to the right by this, two numbers are equal if both are within one embedded value of this depth. */
export const elementShift = (depth: number): number => ELEMENT_BITS * (DEEPEST_ELEMENT - depth)

export function indexed(key: Key, form: KeyForm, foldText = fold): Indexed {
  if (form === 'text') return indexedText(String(key), foldText(String(key)))
  const cut = indexKey(key)
  return { key: cut, whole: form === 'long' && cut !== key ? String(key) : null }
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

/** How many characters of a folded text an order compares (hypermedia.md, Filters): four such texts fit into a cursor. */
const LONGEST = 200

/**
 * The key of any value but text, and of a word. Beyond 200 characters (code points) that is the beginning with a digest: all
 * 256 bits of SHA-256, so that nobody finds two texts with one key, and equality and `unique` need no look at the text. A key
 * is longer than 200 characters only where it is cut; so it compares with a text of up to 200 as the whole text does: either
 * both differ from it within its length, or both begin with it and are longer.
 */
export function indexKey<T extends Key>(key: T): T | string {
  const head = headOf(key)
  return head === undefined ? key : head + digestOf(key as string)
}

const digestOf = (text: string): string => hash('sha256', text, 'hex')

/** Sorts after every digest, which is hexadecimal. */
const BEHIND_DIGESTS = 'g'

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

/** Stands behind a folded text, before every character that a longer one has there (`escaped`). */
const END = '\u0001'
/** Stands behind the beginning of a folded text that is cut: it is greater than a text that ends there. */
const CUT = '\u0002'
const BEHIND_CUT = '\u0003'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are escaped
const MARKS = /[\0-\u0002]/

/** In the same order, and without END; a text without these characters, as nearly every one, stays as it is. */
const escaped = (text: string): string =>
  MARKS.test(text)
    ? text.replaceAll(RegExp(MARKS, 'g'), (one) => CUT + String.fromCharCode(one.charCodeAt(0) + 2))
    : text

/**
 * The key of a text: the folded text, END and the text itself, so that one index sorts members as people do, with equal
 * folded texts by code point, and finds a text exactly. Where one of the two is longer than 200 characters, the key has the
 * beginning of the folded text and a digest of the text.
 */
export const textKey = (text: string): string => indexedText(text, fold(text)).key

function indexedText(text: string, folded: string): Indexed & { readonly key: string } {
  const head = headOf(folded)
  const beginning = escaped(head ?? folded)
  const exact = head === undefined && headOf(text) === undefined ? text : digestOf(text)
  const isHeld = beginning === folded
  return { key: beginning + (head === undefined ? END : CUT) + exact, whole: isHeld ? null : folded }
}

/** The form of a text's key in a cursor, as the key is twice as long: the text itself, if the key follows from it. */
export function shortenedKey(key: string): string {
  const text = key.slice(key.indexOf(END) + 1)
  return textKey(text) === key ? `=${text}` : `~${key}`
}

/** The inverse of `shortenedKey`. */
export const restoredKey = (shortened: string): string =>
  shortened.startsWith('=') ? textKey(shortened.slice(1)) : shortened.slice(1)

export interface Bounds {
  readonly from?: Bound | undefined
  readonly to?: Bound | undefined
}

export interface Bound {
  readonly key: Key
  readonly inclusive: boolean
}

/**
 * The range of an index between two bounds, which are folded texts or keys, whatever their length. All texts that share the
 * beginning of a bound that is cut are within the range: they are compared again by what is stored as a whole.
 */
export function indexBounds({ from, to }: Bounds, form: KeyForm): Bounds {
  const [lower, upper] = form === 'text' ? [lowerOfTexts, upperOfTexts] : [lowerOfKeys, upperOfKeys]
  return {
    ...(from && { from: lower(from, headOf(from.key)) }),
    ...(to && { to: upper(to, headOf(to.key)) }),
  }
}

type ToIndex = (bound: Bound, head: string | undefined) => Bound

const lowerOfKeys: ToIndex = (bound, head) => (head === undefined ? bound : { key: head, inclusive: false })

const upperOfKeys: ToIndex = (bound, head) =>
  head === undefined ? bound : { key: head + BEHIND_DIGESTS, inclusive: false }

const lowerOfTexts: ToIndex = ({ key, inclusive }, head) => ({
  key: escaped(head ?? String(key)) + (head === undefined && inclusive ? '' : CUT),
  inclusive: true,
})

const upperOfTexts: ToIndex = ({ key, inclusive }, head) => ({
  key: escaped(head ?? String(key)) + (head === undefined ? (inclusive ? CUT : '') : BEHIND_CUT),
  inclusive: false,
})

/** All texts that begin so, as a range by code point. */
export function textsBeginningWith(prefix: string): Bounds {
  const from: Bound = { key: prefix, inclusive: true }
  const after = nextText(prefix)
  return after === undefined ? { from } : { from, to: { key: after, inclusive: false } }
}

/** The least text after all texts with this prefix; undefined if the prefix is all U+10FFFF, the last code point. */
export function nextText(prefix: string): string | undefined {
  const points = [...prefix]
  while (points.at(-1) === '\u{10ffff}') points.pop()
  const last = points.pop()?.codePointAt(0)
  if (last === undefined) return undefined
  // Surrogates are no characters: U+E000 follows U+D7FF.
  const next = last === 0xd7ff ? 0xe000 : last + 1
  return points.join('') + String.fromCodePoint(next)
}
