import type { AuthStore, Awaitable } from './auth-store.ts'
import type { ChangeLog } from './changes.ts'
import type {
  Added,
  Changed,
  Compute,
  MemberWrite,
  NewMember,
  Removed,
  StoredMember,
  WholeText,
  WriteOutcome,
} from './member.ts'
import type { MigrationChange } from './migration/migration.ts'
import type { Page, Selection } from './selection.ts'

export * from './address.ts'
export type * from './auth-store.ts'
export type { Change, ChangeLog, History } from './changes.ts'
export type * from './member.ts'
export { isDone } from './member.ts'
export type * from './migration/migration.ts'
export {
  IncompatibleMembersError,
  incompatibleLines,
  MAX_REPORTED,
  NotMigratedError,
} from './migration/migration.ts'
export * from './selection.ts'

/**
 * What remembers. Interfaces only: `sqlite/` and its siblings hold the implementations, `open.ts` chooses one.
 * All times are milliseconds since 1970.
 */
export interface Store {
  readonly auth: AuthStore
  readonly members: MemberStore
  readonly changes: ChangeLog
  /** Rejects when the database does not answer. */
  reachable(): Promise<void>
  close(): Promise<void>
}

export interface StoreOptions {
  /** How long a search without an index may take. */
  readonly scanMs?: number
  /** Much will be written and no request waits for it. */
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
  readonly onUnreachable?: (reason: string) => void
  readonly onReachable?: () => void
  /** Told once, when another process has migrated the members to other shapes: they cannot be read here any more. */
  readonly onMigratedElsewhere?: () => void
  /** Told once, when the file of the database is another one, or none, or was written over: nothing is done any more. */
  readonly onReplaced?: () => void
}

export interface MemberStore {
  /**
   * Names the present state of a class: what was computed under the same number is still exact, whatever process
   * writes. Undefined in a store that could not tell for less than reading anew.
   */
  state(className: string): number | undefined
  find(className: string, id: string): Awaitable<StoredMember | undefined>
  /** With what the API file does not show. */
  findWithHidden(className: string, id: string): Awaitable<(StoredMember & WholeText) | undefined>
  /**
   * Those that are there, each id once, in the order of the ids, by one look at an index. It ends with the one with which
   * their texts have more than `bytes`. `owner`: whose they must be; undefined for anyone's.
   */
  findAll(
    className: string,
    ids: readonly string[],
    bytes: number,
    owner?: number,
  ): Awaitable<readonly StoredMember[]>
  /** 503 for a selection that takes longer than the store allows; it never holds up other requests. */
  list(className: string, selection: Selection): Awaitable<Page>
  add(className: string, member: NewMember): Promise<Added>
  /** In one transaction, for bulk data; what is refused does not touch the others. */
  addAll(members: readonly { readonly className: string; readonly member: NewMember }[]): Promise<Added[]>
  /** `expected`: versions that may be changed; undefined for any. What `compute` throws is thrown, and nothing is changed. */
  change(
    className: string,
    id: string,
    expected: readonly number[] | undefined,
    compute: Compute,
  ): Promise<Changed>
  /** `expected`: versions that may be removed; undefined for any. `owner`: whose it must be, `missing` otherwise. */
  remove(
    className: string,
    id: string,
    expected: readonly number[] | undefined,
    owner?: number,
  ): Promise<Removed>
  /**
   * In one transaction, each on the state that those before it leave: the outcomes in order, up to the first that was
   * not carried out. Where there is one, nothing was written.
   */
  writeAll(writes: readonly MemberWrite[]): Promise<readonly WriteOutcome[]>
}
