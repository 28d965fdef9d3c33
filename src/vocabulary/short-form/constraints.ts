import { losesDigits, Numeral } from '../../json.ts'
import { CONSTRAINT_KEYS, fits, readDefaultOf, readLiterals, toConstraints } from '../constraints.ts'
import type { Findings } from '../findings.ts'
import type { Constraints, DefaultValue, Property, Range } from '../model.ts'
import { whyNoPattern } from '../patterns.ts'
import { type Entries, type Entry, readText } from './yaml.ts'

/** hypermedia.md, The API file. What does not fit the type is a problem, not ignored: it would promise a check. */
export function readConstraints(given: Entries, range: Range, findings: Findings): Constraints {
  // Of one that does not fit, nothing more can be said.
  const entries = new Map<string, Entry>()
  for (const key of CONSTRAINT_KEYS) {
    const entry = given.get(key)
    if (entry === undefined) continue
    if (fits(key, range)) entries.set(key, entry)
    else findings.problem(entry.key, unfit(key, range))
  }
  const minLength = readLength(entries.get('minLength'), findings)
  const maxLength = readLength(entries.get('maxLength'), findings)
  const minimum = readBound(entries.get('minimum'), findings)
  const maximum = readBound(entries.get('maximum'), findings)
  const pattern = readPattern(entries.get('pattern'), findings)
  const values = readEnum(entries.get('enum'), range, findings)
  refuseCrossed(entries.get('minLength'), minLength, maxLength, findings)
  refuseCrossed(entries.get('minimum'), minimum, maximum, findings)
  return toConstraints({ minLength, maxLength, pattern, minimum, maximum, enum: values })
}

function unfit(name: string, range: Range): string {
  const type = typeOf(range)
  if (name === 'enum') return `"enum" does not fit ${type}; remove it`
  const right = name === 'minimum' || name === 'maximum' ? 'numbers' : 'string and anyURI'
  return `"${name}" fits ${right} and not ${type}; remove it`
}

function typeOf(range: Range): string {
  if (range.kind === 'link') return `a link to ${range.className}`
  return range.kind === 'embedded' ? `the embedded value ${range.cls.name}` : range.datatype
}

function readLength(entry: Entry | undefined, findings: Findings): number | undefined {
  if (entry === undefined) return undefined
  const value = entry.value.json
  const length = value instanceof Numeral ? Number(value.source) : -1
  if (Number.isSafeInteger(length) && length >= 0) return length
  return findings.problem(entry.value, `"${entry.name}" must be an integer that is 0 or greater`)
}

function readBound(entry: Entry | undefined, findings: Findings): number | undefined {
  if (entry === undefined) return undefined
  const value = entry.value.json
  if (!(value instanceof Numeral)) return findings.problem(entry.value, `"${entry.name}" must be a number`)
  if (losesDigits(value))
    return findings.problem(entry.value, `"${entry.name}" has more digits than can be kept; round it`)
  return Number(value.source)
}

function readPattern(entry: Entry | undefined, findings: Findings): string | undefined {
  const pattern = readText(entry, findings)
  if (entry === undefined || pattern === undefined) return undefined
  const why = whyNoPattern(pattern)
  return why === undefined ? pattern : findings.problem(entry.value, why)
}

function readEnum(
  entry: Entry | undefined,
  range: Range,
  findings: Findings,
): (string | number)[] | undefined {
  if (entry === undefined || range.kind !== 'datatype') return undefined
  const { elements, isList } = entry.value
  if (!isList || elements.length === 0)
    return findings.problem(entry.value, '"enum" must be a list of at least one value')
  const values = readLiterals(
    range.datatype,
    elements.map(({ json }) => json),
    (message, index = 0) => findings.problem(elements[index] ?? entry.value, `a value of "enum" ${message}`),
  )
  return values as (string | number)[]
}

function refuseCrossed(
  entry: Entry | undefined,
  least = -Infinity,
  most = Infinity,
  findings: Findings,
): void {
  if (entry === undefined || least <= most) return
  const wrong = `"${entry.name}" (${least}) is greater than the largest that is allowed (${most})`
  findings.problem(entry.value, `${wrong}; swap them`)
}

export function readDefault(
  { value }: Entry,
  property: Property,
  findings: Findings,
): DefaultValue | undefined {
  const { range, many, name } = property
  if (range.kind !== 'datatype' || range.datatype === 'langString')
    return findings.problem(value, `"${name}" is ${KINDS[range.kind]}, which has no default; remove it`)
  if (!many && value.json === 'now' && (range.datatype === 'dateTime' || range.datatype === 'date'))
    return { kind: 'now' }
  const what = `the default of "${name}"`
  if (many !== value.isList)
    return findings.problem(value, `${what} must be ${many ? 'a list, as it has many values' : 'one value'}`)
  const { elements } = value
  const sent = elements.map(({ json }) => json)
  return readDefaultOf(property, range.datatype, sent, (message, index) =>
    findings.problem(index === undefined ? value : (elements[index] ?? value), `${what} ${message}`),
  )
}

const KINDS: Readonly<Record<Range['kind'], string>> = {
  link: 'a link',
  embedded: 'an embedded value',
  datatype: 'text by language',
}
