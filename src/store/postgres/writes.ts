import type {
  Changed,
  ChangedVersion,
  Compute,
  MemberStore,
  MemberWrite,
  Removed,
  WriteOutcome,
} from '../index.ts'
import { createLocks } from '../locks.ts'
import { isDone, type LinkSourceRow, linkedBy } from '../member.ts'
import { type ClassStatements, type MemberToWrite, memberName } from './class-statements.ts'
import { busy, LOCK_LIMIT, MAX_WAIT_MS, retryOnConflict } from './errors.ts'
import { addAll, createAdd, WRONG_ASSUMPTION } from './group-commit.ts'
import type { Pool, Pools, Run, Writing } from './pool.ts'
import { arrayOf, isStorable } from './tables.ts'
import { CHANGE, findReasons, removeText } from './write-statements.ts'

type ClassOf = (className: string) => ClassStatements

export function createWrites(
  { quick, writes }: Pools<'quick' | 'writes'>,
  onAdded: () => void,
  classOf: ClassOf,
): Pick<MemberStore, 'add' | 'addAll' | 'change' | 'remove' | 'writeAll'> {
  const add = createAdd(writes)
  const withLocks = createLocks(LOCK_LIMIT)
  /** Changes and removals of one member wait for each other. */
  const exclusive = <T>(className: string, id: string, work: () => Promise<T>): Promise<T> =>
    withLocks({ exclusive: [memberName(className, id)], shared: [] }, work)

  function reported<const T extends readonly WriteOutcome[]>(outcomes: T): T {
    if (outcomes.some(({ outcome }) => outcome === 'added')) onAdded()
    return outcomes
  }

  return {
    add: async (className, member) => reported([await add(classOf(className), member)])[0],
    async addAll(members) {
      const given = members.map(({ className, member }) => ({ cls: classOf(className), member }))
      const addGiven = (assume: boolean) => writes.transaction((within) => addAll(within, given, assume))
      const work = () =>
        addGiven(true).catch((error: unknown) => {
          if (error !== WRONG_ASSUMPTION) throw error
          return addGiven(false)
        })
      // No request waits for bulk data.
      return reported(await retryOnConflict(work, Number.POSITIVE_INFINITY))
    },
    async change(className, id, expected, compute) {
      if (!isStorable(id)) return { outcome: 'missing' }
      const wanted = { cls: classOf(className), id, expected, compute }
      return exclusive(className, id, () => change(quick.run, writes, wanted))
    },
    async remove(className, id, expected, owner) {
      if (!isStorable(id)) return { outcome: 'missing' }
      const wanted = { cls: classOf(className), id, expected, owner }
      return exclusive(className, id, () =>
        retryOnConflict(() => writes.transaction(({ run }) => remove(run, wanted))),
      )
    },
    writeAll: async (all) => reported(await writeAll(writes, all, classOf)),
  }
}

interface Wanted {
  readonly cls: ClassStatements
  readonly id: string
  /** Versions that may be written over; undefined for any. */
  readonly expected: readonly number[] | undefined
}
type Change = Wanted & { readonly compute: Compute }
/** `owner`: whose it must be; undefined for anyone's. */
type Removal = Wanted & { readonly owner: number | undefined }

/** Locks a member for other writers when it is read, until the transaction ends. */
const LOCKED = 'FOR NO KEY UPDATE'

/**
 * Optimistic first: reads, computes, and writes where the version is still the one that was read. A change that lost to
 * another writer locks the member for its next try.
 */
async function change(quick: Run, pool: Pool, wanted: Change): Promise<Changed> {
  const optimistic = () => attempt({ run: quick, write: pool.write }, wanted, '')
  const locked = () => pool.transaction((within) => attempt(within, wanted, LOCKED))
  const deadline = performance.now() + MAX_WAIT_MS
  for (let work = optimistic; ; work = locked) {
    const outcome = await retryOnConflict(work, deadline)
    if ('outcome' in outcome) return outcome
    const [reason] = await findReasons(pool.run, wanted.cls, [outcome])
    if (reason?.outcome === 'refused') return reason
    if (performance.now() >= deadline) throw busy()
  }
}

/** One try. Returns the member that was not written where a link dangles, a value is taken, or another writer was faster. */
async function attempt(
  { run, write }: Writing,
  { cls, id, expected, compute }: Change,
  lock: string,
): Promise<Changed | MemberToWrite> {
  const [row] = await run<[number, version: number, owner: number | null, string, string, string]>(
    `SELECT sequence, version, owner, body, holes, hidden FROM ${cls.tables.members} WHERE id = $1 ${lock}`,
    [id],
  )
  if (row === undefined) return { outcome: 'missing' }
  const [sequence, version, found, body, holes, hidden] = row
  if (expected !== undefined && !expected.includes(version)) return { outcome: 'stale', version }
  const owner = found ?? undefined
  const member = { ...compute({ id, version, body, holes, owner, hidden }), id }
  const given = { member, sequence, version }
  const { text, params } = cls.statement(CHANGE, [given])
  const [written] = await write<[version: number]>(text, params)
  if (written === undefined) return given
  return {
    outcome: 'changed',
    member: { id, version: written[0], body: member.body, holes: member.holes, owner },
  }
}

/**
 * Two statements: a transaction that adds a link to the member holds a lock on it, for which the first statement waits; a
 * statement that begins afterwards sees the link. Once the first has its own lock, no new link can come.
 */
