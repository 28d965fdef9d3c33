import { badRequest, HttpError, notFound } from '../errors.ts'
import type { Request } from '../http/index.ts'
import type { JsonObject } from '../json.ts'
import type { Awaitable, MemberStore, StoredMember, WholeText, Written } from '../store/index.ts'
import type { Class, Model, Operation } from '../vocabulary/index.ts'
import type { Access } from './access.ts'
import { type Input, readBody, requireMediaType } from './input/input.ts'
import { ID } from './input/value.ts'
import type { ShowIncluded } from './output/include.ts'
import { type createOffers, type MemberRepresentation, prepareResponses } from './output/member.ts'
import {
  expectedBy,
  type Preconditions,
  preconditionFailed,
  readPreconditions,
  requireIfMatch,
  requirePreconditions,
} from './preconditions.ts'
import type { ReadInclude } from './query/include.ts'
import { readIncluded } from './query/parameters.ts'
import type { PageSizes } from './query/query.ts'
import { refusal, stillLinked } from './refusals.ts'
import {
  APPLIED_MINIMAL,
  type Handler,
  mediaTypeFor,
  mostBytes,
  type Resource,
  type Respond,
  readPreferences,
  resource,
  type Visit,
} from './respond.ts'

/** What the resources of a class are made of. */
export interface MemberParts {
  readonly model: Model
  /** With all of its operations; `access` says which of them may be carried out. */
  readonly cls: Class
  readonly access: Access
  readonly base: string
  readonly store: MemberStore
  readonly input: Input
  readonly representation: MemberRepresentation
  readonly readInclude: ReadInclude
  readonly showIncluded: ShowIncluded
  readonly pageSizes: PageSizes
  readonly offers: ReturnType<typeof createOffers>
  readonly respond: Respond
  readonly now: () => number
  readonly requireIfMatch: boolean
}

