import type { PeriodUnit } from './summary-query.ts'

const DAY_MS = 86_400_000

/** The number of a year, a month or a day, so that those in between can be counted; undefined for anything else. */
export function periodNumber(text: string, unit: PeriodUnit): number | undefined {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(text) ?? []
  if (year === undefined) return undefined
  if (unit === 'year') return Number(year)
  if (unit === 'month') return Number(year) * 12 + Number(month) - 1
  return Date.parse(`${year}-${month}-${day}T00:00Z`) / DAY_MS
}

const STYLES = {
  year: { year: 'numeric' },
  month: { year: 'numeric', month: 'short' },
  day: { year: 'numeric', month: 'short', day: 'numeric' },
} as const

/** `1937`, `Sep 1937`, `Sep 21, 1937`. */
export function periodText(text: string, unit: PeriodUnit, locale?: string): string {
  const date = new Date(`${text}${'-01'.repeat({ year: 2, month: 1, day: 0 }[unit])}T00:00Z`)
  if (periodNumber(text, unit) === undefined || Number.isNaN(+date)) return text
  return new Intl.DateTimeFormat(locale, { ...STYLES[unit], timeZone: 'UTC' }).format(date)
}

export interface PeriodPoint<T> {
  /** From 0 to 1. */
  readonly x: number
  readonly value: number
  readonly row: T
}

/** Beyond this, periods without members are not drawn. */
const MOST_PERIODS = 2_000

/**
 * The points of a line, in lines without gaps. Where a period has no members, a count or a sum is 0, and any other figure
 * is unknown: `isZero` says which.
 */
export function linesOf<T>(
  rows: readonly { readonly period: number; readonly value: number | undefined; readonly row: T }[],
  isZero: boolean,
): readonly (readonly (PeriodPoint<T> | Omit<PeriodPoint<T>, 'row'>)[])[] {
  const sorted = rows.toSorted((one, other) => one.period - other.period)
  const first = sorted[0]?.period ?? 0
  const last = sorted.at(-1)?.period ?? 0
  const isFilled = isZero && last - first < MOST_PERIODS
  const xOf = (period: number) => (last === first ? 0.5 : (period - first) / (last - first))
  const lines: (PeriodPoint<T> | Omit<PeriodPoint<T>, 'row'>)[][] = []
  let next = Number.NaN
  for (const { period, value = isZero ? 0 : undefined, row } of sorted) {
    if (value === undefined) continue
    if (isFilled) for (; next < period; next += 1) lines.at(-1)?.push({ x: xOf(next), value: 0 })
    if (period !== next) lines.push([])
    lines.at(-1)?.push({ x: xOf(period), value, row })
    next = period + 1
  }
  return lines
}
