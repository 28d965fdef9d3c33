// Finds the class and the id that a member of the data asks for.
import type { JsonObject, JsonValue } from '../json.ts'
import { percentDecoded, withUsualEncodings } from '../text.ts'
import {
  ACCOUNTS,
  type Class,
  classIri,
  hasCollection,
  ID,
  isSingle,
  type Model,
  pathTo,
  storedClasses,
  vocabIri,
} from '../vocabulary/index.ts'
import { idIn } from './name-lookup.ts'
import { importProblem } from './problems.ts'

/** The class of a member of the data, and the id that it asks for. */
export interface MemberIdentity {
  readonly cls: Class
  /** Undefined if the data gives none. */
  readonly id: string | undefined
}

/**
 * The base of relative addresses in JSON-LD until they are made absolute: here `/books/1` is a path below the base URL,
 * and not on its host.
 */
export const RELATIVE = 'http://relative.invalid/'

const AT_TYPE = { at: { property: '@type' } }
const AT_ADDRESS = { at: { property: '@id' } }
const AT_ID = { at: { property: 'id' } }

export const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/

/** Reads the addresses and types of the data. */
export interface IdentityReader {
  /** An address as the data may write it, `http://…/books/1`, `/books/1` or `books/1`, in full. */
  absolute(address: string): string
  /** Takes the values of `@type` and `@id`, either of which may be absent; throws if they do not determine a class. */
  identify(type: JsonValue | undefined, id: JsonValue | undefined): MemberIdentity
}

/** Finds the id of the user with a name. */
export type FindUserId = (name: string) => number | undefined

/**
 * The address of an account, as the data may write it: the id, the name, `accounts/2`, or the whole address. No name has a
 * colon, so that an address with its scheme is none.
 */
export const createAccountReader =
  (absolute: IdentityReader['absolute'], findUserId: FindUserId) =>
  (sent: string): string | undefined => {
    const isRelative = sent.startsWith(RELATIVE)
    const text = isRelative ? (percentDecoded(sent.slice(RELATIVE.length)) ?? sent) : sent
    const [, id] = ACCOUNT_ID.exec(text) ?? []
    if (id !== undefined) return absolute(`${pathTo(ACCOUNTS)}/${id}`)
    const userId = findUserId(text)
    if (userId !== undefined) return absolute(`${pathTo(ACCOUNTS)}/${userId}`)
    return SCHEME.test(text) ? absolute(text) : undefined
  }

const ACCOUNT_ID = /^(?:\/?accounts\/)?([1-9][0-9]*)$/

export function createIdentityReader(model: Model, base: string): IdentityReader {
  const classes = storedClasses(model)
  const collections = new Map(classes.filter(hasCollection).map((cls) => [cls.collection, cls]))
  const singles = new Map(classes.filter(isSingle).map((cls) => [cls.name, cls]))
  const only = collections.size === 1 ? [...collections.values()][0] : undefined
  const classOfType = createTypeReader(classes, base)

  function absolute(address: string): string {
    if (address.startsWith(RELATIVE)) return `${base}/${address.slice(RELATIVE.length)}`
    if (SCHEME.test(address) || address.startsWith('//')) return address
    return address.startsWith('/') ? base + address : `${base}/${address}`
  }

  function addressed(sent: JsonValue): MemberIdentity {
    const path = typeof sent === 'string' ? pathBelowBase(sent) : undefined
    const [encoded = '', id, ...more] = path?.split('/') ?? []
    // Exports are percent-encoded; people may write the letters unencoded.
    const segment = percentDecoded(encoded) ?? encoded
    const single = id === undefined ? singles.get(segment) : undefined
    if (single !== undefined) return { cls: single, id: single.name }
    const cls = collections.get(segment)
    if (cls !== undefined && id !== undefined && more.length === 0 && ID.test(id)) return { cls, id }
    throw importProblem('NotAnAddress', { base, example: example() }, AT_ADDRESS)
  }

  function pathBelowBase(sent: string): string | undefined {
    const address = absolute(sent)
    return withUsualEncodings(address).startsWith(`${base}/`) ? address.slice(base.length + 1) : undefined
  }

  function example(): string {
    const [collection] = collections.keys()
    return collection === undefined ? pathTo(classes[0]?.name ?? '') : `${pathTo(collection)}/1`
  }

  function withoutAddress(cls: Class | undefined = only): MemberIdentity {
    if (cls === undefined)
      throw importProblem('MissingClass', { known: classes.map(({ name }) => name) }, AT_TYPE)
    return { cls, id: hasCollection(cls) ? undefined : cls.name }
  }

  return {
    absolute,
    identify(type, id) {
      const cls = type === undefined ? undefined : classOfType(type)
      // A blank node has no name outside its document (RDF 1.1 §3.4).
      const isBlank = typeof id === 'string' && id.startsWith('_:')
      if (id === undefined || isBlank) return withoutAddress(cls)
      const identity = addressed(id)
      if (cls === undefined || identity.cls === cls) return identity
      const { name: className } = identity.cls
      throw importProblem('AddressOfOtherClass', { className, type: cls.name }, AT_ADDRESS)
    },
  }
}

/** Finds the one class that the value of `@type` names. */
function createTypeReader(classes: readonly Class[], base: string): (type: JsonValue) => Class {
  const known = classes.map(({ name }) => name)
  const byType = new Map(
    classes.flatMap((cls) =>
      [cls.name, classIri(cls, base), vocabIri(base, cls.name)].map((type) => [type, cls] as const),
    ),
  )

  function classOf(type: JsonValue): Class {
    if (typeof type !== 'string') throw importProblem('NotAClassName', {}, AT_TYPE)
    const found = byType.get(type)
    if (found !== undefined) return found
    throw importProblem('UnknownClass', { name: type.slice(0, 100), known }, AT_TYPE)
  }

  return (type) => {
    const [first, ...others] = (Array.isArray(type) ? type : [type]).map(classOf)
    if (first === undefined || others.some((other) => other !== first))
      throw importProblem('NotOneClass', {}, AT_TYPE)
    return first
  }
}

/** Takes the id from `id`, if that is not a property of the class, or from `@id`; throws if they differ. */
export function takeId(
  values: JsonObject,
  { properties, reverseLinks }: Class,
  addressed: string | undefined,
): string | undefined {
  const { id: sent = null } = values
  if (sent === null || [...properties, ...reverseLinks].some(({ name }) => name === 'id')) return addressed
  delete values.id
  const id = idIn(sent)
  if (id === undefined || !ID.test(id)) throw importProblem('InvalidId', {}, AT_ID)
  if (addressed === undefined || addressed === id) return id
  throw importProblem('ConflictingIds', { id, addressed }, AT_ID)
}
