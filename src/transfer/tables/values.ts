import { isObject, type JsonValue, readJson } from '../../json.ts'
import { type DatatypeName, datatypeOf, type Range } from '../../vocabulary/index.ts'
import { cellReaderFor } from '../csv/cell.ts'
import { keyText, type SourceColumn, type SourceValue } from './schema.ts'

/** The JSON of a value of a column; undefined for none. What does not fit stays as it is, and is refused with its row. */
export type ReadSourceValue = (value: SourceValue) => JsonValue | undefined

export function valueReaderFor(range: Range, { isList }: Pick<SourceColumn, 'isList'>): ReadSourceValue {
  const one = readerFor(range)
  return (value) => {
    if (value === null) return undefined
    const list = isList ? jsonIn(keyText(value)) : undefined
    if (Array.isArray(list))
      return list.map((element) => (isScalar(element) ? one(scalarText(element)) : element))
    return one(keyText(value))
  }
}

const isScalar = (value: JsonValue): boolean => value !== null && !Array.isArray(value) && !isObject(value)

const scalarText = (value: JsonValue): string =>
  typeof value === 'object' && value !== null && 'source' in value ? String(value.source) : String(value)

function readerFor(range: Range): (text: string) => JsonValue {
  // Embedded values, and texts by language, may be in a column of JSON.
  if (range.kind === 'embedded' || (range.kind === 'datatype' && range.datatype === 'langString'))
    return (text) => jsonIn(text) ?? text
  const read = cellReaderFor(range)
  const spelling = range.kind === 'datatype' ? spellingFor(range.datatype) : (text: string) => text
  return (text) => {
    const found = read(spelling(text))
    return 'value' in found ? found.value : text
  }
}

function jsonIn(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}

/** A text of a database as XSD writes it. */
function spellingFor(datatype: DatatypeName): (text: string) => string {
  if (datatypeOf(datatype).family !== 'temporal') return (text) => text
  if (datatype === 'date') return dateIn
  if (datatype === 'dateTime') return dateTimeIn
  return datatype === 'time' ? (text) => timeIn(text) : (text) => text
}

/** At midnight, a time is a date. */
const dateIn = (text: string): string =>
  /^(\d{4}-\d{2}-\d{2})[ T]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00(?::?00)?)?$/.exec(text)?.[1] ?? text

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}.*))?$/

/** Seconds up to the year 5138; more are milliseconds, which some programs keep. */
const MOST_SECONDS = 100_000_000_000

/** Without a zone it is UTC, as SQLite's own functions have it. */
function dateTimeIn(text: string): string {
  if (/^-?\d{1,15}$/.test(text)) return instantOf(Number(text))
  const [, day, clock = '00:00:00'] = MOMENT.exec(text) ?? []
  if (day === undefined) return text
  const time = timeIn(clock)
  return `${day}T${/(?:Z|[+-]\d{2}:\d{2})$/.test(time) ? time : `${time}Z`}`
}

function instantOf(number: number): string {
  const date = new Date(Math.abs(number) < MOST_SECONDS ? number * 1_000 : number)
  return Number.isNaN(date.getTime()) ? String(number) : date.toISOString()
}

/** With seconds, and with minutes in the zone: `10:00+02` is `10:00:00+02:00`. */
function timeIn(text: string): string {
  const [, minutes, seconds = ':00', sign, hour, minute = '00'] =
    /^(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(?: ?(Z|[+-])(?:(\d{2}):?(\d{2})?)?)?$/.exec(text) ?? []
  if (minutes === undefined) return text
  if (sign === undefined) return minutes + seconds
  return minutes + seconds + (sign === 'Z' ? sign : `${sign}${hour}:${minute}`)
}
