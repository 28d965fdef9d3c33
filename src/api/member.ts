import { badRequest, HttpError, notFound } from '../errors.ts'
import { ID } from './input/input.ts'
import { createMemberHandlers, type MemberParts } from './member-handlers.ts'
import { type Resource, resource } from './resource.ts'

/** `{base}/{collection}/{id}` */
export function member(parts: MemberParts): Resource {
  const { cls, store } = parts
  const { operations, methods, collection } = cls
  const missing = (id: string, hint = '') =>
    notFound(`The collection ${collection} has no member ${JSON.stringify(id.slice(0, 128))}${hint}.`)

  const { read, replace, update, remove } = createMemberHandlers(parts, {
    find: (id) => store.find(cls.name, id),
    requireReplaceable: () => {},
    missing,
    idOfNew(id, { noneMatch }) {
      if (noneMatch !== 'any') {
        throw missing(id, operations.has('create') ? '; with If-None-Match: * it would be created' : '')
      }
      if (!operations.has('create')) {
        throw new HttpError(
          403,
          `A member of ${collection} can be replaced but not created: the API file has no such operation.`,
        )
      }
      if (!ID.test(id)) throw badRequest(WRONG_ID)
      return id
    },
  })

  return resource({
    GET: operations.has('read') ? read : undefined,
    ...(operations.has('replace') && Object.fromEntries(methods.replace.map((method) => [method, replace]))),
    PATCH: operations.has('update') ? update : undefined,
    DELETE: operations.has('delete') ? remove : undefined,
  })
}

const WRONG_ID =
  'This address cannot be that of a new member: its last part must be 1 to 128 letters, digits, ".", "_", "~" and "-", and not "." or "..".'
