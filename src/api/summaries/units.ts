import type { DateUnit } from '../../members/index.ts'
import type { FilterOperator } from '../query/parameters.ts'
import type { Path } from '../query/path.ts'

const LAST_YEAR = 9999

/**
 * The filters for the dates of a year, a month or a day, such as `1937-09`. The first and the last of all count everything
 * that is before or after them in UTC: 9999-12-31T23:00:00-14:00 is in the year 10000.
 */
export function boundsOf(
  { property: { range } }: Path,
  unit: DateUnit,
  key: string,
): [operator: FilterOperator, date: string][] {
  const isInstant = range.kind === 'datatype' && range.datatype === 'dateTime'
  const first = `${key}-01-01`.slice(0, 10)
  const next = nextOf(first, unit)
  const isFirst = isInstant && first === '0001-01-01'
  // A date for a dateTime is that whole day.
  if (unit === 'day' && !isFirst && next !== undefined) return [['eq', key]]
  const lower: [FilterOperator, string][] = isFirst ? [] : [['gte', first]]
  return next === undefined ? lower : [...lower, ['lt', next]]
}

/** The first day behind the unit that begins on this day; undefined behind the last year. */
function nextOf(first: string, unit: DateUnit): string | undefined {
  const day = new Date(`${first}T00:00:00Z`)
  if (unit === 'year') day.setUTCFullYear(day.getUTCFullYear() + 1)
  else if (unit === 'month') day.setUTCMonth(day.getUTCMonth() + 1)
  else day.setUTCDate(day.getUTCDate() + 1)
  return day.getUTCFullYear() > LAST_YEAR ? undefined : day.toISOString().slice(0, 10)
}
