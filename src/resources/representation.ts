import type { StoredMember } from '../store/store.ts'
import { memberContext, memberType } from '../vocabulary/contexts.ts'
import type { Class } from '../vocabulary/model.ts'
import { type ByMediaType, byMediaType, fingerprint, type MediaType } from './serving.ts'
import { project } from './stored-text.ts'

/**
 * Members as JSON-LD. What is stored is what is served: the text of a row goes out as it is, joined with text
 * that was computed at start, and is parsed only when it was written under another version of the API file.
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
  const context = JSON.stringify(memberContext(cls, base))
  const withContext = `{"@context":${context},"@id":"${base}/${cls.collection}/`
  const withoutContext = `{"@id":"${base}/${cls.collection}/`
  const type = `","@type":${JSON.stringify(memberType(cls, base))}`
  // The address and the model's own fingerprint too: links move with their collection, and the context does not tell.
  const fingerprints: ByMediaType<string> = byMediaType((mediaType) =>
    fingerprint(withContext, String(cls.fingerprint), formerNames(cls), mediaType),
  )

  const rest = (member: StoredMember): string => {
    const { id, body, holes } = member.fingerprint === cls.fingerprint ? member : project(member, cls)
    return `${id}${type}${fill(body, holes, base)}}`
  }

  return {
    whole: (member) => withContext + rest(member),
    within: (member) => withoutContext + rest(member),
    etag: ({ version }, mediaType) => `"${version}-${fingerprints[mediaType]}"`,
    address: (id) => `${base}/${cls.collection}/${id}`,
  }
}

/** A renamed property shows what was stored under its former name. */
export const formerNames = ({ properties }: Class): string => properties.map(({ was }) => was ?? '').join()

/** Puts the base URL in at the offsets that were noted when the text was written, never by searching it. */
function fill(body: string, holes: string, base: string): string {
  if (holes === '') return body
  if (!holes.includes(',')) {
    const at = Number(holes)
    return body.slice(0, at) + base + body.slice(at)
  }
  let text = ''
  let from = 0
  for (const hole of holes.split(',')) {
    const to = Number(hole)
    text += body.slice(from, to) + base
    from = to
  }
  return text + body.slice(from)
}
