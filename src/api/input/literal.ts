import { type JsonObject, type JsonValue, Numeral } from '../../json.ts'
import { type DatatypeName, datatypeOf } from '../../vocabulary/datatypes.ts'
import { XSD } from '../../vocabulary/namespaces.ts'

export type ReadValue = { readonly value: unknown } | { readonly message: string }

const INTEGERS = ['integer', 'nonNegativeInteger', 'positiveInteger', 'long', 'int', 'short', 'byte'].map(
  (name) => XSD + name,
)

/** A value object (JSON-LD 1.1 §9.5), whose type must agree with that of the property. */
export function readValueObject(name: DatatypeName, sent: JsonObject): ReadValue {
  const { '@value': value = null, '@type': type, '@language': language, '@direction': direction } = sent
  if (language !== undefined) return { message: 'takes a value without a language; leave "@language" out.' }
  if (direction !== undefined)
    return { message: 'takes a value without a direction; leave "@direction" out.' }
  if (type === undefined) return datatypeOf(name).read(value)
  if (!agrees(name, type)) return { message: `must be of type ${datatypeOf(name).iri}, or say no "@type".` }
  return datatypeOf(name).read(typeof value === 'string' ? fromLexical(name, value) : value)
}

/** An integer is a decimal too; whether it is a positive one is for the value to tell. */
function agrees(name: DatatypeName, type: JsonValue): boolean {
  const { iri } = datatypeOf(name)
  if (type === iri) return true
  return INTEGERS.includes(type as string) && (INTEGERS.includes(iri) || name === 'decimal')
}

/** What XSD writes as text and JSON as a number or a boolean. */
function fromLexical(name: DatatypeName, text: string): JsonValue {
  switch (datatypeOf(name).family) {
    case 'number':
      return NUMBER.test(text) && name !== 'decimal' ? new Numeral(text.replace(/^\+/, '')) : text
    case 'boolean':
      return BOOLEANS.get(text) ?? text
    default:
      return text
  }
}

const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
