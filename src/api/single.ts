import { HttpError, notFound } from '../errors.ts'
import { type MemberStore, type Selection, STANDARD_ROOM, type StoredMember } from '../store/index.ts'
import { createMemberResource, type MemberParts } from './member.ts'
import type { Resource } from './resource.ts'

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

/** Under the former name of a class that the API file has renamed. */
export const findSingle = async (
  store: Pick<MemberStore, 'find' | 'list'>,
  name: string,
): Promise<StoredMember | undefined> =>
  (await store.find(name, name)) ?? (await store.list(name, ANY_ONE)).members[0]

const WRITES = ['create', 'replace'] as const

/** `{base}/{Class}`: a class that is one resource. Its address is known, so that a PUT creates it where nothing is. */
export function single(parts: MemberParts): Resource {
  const { cls, access } = parts
  const { name, operations, methods } = cls
  const { rights } = access
  const has = (operation: 'create' | 'replace', method: string): boolean =>
    operations.has(operation) && methods[operation].some((one) => one === method)
  const mayPut = has('create', 'PUT') && rights.create !== 'none'
  const missing = () => notFound(`There is no ${name} yet${mayPut ? '; PUT creates it' : ''}.`)

  return createMemberResource(parts, {
    replacing: ['POST', 'PUT'].filter((method) => has('create', method) || has('replace', method)),
    find: (store) => findSingle(store, name),
    refused: (method) => WRITES.every((operation) => !has(operation, method) || rights[operation] === 'none'),
    // Where a method does both, whether it is there decides.
    meant: ({ method }) => (has('replace', method) ? undefined : 'create'),
    missing,
    idOfNew({ method }) {
      if (!has('create', method)) throw missing()
      if (rights.create === 'none') throw access.refusal('create')
      return name
    },
    requireReplaceable({ method }) {
      if (has('replace', method) && rights.replace === 'none') throw access.refusal('replace')
      if (has('replace', method)) return
      throw new HttpError(403, `${name} is there, and the API file has no operation that replaces it.`)
    },
  })
}
