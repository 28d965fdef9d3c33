import { isObject, JsonNumber, type JsonValue } from '../json.ts'
import type { ProblemData } from '../problem.ts'
import {
  date,
  dateTime,
  decimalKey,
  decimalOf,
  duration,
  type LexicalForm,
  losesDigits,
  time,
  writtenOut,
} from './lexical-forms.ts'
import type { DatatypeName } from './model.ts'
import { isAbsoluteIri, RDF, XSD } from './names.ts'
import { type JsonKind, valueProblem } from './problems.ts'

/** Language-tagged text as JSON-LD maps it (JSON-LD 1.1 §4.2.4): one text for each language. */
export type LanguageMap = { readonly [tag: string]: string }

/** A value as it is stored, and served as JSON. */
export type Literal = string | number | boolean | LanguageMap

/** The result of reading a value: the value, or its problem. */
export type ValueReading<T = Literal> = { readonly value: T } | { readonly problem: ProblemData }

export interface Datatype {
  readonly iri: string
  /** Decides which constraints fit: lengths and patterns for text, bounds for numbers, none for texts by language. */
  readonly family: 'text' | 'number' | 'temporal' | 'boolean' | 'languages'
  /** hypermedia.md, Datatypes: time, duration and language-tagged text are stored and returned, not filterable. */
  readonly filterable: boolean
  readonly read: (value: JsonValue) => ValueReading
  /** For schemas: matches the text of a value. Undefined if values are not text, or may be any text. */
  readonly pattern?: string
  /** Equal for equal values that `read` returned. If the datatype is filterable, keys sort as values do. */
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

function moment(name: DatatypeName, { key, pattern }: LexicalForm, filterable = true): Datatype {
  const read = (value: JsonValue): ValueReading =>
    typeof value === 'string' && key(value) !== undefined ? { value } : wrong(name)
  const about = { pattern, read, key: (value: Literal) => key(String(value)) ?? '' }
  return xsd(name, { family: 'temporal', ...about }, filterable)
}

export const DATATYPES: Readonly<Record<DatatypeName, Datatype>> = {
  string: text('string', readString),
  boolean: xsd('boolean', { family: 'boolean', read: readBoolean, key: Number }),
  integer: number('integer', readInteger('integer', Number.NEGATIVE_INFINITY)),
  nonNegativeInteger: number('nonNegativeInteger', readInteger('nonNegativeInteger', 0)),
  positiveInteger: number('positiveInteger', readInteger('positiveInteger', 1)),
  decimal: number('decimal', readDecimal, (value) => decimalKey(String(value))),
  double: number('double', readDouble('double', Number.MAX_VALUE)),
  float: number('float', readDouble('float', 3.4028234663852886e38)),
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

/** The value does not have the form of the datatype. `value`: given if it already has the wrong JSON type. */
const wrong = (datatype: DatatypeName, value?: JsonValue) => ({
  problem: valueProblem('WrongDatatype', {
    datatype,
    ...(value !== undefined && { found: kindOf(value) }),
  }),
})

/** A string that every store can hold. */
function readString(value: JsonValue): ValueReading<string> {
  if (typeof value !== 'string') return wrong('string', value)
  // hypermedia.md, Filters: "U+0000 and lone surrogates in a string: 422."
  if (value.includes('\0')) return { problem: valueProblem('NulCharacter') }
  if (value.isWellFormed()) return { value }
  return { problem: valueProblem('LoneSurrogate') }
}

function kindOf(value: JsonValue): JsonKind {
  if (value === null) return 'null'
  if (value instanceof JsonNumber) return 'number'
  if (Array.isArray(value)) return 'list'
  return typeof value as JsonKind
}

/** The shape of RFC 5646 §2.1, as JSON-LD and Turtle ask for it. */
export const LANGUAGE_TAG = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/

const MAX_LANGUAGES = 1_000
const LONGEST_TAG = 100

function readLanguageMap(sent: JsonValue): ValueReading<LanguageMap> {
  if (!isObject(sent)) return wrong('langString')
  const texts = new Map<string, string>()
  // Null is no value (JSON-LD 1.1 §4.2.4).
  for (const [tag, text] of Object.entries(sent).filter(([, one]) => one !== null)) {
    if (tag.length > LONGEST_TAG || !LANGUAGE_TAG.test(tag))
      return { problem: valueProblem('InvalidLanguageTag', { tag: tag.slice(0, LONGEST_TAG) }) }
    const usual = usualSpelling(tag)
    if (texts.has(usual)) return { problem: valueProblem('DuplicateLanguage', { tag: usual }) }
    if (texts.size === MAX_LANGUAGES)
      return { problem: valueProblem('TooManyLanguages', { maxLanguages: MAX_LANGUAGES }) }
    const reading = readString(text)
    if ('problem' in reading)
      return { problem: valueProblem('InvalidText', { tag: usual, problem: reading.problem }) }
    texts.set(usual, reading.value)
  }
  if (texts.size === 0) return { problem: valueProblem('NoText') }
  return { value: Object.fromEntries(texts) }
}

/** Equal for equal texts in equal languages, in whatever order. */
const languageMapKey = (map: LanguageMap): string =>
  JSON.stringify(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/**
 * RFC 5646 §2.1.1: en-GB, zh-Hant-TW. Tags are equal regardless of case, and JSON-LD processors change it. A text that is
 * not a tag stays as it was sent, so that the problem names it.
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

function readBoolean(value: JsonValue): ValueReading {
  return typeof value === 'boolean' ? { value } : wrong('boolean', value)
}

/** A relative IRI would have another meaning after the server has moved. */
function readIri(value: JsonValue): ValueReading {
  return typeof value === 'string' && isAbsoluteIri(value) ? { value } : wrong('anyURI')
}

function readInteger(datatype: DatatypeName, least: number): Datatype['read'] {
  return (value) => {
    if (!(value instanceof JsonNumber)) return wrong(datatype, value)
    const read = Number(value.source)
    // RFC 7493 §2.2: beyond 2^53 - 1 a receiver may read another number than was sent.
    const exact = !losesDigits(value.source) && Math.abs(read) <= Number.MAX_SAFE_INTEGER
    if (!exact && !isFraction(value)) return { problem: valueProblem('LosesDigits', { datatype }) }
    if (!Number.isInteger(read) || !exact || read < least) return wrong(datatype)
    return { value: read + 0 }
  }
}

/** hypermedia.md, Datatypes: "A JSON number that would lose digits when read is a 422, never rounded silently." */
function readDouble(datatype: 'double' | 'float', greatest: number): Datatype['read'] {
  return (value) => {
    if (!(value instanceof JsonNumber)) return wrong(datatype, value)
    if (losesDigits(value.source)) return { problem: valueProblem('LosesDigits', { datatype }) }
    const read = Number(value.source)
    if (Math.abs(read) > greatest) return { problem: valueProblem('FloatOutOfRange') }
    return { value: read + 0 }
  }
}

/** XSD 1.1 part 2 §3.3.3. Linear on any input: a body may be a megabyte of digits. */
export const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/

/** hypermedia.md, Limits: PostgreSQL would compare only the beginning of a longer number. Zeros count too. */
const MAX_DIGITS = 100

const TOO_LONG: ValueReading = { problem: valueProblem('TooManyDigits', { maxDigits: MAX_DIGITS }) }

function readDecimal(value: JsonValue): ValueReading {
  const sent = value instanceof JsonNumber ? value.source : value
  if (typeof sent !== 'string' || (sent === value && !DECIMAL.test(sent))) return wrong('decimal')
  // An exponent may stand for any number of zeros, each of which is a digit.
  const [, exponent = '0'] = sent.split(/[eE]/)
  if (Math.abs(Number(exponent)) > MAX_DIGITS) return TOO_LONG
  const written = writtenOut(sent)
  return written.replaceAll(/[^0-9]/g, '').length > MAX_DIGITS ? TOO_LONG : { value: written }
}

function isFraction({ source }: JsonNumber): boolean {
  const { digits, point } = decimalOf(source)
  return digits.length > point
}
