import type { UserRoles } from '../../auth/index.ts'
import { BoundedMap } from '../../bounded-map.ts'
import type { StoredMember } from '../../members/index.ts'
import {
  ALL_FIELDS,
  addressOf,
  createFindCuts,
  type FieldTree,
  type FindCuts,
  insertBaseUrl,
} from '../../members/index.ts'
import { NO_CIPHER, type NumberCipher } from '../../seal.ts'
import {
  type Class,
  type CustomOperation,
  contextAddress,
  hasCollection,
  MEMBER_OPERATIONS,
  memberContext,
  memberControls,
  memberType,
  type Operation,
  withOperations,
} from '../../vocabulary/index.ts'
import type { Access } from '../access.ts'
import type { Fields } from '../query/fields.ts'
import type { Include } from '../query/include.ts'
import { reverseAddressStart } from '../query/reverse-links.ts'
import { byMediaType, fingerprint, type MediaType, PLAIN_JSON } from '../request.ts'

/** The members that are included in other members, in place of links. */
export interface ResolvedIncludes {
  readonly include: Include
  /** How many of the members fit into the response, at least one. If not all of them do, nothing was built. */
  readonly fitting: number
  readonly parts: ReadonlyMap<StoredMember, MemberParts>
  /** A text that changes whenever an included member does, for ETags. */
  readonly state: string
}

/** What a query asks to include, and for whom. */
export interface IncludeRequest {
  readonly include: Include
  readonly fields: Fields | undefined
  readonly user: UserRoles | undefined
  /** How long the response may be. */
  readonly maxBytes: number
}

export type ResolveIncludes = (
  members: readonly StoredMember[],
  request: IncludeRequest,
) => Promise<ResolvedIncludes>

/** What is shown of a member, and in it; everything that is stored, unless it says otherwise. */
export interface MemberParts {
  /** The texts of included members by offset. */
  readonly nodes?: ReadonlyMap<number, string> | undefined
  /** The texts of included collections by the names of links from the other side. */
  readonly collections?: ReadonlyMap<string, string> | undefined
  readonly fields?: FieldTree | undefined
}

/** What a response shows of its members. */
export interface ShownMembers {
  readonly includes?: ResolvedIncludes | undefined
  readonly fields?: Fields | undefined
}

/** The parts of a member of the page, or of a member alone. */
export const partsOf = (member: StoredMember, { includes, fields }: ShownMembers): MemberParts | undefined =>
  includes?.parts.get(member) ?? (fields && { fields: fields.tree })

/** A member in the negotiated media type. */
export interface RepresentedMember {
  readonly mediaType: MediaType
  readonly etag: string
  /** The address of the context. */
  readonly context: string
  readonly body: () => string
}

/** Members of a class as JSON-LD. */
export interface MemberRepresentation {
  address(id: string): string
  /** A member with its context, its controls, and the members that the query includes. */
  whole(member: StoredMember, mediaType: MediaType, controls?: MemberControls, shown?: ShownMembers): string
  etag(
    member: { readonly version: number },
    mediaType: MediaType,
    controls?: MemberControls,
    shown?: ShownMembers,
  ): string
  represent(
    member: StoredMember,
    mediaType: MediaType,
    controls: MemberControls,
    shown?: ShownMembers,
  ): RepresentedMember
  /** A member inside a collection or another member, whose context covers it. */
  within(member: StoredMember, parts?: MemberParts): string
}

const EVERYTHING: ShownMembers = {}

/** How many sets of fields are prepared. */
const MAX_CACHED = 16

