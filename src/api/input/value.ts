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

/** Reads JSON, or a value object (JSON-LD 1.1 §9.5) whose type must agree with that of the property. */
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

/** An integer is a decimal too. Whether it is a positive one is checked with the value. */
function agrees(name: DatatypeName, type: JsonValue): boolean {
  const { iri } = datatypeOf(name)
  if (type === iri) return true
  return INTEGERS.includes(type as string) && (INTEGERS.includes(iri) || name === 'decimal')
}

const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/
const BOOLEANS = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }))

/** A number or a boolean of JSON from its lexical form in XSD. */
function fromLexical(name: DatatypeName, text: string): JsonValue {
  const { family } = datatypeOf(name)
  if (family === 'boolean') return BOOLEANS.get(text) ?? text
  if (family !== 'number' || name === 'decimal' || !NUMBER.test(text)) return text
  return new Numeral(text.replace(/^\+/, ''))
}

/** Whether a language map has nothing but nulls, as a patch may leave it. */
export const isWithoutText = (sent: JsonValue): boolean => {
  const texts = isObject(sent) ? Object.values(sent) : []
  return texts.length > 0 && texts.every((text) => text === null)
}

/** Reads texts by language: one map, or value objects with a language each (JSON-LD 1.1 §4.2.4). */
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

/** The addresses of members that the same batch has created, by their blank node labels (live.md). */
export type References = ReadonlyMap<string, string> | undefined

/** The path that is stored of a link, which is sent as an IRI, relative to `target`, or as an object with just `@id`. */
export function readLink(
  { collection }: Range & { kind: 'link' },
  sent: JsonValue,
  where: { readonly base: string; readonly target: string; readonly references?: References },
): Reading {
  const { base, target, references } = where
  const path = pathTo(collection)
  const named = isObject(sent) && Object.keys(sent).join() === '@id' ? sent['@id'] : sent
  const isReference = references !== undefined && typeof named === 'string' && named.startsWith('_:')
  const iri = isReference ? references.get(named) : named
  if (iri === undefined) {
    const name = JSON.stringify(named).slice(0, 100)
    return { message: `${name} stands for no member that an earlier operation of this batch has made.` }
  }
  const id = typeof iri === 'string' ? idWithin(`${base}${path}/`, iri, target) : undefined
  if (id !== undefined) return { value: `${path}/${id}` }
  const meant = typeof iri === 'string' ? meantBy(iri, path) : undefined
  if (meant !== undefined)
    return {
      message: `must be the address of a member of ${collection}; did you mean "${base}${path}/${meant}"?`,
    }
  const more =
    isObject(sent) && '@id' in sent
      ? ', and nothing but that: a member that was read with include is written at its own address'
      : ''
  const addresses = `${base}${path}/{id} or ${new URL(base).pathname.replace(/\/$/, '')}${path}/{id}`
  return { message: `must be the address of a member of ${collection}, such as ${addresses}${more}.` }
}

/** The id in an address on another host or without the base's path, or in an id alone. */
function meantBy(iri: string, path: string): string | undefined {
  const at = iri.lastIndexOf(`${path}/`)
  const id = at < 0 ? iri : iri.slice(at + path.length + 1)
  return ID.test(id) ? id : undefined
}

function idWithin(start: string, iri: string, target: string): string | undefined {
  // URL.parse would accept and normalise these, which RFC 3986 does not allow.
  if (/[\s\\\p{Cc}]/u.test(iri)) return undefined
  const absolute = iri.startsWith(start) ? iri : (addressIn(iri, target) ?? '')
  const id = absolute.startsWith(start) ? absolute.slice(start.length) : ''
  return ID.test(id) ? id : undefined
}
