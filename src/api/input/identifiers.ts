import { isObject, JsonNumber, type JsonValue } from '../../json.ts'
import { withUsualEncodings } from '../../text.ts'
import {
  type Class,
  classIri,
  contextAddress,
  ID,
  memberContext,
  memberOperationIri,
  pathTo,
  type Range,
  type Reading,
} from '../../vocabulary/index.ts'

/** An address that was sent, in the spelling of served ones (RFC 3986 §6.2.2.1); undefined for what is no address. */
function addressIn(iri: string, target: string): string | undefined {
  const url = URL.parse(iri, target)
  return url === null ? undefined : withUsualEncodings(url.href)
}

/** Whether a context is the one that is served with the class, inline or by its address. */
export function createIsOwnContext(cls: Class, base: string): (value: JsonValue) => boolean {
  const context = memberContext(cls, base)
  const address = contextAddress(cls.name, base)
  return (value) =>
    typeof value === 'string'
      ? withUsualEncodings(value) === address
      : typeof value === 'object' && isSame(value, context)
}

/** Generic admin clients send it back with what they read (hypermedia.md, Writing). */
export const IGNORED = 'originId'

/** Whether a key that is no property was served with a member, to any user: an operation, or a link to one. */
export function createIsServed(cls: Class, base: string): (name: string, value: JsonValue) => boolean {
  const start = memberOperationIri(cls, base)
  const links = new Set(cls.customOperations?.map(({ name }) => name))
  const isOffer = (value: JsonValue) =>
    isObject(value) && typeof value['@id'] === 'string' && value['@id'].startsWith(start)
  return (name, value) => {
    if (name === 'operation' && cls.isOwned === true && [value].flat().every(isOffer)) return true
    const isLink =
      typeof value === 'string' && withUsualEncodings(value).startsWith(base) && value.endsWith(`/${name}`)
    return name === IGNORED || (isLink && links.has(name))
  }
}

/** Deep equality that stops at the first difference: what was sent may be a megabyte. */
function isSame(sent: JsonValue, own: unknown): boolean {
  if (sent instanceof JsonNumber) return Number(sent.source) === own
  if (typeof sent !== 'object' || sent === null) return sent === own
  if (typeof own !== 'object' || own === null || Array.isArray(sent) !== Array.isArray(own)) return false
  const [pairs, ownPairs] = [Object.entries(sent), new Map(Object.entries(own))]
  return pairs.length === ownPairs.size && pairs.every(([key, one]) => isSame(one, ownPairs.get(key)))
}

export interface Addressed {
  /** The address that relative addresses are relative to. */
  readonly target: string
  /** The one value that `@id` may have; undefined for a new member, whose address the server chooses. */
  readonly address: string | undefined
}

/** Checks keywords such as `@id`: what is wrong, or undefined. */
export function createCheckKeyword(cls: Class, base: string, isEmbedded: boolean) {
  const { name, operations, methods } = cls
  const isOwnContext = createIsOwnContext(cls, base)
  const types: readonly JsonValue[] = [name, classIri(cls, base), `${base}/vocab#${name}`].map(
    withUsualEncodings,
  )
  const isType = (type: JsonValue) =>
    types.includes(typeof type === 'string' ? withUsualEncodings(type) : type)
  // hypermedia.md, Writing: whether a client may choose the address of a new member.
  const canPut = operations.has('create') && operations.has('replace') && methods.replace.includes('PUT')
  const orPut = canPut ? ', or PUT to that address with If-None-Match: *' : ''
  const byPut =
    canPut && cls.collection !== undefined && !isEmbedded
      ? `to choose an id, PUT to ${base}${pathTo(cls.collection)}/{id} with If-None-Match: *`
      : 'leave it out'

  return (keyword: string, value: JsonValue, { address, target }: Addressed): string | undefined => {
    switch (keyword) {
      case '@context':
        if (isOwnContext(value)) return undefined
        return `must be the context of ${name}, or its address ${contextAddress(name, base)}, or be left out.`
      case '@type':
        if ([value].flat().every(isType)) return undefined
        return `must be ${JSON.stringify(name)} here, or be left out.`
      case '@id':
        // A blank node has no name (RDF 1.1 §3.4): what it is called within a document means nothing outside.
        if (typeof value === 'string' && value.startsWith('_:')) return undefined
        if (isEmbedded)
          return 'cannot be here, since an embedded value has no address of its own; leave it out.'
        if (address === undefined) return `is chosen by the server for a new member; leave it out${orPut}.`
        if (typeof value === 'string' && (value === address || addressIn(value, target) === address))
          return undefined
        return `must be ${address} here, or be left out.`
      case 'id': {
        const sent = value instanceof JsonNumber ? value.source : value
        if (sent === null) return undefined
        // An empty one would be a reference to the target itself (RFC 3986 §4.4).
        const isTarget =
          typeof sent === 'string' &&
          sent !== '' &&
          address !== undefined &&
          (sent === address.slice(address.lastIndexOf('/') + 1) || addressIn(sent, target) === address)
        return isTarget && !isEmbedded ? undefined : `is not a property of ${name}; ${byPut}.`
      }
      default:
        return 'is not understood here; leave it out.'
    }
  }
}

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
