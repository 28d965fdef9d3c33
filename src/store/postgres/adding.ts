import type { Added, NewMember } from '../store.ts'
import { ADD, ADD_UNCOUNTED, type Addition, addParams, countText } from './add-statement.ts'
import { batchesOf } from './arrays.ts'
import { type Claims, createOrdering } from './claims.ts'
import { busy, retrying } from './contention.ts'
import { createGroupCommit } from './group-commit.ts'
import { uniqueKeys } from './key-rows.ts'
import type { WrittenClass } from './links.ts'
import type { Pool, Run, Writing } from './pool.ts'
import { findReasons } from './refusal.ts'

/** What is said to be in the way may be gone when it is looked for; so often it is tried anew. */
const TRIES = 5
/** Of bulk data. */
const BATCH = { count: 1_000, length: 4_000_000 }

/** What a new member has for itself, its id and its unique values, and the members that it needs. */
function claimsOf({ name, tables }: WrittenClass, { id, links, keys }: NewMember): Claims {
  return {
    owns: [
      memberClaim(name, id),
      ...uniqueKeys(tables.shapes, keys).map(({ property, key }) => `${name} ${property} ${key}`),
    ],
    needs: links.map((link) => memberClaim(link.className, link.id)),
  }
}

const memberClaim = (className: string, id: string): string => `${className}/${id}`

const lengthOf = ({ member }: Addition): number => member.body.length + member.hidden.length

interface Job extends Addition, Claims {
  /** When all that it has to do with has ended. */
  start: () => void
}

/** Members that have to do with each other are added one after the other, in the order in which they came. */
export function createAdd(
  writing: Writing,
  bulk: boolean,
): (cls: WrittenClass, member: NewMember) => Promise<Added> {
  const ordering = createOrdering<Job>()
  const commit = createGroupCommit<WrittenClass, Addition, Added>({
    together: (cls, additions, tell) => addTogether(writing, cls, additions, tell),
    alone: (cls, addition) => retrying(() => addAlone(writing, cls, addition)),
    lengthOf,
    bulk,
  })

  return async (cls, member) => {
    const since = performance.now()
    const job: Job = { member, sequence: null, ...claimsOf(cls, member), start: () => {} }
    if (!ordering.enter(job)) {
      await new Promise<void>((resolve) => {
        job.start = resolve
      })
    }
    try {
      return await commit(cls, job, since)
    } finally {
      for (const next of ordering.leave(job)) next.start()
    }
  }
}

async function addAlone(writing: Writing, cls: WrittenClass, addition: Addition): Promise<Added> {
  let outcome: Added | undefined
  await addTogether(writing, cls, [addition], (_, added) => {
    outcome = added
  })
  return outcome as Added
}

/** Adds members that have nothing to do with each other, and tells what has become of each. */
async function addTogether<T extends Addition>(
  { run, write }: Writing,
  cls: WrittenClass,
  additions: readonly T[],
  tell: (addition: T, added: Added) => void,
  form = ADD,
): Promise<void> {
  let left = additions
  for (let tries = 0; tries < TRIES; tries++) {
    const params = addParams(cls, left)
    const versions = new Map(await write<[place: number, version: number]>(cls.textOf(form), params))
    left = told(left, tell, (place) => {
      const version = versions.get(place)
      return version === undefined ? undefined : { outcome: 'added', version }
    })
    if (left.length === 0) return
    const reasons = await findReasons(
      run,
      cls,
      left.map(({ member }) => ({ member, sequence: undefined })),
    )
    left = told(left, tell, (place) => reasons[place])
    if (left.length === 0) return
  }
  throw busy()
}

/** Tells those that have an outcome, and returns the others. */
const told = <T>(
  additions: readonly T[],
  tell: (addition: T, added: Added) => void,
  outcomeAt: (place: number) => Added | undefined,
): T[] =>
  additions.filter((addition, place) => {
    const outcome = outcomeAt(place)
    if (outcome !== undefined) tell(addition, outcome)
    return outcome === undefined
  })

export interface MemberOfClass {
  readonly cls: WrittenClass
  readonly member: NewMember
}

interface BulkJob extends MemberOfClass, Addition, Claims {
  readonly index: number
}

/** In one transaction, with the outcome that each would have if they came one after the other. */
export const addAll = (pool: Pool, members: readonly MemberOfClass[]): Promise<Added[]> =>
  retrying(
    () => pool.transaction((within) => addWithin(within, members)),
    // No request waits for bulk data.
    () => true,
  )

async function addWithin(within: Writing, members: readonly MemberOfClass[]): Promise<Added[]> {
  const outcomes: Added[] = []
  const tell = (job: BulkJob, added: Added) => {
    outcomes[job.index] = added
  }
  const ordering = createOrdering<BulkJob>()
  let ready = (await numbered(within.run, members)).filter((job) => ordering.enter(job))
  while (ready.length > 0) {
    for (const [cls, jobs] of Map.groupBy(ready, ({ cls }) => cls)) {
      for (const batch of batchesOf(jobs, lengthOf, BATCH))
        await addTogether(within, cls, batch, tell, ADD_UNCOUNTED)
    }
    ready = ready.flatMap((job) => ordering.leave(job))
  }
  await count(within.run, members, outcomes)
  return outcomes
}

/** Their numbers in the order of creation are fixed first: they are not written in it. */
async function numbered(run: Run, members: readonly MemberOfClass[]): Promise<BulkJob[]> {
  const numbers = new Map<WrittenClass, number[]>()
  for (const [cls, { length }] of Map.groupBy(members, ({ cls }) => cls)) {
    const text = `SELECT nextval('${cls.tables.order}') FROM generate_series(1, $1::int)`
    const rows = await run<[number]>(text, [length])
    numbers.set(
      cls,
      rows.map(([number]) => number).sort((left, right) => right - left),
    )
  }
  return members.map(({ cls, member }, index) => ({
    cls,
    member,
    index,
    sequence: numbers.get(cls)?.pop() ?? null,
    ...claimsOf(cls, member),
  }))
}

/** At the end, since other writers wait for the rows of the totals until the commit. */
async function count(run: Run, members: readonly MemberOfClass[], outcomes: readonly Added[]): Promise<void> {
  const added = members.filter((_, index) => outcomes[index]?.outcome === 'added')
  const byClass = Map.groupBy(added, ({ cls }) => cls.tables.classId)
  for (const [classId, { length }] of [...byClass].sort(([left], [right]) => left - right))
    await run(countText('$1::int', 'SELECT $2::bigint AS more'), [classId, length])
}
