import type { MemberStore } from '../../members/index.ts'

/** One run of the function of a transaction. */
export interface RunningTransaction {
  /** What is stored, with the writes of the transaction. */
  readonly store: Pick<MemberStore, 'find' | 'list'>
  /** Takes the writes of `work` back if it throws. */
  undoing<T>(work: () => Promise<T>): Promise<T>
  /** To be awaited before each read or write: a store in this process answers at once, and other requests need a turn. */
  pause(): Promise<void> | undefined
  /** Everything that `work` does with `Transactions.members` belongs to the transaction. */
  within<T>(work: () => T): T
  /** Remembers a call of the function, which has to end before the function does. */
  track<T>(call: Promise<T>): Promise<T>
  /** Called after the commit, and not at all without one. */
  afterCommit(work: () => void): void
}

export type TransactionFunction<T> = (transaction: RunningTransaction) => Promise<T>

export interface Transactions {
  /** Runs a function whose writes are one commit, or none if it throws (library.md). */
  run<T>(work: TransactionFunction<T>): Promise<T>
  /** The transaction that the running code belongs to. */
  current(): RunningTransaction | undefined
  /** Runs `work` outside of any transaction. */
  outside<T>(work: () => T): T
  /** The store of whichever transaction the running code belongs to. */
  readonly members: MemberStore
}
