import { HttpError, notFound } from '../errors.ts'
import { type Selection, STANDARD_ROOM } from '../store/index.ts'
import type { WriteMethod } from '../vocabulary/index.ts'
import { createMemberHandlers, type MemberKind, type MemberParts } from './member.ts'
import { type Handler, type Resource, resource } from './resource.ts'

/** Whether there is any member at all, and which. */
export const ANY_ONE: Selection = {
  filters: [],
  words: [],
  order: [],
  start: { at: 'offset', offset: 0 },
  limit: 1,
  room: STANDARD_ROOM,
  count: 'bounded',
}

/** `{base}/{Class}`: a class that is one resource. Its address is known, so that a PUT creates it where nothing is. */
export function single(parts: MemberParts): Resource {
  const { cls, store } = parts
  const { name, operations, methods } = cls
  const creates = (method: WriteMethod) => operations.has('create') && methods.create.includes(method)
  const replaces = (method: WriteMethod) => operations.has('replace') && methods.replace.includes(method)

  const kindFor = (method?: WriteMethod): MemberKind => ({
    // Under the former name of a class that the API file has renamed.
    find: async () => (await store.find(name, name)) ?? (await store.list(name, ANY_ONE)).members[0],
    missing: () => notFound(`There is no ${name} yet${creates('PUT') ? '; PUT creates it' : ''}.`),
    idOfNew() {
      if (method !== undefined && creates(method)) return name
      throw this.missing('')
    },
    requireReplaceable() {
      if (method !== undefined && replaces(method)) return
      throw new HttpError(403, `${name} is there, and the API file has no operation that replaces it.`)
    },
  })
  const { read, update, remove } = createMemberHandlers(parts, kindFor())
  const writes = (['POST', 'PUT'] as const)
    .filter((method) => creates(method) || replaces(method))
    .map((method): [string, Handler] => [method, createMemberHandlers(parts, kindFor(method)).replace])

  return resource({
    GET: operations.has('read') ? read : undefined,
    ...Object.fromEntries(writes),
    PATCH: operations.has('update') ? update : undefined,
    DELETE: operations.has('delete') ? remove : undefined,
  })
}
