import type { Violation } from '../errors.ts'
import { isObject, type JsonValue, Numeral } from '../json.ts'
import { datatypeOf, type Literal } from './datatypes.ts'
import type { FileProblem } from './file-problems.ts'
import { losesDigits } from './lexical-forms.ts'
import type { Class, Constraints, DatatypeName, DefaultValue, Property, Range } from './model.ts'
import { compilePattern, findPatternProblem } from './patterns.ts'

/** hypermedia.md, Limits. */
export const MAX_VALUES = 1000

/** Checks the values of a member, which their datatypes have read: links are strings, decimals have their digits. */
type Validate = (values: Readonly<Record<string, unknown>>) => Violation[]

/** Compiled with the first write to the class, since patterns take time to compile. */
export function compileValidator(cls: Class): Validate {
  let compiled: Validate[] | undefined
  return (values) => {
    compiled ??= cls.properties.map(compileProperty)
    return compiled.flatMap((validate) => validate(values))
  }
}

/** Checks the value of one property. */
function compileProperty({ name, many, required, range, constraints }: Property): Validate {
  const check = compileValue(range, constraints)
  const wrong = (message: string): Violation[] => [{ propertyPath: name, message }]
  return (values) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined || (Array.isArray(value) && value.length === 0))
      return required ? wrong('is required.') : []
    if (!many) return check(value, name)
    if (!Array.isArray(value)) return wrong('must be a list.')
    const violations = value.flatMap((one, index) => check(one, `${name}/${index}`))
    return value.length > MAX_VALUES
      ? [...wrong(`must have at most ${MAX_VALUES} values.`), ...violations]
      : violations
  }
}

type CheckValue = (value: unknown, propertyPath: string) => Violation[]

function compileValue(range: Range, constraints: Constraints): CheckValue {
  const type = jsonTypeOf(range)
  const isOfType = (value: unknown) =>
    type === 'object' ? isObject(value as JsonValue) : typeof value === type
  const wrongType = `must be ${type === 'object' ? 'an' : 'a'} ${type}.`
  // What is in an embedded value is checked against its own class.
  const rules = range.kind === 'datatype' ? rulesOf(range.datatype, constraints) : []
  return (value, propertyPath) => {
    if (!isOfType(value)) return [{ propertyPath, message: wrongType }]
    const broken = rules.filter(({ holds }) => !holds(value as Literal))
    return broken.map(({ message }) => ({ propertyPath, message }))
  }
}

function jsonTypeOf(range: Range): 'string' | 'number' | 'boolean' | 'object' {
  if (range.kind !== 'datatype') return range.kind === 'link' ? 'string' : 'object'
  const { family } = datatypeOf(range.datatype)
  if (family === 'languages') return 'object'
  return family === 'boolean' || (family === 'number' && range.datatype !== 'decimal') ? family : 'string'
}

interface Rule {
  readonly holds: (value: Literal) => boolean
  /** The end of a sentence that begins with the property: what would be right. */
  readonly message: string
}

/** Bounds and enumerations compare by key: decimals with all their digits, and 12.5 is among [12.50]. */
function rulesOf(datatype: DatatypeName, constraints: Constraints): Rule[] {
  const { minLength, maxLength, pattern, minimum, maximum, enum: values } = constraints
  const { key } = datatypeOf(datatype)
  const rules: Rule[] = []
  const must = (right: string, holds: Rule['holds']) => rules.push({ holds, message: `must ${right}.` })
  if (maxLength !== undefined)
    must(`have at most ${characters(maxLength)}`, (value) => lengthOf(value) <= maxLength)
  if (minLength !== undefined)
    must(`have at least ${characters(minLength)}`, (value) => lengthOf(value) >= minLength)
  if (pattern !== undefined) {
    const compiled = compilePattern(pattern)
    must(`match the pattern "${pattern}"`, (value) => compiled.test(String(value)))
  }
  if (minimum !== undefined) {
    const least = key(minimum)
    must(`be at least ${minimum}`, (value) => key(value) >= least)
  }
  if (maximum !== undefined) {
    const most = key(maximum)
    must(`be at most ${maximum}`, (value) => key(value) <= most)
  }
  if (values !== undefined) {
    const all = new Set(values.map(key))
    must(`be one of ${listed(values)}`, (value) => all.has(key(value)))
  }
  return rules
}

const characters = (count: number) => (count === 1 ? '1 character' : `${count} characters`)

/** In characters: those beyond U+FFFF are two units of JavaScript. */
const lengthOf = (value: Literal): number =>
  String(value).length - (String(value).match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0)

function listed(values: readonly (string | number)[]): string {
  const shown = values.slice(0, 20).map((value) => JSON.stringify(value))
  return shown.join(', ') + (values.length > shown.length ? ' …' : '')
}

/** One constraint or default of an API file. The reader of each form knows its position in the file. */
export interface Given {
  /** The name in messages, quotes included. */
  readonly name: string
  /** Undefined for a value that is no scalar. */
  readonly values: readonly (JsonValue | undefined)[]
  /** Reports what is wrong; `index` where it is about one of several values. */
  readonly refuse: (problem: string | FileProblem, index?: number) => undefined
}

type ConstraintName = keyof Constraints

const READERS: {
  readonly [K in ConstraintName]-?: (given: Given, range: Range) => Constraints[K] | undefined
} = {
  minLength: readLength,
  maxLength: readLength,
  pattern: readPattern,
  minimum: readBound,
  maximum: readBound,
  enum: readEnum,
}

const CONSTRAINT_KEYS = Object.keys(READERS) as readonly ConstraintName[]

/** hypermedia.md, The API file: which constraint fits which type. */
export function fits(constraint: ConstraintName, range: Range): boolean {
  if (range.kind !== 'datatype') return false
  const { family } = datatypeOf(range.datatype)
  if (constraint === 'enum') return family !== 'boolean' && family !== 'languages'
  return family === (constraint === 'minimum' || constraint === 'maximum' ? 'number' : 'text')
}

/** `find` returns a constraint of the file that fits the range. Absent constraints are no keys of the result. */
export function readConstraints(
  range: Range,
  find: (constraint: ConstraintName) => Given | undefined,
): Constraints {
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
  const problem = findPatternProblem(pattern)
  return problem === undefined ? pattern : refuse(problem)
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
  const violations = compileProperty(property)({ [property.name]: value })
  for (const { message } of violations) refuse(`${name} ${message.slice(0, -1)}`)
  return violations.length > 0 ? undefined : { kind: 'value', value }
}
