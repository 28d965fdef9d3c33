import { arrayOf } from '../../database/postgres/arrays.ts'
import { busy, retryOnConflict } from '../../database/postgres/errors.ts'
import { LONG_MS, type Pool, type RunSql, type StatementRunner } from '../../database/postgres/pool.ts'
import { createLocks } from '../../locks.ts'
import { Problem } from '../../problem.ts'
import {
  type ChangedVersion,
  type ChangeOutcome,
  isDone,
  isWrite,
  keyOfMember,
  type MemberWrite,
  nameOfStep,
  type PageCheck,
  type StepName,
  type TransactionStep,
  type WriteOutcome,
} from '../member.ts'
import type { MemberStore, Page } from '../member-store.ts'
import { CHECK_MS, namesIn, WrittenMembers } from '../read-check.ts'
import type { ClassStatements, MemberToWrite } from './class-statements.ts'
import { addAll } from './group-commit.ts'
import { findReasons } from './reasons.ts'
import { type FindClass, lockAll } from './step-locks.ts'
import { isStorable } from './tables.ts'
import { attempt, remove } from './write-one.ts'

/** How long a batch is retried if other writers conflict with it. */
const BATCH_RETRY_MS = 3_000
/** Thrown to roll a transaction back, and never seen outside. */
const ROLLED_BACK = new Error('One of several writes was not carried out.')

export interface StepDependencies {
  readonly classOf: FindClass
  /** Reads a page within a transaction. */
  readonly listWithin: (within: StatementRunner) => MemberStore['list']
}

interface LockedSteps {
  /** Members that stay locked while `compute` reads them. */
  readonly locked?: readonly StepName[]
  readonly compute: Parameters<MemberStore['writeAllLocked']>[1]
}

