import { badRequest, HttpError, notFound } from '../errors.ts'
import type { Request } from '../http/index.ts'
import type { JsonObject } from '../json.ts'
import type { Awaitable, MemberStore, StoredMember, WholeText, Written } from '../store/index.ts'
import type { Class, Model } from '../vocabulary/index.ts'
import { type Input, readBody, requireMediaType } from './input/input.ts'
import { ID } from './input/value.ts'
import { type MemberRepresentation, prepareResponses } from './output/member.ts'
import {
  expectedBy,
  type Preconditions,
  preconditionFailed,
  readPreconditions,
  requireIfMatch,
  requirePreconditions,
} from './preconditions.ts'
import { refusal, stillLinked } from './refusals.ts'
import {
  APPLIED_MINIMAL,
  mediaTypeFor,
  type Resource,
  type Respond,
  readPreferences,
  resource,
  type Visit,
} from './respond.ts'

/** What the resources of a class are made of. */
export interface MemberParts {
  readonly model: Model
  readonly cls: Class
  readonly base: string
  readonly store: MemberStore
  readonly input: Input
  readonly representation: MemberRepresentation
  readonly respond: Respond
  readonly now: () => number
  readonly requireIfMatch: boolean
}

/** `{base}/{collection}/{id}` */
export function member(parts: MemberParts): Resource {
  const { cls, store } = parts
  const { operations, methods, collection } = cls
  const missing = (id: string, hint = '') =>
    notFound(`The collection ${collection} has no member ${JSON.stringify(id.slice(0, 128))}${hint}.`)

  return createMemberResource(parts, {
    methods: operations.has('replace') ? methods.replace : [],
    find: (id) => store.find(cls.name, id),
    requireReplaceable: () => {},
    missing,
    idOfNew(id, _, { noneMatch }) {
      if (noneMatch !== 'any')
        throw missing(id, operations.has('create') ? '; with If-None-Match: * it would be created' : '')
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
  /** The id of what is created, or an error that says why nothing can be. */
  idOfNew(id: string, request: Request, preconditions: Preconditions): string
  /** 403 where what is there can be created but not replaced. */
  requireReplaceable(request: Request): void
  missing(id: string): HttpError
}

export function createMemberResource(parts: MemberParts, kind: MemberKind): Resource {
  const { model, cls, base, store, input, representation, respond, now } = parts
  const { operations } = cls

  return resource({
    GET: operations.has('read') && read,
    ...Object.fromEntries(kind.methods.map((method) => [method, replace])),
    PATCH: operations.has('update') && update,
    DELETE: operations.has('delete') && remove,
  })

  async function read({ request, id }: Visit) {
    const mediaType = mediaTypeFor(request)
    const found = await kind.find(id)
    if (found === undefined) throw kind.missing(id)
    const etag = representation.etag(found, mediaType)
    return respond.read(request, { mediaType, etag, body: () => representation.whole(found) })
  }

  async function replace({ request, id }: Visit) {
    const responses = prepareResponses(request, parts)
    requireMediaType(request, 'member')
    const preconditions = readPreconditions(request)
    const found = await findFor(id, preconditions)
    if (found !== undefined) kind.requireReplaceable(request)
    const newId = found === undefined ? kind.idOfNew(id, request, preconditions) : undefined
    const sent = await input.toOwnTerms(await readBody(request, 'member'), representation.address(id))
    if (newId !== undefined) {
      const created = await create(sent, newId, preconditions)
      if (created !== undefined) return responses.created(created)
      // Another request has created it meanwhile: from here on this one is a replacement.
      requireIfMatch(preconditions, parts.requireIfMatch)
      kind.requireReplaceable(request)
    }
    const changed = await change(found?.id ?? newId ?? id, preconditions, (current) =>
      input.replace(sent, current, now()),
    )
    return responses.changed(changed)
  }

  async function update({ request, id }: Visit) {
    const responses = prepareResponses(request, parts)
    requireMediaType(request, 'patch')
    const preconditions = readPreconditions(request)
    const found = await findFor(id, preconditions)
    if (found === undefined) throw kind.missing(id)
    const patch = await readBody(request, 'patch')
    const changed = await change(found.id, preconditions, (current) => input.update(patch, current, now()))
    return responses.changed(changed)
  }

  async function remove({ request, id }: Visit) {
    const preconditions = readPreconditions(request)
    const found = await findFor(id, preconditions)
    if (found === undefined) throw kind.missing(id)
    // Nothing happens before the whole request is there and found well-formed.
    await request.readBody()
    const removed = await store.remove(cls.name, found.id, expectedBy(preconditions))
    switch (removed.outcome) {
      case 'removed':
        return respond.noContent(readPreferences(request).minimal ? APPLIED_MINIMAL : [])
      case 'linked':
        throw stillLinked(removed.from, model, base)
      default:
        throw tooLate(removed.outcome, id, preconditions)
    }
  }

  /** What is there, once the preconditions hold for it: before the body is looked at (RFC 9110 §13.2.1). */
  async function findFor(id: string, preconditions: Preconditions): Promise<StoredMember | undefined> {
    const found = await kind.find(id)
    requirePreconditions(preconditions, found?.version)
    if (found !== undefined) requireIfMatch(preconditions, parts.requireIfMatch)
    return found
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
  async function create(sent: JsonObject, id: string, { noneMatch }: Preconditions) {
    const created = input.create(sent, id, now(), representation.address(id))
    const added = await store.add(cls.name, created)
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
