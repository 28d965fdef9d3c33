import type { Added, NewMember } from '../store.ts'
import { type Claims, createOrdering } from './claims.ts'
import { busy, retrying } from './contention.ts'
import { batchesOf, createGroupCommit, lengthOf } from './group-commit.ts'
import { uniqueKeys } from './key-rows.ts'
import type { WrittenClass, WrittenMember } from './links.ts'
import type { Pool, Run, Writing } from './pool.ts'
import { ADD, ADD_UNCOUNTED, countText, findReasons } from './write-statements.ts'

/** What is said to be in the way may be gone when it is looked for; so often it is tried anew. */
const TRIES = 5
/** Of bulk data. */
const BATCH = { count: 1_000, length: 4_000_000 }

/** What a new member has for itself, its id and its unique values, and the members that it needs. */
function claimsOf({ name, tables }: WrittenClass, { id, links, keys }: NewMember): Claims {
  const unique = uniqueKeys(tables.shapes, keys)
  return {
    owns: [memberClaim(name, id), ...unique.map(({ property, key }) => `${name} ${property} ${key}`)],
    needs: links.map((link) => memberClaim(link.className, link.id)),
  }
}

const memberClaim = (className: string, id: string): string => `${className}/${id}`

/** Members that have to do with each other are added one after the other, in the order in which they came. */
export function createAdd(pool: Pool): (cls: WrittenClass, member: NewMember) => Promise<Added> {
  const enter = createOrdering()
  const commit = createGroupCommit((cls, given, outcomes) => addTogether(pool, cls, given, outcomes, ADD))
  return async (cls, member) => {
    const since = performance.now()
    let leave = () => {}
    await new Promise<void>((start) => {
      leave = enter(claimsOf(cls, member), start)
    })
    try {
      return await commit(cls, member, since)
    } finally {
      leave()
    }
  }
}

/** Adds members that have nothing to do with each other; `outcomes` has what is certain, also where it throws. */
async function addTogether(
  { run, write }: Writing,
  cls: WrittenClass,
  given: readonly WrittenMember[],
  outcomes: Map<WrittenMember, Added>,
  form: typeof ADD,
): Promise<void> {
  let left = given
  const isDone = (place: number, outcome: Added) => outcomes.set(left[place] as WrittenMember, outcome)
  for (let tries = 0; tries < TRIES; tries++) {
    const { text, params } = cls.statement(form, left)
    for (const [place, version] of await write<[place: number, version: number]>(text, params))
      isDone(place, { outcome: 'added', version })
    left = left.filter((one) => !outcomes.has(one))
    if (left.length === 0) return
    for (const [place, reason] of (await findReasons(run, cls, left)).entries())
      if (reason !== undefined) isDone(place, reason)
    left = left.filter((one) => !outcomes.has(one))
    if (left.length === 0) return
  }
  throw busy()
}

export interface MemberOfClass {
  readonly cls: WrittenClass
  readonly member: NewMember
}

type BulkMember = MemberOfClass & WrittenMember

/** In one transaction, with the outcome that each would have if they came one after the other. */
export const addAll = (pool: Pool, members: readonly MemberOfClass[]): Promise<Added[]> =>
  retrying(
    () => pool.transaction((within) => addWithin(within, members)),
    // No request waits for bulk data.
    () => true,
  )

async function addWithin(within: Writing, members: readonly MemberOfClass[]): Promise<Added[]> {
  const outcomes = new Map<WrittenMember, Added>()
  const enter = createOrdering()
  const given = await numbered(within.run, members)
  let ready: BulkMember[] = []
  const leave = new Map(
    given.map((one) => [one, enter(claimsOf(one.cls, one.member), () => ready.push(one))]),
  )
  while (ready.length > 0) {
    const wave = ready
    ready = []
    for (const [cls, some] of Map.groupBy(wave, ({ cls }) => cls))
      for (const batch of batchesOf(some, lengthOf, BATCH))
        await addTogether(within, cls, batch, outcomes, ADD_UNCOUNTED)
    for (const one of wave) leave.get(one)?.()
  }
  await count(
    within.run,
    given.filter((one) => outcomes.get(one)?.outcome === 'added'),
  )
  return given.map((one) => outcomes.get(one) as Added)
}

/** Their numbers in the order of creation are fixed first: they are not written in it. */
async function numbered(run: Run, members: readonly MemberOfClass[]): Promise<BulkMember[]> {
  const numbers = new Map<WrittenClass, number[]>()
  for (const [cls, { length }] of Map.groupBy(members, ({ cls }) => cls)) {
    const text = `SELECT nextval('${cls.tables.order}') FROM generate_series(1, $1::int)`
    const rows = await run<[number]>(text, [length])
    numbers.set(
      cls,
      rows.map(([number]) => number).sort((left, right) => right - left),
    )
  }
  return members.map((one) => ({ ...one, sequence: numbers.get(one.cls)?.pop() ?? null, version: null }))
}

/** At the end, since other writers wait for the rows of the totals until the commit. */
async function count(run: Run, added: readonly MemberOfClass[]): Promise<void> {
  const byClass = Map.groupBy(added, ({ cls }) => cls.tables.classId)
  for (const [classId, { length }] of [...byClass].sort(([left], [right]) => left - right))
    await run(countText('$1::int', 'SELECT $2::bigint AS more'), [classId, length])
}
