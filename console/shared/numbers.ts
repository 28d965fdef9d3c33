import type { PropertyDescription } from 'hydrant-client'

/** What the description of a property says about how its numbers are shown. */
export type NumberProperty = Pick<PropertyDescription, 'constraints'> &
  Partial<Pick<PropertyDescription, 'always'>>

/** A longer number, which another API may send, stays as it is. */
const MOST_DIGITS = 200

/**
 * A number for people: 1,234,567.50, with the separators of the locale. It is never converted to a double, so no digit is
 * lost. `isWhole`: for an integer, which may be a year, so one of four digits has no separator.
 */
export function numberText(
  text: string,
  isWhole: boolean,
  { locale, property }: { readonly locale?: string | undefined; readonly property?: NumberProperty } = {},
): string {
  const [, sign, whole, fraction = ''] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined || text.length > MOST_DIGITS) return text
  const { scale, unique } = property?.constraints ?? {}
  // A number that identifies something, such as a user or an order, is read like a text.
  const isGrouped = !unique && property?.always === undefined
  const { group, point } = formatOf(locale, isWhole ? 'min2' : 'auto')
  const digits = scale === undefined ? fraction : withScale(fraction, scale)
  return `${sign}${isGrouped ? group(whole) : whole}${digits && point}${digits}`
}

/** Exactly `scale` digits, unless that would hide some: data may be older than the rule. */
const withScale = (fraction: string, scale: number): string =>
  fraction.slice(0, scale).padEnd(scale, '0') + withoutZeros(fraction.slice(scale))

function withoutZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

interface Format {
  readonly group: (digits: string) => string
  /** The separator before the fraction. */
  readonly point: string
}

/** Cached: creating a format takes longer than rendering a row of cells. */
const formats = new Map<string, Format>()

function formatOf(locale: string | undefined, useGrouping: 'min2' | 'auto'): Format {
  const key = `${useGrouping} ${locale}`
  const known = formats.get(key) ?? createFormat(locale, useGrouping)
  formats.set(key, known)
  return known
}

function createFormat(locale: string | undefined, useGrouping: 'min2' | 'auto'): Format {
  // One script for all digits: those of the fraction are not formatted.
  const format = new Intl.NumberFormat(locale, { numberingSystem: 'latn', useGrouping })
  const point = format.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  return { group: (digits) => format.format(BigInt(digits)), point }
}
