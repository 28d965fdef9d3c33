import type { HttpError } from '../errors.ts'
import type { Response } from '../http/response.ts'
import type { JsonObject } from '../json.ts'
import type { Awaitable, StoredMember, WholeText, Written } from '../store/store.ts'
import type { Model } from '../vocabulary/model.ts'
import { readBody, readPatch, requireJson, requirePatch } from './input/body.ts'
import { prepareAnswer, refusal, type WriteParts } from './member-answer.ts'
import {
  alreadyThere,
  type Conditions,
  expectedBy,
  hasChanged,
  nothingThere,
  readConditions,
  requireConditions,
  requireIfMatch,
} from './preconditions.ts'
import { applied, readPreferences } from './prefer.ts'
import type { Handler } from './resource.ts'
import { mediaTypeFor } from './serving.ts'
import { stillLinked } from './still-linked.ts'

export interface MemberParts extends WriteParts {
  readonly model: Model
  readonly requireIfMatch: boolean
}

/** What a member of a collection and a single resource do each in its own way. */
export interface Place {
  find(id: string): Awaitable<StoredMember | undefined>
  /** The id that a PUT gives to what it creates, or an error that says why it cannot. */
  idOfNew(id: string, conditions: Conditions): string
  /** 403 where what is there can be created but not replaced. */
  requireReplaceable(): void
  missing(id: string): HttpError
}

export interface MemberHandlers {
  readonly read: Handler
  readonly replace: Handler
  readonly update: Handler
  readonly remove: Handler
}

export function createMemberHandlers(parts: MemberParts, place: Place): MemberHandlers {
  const { cls, store, input, representation, serving } = parts

  /** What is there, once the conditions hold for it: before the body is looked at (RFC 9110 §13.2.1). */
  async function findFor(id: string, conditions: Conditions): Promise<StoredMember | undefined> {
    const found = await place.find(id)
    requireConditions(conditions, found?.version)
    if (found !== undefined) requireIfMatch(conditions, parts.requireIfMatch)
    return found
  }

  async function change(
    id: string,
    conditions: Conditions,
    compute: (current: StoredMember & WholeText) => Written,
  ): Promise<StoredMember> {
    const changed = await store.change(cls.name, id, expectedBy(conditions), compute)
    switch (changed.outcome) {
      case 'changed':
        return changed.member
      case 'refused':
        throw refusal(changed)
      case 'stale':
        throw hasChanged()
      case 'missing':
        throw conditions.match === undefined ? place.missing(id) : nothingThere()
    }
  }

  /** Undefined where another was faster, and nothing says that there may be none. */
  async function create(
    plain: JsonObject,
    id: string,
    conditions: Conditions,
  ): Promise<StoredMember | undefined> {
    const member = input.create(plain, id, parts.now(), representation.address(id))
    const added = await store.add(cls.name, member)
    if (added.outcome === 'added') return { ...member, version: added.version }
    if (added.outcome === 'refused') throw refusal(added)
    if (conditions.noneMatch !== undefined) throw alreadyThere()
    return undefined
  }

  return {
    async read({ request, id }) {
      const mediaType = mediaTypeFor(request)
      const found = await place.find(id)
      if (found === undefined) throw place.missing(id)
      return serving.read(request, mediaType, representation.etag(found, mediaType), () =>
        representation.whole(found),
      )
    },

    async replace({ request, id }): Promise<Response> {
      const answer = prepareAnswer(request, parts)
      requireJson(request)
      const conditions = readConditions(request)
      const found = await findFor(id, conditions)
      if (found !== undefined) place.requireReplaceable()
      const newId = found === undefined ? place.idOfNew(id, conditions) : undefined
      const plain = await input.plain(await readBody(request), representation.address(id))
      if (newId !== undefined) {
        const created = await create(plain, newId, conditions)
        if (created !== undefined) return answer.created(created)
        // Another was faster: from here on it is a replacement.
        requireIfMatch(conditions, parts.requireIfMatch)
        place.requireReplaceable()
      }
      const member = await change(found?.id ?? newId ?? id, conditions, (current) =>
        input.replace(plain, current, parts.now()),
      )
      return answer.changed(member)
    },

    async update({ request, id }) {
      const answer = prepareAnswer(request, parts)
      requirePatch(request)
      const conditions = readConditions(request)
      const found = await findFor(id, conditions)
      if (found === undefined) throw place.missing(id)
      const patch = await readPatch(request)
      return answer.changed(
        await change(found.id, conditions, (current) => input.update(patch, current, parts.now())),
      )
    },

    async remove({ request, id }) {
      const conditions = readConditions(request)
      const found = await findFor(id, conditions)
      if (found === undefined) throw place.missing(id)
      // Nothing happens before the whole request is there and found well-formed.
      await request.readBody()
      const removed = await store.remove(cls.name, found.id, expectedBy(conditions))
      if (removed.outcome === 'removed')
        return serving.nothing(readPreferences(request).minimal ? applied('return=minimal') : [])
      if (removed.outcome === 'linked') throw stillLinked(removed.from, parts.model, parts.base)
      if (removed.outcome === 'stale') throw hasChanged()
      throw conditions.match === undefined ? place.missing(id) : nothingThere()
    },
  }
}
