import type { Added, NewMember } from '../store.ts'
import { type Claims, createTurns, LONGEST_WAIT_MS, retrying } from './locks.ts'
import { busy, isUndone } from './errors.ts'
import type { Pool, Run, Writing } from './pool.ts'
import { arrayOf } from './tables.ts'
import { ADD, ADD_UNCOUNTED, countTables, findReasons } from './write-statements.ts'
import { uniqueKeys, type WrittenClass, type WrittenMember } from './written-class.ts'

/** While one batch waits for the disk, another may be on its way. */
const MOST_BATCHES = 2
/** So many share a commit at most, and so many characters: the others have to wait for all the words of a long one. */
const SHARED = { count: 128, length: 200_000 }
/** Of bulk data. */
const BULK = { count: 1_000, length: 4_000_000 }
/** What is said to be in the way may be gone when it is looked for; so often it is tried anew. */
const TRIES = 5

interface Job extends WrittenMember {
  /** When it was asked for. */
  readonly since: number
  readonly resolve: (added: Added | Promise<Added>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Members of one class that are to be added while others are being added share the next commit, and each is acknowledged
 * after the commit that contains it. One failure does not touch the others. Members that have to do with each other are
 * added one after the other, in the order in which they came.
 */
export function createAdd(pool: Pool): (cls: WrittenClass, member: NewMember) => Promise<Added> {
  const inTurn = createTurns()
  /** What may begin; the class whose turn it is comes first. */
  const ready = new Map<WrittenClass, Job[]>()
  let underWay = 0
  let scheduled = false

  /** In the next turn of the event loop, so that all members of this one share a commit. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (underWay < MOST_BATCHES) {
        const [first] = ready
        if (first === undefined) return
        start(...first)
      }
    })
  }

  function start(cls: WrittenClass, jobs: Job[]): void {
    const [batch = []] = batchesOf(jobs, lengthOf, SHARED)
    ready.delete(cls)
    if (jobs.length > batch.length) ready.set(cls, jobs.slice(batch.length))
    underWay++
    carryOut(cls, batch.filter(isInTime)).finally(() => {
      underWay--
      schedule()
    })
  }

  /** Never rejects. What is added alone is not waited for: it may have to wait for other writers. */
  async function carryOut(cls: WrittenClass, batch: readonly Job[]): Promise<void> {
    if (batch.length === 0) return
    const outcomes = new Map<WrittenMember, Added>()
    const fault: unknown = await addTogether(pool, cls, batch, outcomes, ADD).catch((error: unknown) => error)
    for (const job of batch) {
      const outcome = outcomes.get(job)
      if (outcome !== undefined) job.resolve(outcome)
      else if (isUndone(fault)) job.resolve(retrying(() => alone(cls, job)))
      else job.reject(fault)
    }
  }

  async function alone(cls: WrittenClass, job: Job): Promise<Added> {
    const outcomes = new Map<WrittenMember, Added>()
    await addTogether(pool, cls, [job], outcomes, ADD)
    return outcomes.get(job) as Added
  }

  return (cls, member) => {
    const since = performance.now()
    return inTurn(claimsOf(cls, member), () => {
      const { promise, resolve, reject } = Promise.withResolvers<Added>()
      const jobs = ready.get(cls) ?? []
      jobs.push({ member, sequence: null, version: null, since, resolve, reject })
      ready.set(cls, jobs)
      schedule()
      return promise
    })
  }
}

function isInTime({ since, reject }: Job): boolean {
  const isSo = performance.now() - since < LONGEST_WAIT_MS
  if (!isSo) reject(busy())
  return isSo
}

/** What a new member has for itself, its id and its unique values, and the members that it needs. */
function claimsOf({ name, tables }: WrittenClass, { id, links, keys }: NewMember): Claims {
  const unique = uniqueKeys(tables.shapes, keys)
  return {
    owns: [`${name}/${id}`, ...unique.map(({ property, key }) => `${name} ${property} ${key}`)],
    needs: links.map((link) => `${link.className}/${link.id}`),
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

/** Within one transaction, with the outcome that each would have if they came one after the other. */
export async function addAll(within: Writing, members: readonly MemberOfClass[]): Promise<Added[]> {
  const outcomes = new Map<WrittenMember, Added>()
  const given = await numbered(within.run, members)
  for (const wave of wavesOf(given))
    for (const [cls, some] of Map.groupBy(wave, ({ cls }) => cls))
      for (const batch of batchesOf(some, lengthOf, BULK))
        await addTogether(within, cls, batch, outcomes, ADD_UNCOUNTED)
  const added = given.filter((one) => outcomes.get(one)?.outcome === 'added')
  await count(within.run, added)
  return given.map((one) => outcomes.get(one) as Added)
}

/** In each wave, members that have nothing to do with each other; those that they have to do with are in earlier ones. */
function wavesOf<T extends MemberOfClass>(members: readonly T[]): T[][] {
  const waves: T[][] = []
  /** By thing: how many waves there are up to the last member that owns it, or that needs it. */
  const [owned, needed] = [new Map<string, number>(), new Map<string, number>()]
  for (const one of members) {
    const { owns, needs } = claimsOf(one.cls, one.member)
    const before = [...owns, ...needs].map((thing) => owned.get(thing) ?? 0)
    const wave = Math.max(...before, ...owns.map((thing) => needed.get(thing) ?? 0))
    for (const thing of owns) owned.set(thing, wave + 1)
    for (const thing of needs) needed.set(thing, Math.max(needed.get(thing) ?? 0, wave + 1))
    if (waves[wave] === undefined) waves[wave] = []
    waves[wave].push(one)
  }
  return waves
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

const lengthOf = ({ member }: WrittenMember): number => member.body.length + member.hidden.length

/** So many items at most, and so much of them together unless one alone is more. */
export function* batchesOf<T>(
  items: Iterable<T>,
  lengthOf: (item: T) => number,
  most: { readonly count: number; readonly length: number },
): Generator<T[]> {
  let batch: T[] = []
  let length = 0
  for (const item of items) {
    const more = lengthOf(item)
    if (batch.length === most.count || (batch.length > 0 && length + more > most.length)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(item)
    length += more
  }
  if (batch.length > 0) yield batch
}
