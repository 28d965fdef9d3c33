import type { AuthStore, Awaitable } from './auth-store.ts'
import type { ChangeLog } from './changes.ts'
import type {
  Added,
  Changed,
  Compute,
  MemberName,
  MemberWrite,
  NewMember,
  Removed,
  StoredMember,
  WholeText,
  WriteOutcome,
} from './member.ts'
import type { MigrationChange } from './migration/migration.ts'
import type { Position, Selection } from './selection.ts'

export * from './address.ts'
export type * from './auth-store.ts'
export { AHEAD_MS, LONGEST_TOKEN_MS } from './auth-store.ts'
export type { Change, ChangeLog, ChangePage, ChangeRange, History } from './changes.ts'
export { createLocks } from './locks.ts'
export type * from './member.ts'
export { isDone, keyOfMember, linkName, nameOfWritten, storeViolations } from './member.ts'
export type * from './migration/migration.ts'
export {
  IncompatibleMembersError,
  MAX_REPORTED,
  NotMigratedError,
} from './migration/migration.ts'
export * from './selection.ts'

/**
 * Users, tokens and members in a database. Interfaces only: `sqlite/` and `postgres/` implement them, `open.ts` chooses.
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
  /** For bulk data: much is written, and no request waits for it. */
  readonly bulk?: boolean
  /** Called before the members of a class are migrated: the API file has changed, or they were copied. */
  readonly onMigrate?: (className: string, total: number) => void
  /** Called with what the migration has changed; with hidden classes, at every opening. */
  readonly onMigrated?: (changes: readonly MigrationChange[]) => void
  /**
   * Which classes may be migrated, besides those that were copied. `empty`: those without members; `none`: none, so that
   * members can only be read. Where others would have to be, NotMigratedError is thrown.
   */
  readonly migrate?: 'all' | 'empty' | 'none'
  /** Called when the database cannot be reached, and again each minute; and when it answers again. */
  readonly onUnreachable?: (reason: string) => void
  readonly onReachable?: () => void
  /** Called once, when another process has migrated members to other shapes: they cannot be read here any more. */
  readonly onMigratedElsewhere?: () => void
  /** Called once, when the database file was replaced or upgraded: every request is refused from then on. */
  readonly onReplaced?: (loss: string) => void
}

/** What a write reads and writes: the store itself, or within a batch an overlay of it. */
export type WriteStore = Pick<MemberStore, 'find' | 'findWithHidden' | 'list' | 'add' | 'change' | 'remove'>

export interface MemberStore {
  /**
   * A number that changes with every write to a class, by any process: what was computed under the same number is still
   * exact. Undefined where finding out would cost as much as reading anew.
   */
  state(className: string): number | undefined
  find(className: string, id: string): Awaitable<StoredMember | undefined>
  /** With the values that the API file does not show. */
  findWithHidden(className: string, id: string): Awaitable<(StoredMember & WholeText) | undefined>
  /**
   * The members that exist, in the order of the ids, which are distinct. Ends with the member at which the texts exceed
   * `bytes`. `owner`: only members of this owner; undefined for all.
   */
  findAll(
    className: string,
    ids: readonly string[],
    bytes: number,
    owner?: number,
  ): Awaitable<readonly StoredMember[]>
  /** 503 for a selection that takes too long; it never blocks other requests. */
  list(className: string, selection: Selection): Awaitable<Page>
  add(className: string, member: NewMember): Promise<Added>
  /** In one transaction, for bulk data; a member that is refused does not affect the others. */
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
   * In one transaction, in order. Returns the outcomes up to the first write that was not carried out; where there is one,
   * nothing was written.
   */
  writeAll(writes: readonly MemberWrite[]): Promise<readonly WriteOutcome[]>
  /**
   * The same for writes that lost to other writers: these members are locked, as `change` locks its member, before
   * `compute` reads them. `compute` may be called again, and must not wait for another write to them.
   */
  writeAllLocked(
    members: readonly MemberName[],
    compute: () => Promise<readonly MemberWrite[]>,
  ): Promise<readonly WriteOutcome[]>
}

export interface Page {
  readonly members: readonly StoredMember[]
  /** All members that match; undefined where there are more than are counted. */
  readonly total: number | undefined
  /**
   * Whether further members follow, or for `before` precede. Where they do and the page has fewer than `limit`, it was cut
   * by its size.
   */
  readonly more: boolean
  /** The positions of the first and the last member; undefined where there is none. */
  readonly edges: { readonly first: Position; readonly last: Position } | undefined
}

export const NO_MEMBERS: Page = { members: [], total: 0, more: false, edges: undefined }
