/** A lexical form of XSD's dates, times and durations, and its values. */
export interface LexicalForm {
  /** A regular expression for schemas, which also matches days that no calendar has. Several languages lack lookaheads. */
  readonly pattern: string
  /** Equal for equal values; undefined for a text that does not have this form. */
  readonly key: (text: string) => string | undefined
}

const DAY = '([0-9]{4}-[0-9]{2}-[0-9]{2})'
/** No leap second (XSD has none) and no 24:00:00: each moment has one spelling per zone. */
const CLOCK = '((?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])(?:\\.([0-9]+))?'
const ZONE = '(Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9]|[+-]14:00)'

const DATE = new RegExp(`^${DAY}$`)
const DATE_TIME = new RegExp(`^${DAY}T${CLOCK}${ZONE}$`)
const TIME = new RegExp(`^${CLOCK}${ZONE}?$`)
/** Seconds from before the first instant, 0001-01-01T00:00:00+14:00, to 1970. */
export const YEAR_ZERO = 62_167_219_200

/** Nine digits a number keep the sums below exact. */
const DURATION =
  /^(-?)P(?=[0-9T])(?:([0-9]{1,9})Y)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})D)?(?:T(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})(?:\.([0-9]+))?S)?)?$/

const numbers = (units: string): string[] => [...units].map((unit) => `[0-9]{1,9}${unit}`)

/** At least one unit, each at most once and in this order. */
const someOf = (units: readonly string[]): string =>
  units
    .map(
      (unit, index) =>
        unit +
        units
          .slice(index + 1)
          .map((later) => `(?:${later})?`)
          .join(''),
    )
    .join('|')

const CLOCK_UNITS = someOf([...numbers('HM'), '[0-9]{1,9}(?:\\.[0-9]+)?S'])

export const date: LexicalForm = {
  pattern: DATE.source,
  key: (text) => (isDay(DATE.exec(text)?.[1]) ? text : undefined),
}

/** The zone is required, so that the value is an instant: without one it could not be compared with others. */
export const dateTime: LexicalForm = {
  pattern: DATE_TIME.source,
  key: (text) => {
    const [, day, clock, fraction, zone] = DATE_TIME.exec(text) ?? []
    if (!isDay(day)) return undefined
    // Padded, so that text sorts as time does.
    const since = secondsAt(`${day}T${clock}${zone}`) + YEAR_ZERO
    return withFraction(String(since).padStart(12, '0'), fraction)
  },
}

/** Seconds since 1970 of the key of a dateTime, without their fraction. */
export const instantOfKey = (key: string): number => Number(key.slice(0, 12)) - YEAR_ZERO

/** Seconds since 1970: the first and the last second in UTC whose year has four digits and is not 0. */
export const FIRST_INSTANT = secondsAt('0001-01-01T00:00:00Z')
export const LAST_INSTANT = secondsAt('9999-12-31T23:59:59Z')

/** Without wrapping round midnight: 00:30+01:00 is half an hour before the day, not 23:30Z (XSD 1.1 part 2 §D.2.2). */
export const time: LexicalForm = {
  pattern: TIME.source,
  key: (text) => {
    const [, clock, fraction, zone] = TIME.exec(text) ?? []
    if (clock === undefined) return undefined
    const since = secondsAt(`1970-01-01T${clock}${zone ?? 'Z'}`)
    return (zone === undefined ? 'local ' : '') + withFraction(since, fraction)
  },
}

/** Months and seconds (XSD 1.1 part 2 §3.3.6): P1Y is P12M, and PT24H is P1D, but P1M is not P30D. */
export const duration: LexicalForm = {
  pattern: `^-?P(?:(?:${someOf(numbers('YMD'))})(?:T(?:${CLOCK_UNITS}))?|T(?:${CLOCK_UNITS}))$`,
  key: (text) => {
    const found = DURATION.exec(text)
    if (found === null) return undefined
    const [, minus, years = 0, months = 0, days = 0, hours = 0, minutes = 0, secs = 0, fraction] = found
    const total = Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(secs)
    const size = `${Number(years) * 12 + Number(months)} ${withFraction(total, fraction)}`
    return size === '0 0' ? size : minus + size
  },
}

/** Whether the calendar has such a day. In XSD 1.0 there is no year 0. */
function isDay(day = ''): boolean {
  // Date rolls 30 February over into March, so the day must have survived.
  return !day.startsWith('0000') && new Date(`${day}T00:00:00Z`).getUTCDate() === Number(day.slice(8))
}

/** Seconds since 1970; the expressions above have checked the instant. */
function secondsAt(instant: string): number {
  return Date.parse(instant) / 1000
}

function withFraction(whole: number | string, fraction = ''): string {
  let end = fraction.length
  while (fraction[end - 1] === '0') end--
  return end === 0 ? String(whole) : `${whole}.${fraction.slice(0, end)}`
}

/** The value 0.{digits} × 10^point; no zeros at either end of the digits, none at all for zero. */
export interface Decimal {
  readonly negative: boolean
  readonly digits: string
  readonly point: number
}

/**
 * The value of a JSON number or an xsd:decimal; the caller has checked its form. Loops and not patterns, which would
 * take quadratic time on a megabyte of zeros.
 */
export function decimalOf(source: string): Decimal {
  const mark = source.search(/[eE]/)
  const mantissa = source.slice(/^[+-]/.test(source) ? 1 : 0, mark < 0 ? undefined : mark)
  const dot = mantissa.indexOf('.')
  const whole = dot < 0 ? mantissa : mantissa.slice(0, dot)
  const digits = dot < 0 ? mantissa : whole + mantissa.slice(dot + 1)
  let start = 0
  while (digits[start] === '0') start++
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end--
  if (start === end) return { negative: false, digits: '', point: 0 }
  const exponent = mark < 0 ? 0 : Number(source.slice(mark + 1))
  return {
    negative: source.startsWith('-'),
    digits: digits.slice(start, end),
    point: whole.length - start + exponent,
  }
}

/** Decimals that were stored before there was a limit have at most a megabyte of digits, so the point is never further away. */
export const FARTHEST_POINT = 10_000_000

/** Text that sorts by value: sign, place of the point, digits (of a negative number their complements, and an end). */
export function decimalKey(source: string): string {
  const { negative, digits, point } = decimalOf(source)
  if (digits === '') return '1'
  const size = String(FARTHEST_POINT + point).padStart(8, '0') + digits
  return negative ? `0${size.replace(/[0-9]/g, (digit) => String(9 - Number(digit)))}~` : `2${size}`
}

/** The inverse of `decimalKey`. */
export function decimalOfKey(key: string): Decimal {
  if (key === '1') return { negative: false, digits: '', point: 0 }
  const negative = key.startsWith('0')
  const size = negative
    ? key.slice(1, -1).replaceAll(/[0-9]/g, (digit) => String(9 - Number(digit)))
    : key.slice(1)
  return { negative, digits: size.slice(8), point: Number(size.slice(0, 8)) - FARTHEST_POINT }
}

/** Whether reading the number as a JavaScript number, and writing it again, would change its value. */
export function losesDigits(source: string): boolean {
  const number = Number(source)
  const written = String(number)
  if (written === source) return false
  return !Number.isFinite(number) || decimalKey(source) !== decimalKey(written)
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
