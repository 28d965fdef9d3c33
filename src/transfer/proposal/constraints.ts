// Constraints and defaults of a proposed property: only those that `check` accepts.
import { JsonNumber } from '../../json.ts'
import {
  type Constraints,
  compilePattern,
  type DatatypeName,
  datatypeOf,
  findPatternProblem,
} from '../../vocabulary/index.ts'

/** Constraints as another schema says them. */
export interface GivenConstraints extends Constraints {
  /** Bounds that are no values themselves. */
  readonly above?: number
  readonly below?: number
}

/** The constraints that fit the type. What an API file cannot say becomes a remark. */
export function fittingConstraints(
  type: DatatypeName,
  given: GivenConstraints,
  remarks: string[],
): Constraints {
  const { family } = datatypeOf(type)
  const { enum: choices, pattern, scale } = given
  const isEnum = choices !== undefined && areValues(choices, type)
  if (choices !== undefined && !isEnum) remarks.push(`possible there: ${choices.join(', ')}`)
  const hasPattern = pattern !== undefined && family === 'text' && findPatternProblem(pattern) === undefined
  // Another type has a form of its own.
  if (pattern !== undefined && !hasPattern && family === 'text') remarks.push(`pattern there: ${pattern}`)
  return {
    ...(isEnum && { enum: choices }),
    ...(family === 'number' && boundsIn(type, given, remarks)),
    ...(family === 'text' && lengthsIn(given)),
    ...(hasPattern && { pattern }),
    ...(type === 'decimal' && scale !== undefined && { scale }),
  }
}

function boundsIn(type: DatatypeName, given: GivenConstraints, remarks: string[]): Constraints {
  const { above, below } = given
  const isWhole = type === 'integer'
  if (above !== undefined && !isWhole) remarks.push(`greater than ${above} there`)
  if (below !== undefined && !isWhole) remarks.push(`less than ${below} there`)
  const minimum = given.minimum ?? (isWhole && above !== undefined ? Math.floor(above) + 1 : undefined)
  const maximum = given.maximum ?? (isWhole && below !== undefined ? Math.ceil(below) - 1 : undefined)
  return isCrossed(minimum, maximum)
    ? {}
    : { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
}

function lengthsIn({ minLength, maxLength }: Constraints): Constraints {
  return isCrossed(minLength, maxLength)
    ? {}
    : { ...(minLength !== undefined && { minLength }), ...(maxLength !== undefined && { maxLength }) }
}

/** Bounds that cross allow nothing, and are left out. */
const isCrossed = (low = -Infinity, high = Infinity): boolean => low > high

/** Whether all are different values of the type. */
function areValues(values: readonly (string | number)[], type: DatatypeName): boolean {
  if (type === 'boolean' || values.length === 0) return false
  const { read, key } = datatypeOf(type)
  const keys = values.map((value) => {
    const reading = read(typeof value === 'number' ? new JsonNumber(String(value)) : value)
    return 'value' in reading ? key(reading.value) : undefined
  })
  return !keys.includes(undefined) && new Set(keys).size === keys.length
}

/** Whether a property with these constraints would accept the value, as a default or an example. */
export function isAccepted(value: unknown, type: DatatypeName, constraints: Constraints): boolean {
  if (type === 'boolean') return typeof value === 'boolean'
  if (typeof value !== (datatypeOf(type).family === 'number' ? 'number' : 'string')) return false
  const { enum: choices, minimum = -Infinity, maximum = Infinity, scale = 100 } = constraints
  const { minLength = 0, maxLength = Infinity, pattern } = constraints
  const one = value as string | number
  if (!areValues([one], type) || (choices !== undefined && !choices.includes(one))) return false
  if (typeof one === 'number')
    return one >= minimum && one <= maximum && (String(one).split('.')[1] ?? '').length <= scale
  const { length } = Array.from(one)
  if (one.trim() === '' || length < minLength || length > maxLength) return false
  return pattern === undefined || compilePattern(pattern).test(one)
}
