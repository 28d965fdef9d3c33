import type { UserRoles } from '../../auth/index.ts'
import { addressOf, insertBaseUrl, type StoredMember } from '../../members/index.ts'
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
import { byMediaType, fingerprint, type MediaType, PLAIN_JSON } from '../request.ts'
import type { ResolvedIncludes } from './answer.ts'

export type MemberRepresentation = ReturnType<typeof createMemberRepresentation>

/** Members as JSON-LD: stored text, joined with text that is computed at start. */
export function createMemberRepresentation(cls: Class, base: string) {
  const address = addressOf(cls, base)
  const context = contextAddress(cls.name, base)
  const id = `"@id":"${address('')}`
  const withoutContext = `{${id}`
  const headOf = (text: string) => `{"@context":${text},${id}`
  const withContext = headOf(JSON.stringify(memberContext(cls, base)))
  const type = `","@type":${JSON.stringify(memberType(cls, base))}`
  // The fingerprint of the class too: a renamed collection changes links, and not the context.
  const fingerprints = byMediaType((mediaType) =>
    fingerprint(withContext, String(cls.fingerprint), mediaType),
  )
  const idOf = hasCollection(cls) ? ({ id }: StoredMember) => id : () => ''
  const rest = (member: StoredMember, nodes?: ReadonlyMap<number, string>): string =>
    `${idOf(member)}${type}${insertBaseUrl(member, base, nodes)}`
  const linksOf = (member: StoredMember, names: readonly string[]): string =>
    names.map((name) => `,"${name}":"${address(member.id)}/${name}"`).join('')

  /** A member with its context, its controls, and what the query includes. */
  function whole(
    member: StoredMember,
    mediaType: MediaType,
    controls: Controls = NO_CONTROLS,
    includes?: ResolvedIncludes,
  ): string {
    const within = rest(member, includes?.nodes.get(member))
    const head = includes === undefined ? withContext : headOf(includes.include.context)
    return `${mediaType === PLAIN_JSON ? withoutContext : head}${within}${controls.text}${linksOf(member, controls.links)}}`
  }

  function etag(
    { version }: { readonly version: number },
    mediaType: MediaType,
    { fingerprints: ofControls, versions }: Controls = NO_CONTROLS,
    includes?: ResolvedIncludes,
  ): string {
    const own = (ofControls ?? fingerprints)[mediaType]
    return `"${versions.seal(version)}-${includes === undefined ? own : fingerprint(own, includes.state)}"`
  }

  return {
    address,
    whole,
    etag,
    represent: (
      member: StoredMember,
      mediaType: MediaType,
      controls: Controls,
      includes?: ResolvedIncludes,
    ) => ({
      mediaType,
      etag: etag(member, mediaType, controls, includes),
      context: includes === undefined ? context : `${context}?${includes.include.query}`,
      body: () => whole(member, mediaType, controls, includes),
    }),
    /** A member inside a collection or another member, whose context covers it. */
    within: (member: StoredMember, nodes?: ReadonlyMap<number, string>): string =>
      `${withoutContext}${rest(member, nodes)}}`,
  }
}

/** Hypermedia controls: what a user may do with one member, where the documentation of the class does not say it. */
interface Controls {
  readonly text: string
  /** The names of operations of one's own, each of which the member links to. */
  readonly links: readonly string[]
  /** Of representations with these controls; undefined where there are none. */
  readonly fingerprints: Readonly<Record<MediaType, string>> | undefined
  readonly versions: NumberCipher
}

const NO_CONTROLS: Controls = { text: '', links: [], fingerprints: undefined, versions: NO_CIPHER }

/** Controls for owners and for others, prepared for a class and a set of roles (access.md, On the wire). */
export function createMemberControls(
  cls: Class,
  base: string,
  parts: { readonly access: Access; readonly representation: MemberRepresentation },
) {
  const { access, representation } = parts
  const { rights, versions } = access
  const noControls = { ...NO_CONTROLS, versions }
  const own = rights.read === 'none' ? [] : (cls.customOperations ?? [])
  const isOwned = MEMBER_OPERATIONS.some((name) => cls.operations.has(name) && rights[name] === 'own')
  if (!isOwned && own.length === 0) return () => noControls
  const prepare = (isWanted: (operation: Operation | CustomOperation) => boolean): Controls => {
    const text = isOwned ? memberControls(withOperations(cls, isWanted), base) : ''
    const links = own.filter(isWanted).map(({ name }) => name)
    const fingerprints = byMediaType((mediaType) =>
      fingerprint(representation.etag({ version: 0 }, mediaType), text, ...links),
    )
    return { text, links, fingerprints, versions }
  }
  const forOwner = prepare((operation) => access.rightTo(operation) !== 'none')
  const forOthers = prepare((operation) => access.rightTo(operation) === 'any')
  return (member: Pick<StoredMember, 'owner'>, user: UserRoles | undefined): Controls =>
    access.isOwn(member, user) ? forOwner : forOthers
}
