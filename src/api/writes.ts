import { randomUUID } from 'node:crypto'
import type { Principal } from '../auth/index.ts'
import { type HttpError, invalid, unavailable } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { addressOf } from '../members/index.ts'
import type { Awaitable, Changed, Compute, MemberStore, Removed, StoredMember } from '../store/index.ts'
import { type Class, type Model, type Operation, pathTo } from '../vocabulary/index.ts'
import type { Access } from './access.ts'
import type { HooksOfClass } from './hooks.ts'
import type { BodyKind, Input } from './input/input.ts'
import type { References } from './input/value.ts'
import {
  expectedBy,
  type Preconditions,
  preconditionFailed,
  requireIfMatch,
  requirePreconditions,
} from './preconditions.ts'
import { refusal, stillLinked } from './refusals.ts'

/** A write without the request that asks for it. */
export interface Write {
  readonly store: Pick<MemberStore, 'find' | 'findWhole' | 'list' | 'add' | 'change' | 'remove'>
  readonly method: string
  /** Which member; empty where there is none to name. */
  readonly id: string
  readonly principal: Principal | undefined
  readonly preconditions: Preconditions
  /** What was sent. Asked for once the preconditions hold (RFC 9110 §13.2.1), and before anything is written. */
  body(): Awaitable<JsonObject>
  readonly references?: References
}

export type Outcome =
  | { readonly outcome: 'created' | 'changed'; readonly member: StoredMember }
  | { readonly outcome: 'removed' }

/** What is known of a write before anything is looked at. */
export interface Asked {
  readonly method: string
  /** Whether nothing may be there: `If-None-Match: *`. */
  readonly isNew: boolean
}

/** What a method does that writes. */
export interface WriteOperation {
  /** Undefined where none counts. */
  readonly body: BodyKind | undefined
  /** 403 for what none of the user's roles may do, before anything else is looked at. */
  requireRight?(asked: Asked): void
  /** `requireRight` refuses whatever is asked: the method is not offered. */
  readonly isRefused?: true
  carryOut(write: Write): Promise<Outcome>
}

/** Where the user's roles may not use it at all: 403 that says who may. */
export const refused = (operation: WriteOperation, refusal: (asked: Asked) => HttpError): WriteOperation => ({
  ...operation,
  isRefused: true,
  requireRight(asked) {
    throw refusal(asked)
  },
})

/** What the members of a class are written with. */
export interface WriteParts {
  readonly model: Model
  /** With all of its operations; `access` says which of them may be carried out. */
  readonly cls: Class
  readonly access: Access
  readonly base: string
  readonly input: Input
  readonly now: () => number
  readonly requireIfMatch: boolean
  /** Undefined where the program has none for this class. */
  readonly hooks: HooksOfClass | undefined
}

/** So often a hook is run where other writers are faster (library.md). */
export const MOST_HOOK_RUNS = 3

/** Adds a member under an id of the server's choice. */
export function createCreation(parts: WriteParts): WriteOperation {
  const { cls, base, input } = parts
  const target = base + pathTo(cls.collection ?? cls.name)
  return {
    body: 'member',
    async carryOut(write) {
      const sent = await input.toOwnTerms(await write.body(), target)
      const id = newId()
      const member = await add(parts, write, sent, id)
      if (member !== undefined) return { outcome: 'created', member }
      throw invalid([{ propertyPath: '@id', message: `${id} exists already.` }])
    },
  }
}

/** In the order of time, to the millisecond, and not to be guessed (RFC 9562 §5.7). */
function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Undefined where the id is taken. `address`: what `@id` may say, which is refused without one. */
async function add(
  { cls, access, input, hooks, now, base }: WriteParts,
  { store, principal, references }: Write,
  sent: JsonObject,
  id: string,
  address?: string,
): Promise<StoredMember | undefined> {
  const time = now()
  let created = input.create(sent, id, time, { address, creator: principal, references })
  const told = { operation: 'create', principal } as const
  const returned = await hooks?.beforeWrite({ ...told, member: created })
  if (returned !== undefined)
    created = input.restore(returned, id, time, { address: addressOf(cls, base)(id), creator: principal })
  const added = await store.add(cls.name, access.limitLinks(created, principal))
  if (added.outcome === 'refused') throw refusal(added)
  if (added.outcome === 'exists') return undefined
  hooks?.afterWrite({ ...told, member: created })
  return { ...created, owner: created.owner, version: added.version }
}

