import { type JsonValue, Numeral } from '../json.ts'
import { type DatatypeName, datatypeOf, type Literal } from './datatypes.ts'
import { losesDigits } from './lexical-forms.ts'
import type { Constraints, DefaultValue, Property, Range } from './model.ts'
import { compileProperty, whyNoPattern } from './validation.ts'

/** One constraint or default of an API file. The reader of each form knows its position in the file. */
export interface Given {
  /** The name in messages, quotes included. */
  readonly name: string
  /** Undefined for a value that is no scalar. */
  readonly values: readonly (JsonValue | undefined)[]
  /** Reports what is wrong; `index` where it is about one of several values. */
  readonly refuse: (message: string, index?: number) => undefined
}

type Key = keyof Constraints

const READERS: { readonly [K in Key]-?: (given: Given, range: Range) => Constraints[K] | undefined } = {
  minLength: readLength,
  maxLength: readLength,
  pattern: readPattern,
  minimum: readBound,
  maximum: readBound,
  enum: readEnum,
}

export const CONSTRAINT_KEYS = Object.keys(READERS) as readonly Key[]

/** hypermedia.md, The API file: which constraint fits which type. */
export function fits(constraint: Key, range: Range): boolean {
  if (range.kind !== 'datatype') return false
  const { family } = datatypeOf(range.datatype)
  if (constraint === 'enum') return family !== 'boolean' && family !== 'languages'
  return family === (constraint === 'minimum' || constraint === 'maximum' ? 'number' : 'text')
}

/** `find` returns a constraint of the file that fits the range. Absent constraints are no keys of the result. */
export function readConstraints(range: Range, find: (constraint: Key) => Given | undefined): Constraints {
  const given = new Map(CONSTRAINT_KEYS.map((key) => [key, find(key)]))
  const read = CONSTRAINT_KEYS.flatMap((key) => {
    const one = given.get(key)
    const value = one && READERS[key](one, range)
    return value === undefined ? [] : [[key, value]]
  })
  const constraints: Constraints = Object.fromEntries(read)
  const { minLength, maxLength, minimum, maximum } = constraints
  refuseCrossed(given.get('minLength'), minLength, maxLength)
  refuseCrossed(given.get('minimum'), minimum, maximum)
  return constraints
}

function readLength({ name, values: [value], refuse }: Given): number | undefined {
  const length = value instanceof Numeral ? Number(value.source) : -1
  if (Number.isSafeInteger(length) && length >= 0) return length
  return refuse(`${name} must be an integer that is 0 or greater`)
}

function readBound({ name, values: [value], refuse }: Given): number | undefined {
  if (!(value instanceof Numeral)) return refuse(`${name} must be a number`)
  if (losesDigits(value.source)) return refuse(`${name} has more digits than can be kept; round it`)
  return Number(value.source)
}

function readPattern({ name, values: [pattern], refuse }: Given): string | undefined {
  if (typeof pattern !== 'string') return refuse(`${name} must be a string; put it in quotes`)
  const why = whyNoPattern(pattern)
  return why === undefined ? pattern : refuse(why)
}

function readEnum({ name, values, refuse }: Given, range: Range): (string | number)[] | undefined {
  if (range.kind !== 'datatype') return undefined
  if (values.length === 0) return refuse(`${name} must be a list of at least one value`)
  const refuseOne: Given['refuse'] = (message, index) => refuse(`a value of ${name} ${message}`, index)
  return readLiterals(range.datatype, values, refuseOne) as (string | number)[]
}

function refuseCrossed(given: Given | undefined, least = -Infinity, most = Infinity): void {
  if (given === undefined || least <= most) return
  given.refuse(`${given.name} (${least}) is greater than the largest that is allowed (${most}); swap them`)
}

/** The values that are of the datatype; the others are refused. */
const readLiterals = (datatype: DatatypeName, values: Given['values'], refuse: Given['refuse']): Literal[] =>
  values.flatMap((value, index) => {
    const reading =
      value === undefined ? { message: 'must be a single value.' } : datatypeOf(datatype).read(value)
    return 'value' in reading ? [reading.value] : (refuse(reading.message.slice(0, -1), index) ?? [])
  })

/** A default that its own property would refuse could never be stored: it is a problem of the API file. */
export function readDefault(
  property: Property,
  datatype: DatatypeName,
  { name, values, refuse }: Given,
): DefaultValue | undefined {
  const read = readLiterals(datatype, values, (message, index) => refuse(`${name} ${message}`, index))
  if (read.length < values.length) return undefined
  const value = property.many ? read : read[0]
  // Without constraints there is nothing to violate, and Ajv need not be loaded to find that out.
  const isFree = !property.many && Object.keys(property.constraints).length === 0
  const violations = isFree ? [] : compileProperty(property)(value)
  for (const { message } of violations) refuse(`${name} ${message.slice(0, -1)}`)
  return violations.length > 0 ? undefined : { kind: 'value', value }
}
