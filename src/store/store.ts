import type { AuthStore } from './auth-store.ts'
import type { MemberStore } from './member-store.ts'
import type { MigrationChange } from './migration/migration.ts'

export * from './address.ts'
export type * from './auth-store.ts'
export type * from './awaitable.ts'
export type * from './member.ts'
export type * from './member-store.ts'
export * from './migration/migration.ts'
export * from './selection.ts'

/**
 * What remembers. Interfaces only: `sqlite/` and its siblings hold the implementations, `open.ts` chooses one.
 * All times are milliseconds since 1970.
 */
export interface Store {
  readonly auth: AuthStore
  readonly members: MemberStore
  /** Rejects when the database does not answer; for whoever wants to know before the next request does. */
  reachable(): Promise<void>
  close(): Promise<void>
}

export interface StoreOptions {
  /** How long a search without an index may take. */
  readonly scanMs?: number
  /** Much will be written and nobody waits: the log is carried over into the file more rarely. */
  readonly bulk?: boolean
  /** Told before the members of a class are gone through: the API file has changed, or they were copied. */
  readonly onMigrate?: (className: string, total: number) => void
  /** Told afterwards what that has changed; of classes that the API file does not have, at every opening. */
  readonly onMigrated?: (changes: readonly MigrationChange[]) => void
  /**
   * What may be migrated where it is stored under other shapes. `empty`: classes without members; `none`: nothing, so
   * that the members can only be read. Where there are other members, NotMigratedError.
   */
  readonly migrate?: 'all' | 'empty' | 'none'
  /** Told when the database cannot be reached, with the reason, and again each minute; and when it answers again. */
  readonly onAway?: (reason: string) => void
  readonly onBack?: () => void
  /** Told once, when another process has migrated the members to other shapes: they cannot be read here any more. */
  readonly onMigratedElsewhere?: () => void
  /** Told once, when the file of the database is another one, or none, or was written over: nothing is done any more. */
  readonly onReplaced?: () => void
}
