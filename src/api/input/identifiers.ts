import { isObject, JsonNumber, type JsonValue } from '../../json.ts'
import type { ProblemData } from '../../problem.ts'
import { withUsualEncodings } from '../../text.ts'
import {
  type Class,
  classIri,
  contextAddress,
  HISTORY,
  ID,
  memberContext,
  memberOperationIri,
  pathTo,
  type Range,
  type ReverseLink,
  type ValueReading,
  vocabIri,
} from '../../vocabulary/index.ts'
import { reverseAddressStart } from '../query/reverse-links.ts'
import { inputProblem } from './problems.ts'

/** An address that was sent, in the spelling of served ones (RFC 3986 §6.2.2.1); undefined for a text that is not one. */
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

/** Generic admin clients add this key to the member that they send back (hypermedia.md, Writing). */
export const IGNORED = 'originId'

/** Whether a key that is not a property is served with members: an operation, or a link to one. */
export function createIsServed(cls: Class, base: string): (name: string, value: JsonValue) => boolean {
  const start = memberOperationIri(cls, base)
  const links = new Set(cls.customOperations?.map(({ name }) => name))
  if (cls.history !== undefined) links.add(HISTORY)
  const historyIri = vocabIri(base, HISTORY)
  const isOffer = (value: JsonValue) =>
    isObject(value) && typeof value['@id'] === 'string' && value['@id'].startsWith(start)
  return (name, value) => {
    if (name === 'operation' && cls.isOwned === true && [value].flat().every(isOffer)) return true
    const isLink =
      typeof value === 'string' && withUsualEncodings(value).startsWith(base) && value.endsWith(`/${name}`)
    return (
      name === IGNORED || (isLink && links.has(name)) || (cls.history !== undefined && name === historyIri)
    )
  }
}

/**
 * Whether a link from the other side was sent as it is served. The address of a new member is not known yet: an import or
 * a hook may have that of any member, and any other body has none.
 */
export function createIsServedReverse(link: ReverseLink, cls: Class, base: string) {
  const start = withUsualEncodings(reverseAddressStart(link, cls, base))
  return (sent: JsonValue, { address, target, kind }: Addressed & { readonly kind: string }): boolean => {
    const values = [sent].flat().filter((value) => value !== null)
    if (values.length === 0) return kind !== 'patch'
    const [value, ...more] = values.map((one) =>
      isObject(one) && Object.keys(one).join() === '@id' ? one['@id'] : one,
    )
    const found = typeof value === 'string' && more.length === 0 ? addressIn(value, target) : undefined
    if (found === undefined || !found.startsWith(start)) return false
    const id = found.slice(start.length)
    if (kind === 'restored' || kind === 'stored') return ID.test(id)
    return address !== undefined && id === address.slice(address.lastIndexOf('/') + 1)
  }
}

/** Deep equality that stops at the first difference: a body may have a megabyte. */
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
  /** The only value that `@id` may have; undefined for a new member, whose address the server chooses. */
  readonly address: string | undefined
}

/** Checks keywords such as `@id`; returns undefined if the keyword is allowed here. */
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
  const template =
    canPut && cls.collection !== undefined && !isEmbedded
      ? `${base}${pathTo(cls.collection)}/{id}`
      : undefined

  return (keyword: string, value: JsonValue, { address, target }: Addressed): ProblemData | undefined => {
    switch (keyword) {
      case '@context':
        if (isOwnContext(value)) return undefined
        return inputProblem('WrongContext', { className: name, address: contextAddress(name, base) })
      case '@type':
        if ([value].flat().every(isType)) return undefined
        return inputProblem('WrongType', { className: name })
      case '@id':
        // A blank node has no name (RDF 1.1 §3.4): its label means nothing outside of the document.
        if (typeof value === 'string' && value.startsWith('_:')) return undefined
        if (isEmbedded) return inputProblem('EmbeddedId')
        if (address === undefined) return inputProblem('IdOfNewMember', { canPut })
        if (typeof value === 'string' && (value === address || addressIn(value, target) === address))
          return undefined
        return inputProblem('WrongId', { address })
      case 'id': {
        const sent = value instanceof JsonNumber ? value.source : value
        if (sent === null) return undefined
        // An empty `@id` would be a reference to the target itself (RFC 3986 §4.4).
        const isTarget =
          typeof sent === 'string' &&
          sent !== '' &&
          address !== undefined &&
          (sent === address.slice(address.lastIndexOf('/') + 1) || addressIn(sent, target) === address)
        return isTarget && !isEmbedded
          ? undefined
          : inputProblem('IdIsNoProperty', { className: name, template })
      }
      default:
        return inputProblem('UnknownKeyword')
    }
  }
}

/** The addresses of members that the same batch has created, by their blank node labels (live.md). */
export type References = ReadonlyMap<string, string> | undefined

/** Reads a link, sent as an IRI (relative to `target`) or as an object with just `@id`, into the path that is stored. */
export function readLink(
  { collection }: Range & { kind: 'link' },
  sent: JsonValue,
  where: { readonly base: string; readonly target: string; readonly references?: References },
): ValueReading {
  const { base, target, references } = where
  const path = pathTo(collection)
  const named = isObject(sent) && Object.keys(sent).join() === '@id' ? sent['@id'] : sent
  const isReference = references !== undefined && typeof named === 'string' && named.startsWith('_:')
  const iri = isReference ? references.get(named) : named
  if (iri === undefined)
    return { problem: inputProblem('UnknownReference', { name: String(named).slice(0, 100) }) }
  const id = typeof iri === 'string' ? idWithin(`${base}${path}/`, iri, target) : undefined
  if (id !== undefined) return { value: `${path}/${id}` }
  const problem = inputProblem('InvalidLink', {
    collection,
    ...(typeof iri === 'string' && suggestedFor(iri, base, path)),
    templates: [base, new URL(base).pathname.replace(/\/$/, '')].map((start) => `${start}${path}/{id}`),
    hasMore: isObject(sent) && '@id' in sent,
  })
  return { problem }
}

/**
 * What was probably meant by an address on another host or without the base's path. A word alone may be an id, but as well
 * a name, so it is only shown how an id would be sent.
 */
function suggestedFor(iri: string, base: string, path: string) {
  const at = iri.lastIndexOf(`${path}/`)
  const id = at < 0 ? iri : iri.slice(at + path.length + 1)
  if (!ID.test(id)) return {}
  const address = `${base}${path}/${id}`
  return at < 0 ? { byId: { id, address } } : { meant: address }
}

function idWithin(start: string, iri: string, target: string): string | undefined {
  // URL.parse would accept and normalise these, which RFC 3986 does not allow.
  if (/[\s\\\p{Cc}]/u.test(iri)) return undefined
  const absolute = iri.startsWith(start) ? iri : (addressIn(iri, target) ?? '')
  const id = absolute.startsWith(start) ? absolute.slice(start.length) : ''
  return ID.test(id) ? id : undefined
}
