import { createRequire } from 'node:module'
import type { Ajv2020, ErrorObject, FuncKeywordDefinition } from 'ajv/dist/2020.js'
import type { Violation } from '../errors.ts'
import { type JsonValue, Numeral } from '../json.ts'
import { datatypeOf, type Literal } from './datatypes.ts'
import { losesDigits } from './lexical-forms.ts'
import type { Class, Constraints, DatatypeName, DefaultValue, Property, Range } from './model.ts'
import { compilePattern, whyNoPattern } from './patterns.ts'

const require = createRequire(import.meta.url)

/** hypermedia.md, Limits. */
export const MAX_VALUES = 1000

/** Checks the values of a member, which their datatypes have read: links are strings, decimals have their digits. */
type Validate = (values: Readonly<Record<string, unknown>>) => Violation[]

/**
 * One JSON Schema per property, not one for the class: Ajv leaves out a property called `__proto__`. They are compiled
 * with the first write to the class: Ajv and its code are a tenth of the time that a server takes to start.
 */
export function compileValidator(cls: Class): Validate {
  let compiled: ReturnType<typeof compile> | undefined
  const compile = () => {
    const ajv = createAjv()
    return cls.properties.map((property) => ({ property, check: compileProperty(property, ajv) }))
  }
  return (values) => {
    compiled ??= compile()
    return compiled.flatMap(({ property, check }) =>
      check(Object.hasOwn(values, property.name) ? values[property.name] : undefined),
    )
  }
}

/** Checks the value of one property; undefined is a value that is absent. */
function compileProperty(property: Property, ajv = createAjv()): (value: unknown) => Violation[] {
  const schema = valueSchema(property)
  const validate = ajv.compile(
    property.many ? { type: 'array', maxItems: MAX_VALUES, items: schema } : schema,
  )
  return (value) => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) {
      return property.required ? [{ propertyPath: property.name, message: 'is required.' }] : []
    }
    if (validate(value)) return []
    return (validate.errors ?? []).map((error) => ({
      propertyPath: property.name + error.instancePath,
      message: MESSAGES[error.keyword]?.(property.constraints, error) ?? `${error.message}.`,
    }))
  }
}

/** Compares values by their keys: decimals with all their digits, and 12.5 is among [12.50]. */
const byKey = (
  keyword: string,
  holds: (key: Key, first: Key, all: ReadonlySet<Key>) => boolean,
): FuncKeywordDefinition => ({
  keyword,
  type: ['string', 'number'],
  schemaType: 'object',
  compile: ({ datatype, values }: { datatype: DatatypeName; values: readonly [Literal, ...Literal[]] }) => {
    const { key } = datatypeOf(datatype)
    const first = key(values[0])
    const all = new Set(values.map(key))
    return (value: Literal) => holds(key(value), first, all)
  },
  errors: false,
})

type Key = string | number

function createAjv(): Ajv2020 {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
  return new Ajv2020({
    allErrors: true,
    strict: true,
    // The schemas are made here, so checking them against their own schema would only cost time at start.
    meta: false,
    validateSchema: false,
    // `code` is for schemas that are compiled to files, which none is.
    code: { regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
    keywords: [
      byKey('atLeast', (key, least) => key >= least),
      byKey('atMost', (key, most) => key <= most),
      byKey('amongValues', (key, _, all) => all.has(key)),
    ],
  })
}

function valueSchema({ range, constraints }: Property): object {
  if (range.kind === 'link') return { type: 'string' }
  // What is in it is checked against its own class.
  if (range.kind === 'embedded') return { type: 'object' }
  const { datatype } = range
  const { family } = datatypeOf(datatype)
  const { minimum, maximum, enum: values, ...ofText } = constraints
  const native = family === 'boolean' || (family === 'number' && datatype !== 'decimal')
  return {
    type: native ? family : family === 'languages' ? 'object' : 'string',
    ...ofText,
    ...(minimum !== undefined && { atLeast: { datatype, values: [minimum] } }),
    ...(maximum !== undefined && { atMost: { datatype, values: [maximum] } }),
    ...(values !== undefined && { amongValues: { datatype, values } }),
  }
}

/** The end of a sentence that begins with the property: what would be right. */
const MESSAGES: Readonly<Record<string, (constraints: Constraints, error: ErrorObject) => string>> = {
  minLength: ({ minLength }) => `must have at least ${characters(minLength)}.`,
  maxLength: ({ maxLength }) => `must have at most ${characters(maxLength)}.`,
  pattern: ({ pattern }) => `must match the pattern "${pattern}".`,
  atLeast: ({ minimum }) => `must be at least ${minimum}.`,
  atMost: ({ maximum }) => `must be at most ${maximum}.`,
  amongValues: (constraints) => `must be one of ${listed(constraints.enum ?? [])}.`,
  maxItems: () => `must have at most ${MAX_VALUES} values.`,
  type: (_, { params }) => `must be ${KINDS[params.type] ?? `a ${params.type}`}.`,
}

const KINDS: Readonly<Record<string, string>> = { array: 'a list', object: 'an object' }

const characters = (count = 0) => (count === 1 ? '1 character' : `${count} characters`)

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
  readonly refuse: (message: string, index?: number) => undefined
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
