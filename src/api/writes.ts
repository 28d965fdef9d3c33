import { randomUUID } from 'node:crypto'
import { HttpError, violation } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import {
  type Awaitable,
  type Changed,
  type Compute,
  FIRST_MEMBER,
  type MemberStore,
  type NewMember,
  type Removed,
  type StoredMember,
} from '../store/index.ts'
import { type Class, hasCollection, type Operation, pathTo } from '../vocabulary/index.ts'
import { retryWhileStale } from './hooks.ts'
import { expectedVersions, preconditionFailed, requireIfMatch, requirePreconditions } from './request.ts'
import type { ClassParts, Outcome, Write, WriteOperation } from './types.ts'
import { refusedByStore, stillLinked, withStoreViolations } from './write-errors.ts'

/** Adds a member under an id of the server's choice. */
export function createCreation(parts: ClassParts): WriteOperation {
  const { cls, base, input } = parts
  const target = base + pathTo(cls.collection ?? cls.name)
  return {
    body: 'member',
    async carryOut(write) {
      // RFC 9110 §13.1.1: there is nothing that it could match, "*" included.
      if (write.preconditions.match !== undefined) throw preconditionFailed('added')
      const sent = await input.toOwnTerms(await write.body(), target, write.principal)
      const id = newId()
      const member = await add(parts, write, sent, id)
      if (member !== undefined) return { outcome: 'created', member }
      throw violation('@id', `${id} exists already.`)
    },
  }
}

/** A UUID of version 7 (RFC 9562 §5.7): ordered by time, and not to be guessed. */
function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Undefined where the id is taken. `address`: the one value that `@id` may have; without it `@id` is refused. */
async function add(
  parts: ClassParts,
  write: Write,
  sent: JsonObject,
  id: string,
  address?: string,
): Promise<StoredMember | undefined> {
  const { cls, access, input, representation, hooks, now } = parts
  const { store, principal, references } = write
  const time = now()
  let created: NewMember
  try {
    created = input.create(sent, id, time, { address, creator: principal, references })
  } catch (error) {
    throw await withStoreViolations(error, parts, write)
  }
  const about = { operation: 'create', principal } as const
  const asProgram = { kind: 'restored', creator: principal } as const
  const returned = hooks && (await waitFor(write, hooks.beforeWrite({ ...about, member: created })))
  if (returned !== undefined)
    created = input.create(returned, id, time, { ...asProgram, address: representation.address(id) })
  const added = await store.add(cls.name, access.limitLinks(created, principal))
  if (added.outcome === 'refused') throw refusedByStore(added)
  if (added.outcome === 'exists') return undefined
  hooks?.afterWrite({ ...about, member: created })
  return { ...created, owner: created.owner, version: added.version }
}

const waitFor = <T>(write: Write, answer: Awaitable<T>): Awaitable<T> => write.waitFor?.(answer) ?? answer

/** A single resource may have the former name of its class as its id. */
export function findMember(
  store: Pick<MemberStore, 'find' | 'list'>,
  cls: Class,
  id: string,
): Awaitable<StoredMember | undefined> {
  return hasCollection(cls) ? store.find(cls.name, id) : findSingle(store, cls)
}

const findSingle = async (store: Pick<MemberStore, 'find' | 'list'>, { name }: Class) =>
  (await store.find(name, name)) ?? (await store.list(name, FIRST_MEMBER)).members[0]

/** What differs between a member of a collection and a single resource. */
export interface MemberKind {
  /** The operation of a method that creates or replaces; undefined where that depends on what is stored. */
  operationFor(method: string, isNew: boolean): Operation | undefined
  /** Whether the API file has the operation, with this method. */
  has(operation: 'create' | 'replace', method: string): boolean
  /** The id for a new member; throws where none can be created. */
  idOfNew(write: Write): string
  missing(id: string): HttpError
}

