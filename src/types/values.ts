import { type DatatypeName, datatypeOf } from '../vocabulary/datatypes.ts'
import type { Property } from '../vocabulary/model.ts'
import type { Names } from './names.ts'
import { quoted } from './text.ts'

/** Where a value stands: in what is served, in what is sent, or in a question. */
export type Place = 'member' | 'input' | 'query'

/** The type of one value of a property. */
export function valueType(property: Property, place: Place, names: Names): string {
  const { range } = property
  switch (range.kind) {
    case 'link':
      return `${names.link}<${names.of(range.className).member}>`
    case 'embedded': {
      const { value, input } = names.of(range.cls.name)
      return place === 'member' ? value : place === 'input' ? input : 'string'
    }
    case 'datatype':
      return choiceOf(property) ?? literalType(range.datatype, place)
  }
}

function literalType(datatype: DatatypeName, place: Place): string {
  // hypermedia.md, Datatypes: "returned as JSON strings with the digits that were sent, and may be sent as string or
  // number".
  if (datatype === 'decimal') return place === 'member' ? 'string' : 'string | number'
  const { family } = datatypeOf(datatype)
  if (family === 'languages') return place === 'query' ? 'string' : LANGUAGES[place]
  return family === 'number' || family === 'boolean' ? family : 'string'
}

const LANGUAGES = {
  member: '{ [language: string]: string }',
  input: '{ readonly [language: string]: string }',
}

/** Those whose values have one spelling: a decimal is among [12.50] as 12.5 too, and a time in any time zone. */
const SPELT_ONCE: readonly DatatypeName[] = [
  ...(['string', 'anyURI', 'double', 'float'] as const),
  ...(['integer', 'nonNegativeInteger', 'positiveInteger'] as const),
]

/** The possible values, where a type can name them. */
export function choiceOf({ constraints, range }: Property): string | undefined {
  const values = constraints.enum ?? []
  if (values.length === 0 || range.kind !== 'datatype' || !SPELT_ONCE.includes(range.datatype))
    return undefined
  const written = values.map((value) => (typeof value === 'number' ? String(value) : quoted(value)))
  return [...new Set(written)].join(' | ')
}

/** A list of such values. */
export const listOf = (type: string): string => (/[|]/.test(type) ? `(${type})[]` : `${type}[]`)