export async function writeAll(
  pool: Pool,
  dependencies: StepDependencies,
  { locked = [], compute }: LockedSteps,
): Promise<readonly WriteOutcome[]> {
  const { classOf } = dependencies
  const deadline = performance.now() + BATCH_RETRY_MS

  /** The writes of one run are pipelined: each is sent without waiting for the result of the one before. */
  async function carryOutAll(divide: (steps: readonly TransactionStep[]) => TransactionStep[][]) {
    let outcomes: WriteOutcome[] = []
    let isCertain = false
    const work = async (within: StatementRunner) => {
      outcomes = []
      isCertain = false
      await lockAll(within.run, locked, classOf)
      const { listAfter, end } = createListAfter(within, dependencies)
      // A list that nobody waits for would take back what is written next, or write after the end of the transaction.
      const steps = await compute({ listAfter }).finally(end)
      const runs = divide(steps)
      const carryOut = createCarryOut(
        within,
        dependencies,
        await lockAll(within.run, namesIn(steps), classOf),
      )
      for (const run of runs)
        for (const outcome of await carryOut(run)) {
          outcomes.push(outcome)
          if (isDone(outcome)) continue
          isCertain = run.length === 1 || outcome.outcome === 'stale'
          throw ROLLED_BACK
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
  return (await carryOutAll(oneByOne)).outcomes
}

const oneByOne = (steps: readonly TransactionStep[]): TransactionStep[][] => steps.map((step) => [step])

/**
 * Lists within a transaction, as it would be after the steps; one after the other, since each is rolled back. `end` waits
 * for the one that is running, and refuses others.
 */
function createListAfter(within: StatementRunner, dependencies: StepDependencies) {
  const { classOf, listWithin } = dependencies
  const withLocks = createLocks()
  const inTurn = <T>(work: () => Promise<T>) => withLocks({ exclusive: [''], shared: [] }, work)
  let isOver = false

  async function listOne(
    runs: readonly TransactionStep[][],
    versions: ReadonlyMap<string, number>,
    ...asked: Parameters<MemberStore['list']>
  ) {
    const carryOut = createCarryOut(within, dependencies, versions)
    for (const run of runs) {
      const failed = (await carryOut(run)).find((one) => !isDone(one))
      if (failed !== undefined) return { failed, isCertain: run.length === 1 || failed.outcome === 'stale' }
    }
    return listWithin(within)(...asked)
  }

  const listAfter: MemberStore['listAfter'] = (steps, ...asked) =>
    inTurn(async () => {
      if (isOver) throw busy()
      await within.run('SAVEPOINT steps', [])
      try {
        const versions = await lockAll(within.run, namesIn(steps), classOf)
        const found = await listOne(runsOf(steps), versions, ...asked)
        if (!('failed' in found)) return found
        if (found.isCertain) return found.failed
        await within.run('ROLLBACK TO SAVEPOINT steps', [])
        const again = await listOne(oneByOne(steps), versions, ...asked)
        return 'failed' in again ? again.failed : again
      } finally {
        await within.run('ROLLBACK TO SAVEPOINT steps', [])
      }
    })

  const end = (): Promise<void> => {
    isOver = true
    return inTurn(async () => {})
  }
  return { listAfter, end }
}

/** Lists in a transaction of its own. */
export async function listAfter(
  pool: Pool,
  dependencies: StepDependencies,
  ...args: Parameters<MemberStore['listAfter']>
): Promise<Page | WriteOutcome> {
  let found: Page | WriteOutcome | undefined
  const work = async (within: StatementRunner) => {
    found = await createListAfter(within, dependencies).listAfter(...args)
    throw ROLLED_BACK
  }
  await retryOnConflict(() => pool.transaction(work, 'long')).catch((error: unknown) => {
    if (error !== ROLLED_BACK) throw error
  })
  return found as Page | WriteOutcome
}

const nameOf = (step: TransactionStep): string => keyOfMember(nameOfStep(step))

/** Runs of successive steps that are of one kind and for different members; a page is one by itself. */
function runsOf(writes: readonly TransactionStep[]): TransactionStep[][] {
  const runs: TransactionStep[][] = []
  let names = new Set<string>()
  for (const write of writes) {
    const last = runs.at(-1)
    const isOfLast = last?.[0]?.kind === write.kind && write.kind !== 'page'
    if (isOfLast && !names.has(nameOf(write))) last.push(write)
    else {
      runs.push([write])
      names = new Set()
    }
    names.add(nameOf(write))
  }
  return runs
}

/** `versions`: of the members that are locked, before anything is written. */
function createCarryOut(
  within: StatementRunner,
  dependencies: StepDependencies,
  versions: ReadonlyMap<string, number>,
): (run: readonly TransactionStep[]) => Promise<readonly WriteOutcome[]> {
  const { classOf, listWithin } = dependencies
  /** The links of members that the steps have unlinked, as their history has them, by the keys of the members. */
  const unlinked = new Map<string, string>()
  const written = new WrittenMembers()

  return async (run) => {
    const outcomes = await carryOutRun(run)
    for (const step of run) written.add(step)
    return outcomes
  }

  async function carryOutRun(run: readonly TransactionStep[]): Promise<readonly WriteOutcome[]> {
    const added = run.flatMap((step) =>
      step.kind === 'add' ? [{ cls: classOf(step.className), member: step.member }] : [],
    )
    if (added.length > 0) return addAll(within, added)
    if (run[0]?.kind === 'unlink') return unlinkAll(within.run, run.filter(isWrite), { classOf, unlinked })
    return Promise.all(run.map((step) => carryOutOne(step, run.length === 1)))
  }

  async function carryOutOne(step: TransactionStep, isAlone: boolean): Promise<WriteOutcome> {
    if (step.kind === 'page') return checkPage(step)
    if (step.kind === 'read') return checkedBy(versions.get(nameOf(step)) === step.version)
    if (step.kind === 'add' || step.kind === 'unlink' || !isStorable(step.id)) return { outcome: 'missing' }
    const cls = classOf(step.className)
    if (step.kind === 'remove') return remove(within.run, { ...step, cls, links: unlinked.get(nameOf(step)) })
    const { id, expected, written: content } = step
    const expectedVersions = expected === undefined ? undefined : [expected]
    const change = { cls, id, expected: expectedVersions, compute: () => content }
    return versionOf(within.run, cls, await attempt(within, change, ''), isAlone)
  }

  async function checkPage({ className, selection, state, after }: PageCheck): Promise<WriteOutcome> {
    if (after !== undefined) {
      const found = await createListAfter(within, dependencies).listAfter(after, className, selection)
      return checkedBy(!('outcome' in found) && WrittenMembers.of(after).stateOf(className, found) === state)
    }
    await within.run(`SET LOCAL statement_timeout = ${CHECK_MS}`, [])
    try {
      const page = await listWithin(within)(className, selection)
      await within.run(`SET LOCAL statement_timeout = ${LONG_MS}`, [])
      return checkedBy(written.stateOf(className, page) === state)
    } catch (error) {
      // It takes too long while others wait. The transaction is rolled back.
      if (error instanceof Problem) return checkedBy(false)
      throw error
    }
  }
}

const checkedBy = (isUnchanged: boolean): WriteOutcome =>
  isUnchanged ? { outcome: 'unchanged' } : { outcome: 'stale', version: 0 }

/** One statement for each class. */
async function unlinkAll(
  run: RunSql,
  writes: readonly MemberWrite[],
  { classOf, unlinked }: { readonly classOf: FindClass; readonly unlinked: Map<string, string> },
): Promise<readonly WriteOutcome[]> {
  const names = writes.map(nameOfStep)
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
