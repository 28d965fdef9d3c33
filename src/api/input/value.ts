import { isObject, type JsonObject, type JsonValue, Numeral } from '../../json.ts'
import {
  addressIn,
  type DatatypeName,
  datatypeOf,
  pathTo,
  type Range,
  type Reading,
  XSD,
} from '../../vocabulary/index.ts'

const INTEGERS = ['integer', 'nonNegativeInteger', 'positiveInteger', 'long', 'int', 'short', 'byte'].map(
  (name) => XSD + name,
)

/** As JSON, or as a value object (JSON-LD 1.1 §9.5), whose type must agree with that of the property. */
export function readLiteral(name: DatatypeName, sent: JsonValue): Reading {
  const datatype = datatypeOf(name)
  if (!isValueObject(sent)) return datatype.read(sent)
  const { '@value': value = null, '@type': type } = sent
  for (const one of ['language', 'direction'])
    if (`@${one}` in sent) return { message: `takes a value without a ${one}; leave "@${one}" out.` }
  if (type === undefined) return datatype.read(value)
  if (!agrees(name, type)) return { message: `must be of type ${datatype.iri}, or say no "@type".` }
  return datatype.read(typeof value === 'string' ? fromLexical(name, value) : value)
}

const isValueObject = (value: JsonValue): value is JsonObject => isObject(value) && '@value' in value

/** An integer is a decimal too; whether it is a positive one is for the value to tell. */
function agrees(name: DatatypeName, type: JsonValue): boolean {
  const { iri } = datatypeOf(name)
  if (type === iri) return true
  return INTEGERS.includes(type as string) && (INTEGERS.includes(iri) || name === 'decimal')
}

const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/
const BOOLEANS = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }))

/** What XSD writes as text and JSON as a number or a boolean. */
function fromLexical(name: DatatypeName, text: string): JsonValue {
  const { family } = datatypeOf(name)
  if (family === 'boolean') return BOOLEANS.get(text) ?? text
  if (family !== 'number' || name === 'decimal' || !NUMBER.test(text)) return text
  return new Numeral(text.replace(/^\+/, ''))
}

/** A map whose texts are all null, as a patch leaves it behind, has no value. */
export const isWithoutText = (sent: JsonValue): boolean => {
  const texts = isObject(sent) ? Object.values(sent) : []
  return texts.length > 0 && texts.every((text) => text === null)
}

/** Texts by language: one map, or value objects with a language each (JSON-LD 1.1 §4.2.4). */
export function readLanguages(sent: readonly JsonValue[]): Reading {
  const { read } = datatypeOf('langString')
  const texts: JsonObject = Object.create(null)
  for (const one of sent) {
    const pairs = languagePairs(one)
    if (pairs === undefined) return read(isValueObject(one) ? null : one)
    for (const [tag, text] of pairs) {
      if (tag in texts) return { message: `has two texts for ${JSON.stringify(tag.slice(0, 32))}; send one.` }
      texts[tag] = text
    }
  }
  return read(texts)
}

function languagePairs(sent: JsonValue): [string, JsonValue][] | undefined {
  if (!isObject(sent)) return undefined
  const only = (text: JsonValue) => (Array.isArray(text) && text.length === 1 ? (text[0] ?? null) : text)
  if (!isValueObject(sent)) return Object.entries<JsonValue>(sent).map(([tag, text]) => [tag, only(text)])
  const { '@value': text = null, '@language': tag, ...rest } = sent
  return typeof tag === 'string' && Object.keys(rest).length === 0 ? [[tag, text]] : undefined
}

export const ID = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/

/** A link as the path that is stored: sent as an IRI, relative to `target`, or as an object with just its `@id`. */
export function readLink(
  { collection }: Range & { kind: 'link' },
  sent: JsonValue,
  { base, target }: { readonly base: string; readonly target: string },
): Reading {
  const path = pathTo(collection)
  const iri = isObject(sent) && Object.keys(sent).join() === '@id' ? sent['@id'] : sent
  const id = typeof iri === 'string' ? idWithin(`${base}${path}/`, iri, target) : undefined
  if (id !== undefined) return { value: `${path}/${id}` }
  const more =
    isObject(sent) && '@id' in sent
      ? ', and nothing but that: a member that was read with include is written at its own address'
      : ''
  const addresses = `${base}${path}/{id} or ${new URL(base).pathname.replace(/\/$/, '')}${path}/{id}`
  return { message: `must be the address of a member of ${collection}, such as ${addresses}${more}.` }
}

function idWithin(start: string, iri: string, target: string): string | undefined {
  // URL would tidy these up; RFC 3986 knows none of them.
  if (/[\s\\\p{Cc}]/u.test(iri)) return undefined
  const absolute = iri.startsWith(start) ? iri : (addressIn(iri, target) ?? '')
  const id = absolute.startsWith(start) ? absolute.slice(start.length) : ''
  return ID.test(id) ? id : undefined
}
