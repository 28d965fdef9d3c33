import type { ClassDescription, Documentation, PropertyDescription } from 'hydrant-client'
import { counted, linkIn, shortName, wordsOf } from './names.ts'
import { type NumberProperty, numberText } from './numbers.ts'

const XSD = 'http://www.w3.org/2001/XMLSchema#'
const NAMESPACES = [XSD, 'http://schema.org/', 'https://schema.org/']

/** The datatypes of each kind. */
const NAMES = {
  text: 'string normalizedString token language Name NCName NMTOKEN ID gYear gYearMonth gMonth gMonthDay gDay hexBinary base64Binary Text',
  boolean: 'boolean Boolean',
  integer:
    'integer long int short byte nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger unsignedLong unsignedInt unsignedShort unsignedByte Integer',
  decimal: 'decimal',
  double: 'double float Number Float',
  date: 'date Date',
  dateTime: 'dateTime dateTimeStamp DateTime',
  time: 'time Time',
  duration: 'duration dayTimeDuration yearMonthDuration Duration',
  iri: 'anyURI URL',
}

/** `json`: any value, for undescribed properties and for values that differ from their description. */
export type TextKind = keyof typeof NAMES | 'link' | 'json'

/** The kind of a property's values. `languages`: a text for each language; `embedded`: with properties of its own. */
export type Kind = TextKind | 'languages' | 'embedded'

const DATATYPES: ReadonlyMap<string, Kind> = new Map([
  ...Object.entries(NAMES).flatMap(([kind, names]) =>
    NAMESPACES.flatMap((namespace) =>
      names.split(' ').map((name) => [namespace + name, kind as Kind] as const),
    ),
  ),
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#langString', 'languages'],
])

type RangedProperty = Pick<PropertyDescription, 'isLink' | 'range'>

export function kindOf({ isLink, range = '' }: RangedProperty): Kind {
  if (isLink) return 'link'
  return DATATYPES.get(range) ?? (range && !range.startsWith(XSD) ? 'embedded' : 'text')
}

/** The kind of a form field. Members of collections are linked, even if the property is not described as a link. */
export function typedKindOf(property: RangedProperty, documentation: Documentation): Kind {
  const { range = '', isLink } = property
  if (isLink || documentation.links.some(({ memberClass }) => memberClass === range && range)) return 'link'
  if (embeddedClass(property, documentation)) return 'embedded'
  return DATATYPES.get(range) ?? 'json'
}

export function embeddedClass(
  { range }: RangedProperty,
  { classes }: Documentation,
): ClassDescription | undefined {
  return classes.find(({ iri, properties }) => iri === range && properties.length > 0)
}

export const isNumber = (kind: Kind): boolean => kind === 'integer' || kind === 'decimal' || kind === 'double'

export type ValuesByName = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is ValuesByName =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A property may be called like one that every object has, such as "constructor". Null is no value (JSON-LD 1.1 §4.2.1). */
export const valueIn = (values: ValuesByName, name: string): unknown =>
  Object.hasOwn(values, name) ? (values[name] ?? undefined) : undefined

export const keysOf = (one: ValuesByName, other: ValuesByName): readonly string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
]

/** Deep equality. The order of keys does not matter, and null is the same as no value. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]))
  if (isObject(one) && isObject(other))
    return keysOf(one, other).every((key) => isSame(valueIn(one, key), valueIn(other, key)))
  return (one ?? undefined) === (other ?? undefined)
}

/** The links of a member, in the order of the documentation, including those in embedded values. */
export function* linksWithin(
  values: ValuesByName,
  cls: ClassDescription | undefined,
  classes: readonly ClassDescription[],
): Generator<{ readonly value: unknown; readonly target: ClassDescription | undefined }> {
  for (const { name, range, isLink, readable } of cls?.properties ?? []) {
    const target = classes.find(({ iri }) => iri === range)
    for (const value of readable ? [valueIn(values, name)].flat() : []) {
      if (isLink) yield { value, target }
      else if (isObject(value)) yield* linksWithin(value, target, classes)
    }
  }
}

export type Option = readonly [value: string, label: string]

export const YES_OR_NO: readonly Option[] = [
  ['true', 'Yes'],
  ['false', 'No'],
]

export const exactText = (instant: string, locale?: string): string =>
  instantText(instant, locale, /\.\d*[1-9]/.test(instant) ? 'exact' : 'second')

/** To the second, since several changes may be made in one minute. */
export const momentText = (moment: Date, locale?: string): string =>
  instantText(moment.toISOString(), locale, 'second')

interface TextOptions {
  readonly locale?: string | undefined
  /** The property that has the value, which says how numbers are shown. */
  readonly property?: NumberProperty | undefined
}

