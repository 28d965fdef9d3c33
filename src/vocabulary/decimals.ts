import type { Numeral } from '../json.ts'

/** Whether reading the number as a JavaScript number, and writing it again, would change its value. */
export function losesDigits({ source }: Numeral): boolean {
  const number = Number(source)
  return !Number.isFinite(number) || compareDecimals(source, String(number)) !== 0
}

/** The value 0.{digits} × 10^point; no zeros at either end of the digits, none at all for zero. */
interface Decimal {
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

/** Below, at or above zero as `a` is less than, equal to or greater than `b`: by value, whatever the spelling. */
export function compareDecimals(a: string, b: string): number {
  const left = decimalOf(a)
  const right = decimalOf(b)
  if (signOf(left) !== signOf(right)) return signOf(left) - signOf(right)
  if (left.point === right.point && left.digits === right.digits) return 0
  const smaller = left.point === right.point ? left.digits < right.digits : left.point < right.point
  return smaller === left.negative ? 1 : -1
}

const signOf = ({ negative, digits }: Decimal) => (digits === '' ? 0 : negative ? -1 : 1)
