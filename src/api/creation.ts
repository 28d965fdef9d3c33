import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../json.ts'
import type { ConstraintFailure, HistoryEntry, NewMember, StoredMember } from '../members/index.ts'
import { isTied, pathTo } from '../vocabulary/index.ts'
import { CREATOR } from './access/property-views.ts'
import { covers, type Relation } from './access/ties.ts'
import { createdAgain, type SentMember } from './history/created-again.ts'
import { findFormer, type RestoredEntry } from './history/remembered.ts'
import { restoredContent } from './history/restored.ts'
import { withLookups } from './lookups.ts'
import { apiViolation, validationFailed } from './problems/index.ts'
import { waitFor } from './program/hooked-store.ts'
import { preconditionFailed } from './request.ts'
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
  const time = dependencies.now()
  return addCreated(
    dependencies,
    write,
    time,
    await createAs(dependencies, write, { sent, id, time, address }),
  )
}

/** Adds a deleted member again from an entry of its history, with its former owner. `last`: its last entry. */
export async function addAgain(
  dependencies: ClassDependencies,
  write: Write,
  restored: RestoredEntry,
  last: HistoryEntry,
): Promise<StoredMember | undefined> {
  const { access, now } = dependencies
  const { store, principal } = write
  try {
    const { id, owner } = last
    const kept = { kept: last, relation: restored.member.relation }
    const created = { id, owner, ...restoredContent(dependencies, write, restored, kept) }
    // people.md: what is created decides, and not all of it is from the entry.
    const relation = await access.relationOf(created, principal, store)
    if (!covers(access.rights.create, { ...relation, owner: false })) throw access.refusal('create')
    return await addCreated(dependencies, write, now(), {
      created,
      hidden: access.views?.of(relation).hidden,
    })
  } catch (error) {
    throw await withStoreViolations(error, dependencies, write)
  }
}

/** A complete member, and the names of the properties that its user will not see. */
export interface CompleteMember {
  readonly created: NewMember
  readonly hidden: ReadonlySet<string> | undefined
}

/** Returns undefined if the id is taken. */
async function addCreated(
  { cls, access, input, representation, hooks }: ClassDependencies,
  write: Write,
  time: number,
  { created: member, hidden = NONE }: CompleteMember,
): Promise<StoredMember | undefined> {
  const { store, principal } = write
  const { id, owner } = member
  let created = member
  const about = { operation: 'create', principal } as const
  const userView = { hidden, readOnly: NONE }
  const asProgram = { kind: 'restored', creator: principal, userView } as const
  const returned = hooks && (await waitFor(write, hooks.beforeWrite({ ...about, member: created })))
  if (returned !== undefined)
    created = {
      ...input.create(returned, id, time, { ...asProgram, address: representation.address(id) }),
      owner,
    }
  // What the user may not see comes back as it was, wherever it leads (history.md, On the wire).
  const limited = await withLookups((lookups) =>
    access.limitLinks(created, principal, { lookups, store }, hidden),
  )
  const explain = (failure: ConstraintFailure) => refusedByStore(failure, hidden)
  const added = await store.add(cls.name, limited, explain)
  if (added.outcome === 'refused') throw explain(added)
  if (added.outcome === 'exists') return undefined
  hooks?.afterWrite({ ...about, member: created })
  return { ...created, owner: created.owner, version: added.version }
}

const NONE: ReadonlySet<string> = new Set()

/** Creates the member from a body, as far as its user may write it. */
async function createAs(
  dependencies: ClassDependencies,
  write: Write,
  body: SentMember,
): Promise<CompleteMember> {
  const { access, inputFor } = dependencies
  const { store, principal, references } = write
  const { views } = access
  const { sent, id, time, address } = body
  const former = address === undefined ? undefined : await findFormer(id, principal, dependencies)
  const readBy = async (relation: Relation): Promise<NewMember> => {
    try {
      if (former !== undefined) return await createdAgain(dependencies, write, body, { former, relation })
      return inputFor(relation).create(sent, id, time, { address, creator: principal, references })
    } catch (error) {
      throw await withStoreViolations(error, dependencies, write)
    }
  }
  if (!isTied(access.rights.create) && views === undefined)
    return { created: await readBy(CREATOR), hidden: undefined }
  // people.md: the body decides. The rights that its links give are known only after it was read.
  const read = await readBy({ owner: true, paths: views?.ties.paths ?? [] })
  const { paths } = await access.relationOf({ ...read, owner: undefined }, principal, store)
  if (!covers(access.rights.create, { owner: false, paths })) throw access.refusal('create')
  const relation = { owner: principal !== undefined, paths }
  const isAll = views === undefined || views.ties.paths.every((path) => paths.includes(path))
  return { created: isAll ? read : await readBy(relation), hidden: views?.of(relation).hidden }
}
