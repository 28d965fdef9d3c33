// Types of the resources.
import type { Clock, GateMode, Principal } from '../auth/index.ts'
import type { Awaitable } from '../database/index.ts'
import type { Request, Response, RouteMatch, StreamedResponse } from '../http/index.ts'
import type { JsonObject } from '../json.ts'
import type {
  HistoryStore,
  MemberName,
  MemberStore,
  RemoveOutcome,
  StoredMember,
  WriteStore,
} from '../members/index.ts'
import type { Problem } from '../problem.ts'
import type { NumberCipher } from '../seal.ts'
import type { Store } from '../store/index.ts'
import type { Class, Model } from '../vocabulary/index.ts'
import type { Access } from './access/access.ts'
import type { Relation } from './access/ties.ts'
import type { ShowActor } from './accounts/actors.ts'
import type { Accounts, Mirror } from './accounts/dependencies.ts'
import type { Feed } from './feed/feed.ts'
import type { ExpandBody } from './input/expansion-thread.ts'
import type { References } from './input/identifiers.ts'
import type { Input } from './input/input.ts'
import type {
  ControlsFor,
  MemberRepresentation,
  RepresentedMember,
  ResolveIncludes,
} from './output/member.ts'
import type { OnFault } from './problems/index.ts'
import type { HooksOfClass, ProgramHooks } from './program/hooks.ts'
import type { ReadFields } from './query/fields.ts'
import type { ReadInclude } from './query/include.ts'
import type { PageSizes } from './query/paging.ts'
import type { BodyKind, MediaType, Preconditions } from './request.ts'
import type { Respond } from './respond.ts'

export interface ResourceDependencies {
  readonly base: string
  readonly model: Model
  readonly store: Store
  readonly clock: Clock
  readonly mode: GateMode
  readonly pageSizes: PageSizes
  readonly batchLimits: { readonly operations: number; readonly bytes: number }
  readonly requireIfMatch: boolean
  /** The secret of the deployment, to encrypt numbers that clients must not understand. */
  readonly secret: Buffer
  /** See ChangeLog. */
  readonly epoch: string
  /** How long a stream lasts if no token ends it. */
  readonly tokenTtlMs: number
  /** Maximum number of streams of a process. */
  readonly streams: { readonly all: number; readonly perUser: number }
  /** The feed of the process, where followers share it. */
  readonly feed?: Feed
  /** Aborted when another app replaces this one: clients resume their streams there. */
  readonly replaced?: AbortSignal
  /** Whether responses are compressed for clients that accept it. */
  readonly compression: boolean
  /** Undefined without authentication, and where accounts are only removed. */
  readonly accounts?: Accounts | undefined
  /** The hooks and custom operations of a program; absent if there is none. */
  readonly hooks?: ProgramHooks | undefined
  /** Called for an unexpected error; the client gets only the request id. */
  readonly onFault: OnFault
}

/** Handles an admitted request; throws a Problem for an error response. */
export type Dispatch = (
  request: Request,
  principal: Principal | undefined,
) => Awaitable<Response | StreamedResponse>

/** An admitted request that has found its resource. */
export interface RequestContext extends Pick<RouteMatch<Resource>, 'id' | 'key' | 'query'> {
  readonly request: Request
  readonly principal: Principal | undefined
}

export type Handler = (context: RequestContext) => Awaitable<Response | StreamedResponse>

export interface Resource {
  readonly methods: ReadonlyMap<string, Handler>
  /** The value of the Allow header. */
  readonly allow: string
  /** Whether there is something for this user under an id; undefined if only the handler finds out. */
  readonly has?: (id: string) => boolean
  /** Undefined for a resource that no batch may target. */
  readonly writes?: Writes
}

/** The methods of a resource that write members, for requests and for batches. */
export interface Writes {
  readonly methods: ReadonlyMap<string, WriteOperation | Forbidden>
  /** How versions are written in ETags. */
  readonly versions: NumberCipher
  /** The member that hooks are run for: the one at this address, or a new one; undefined without hooks. */
  readonly hooked: 'member' | 'new' | undefined
  resultOf(outcome: Outcome, principal: Principal | undefined, mediaType: MediaType): Awaitable<WriteResult>
}

