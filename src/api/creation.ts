import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../json.ts'
import type { NewMember, StoredMember } from '../members/index.ts'
import { pathTo } from '../vocabulary/index.ts'
import { waitFor } from './hooked-store.ts'
import { apiViolation, validationFailed } from './problems/index.ts'
import { preconditionFailed } from './request.ts'
import type { ClassDependencies, Write, WriteOperation } from './types.ts'
import { refusedByStore, withStoreViolations } from './write-errors.ts'

/** Adds a member under an id of the server's choice. */
export function createCreation(dependencies: ClassDependencies): WriteOperation {
  const { cls, base, input } = dependencies
  const target = base + pathTo(cls.collection ?? cls.name)
  return {
    body: 'member',
    async carryOut(write) {
      // RFC 9110 §13.1.1: a new member has nothing to match, not even "*".
      if (write.preconditions.match !== undefined) throw preconditionFailed('added')
      const sent = await input.toOwnTerms(await write.body(), target, write.principal)
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
  const { store, principal, references } = write
  const time = now()
  let created: NewMember
  try {
    created = input.create(sent, id, time, { address, creator: principal, references })
  } catch (error) {
    throw await withStoreViolations(error, dependencies, write)
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
