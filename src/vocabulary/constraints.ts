import { JsonNumber, type JsonValue } from '../json.ts'
import type { ProblemData } from '../problem.ts'
import { datatypeOf, type Literal } from './datatypes.ts'
import { losesDigits } from './lexical-forms.ts'
import type { Constraints, DatatypeName, DefaultValue, Property, Range } from './model.ts'
import { findPatternProblem } from './patterns.ts'
import { constraintProblem } from './problems.ts'
import { compileProperty } from './validation.ts'

/** One constraint or default, as an API file declares it. The reader of each form knows its position in the file. */
export interface DeclaredValues {
  /** The name in messages, quotes included. */
  readonly name: string
  /** Undefined for a value that is not a scalar. */
  readonly values: readonly (JsonValue | undefined)[]
  /** Reports a problem (ConstraintProblems); `index` if it is about one of several values. */
  readonly refuse: (problem: ProblemData, index?: number) => undefined
}

type ConstraintName = keyof Constraints

const READERS: {
  readonly [K in ConstraintName]-?: (declared: DeclaredValues, range: Range) => Constraints[K] | undefined
} = {
  minLength: readLength,
  maxLength: readLength,
  pattern: readPattern,
  minimum: readBound,
  maximum: readBound,
  enum: readEnum,
  scale: readLength,
}

const CONSTRAINT_NAMES = Object.keys(READERS) as readonly ConstraintName[]

/** hypermedia.md, The API file: which constraint fits which type. */
export function fits(constraint: ConstraintName, range: Range): boolean {
  if (range.kind !== 'datatype') return false
  const { family } = datatypeOf(range.datatype)
  if (constraint === 'scale') return range.datatype === 'decimal'
  if (constraint === 'enum') return family !== 'boolean' && family !== 'languages'
  return family === (constraint === 'minimum' || constraint === 'maximum' ? 'number' : 'text')
}

/** `find` returns a constraint of the file that fits the range. The result has no keys for absent constraints. */
export function readConstraints(
  range: Range,
  find: (constraint: ConstraintName) => DeclaredValues | undefined,
): Constraints {
  const declared = new Map(CONSTRAINT_NAMES.map((name) => [name, find(name)]))
  const read = CONSTRAINT_NAMES.flatMap((name) => {
    const one = declared.get(name)
    const value = one && READERS[name](one, range)
    return value === undefined ? [] : [[name, value]]
  })
  const constraints: Constraints = Object.fromEntries(read)
  const { minLength, maxLength, minimum, maximum } = constraints
  refuseCrossed(declared.get('minLength'), minLength, maxLength)
  refuseCrossed(declared.get('minimum'), minimum, maximum)
  return constraints
}

function readLength({ name, values: [value], refuse }: DeclaredValues): number | undefined {
  const length = value instanceof JsonNumber ? Number(value.source) : -1
  if (Number.isSafeInteger(length) && length >= 0) return length
  return refuse(constraintProblem('InvalidLength', { name }))
}

function readBound({ name, values: [value], refuse }: DeclaredValues): number | undefined {
  if (!(value instanceof JsonNumber)) return refuse(constraintProblem('InvalidBound', { name }))
  if (losesDigits(value.source)) return refuse(constraintProblem('BoundLosesDigits', { name }))
  return Number(value.source)
}

function readPattern({ name, values: [pattern], refuse }: DeclaredValues): string | undefined {
  if (typeof pattern !== 'string') return refuse(constraintProblem('PatternNotText', { name }))
  const problem = findPatternProblem(pattern)
  return problem === undefined ? pattern : refuse(problem)
}

function readEnum(declared: DeclaredValues, range: Range): (string | number)[] | undefined {
  if (range.kind !== 'datatype') return undefined
  const { name, values, refuse } = declared
  if (values.length === 0) return refuse(constraintProblem('EmptyEnum', { name }))
  return readLiterals(declared, range.datatype, 'enum') as (string | number)[]
}

function refuseCrossed(declared: DeclaredValues | undefined, least = -Infinity, most = Infinity): void {
  if (declared === undefined || least <= most) return
  const { name, refuse } = declared
  refuse(constraintProblem('CrossedBounds', { name, least, most }))
}

/** The values that have the datatype; the others are refused. */
const readLiterals = (
  { name, values, refuse }: DeclaredValues,
  datatype: DatatypeName,
  of: 'enum' | 'default',
): Literal[] =>
  values.flatMap((value, index) => {
    if (value === undefined) return refuse(constraintProblem('NotOneValue', { name, of }), index) ?? []
    const reading = datatypeOf(datatype).read(value)
    if ('value' in reading) return [reading.value]
    return refuse(constraintProblem('InvalidValue', { name, of, problem: reading.problem }), index) ?? []
  })

/** A default that its own property would refuse could never be stored: it is a problem of the API file. */
export function readDefault(
  property: Property,
  datatype: DatatypeName,
  declared: DeclaredValues,
): DefaultValue | undefined {
  const { name, values, refuse } = declared
  const read = readLiterals(declared, datatype, 'default')
  if (read.length < values.length) return undefined
  const value = property.many ? read : read[0]
  const violations = compileProperty(property)({ [property.name]: value })
  for (const problem of violations)
    refuse(constraintProblem('InvalidValue', { name, of: 'default', problem }))
  return violations.length > 0 ? undefined : { kind: 'value', value }
}
