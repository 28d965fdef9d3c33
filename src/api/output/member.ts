import { BoundedMap } from '../../bounded-map.ts'
import type { StoredMember } from '../../members/index.ts'
import {
  ALL_FIELDS,
  addressOf,
  type FieldTree,
  insertBaseUrl,
  type LinkAt,
  linksAt,
} from '../../members/index.ts'
import { NO_CIPHER, type NumberCipher } from '../../seal.ts'
import {
  type Class,
  type CustomOperation,
  contextAddress,
  HISTORY,
  hasCollection,
  isTied,
  MEMBER_OPERATIONS,
  memberContext,
  memberControls,
  memberType,
  ownKey,
  type RuledOperation,
  topProperty,
  withOperations,
} from '../../vocabulary/index.ts'
import type { Access, MemberViews } from '../access/access.ts'
import { type AccessUser, covers, type Relation } from '../access/ties.ts'
import type { Fields } from '../query/fields.ts'
import type { Include } from '../query/include.ts'
import { reverseAddressStart } from '../query/reverse-links.ts'
import { byMediaType, fingerprint, type MediaType, PLAIN_JSON } from '../request.ts'
import { createCutsFor } from './cuts.ts'
import { historyText } from './history-link.ts'

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
  readonly user: AccessUser
  /** What the user sees of the members, where that depends on the member. */
  readonly views?: MemberViews | undefined
  /** How long the response may be. */
  readonly maxBytes: number
}

export type ResolveIncludes = (
  members: readonly StoredMember[],
  request: IncludeRequest,
) => Promise<ResolvedIncludes>

/** The parts of a member that are shown; by default everything that is stored. */
export interface MemberParts {
  /** The texts of included members by offset. */
  readonly nodes?: ReadonlyMap<number, string> | undefined
  /** The texts of included collections by the names of links from the other side. */
  readonly collections?: ReadonlyMap<string, string> | undefined
  readonly fields?: FieldTree | undefined
  /** The names of properties that this user may not see; absent where that is the same for all members. */
  readonly hidden?: ReadonlySet<string> | undefined
}

/** What a response shows of its members. */
export interface ShownMembers {
  readonly includes?: ResolvedIncludes | undefined
  readonly fields?: Fields | undefined
  /** Undefined where the user sees the same of all members. */
  readonly views?: MemberViews | undefined
}

/** The parts of a member of the page, or of a member alone. */
export function partsOf(
  member: StoredMember,
  { includes, fields, views }: ShownMembers,
): MemberParts | undefined {
  const parts = includes?.parts.get(member) ?? (fields && { fields: fields.tree })
  return views === undefined ? parts : { ...parts, hidden: views.get(member)?.hidden }
}

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
  /** The stored text without the properties that are `hidden`, and without those offsets that it does not need. */
  without(member: StoredMember, hidden: ReadonlySet<string>): Pick<StoredMember, 'id' | 'body'>
  /** The first links of a member that are shown. `hidden`: as in `MemberParts`. */
  linksIn(member: StoredMember, most: number, hidden?: ReadonlySet<string>): readonly LinkAt[]
}

const EVERYTHING: ShownMembers = {}
const EVERY_PART: MemberParts = {}

/** How many relations between members and users are prepared: few rules have more than one path. */
const MAX_RELATIONS = 64

