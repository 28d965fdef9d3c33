import type { Principal } from '../../auth/index.ts'
import { addressOf, fillHoles } from '../../members/index.ts'
import { PLAIN, type Seal } from '../../seal.ts'
import type { StoredMember } from '../../store/index.ts'
import {
  type Class,
  hasCollection,
  MEMBER_OPERATIONS,
  memberContext,
  memberOffer,
  memberType,
  type Operation,
  withOperations,
} from '../../vocabulary/index.ts'
import type { Access } from '../access.ts'
import { byMediaType, fingerprint, type MediaType } from '../respond.ts'

export type MemberRepresentation = ReturnType<typeof createMemberRepresentation>

/** Members as JSON-LD: the text of a row goes out as it is stored, joined with text that was computed at start. */
export function createMemberRepresentation(cls: Class, base: string) {
  const address = addressOf(cls, base)
  const context = JSON.stringify(memberContext(cls, base))
  const withContext = `{"@context":${context},"@id":"${address('')}`
  const withoutContext = `{"@id":"${address('')}`
  const type = `","@type":${JSON.stringify(memberType(cls, base))}`
  // The model's own fingerprint too: links move with their collection, and the context does not tell.
  const fingerprints = byMediaType((mediaType) =>
    fingerprint(withContext, String(cls.fingerprint), mediaType),
  )
  const idOf = hasCollection(cls) ? ({ id }: StoredMember) => id : () => ''
  const rest = (member: StoredMember): string => `${idOf(member)}${type}${fillHoles(member, base)}`

  return {
    /** On its own, with its context, and with what its reader may do with it. */
    whole: (member: StoredMember, { text }: Offer = NO_OFFER): string =>
      `${withContext}${rest(member)}${text}}`,
    /** Inside a collection, whose context covers it. */
    within: (member: StoredMember): string => `${withoutContext}${rest(member)}}`,
    etag: (
      { version }: { readonly version: number },
      mediaType: MediaType,
      { fingerprints: ofOffer, versions }: Offer = NO_OFFER,
    ): string => `"${versions.seal(version)}-${(ofOffer ?? fingerprints)[mediaType]}"`,
    address,
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
  return (member: StoredMember, user: Principal | undefined): Offer =>
    access.isOwn(member, user) ? forOwner : forOthers
}
