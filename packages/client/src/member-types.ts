import type { Calls, Changes, Replacement, Representation } from './api-types.ts'
import type { OperationDescription } from './documentation.ts'
import type { AbortOptions } from './request.ts'

/**
 * A resource as it was read, and what can be done with it. The object never changes: each write returns a new one.
 * `Whole`: all properties, where only some were read.
 */
export interface Member<T extends object = Representation, Whole extends object = T> {
  readonly iri: string
  /** As served, without the context. */
  readonly data: T
  /** Undefined for a member of a page. */
  readonly etag: string | undefined
  /** Whether only some `fields` were read: such a member can be updated, but not replaced. */
  readonly isPartial: boolean
  /** The IRIs of its classes. */
  readonly types: readonly string[]
  /** The operations that the member itself lists or, if it lists none, those in the documentation. */
  operations(options?: AbortOptions): Promise<readonly OperationDescription[]>
  /** Whether the action is offered. A member of a page may not say so itself; then the documentation decides for all. */
  may(action: Action, options?: AbortOptions): Promise<boolean>
  /** Changes some properties; throws a `ConflictError` if the member has changed meanwhile. */
  update(changes: Changes<Whole>, options?: AbortOptions): Promise<Member<Whole>>
  /** Like `update`, for all properties. */
  replace(data: Replacement<Whole>, options?: AbortOptions): Promise<Member<Whole>>
  remove(options?: AbortOptions): Promise<void>
  /**
   * Calls a custom operation, such as `ship`; throws a `ConflictError` if the member has changed meanwhile. Returns the
   * result as a member; if it has no address, only its `data` is meaningful.
   */
  call<Name extends keyof Calls<Whole> & string>(
    name: Name,
    ...sent: [...Parameters<Calls<Whole>[Name]>, options?: AbortOptions]
  ): Promise<Answered<ReturnType<Calls<Whole>[Name]>>>
  /** Its changes, newest first, page by page: who has made them, when, and what it was then. */
  history(options?: HistoryOptions): AsyncGenerator<MemberEntry<Whole>, void>
  reload(options?: AbortOptions): Promise<Member<T, Whole>>
}

/** Undefined if the operation returns nothing. */
type Answered<T> = T extends object ? Member<T> | undefined : undefined

export type Action = 'read' | 'update' | 'replace' | 'delete'

export interface HistoryOptions extends AbortOptions {
  /** How many are requested at once; otherwise the server decides. */
  readonly itemsPerPage?: number | undefined
}

/** A change of a member, and the member as it was after it. */
export interface MemberEntry<T extends object = Representation> {
  readonly iri: string
  readonly type: 'create' | 'update' | 'delete'
  readonly published: Date
  /** The address of the account of the user who made the change; undefined where it cannot be seen. */
  readonly actor: string | undefined
  /** The names of the properties that it has changed; undefined if no entry before it is kept. */
  readonly changed: readonly string[] | undefined
  /** Whether this user may restore it. */
  readonly mayRestore: boolean
  /** The member as it was; for a removal, as it was last. Its `reload` returns the member as it is now. */
  member(options?: AbortOptions): Promise<Member<T>>
  /**
   * Makes the member what it was, or brings it back if it was deleted. Throws a `ConflictError` if the member has changed
   * since it was read.
   */
  restore(options?: AbortOptions): Promise<Member<T>>
}

/** A member that was deleted, as it was last. */
export interface DeletedMember<T extends object = Representation> extends Member<T> {
  readonly deletion: MemberEntry<T>
}

/** A member as the caller has read it. Nothing but the address is known of a member that was not read. */
export interface SeenMember extends Partial<Pick<Member, 'data' | 'etag'>> {
  readonly iri: string
  /** The address of its history. */
  readonly history?: string | undefined
}

/** The part of the client that is loaded when a history is first read. */
export interface Histories {
  /** A restore overwrites only what the caller has seen, so the member is read if its version is not known. */
  of(member: SeenMember, options?: HistoryOptions): AsyncGenerator<MemberEntry, void>
  /** From the collection at an address. */
  deletedFrom(address: string, options?: HistoryOptions): AsyncGenerator<DeletedMember, void>
}