/** `{base}/{collection}/{id}` */
export function member(parts: MemberParts): Resource {
  const { cls, access, store } = parts
  const { operations, methods, collection } = cls
  const { rights } = access
  const mayCreate = operations.has('create') && rights.create !== 'none'
  const missing = (id: string, hint = '') =>
    notFound(`The collection ${collection} has no member ${JSON.stringify(id.slice(0, 128))}${hint}.`)

  return createMemberResource(parts, {
    methods: operations.has('replace') ? methods.replace : [],
    find: (id) => store.find(cls.name, id),
    refused: () => rights.replace === 'none' && !mayCreate,
    meant({ headers }) {
      // What must not be there cannot be replaced.
      return headers['if-none-match']?.trim() === '*' && operations.has('create') ? 'create' : 'replace'
    },
    requireReplaceable: () => {},
    missing,
    idOfNew(id, _, { noneMatch }) {
      if (noneMatch !== 'any')
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

/** What a member of a collection and a single resource do each in its own way. */
interface MemberKind {
  /** Those that replace it, or create it where nothing is. */
  readonly methods: readonly string[]
  find(id: string): Awaitable<StoredMember | undefined>
  /** Whether the user's roles may do nothing with one of these methods. */
  refused(method: string): boolean
  /** Which operation one of them asks for, as far as the request alone tells. */
  meant(request: Request): Operation | undefined
  /** The id of what is created, or an error that says why nothing can be. */
  idOfNew(id: string, request: Request, preconditions: Preconditions): string
  /** 403 where what is there can be created but not replaced. */
  requireReplaceable(request: Request): void
  missing(id: string): HttpError
}

export function createMemberResource(parts: MemberParts, kind: MemberKind): Resource {
  const { model, cls, access, base, store, input, representation, offers, respond, now } = parts
  const { rights } = access
  const offered = (operation: Operation, handler: Handler) =>
    cls.operations.has(operation) &&
    (rights[operation] === 'none' ? { refusal: () => access.refusal(operation) } : handler)

  return resource({
    GET: offered('read', read),
    ...Object.fromEntries(
      kind.methods.map((method) => [
        method,
        kind.refused(method)
          ? { refusal: ({ request }: Visit) => access.refusal(kind.meant(request) ?? 'replace') }
          : replace,
      ]),
    ),
    PATCH: offered('update', update),
    DELETE: offered('delete', remove),
  })

  async function read({ request, id, query, principal }: Visit) {
    const mediaType = mediaTypeFor(request)
    const include = parts.readInclude(readIncluded(query))
    const found = await kind.find(id)
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

  async function replace(visit: Visit) {
    const { request, id, principal } = visit
    const meant = kind.meant(request)
    if (meant !== undefined && rights[meant] === 'none') throw access.refusal(meant)
    const responses = prepareResponses(visit, parts)
    requireMediaType(request, 'member')
    const preconditions = readPreconditions(request)
    const found = await findFor('replace', visit, preconditions)
    if (found !== undefined) kind.requireReplaceable(request)
    const newId = found === undefined ? kind.idOfNew(id, request, preconditions) : undefined
    const sent = await input.toOwnTerms(await readBody(request, 'member'), representation.address(id))
    if (newId !== undefined) {
      const created = await create(sent, newId, visit, preconditions)
      if (created !== undefined) return responses.created(created)
      // Another request has created it meanwhile: from here on this one is a replacement.
      requireIfMatch(preconditions, parts.requireIfMatch)
      kind.requireReplaceable(request)
    }
    const changed = await change(found?.id ?? newId ?? id, preconditions, (current) => {
      requireSame('replace', current, visit, preconditions)
      return access.limitLinks(input.replace(sent, current, now()), principal)
    })
    return responses.changed(changed)
  }

  async function update(visit: Visit) {
    const { request, id, principal } = visit
    const responses = prepareResponses(visit, parts)
    requireMediaType(request, 'patch')
    const preconditions = readPreconditions(request)
    const found = await findFor('update', visit, preconditions)
    if (found === undefined) throw kind.missing(id)
    const patch = await readBody(request, 'patch')
    const changed = await change(found.id, preconditions, (current) => {
      requireSame('update', current, visit, preconditions)
      return access.limitLinks(input.update(patch, current, now()), principal)
    })
    return responses.changed(changed)
  }

  async function remove(visit: Visit) {
    const { request, id, principal } = visit
    const preconditions = readPreconditions(request)
    const found = await findFor('delete', visit, preconditions)
    if (found === undefined) throw kind.missing(id)
    // Nothing happens before the whole request is there and found well-formed.
    await request.readBody()
    const owner = rights.delete === 'own' ? principal?.number : undefined
    const removed = await store.remove(cls.name, found.id, expectedBy(preconditions), owner)
    switch (removed.outcome) {
      case 'removed':
        return respond.noContent(readPreferences(request).minimal ? APPLIED_MINIMAL : [])
      case 'linked':
        throw stillLinked(removed.from, {
          model,
          base,
          mayRead: (linker) => access.mayReadOf(linker.className, linker, principal),
        })
      default:
        throw tooLate(removed.outcome, id, preconditions)
    }
  }

  /** What is there, once the preconditions hold for it: before the body is looked at (RFC 9110 §13.2.1). */
  async function findFor(
    operation: Operation,
    { id, principal }: Visit,
    preconditions: Preconditions,
  ): Promise<StoredMember | undefined> {
    const stored = await kind.find(id)
    const found = stored !== undefined && access.mayRead(stored, principal) ? stored : undefined
    const isCreation = operation === 'replace' && preconditions.noneMatch === 'any'
    if (found !== undefined && !isCreation) access.requireRight(operation, found, principal)
    requirePreconditions(preconditions, found?.version)
    // access.md, On the wire: that an id is taken is no secret.
    if (isCreation && stored !== undefined) throw preconditionFailed('alreadyThere')
    if (found !== undefined) requireIfMatch(preconditions, parts.requireIfMatch)
    return found
  }

  /** Owners never change; but another member may have its id by the time of the write. */
  function requireSame(
    operation: Operation,
    current: StoredMember,
    { id, principal }: Visit,
    preconditions: Preconditions,
  ): void {
    if (!access.mayRead(current, principal)) throw tooLate('missing', id, preconditions)
    access.requireRight(operation, current, principal)
  }

  async function change(
    id: string,
    preconditions: Preconditions,
    compute: (current: StoredMember & WholeText) => Written,
  ): Promise<StoredMember> {
    const changed = await store.change(cls.name, id, expectedBy(preconditions), compute)
    if (changed.outcome === 'changed') return changed.member
    throw changed.outcome === 'refused' ? refusal(changed) : tooLate(changed.outcome, id, preconditions)
  }

  /** Undefined where another request was faster, and no precondition says that nothing may be there. */
  async function create(
    sent: JsonObject,
    id: string,
    { principal }: Visit,
    { noneMatch }: Preconditions,
  ): Promise<StoredMember | undefined> {
    const address = representation.address(id)
    const created = input.create(sent, id, now(), { address, creator: principal })
    const added = await store.add(cls.name, access.limitLinks(created, principal))
    if (added.outcome === 'added') return { ...created, owner: created.owner, version: added.version }
    if (added.outcome === 'refused') throw refusal(added)
    if (noneMatch !== undefined) throw preconditionFailed('alreadyThere')
    return undefined
  }

  /** Another request has changed or removed it meanwhile. */
  function tooLate(outcome: 'stale' | 'missing', id: string, { match }: Preconditions): HttpError {
    if (outcome === 'stale') return preconditionFailed('changed')
    return match === undefined ? kind.missing(id) : preconditionFailed('nothingThere')
  }
}
