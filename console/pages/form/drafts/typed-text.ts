import type { PropertyDescription } from 'hydrant-client'
import { isNumber, isOfCalendar, type Kind, type TextKind } from '../../../shared/values.ts'
import { parsed, type TextDraft, textOf, unwrapped } from './draft.ts'

/** `problem`: the rest of a sentence that begins with the label of the field. */
type TextReading = { readonly value: unknown } | { readonly problem: string }

export function readTyped(draft: TextDraft, property: PropertyDescription): TextReading {
  const { kind, given } = draft
  const original = given === undefined ? '' : textOf(kind, given)
  const typed = withLineEnds(draft.text, original)
  if (given !== undefined && typed === original) return { value: given }
  const text = kind === 'text' ? typed : typed.trim()
  if (text === '') return { value: undefined }
  const { form, words } = FORMS[kind] ?? {}
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? []
  if (form && !(form.test(text) && (!day || isOfCalendar(day)))) return { problem: `must be ${words}.` }
  const reading = READERS[kind]?.(text, given) ?? { value: text }
  const problem = 'problem' in reading ? undefined : checkBounds(kind, text, property)
  return problem === undefined ? reading : { problem }
}

/** For kinds whose values are not just text. `given`: the value as the API wrote it; some APIs write numbers as text. */
const READERS: Partial<Record<TextKind, (text: string, given: unknown) => TextReading>> = {
  boolean: (text) => ({ value: text === 'true' }),
  integer: readInteger,
  decimal: readDecimal,
  double: readDouble,
  link: (text) =>
    isAddress(text)
      ? { value: text }
      : { problem: `must be chosen from the list: "${text}" is only what you searched for.` },
  json: readAnything,
}

function readAnything(text: string): TextReading {
  const json = parsed(text)
  if (json === undefined) return { value: text }
  if (typeof json.value !== 'number' || !losesDigits(text)) return json
  const reason = Number.isFinite(json.value)
    ? 'has more digits than a number can hold'
    : 'is too large for a number'
  return { problem: `${reason}; to enter it as text, write "${text}" with the quotes.` }
}

/** An absolute address, or one from the root of the server. A name may contain a colon, too: `ISO:9001`. */
export const isAddress = (text: string): boolean =>
  /^(?:[a-z][a-z\d+.-]*:\/\/|\/)\S*$/i.test(text) || /^urn:\S*$/i.test(text)

const END = /\r\n|\r|\n/g

/** Browsers normalise line ends (HTML §4.10.11): unchanged lines get theirs back, new ones the first one of the text. */
export function withLineEnds(typed: string, original: string): string {
  if (typed.includes('\r') || !original.includes('\r')) return typed
  const ends = original.match(END) ?? []
  const was = original.split(END)
  const lines = typed.split(END)
  const shift = was.length - lines.length
  const before = sameFrom(lines, was)
  const after = sameFrom(lines.toReversed(), was.toReversed())
  const endOf = (index: number): string | undefined => {
    if (shift === 0 || index < before) return ends[index]
    return lines.length - index <= after ? ends[index + shift] : undefined
  }
  return lines
    .map((line, index) => (index < lines.length - 1 ? line + (endOf(index) ?? ends[0]) : line))
    .join('')
}

