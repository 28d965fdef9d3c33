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
  reload(options?: AbortOptions): Promise<Member<T, Whole>>
}

/** Undefined if the operation returns nothing. */
type Answered<T> = T extends object ? Member<T> | undefined : undefined

export type Action = 'read' | 'update' | 'replace' | 'delete'
