import type { Request, Response } from '../../http/index.ts'
import { addressOf, fillHoles } from '../../members/index.ts'
import type { Awaitable, StoredMember } from '../../store/index.ts'
import { type Class, hasCollection, memberContext, memberType } from '../../vocabulary/index.ts'
import {
  APPLIED_MINIMAL,
  byMediaType,
  fingerprint,
  type MediaType,
  mediaTypeFor,
  type Respond,
  readPreferences,
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
  const rest = (member: StoredMember): string => `${idOf(member)}${type}${fillHoles(member, base)}}`

  return {
    /** On its own, with its context. */
    whole: (member: StoredMember): string => withContext + rest(member),
    /** Inside a collection, whose context covers it. */
    within: (member: StoredMember): string => withoutContext + rest(member),
    etag: ({ version }: { readonly version: number }, mediaType: MediaType): string =>
      `"${version}-${fingerprints[mediaType]}"`,
    address,
  }
}

/** How a write will be answered, decided before anything is written: 406 when nothing acceptable could be sent. */
export function prepareResponses(
  request: Request,
  { representation, respond }: { readonly representation: MemberRepresentation; readonly respond: Respond },
) {
  const mediaType = mediaTypeFor(request)
  const { minimal } = readPreferences(request)

  function send(status: number, member: StoredMember, headers: readonly string[]): Awaitable<Response> {
    const etag = representation.etag(member, mediaType)
    if (!minimal)
      return respond.send(status, { mediaType, etag, body: () => representation.whole(member) }, headers)
    const empty = respond.noContent(['ETag', etag, ...headers, ...APPLIED_MINIMAL])
    return status === 201 ? { ...empty, status, body: '' } : empty
  }

  return {
    created: (member: StoredMember) => send(201, member, ['Location', representation.address(member.id)]),
    changed: (member: StoredMember) => send(200, member, []),
  }
}
