import { arrayOf } from '../../database/postgres/arrays.ts'
import { busy, retryOnConflict } from '../../database/postgres/errors.ts'
import type { Pool, RunSql, StatementRunner } from '../../database/postgres/pool.ts'
import {
  type ChangedVersion,
  type ChangeOutcome,
  isDone,
  keyOfMember,
  type MemberWrite,
  nameOfWritten,
  type WriteOutcome,
  type WrittenName,
} from '../member.ts'
import type { ClassStatements, MemberToWrite } from './class-statements.ts'
import { addAll } from './group-commit.ts'
import { findReasons } from './reasons.ts'
import { isStorable } from './tables.ts'
import { attempt, remove } from './write-one.ts'

export type FindClass = (className: string) => ClassStatements

/** How long a batch is retried if other writers conflict with it. */
const BATCH_RETRY_MS = 3_000
/** Thrown to roll a transaction back, and never seen outside. */
const ROLLED_BACK = new Error('One of several writes was not carried out.')

interface LockedWrites {
  /** Members that stay locked while `compute` reads them. */
  readonly locked?: readonly WrittenName[]
  readonly compute: () => Promise<readonly MemberWrite[]>
}

export async function writeAll(
  pool: Pool,
  classOf: FindClass,
  { locked = [], compute }: LockedWrites,
): Promise<readonly WriteOutcome[]> {
  const deadline = performance.now() + BATCH_RETRY_MS

  /** The writes of one run are pipelined: each is sent without waiting for the result of the one before. */
  async function carryOutAll(divide: (writes: readonly MemberWrite[]) => MemberWrite[][]) {
    let outcomes: WriteOutcome[] = []
    let isCertain = false
    const work = async (within: StatementRunner) => {
      outcomes = []
      await lock(within.run, locked, classOf)
      const writes = await compute()
      await lock(
        within.run,
        writes.filter((write) => write.kind !== 'add'),
        classOf,
      )
      const runs = divide(writes)
      isCertain = runs.length === writes.length
      const unlinked = new Map<string, string>()
      for (const run of runs)
        for (const outcome of await carryOut(within, run, { classOf, unlinked })) {
          outcomes.push(outcome)
          if (!isDone(outcome)) throw ROLLED_BACK
        }
    }
    await retryOnConflict(() => pool.transaction(work, 'long'), deadline).catch((error: unknown) => {
      if (error !== ROLLED_BACK) throw error
    })
    return { outcomes, isCertain: isCertain || outcomes.every(isDone) }
  }

  const { outcomes, isCertain } = await carryOutAll(runsOf)
  if (isCertain) return outcomes
  // A write that was sent after the failed one may have removed the reason for the failure, so try again one by one.
  return (await carryOutAll((writes) => writes.map((write) => [write]))).outcomes
}

const nameOf = (write: MemberWrite): string => keyOfMember(nameOfWritten(write))

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

/** Locks members in one order for all batches, so that no two deadlock. */
async function lock(run: RunSql, names: readonly WrittenName[], classOf: FindClass): Promise<void> {
  const byClass = Map.groupBy(names, ({ className }) => classOf(className).tables)
  for (const [{ members }, some] of [...byClass].sort(([one], [other]) => one.classId - other.classId)) {
    const strength = some.some(({ kind }) => kind === 'remove') ? 'UPDATE' : 'NO KEY UPDATE'
    const ids = arrayOf(some.map(({ id }) => id).filter(isStorable))
    await run(`SELECT 1 FROM ${members} WHERE id = ANY ($1::text[]) ORDER BY id FOR ${strength}`, [ids])
  }
}

interface BatchWrites {
  readonly classOf: FindClass
  /** The links of members that the batch has unlinked, as their history has them, by the keys of the members. */
  readonly unlinked: Map<string, string>
}

async function carryOut(
  within: StatementRunner,
  run: readonly MemberWrite[],
  { classOf, unlinked }: BatchWrites,
): Promise<readonly WriteOutcome[]> {
  const added = run.flatMap((write) =>
    write.kind === 'add' ? [{ cls: classOf(write.className), member: write.member }] : [],
  )
  if (added.length > 0) return addAll(within, added)
  if (run[0]?.kind === 'unlink') return unlinkAll(within.run, run, { classOf, unlinked })
  return Promise.all(
    run.map(async (write): Promise<WriteOutcome> => {
      const cls = classOf(write.className)
      if (write.kind === 'add' || write.kind === 'unlink' || !isStorable(write.id))
        return { outcome: 'missing' }
      if (write.kind === 'remove')
        return remove(within.run, { ...write, cls, links: unlinked.get(nameOf(write)) })
      const { id, expected, written } = write
      const versions = expected === undefined ? undefined : [expected]
      const change = { cls, id, expected: versions, compute: () => written }
      return versionOf(within.run, cls, await attempt(within, change, ''), run.length === 1)
    }),
  )
}

/** One statement for each class. */
async function unlinkAll(
  run: RunSql,
  writes: readonly MemberWrite[],
  { classOf, unlinked }: BatchWrites,
): Promise<readonly WriteOutcome[]> {
  const names = writes.map(nameOfWritten)
  for (const [className, some] of Map.groupBy(names, (one) => one.className)) {
    const isRemembered = classOf(className).tables.history !== undefined
    const rows = await run<[id: string, ...link: [property: string, className: string, id: string]]>(
      `DELETE FROM links WHERE from_class = $1 AND from_id = ANY ($2::text[])
        ${isRemembered ? 'RETURNING from_id, property, to_class, to_id' : ''}`,
      [className, arrayOf(some.map(({ id }) => id))],
    )
    for (const [id, links] of Map.groupBy(rows, ([id]) => id))
      unlinked.set(keyOfMember({ className, id }), JSON.stringify(links.map(([, ...link]) => link)))
  }
  return writes.map(() => ({ outcome: 'unlinked' }))
}

/** `isAlone`: no write was sent after it, so the reason for its refusal can still be read. */
async function versionOf(
  run: RunSql,
  cls: ClassStatements,
  found: ChangeOutcome | MemberToWrite,
  isAlone: boolean,
): Promise<ChangedVersion> {
  if ('outcome' in found)
    return found.outcome === 'changed' ? { outcome: 'changed', version: found.member.version } : found
  if (!isAlone) return { outcome: 'refused', dangling: [], taken: [] }
  const [reason] = await findReasons(run, cls, [found])
  if (reason?.outcome === 'refused') return reason
  throw busy()
}
