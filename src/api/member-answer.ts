import { type HttpError, invalid } from '../errors.ts'
import type { Request } from '../http/request.ts'
import type { Response } from '../http/response.ts'
import type { Awaitable, MemberStore, Refused, StoredMember } from '../store/store.ts'
import type { Class } from '../vocabulary/model.ts'
import type { Input } from './input/input.ts'
import type { MemberRepresentation } from './output/representation.ts'
import { applied, readPreferences } from './prefer.ts'
import { mediaTypeFor, type Serving } from './serving.ts'

/** What every write of a member needs. */
export interface WriteParts {
  readonly cls: Class
  readonly base: string
  readonly store: MemberStore
  readonly input: Input
  readonly representation: MemberRepresentation
  readonly serving: Serving
  readonly now: () => number
}

/** How to answer a write, decided before anything is written: 406 when nothing acceptable could be sent. */
export interface Answer {
  created(member: StoredMember): Awaitable<Response>
  changed(member: StoredMember): Awaitable<Response>
}

export function prepareAnswer(request: Request, { representation, serving }: WriteParts): Answer {
  const mediaType = mediaTypeFor(request)
  const { minimal } = readPreferences(request)
  const etagOf = (member: StoredMember) => ['ETag', representation.etag(member, mediaType)]
  return {
    created(member) {
      const headers = ['Location', representation.address(member.id), ...etagOf(member)]
      if (!minimal) return serving.answer(201, mediaType, headers, representation.whole(member))
      return { ...serving.nothing([...headers, ...applied('return=minimal')]), status: 201, body: '' }
    },
    changed(member) {
      if (!minimal) return serving.answer(200, mediaType, etagOf(member), representation.whole(member))
      return serving.nothing([...etagOf(member), ...applied('return=minimal')])
    },
  }
}

/** 422 for what the store alone can see is wrong. */
export const refusal = ({ dangling, taken }: Refused): HttpError =>
  invalid([
    ...dangling.map(({ property, id }) => ({
      propertyPath: property,
      message: `links to ${JSON.stringify(id)}, which does not exist.`,
    })),
    ...taken.map((propertyPath) => ({
      propertyPath,
      message: 'must be unique, and another member has this value.',
    })),
  ])
