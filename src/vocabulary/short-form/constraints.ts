import { losesDigits, Numeral } from '../../json.ts'
import { datatypeOf } from '../datatypes.ts'
import { type Constraints, type Range, toConstraints } from '../model.ts'
import { whyNoPattern } from '../patterns.ts'
import { type Entry, elementsOf, isList, jsonOf, type Problems, readText } from './places.ts'

export const CONSTRAINT_KEYS = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'enum'] as const

type Entries = ReadonlyMap<string, Entry>

/** hypermedia.md, The API file. What does not fit the type is a problem, not ignored: it would promise a check. */
export function readConstraints(given: Entries, range: Range, problems: Problems): Constraints {
  const entries = new Map(CONSTRAINT_KEYS.flatMap((key) => fitting(given.get(key), range, problems)))
  const minLength = readLength(entries.get('minLength'), problems)
  const maxLength = readLength(entries.get('maxLength'), problems)
  const minimum = readBound(entries.get('minimum'), problems)
  const maximum = readBound(entries.get('maximum'), problems)
  const pattern = readPattern(entries.get('pattern'), problems)
  const values = readEnum(entries.get('enum'), range, problems)
  refuseCrossed(entries.get('minLength'), minLength, maxLength, problems)
  refuseCrossed(entries.get('minimum'), minimum, maximum, problems)
  return toConstraints({ minLength, maxLength, pattern, minimum, maximum, enum: values })
}

/** Of one that does not fit, nothing more can be said. */
function fitting(
  entry: Entry | undefined,
  range: Range,
  problems: Problems,
): (readonly [name: string, entry: Entry])[] {
  if (entry === undefined) return []
  const wrong = whyUnfit(entry.name, range)
  if (wrong === undefined) return [[entry.name, entry]]
  problems.add(entry.key, wrong)
  return []
}

function whyUnfit(name: string, range: Range): string | undefined {
  const family = range.kind === 'datatype' ? datatypeOf(range.datatype).family : range.kind
  const type = typeOf(range)
  if (name === 'enum')
    return ['link', 'embedded', 'boolean', 'languages'].includes(family)
      ? `"enum" does not fit ${type}; remove it`
      : undefined
  if (name === 'minimum' || name === 'maximum')
    return family === 'number' ? undefined : `"${name}" fits numbers and not ${type}; remove it`
  return family === 'text' ? undefined : `"${name}" fits string and anyURI and not ${type}; remove it`
}

function typeOf(range: Range): string {
  if (range.kind === 'link') return `a link to ${range.className}`
  return range.kind === 'embedded' ? `the embedded value ${range.cls.name}` : range.datatype
}

function readLength(entry: Entry | undefined, problems: Problems): number | undefined {
  if (entry === undefined) return undefined
  const value = jsonOf(entry.value)
  const length = value instanceof Numeral ? Number(value.source) : -1
  if (Number.isSafeInteger(length) && length >= 0) return length
  return problems.add(entry.value, `"${entry.name}" must be an integer that is 0 or greater`)
}

function readBound(entry: Entry | undefined, problems: Problems): number | undefined {
  if (entry === undefined) return undefined
  const value = jsonOf(entry.value)
  if (!(value instanceof Numeral)) return problems.add(entry.value, `"${entry.name}" must be a number`)
  if (losesDigits(value))
    return problems.add(entry.value, `"${entry.name}" has more digits than can be kept; round it`)
  return Number(value.source)
}

function readPattern(entry: Entry | undefined, problems: Problems): string | undefined {
  const pattern = readText(entry, problems)
  if (entry === undefined || pattern === undefined) return undefined
  const why = whyNoPattern(pattern)
  return why === undefined ? pattern : problems.add(entry.value, why)
}

function readEnum(
  entry: Entry | undefined,
  range: Range,
  problems: Problems,
): (string | number)[] | undefined {
  if (entry === undefined || range.kind !== 'datatype') return undefined
  const places = elementsOf(entry.value)
  if (!isList(entry.value) || places.length === 0) {
    return problems.add(entry.value, '"enum" must be a list of at least one value')
  }
  const values: (string | number)[] = []
  for (const place of places) {
    const value = jsonOf(place)
    const reading =
      value === undefined ? { message: 'must be a single value.' } : datatypeOf(range.datatype).read(value)
    if ('message' in reading) problems.add(place, `a value of "enum" ${reading.message}`)
    else if (typeof reading.value === 'string' || typeof reading.value === 'number')
      values.push(reading.value)
  }
  return values
}

function refuseCrossed(
  entry: Entry | undefined,
  least = -Infinity,
  most = Infinity,
  problems: Problems,
): void {
  if (entry === undefined || least <= most) return
  problems.add(
    entry.value,
    `"${entry.name}" (${least}) is greater than the largest that is allowed (${most}); swap them`,
  )
}
