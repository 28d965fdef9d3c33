import { JSON_NUMBER, JsonNumber, type JsonValue } from '../../json.ts'
import type { ProblemData } from '../../problem.ts'
import {
  type Constraints,
  type DatatypeName,
  datatypeOf,
  isAllowedNumber,
  type Property,
  type ValueProblems,
  valueProblem,
} from '../../vocabulary/index.ts'

/** Longer texts are not repeated in a sentence, nor read as numbers. */
const LONGEST_SHOWN = 32

/** Completes the problem of a value of another datatype with what would be right for its property. */
export function explainDatatype(
  problem: ProblemData,
  { range, constraints }: Property,
  sent: JsonValue,
): ProblemData {
  if (problem.code !== 'WrongDatatype' || range.kind !== 'datatype') return problem
  const values = problem.values as ValueProblems['WrongDatatype']
  const { minimum, maximum, enum: allowed } = constraints
  const isLimited = minimum !== undefined || maximum !== undefined || allowed !== undefined
  const isUnquoted = typeof sent === 'string' && isRightUnquoted(sent, range.datatype, constraints)
  return valueProblem('WrongDatatype', {
    ...values,
    ...(values.found === 'string' && isUnquoted && { unquoted: sent }),
    ...(isLimited && { constraints }),
  })
}

/** Whether a text would be a value of the property if it were sent as a number or a boolean. */
function isRightUnquoted(text: string, name: DatatypeName, constraints: Constraints): boolean {
  const { family, read } = datatypeOf(name)
  if (family === 'boolean') return text === 'true' || text === 'false'
  if (family !== 'number' || text.length > LONGEST_SHOWN || !JSON_NUMBER.test(text)) return false
  const reading = read(new JsonNumber(text))
  return 'value' in reading && isAllowedNumber(Number(reading.value), constraints)
}