export function textOf(value: unknown, kind: Kind, options: TextOptions = {}): string {
  const { locale, property } = options
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map((one) => textOf(one, kind, options)).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') {
    if ('@value' in value) return textOf(value['@value'], kind, options)
    return kind === 'languages'
      ? inLanguage(value, locale)
      : phraseOf(value as ValuesByName, undefined, { locale })
  }
  const text = String(value)
  if (kind === 'boolean') return text === 'true' ? 'Yes' : text === 'false' ? 'No' : text
  if (isNumber(kind)) return numberText(text, kind === 'integer', { locale, ...(property && { property }) })
  if (kind === 'date') return dateText(text, locale)
  return kind === 'dateTime' ? instantText(text, locale) : text
}

export function cut(text: string, most: number): { readonly text: string; readonly whole?: string } {
  const line = text.slice(0, most * 2).replaceAll(/\s+/g, ' ')
  if (line.length <= most && text.length <= most * 2) return { text: line }
  return { text: `${line.slice(0, most).trimEnd()}…`, whole: text.slice(0, LONGEST) }
}

const LONGEST = 2_000

/** The month as a word, since 2/3 is February in one country and March in another. */
const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const
/** With the time zone, since it is not obvious whose it is. */
const INSTANT = { ...DAY, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
const STYLES = {
  date: { ...DAY, timeZone: 'UTC' },
  instant: INSTANT,
  second: { ...INSTANT, second: '2-digit' },
  exact: { ...INSTANT, second: '2-digit', fractionalSecondDigits: 3 },
} as const

/** Cached: creating a format takes longer than rendering a row of cells. */
const formats = new Map<string, Intl.DateTimeFormat>()

function format(style: keyof typeof STYLES, date: Date, locale: string | undefined): string {
  const key = `${style} ${locale}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, STYLES[style])
  formats.set(key, known)
  return known.format(date)
}

function dateText(text: string, locale: string | undefined): string {
  const [, day] = /^(\d{4}-\d\d-\d\d)(?:Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  return day && isOfCalendar(day) ? format('date', new Date(`${day}T00:00Z`), locale) : text
}

/** A `Date` would turn 31 February into March. */
export const isOfCalendar = (day: string): boolean => new Date(`${day}T00:00Z`).toJSON()?.slice(0, 10) === day

/** In local time; an instant without a zone stays as it is. */
function instantText(text: string, locale?: string, style: keyof typeof STYLES = 'instant'): string {
  const date = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? new Date(text) : undefined
  return date && !Number.isNaN(+date) ? format(style, date, locale) : text
}

function inLanguage(texts: object, locale = globalThis.navigator?.language): string {
  const entries = Object.entries(texts)
  const wanted = locale?.split('-')[0]?.toLowerCase()
  const found = entries.find(([tag]) => tag.split('-')[0]?.toLowerCase() === wanted) ?? entries[0]
  return textOf(found?.[1], 'text')
}

interface Phrasing {
  readonly classes?: readonly ClassDescription[]
  /** The name of a linked member. */
  readonly linked?: (iri: string) => string
  readonly locale?: string | undefined
}

type PhrasedProperty = RangedProperty & NumberProperty & Pick<PropertyDescription, 'name' | 'title' | 'unit'>

/** `85.00 EUR` */
export const withUnit = (text: string, property: Pick<PropertyDescription, 'unit'> | undefined): string =>
  text && property?.unit ? `${text} ${property.unit}` : text

/** An embedded value on one line: `Main Street 1, Berlin`. A value that is unclear by itself gets a name: `width 3`. */
export function phraseOf(
  value: ValuesByName,
  cls: ClassDescription | undefined,
  phrasing: Phrasing = {},
): string {
  const { classes = [], linked = shortName, locale } = phrasing
  const nameLinked = (link: unknown) => linked(linkIn(link, '') ?? '')
  const keys = Object.keys(value).filter((key) => !key.startsWith('@'))
  const undescribed = { isLink: false, range: undefined, constraints: {} }
  const properties: readonly PhrasedProperty[] =
    cls?.properties ?? keys.map((name) => ({ name, title: name, ...undescribed }))
  const parts = properties.map((property) => {
    const one = valueIn(value, property.name)
    const words = wordsOf(property)
    if (one === undefined || one === false || (Array.isArray(one) && one.length === 0)) return ''
    if (one === true) return words
    const kind = kindOf(property)
    if (kind === 'link') return [one].flat().map(nameLinked).join(', ')
    if (Array.isArray(one) && one.some(isObject)) return counted(one.length, words)
    if (isObject(one) && kind !== 'languages' && !('@value' in one)) {
      const range = classes.find(({ iri }) => iri === property.range)
      return phraseOf(one, range, phrasing)
    }
    const text = withUnit(textOf(one, kind, { locale, property }), property)
    return SELF_EXPLANATORY.includes(kind) && typeof one !== 'number' ? text : `${words} ${text}`
  })
  return parts.filter(Boolean).join(', ')
}

const SELF_EXPLANATORY: readonly Kind[] = ['text', 'date', 'dateTime', 'iri', 'languages']
