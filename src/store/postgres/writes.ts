import { type LinkerRow, linkedBy } from '../member.ts'
import type {
  Added,
  Changed,
  MemberStore,
  NewMember,
  Removed,
  StoredMember,
  WholeText,
  Written,
} from '../store.ts'
import { type Claims, createMutex, createOrdering, createPatience, retrying } from './contention.ts'
import { arrayOf } from './dialect.ts'
import { busy } from './errors.ts'
import { batchesOf, createGroupCommit, lengthOf } from './group-commit.ts'
import type { WrittenClass, WrittenMember } from './links.ts'
import type { Pool, Pools, Run, Writing } from './pool.ts'
import type { Statistics } from './statistics.ts'
import { uniqueKeys } from './tables.ts'
import { ADD, ADD_UNCOUNTED, CHANGE, countTables, findReasons, removeText } from './write-statements.ts'

export function createWrites(
  { quick, writes }: Pools<'quick' | 'writes'>,
  statistics: Statistics,
  classOf: (className: string) => WrittenClass,
): Pick<MemberStore, 'add' | 'addAll' | 'change' | 'remove'> {
  const add = createAdd(writes)
  const exclusive = createMutex()

  function grown(added: Added): Added {
    if (added.outcome === 'added') statistics.grew()
    return added
  }

  return {
    add: async (className, member) => grown(await add(classOf(className), member)),
    async addAll(members) {
      const given = members.map(({ className, member }) => ({ cls: classOf(className), member }))
      const addGiven = () => writes.transaction((within) => addAll(within, given))
      // No request waits for bulk data.
      return (await retrying(addGiven, () => true)).map(grown)
    },
    async change(className, id, expected, compute) {
      if (!canBeThere(id)) return { outcome: 'missing' }
      const wanted = { cls: classOf(className), id, expected, compute }
      return exclusive(`${className}/${id}`, () => change(quick.run, writes, wanted))
    },
    async remove(className, id, expected, owner) {
      if (!canBeThere(id)) return { outcome: 'missing' }
      const wanted = { cls: classOf(className), id, expected, owner }
      return exclusive(`${className}/${id}`, () =>
        retrying(() => writes.transaction(({ run }) => remove(run, wanted))),
      )
    },
  }
}

export interface MemberOfClass {
  readonly cls: WrittenClass
  readonly member: NewMember
}

interface Wanted {
  readonly cls: WrittenClass
  readonly id: string
  /** Versions that may be changed; undefined for any. */
  readonly expected: readonly number[] | undefined
}

interface Removal extends Wanted {
  /** Whose it must be; undefined for anyone's. */
  readonly owner: number | undefined
}

interface Change extends Wanted {
  readonly compute: (current: StoredMember & WholeText) => Written
}

/** PostgreSQL has no text with U+0000, and refuses to look for one. */
export const canBeThere = (id: string): boolean => !id.includes('\0')

/** What is said to be in the way may be gone when it is looked for; so often it is tried anew. */
const TRIES = 5
/** Of bulk data. */
const BATCH = { count: 1_000, length: 4_000_000 }

/** What a new member has for itself, its id and its unique values, and the members that it needs. */
function claimsOf({ name, tables }: WrittenClass, { id, links, keys }: NewMember): Claims {
  const unique = uniqueKeys(tables.shapes, keys)
  return {
    owns: [`${name}/${id}`, ...unique.map(({ property, key }) => `${name} ${property} ${key}`)],
    needs: links.map((link) => `${link.className}/${link.id}`),
  }
}

