import { type JsonValue, Numeral } from '../json.ts'
import { decimalOf, losesDigits } from './decimals.ts'
import {
  date,
  dateTime,
  duration,
  type Form,
  kindOf,
  type LanguageMap,
  languageMapKey,
  type Read,
  readLanguageMap,
  readString,
  time,
} from './lexical-forms.ts'
import { isAbsoluteIri, RDF, XSD } from './names.ts'

/** A value as it is stored, and served as JSON. */
export type Literal = string | number | boolean | LanguageMap

export type Reading = Read<Literal>

export interface Datatype {
  readonly iri: string
  /** Which constraints fit: lengths and patterns to text, bounds to numbers, none to texts by language. */
  readonly family: 'text' | 'number' | 'temporal' | 'boolean' | 'languages'
  /** hypermedia.md, Datatypes: time, duration and language-tagged text are stored and returned, not filterable. */
  readonly filterable: boolean
  readonly read: (value: JsonValue) => Reading
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

function moment(name: string, { key, right }: Form, filterable = true): Datatype {
  const read = (value: JsonValue): Reading =>
    typeof value === 'string' && key(value) !== undefined ? { value } : { message: `must be ${right}.` }
  return xsd(name, { family: 'temporal', read, key: (value) => key(String(value)) ?? '' }, filterable)
}

export const DATATYPES = {
  string: text('string', readString),
  boolean: xsd('boolean', { family: 'boolean', read: readBoolean, key: Number }),
  integer: number('integer', readInteger('an integer such as -12', Number.NEGATIVE_INFINITY)),
  nonNegativeInteger: number('nonNegativeInteger', readInteger('an integer that is 0 or greater', 0)),
  positiveInteger: number('positiveInteger', readInteger('an integer that is 1 or greater', 1)),
  decimal: number('decimal', readDecimal, decimalKey),
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
} satisfies Record<string, Datatype>

export type DatatypeName = keyof typeof DATATYPES

export const DATATYPE_NAMES = Object.keys(DATATYPES) as DatatypeName[]

export const datatypeOf = (name: DatatypeName): Datatype => DATATYPES[name]

export const isDatatypeName = (name: string): name is DatatypeName => Object.hasOwn(DATATYPES, name)

function readBoolean(value: JsonValue): Reading {
  return typeof value === 'boolean' ? { value } : { message: `must be true or false, not ${kindOf(value)}.` }
}

/** A relative one would mean something else after the server has moved, so only absolute ones are accepted. */
function readIri(value: JsonValue): Reading {
  return typeof value === 'string' && isAbsoluteIri(value)
    ? { value }
    : { message: 'must be an absolute IRI such as https://example.org/about.' }
}

const BEYOND_EXACT = `would lose digits: it must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`

function readInteger(right: string, least: number): Datatype['read'] {
  return (value) => {
    if (!(value instanceof Numeral)) return { message: `must be ${right}, not ${kindOf(value)}.` }
    const read = Number(value.source)
    // RFC 7493 §2.2: beyond 2^53 - 1 a receiver may read another number than was sent.
    const exact = !losesDigits(value) && Math.abs(read) <= Number.MAX_SAFE_INTEGER
    if (!exact && !isFraction(value)) return { message: BEYOND_EXACT }
    if (!Number.isInteger(read) || !exact || read < least) return { message: `must be ${right}.` }
    return { value: read + 0 }
  }
}

/** hypermedia.md, Datatypes: "A JSON number that would lose digits when read is a 422, never rounded silently." */
function readDouble(greatest: number): Datatype['read'] {
  return (value) => {
    if (!(value instanceof Numeral))
      return { message: `must be a number such as 12.5, not ${kindOf(value)}.` }
    if (losesDigits(value))
      return { message: 'would lose digits: a double has 15 to 17 significant ones, up to about 1.8e308.' }
    const read = Number(value.source)
    if (Math.abs(read) > greatest) return { message: 'must be between -3.4028234e38 and 3.4028234e38.' }
    return { value: read + 0 }
  }
}

/** XSD 1.1 part 2 §3.3.3. Linear on any input: a body may be a megabyte of digits. */
export const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/

/** hypermedia.md, Limits: of a longer one PostgreSQL would compare the beginning. All that are stored count, zeros too. */
const MAX_DIGITS = 100

const TOO_LONG: Reading = { message: `must have at most ${MAX_DIGITS} digits.` }

function readDecimal(value: JsonValue): Reading {
  const sent = value instanceof Numeral ? value.source : value
  if (typeof sent !== 'string' || (sent === value && !DECIMAL.test(sent)))
    return { message: 'must be a decimal such as "12.50", as a string or a number.' }
  // An exponent may ask for any number of zeros: each is a digit.
  const [, exponent = '0'] = sent.split(/[eE]/)
  if (Math.abs(Number(exponent)) > MAX_DIGITS) return TOO_LONG
  const written = writtenOut(sent)
  return written.replaceAll(/[^0-9]/g, '').length > MAX_DIGITS ? TOO_LONG : { value: written }
}

/** xsd:decimal knows no exponent: 1.50e1 becomes 15.0, with the digits that were sent. */
export function writtenOut(source: string): string {
  const [mantissa = '', exponent] = source.split(/[eE]/)
  if (exponent === undefined) return source
  const shift = Number(exponent)
  const minus = mantissa.startsWith('-') ? '-' : ''
  const [whole = '', fraction = ''] = mantissa.slice(minus.length).split('.')
  const digits = '0'.repeat(Math.max(0, 1 - whole.length - shift)) + whole + fraction
  const point = Math.max(1, whole.length + shift)
  const padded = digits.padEnd(point, '0')
  return minus + padded.slice(0, point) + (padded.length > point ? `.${padded.slice(point)}` : '')
}

/** What was stored before there was a limit has at most a megabyte of digits: the point is never further away. */
const FARTHEST_POINT = 10_000_000

/** Text that sorts by value: sign, place of the point, digits (of a negative number their complements, and an end). */
function decimalKey(value: Literal): string {
  const { negative, digits, point } = decimalOf(String(value))
  if (digits === '') return '1'
  const size = String(FARTHEST_POINT + point).padStart(8, '0') + digits
  return negative ? `0${size.replace(/[0-9]/g, (digit) => String(9 - Number(digit)))}~` : `2${size}`
}

function isFraction({ source }: Numeral): boolean {
  const { digits, point } = decimalOf(source)
  return digits.length > point
}
