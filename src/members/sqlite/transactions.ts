import type { DatabaseSync } from 'node:sqlite'
import type { CommandsFor } from '../../database/sqlite/commands.ts'
import { Problem } from '../../problem.ts'
import { isDone, type PageCheck, type TransactionStep, type WriteOutcome } from '../member.ts'
import { type MemberStore, NO_MEMBERS, type Page } from '../member-store.ts'
import { CHECK_MS, WrittenMembers } from '../read-check.ts'
import type { Selection } from '../selection.ts'
import { createUnfilteredRows, readerOf } from './pages.ts'
import { createListing, type ListedClass, search } from './read.ts'
import { dialectOf, type TablesByClass } from './tables.ts'

export type TransactionCommands = CommandsFor<Pick<MemberStore, 'writeAll' | 'listAfter'>>

interface TransactionDependencies {
  readonly tables: TablesByClass
  /** Carries out a write, or compares the version of a member. */
  carryOut(step: Exclude<TransactionStep, PageCheck>): WriteOutcome
  /** Called after the last step. */
  onEnd(): void
}

/** Several steps as one, within a transaction of the group commit. */
export function createTransactions(
  db: DatabaseSync,
  { tables, carryOut, onEnd }: TransactionDependencies,
): TransactionCommands {
  const list = createListAtOnce(db, tables)

  function carryOutAll(steps: readonly TransactionStep[]): WriteOutcome[] {
    const outcomes: WriteOutcome[] = []
    const written = new WrittenMembers()
    for (const step of steps) {
      const outcome = step.kind === 'page' ? check(step, written) : carryOut(step)
      outcomes.push(outcome)
      if (!isDone(outcome)) break
      written.add(step)
    }
    return outcomes
  }

  function check({ after, ...page }: PageCheck, written: WrittenMembers): WriteOutcome {
    const { className, selection, state } = page
    if (after === undefined)
      return checkPage(() => written.stateOf(className, list(className, selection)), state)
    return within(() => ({
      result: carryOutAll([...after, page]).every(isDone) ? { outcome: 'unchanged' } : STALE,
      isKept: false,
    }))
  }

  /** With a savepoint, so that a rollback does not touch the jobs that share the transaction. */
  function within<T>(work: () => { readonly result: T; readonly isKept: boolean }): T {
    db.exec('SAVEPOINT steps')
    const { result, isKept } = work()
    if (!isKept) db.exec('ROLLBACK TO steps')
    db.exec('RELEASE steps')
    onEnd()
    return result
  }

  return {
    writeAll: (steps) =>
      within(() => {
        const result = carryOutAll(steps)
        return { result, isKept: result.every(isDone) }
      }),
    listAfter: (steps, className, selection) =>
      within(() => {
        const failed = carryOutAll(steps).find((one) => !isDone(one))
        return { result: failed ?? list(className, selection), isKept: false }
      }),
  }
}

function checkPage(stateNow: () => string, expected: string): WriteOutcome {
  try {
    return stateNow() === expected ? { outcome: 'unchanged' } : STALE
  } catch (error) {
    // It takes too long while others wait.
    if (error instanceof Problem) return STALE
    throw error
  }
}

const STALE: WriteOutcome = { outcome: 'stale', version: 0 }

/** Lists members on this thread, as the running transaction sees them. */
function createListAtOnce(
  db: DatabaseSync,
  tables: TablesByClass,
): (className: string, selection: Selection) => Page {
  const prepared = new Map<string, ListedClass | undefined>()
  const reader = () => readerOf(db, CHECK_MS)

  function prepare(className: string): ListedClass | undefined {
    const own = tables.get(className)
    return own && { dialect: dialectOf(own, tables), unfilteredRows: createUnfilteredRows(db, own) }
  }

  return (className, selection) => {
    if (!prepared.has(className)) prepared.set(className, prepare(className))
    const cls = prepared.get(className)
    if (cls === undefined) return NO_MEMBERS
    const listing = createListing(
      reader(),
      (own, asked) => search(reader(), dialectOf(own, tables), asked, performance.now() + CHECK_MS),
      (read) => read(),
    )
    // Nothing here waits.
    return listing(cls, selection) as Page
  }
}