async function remove(run: Run, { cls, id, expected, owner }: Removal): Promise<Removed> {
  const [row] = await run<[sequence: number, version: number, owner: number | null]>(
    `SELECT sequence, version, owner FROM ${cls.tables.members} WHERE id = $1 FOR UPDATE`,
    [id],
  )
  if (row === undefined || (owner !== undefined && row[2] !== owner)) return { outcome: 'missing' }
  const [sequence, version] = row
  if (expected !== undefined && !expected.includes(version)) return { outcome: 'stale', version }
  const sources = await run<LinkSourceRow>(removeText(cls), [sequence, id])
  if (sources.length === 0) return { outcome: 'removed' }
  return linkedBy(sources, await findOwners(run, sources))
}

/** The classes may be of another API file, and so not among those that the store was opened with. */
async function findOwners(run: Run, sources: readonly LinkSourceRow[]) {
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

/** How long a batch is retried where other writers conflict with it. */
const BATCH_RETRY_MS = 3_000
/** Thrown to roll a transaction back, and never seen outside. */
const ROLLED_BACK = new Error('One of several writes was not carried out.')

async function writeAll(
  pool: Pool,
  writes: readonly MemberWrite[],
  classOf: ClassOf,
): Promise<readonly WriteOutcome[]> {
  const deadline = performance.now() + BATCH_RETRY_MS

  /** The writes of one run are pipelined: each is sent without waiting for the answer to the one before. */
  async function carryOutAll(runs: readonly MemberWrite[][]): Promise<readonly WriteOutcome[]> {
    let outcomes: WriteOutcome[] = []
    const work = async (within: Writing) => {
      outcomes = []
      await lock(within.run, writes, classOf)
      for (const run of runs)
        for (const outcome of await carryOut(within, run, classOf)) {
          outcomes.push(outcome)
          if (!isDone(outcome)) throw ROLLED_BACK
        }
    }
    await retryOnConflict(() => pool.transaction(work, 'long'), deadline).catch((error: unknown) => {
      if (error !== ROLLED_BACK) throw error
    })
    return outcomes
  }

  const runs = runsOf(writes)
  const outcomes = await carryOutAll(runs)
  // A write that was sent after the failed one may have removed the reason for the failure: so once more, one by one.
  const isCertain = outcomes.every(isDone) || runs.length === writes.length
  return isCertain ? outcomes : carryOutAll(writes.map((write) => [write]))
}

const nameOf = (write: MemberWrite): string =>
  memberName(write.className, write.kind === 'add' ? write.member.id : write.id)

/** Runs of successive writes that are of one kind and to different members. */
function runsOf(writes: readonly MemberWrite[]): MemberWrite[][] {
  const runs: MemberWrite[][] = []
  let names = new Set<string>()
  for (const write of writes) {
    const last = runs.at(-1)
    if (last?.[0]?.kind === write.kind && !names.has(nameOf(write))) last.push(write)
    else {
      runs.push([write])
      names = new Set()
    }
    names.add(nameOf(write))
  }
  return runs
}

/** Locks all members that are to be changed or removed, in one order for all batches, so that no two deadlock. */
async function lock(run: Run, writes: readonly MemberWrite[], classOf: ClassOf): Promise<void> {
  const stored = writes.filter((write) => write.kind !== 'add')
  const byClass = Map.groupBy(stored, ({ className }) => classOf(className).tables)
  for (const [{ members }, some] of [...byClass].sort(([one], [other]) => one.classId - other.classId)) {
    const strength = some.some(({ kind }) => kind === 'remove') ? 'UPDATE' : 'NO KEY UPDATE'
    const ids = arrayOf(some.map(({ id }) => id).filter(isStorable))
    await run(`SELECT 1 FROM ${members} WHERE id = ANY ($1::text[]) ORDER BY id FOR ${strength}`, [ids])
  }
}

async function carryOut(
  within: Writing,
  run: readonly MemberWrite[],
  classOf: ClassOf,
): Promise<readonly WriteOutcome[]> {
  const added = run.flatMap((write) =>
    write.kind === 'add' ? [{ cls: classOf(write.className), member: write.member }] : [],
  )
  if (added.length > 0) return addAll(within, added)
  return Promise.all(
    run.map(async (write): Promise<WriteOutcome> => {
      const cls = classOf(write.className)
      if (write.kind === 'add' || !isStorable(write.id)) return { outcome: 'missing' }
      if (write.kind === 'remove') return remove(within.run, { ...write, cls })
      const { id, expected, written } = write
      const versions = expected === undefined ? undefined : [expected]
      const change = { cls, id, expected: versions, compute: () => written }
      return versionOf(within.run, cls, await attempt(within, change, ''), run.length === 1)
    }),
  )
}

/** `isAlone`: no write was sent after it, so the reason for its refusal can still be read. */
async function versionOf(
  run: Run,
  cls: ClassStatements,
  found: Changed | MemberToWrite,
  isAlone: boolean,
): Promise<ChangedVersion> {
  if ('outcome' in found)
    return found.outcome === 'changed' ? { outcome: 'changed', version: found.member.version } : found
  if (!isAlone) return { outcome: 'refused', dangling: [], taken: [] }
  const [reason] = await findReasons(run, cls, [found])
  if (reason?.outcome === 'refused') return reason
  throw busy()
}
