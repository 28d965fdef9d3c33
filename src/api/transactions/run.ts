import type { AsyncLocalStorage } from 'node:async_hooks'
import { createPause, limitTime } from '../../deadline.ts'
import type { MemberStore } from '../../members/index.ts'
import { concurrentChanges } from '../batch/overlay.ts'
import { apiProblem } from '../problems/index.ts'
import { isUndone } from './recorded-steps.ts'
import { TransactionStore } from './transaction-store.ts'
import type { RunningTransaction, TransactionFunction } from './types.ts'

export interface CurrentTransaction extends RunningTransaction {
  readonly store: TransactionStore
}

/** One run of the function of a transaction, over a store of its own. */
export interface OpenRun {
  readonly store: TransactionStore
  readonly transaction: CurrentTransaction
  readonly afterCommit: readonly (() => void)[]
  /** The calls of the function that have not ended. */
  readonly calls: ReadonlySet<Promise<unknown>>
}

/** A run that has ended: with a value, or with what the function has thrown. */
export interface EndedRun<T> {
  readonly store: TransactionStore
  readonly afterCommit: readonly (() => void)[]
  readonly ms: number
  readonly result: { readonly value: T } | { readonly thrown: unknown }
}

/** `running`: the transaction that the running code belongs to. `mostLength`: of all writes together, in characters. */
export function openRun(
  from: MemberStore,
  running: AsyncLocalStorage<CurrentTransaction | undefined>,
  mostLength: number,
): OpenRun {
  const afterCommit: (() => void)[] = []
  const calls = new Set<Promise<unknown>>()
  const store = new TransactionStore(from, mostLength)
  const transaction: CurrentTransaction = {
    store,
    undoing: (work) => store.undoing(work),
    pause: createPause(),
    within: (inside) => running.run(transaction, inside),
    track(call) {
      calls.add(call)
      // A rejection that nobody awaits would end the process: the transaction fails instead.
      call.catch(() => {}).finally(() => calls.delete(call))
      return call
    },
    afterCommit(later) {
      const { part } = store
      afterCommit.push(() => isUndone(part) || later())
    },
  }
  return { store, transaction, afterCommit, calls }
}

/** `limitMs`: how long the function may run; what it does later is refused. */
export async function runOnce<T>(
  work: TransactionFunction<T>,
  { store, transaction, afterCommit, calls }: OpenRun,
  limitMs?: number,
): Promise<EndedRun<T>> {
  const started = performance.now()
  const end = (result: EndedRun<T>['result']) => ({
    ...{ store, afterCommit, result },
    ms: performance.now() - started,
  })
  try {
    const done = work(transaction)
    const value = await (limitMs === undefined ? done : limitTime(done, limitMs, concurrentChanges))
    if (calls.size > 0) throw apiProblem('TransactionOver')
    return end({ value })
  } catch (thrown) {
    return end({ thrown })
  } finally {
    store.end()
  }
}