export function createMemberWrites(parts: ClassParts, kind: MemberKind) {
  const { cls, access, input, hooks, now, representation } = parts
  const { rights } = access
  const { address } = representation

  /** Creates the member where there is none. */
  const replace: WriteOperation = {
    body: 'member',
    requireRight(method, isNew) {
      const operation = kind.operationFor(method, isNew)
      if (operation !== undefined && rights[operation] === 'none') throw access.refusal(operation)
    },
    async carryOut(write) {
      const { id, preconditions } = write
      const found = await findFor('replace', write)
      if (found !== undefined) requireReplaceable(write)
      const newId = found === undefined ? kind.idOfNew(write) : undefined
      const sent = await input.toOwnTerms(await write.body(), address(id), write.principal)
      if (newId !== undefined) {
        const member = await add(parts, write, sent, newId, address(newId))
        if (member !== undefined) return { outcome: 'created', member }
        if (preconditions.noneMatch !== undefined) throw preconditionFailed('alreadyThere')
        // Another write has created it in the meantime: this one becomes a replacement.
        requireIfMatch(preconditions, parts.requireIfMatch)
        requireReplaceable(write)
      }
      return change('replace', found?.id ?? newId ?? id, write, (current) =>
        input.replace(sent, current, now(), { references: write.references }),
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
      const { principal, preconditions } = write
      const found = await findFor('delete', write)
      if (found === undefined) throw kind.missing(write.id)
      await write.body()
      const owner = rights.delete === 'own' ? principal?.number : undefined
      const target = storeFor('delete', write)
      const removed = await target.remove(cls.name, found.id, expectedVersions(preconditions), owner)
      if (removed.outcome === 'removed') return removed
      if (removed.outcome === 'linked') throw stillLinked(removed, parts, principal)
      throw tooLate(removed.outcome, write)
    },
  }

  /** The stored member, after rights and preconditions are checked. */
  async function findFor(operation: Operation, write: Write): Promise<StoredMember | undefined> {
    const { store, id, principal, preconditions } = write
    const stored = await findMember(store, cls, id)
    const found = stored !== undefined && access.mayRead(stored, principal) ? stored : undefined
    const isCreation = operation === 'replace' && preconditions.noneMatch === 'any'
    if (found === undefined) {
      // 404 where nothing can be created either, whatever the conditions (access.md, On the wire; RFC 9110 §13.2.1).
      if (operation !== 'replace') return undefined
      kind.idOfNew(write)
    } else if (!isCreation) access.requireRight(operation, found, principal)
    requirePreconditions(preconditions, found?.version)
    // access.md, On the wire: that an id is taken is no secret.
    if (isCreation && stored !== undefined) throw preconditionFailed('alreadyThere')
    if (found !== undefined) requireIfMatch(preconditions, parts.requireIfMatch)
    return found
  }

  async function change(operation: Operation, id: string, write: Write, compute: Compute): Promise<Outcome> {
    const { store, principal, preconditions } = write
    const permitted: Compute = (current) => {
      // The owner of a member never changes, but its id may belong to another member by now.
      requirePermitted(operation, current, write)
      return access.limitLinks(compute(current), principal)
    }
    const target = storeFor(operation, write)
    const changed = await target
      .change(cls.name, id, expectedVersions(preconditions), permitted)
      .catch(async (error) => {
        throw await withStoreViolations(error, parts, { ...write, id })
      })
    if (changed.outcome === 'changed') return changed
    if (changed.outcome === 'refused') throw refusedByStore(changed)
    // Another user may have created it anew in the meantime: without the right to read, it does not exist.
    const latest = rights.read === 'any' ? undefined : await findMember(store, cls, id)
    const isHidden = latest !== undefined && !access.mayRead(latest, principal)
    throw tooLate(isHidden ? 'missing' : changed.outcome, write)
  }

  /** 403 where the member may be created but not replaced. */
  function requireReplaceable({ method }: Write): void {
    if (!kind.has('replace', method))
      throw new HttpError(403, `${cls.name} is there, and the API file has no operation that replaces it.`)
    if (rights.replace === 'none') throw access.refusal('replace')
  }

  /** `change` and `remove` of the store, with the hooks of the class around them. */
  function storeFor(operation: Operation, write: Write): Pick<MemberStore, 'change' | 'remove'> {
    const { store, principal } = write
    if (hooks === undefined) return store
    const restore = (returned: JsonObject, before: Parameters<Compute>[0]) =>
      access.limitLinks(input.replace(returned, before, now(), { kind: 'restored' }), principal)
    return {
      change: (className, id, expected, compute) =>
        retryWhileStale<Changed>(store, [className, id], expected, async (before) => {
          const computed = compute(before)
          const about = { operation, before, principal }
          const returned = await waitFor(write, hooks.beforeWrite({ ...about, member: { ...computed, id } }))
          const written = returned === undefined ? computed : restore(returned, before)
          const changed = await store.change(className, id, [before.version], () => written)
          if (changed.outcome === 'changed') hooks.afterWrite({ ...about, member: changed.member })
          return changed
        }),
      remove: (className, id, expected, owner) =>
        retryWhileStale<Removed>(store, [className, id], expected, async (before) => {
          requirePermitted(operation, before, write)
          const about = { operation, member: before, before, principal }
          await waitFor(write, hooks.beforeDelete(about))
          const removed = await store.remove(className, id, [before.version], owner)
          if (removed.outcome === 'removed') hooks.afterWrite(about)
          return removed
        }),
    }
  }

  function requirePermitted(operation: Operation, current: StoredMember, write: Write): void {
    if (!access.mayRead(current, write.principal)) throw tooLate('missing', write)
    access.requireRight(operation, current, write.principal)
  }

  /** Another write has changed or removed the member in the meantime. */
  function tooLate(outcome: 'stale' | 'missing', { id, preconditions }: Write): HttpError {
    if (outcome === 'stale') return preconditionFailed('changed')
    return preconditions.match === undefined ? kind.missing(id) : preconditionFailed('nothingThere')
  }

  return { replace, update, remove }
}
