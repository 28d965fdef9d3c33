import { isObject, type JsonValue, Numeral } from '../json.ts'

/** What was sent, read; or what is wrong with it and what would be right, as the rest of a sentence. */
export type Read<T> = { readonly value: T } | { readonly message: string }

/** A string that can be stored alike on every store. */
export function readString(value: JsonValue): Read<string> {
  if (typeof value !== 'string') return { message: `must be a string, not ${kindOf(value)}.` }
  // hypermedia.md, Filters: "U+0000 and lone surrogates in a string: 422."
  if (value.includes('\0')) return { message: 'must not contain the character U+0000.' }
  if (value.isWellFormed()) return { value }
  return { message: 'must not contain half a surrogate pair; send whole characters.' }
}

export function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (value instanceof Numeral) return 'a number'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Language-tagged text as JSON-LD maps it (JSON-LD 1.1 §4.2.4): one text for each language. */
export type LanguageMap = { readonly [tag: string]: string }

/** The shape of RFC 5646 §2.1, as JSON-LD and Turtle ask for it. */
const TAG = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/

const MOST_LANGUAGES = 1_000
const LONGEST_TAG = 100
const RIGHT = 'an object of texts by language such as {"en": "Hello", "de": "Hallo"}'

export function readLanguageMap(sent: JsonValue): Read<LanguageMap> {
  if (!isObject(sent)) return { message: `must be ${RIGHT}.` }
  const texts = new Map<string, string>()
  // Null is no value (JSON-LD 1.1 §4.2.4).
  for (const [tag, text] of Object.entries(sent).filter(([, one]) => one !== null)) {
    if (tag.length > LONGEST_TAG || !TAG.test(tag)) {
      return { message: `must be ${RIGHT}; ${shown(tag)} is not a language tag such as "en" or "en-GB".` }
    }
    const usual = usualSpelling(tag)
    if (texts.has(usual)) return { message: `has two texts for "${usual}"; send one.` }
    if (texts.size === MOST_LANGUAGES) return { message: `must have at most ${MOST_LANGUAGES} languages.` }
    const reading = readString(text)
    if ('message' in reading) return { message: `the text for "${usual}" ${reading.message}` }
    texts.set(usual, reading.value)
  }
  if (texts.size === 0) return { message: `must have a text in at least one language: ${RIGHT}.` }
  return { value: Object.fromEntries(texts) }
}

/** Equal for equal texts in equal languages, in whatever order. */
export const languageMapKey = (map: LanguageMap): string =>
  JSON.stringify(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** RFC 5646 §2.1.1: en-GB, zh-Hant-TW. Tags are equal regardless of case, and JSON-LD processors change it. */
function usualSpelling(tag: string): string {
  const lower = tag.toLowerCase()
  const singleton = lower.search(/(?:^|-)[a-z0-9](?:-|$)/)
  const end = singleton < 0 ? lower.length : singleton
  const upper = (part: string) => part.toUpperCase()
  const region = lower.slice(0, end).replaceAll(/-[a-z0-9]{2}(?=-|$)/g, upper)
  return region.replaceAll(/-[a-z](?=[a-z0-9]{3}(?:-|$))/g, upper) + lower.slice(end)
}

const shown = (tag: string): string => JSON.stringify(tag.length > 32 ? `${tag.slice(0, 32)}…` : tag)

/** A lexical form of XSD's dates, times and durations, and the values that it stands for. */
export interface Form {
  /** What would be right, for people. */
  readonly right: string
  /** Equal for equal values; undefined for what is not of this form. */
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
const YEAR_ZERO = 62_167_219_200

/** Nine digits a number keep the sums below exact. */
const DURATION =
  /^(-?)P(?=[0-9T])(?:([0-9]{1,9})Y)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})D)?(?:T(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})(?:\.([0-9]+))?S)?)?$/

export const date: Form = {
  right: 'a date of the calendar such as "2024-02-29"',
  key: (text) => (isDay(DATE.exec(text)?.[1]) ? text : undefined),
}

/** The zone is required, so that the value is an instant: without one it could not be compared with others. */
export const dateTime: Form = {
  right:
    'a date and time with seconds and zone such as "2024-02-29T12:30:00Z" or "2024-02-29T14:30:00+02:00"',
  key: (text) => {
    const [, day, clock, fraction, zone] = DATE_TIME.exec(text) ?? []
    if (!isDay(day)) return undefined
    // Padded, so that text sorts as time does.
    const since = secondsAt(`${day}T${clock}${zone}`) + YEAR_ZERO
    return withFraction(String(since).padStart(12, '0'), fraction)
  },
}

/** Without wrapping round midnight: 00:30+01:00 is half an hour before the day, not 23:30Z (XSD 1.1 part 2 §D.2.2). */
export const time: Form = {
  right: 'a time with seconds, with or without zone, such as "12:30:00" or "12:30:00+02:00"',
  key: (text) => {
    const [, clock, fraction, zone] = TIME.exec(text) ?? []
    if (clock === undefined) return undefined
    const since = secondsAt(`1970-01-01T${clock}${zone ?? 'Z'}`)
    return (zone === undefined ? 'local ' : '') + withFraction(since, fraction)
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

/** Whether the calendar has such a day; the year 0 it has not in XSD 1.0. */
function isDay(day = ''): boolean {
  // Date rolls 30 February over into March, so the day must have survived.
  return !day.startsWith('0000') && new Date(`${day}T00:00:00Z`).getUTCDate() === Number(day.slice(8))
}

/** Since 1970, of an instant that the expressions above have checked. */
const secondsAt = (instant: string): number => Date.parse(instant) / 1000

function withFraction(whole: number | string, fraction = ''): string {
  let end = fraction.length
  while (fraction[end - 1] === '0') end--
  return end === 0 ? String(whole) : `${whole}.${fraction.slice(0, end)}`
}