/** Stored text is joined with text that is computed at start. */
export function createMemberRepresentation(cls: Class, base: string): MemberRepresentation {
  const address = addressOf(cls, base)
  const context = contextAddress(cls.name, base)
  const id = `"@id":"${address('')}`
  const withoutContext = `{${id}`
  const headOf = (text: string) => `{"@context":${text},${id}`
  const withContext = headOf(JSON.stringify(memberContext(cls, base)))
  const type = `","@type":${JSON.stringify(memberType(cls, base))}`
  const reverse = createReverseLinks(cls, base)
  // With the fingerprint of the class: a renamed collection changes links, but not the context.
  const fingerprints = byMediaType((mediaType) =>
    fingerprint(withContext, String(cls.fingerprint), mediaType, ...reverse.starts),
  )
  const idOf = hasCollection(cls) ? ({ id }: StoredMember) => id : () => ''
  const findCuts = new BoundedMap<FieldTree, FindCuts>(MAX_CACHED)
  const cutsFor = (fields: FieldTree) =>
    findCuts.getOrInsertComputed(fields, () => createFindCuts(cls, fields))
  const rest = (member: StoredMember, parts: MemberParts = {}): string => {
    const { nodes, fields } = parts
    const cuts = fields && cutsFor(fields)(member.body)
    return `${idOf(member)}${type}${insertBaseUrl(member, base, { nodes, cuts })}${reverse.textOf(member.id, parts)}`
  }
  const linksOf = (member: StoredMember, names: readonly string[]): string =>
    names.map((name) => `,"${name}":"${address(member.id)}/${name}"`).join('')

  const whole: MemberRepresentation['whole'] = (
    member,
    mediaType,
    controls = NO_CONTROLS,
    shown = EVERYTHING,
  ) => {
    const { includes, fields } = shown
    const within = rest(member, partsOf(member, shown))
    const head = includes === undefined ? withContext : headOf(includes.include.context)
    const has = (name: string) => fields === undefined || fields.tree.has(name)
    const operations = has('operation') ? controls.text : ''
    const links = linksOf(member, controls.links.filter(has))
    return `${mediaType === PLAIN_JSON ? withoutContext : head}${within}${operations}${links}}`
  }

  const etag: MemberRepresentation['etag'] = (
    { version },
    mediaType,
    { fingerprints: ofControls, versions } = NO_CONTROLS,
    { includes, fields } = EVERYTHING,
  ) => {
    const own = (ofControls ?? fingerprints)[mediaType]
    const shown = [includes?.state, fields?.signature].filter((one) => one !== undefined)
    return `"${versions.seal(version)}-${shown.length === 0 ? own : fingerprint(own, ...shown)}"`
  }

  return {
    address,
    whole,
    etag,
    represent: (member, mediaType, controls, shown) => ({
      mediaType,
      etag: etag(member, mediaType, controls, shown),
      context: shown?.includes === undefined ? context : `${context}?${shown.includes.include.query}`,
      body: () => whole(member, mediaType, controls, shown),
    }),
    within: (member, parts) => `${withoutContext}${rest(member, parts)}}`,
  }
}

/** The links from the other side (asking.md) as text around the id of a member. */
function createReverseLinks(cls: Class, base: string) {
  const links = cls.reverseLinks.map((link) => ({
    name: link.name,
    key: `,"${link.name}":`,
    start: `,"${link.name}":"${reverseAddressStart(link, cls, base)}`,
  }))
  const textOf = (id: string, { fields = ALL_FIELDS, collections }: MemberParts): string => {
    let text = ''
    for (const { name, key, start } of links) {
      if (fields.size > 0 && !fields.has(name)) continue
      const included = collections?.get(name)
      text += included === undefined ? `${start}${id}"` : key + included
    }
    return text
  }
  return { starts: links.map(({ start }) => start), textOf }
}

/** Hypermedia controls: the operations that the user may use on this member, unless the documentation lists them for all. */
export interface MemberControls {
  readonly text: string
  /** The names of custom operations, each of which the member links to. */
  readonly links: readonly string[]
  /** The fingerprints of representations with these controls; undefined if there are none. */
  readonly fingerprints: Readonly<Record<MediaType, string>> | undefined
  readonly versions: NumberCipher
}

const NO_CONTROLS: MemberControls = { text: '', links: [], fingerprints: undefined, versions: NO_CIPHER }

export type ControlsFor = (member: Pick<StoredMember, 'owner'>, user: UserRoles | undefined) => MemberControls

/** Controls for owners and for others, prepared for a class and a set of roles (access.md, On the wire). */
export function createMemberControls(
  cls: Class,
  base: string,
  { access, representation }: { readonly access: Access; readonly representation: MemberRepresentation },
): ControlsFor {
  const { rights, versions } = access
  const noControls = { ...NO_CONTROLS, versions }
  const own = rights.read === 'none' ? [] : (cls.customOperations ?? [])
  const isOwned = MEMBER_OPERATIONS.some((name) => cls.operations.has(name) && rights[name] === 'own')
  if (!isOwned && own.length === 0) return () => noControls
  const prepare = (isWanted: (operation: Operation | CustomOperation) => boolean): MemberControls => {
    const text = isOwned ? memberControls(withOperations(cls, isWanted), base) : ''
    const links = own.filter(isWanted).map(({ name }) => name)
    const fingerprints = byMediaType((mediaType) =>
      fingerprint(representation.etag({ version: 0 }, mediaType), text, ...links),
    )
    return { text, links, fingerprints, versions }
  }
  const forOwner = prepare((operation) => access.rightTo(operation) !== 'none')
  const forOthers = prepare((operation) => access.rightTo(operation) === 'any')
  return (member, user) => (access.isOwn(member, user) ? forOwner : forOthers)
}
