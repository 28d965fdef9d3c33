import { HttpError, notFound } from '../errors.ts'
import type { MemberStore, Removed, StoredMember } from '../store/store.ts'
import type { Class, Model } from '../vocabulary/model.ts'
import { readIfMatch } from './conditions.ts'
import type { MemberRepresentation } from './representation.ts'
import { type Resource, resource } from './resource.ts'
import { mediaTypeFor, type Serving } from './serving.ts'

export interface MemberParts {
  readonly cls: Class
  readonly model: Model
  readonly base: string
  readonly store: MemberStore
  readonly representation: MemberRepresentation
  readonly serving: Serving
  readonly requireIfMatch: boolean
}

/** `{base}/{collection}/{id}` */
export function member(parts: MemberParts): Resource {
  const { cls, store, representation, serving } = parts
  const missing = (id: string) =>
    notFound(`The collection ${cls.collection} has no member ${JSON.stringify(id.slice(0, 128))}.`)

  return resource({
    GET: cls.operations.has('read')
      ? async ({ request, id }) => {
          const mediaType = mediaTypeFor(request)
          const found: StoredMember | undefined = await store.find(cls.name, id)
          if (found === undefined) throw missing(id)
          return serving.read(request, mediaType, representation.etag(found, mediaType), () =>
            representation.whole(found),
          )
        }
      : undefined,

    DELETE: cls.operations.has('delete')
      ? async ({ request, id }) => {
          const expected = readIfMatch(request, parts.requireIfMatch)
          // Nothing happens before the whole request is there and found well-formed.
          await request.readBody()
          const removed = await store.remove(cls.name, id, expected)
          if (removed.outcome === 'removed') return serving.nothing()
          throw removed.outcome === 'missing' ? missing(id) : explain(removed, parts)
        }
      : undefined,
  })
}

function explain(
  removed: Exclude<Removed, { outcome: 'removed' | 'missing' }>,
  { model, base }: MemberParts,
): HttpError {
  if (removed.outcome === 'changed') {
    return new HttpError(
      412,
      'The member has changed since the ETag in If-Match; read it again before you remove it.',
    )
  }
  const collections = new Map(model.classes.map(({ name, collection }) => [name, collection]))
  const from = removed.from.map(
    ({ className, id }) => `${base}/${collections.get(className) ?? className}/${id}`,
  )
  return new HttpError(
    409,
    `Other members link to this one and would be left with a link to nothing: ${from.join(', ')}.`,
  )
}
