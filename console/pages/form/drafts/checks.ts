import type { PropertyDescription } from '../../../../src/client/index.ts'
import { isObject, type TextKind } from '../../../shared/values.ts'

/** What is certainly wrong with a text, as the rest of a sentence. What the server might accept is left to it. */
export function checkText(kind: TextKind, text: string, property: PropertyDescription): string | undefined {
  switch (kind) {
    case 'text':
    case 'iri':
      // A pattern is left to the server: one of another API may take exponential time.
      return checkLength(text, property)
    case 'integer':
    case 'decimal':
    case 'double':
      return checkRange(text, property)
    case 'date':
    case 'dateTime':
    case 'time':
    case 'duration':
      return FORMS[kind].test(text) && isOfCalendar(text) ? undefined : `must be ${RIGHT[kind]}.`
    default:
      return undefined
  }
}

/** In characters, as people count them (SHACL §4.4.1), not in units of UTF-16. */
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

/** A bound with a fraction is text in the documentation, to be exact. */
export function boundsOf({ constraints, range = '' }: PropertyDescription): {
  readonly least: number | string | undefined
  readonly most: number | string | undefined
} {
  const implied = IMPLIED[range.split(/[#/]/).at(-1) ?? '']
  return { least: constraints.minimum ?? implied?.least, most: constraints.maximum ?? implied?.most }
}

const DAY = '-?\\d{4,}-\\d{2}-\\d{2}'
const CLOCK = '\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?'
const ZONE = '(?:Z|[+-]\\d{2}:\\d{2})?'

/** XSD 1.1 part 2 §3.3; the server says whether a zone is needed. */
const FORMS = {
  date: new RegExp(`^${DAY}${ZONE}$`),
  dateTime: new RegExp(`^${DAY}T${CLOCK}${ZONE}$`),
  time: new RegExp(`^${CLOCK}${ZONE}$`),
  duration: /^-?P(?=[\dT])(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/,
}

const RIGHT = {
  date: 'a date such as 2024-02-29',
  dateTime: 'a date and time with seconds and zone, such as 2024-02-29T12:30:00Z',
  time: 'a time with seconds, such as 12:30:00',
  duration: 'a duration such as P1Y2M10D or PT2H30M',
}

/** `Date` rolls 30 February over into March. */
function isOfCalendar(text: string): boolean {
  const [, day, number] = /^(\d{4}-\d{2}-(\d{2}))/.exec(text) ?? []
  if (day === undefined) return true
  const date = new Date(`${day}T00:00:00Z`)
  return date.getUTCDate() === Number(number)
}

/** A value of a shape may carry its type (JSON-LD 1.1 §9.5). */
export const unwrapped = (value: unknown): unknown =>
  isObject(value) && '@value' in value ? value['@value'] : value

export function choicesOf({ constraints }: PropertyDescription): readonly string[] | undefined {
  return constraints.values?.map((value) => String(unwrapped(value)))
}

/** These may have a default that SHACL cannot express: "now", or several values. */
export const mayHaveDefault = ({ range = '', many }: PropertyDescription): boolean =>
  (many && !/#langString$/.test(range)) || /#(date|dateTime)$/.test(range)
