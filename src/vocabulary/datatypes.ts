import { isObject, JsonNumber, type JsonValue } from '../json.ts'
import { show } from '../text.ts'
import {
  date,
  dateTime,
  decimalKey,
  decimalOf,
  duration,
  type Form,
  losesDigits,
  time,
  writtenOut,
} from './lexical-forms.ts'
import type { DatatypeName } from './model.ts'
import { isAbsoluteIri, RDF, XSD } from './names.ts'

/** Language-tagged text as JSON-LD maps it (JSON-LD 1.1 §4.2.4): one text for each language. */
export type LanguageMap = { readonly [tag: string]: string }

/** A value as it is stored, and served as JSON. */
export type Literal = string | number | boolean | LanguageMap

/** The value, or the end of a sentence that says what is wrong and what would be right. */
type Read<T> = { readonly value: T } | { readonly message: string }

export type Reading = Read<Literal>

export interface Datatype {
  readonly iri: string
  /** Decides which constraints fit: lengths and patterns for text, bounds for numbers, none for texts by language. */
  readonly family: 'text' | 'number' | 'temporal' | 'boolean' | 'languages'
  /** hypermedia.md, Datatypes: time, duration and language-tagged text are stored and returned, not filterable. */
  readonly filterable: boolean
  readonly read: (value: JsonValue) => Reading
  /** Of the text that values are written as, for schemas; undefined for values that are no text, or any text. */
  readonly pattern?: string
  /** Equal for equal values that `read` returned, and ordered as they are where the datatype is filterable. */
  readonly key: (value: Literal) => string | number
}

const xsd = (name: string, about: Omit<Datatype, 'iri' | 'filterable'>, filterable = true): Datatype => ({
  iri: XSD + name,
  filterable,
  ...about,
})

const text = (name: string, read: Datatype['read']) => xsd(name, { family: 'text', read, key: String })

const number = (name: string, read: Datatype['read'], key: Datatype['key'] = Number) =>
  xsd(name, { family: 'number', read, key })

function moment(name: string, { key, right, pattern }: Form, filterable = true): Datatype {
  const read = (value: JsonValue): Reading =>
    typeof value === 'string' && key(value) !== undefined ? { value } : { message: `must be ${right}.` }
  const about = { pattern, read, key: (value: Literal) => key(String(value)) ?? '' }
  return xsd(name, { family: 'temporal', ...about }, filterable)
}

export const DATATYPES: Readonly<Record<DatatypeName, Datatype>> = {
  string: text('string', readString),
  boolean: xsd('boolean', { family: 'boolean', read: readBoolean, key: Number }),
  integer: number('integer', readInteger('an integer such as -12', Number.NEGATIVE_INFINITY)),
  nonNegativeInteger: number('nonNegativeInteger', readInteger('an integer that is 0 or greater', 0)),
  positiveInteger: number('positiveInteger', readInteger('an integer that is 1 or greater', 1)),
  decimal: number('decimal', readDecimal, (value) => decimalKey(String(value))),
  double: number('double', readDouble(Number.MAX_VALUE)),
  float: number('float', readDouble(3.4028234663852886e38)),
  date: moment('date', date),
  dateTime: moment('dateTime', dateTime),
  time: moment('time', time, false),
  duration: moment('duration', duration, false),
  anyURI: text('anyURI', readIri),
  langString: {
    iri: `${RDF}langString`,
    family: 'languages',
    filterable: false,
    read: readLanguageMap,
    key: (value) => languageMapKey(value as LanguageMap),
  },
}

export const datatypeOf = (name: DatatypeName): Datatype => DATATYPES[name]

/** The name of a datatype with the usual prefix of its namespace. */
export const prefixed = (name: DatatypeName) => (name === 'langString' ? `rdf:${name}` : `xsd:${name}`)

export const isDatatypeName = (name: string): name is DatatypeName => Object.hasOwn(DATATYPES, name)

