import { JSON_NUMBER, JsonNumber } from '../../json.ts'
import { LONGEST_NEAR } from '../../text.ts'
import {
  DATATYPES,
  type Datatype,
  DECIMAL,
  datatypeOf,
  keyOf,
  type Literal,
  type Property,
  type ValueReading,
} from '../../vocabulary/index.ts'
import { readLink } from '../input/identifiers.ts'
import { parameterProblem } from '../problems/index.ts'

const MAX_LISTED = 10

/** The addresses that IRIs are relative to: the collection that is asked, as in bodies (hypermedia.md, Filters). */
export interface LinkContext {
  readonly base: string
  readonly target: string
}

/** Reads a value of a query; throws a problem of the parameter for a value of another type. */
export type ReadValue = (text: string, parameter: string) => Literal

export interface ValueReaders {
  readonly bound: ReadValue
  /** For operators that compare whole values, which an `enum` restricts. */
  readonly value: ReadValue
}

/** The one place where a value that is not of its datatype becomes a problem. */
const readAs =
  (read: (text: string) => ValueReading): ReadValue =>
  (text, parameter) => {
    const reading = read(text)
    if ('value' in reading) return reading.value
    throw parameterProblem('InvalidFilterValue', parameter, { text, problem: reading.problem })
  }

export function createReadValue(property: Property, links: LinkContext): ValueReaders {
  const bound = createReadBound(property, links)
  const values = property.constraints.enum
  if (values === undefined) return { bound, value: bound }
  const keys = new Set(values.map((one) => keyOf(property, one)))
  const known = values.map(String)
  const listed = known.slice(0, MAX_LISTED).map((one) => one.slice(0, LONGEST_NEAR))
  // hypermedia.md, Filters: "A value outside an `enum` is ill-typed."
  const value: ReadValue = (text, parameter) => {
    const found = bound(text, parameter)
    if (keys.has(keyOf(property, found))) return found
    throw parameterProblem('UnknownEnumValue', parameter, { text, known, listed })
  }
  return { bound, value }
}

function createReadBound({ range }: Property, links: LinkContext): ReadValue {
  if (range.kind === 'link') return readAs((text) => readLink(range, text, links))
  if (range.kind === 'embedded') return neverRead
  const datatype = datatypeOf(range.datatype)
  if (datatype.family === 'boolean') return readBoolean
  return datatype.family === 'number' ? createReadNumber(datatype) : readAs(datatype.read)
}

const neverRead: ReadValue = (_, parameter) => {
  throw new Error(`${parameter} filters an embedded value.`)
}

export const readText = readAs(DATATYPES.string.read)

export const readBoolean: ReadValue = (text, parameter) => {
  if (text === 'true' || text === 'false') return text === 'true'
  throw parameterProblem('InvalidFilterValue', parameter, { text, expected: 'boolean' })
}

function createReadNumber({ read, iri }: Datatype): ReadValue {
  const expected = iri.endsWith('nteger') ? 'integer' : 'number'
  const readNumber = readAs((text) => read(new JsonNumber(text)))
  return (text, parameter) => {
    // A decimal may be written in ways that JSON does not know, such as 012.5 and .5.
    if (JSON_NUMBER.test(text) || (iri === DATATYPES.decimal.iri && DECIMAL.test(text)))
      return readNumber(text, parameter)
    throw parameterProblem('InvalidFilterValue', parameter, { text, expected })
  }
}