/** What a member of a collection and a single resource do each in its own way. */
export interface MemberKind {
  find(store: Write['store'], id: string): Awaitable<StoredMember | undefined>
  /** Which operation a method asks for that replaces or creates, as far as the write alone tells. */
  meant(asked: Asked): Operation | undefined
  /** The id of what is created, or an error that says why nothing can be. */
  idOfNew(write: Write): string
  /** 403 where what is there can be created but not replaced. */
  requireReplaceable(write: Write): void
  missing(id: string): HttpError
}

export function createMemberWrites(parts: WriteParts, kind: MemberKind) {
  const { model, cls, access, base, input, hooks, now } = parts
  const { rights } = access
  const address = addressOf(cls, base)

  /** Creates where nothing is. */
  const replace: WriteOperation = {
    body: 'member',
    requireRight(asked) {
      const meant = kind.meant(asked)
      if (meant !== undefined && rights[meant] === 'none') throw access.refusal(meant)
    },
    async carryOut(write) {
      const { id, preconditions } = write
      const found = await findFor('replace', write)
      if (found !== undefined) kind.requireReplaceable(write)
      const newId = found === undefined ? kind.idOfNew(write) : undefined
      const sent = await input.toOwnTerms(await write.body(), address(id))
      if (newId !== undefined) {
        const member = await add(parts, write, sent, newId, address(newId))
        if (member !== undefined) return { outcome: 'created', member }
        if (preconditions.noneMatch !== undefined) throw preconditionFailed('alreadyThere')
        // Another write has created it meanwhile: from here on this one is a replacement.
        requireIfMatch(preconditions, parts.requireIfMatch)
        kind.requireReplaceable(write)
      }
      return change('replace', found?.id ?? newId ?? id, write, (current) =>
        input.replace(sent, current, now(), write.references),
      )
    },
  }

  const update: WriteOperation = {
    body: 'patch',
    async carryOut(write) {
      const found = await findFor('update', write)
      if (found === undefined) throw kind.missing(write.id)
      const patch = await write.body()
      return change('update', found.id, write, (current) =>
        input.update(patch, current, now(), write.references),
      )
    },
  }

  const remove: WriteOperation = {
    body: undefined,
    async carryOut(write) {
      const { store, principal, preconditions } = write
      const found = await findFor('delete', write)
      if (found === undefined) throw kind.missing(write.id)
      await write.body()
      const owner = rights.delete === 'own' ? principal?.number : undefined
      const removed =
        hooks === undefined
          ? await store.remove(cls.name, found.id, expectedBy(preconditions), owner)
          : await removeHooked(found.id, write, owner, hooks)
      if (removed.outcome === 'removed') return removed
      if (removed.outcome !== 'linked') throw tooLate(removed.outcome, write)
      const mayRead = (linker: (typeof removed.from)[number]) =>
        access.mayReadOf(linker.className, linker, principal)
      throw stillLinked(removed, { model, base, mayRead })
    },
  }

  /** What is there, once the preconditions hold for it. */
  async function findFor(operation: Operation, write: Write): Promise<StoredMember | undefined> {
    const { store, id, principal, preconditions } = write
    const stored = await kind.find(store, id)
    const found = stored !== undefined && access.mayRead(stored, principal) ? stored : undefined
    const isCreation = operation === 'replace' && preconditions.noneMatch === 'any'
    if (found !== undefined && !isCreation) access.requireRight(operation, found, principal)
    requirePreconditions(preconditions, found?.version)
    // access.md, On the wire: that an id is taken is no secret.
    if (isCreation && stored !== undefined) throw preconditionFailed('alreadyThere')
    if (found !== undefined) requireIfMatch(preconditions, parts.requireIfMatch)
    return found
  }

  async function change(operation: Operation, id: string, write: Write, compute: Compute): Promise<Outcome> {
    const { store, principal, preconditions } = write
    const permitted: Compute = (current) => {
      // Owners never change; but another member may have its id by the time of the write.
      requirePermitted(operation, current, write)
      return access.limitLinks(compute(current), principal)
    }
    const changed =
      hooks === undefined
        ? await store.change(cls.name, id, expectedBy(preconditions), permitted)
        : await changeHooked(operation, id, write, permitted, hooks)
    if (changed.outcome === 'changed') return changed
    if (changed.outcome === 'refused') throw refusal(changed)
    // What another user has created anew meanwhile is not there for a user who may not read it.
    const latest = rights.read === 'any' ? undefined : await kind.find(store, id)
    const isHidden = latest !== undefined && !access.mayRead(latest, principal)
    throw tooLate(isHidden ? 'missing' : changed.outcome, write)
  }

  function requirePermitted(operation: Operation, current: StoredMember, write: Write): void {
    if (!access.mayRead(current, write.principal)) throw tooLate('missing', write)
    access.requireRight(operation, current, write.principal)
  }

  /** What `beforeWrite` saw is what is replaced, or it is run again with what is there then. */
  async function changeHooked(
    operation: Operation,
    id: string,
    write: Write,
    compute: Compute,
    hooks: HooksOfClass,
  ): Promise<Changed> {
    const { store, principal } = write
    return untilNotStale(write, async (expected) => {
      const before = await store.findWhole(cls.name, id)
      if (before === undefined) return { outcome: 'missing' }
      const { version } = before
      if (expected?.includes(version) === false) return { outcome: 'stale', version }
      const computed = compute(before)
      const told = { operation, before, principal }
      const returned = await hooks.beforeWrite({ ...told, member: { ...computed, id } })
      const written =
        returned === undefined
          ? computed
          : access.limitLinks(input.restoreOver(returned, before, now()), principal)
      const changed = await store.change(cls.name, id, [version], () => written)
      if (changed.outcome === 'changed') hooks.afterWrite({ ...told, member: changed.member })
      return changed
    })
  }

  async function removeHooked(
    id: string,
    write: Write,
    owner: number | undefined,
    hooks: HooksOfClass,
  ): Promise<Removed> {
    const { store, principal } = write
    return untilNotStale(write, async (expected) => {
      const member = await store.findWhole(cls.name, id)
      if (member === undefined) return { outcome: 'missing' }
      const { version } = member
      if (expected?.includes(version) === false) return { outcome: 'stale', version }
      requirePermitted('delete', member, write)
      const told = { operation: 'delete', member, before: member, principal } as const
      await hooks.beforeDelete(told)
      const removed = await store.remove(cls.name, id, [version], owner)
      if (removed.outcome === 'removed') hooks.afterWrite(told)
      return removed
    })
  }

  /** Another write has changed or removed it meanwhile. */
  function tooLate(outcome: 'stale' | 'missing', { id, preconditions }: Write): HttpError {
    if (outcome === 'stale') return preconditionFailed('changed')
    return preconditions.match === undefined ? kind.missing(id) : preconditionFailed('nothingThere')
  }

  return { replace, update, remove }
}

/** Runs what reads, asks a hook and writes; again where another write came between, unless `If-Match` forbids that. */
async function untilNotStale<T extends { readonly outcome: string }>(
  { preconditions }: Write,
  run: (expected: readonly number[] | undefined) => Promise<T>,
): Promise<T> {
  for (let runs = 0; runs < MOST_HOOK_RUNS; runs++) {
    const done = await run(expectedBy(preconditions))
    if (done.outcome !== 'stale' || expectedBy(preconditions) !== undefined) return done
  }
  throw unavailable('Others are changing the same member; try again shortly.', 1)
}
