import { badRequest, HttpError, notFound } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { Awaitable, StoredMember, WholeText, Written } from '../store/index.ts'
import type { Model } from '../vocabulary/index.ts'
import { readBody, readPatch, requireJson, requirePatch } from './input/body.ts'
import { ID } from './input/value.ts'
import {
  expectedBy,
  type Preconditions,
  preconditionFailed,
  readPreconditions,
  requireIfMatch,
  requirePreconditions,
} from './preconditions.ts'
import { type Handler, type Resource, resource } from './resource.ts'
import { applied, mediaTypeFor, readPreferences } from './respond.ts'
import { prepareResponses, refusal, stillLinked, type WriteParts } from './write.ts'

export interface MemberParts extends WriteParts {
  readonly model: Model
  readonly requireIfMatch: boolean
}

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

/** What a member of a collection and a single resource do each in its own way. */
export interface MemberKind {
  find(id: string): Awaitable<StoredMember | undefined>
  /** The id that a PUT gives to what it creates, or an error that says why it cannot. */
  idOfNew(id: string, preconditions: Preconditions): string
  /** 403 where what is there can be created but not replaced. */
  requireReplaceable(): void
  missing(id: string): HttpError
}

type MemberHandlers = Readonly<Record<'read' | 'replace' | 'update' | 'remove', Handler>>

export function createMemberHandlers(parts: MemberParts, kind: MemberKind): MemberHandlers {
  const { cls, store, input, representation, respond, now } = parts

  return {
    async read({ request, id }) {
      const mediaType = mediaTypeFor(request)
      const found = await kind.find(id)
      if (found === undefined) throw kind.missing(id)
      const etag = representation.etag(found, mediaType)
      return respond.read(request, { mediaType, etag, body: () => representation.whole(found) })
    },

    async replace({ request, id }) {
      const responses = prepareResponses(request, parts)
      requireJson(request)
      const preconditions = readPreconditions(request)
      const found = await findFor(id, preconditions)
      if (found !== undefined) kind.requireReplaceable()
      const newId = found === undefined ? kind.idOfNew(id, preconditions) : undefined
      const sent = await input.toOwnTerms(await readBody(request), representation.address(id))
      if (newId !== undefined) {
        const created = await create(sent, newId, preconditions)
        if (created !== undefined) return responses.created(created)
        // Another request has created it meanwhile: from here on this one is a replacement.
        requireIfMatch(preconditions, parts.requireIfMatch)
        kind.requireReplaceable()
      }
      const changed = await change(found?.id ?? newId ?? id, preconditions, (current) =>
        input.replace(sent, current, now()),
      )
      return responses.changed(changed)
    },

    async update({ request, id }) {
      const responses = prepareResponses(request, parts)
      requirePatch(request)
      const preconditions = readPreconditions(request)
      const found = await findFor(id, preconditions)
      if (found === undefined) throw kind.missing(id)
      const patch = await readPatch(request)
      const changed = await change(found.id, preconditions, (current) => input.update(patch, current, now()))
      return responses.changed(changed)
    },

    async remove({ request, id }) {
      const preconditions = readPreconditions(request)
      const found = await findFor(id, preconditions)
      if (found === undefined) throw kind.missing(id)
      // Nothing happens before the whole request is there and found well-formed.
      await request.readBody()
      const removed = await store.remove(cls.name, found.id, expectedBy(preconditions))
      switch (removed.outcome) {
        case 'removed':
          return respond.noContent(readPreferences(request).minimal ? applied('return=minimal') : [])
        case 'linked':
          throw stillLinked(removed.from, parts.model, parts.base)
        case 'stale':
          throw preconditionFailed('changed')
        case 'missing':
          throw gone(id, preconditions)
      }
    },
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
    switch (changed.outcome) {
      case 'changed':
        return changed.member
      case 'refused':
        throw refusal(changed)
      case 'stale':
        throw preconditionFailed('changed')
      case 'missing':
        throw gone(id, preconditions)
    }
  }

  /** Undefined where another request was faster, and no precondition says that nothing may be there. */
  async function create(
    sent: JsonObject,
    id: string,
    { noneMatch }: Preconditions,
  ): Promise<StoredMember | undefined> {
    const created = input.create(sent, id, now(), representation.address(id))
    const added = await store.add(cls.name, created)
    if (added.outcome === 'added') return { ...created, version: added.version }
    if (added.outcome === 'refused') throw refusal(added)
    if (noneMatch !== undefined) throw preconditionFailed('alreadyThere')
    return undefined
  }

  /** Another request has removed it meanwhile. */
  function gone(id: string, { match }: Preconditions): HttpError {
    return match === undefined ? kind.missing(id) : preconditionFailed('nothingThere')
  }
}
