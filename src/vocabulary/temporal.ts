/** The lexical forms of XSD's dates, times and durations, and the values that they stand for. */
export interface Form {
  /** What would be right, for people. */
  readonly right: string
  /** Equal for equal values; undefined for what is not of this form. */
  readonly key: (text: string) => string | undefined
}

const DAY = '([0-9]{4})-([0-9]{2})-([0-9]{2})'
/** No leap second (XSD has none) and no 24:00:00: each moment has one spelling per zone. */
const CLOCK = '((?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])(?:\\.([0-9]+))?'
const ZONE = '(Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9]|[+-]14:00)'

const DATE = new RegExp(`^${DAY}$`)
const DATE_TIME = new RegExp(`^${DAY}T${CLOCK}${ZONE}$`)
const TIME = new RegExp(`^${CLOCK}${ZONE}?$`)
/** Seconds from before the first instant, 0001-01-01T00:00:00+14:00, to 1970. */
const YEAR_ZERO = 62_167_219_200

/** Nine digits a number keep the sums below exact. */
const DURATION =
  /^(-?)P(?=[0-9T])(?:([0-9]{1,9})Y)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})D)?(?:T(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})(?:\.([0-9]+))?S)?)?$/

export const date: Form = {
  right: 'a date of the calendar such as "2024-02-29"',
  key: (text) => {
    const [, year, month, day] = DATE.exec(text) ?? []
    return dayNumber(year, month, day) === undefined ? undefined : text
  },
}

/** The zone is required, so that the value is an instant: without one it could not be compared with others. */
export const dateTime: Form = {
  right:
    'a date and time with seconds and zone such as "2024-02-29T12:30:00Z" or "2024-02-29T14:30:00+02:00"',
  key: (text) => {
    const [, year, month, day, clock, fraction, zone] = DATE_TIME.exec(text) ?? []
    const days = dayNumber(year, month, day)
    if (days === undefined || clock === undefined) return undefined
    // Padded, so that text sorts as time does.
    const since = days * 86_400 + seconds(clock) - offset(zone) + YEAR_ZERO
    return withFraction(String(since).padStart(12, '0'), fraction)
  },
}

/** Without wrapping round midnight: 00:30+01:00 is half an hour before the day, not 23:30Z (XSD 1.1 part 2 §D.2.2). */
export const time: Form = {
  right: 'a time with seconds, with or without zone, such as "12:30:00" or "12:30:00+02:00"',
  key: (text) => {
    const [, clock, fraction, zone] = TIME.exec(text) ?? []
    if (clock === undefined) return undefined
    return (zone === undefined ? 'local ' : '') + withFraction(seconds(clock) - offset(zone), fraction)
  },
}

/** Months and seconds (XSD 1.1 part 2 §3.3.6): P1Y is P12M, and PT24H is P1D, but P1M is not P30D. */
export const duration: Form = {
  right: 'a duration such as "P1Y2M10D" or "PT2H30M", each number of at most nine digits',
  key: (text) => {
    const found = DURATION.exec(text)
    if (found === null) return undefined
    const [, minus, years = 0, months = 0, days = 0, hours = 0, minutes = 0, secs = 0, fraction] = found
    const total = Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(secs)
    const size = `${Number(years) * 12 + Number(months)} ${withFraction(total, fraction)}`
    return size === '0 0' ? size : minus + size
  },
}

/** Days since 1970; undefined where the calendar has no such day, and for the year 0, which XSD 1.0 does not know. */
function dayNumber(year = '', month = '', day = ''): number | undefined {
  const start = new Date(`${year}-${month}-${day}T00:00:00Z`)
  // Date rolls 30 February over into March, so the day must have survived.
  if (year === '0000' || Number.isNaN(start.getTime()) || start.getUTCDate() !== Number(day)) return undefined
  return start.getTime() / 86_400_000
}

function seconds(clock: string): number {
  const [hours, minutes, secs = 0] = clock.split(':')
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(secs)
}

function offset(zone = 'Z'): number {
  if (zone === 'Z') return 0
  return seconds(zone.slice(1)) * (zone.startsWith('-') ? -1 : 1)
}

function withFraction(whole: number | string, fraction = ''): string {
  let end = fraction.length
  while (fraction[end - 1] === '0') end--
  return end === 0 ? String(whole) : `${whole}.${fraction.slice(0, end)}`
}
