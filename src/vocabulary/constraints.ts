import type { JsonValue } from '../json.ts'
import { type DatatypeName, datatypeOf, type Literal } from './datatypes.ts'
import type { Constraints, DefaultValue, Property, Range } from './model.ts'
import { compileProperty } from './validation.ts'

/** What both forms of an API file ask of constraints and defaults. */
export const CONSTRAINT_KEYS = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'enum'] as const

/** hypermedia.md, The API file: which constraint fits which type. */
export function fits(constraint: (typeof CONSTRAINT_KEYS)[number], range: Range): boolean {
  if (range.kind !== 'datatype') return false
  const { family } = datatypeOf(range.datatype)
  if (constraint === 'enum') return family !== 'boolean' && family !== 'languages'
  return family === (constraint === 'minimum' || constraint === 'maximum' ? 'number' : 'text')
}

/** Those that are given, and no others: a constraint that is absent is no constraint of undefined. */
export const toConstraints = (
  all: {
    readonly [Name in keyof Constraints]: Constraints[Name] | undefined
  },
): Constraints => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))

/** Takes the rest of a sentence that begins with the value; `index` where it is about one of several. */
type Refuse = (message: string, index?: number) => void

/** The values that an API file gives for a property; undefined stands for what JSON has no single value for. */
export const readLiterals = (
  datatype: DatatypeName,
  sent: readonly (JsonValue | undefined)[],
  refuse: Refuse,
): Literal[] =>
  sent.flatMap((value, index) => {
    const reading =
      value === undefined ? { message: 'must be a single value.' } : datatypeOf(datatype).read(value)
    if ('value' in reading) return [reading.value]
    refuse(reading.message, index)
    return []
  })

/** A default that its own property would refuse could never be stored: it is a problem of the API file. */
export function readDefaultOf(
  property: Property,
  datatype: DatatypeName,
  sent: readonly (JsonValue | undefined)[],
  refuse: Refuse,
): DefaultValue | undefined {
  const values = readLiterals(datatype, sent, refuse)
  if (values.length < sent.length) return undefined
  const value = property.many ? values : values[0]
  const violations = compileProperty(property)(value)
  for (const { message } of violations) refuse(message)
  return violations.length > 0 ? undefined : { kind: 'value', value }
}