/** Members that have to do with each other are added one after the other, in the order in which they came. */
function createAdd(pool: Pool): (cls: WrittenClass, member: NewMember) => Promise<Added> {
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

type BulkMember = MemberOfClass & WrittenMember

/** Within one transaction, with the outcome that each would have if they came one after the other. */
export async function addAll(within: Writing, members: readonly MemberOfClass[]): Promise<Added[]> {
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
  const added = given.filter((one) => outcomes.get(one)?.outcome === 'added')
  await count(within.run, added)
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
  const more = 'SELECT owner, count(*) AS more FROM unnest($2::bigint[]) AS owner GROUP BY owner'
  for (const [classId, ofClass] of [...byClass].sort(([left], [right]) => left - right)) {
    const owners = arrayOf(ofClass.map(({ member }) => member.owner ?? null))
    await run(`WITH ${countTables('$1::int', more)} SELECT 1`, [classId, owners])
  }
}

/** Keeps other writers out from the reading of a member on, within a transaction. */
const LOCKED = 'FOR NO KEY UPDATE'

/**
 * Reads, computes, and writes on condition that no other has written meanwhile. A change that was overtaken once keeps the
 * others out while it computes again.
 */
async function change(quick: Run, pool: Pool, wanted: Change): Promise<Changed> {
  const optimistic = () => attempt({ run: quick, write: pool.write }, wanted, '')
  const locked = () => pool.transaction((within) => attempt(within, wanted, LOCKED))
  const hasTime = createPatience()
  for (let work = optimistic; ; work = locked) {
    const outcome = await retrying(work, hasTime)
    if ('outcome' in outcome) return outcome
    const [reason] = await findReasons(pool.run, wanted.cls, [outcome])
    if (reason?.outcome === 'refused') return reason
    if (!hasTime()) throw busy()
  }
}

/** Once. The member as it was not written, where a link leads nowhere, a value is taken, or another was faster. */
async function attempt(
  { run, write }: Writing,
  { cls, id, expected, compute }: Change,
  lock: string,
): Promise<Changed | WrittenMember> {
  const [row] = await run<[number, version: number, owner: number | null, string, string, string]>(
    `SELECT sequence, version, owner, body, holes, hidden FROM ${cls.tables.members} WHERE id = $1 ${lock}`,
    [id],
  )
  if (row === undefined) return { outcome: 'missing' }
  const [sequence, version, found, body, holes, hidden] = row
  if (expected !== undefined && !expected.includes(version)) return { outcome: 'stale', version }
  const owner = found ?? undefined
  const given = {
    member: { ...compute({ id, version, body, holes, owner, hidden }), id },
    ...{ sequence, version },
  }
  const { text, params } = cls.statement(CHANGE, [given])
  const [written] = await write<[version: number]>(text, params)
  if (written === undefined) return given
  const { member } = given
  return {
    outcome: 'changed',
    member: { id, version: written[0], body: member.body, holes: member.holes, owner },
  }
}

/**
 * Two statements: a writer that is about to link to the member holds it until it has, and the first statement waits for
 * that; only what begins afterwards sees the link. From then on nothing new can link to it.
 */
export async function remove(run: Run, { cls, id, expected, owner }: Removal): Promise<Removed> {
  const [row] = await run<[sequence: number, version: number, owner: number | null]>(
    `SELECT sequence, version, owner FROM ${cls.tables.members} WHERE id = $1 FOR UPDATE`,
    [id],
  )
  if (row === undefined || (owner !== undefined && row[2] !== owner)) return { outcome: 'missing' }
  const [sequence, version] = row
  if (expected !== undefined && !expected.includes(version)) return { outcome: 'stale', version }
  const sources = await run<LinkerRow>(removeText(cls), [sequence, id])
  if (sources.length === 0) return { outcome: 'removed' }
  return linkedBy(sources, await findOwners(run, sources))
}

/** The classes may be of another API file, and so not among those that the store was opened with. */
async function findOwners(run: Run, sources: readonly LinkerRow[]) {
  const owners = new Map<string, number | null>()
  const byClass = Map.groupBy(sources, ([className]) => className)
  const names = 'SELECT name, id FROM classes WHERE name = ANY ($1::text[])'
  for (const [className, classId] of await run<[string, number]>(names, [arrayOf([...byClass.keys()])])) {
    const ids = arrayOf((byClass.get(className) ?? []).map(([, id]) => id))
    const text = `SELECT id, owner FROM members_${classId} WHERE id = ANY ($1::text[])`
    for (const [id, owner] of await run<[string, number | null]>(text, [ids]))
      owners.set(`${className}/${id}`, owner)
  }
  return (className: string, id: string) => owners.get(`${className}/${id}`) ?? undefined
}
