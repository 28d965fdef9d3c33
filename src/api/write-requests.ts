import { LD_JSON, type Response } from '../http/index.ts'
import type { Awaitable, MemberStore } from '../store/index.ts'
import type { Access } from './access.ts'
import { readBody, requireMediaType } from './input/input.ts'
import { mediaTypeFor } from './media-types.ts'
import type { createOffers, MemberRepresentation } from './output/member.ts'
import { asksForNothingThere, readPreconditions } from './preconditions.ts'
import { APPLIED_MINIMAL, readPreferences } from './preferences.ts'
import type { Handler, Refused, Resource, Wanted, WriteMethod } from './resource.ts'
import type { Respond } from './respond.ts'
import type { Outcome, WriteOperation, WriteParts } from './writes.ts'

export interface WriteRequestParts extends Pick<WriteParts, 'hooks'> {
  readonly access: Access
  readonly store: MemberStore
  readonly representation: MemberRepresentation
  readonly offers: ReturnType<typeof createOffers>
  readonly respond: Respond
}

/** `operations`: by the names of their methods. */
export function writeMethods(
  operations: Readonly<Record<string, WriteOperation | false>>,
  { access, hooks, representation, offers, respond: { send, noContent } }: WriteRequestParts,
  target: 'member' | 'new',
): NonNullable<Resource['writes']> {
  function respond(
    written: Outcome,
    { request, principal, mediaType, minimal }: Wanted,
  ): Awaitable<Response> {
    const applied = minimal ? APPLIED_MINIMAL : []
    if (written.outcome === 'removed') return noContent(applied)
    const { outcome, member } = written
    const isNew = outcome === 'created'
    const location = isNew ? ['Location', representation.address(member.id)] : []
    const empty = (headers: readonly string[]) => {
      const response = noContent([...headers, ...location, ...applied])
      return isNew ? { ...response, status: 201, body: '' } : response
    }
    // An ETag says how often members that this user may not read were written.
    if (isNew && !access.mayRead(member, principal)) return empty([])
    const offer = offers(member, principal)
    const etag = representation.etag(member, mediaType, offer)
    if (minimal) return empty(['ETag', etag])
    const context = representation.context()
    const body = () => representation.whole(member, mediaType, offer)
    return send(request, isNew ? 201 : 200, { mediaType, etag, context, body }, location)
  }

  const hooked = hooks && target
  const methods = new Map<string, WriteMethod>()
  for (const [name, operation] of Object.entries(operations))
    if (operation !== false) methods.set(name, { ...operation, respond, hooked, versions: access.versions })
  return methods
}

/** Requests with these methods. */
export const requestsTo = (
  methods: NonNullable<Resource['writes']>,
  { store }: Pick<WriteRequestParts, 'store'>,
): Record<string, Handler | Refused> =>
  Object.fromEntries(
    [...methods].map(([name, method]) => {
      const handler = requestTo(method, store)
      return [name, method.isRefused ? { refuse: handler } : handler]
    }),
  )

function requestTo(method: WriteMethod, store: MemberStore): Handler {
  const { body: kind } = method
  return async ({ request, id, principal }) => {
    const { method: name } = request
    method.requireRight?.({ method: name, isNew: asksForNothingThere(request) })
    // Decided before anything is written: 406 where nothing acceptable could be sent.
    const mediaType = kind === undefined ? LD_JSON : mediaTypeFor(request)
    const { minimal } = readPreferences(request)
    if (kind !== undefined) requireMediaType(request, kind)
    const body = async () => {
      if (kind !== undefined) return readBody(request, kind)
      // Nothing happens before the whole request is there and found well-formed.
      await request.readBody()
      return {}
    }
    const preconditions = readPreconditions(request, method.versions)
    const write = { store, method: name, id, principal, preconditions, body }
    return method.respond(await method.carryOut(write), { request, principal, mediaType, minimal })
  }
}
