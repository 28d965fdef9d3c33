import type { Principal } from '../../auth/index.ts'
import type { Response } from '../../http/index.ts'
import { addressOf, fillHoles } from '../../members/index.ts'
import type { Awaitable, StoredMember } from '../../store/index.ts'
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
import {
  APPLIED_MINIMAL,
  byMediaType,
  fingerprint,
  type MediaType,
  mediaTypeFor,
  type Respond,
  readPreferences,
  type Visit,
} from '../respond.ts'

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
      { fingerprints: ofOffer }: Offer = NO_OFFER,
    ): string => `"${version}-${(ofOffer ?? fingerprints)[mediaType]}"`,
    address,
  }
}

/** What a user may do with a member, where that depends on its owner: text beside the stored text. */
interface Offer {
  readonly text: string
  /** Over the representation with it; undefined without one. */
  readonly fingerprints: Readonly<Record<MediaType, string>> | undefined
}

const NO_OFFER: Offer = { text: '', fingerprints: undefined }

/** A text for owners and one for others, prepared for the class and a set of roles (access.md, On the wire). */
export function createOffers(cls: Class, base: string, parts: Pick<WriteParts, 'access' | 'representation'>) {
  const { access, representation } = parts
  const { rights } = access
  if (!MEMBER_OPERATIONS.some((operation) => cls.operations.has(operation) && rights[operation] === 'own'))
    return () => NO_OFFER
  const prepare = (isWanted: (operation: Operation) => boolean): Offer => {
    const text = memberOffer(withOperations(cls, isWanted), base)
    const fingerprints = byMediaType((mediaType) =>
      fingerprint(representation.etag({ version: 0 }, mediaType), text),
    )
    return { text, fingerprints }
  }
  const forOwner = prepare((operation) => rights[operation] !== 'none')
  const forOthers = prepare((operation) => rights[operation] === 'any')
  return (member: Pick<StoredMember, 'owner'>, user: Principal | undefined): Offer =>
    access.isOwn(member, user) ? forOwner : forOthers
}

interface WriteParts {
  readonly access: Access
  readonly representation: MemberRepresentation
  readonly offers: ReturnType<typeof createOffers>
  readonly respond: Respond
}

/** How a write will be answered, decided before anything is written: 406 when nothing acceptable could be sent. */
export function prepareResponses({ request, principal }: Visit, parts: WriteParts) {
  const { access, representation, offers, respond } = parts
  const mediaType = mediaTypeFor(request)
  const { minimal } = readPreferences(request)

  function send(status: number, member: StoredMember, headers: readonly string[]): Awaitable<Response> {
    const offer = offers(member, principal)
    const etag = representation.etag(member, mediaType, offer)
    if (!minimal)
      return respond.send(
        status,
        { mediaType, etag, body: () => representation.whole(member, offer) },
        headers,
      )
    const empty = respond.noContent(['ETag', etag, ...headers, ...APPLIED_MINIMAL])
    return status === 201 ? { ...empty, status, body: '' } : empty
  }

  function created(member: StoredMember): Awaitable<Response> {
    const location = ['Location', representation.address(member.id)]
    if (access.mayRead(member, principal)) return send(201, member, location)
    // An ETag says how often members that this user may not read were written.
    const empty = respond.noContent([...location, ...(minimal ? APPLIED_MINIMAL : [])])
    return { ...empty, status: 201, body: '' }
  }

  return {
    created,
    changed: (member: StoredMember) => send(200, member, []),
  }
}