/** A class that is shown without some of its properties, as its members are stored. */
export interface CutClass {
  readonly cls: Class
  /** The names of properties that are not shown if nothing else is known of a member and its user. */
  readonly hidden: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** Stored text is joined with text that is computed at start. `cls`: as the users see it. */
export function createMemberRepresentation(
  cls: Class,
  base: string,
  stored: CutClass = { cls, hidden: NONE },
): MemberRepresentation {
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
  const cutsFor = createCutsFor(stored.cls)
  const rest = (member: StoredMember, parts: MemberParts = EVERY_PART): string => {
    const { nodes, fields, hidden = stored.hidden } = parts
    const isCut = fields !== undefined || hidden.size > 0
    const cuts = isCut ? cutsFor(fields ?? ALL_FIELDS, hidden)(member.body) : undefined
    return `${idOf(member)}${type}${insertBaseUrl(member, base, { nodes, cuts })}${reverse.textOf(member.id, parts)}`
  }
  const historyKey = ownKey(cls, HISTORY, base)
  const linksOf = (member: StoredMember, names: readonly string[]): string =>
    names.map((name) => `,"${name}":"${address(member.id)}/${name}"`).join('')

  const whole: MemberRepresentation['whole'] = (
    member,
    mediaType,
    controls = NO_CONTROLS,
    shown = EVERYTHING,
  ) => {
    const { includes, fields } = shown
    const parts = partsOf(member, shown)
    const { hidden } = controls
    const within = rest(member, hidden === undefined ? parts : { ...parts, hidden })
    const head = includes === undefined ? withContext : headOf(includes.include.context)
    const has = (name: string) => fields === undefined || fields.tree.has(name)
    const operations = has('operation') ? controls.text : ''
    const links = linksOf(member, controls.links.filter(has))
    const history = controls.hasHistory && has(historyKey) ? historyText(cls, base, address(member.id)) : ''
    return `${mediaType === PLAIN_JSON ? withoutContext : head}${within}${operations}${history}${links}}`
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
    without: ({ id, body }, hidden) => ({
      id,
      body: insertBaseUrl({ body, baseUrlOffsets: '' }, '', { cuts: cutsFor(ALL_FIELDS, hidden)(body) }),
    }),
    linksIn(member, most, hidden = stored.hidden) {
      const links = linksAt(stored.cls, member, most)
      return hidden.size === 0 ? links : links.filter(({ property }) => !isWithin(hidden, property))
    },
  }
}

const isWithin = (names: ReadonlySet<string>, path: string): boolean => names.has(topProperty(path))

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
  /** Whether the member links to its history. */
  readonly hasHistory: boolean
  /** The fingerprints of representations with these controls; undefined if there are none. */
  readonly fingerprints: Readonly<Record<MediaType, string>> | undefined
  readonly versions: NumberCipher
  /** The names of properties that this user may not see of the member; undefined where that is the same for all members. */
  readonly hidden: ReadonlySet<string> | undefined
}

const NO_CONTROLS: MemberControls = {
  text: '',
  links: [],
  hasHistory: false,
  fingerprints: undefined,
  versions: NO_CIPHER,
  hidden: undefined,
}

export type ControlsFor = (relation: Relation) => MemberControls

/** Controls for owners and for others, prepared for a class and a set of roles (access.md, On the wire). */
export function createMemberControls(
  cls: Class,
  base: string,
  { access, representation }: { readonly access: Access; readonly representation: MemberRepresentation },
): ControlsFor {
  const { rights, versions } = access
  const views = access.views?.areTied ? access.views : undefined
  const noControls = { ...NO_CONTROLS, versions }
  const own = rights.read === 'none' ? [] : (cls.customOperations ?? [])
  const isOwned = MEMBER_OPERATIONS.some((name) => cls.operations.has(name) && isTied(rights[name]))
  const remembers = cls.history !== undefined && rights.read !== 'none' && rights.history !== 'none'
  if (!isOwned && own.length === 0 && views === undefined && !remembers) return () => noControls
  const prepare = (relation: Relation): MemberControls => {
    const isWanted = (operation: RuledOperation | CustomOperation) =>
      covers(access.rightTo(operation), relation)
    const view = views?.of(relation)
    const text = isOwned ? memberControls(withOperations(cls, isWanted), base) : ''
    const links = own.filter(isWanted).map(({ name }) => name)
    const hasHistory = remembers && isWanted(HISTORY)
    const fingerprints = byMediaType((mediaType) =>
      fingerprint(
        representation.etag({ version: 0 }, mediaType),
        text,
        ...links,
        ...(hasHistory ? [HISTORY] : []),
        ...(view === undefined ? [] : [view.shownKey]),
      ),
    )
    return { text, links, hasHistory, fingerprints, versions, hidden: view?.hidden }
  }
  const prepared = new BoundedMap<string, MemberControls>(MAX_RELATIONS)
  return (relation) =>
    prepared.getOrInsertComputed(`${relation.owner} ${relation.paths}`, () => prepare(relation))
}
