import type { ThreadReply, ThreadRequest } from '../../channel.ts'

// Writes as plain data, which are carried out on another thread or on this one.

/** Writes by their names, each carried out within a transaction. */
export type CommandTable<C> = Readonly<Record<keyof C, (...args: never) => unknown>>

export type AnyCommands = Record<string, (...args: never) => unknown>

/** The commands for methods of a store, which return promises of their outcomes. */
export type CommandsFor<Store extends CommandTable<Store>> = {
  readonly [Name in keyof Store]: (...args: Parameters<Store[Name]>) => Awaited<ReturnType<Store[Name]>>
}

/**
 * The module with the commands of a store, without its extension, which exports `createCommands(db, data)`. It is named
 * and not passed, since the write thread loads it; `data` is sent to that thread. A command `takesLong` gets the
 * arguments of a small write, and says whether it may take long at the moment all the same.
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

/** Runs commands so that a request that reads never waits for a slow disk or a lock: on a separate thread, mostly. */
export interface Writer<C extends CommandTable<C>> {
  /** Resolves when the write is on disk. */
  readonly write: RunCommand<C>
  /** As `write`, for a write that takes little more than its sync: it may run on the calling thread. */
  readonly writeSmall: RunCommand<C>
  /**
   * Resolves when every process sees the write, which is on disk with the next `write`. For writes that may be lost in a
   * power failure, since everything that depends on them is lost too.
   */
  readonly writeUnsynced: RunCommand<C>
}

/** A write that waits for its transaction. */
export interface WriteJob extends ThreadRequest {
  readonly name: string
  readonly args: readonly unknown[]
  /** Whether it is acknowledged when it is on disk; otherwise when every process sees it. */
  readonly durable: boolean
  /** Whether it takes little more than its sync. */
  readonly isSmall: boolean
  /** Until when it waits for a lock of another process, by `sharedNow()`. */
  readonly deadline: number
}

export interface GroupCommit {
  add(jobs: readonly WriteJob[]): void
  isDone(): boolean
  /** Runs one transaction. Returns the outcomes of some of the jobs, or of none while another process has the lock. */
  commitNext(): ThreadReply[]
  /** Removes the jobs that wait, and returns them. */
  takeWaiting(): WriteJob[]
}
