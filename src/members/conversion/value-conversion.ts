import { JSON_NUMBER, JsonNumber } from '../../json.ts'
import {
  type DatatypeName,
  datatypeOf,
  type Literal,
  pathTo,
  type Range,
  type ValueReading,
} from '../../vocabulary/index.ts'
import { conversionProblem } from '../problems.ts'

/** Marks the path of a link while members are converted: no stored text contains U+0000. */
export const LINK_MARK = '\0'

export const isMarked = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(LINK_MARK)

/** A stored value converted to the current range of its property, or why it cannot be converted. */
export function convertValue(range: Range, stored: unknown): ValueReading {
  if (range.kind === 'embedded') {
    const { name: className } = range.cls
    return { problem: conversionProblem('CannotEmbed', { value: shown(stored), className }) }
  }
  if (range.kind === 'link') {
    const id = typeof stored === 'string' ? /^\0?\/[^/]+\/([^/]+)$/.exec(stored)?.[1] : undefined
    const { collection } = range
    if (id !== undefined) return { value: `${pathTo(collection)}/${id}` }
    return { problem: conversionProblem('CannotLink', { value: shown(stored), collection }) }
  }
  const { datatype } = range
  if (isMarked(stored)) return { problem: conversionProblem('LinkNow', { value: shown(stored), datatype }) }
  const reading = readAs(datatype, stored as Literal)
  if ('value' in reading) return reading
  return {
    problem: conversionProblem('CannotConvert', { value: shown(stored), problem: reading.problem }),
  }
}

/**
 * Reads the value as it is, else as another JSON type. If both fail, returns the second problem, which is more precise.
 */
function readAs(datatype: DatatypeName, stored: Literal): ValueReading {
  const { read } = datatypeOf(datatype)
  const reading = read((typeof stored === 'number' ? new JsonNumber(String(stored)) : stored) as never)
  if ('value' in reading) return reading
  const other = inOtherType(stored)
  if (other === undefined) return reading
  const second = read(other as never)
  // A text of digits may be a code rather than a number: only a type that rounds may drop its zeros.
  const isSame = 'problem' in second || String(second.value) === stored || typeof stored !== 'string'
  return isSame || ROUNDING.has(datatype) ? second : reading
}

const ROUNDING: ReadonlySet<DatatypeName> = new Set(['double', 'float'])

const DIGITS = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

/** The same text as another JSON type: 12 as "12" and "12" as 12, so that a number can become text and back. */
function inOtherType(stored: Literal): Literal | JsonNumber | undefined {
  if (typeof stored === 'number' || typeof stored === 'boolean') return String(stored)
  if (typeof stored !== 'string') return undefined
  if (stored === 'true' || stored === 'false') return stored === 'true'
  // "NaN" and "Infinity" are numbers only to JavaScript.
  const isNumber = JSON_NUMBER.test(stored) && (DIGITS.test(stored) || String(Number(stored)) === stored)
  return isNumber ? new JsonNumber(stored) : undefined
}

function shown(stored: unknown): string {
  const text = JSON.stringify(stored, (_, one) => (isMarked(one) ? one.slice(LINK_MARK.length) : one))
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
