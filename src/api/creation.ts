import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../json.ts'
import type { NewMember, StoredMember } from '../members/index.ts'
import { isTied, pathTo } from '../vocabulary/index.ts'
import { waitFor } from './hooked-store.ts'
import { withLookups } from './lookups.ts'
import { apiViolation, validationFailed } from './problems/index.ts'
import { CREATOR } from './property-views.ts'
import { preconditionFailed } from './request.ts'
import { covers, type Relation } from './ties.ts'
import type { ClassDependencies, Write, WriteOperation } from './types.ts'
import { refusedByStore, withStoreViolations } from './write-errors.ts'

/** Adds a member under an id of the server's choice. */
export function createCreation(dependencies: ClassDependencies): WriteOperation {
  const { cls, base, inputFor } = dependencies
  const target = base + pathTo(cls.collection ?? cls.name)
  return {
    body: 'member',
    async carryOut(write) {
      // RFC 9110 §13.1.1: a new member has nothing to match, not even "*".
      if (write.preconditions.match !== undefined) throw preconditionFailed('added')
      const sent = await inputFor(CREATOR).toOwnTerms(await write.body(), target, write.principal)
      const id = newId()
      const member = await add(dependencies, write, sent, id)
      if (member !== undefined) return { outcome: 'created', member }
      throw validationFailed(apiViolation('IdTaken', '@id', { id }))
    },
  }
}

/** A UUID of version 7 (RFC 9562 §5.7): ordered by time, and hard to guess. */
function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Returns undefined if the id is taken. `address`: the only value that `@id` may have; without it `@id` is refused. */
export async function add(
  dependencies: ClassDependencies,
  write: Write,
  sent: JsonObject,
  id: string,
  address?: string,
): Promise<StoredMember | undefined> {
  const { cls, access, input, representation, hooks, now } = dependencies
  const { store, principal } = write
  const time = now()
  const { created: member, hidden } = await createAs(dependencies, write, { sent, id, time, address })
  let created = member
  const about = { operation: 'create', principal } as const
  const asProgram = { kind: 'restored', creator: principal } as const
  const returned = hooks && (await waitFor(write, hooks.beforeWrite({ ...about, member: created })))
  if (returned !== undefined)
    created = input.create(returned, id, time, { ...asProgram, address: representation.address(id) })
  const limited = await withLookups((lookups) => access.limitLinks(created, principal, { lookups, store }))
  const added = await store.add(cls.name, limited)
  if (added.outcome === 'refused') throw refusedByStore(added, hidden)
  if (added.outcome === 'exists') return undefined
  hooks?.afterWrite({ ...about, member: created })
  return { ...created, owner: created.owner, version: added.version }
}

interface SentMember {
  readonly sent: JsonObject
  readonly id: string
  readonly time: number
  readonly address: string | undefined
}

/** The member that a body makes, as far as its user may write it, and the names of what the user will not see of it. */
async function createAs(
  dependencies: ClassDependencies,
  write: Write,
  { sent, id, time, address }: SentMember,
): Promise<{ readonly created: NewMember; readonly hidden: ReadonlySet<string> | undefined }> {
  const { access, inputFor } = dependencies
  const { store, principal, references } = write
  const createFor = async (relation: Relation): Promise<NewMember> => {
    try {
      return inputFor(relation).create(sent, id, time, { address, creator: principal, references })
    } catch (error) {
      throw await withStoreViolations(error, dependencies, write)
    }
  }
  const { views } = access
  if (!isTied(access.rights.create) && views === undefined)
    return { created: await createFor(CREATOR), hidden: undefined }
  // people.md: asked of the body. What its links allow is known only when it has been read.
  const read = await createFor({ owner: true, paths: views?.ties.paths ?? [] })
  const { paths } = await access.relationOf({ ...read, owner: undefined }, principal, store)
  if (!covers(access.rights.create, { owner: false, paths })) throw access.refusal('create')
  const relation = { owner: principal !== undefined, paths }
  const isAll = views === undefined || views.ties.paths.every((path) => paths.includes(path))
  return { created: isAll ? read : await createFor(relation), hidden: views?.of(relation).hidden }
}
