import { inWords } from '../names/index.ts'
import type { Kind } from './kinds.ts'

export function exactText(instant: string, locale?: string): string {
  return instantText(instant, locale, /\.\d*[1-9]/.test(instant) ? 'exact' : 'second')
}

export function textOf(value: unknown, kind: Kind, locale?: string): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map((one) => textOf(one, kind, locale)).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') {
    if ('@value' in value) return textOf(value['@value'], kind, locale)
    return kind === 'languages' ? inLanguage(value, locale) : embeddedText(value, kind, locale)
  }
  const text = String(value)
  if (kind === 'boolean') return text === 'true' ? 'Yes' : text === 'false' ? 'No' : text
  if (kind === 'date') return dateText(text, locale)
  return kind === 'dateTime' ? instantText(text, locale) : text
}

export function cut(text: string, most: number): { readonly text: string; readonly whole?: string } {
  const line = text.slice(0, most * 2).replaceAll(/\s+/g, ' ')
  if (line.length <= most && text.length <= most * 2) return { text: line }
  return { text: `${line.slice(0, most).trimEnd()}…`, whole: text.slice(0, LONGEST) }
}

const LONGEST = 2_000

/** The month as a word: 2/3 is February in one place and March in another. */
const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const
/** With the zone: otherwise it is unclear whose clock is meant. */
const INSTANT = { ...DAY, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
const STYLES = {
  date: { ...DAY, timeZone: 'UTC' },
  instant: INSTANT,
  second: { ...INSTANT, second: '2-digit' },
  exact: { ...INSTANT, second: '2-digit', fractionalSecondDigits: 3 },
} as const

/** Creating a format takes longer than drawing a row of cells. */
const formats = new Map<string, Intl.DateTimeFormat>()

function format(style: keyof typeof STYLES, date: Date, locale: string | undefined): string {
  const key = `${style} ${locale}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, STYLES[style])
  formats.set(key, known)
  return known.format(date)
}

function dateText(text: string, locale: string | undefined): string {
  const [, day] = /^(\d{4}-\d\d-\d\d)(?:Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  const date = new Date(`${day}T00:00Z`)
  // February has no 31st; a Date would make it March.
  return date.toJSON()?.slice(0, 10) === day && day ? format('date', date, locale) : text
}

/** In local time; an instant without a zone stays as it is. */
function instantText(
  text: string,
  locale: string | undefined,
  style: 'instant' | 'second' | 'exact' = 'instant',
): string {
  const date = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? new Date(text) : undefined
  return date && !Number.isNaN(+date) ? format(style, date, locale) : text
}

function inLanguage(texts: object, locale = globalThis.navigator?.language): string {
  const entries = Object.entries(texts)
  const wanted = locale?.split('-')[0]?.toLowerCase()
  const found = entries.find(([tag]) => tag.split('-')[0]?.toLowerCase() === wanted) ?? entries[0]
  return textOf(found?.[1], 'text')
}

function embeddedText(value: object, kind: Kind, locale: string | undefined): string {
  const parts = Object.entries(value).filter(([key]) => !key.startsWith('@'))
  return parts.map(([key, one]) => `${inWords(key)}: ${textOf(one, kind, locale)}`).join(', ')
}