function sameFrom(lines: readonly string[], others: readonly string[]): number {
  const first = lines.findIndex((line, index) => line !== others[index])
  return first < 0 ? lines.length : first
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const DAY = '-?\\d{4,}-\\d{2}-\\d{2}'
const CLOCK = '\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?'
const ZONE = '(?:Z|[+-]\\d{2}:\\d{2})?'

/** XSD 1.1 part 2 §3.3; the server says whether a zone is needed. */
const FORMS: Partial<Record<Kind, { readonly form: RegExp; readonly words: string }>> = {
  integer: { form: /^[+-]?\d+(?:\.0*)?(?:e\+?\d+)?$/i, words: 'a whole number such as 12' },
  decimal: { form: NUMBER, words: 'a number such as 12.50, with a decimal point' },
  double: { form: NUMBER, words: 'a number such as 12.5' },
  date: { form: new RegExp(`^${DAY}${ZONE}$`), words: 'a date such as 2024-02-29' },
  dateTime: {
    form: new RegExp(`^${DAY}T${CLOCK}${ZONE}$`),
    words: 'a date and time with seconds and zone, such as 2024-02-29T12:30:00Z',
  },
  time: { form: new RegExp(`^${CLOCK}${ZONE}$`), words: 'a time with seconds, such as 12:30:00' },
  duration: {
    form: /^-?P(?=[\dT])(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/,
    words: 'a duration such as P1Y2M10D or PT2H30M',
  },
}

/** IEEE 754, which JSON numbers are read as (RFC 8259 §6). */
const TOO_LARGE = 'is too large: the largest number that can be sent is about 1.8e308.'

function readInteger(text: string, given: unknown): TextReading {
  if (typeof given === 'string') return { value: text }
  const value = Number(text)
  if (Number.isSafeInteger(value)) return { value: value + 0 }
  // RFC 7493 §2.2: a receiver may read a larger number inexactly.
  const most = Number.MAX_SAFE_INTEGER
  return { problem: `must be between -${most} and ${most}: larger numbers would lose digits.` }
}

function readDouble(text: string, given: unknown): TextReading {
  if (typeof given === 'string') return { value: text }
  if (!Number.isFinite(Number(text))) return { problem: TOO_LARGE }
  if (losesDigits(text)) return { problem: 'has more digits than can be stored (15 to 17).' }
  return { value: Number(text) + 0 }
}

/** Sent as text, so that 12.50 stays 12.50; as a number only if the API itself wrote one. */
function readDecimal(text: string, given: unknown): TextReading {
  // XSD 1.1 part 2 §3.3.3: no exponent.
  const decimal = !/e/i.test(text)
  if (decimal && typeof given !== 'number') return { value: text }
  if (!decimal && !Number.isFinite(Number(text))) return { problem: TOO_LARGE }
  if (!losesDigits(text)) return { value: Number(text) + 0 }
  return decimal ? { value: text } : { problem: 'must be written without an exponent, such as 12.50.' }
}

function losesDigits(text: string): boolean {
  const value = Number(text)
  return !Number.isFinite(value) || digitsOf(text) !== digitsOf(String(value))
}

/** The same for 012.50, 1.25e1 and 12.5. */
function digitsOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace(/^[+-]/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  const significant = digits.replace(/^0+/, '')
  const point = whole.length - (digits.length - significant.length) + Number(exponent)
  let end = significant.length
  while (significant[end - 1] === '0') end--
  return end === 0 ? '0' : `${significant.slice(0, end)}e${point}`
}

/** A problem that is certain, as the rest of a sentence. Whatever the server might accept is left to the server. */
function checkBounds(kind: TextKind, text: string, property: PropertyDescription): string | undefined {
  // Patterns are left to the server: those of another API may take exponential time.
  if (kind === 'text' || kind === 'iri') return checkLength(text, property)
  return isNumber(kind) ? checkRange(text, property) : undefined
}

/** Counts characters (SHACL §4.4.1), not UTF-16 units. */
function checkLength(text: string, { constraints }: PropertyDescription): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = constraints
  const length = [...text].length
  if (length < minLength) return `must have at least ${characters(minLength)}; it has ${length}.`
  if (length > maxLength) return `must have at most ${characters(maxLength)}; it has ${length}.`
  return undefined
}

const characters = (count: number): string => (count === 1 ? '1 character' : `${count} characters`)

const IMPLIED: Readonly<Record<string, { readonly least?: number; readonly most?: number }>> = {
  nonNegativeInteger: { least: 0 },
  positiveInteger: { least: 1 },
  nonPositiveInteger: { most: 0 },
  negativeInteger: { most: -1 },
}

/** Rounding keeps the order, so JavaScript numbers are exact enough. */
function checkRange(text: string, property: PropertyDescription): string | undefined {
  const { least, most } = boundsOf(property)
  if (least !== undefined && Number(text) < Number(least)) return `must be at least ${least}.`
  if (most !== undefined && Number(text) > Number(most)) return `must be at most ${most}.`
  return undefined
}

/** In the documentation, a bound with a fraction is a text, so that it is exact. */
export function boundsOf({ constraints, range = '' }: PropertyDescription) {
  const { least, most } = IMPLIED[range.split(/[#/]/).at(-1) ?? ''] ?? {}
  return { least: constraints.minimum ?? least, most: constraints.maximum ?? most }
}

export const choicesOf = ({ constraints }: PropertyDescription): readonly string[] | undefined =>
  constraints.values?.map((value) => String(unwrapped(value)))

/** Properties that may have a default that SHACL cannot express: "now", or several values. */
export const mayHaveDefault = ({ range = '', many }: PropertyDescription): boolean =>
  (many && !/#langString$/.test(range)) || /#(date|dateTime)$/.test(range)
