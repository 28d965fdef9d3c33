import { datatypeOf, type Literal } from '../datatypes.ts'
import type { DefaultValue, Property, Range } from '../model.ts'
import { compileProperty } from '../validation.ts'
import { type Entry, elementsOf, isList, jsonOf, type Place, type Problems } from './places.ts'

/** A default that its own property would refuse could never be stored: it is a problem of the API file. */
export function readDefault(entry: Entry, property: Property, problems: Problems): DefaultValue | undefined {
  const { range, many, name } = property
  if (range.kind !== 'datatype' || range.datatype === 'langString')
    return problems.add(entry.value, `"${name}" is ${KINDS[range.kind]}, which has no default; remove it`)
  if (isNow(entry.value, property)) return { kind: 'now' }
  if (many !== isList(entry.value)) {
    return problems.add(
      entry.value,
      `the default of "${name}" must be ${many ? 'a list, as it has many values' : 'one value'}`,
    )
  }
  const values = elementsOf(entry.value).map((place) => readLiteral(place, property, problems))
  if (values.includes(undefined)) return undefined
  const value = many ? values : values[0]
  const violations = compileProperty(property)(value)
  for (const { message } of violations) problems.add(entry.value, `the default of "${name}" ${message}`)
  return violations.length > 0 ? undefined : { kind: 'value', value }
}

const KINDS: Readonly<Record<Range['kind'], string>> = {
  link: 'a link',
  embedded: 'an embedded value',
  datatype: 'text by language',
}

function isNow(place: Place, { range, many }: Property): boolean {
  if (many || range.kind !== 'datatype') return false
  return jsonOf(place) === 'now' && (range.datatype === 'dateTime' || range.datatype === 'date')
}

function readLiteral(place: Place, { name, range }: Property, problems: Problems): Literal | undefined {
  if (range.kind !== 'datatype') return undefined
  const value = jsonOf(place)
  const reading =
    value === undefined ? { message: 'must be a single value.' } : datatypeOf(range.datatype).read(value)
  if ('value' in reading) return reading.value
  return problems.add(place, `the default of "${name}" ${reading.message}`)
}
