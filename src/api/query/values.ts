import { badRequest } from '../../errors.ts'
import { Numeral } from '../../json.ts'
import {
  DATATYPES,
  type Datatype,
  DECIMAL,
  datatypeOf,
  type Literal,
  type Reading,
} from '../../vocabulary/datatypes.ts'
import { type Key, keyOf } from '../../vocabulary/keys.ts'
import type { CollectionClass, Range } from '../../vocabulary/model.ts'
import { pathTo } from '../../vocabulary/names.ts'
import { readLink } from '../input/link.ts'
import type { FilterParameter } from './parameters.ts'
import { show } from './text.ts'

/** Reads the value that a query gives to a filter, by the datatype of the property; 400 for one of another type. */
export interface ValueReader {
  key(parameter: FilterParameter, text: string): Key
  /** For `startsWith` and `contains`: any text, even where a whole value would have to be an IRI. */
  text(parameter: FilterParameter, text: string): string
}

export function createValueReader(cls: CollectionClass, base: string): ValueReader {
  const readers = new Map(
    cls.properties.map((property) => [property, createReader(property.range, cls, base)]),
  )
  return {
    key(parameter, text) {
      const { property } = parameter
      return keyOf(property, readAs(parameter, text, readers.get(property) ?? DATATYPES.string.read))
    },
    text: (parameter, text) => readAs(parameter, text, DATATYPES.string.read) as string,
  }
}

function readAs({ name }: FilterParameter, text: string, read: (text: string) => Reading): Literal {
  const reading = read(text)
  if ('message' in reading) throw badRequest(`${name}: ${show(text)} ${reading.message}`)
  return reading.value
}

function createReader(range: Range, cls: CollectionClass, base: string): (text: string) => Reading {
  // By IRI, relative ones to the collection, as in what is written (hypermedia.md, Filters).
  const sending = { target: base + pathTo(cls.collection), address: undefined, now: 0 }
  if (range.kind === 'link') return (text) => readLink(range, text, base, sending) as Reading
  if (range.kind === 'embedded') return () => ({ message: 'cannot be compared.' })
  const datatype = datatypeOf(range.datatype)
  if (datatype.family === 'boolean') return readBoolean
  return datatype.family === 'number' ? (text) => readNumber(text, datatype) : datatype.read
}

function readBoolean(text: string): Reading {
  if (text === 'true' || text === 'false') return { value: text === 'true' }
  return { message: 'must be true or false.' }
}

/** RFC 8259 §6; the datatypes count on it. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

function readNumber(text: string, { read, iri }: Datatype): Reading {
  // A decimal may be written in ways that JSON does not know, such as 012.5 and .5.
  if (NUMBER.test(text) || (iri === DATATYPES.decimal.iri && DECIMAL.test(text)))
    return read(new Numeral(text))
  return {
    message: iri.endsWith('nteger') ? 'must be an integer such as 12.' : 'must be a number such as 12.5.',
  }
}
