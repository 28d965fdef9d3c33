import { addressOf, fillHoles } from '../../members/index.ts'
import type { StoredMember } from '../../store/index.ts'
import { type Class, hasCollection, memberContext, memberType } from '../../vocabulary/index.ts'
import { byMediaType, fingerprint, type MediaType } from '../respond.ts'

/**
 * Members as JSON-LD. What is stored is what is served: the text of a row goes out as it is, joined with text
 * that was computed at start.
 */
export interface MemberRepresentation {
  /** On its own, with its context. */
  whole(member: StoredMember): string
  /** Inside a collection, whose context covers it. */
  within(member: StoredMember): string
  etag(member: { readonly version: number }, mediaType: MediaType): string
  address(id: string): string
}

export function createMemberRepresentation(cls: Class, base: string): MemberRepresentation {
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
    whole: (member) => withContext + rest(member),
    within: (member) => withoutContext + rest(member),
    etag: ({ version }, mediaType) => `"${version}-${fingerprints[mediaType]}"`,
    address,
  }
}
