import type { DatabaseSync } from 'node:sqlite'
import { createAuthWrites } from './auth-writes.ts'
import { createChangeSweep } from './changes.ts'
import type { Failure } from './errors.ts'
import { createMemberWrites, type WrittenClasses } from './writes.ts'

/** Everything that is ever written, each within a transaction of the group commit. */
export const createCommands = (db: DatabaseSync, classes: WrittenClasses) => ({
  ...createAuthWrites(db),
  ...createMemberWrites(db, classes),
  sweepChanges: createChangeSweep(db),
})

export type Commands = ReturnType<typeof createCommands>

/** A write as plain data: it may be carried out on another thread. */
export interface Job {
  readonly id: number
  readonly name: keyof Commands
  readonly args: readonly unknown[]
  /** Acknowledged when it is on disk; otherwise when every process sees it. */
  readonly durable: boolean
  /** How long it waits for a lock of another process, in terms of `sharedNow()`. */
  readonly deadline: number
}

/** What has become of a job. */
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: Failure }

/** Milliseconds by a clock that nobody sets, the same on every thread: `performance.now()` is not. */
export function sharedNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1_000_000
}
