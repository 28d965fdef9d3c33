import { badRequest, HttpError, notFound } from '../errors.ts'
import type { Class, Operation } from '../vocabulary/index.ts'
import { ID } from './input/value.ts'
import { mediaTypeFor, mostBytes } from './media-types.ts'
import type { ShowIncluded } from './output/include.ts'
import type { ReadInclude } from './query/include.ts'
import { readIncluded } from './query/parameters.ts'
import type { PageSizes } from './query/query.ts'
import { type Resource, refuse, resource, type Visit } from './resource.ts'
import { requestsTo, type WriteRequestParts, writeMethods } from './write-requests.ts'
import {
  createMemberWrites,
  type MemberKind,
  refused,
  type WriteOperation,
  type WriteParts,
} from './writes.ts'

/** What the resources of a class are made of. */
export interface MemberParts extends WriteParts, WriteRequestParts {
  readonly readInclude: ReadInclude
  readonly showIncluded: ShowIncluded
  readonly pageSizes: PageSizes
}

export const missingFrom = ({ collection }: Class, id: string, hint = ''): HttpError =>
  notFound(`The collection ${collection} has no member ${JSON.stringify(id.slice(0, 128))}${hint}.`)

/** `{base}/{collection}/{id}` */
export function member(parts: MemberParts): Resource {
  const { cls, access } = parts
  const { name, operations, methods, collection } = cls
  const { rights } = access
  const mayCreate = operations.has('create') && rights.create !== 'none'
  const missing = (id: string, hint?: string) => missingFrom(cls, id, hint)

  return createMemberResource(parts, {
    replacing: operations.has('replace') ? methods.replace : [],
    refused: () => rights.replace === 'none' && !mayCreate,
    find: (store, id) => store.find(name, id),
    // What must not be there cannot be replaced.
    meant: ({ isNew }) => (isNew && operations.has('create') ? 'create' : 'replace'),
    requireReplaceable: () => {},
    missing,
    idOfNew({ id, preconditions }) {
      if (preconditions.noneMatch !== 'any')
        throw missing(id, mayCreate ? '; with If-None-Match: * it would be created' : '')
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
}

const WRONG_ID =
  'This address cannot be that of a new member: its last part must be 1 to 128 letters, digits, ".", "_", "~" and "-", and not "." or "..".'

interface ResourceKind extends MemberKind {
  /** Methods that replace it, or create it where nothing is. */
  readonly replacing: readonly string[]
  /** Whether the user's roles may do nothing with one of these methods. */
  refused(method: string): boolean
}

export function createMemberResource(parts: MemberParts, kind: ResourceKind): Resource {
  const { cls, access, store, representation, offers, respond } = parts
  const { rights } = access
  const { replace, update, remove } = createMemberWrites(parts, kind)
  const offered = (name: Operation, operation: WriteOperation) =>
    cls.operations.has(name) &&
    (rights[name] === 'none' ? refused(operation, () => access.refusal(name)) : operation)
  const replacing = (method: string) =>
    kind.refused(method)
      ? refused(replace, (asked) => access.refusal(kind.meant(asked) ?? 'replace'))
      : replace

  const writes = writeMethods(
    {
      ...Object.fromEntries(kind.replacing.map((method) => [method, replacing(method)])),
      PATCH: offered('update', update),
      DELETE: offered('delete', remove),
    },
    parts,
    'member',
  )
  const GET =
    cls.operations.has('read') && (rights.read === 'none' ? refuse(() => access.refusal('read')) : read)
  return resource({ GET, ...requestsTo(writes, parts) }, writes)

  async function read({ request, id, query, principal }: Visit) {
    const mediaType = mediaTypeFor(request)
    const include = parts.readInclude(readIncluded(query))
    const found = await kind.find(store, id)
    if (found === undefined || !access.mayRead(found, principal)) throw kind.missing(id)
    const offer = offers(found, principal)
    const room = mostBytes(parts.pageSizes.bytes, mediaType)
    const shown = include && (await parts.showIncluded([found], include, principal, room))
    return respond.read(request, {
      mediaType,
      etag: representation.etag(found, mediaType, offer, shown),
      context: representation.context(include),
      body: () => representation.whole(found, mediaType, offer, shown),
    })
  }
}
