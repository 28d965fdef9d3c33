import { isObject, type JsonValue } from '../json.ts'
import { atProperty, type ProblemData } from '../problem.ts'
import { datatypeOf, type Literal } from './datatypes.ts'
import {
  type Class,
  type Constraints,
  type DatatypeName,
  isText,
  type Property,
  type Range,
} from './model.ts'
import { compilePattern } from './patterns.ts'
import { valueProblem, valueViolation } from './problems.ts'

/** hypermedia.md, Limits. */
export const MAX_VALUES = 1000

/** Finds violations among the values of a member, as read by their datatypes: links are strings, decimals have their digits. */
export type FindViolations = (values: Readonly<Record<string, unknown>>) => ProblemData[]

/** Compiled with the first write to the class, since patterns take time to compile. */
export function compileValidator(cls: Class): FindViolations {
  let compiled: FindViolations[] | undefined
  return (values) => {
    compiled ??= cls.properties.map(compileProperty)
    const violations: ProblemData[] = []
    for (const find of compiled) for (const violation of find(values)) violations.push(violation)
    return violations
  }
}

/** Checks the value of one property. */
export function compileProperty(property: Property): FindViolations {
  const { name, many, required } = property
  const check = compileValue(property)
  return (values) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined || (Array.isArray(value) && value.length === 0))
      return required ? [valueViolation('RequiredValue', name)] : []
    if (!many) return check(value, name)
    if (!Array.isArray(value)) return [valueViolation('NotAList', name)]
    const violations = value.flatMap((one, index) => check(one, `${name}/${index}`))
    return value.length > MAX_VALUES
      ? [valueViolation('TooManyValues', name, { maxValues: MAX_VALUES }), ...violations]
      : violations
  }
}

type CheckValue = (value: unknown, path: string) => ProblemData[]

function compileValue({ range, constraints, required }: Property): CheckValue {
  const expected = jsonTypeOf(range)
  const isOfType = (value: unknown) =>
    expected === 'object' ? isObject(value as JsonValue) : typeof value === expected
  // The properties of an embedded value are checked against its own class.
  const rules = range.kind === 'datatype' ? rulesOf(range.datatype, constraints, required) : []
  return (value, path) => {
    if (!isOfType(value)) return [valueViolation('WrongJsonType', path, { expected })]
    const broken = rules.filter(({ holds }) => !holds(value as Literal))
    return broken.map(({ problem }) => atProperty(problem, path))
  }
}

function jsonTypeOf(range: Range): 'string' | 'number' | 'boolean' | 'object' {
  if (range.kind !== 'datatype') return range.kind === 'link' ? 'string' : 'object'
  const { family } = datatypeOf(range.datatype)
  if (family === 'languages') return 'object'
  return family === 'boolean' || (family === 'number' && range.datatype !== 'decimal') ? family : 'string'
}

/** One constraint, and the problem of a value that breaks it. */
interface ValueRule {
  readonly holds: (value: Literal) => boolean
  readonly problem: ProblemData
}

/** More values than a sentence would list. */
const MAX_LISTED = 20

/** Bounds and enumerations are compared by key: decimals with all their digits, and 12.5 equals 12.50. */
function rulesOf(datatype: DatatypeName, constraints: Constraints, required: boolean): ValueRule[] {
  const { minLength, maxLength, pattern, minimum, maximum, enum: values, scale } = constraints
  const { key } = datatypeOf(datatype)
  const rules: ValueRule[] = []
  const add = (problem: ProblemData, holds: ValueRule['holds']) => rules.push({ holds, problem })
  // model.md: a required text has a character that is not white space.
  if (required && isText({ range: { kind: 'datatype', datatype } }))
    add(valueProblem('BlankText', {}), (value) => textsOf(value).every((text) => /\S/.test(text)))
  if (maxLength !== undefined)
    add(valueProblem('TooLong', { maxLength }), (value) => lengthOf(value) <= maxLength)
  if (minLength !== undefined)
    add(valueProblem('TooShort', { minLength }), (value) => lengthOf(value) >= minLength)
  if (pattern !== undefined) {
    const compiled = compilePattern(pattern)
    add(valueProblem('PatternMismatch', { pattern }), (value) => compiled.test(String(value)))
  }
  if (minimum !== undefined) {
    const least = key(minimum)
    add(valueProblem('BelowMinimum', { minimum }), (value) => key(value) >= least)
  }
  if (maximum !== undefined) {
    const most = key(maximum)
    add(valueProblem('AboveMaximum', { maximum }), (value) => key(value) <= most)
  }
  if (values !== undefined) {
    const all = new Set(values.map(key))
    const listed = { allowed: values.slice(0, MAX_LISTED), isTruncated: values.length > MAX_LISTED }
    add(valueProblem('NotInEnum', listed), (value) => all.has(key(value)))
  }
  if (scale !== undefined) {
    add(valueProblem('TooFine', { scale }), (value) => digitsAfterPoint(String(value)) <= scale)
  }
  return rules
}

/** Whether a number that was read exactly is within the bounds and the enumeration of a property. */
export const isAllowedNumber = (
  value: number,
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, enum: values }: Constraints,
): boolean => value >= minimum && value <= maximum && (values === undefined || values.includes(value))

/** Without trailing zeros. */
function digitsAfterPoint(decimal: string): number {
  const [, digits = ''] = decimal.split('.', 2)
  let length = digits.length
  while (digits[length - 1] === '0') length--
  return length
}

/** The texts of a value: several, where there is one for each language. */
const textsOf = (value: Literal): readonly string[] =>
  typeof value === 'object' ? Object.values(value) : [String(value)]

/** Counts characters: those beyond U+FFFF are two units of JavaScript. */
const lengthOf = (value: Literal): number =>
  String(value).length - (String(value).match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0)
