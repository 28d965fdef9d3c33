import {
  busy,
  isRolledBack,
  LOCK_LIMIT,
  MAX_WAIT_MS,
  retryOnConflict,
} from '../../database/postgres/errors.ts'
import type { Pool, StatementRunner } from '../../database/postgres/pool.ts'
import { createLocks, type LockKeys } from '../../locks.ts'
import type { Indexed } from '../../vocabulary/index-keys.ts'
import { type AddOutcome, keyOfMember, type NewMember } from '../member.ts'
import {
  batchesOf,
  type ClassStatements,
  type MemberOfClass,
  type MemberToWrite,
  withSequences,
} from './class-statements.ts'
import { findReasons } from './reasons.ts'
import { addToTotals } from './totals.ts'
import { ADD, ADD_UNCOUNTED } from './write-statements.ts'

/** How many batches are sent at once: while one waits for the disk, another is prepared. */
const MAX_BATCHES = 2
/** Maximum members and characters in one commit: short members wait until all words of a long one are written. */
const SHARED = { count: 128, length: 200_000 }
/** The same limits for bulk data. */
const BULK = { count: 1_000, length: 4_000_000 }
/** The member that a new one conflicts with may be removed before the reason is read: then the new one is tried again. */
const MAX_TRIES = 5

interface AddJob extends MemberToWrite {
  readonly deadline: number
  readonly resolve: (added: AddOutcome | Promise<AddOutcome>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Group commit: members of one class that arrive while others are being written share the next commit, and each is
 * acknowledged after the commit that contains it. A failure does not affect the others. Members that conflict, by an id,
 * a unique value or a link, are added one after the other, in the order of arrival.
 */
export function createAdd(pool: Pool): (cls: ClassStatements, member: NewMember) => Promise<AddOutcome> {
  const withLocks = createLocks(LOCK_LIMIT)
  /** Jobs that have their locks, by class; the first class is next. */
  const ready = new Map<ClassStatements, AddJob[]>()
  let running = 0
  let scheduled = false

  /** Starts in the next turn of the event loop, so that all members of the current turn share a commit. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(startBatches)
  }

  function startBatches(): void {
    scheduled = false
    for (const [cls, jobs] of ready) {
      if (running === MAX_BATCHES) return
      const [batch = []] = batchesOf(jobs, lengthOf, SHARED)
      ready.delete(cls)
      if (jobs.length > batch.length) ready.set(cls, jobs.slice(batch.length))
      running++
      carryOut(cls, batch.filter(isInTime)).finally(() => {
        running--
        schedule()
      })
    }
  }

  /** Never rejects. Does not wait for members that are retried alone, which may wait for other writers. */
  async function carryOut(cls: ClassStatements, batch: readonly AddJob[]): Promise<void> {
    if (batch.length === 0) return
    const outcomes = new Map<MemberToWrite, AddOutcome>()
    const fault: unknown = await addBatch(pool, cls, batch, outcomes, ADD).catch((error: unknown) => error)
    for (const job of batch) {
      const outcome = outcomes.get(job)
      if (outcome !== undefined) job.resolve(outcome)
      else if (isRolledBack(fault)) job.resolve(retryOnConflict(() => addAlone(cls, job)))
      else job.reject(fault)
    }
  }

  async function addAlone(cls: ClassStatements, job: AddJob): Promise<AddOutcome> {
    const outcomes = new Map<MemberToWrite, AddOutcome>()
    await addBatch(pool, cls, [job], outcomes, ADD)
    return outcomes.get(job) as AddOutcome
  }

  return (cls, member) => {
    const deadline = performance.now() + MAX_WAIT_MS
    return withLocks(lockKeysOf(cls, member), () => {
      const { promise, resolve, reject } = Promise.withResolvers<AddOutcome>()
      const jobs = ready.get(cls) ?? []
      jobs.push({ member, sequence: null, version: null, deadline, resolve, reject })
      ready.set(cls, jobs)
      schedule()
      return promise
    })
  }
}

/** Rejects a job whose deadline has passed. */
function isInTime({ deadline, reject }: AddJob): boolean {
  if (performance.now() < deadline) return true
  reject(busy())
  return false
}

/** Exclusive: the id and the unique values of a new member; shared: the members that it links to. */
function lockKeysOf({ name, tables }: ClassStatements, { id, links, keys }: NewMember): LockKeys {
  const unique = tables.shapes.flatMap(({ unique, property }, index) => {
    const value = keys.values[index] as Indexed | null
    return unique && value !== null ? `${name} ${property} ${value.key}` : []
  })
  return {
    exclusive: [keyOfMember({ className: name, id }), ...unique],
    shared: links.map(keyOfMember),
  }
}

/** Adds members that do not conflict; `outcomes` has the known outcomes, even if it throws. */
async function addBatch(
  { run, write }: StatementRunner,
  cls: ClassStatements,
  given: readonly MemberToWrite[],
  outcomes: Map<MemberToWrite, AddOutcome>,
  template: typeof ADD,
): Promise<void> {
  let left = given
  const settle = (place: number, outcome: AddOutcome) => outcomes.set(left[place] as MemberToWrite, outcome)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { text, params } = cls.statement(template, left)
    for (const [place, version] of await write<[place: number, version: number]>(text, params))
      settle(place, { outcome: 'added', version })
    left = left.filter((member) => !outcomes.has(member))
    if (left.length === 0) return
    for (const [place, reason] of (await findReasons(run, cls, left)).entries())
      if (reason !== undefined) settle(place, reason)
    left = left.filter((member) => !outcomes.has(member))
    if (left.length === 0) return
  }
  throw busy()
}

/** Thrown if the target of a link was not added with it after all. */
export const WRONG_ASSUMPTION = new Error('A member that was assumed to be added was not.')

/**
 * Adds members within one transaction, with the outcomes that they would have one after the other. `assume`: links to
 * earlier members in the list are not checked, so that a chain of links needs one statement instead of one for each
 * member; throws WRONG_ASSUMPTION if one of those members was not added.
 */
export async function addAll(
  within: StatementRunner,
  members: readonly MemberOfClass[],
  assume = false,
): Promise<AddOutcome[]> {
  const outcomes = new Map<MemberToWrite, AddOutcome>()
  const numbered = await withSequences(within.run, members)
  const given = assume ? withAssumed(numbered) : numbered
  for (const level of dependencyLevels(given))
    for (const [cls, some] of Map.groupBy(level, ({ cls }) => cls))
      for (const batch of batchesOf(some, lengthOf, BULK))
        await addBatch(within, cls, batch, outcomes, ADD_UNCOUNTED)
  const added = given.filter((member) => outcomes.get(member)?.outcome === 'added')
  const names = new Set(added.map(nameOf))
  // The links of a member that exists already do not matter.
  const isWrong = (one: NumberedMember) =>
    outcomes.get(one)?.outcome !== 'exists' && [...(one.assumed ?? [])].some((name) => !names.has(name))
  if (given.some(isWrong)) throw WRONG_ASSUMPTION
  // Last, since other writers wait for the rows of the totals until the commit.
  await addToTotals(within.run, added)
  return given.map((member) => outcomes.get(member) as AddOutcome)
}

type NumberedMember = MemberOfClass & MemberToWrite

const nameOf = ({ cls, member }: MemberOfClass): string => keyOfMember({ className: cls.name, id: member.id })

function withAssumed(members: readonly NumberedMember[]): NumberedMember[] {
  const byName = Map.groupBy(members, nameOf)
  const earlier = new Set<string>()
  return members.map((one) => {
    const assumed = one.member.links.flatMap((link) => {
      const name = keyOfMember(link)
      // If two members have one name, it is not known which is added. A link that depends on the owner is checked.
      const isAlone = byName.get(name)?.length === 1 && link.targetOwner === undefined
      return isAlone && earlier.has(name) ? name : []
    })
    earlier.add(nameOf(one))
    return { ...one, assumed: new Set(assumed) }
  })
}

/**
 * Members of one level do not conflict; earlier members that they conflict with are in lower levels. Assumed targets may
 * be in any level.
 */
function dependencyLevels<T extends NumberedMember>(members: readonly T[]): T[][] {
  const levels: T[][] = []
  /** The level above the last member that holds a lock, keyed by lock key. */
  const [aboveExclusive, aboveShared] = [new Map<string, number>(), new Map<string, number>()]
  for (const member of members) {
    const { exclusive, shared } = lockKeysOf(member.cls, member.member)
    const checked = shared.filter((key) => !member.assumed?.has(key))
    const least = [...exclusive, ...checked].map((key) => aboveExclusive.get(key) ?? 0)
    const level = Math.max(...least, ...exclusive.map((key) => aboveShared.get(key) ?? 0))
    for (const key of exclusive) aboveExclusive.set(key, level + 1)
    for (const key of shared) aboveShared.set(key, Math.max(aboveShared.get(key) ?? 0, level + 1))
    levels[level] ??= []
    levels[level].push(member)
  }
  return levels
}

const lengthOf = ({ member }: MemberToWrite): number => member.body.length + member.hidden.length
