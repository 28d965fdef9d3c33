import type { ThreadReply, ThreadRequest } from '../../channel.ts'

// Writes as plain data: they are carried out on another thread, or on this one.

/** Writes by their names, each carried out within a transaction. */
export type CommandTable<C> = Readonly<Record<keyof C, (...args: never) => unknown>>

export type AnyCommands = Record<string, (...args: never) => unknown>

/** The commands for methods of a store, which return promises of their outcomes. */
export type CommandsFor<Store extends CommandTable<Store>> = {
  readonly [Name in keyof Store]: (...args: Parameters<Store[Name]>) => Awaited<ReturnType<Store[Name]>>
}

/**
 * Where the commands of a store are: a module, without its ending, that exports `createCommands(db, data)`. Named and not
 * passed, since the thread that writes loads it; that thread is sent `data`.
 */
export interface CommandSource {
  readonly module: string
  readonly data?: unknown
}

export type RunCommand<C extends CommandTable<C>> = <Name extends keyof C>(
  name: Name,
  args: Parameters<C[Name]>,
  deadline?: number,
) => Promise<ReturnType<C[Name]>>

/** Runs commands on a thread of its own, so that a request that reads never waits for a disk or a lock. */
export interface Writer<C extends CommandTable<C>> {
  /** Acknowledged when it is on disk. */
  readonly write: RunCommand<C>
  /**
   * Acknowledged when every process sees it; on disk with the next `write`. For writes that may be lost in a power failure,
   * since what depends on them is lost too.
   */
  readonly writeUnsynced: RunCommand<C>
}

/** A write that waits for its transaction. */
export interface WriteJob extends ThreadRequest {
  readonly name: string
  readonly args: readonly unknown[]
  /** Acknowledged when it is on disk; otherwise when every process sees it. */
  readonly durable: boolean
  /** Until when it waits for a lock of another process, by `sharedNow()`. */
  readonly deadline: number
}

export interface GroupCommit {
  add(jobs: readonly WriteJob[]): void
  isDone(): boolean
  /** Runs one transaction. Returns the outcomes of some of the jobs, or of none while another process has the lock. */
  commitNext(): ThreadReply[]
}