/** A string that every store can hold. */
function readString(value: JsonValue): Read<string> {
  if (typeof value !== 'string') return { message: `must be a string, not ${kindOf(value)}.` }
  // hypermedia.md, Filters: "U+0000 and lone surrogates in a string: 422."
  if (value.includes('\0')) return { message: 'must not contain the character U+0000.' }
  if (value.isWellFormed()) return { value }
  return { message: 'must not contain half a surrogate pair; send whole characters.' }
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (value instanceof JsonNumber) return 'a number'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The shape of RFC 5646 §2.1, as JSON-LD and Turtle ask for it. */
export const LANGUAGE_TAG = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/

const MAX_LANGUAGES = 1_000
const LONGEST_TAG = 100
const RIGHT = 'an object of texts by language such as {"en": "Hello", "de": "Hallo"}'

function readLanguageMap(sent: JsonValue): Read<LanguageMap> {
  if (!isObject(sent)) return { message: `must be ${RIGHT}.` }
  const texts = new Map<string, string>()
  // Null is no value (JSON-LD 1.1 §4.2.4).
  for (const [tag, text] of Object.entries(sent).filter(([, one]) => one !== null)) {
    if (tag.length > LONGEST_TAG || !LANGUAGE_TAG.test(tag)) {
      return { message: `must be ${RIGHT}; ${show(tag, 32)} is not a language tag such as "en" or "en-GB".` }
    }
    const usual = usualSpelling(tag)
    if (texts.has(usual)) return { message: `has two texts for "${usual}"; send one.` }
    if (texts.size === MAX_LANGUAGES) return { message: `must have at most ${MAX_LANGUAGES} languages.` }
    const reading = readString(text)
    if ('message' in reading) return { message: `the text for "${usual}" ${reading.message}` }
    texts.set(usual, reading.value)
  }
  if (texts.size === 0) return { message: `must have a text in at least one language: ${RIGHT}.` }
  return { value: Object.fromEntries(texts) }
}

/** Equal for equal texts in equal languages, in whatever order. */
const languageMapKey = (map: LanguageMap): string =>
  JSON.stringify(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/**
 * RFC 5646 §2.1.1: en-GB, zh-Hant-TW. Tags are equal regardless of case, and JSON-LD processors change it. What is no tag
 * stays as it was sent, for the sentence that says so.
 */
export function usualSpelling(tag: string): string {
  if (!LANGUAGE_TAG.test(tag)) return tag
  const lower = tag.toLowerCase()
  const singleton = lower.search(/(?:^|-)[a-z0-9](?:-|$)/)
  const end = singleton < 0 ? lower.length : singleton
  const upper = (part: string) => part.toUpperCase()
  const region = lower.slice(0, end).replaceAll(/-[a-z0-9]{2}(?=-|$)/g, upper)
  return region.replaceAll(/-[a-z](?=[a-z0-9]{3}(?:-|$))/g, upper) + lower.slice(end)
}

function readBoolean(value: JsonValue): Reading {
  return typeof value === 'boolean' ? { value } : { message: `must be true or false, not ${kindOf(value)}.` }
}

/** A relative IRI would have another meaning after the server has moved. */
function readIri(value: JsonValue): Reading {
  return typeof value === 'string' && isAbsoluteIri(value)
    ? { value }
    : { message: 'must be an absolute IRI such as https://example.org/about.' }
}

const BEYOND_EXACT = `would lose digits: it must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`

function readInteger(right: string, least: number): Datatype['read'] {
  return (value) => {
    if (!(value instanceof JsonNumber)) return { message: `must be ${right}, not ${kindOf(value)}.` }
    const read = Number(value.source)
    // RFC 7493 §2.2: beyond 2^53 - 1 a receiver may read another number than was sent.
    const exact = !losesDigits(value.source) && Math.abs(read) <= Number.MAX_SAFE_INTEGER
    if (!exact && !isFraction(value)) return { message: BEYOND_EXACT }
    if (!Number.isInteger(read) || !exact || read < least) return { message: `must be ${right}.` }
    return { value: read + 0 }
  }
}

/** hypermedia.md, Datatypes: "A JSON number that would lose digits when read is a 422, never rounded silently." */
function readDouble(greatest: number): Datatype['read'] {
  return (value) => {
    if (!(value instanceof JsonNumber))
      return { message: `must be a number such as 12.5, not ${kindOf(value)}.` }
    if (losesDigits(value.source))
      return { message: 'would lose digits: a double has 15 to 17 significant ones, up to about 1.8e308.' }
    const read = Number(value.source)
    if (Math.abs(read) > greatest) return { message: 'must be between -3.4028234e38 and 3.4028234e38.' }
    return { value: read + 0 }
  }
}

/** XSD 1.1 part 2 §3.3.3. Linear on any input: a body may be a megabyte of digits. */
export const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/

/** hypermedia.md, Limits: PostgreSQL would compare only the beginning of a longer one. Zeros count too. */
const MAX_DIGITS = 100

const TOO_LONG: Reading = { message: `must have at most ${MAX_DIGITS} digits.` }

function readDecimal(value: JsonValue): Reading {
  const sent = value instanceof JsonNumber ? value.source : value
  if (typeof sent !== 'string' || (sent === value && !DECIMAL.test(sent)))
    return { message: 'must be a decimal such as "12.50", as a string or a number.' }
  // An exponent may ask for any number of zeros: each is a digit.
  const [, exponent = '0'] = sent.split(/[eE]/)
  if (Math.abs(Number(exponent)) > MAX_DIGITS) return TOO_LONG
  const written = writtenOut(sent)
  return written.replaceAll(/[^0-9]/g, '').length > MAX_DIGITS ? TOO_LONG : { value: written }
}

function isFraction({ source }: JsonNumber): boolean {
  const { digits, point } = decimalOf(source)
  return digits.length > point
}