/** A write, of a request or of an operation in a batch. */
export interface Write {
  readonly store: WriteStore
  readonly method: string
  /** The id of the member; empty for a resource without ids. */
  readonly id: string
  /** As in RouteMatch. */
  readonly key?: string | undefined
  readonly principal: Principal | undefined
  readonly preconditions: Preconditions
  /** Reads the body: after the preconditions are checked (RFC 9110 §13.2.1), and before anything is written. */
  body(): Awaitable<JsonObject>
  readonly references?: References
  /** In a batch, wraps the wait for a hook, so that other batches work meanwhile. */
  waitFor?<T>(answer: Awaitable<T>): Awaitable<T>
  /** Undefined where the store carries out each write by itself. */
  readonly transaction?: RemovalTransaction
}

/** For a removal that takes other members along: all is written at once, or nothing. */
export interface RemovalTransaction {
  /** Prepares the write of one of the other members, without carrying it out. */
  prepare<T>(run: () => Promise<T>): Promise<{ readonly result: Promise<T> }>
  unlink(members: readonly MemberName[]): void
  /** Awaited between two members. */
  pause(): Awaitable<void>
  /** Called before the hooks of a member are run. */
  beforeHooks(member: MemberName): void
}

export type Outcome =
  | { readonly outcome: 'created' | 'changed'; readonly member: StoredMember }
  | { readonly outcome: 'removed' }

/** A write, as carried out by a method. */
export interface WriteOperation {
  /** Undefined if the method takes no body. */
  readonly body: BodyKind | undefined
  /**
   * Throws 403 if none of the user's roles allows the operation, before anything else is checked. `isNew`: the request has
   * `If-None-Match: *`.
   */
  requireRight?(method: string, isNew: boolean): void
  carryOut(write: Write): Promise<Outcome>
}

/** The result of a write, as a response or a batch reports it. */
interface WriteResult {
  readonly status: 200 | 201 | 204
  readonly location?: string | undefined
  /** The member as it is now; undefined if it was removed, or if the user may not read it. */
  readonly represented?: RepresentedMember
}

/** A method that the API has, but none of the user's roles may use: 403, which says who may. */
export interface Forbidden {
  refusal(...asked: Parameters<NonNullable<WriteOperation['requireRight']>>): Problem
}

/** Removals that also remove or change other members (model.md). */
export interface Removals {
  /** Whether any link to this class does more than refuse. */
  affectsOthers(className: string): boolean
  /** Runs the removal and its effects on others in a transaction of its own, again if other writers are faster. */
  inTransaction(
    write: Write,
    dependencies: ClassDependencies,
    remove: (write: Write) => Promise<Outcome>,
  ): Promise<Outcome>
  /** Removes and changes the others in the transaction of the write, then the member itself by `remove`. */
  withOthers(
    id: string,
    write: Write & { readonly transaction: RemovalTransaction },
    dependencies: ClassDependencies,
    remove: () => Promise<RemoveOutcome>,
  ): Promise<RemoveOutcome>
  /** The addresses of the others; throws what the removal would throw. */
  preview(
    id: string,
    dependencies: ClassDependencies,
    principal: Principal | undefined,
  ): Promise<RemovalPreview>
}

export interface RemovalPreview {
  readonly deleted: readonly string[]
  readonly changed: readonly string[]
}

/** Dependencies that the resources of a class share. */
export interface ClassDependencies
  extends Pick<ResourceDependencies, 'model' | 'base' | 'pageSizes' | 'requireIfMatch'> {
  /** The class with the properties that the users see, and with all of its operations; `access` has the rights to them. */
  readonly cls: Class
  readonly access: Access
  /** Takes bodies of the program, which sees and writes everything. */
  readonly input: Input
  /** Takes bodies of a user with this relation to the member. */
  readonly inputFor: (relation: Relation) => Input
  readonly expandBody: ExpandBody
  readonly now: () => number
  readonly removals: Removals
  /** Awaited before a write, so that links to new accounts are found; undefined if the class has no links to accounts. */
  readonly inStep: Mirror | undefined
  /** Undefined if the program has no hooks for this class. */
  readonly hooks: HooksOfClass | undefined
  readonly store: MemberStore
  readonly history: HistoryStore
  readonly showActor: ShowActor
  /** Represents members as the users see them. */
  readonly representation: MemberRepresentation
  /** Represents members as they are stored, for the program. */
  readonly wholeRepresentation: MemberRepresentation
  readonly controlsFor: ControlsFor
  readonly respond: Respond
  readonly readInclude: ReadInclude
  readonly readFields: ReadFields
  readonly resolveIncludes: ResolveIncludes
}
