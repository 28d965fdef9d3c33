import { AsyncLocalStorage } from 'node:async_hooks'
import { FIRST_MEMBER, isDone, type MemberStore, namesIn, type StepName } from '../../members/index.ts'
import { concurrentChanges } from '../batch/overlay.ts'
import { type CurrentTransaction, type EndedRun, openRun, runOnce } from './run.ts'
import type { TransactionStore } from './transaction-store.ts'
import type { TransactionFunction, Transactions } from './types.ts'

/** How often a function is run if other writers are faster; after the optimistic runs what it needs is locked first. */
const MAX_RUNS = 4
const OPTIMISTIC_RUNS = 2
/** How long a function may run under locks: a single write waits for them for a second (`LOCK_LIMIT`). */
const LOCKED_MS = 700

/** Thrown to leave the locks without a write, and never seen outside. */
const NOTHING_TO_WRITE = new Error('The function of a transaction has thrown.')

/** `mostLength`: how many characters the writes of a transaction may have together. */
export function createTransactions(members: MemberStore, mostLength: number): Transactions {
  const running = new AsyncLocalStorage<CurrentTransaction | undefined>()
  const open = (from: MemberStore) => openRun(from, running, mostLength)

  /** Returns whether everything is written, or nothing has to be. */
  async function commit<T>({ store, result }: EndedRun<T>): Promise<boolean> {
    const { isTorn, all } = store.steps
    if (isTorn) return false
    if ('thrown' in result) return isUnchanged(store)
    if (all.length === 0) return true
    return settle(store, await members.writeAll(all))
  }

  async function settle(store: TransactionStore, outcomes: Parameters<typeof store.throwRefusal>[1]) {
    if (outcomes.every(isDone)) return true
    // The function has ended, and the error may name members that link to others.
    await open(members).transaction.within(() => store.throwRefusal(store.steps.all, outcomes))
    return false
  }

  /** What a function has thrown counts only if everything that it has read is still true. */
  async function isUnchanged({ steps }: TransactionStore): Promise<boolean> {
    const [first] = steps.all
    if (first === undefined) return true
    const found = await members.listAfter(steps.all, first.className, FIRST_MEMBER)
    return !('outcome' in found) || found.outcome !== 'stale'
  }

  /** Runs the function with everything locked that an earlier run has needed. */
  async function runLocked<T>(work: TransactionFunction<T>, locked: readonly StepName[], onRun: () => void) {
    const ended: EndedRun<T>[] = []
    const last = () => ended.at(-1) as EndedRun<T>
    let isWritten = false
    try {
      const outcomes = await members.writeAllLocked(locked, async ({ listAfter }) => {
        onRun()
        const run = await runOnce(work, open({ ...members, listAfter }), LOCKED_MS)
        ended.push(run)
        if ('thrown' in run.result || run.store.steps.isTorn) throw NOTHING_TO_WRITE
        return run.store.steps.all
      })
      isWritten = await settle(last().store, outcomes)
    } catch (error) {
      if (error !== NOTHING_TO_WRITE) throw error
      isWritten = await commit(last())
    }
    return { run: last(), isWritten }
  }

  async function run<T>(work: TransactionFunction<T>): Promise<T> {
    let runs = 0
    let locked: readonly StepName[] | undefined
    const countRun = () => {
      runs += 1
      if (runs > MAX_RUNS) throw concurrentChanges()
    }
    for (;;) {
      const { run: ended, isWritten } = locked
        ? await runLocked(work, locked, countRun)
        : await runUnlocked(work, countRun)
      if (isWritten) return end(ended)
      if (runs === MAX_RUNS) throw concurrentChanges()
      // A slow function would keep others waiting too long, and has to succeed without locks.
      const isQuick = ended.ms < LOCKED_MS / 2
      locked = runs >= OPTIMISTIC_RUNS && isQuick ? namesIn(ended.store.steps.all) : undefined
    }
  }

  async function runUnlocked<T>(work: TransactionFunction<T>, onRun: () => void) {
    onRun()
    const ended = await runOnce(work, open(members))
    return { run: ended, isWritten: await commit(ended) }
  }

  function end<T>({ result, afterCommit }: EndedRun<T>): T {
    if ('thrown' in result) throw result.thrown
    for (const later of afterCommit) running.run(undefined, later)
    return result.value
  }

  return {
    run,
    current: () => running.getStore(),
    outside: (work) => running.run(undefined, work),
    members: createAmbientStore(() => {
      const transaction = running.getStore()
      if (transaction === undefined) throw new Error('There is no transaction here.')
      return transaction.store
    }),
  }
}

/** A store that stands for the one that is current at each call. */
function createAmbientStore(current: () => TransactionStore): MemberStore {
  return {
    state: () => undefined,
    find: (...args) => current().find(...args),
    findWithHidden: (...args) => current().findWithHidden(...args),
    findAll: (...args) => current().findAll(...args),
    findHeads: (...args) => current().findHeads(...args),
    linksTo: (...args) => current().linksTo(...args),
    list: (...args) => current().list(...args),
    listAfter: (...args) => current().listAfter(...args),
    summarize: (...args) => current().summarize(...args),
    add: (...args) => current().add(...args),
    addAll: (...args) => current().addAll(...args),
    change: (...args) => current().change(...args),
    remove: (...args) => current().remove(...args),
    writeAll: (...args) => current().writeAll(...args),
    writeAllLocked: (...args) => current().writeAllLocked(...args),
  }
}
