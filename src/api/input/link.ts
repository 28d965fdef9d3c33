import { isObject, type JsonValue } from '../../json.ts'
import type { Range } from '../../vocabulary/model.ts'
import { addressIn, pathTo } from '../../vocabulary/names.ts'
import type { Sending } from './envelope.ts'
import type { ReadValue } from './literal.ts'

export const ID = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/

/** A link to a member as the path that is stored: sent as an IRI, or as an object with nothing but its `@id`. */
export function readLink(
  { collection }: Range & { kind: 'link' },
  sent: JsonValue,
  base: string,
  { target }: Sending,
): ReadValue {
  const path = pathTo(collection)
  const iri = isObject(sent) && Object.keys(sent).join() === '@id' ? sent['@id'] : sent
  const id = typeof iri === 'string' ? idWithin(`${base}${path}/`, iri, target) : undefined
  if (id !== undefined) return { value: `${path}/${id}` }
  const more = isObject(sent) && '@id' in sent ? ', and nothing but that' : ''
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
