import type { Principal } from '../../auth/index.ts'
import { addressOf, fillHoles } from '../../members/index.ts'
import { PLAIN, type Seal } from '../../seal.ts'
import type { StoredMember } from '../../store/index.ts'
import {
  type Class,
  contextAddress,
  hasCollection,
  MEMBER_OPERATIONS,
  memberContext,
  memberOffer,
  memberType,
  type Operation,
  withOperations,
} from '../../vocabulary/index.ts'
import type { Access } from '../access.ts'
import { byMediaType, fingerprint, type MediaType, PLAIN_JSON } from '../media-types.ts'
import type { Include } from '../query/include.ts'
import type { Shown } from './include.ts'

export type MemberRepresentation = ReturnType<typeof createMemberRepresentation>

/** Members as JSON-LD: the text of a row goes out as it is stored, joined with text that was computed at start. */
export function createMemberRepresentation(cls: Class, base: string) {
  const address = addressOf(cls, base)
  const context = contextAddress(cls.name, base)
  const id = `"@id":"${address('')}`
  const withoutContext = `{${id}`
  const headOf = (text: string) => `{"@context":${text},${id}`
  const withContext = headOf(JSON.stringify(memberContext(cls, base)))
  const type = `","@type":${JSON.stringify(memberType(cls, base))}`
  // The model's own fingerprint too: links move with their collection, and the context does not tell.
  const fingerprints = byMediaType((mediaType) =>
    fingerprint(withContext, String(cls.fingerprint), mediaType),
  )
  const idOf = hasCollection(cls) ? ({ id }: StoredMember) => id : () => ''
  const rest = (member: StoredMember, nodes?: ReadonlyMap<number, string>): string =>
    `${idOf(member)}${type}${fillHoles(member, base, nodes)}`
  function headFor(mediaType: MediaType, shown: Shown | undefined): string {
    if (mediaType === PLAIN_JSON) return withoutContext
    return shown === undefined ? withContext : headOf(shown.include.context)
  }

  return {
    /** On its own, with what its reader may do with it, and with what a query includes. */
    whole: (member: StoredMember, mediaType: MediaType, { text }: Offer = NO_OFFER, shown?: Shown): string =>
      `${headFor(mediaType, shown)}${rest(member, shown?.nodes.get(member))}${text}}`,
    /** Inside a collection or another member, whose context covers it. */
    within: (member: StoredMember, nodes?: ReadonlyMap<number, string>): string =>
      `${withoutContext}${rest(member, nodes)}}`,
    etag(
      { version }: { readonly version: number },
      mediaType: MediaType,
      { fingerprints: ofOffer, versions }: Offer = NO_OFFER,
      shown?: Shown,
    ): string {
      const own = (ofOffer ?? fingerprints)[mediaType]
      return `"${versions.seal(version)}-${shown === undefined ? own : fingerprint(own, shown.state)}"`
    },
    address,
    /** The address of its context. */
    context: (include?: Include): string => (include === undefined ? context : `${context}?${include.query}`),
  }
}

/** What a user may do with a member, where that depends on its owner: text beside the stored text. */
interface Offer {
  readonly text: string
  /** Over the representation with it; undefined without one. */
  readonly fingerprints: Readonly<Record<MediaType, string>> | undefined
  readonly versions: Seal
}

const NO_OFFER: Offer = { text: '', fingerprints: undefined, versions: PLAIN }

/** A text for owners and one for others, prepared for the class and a set of roles (access.md, On the wire). */
export function createOffers(
  cls: Class,
  base: string,
  parts: { readonly access: Access; readonly representation: MemberRepresentation },
) {
  const { access, representation } = parts
  const { rights, versions } = access
  const noOffer = { ...NO_OFFER, versions }
  if (!MEMBER_OPERATIONS.some((operation) => cls.operations.has(operation) && rights[operation] === 'own'))
    return () => noOffer
  const prepare = (isWanted: (operation: Operation) => boolean): Offer => {
    const text = memberOffer(withOperations(cls, isWanted), base)
    const fingerprints = byMediaType((mediaType) =>
      fingerprint(representation.etag({ version: 0 }, mediaType), text),
    )
    return { text, fingerprints, versions }
  }
  const forOwner = prepare((operation) => rights[operation] !== 'none')
  const forOthers = prepare((operation) => rights[operation] === 'any')
  return (member: Pick<StoredMember, 'owner'>, user: Principal | undefined): Offer =>
    access.isOwn(member, user) ? forOwner : forOthers
}
