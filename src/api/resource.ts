import type { Principal } from '../auth/index.ts'
import type { HttpError } from '../errors.ts'
import { LD_JSON, type Request, type Response, type StreamedResponse } from '../http/index.ts'
import type { JsonObject } from '../json.ts'
import type { Seal } from '../seal.ts'
import type { Awaitable, MemberStore, StoredMember } from '../store/index.ts'
import type { Class, Model, Operation } from '../vocabulary/index.ts'
import type { Access } from './access.ts'
import type { HooksOfClass } from './hooks.ts'
import type { References } from './input/identifiers.ts'
import type { Input } from './input/input.ts'
import type { ResolveIncludes } from './output/include.ts'
import type { createMemberControls, MemberRepresentation } from './output/member.ts'
import type { ReadInclude } from './query/include.ts'
import type { PageSizes } from './query/paging.ts'
import {
  type BodyKind,
  isCreateOnly,
  type MediaType,
  mediaTypeFor,
  type Preconditions,
  preferenceApplied,
  readBody,
  readPreconditions,
  readPreferences,
  requireMediaType,
} from './request.ts'
import type { Respond } from './respond.ts'

/** An admitted request that has found its resource. */
export interface Visit {
  readonly request: Request
  readonly principal: Principal | undefined
  /** The id of the member; empty for a resource without ids. */
  readonly id: string
  /** What follows the question mark; undefined without one. */
  readonly query: string | undefined
}

export type Handler = (visit: Visit) => Awaitable<Response | StreamedResponse>

export interface Resource {
  readonly methods: ReadonlyMap<string, Handler>
  /** As in the Allow header. */
  readonly allow: string
  /** The methods that write members; undefined for a resource that no batch may target. */
  readonly writes?: ReadonlyMap<string, WriteMethod>
}

/** A write, of a request or of an operation in a batch. */
export interface Write {
  readonly store: Pick<MemberStore, 'find' | 'findWithHidden' | 'list' | 'add' | 'change' | 'remove'>
  readonly method: string
  /** The id of the member; empty for a resource without ids. */
  readonly id: string
  readonly principal: Principal | undefined
  readonly preconditions: Preconditions
  /** Reads the body: after the preconditions are checked (RFC 9110 §13.2.1), and before anything is written. */
  body(): Awaitable<JsonObject>
  readonly references?: References
}

export type Outcome =
  | { readonly outcome: 'created' | 'changed'; readonly member: StoredMember }
  | { readonly outcome: 'removed' }

/** What a method that writes does. */
export interface WriteOperation {
  /** Undefined where the method takes no body. */
  readonly body: BodyKind | undefined
  /**
   * 403 for what none of the user's roles may do, before anything else is checked. `isNew`: the request has
   * `If-None-Match: *`.
   */
  requireRight?(method: string, isNew: boolean): void
  carryOut(write: Write): Promise<Outcome>
}

/** The result of a write, as a response or a batch reports it. */
interface Result {
  readonly status: 200 | 201 | 204
  readonly location?: string | undefined
  /** The member as it is now; undefined where it was removed, or the user may not read it. */
  readonly represented?: ReturnType<MemberRepresentation['represent']>
}

/** A method that writes, for requests and for batches. */
export type WriteMethod = (WriteOperation | Refused) & WriteResponses

interface WriteResponses {
  /** How versions are written in ETags. */
  readonly versions: Seal
  /** What hooks are run for: the member at this address, or a new one; undefined without hooks. */
  readonly hooked: 'member' | 'new' | undefined
  resultOf(outcome: Outcome, principal: Principal | undefined, mediaType: MediaType): Result
}

/** A method that the API has, and that none of the user's roles may use: 403 with who may. */
interface Refused {
  refusal(...asked: Parameters<NonNullable<WriteOperation['requireRight']>>): HttpError
}

export const refuse = (refusal: Refused['refusal']): Refused => ({ refusal })

/** The method of an operation: false where the API file does not have it, refused where the user's roles do not allow it. */
export const ifPermitted = <T>(
  { cls, access }: ClassParts,
  name: Operation,
  method: T,
): T | Refused | false =>
  cls.operations.has(name) && (access.rights[name] === 'none' ? refuse(() => access.refusal(name)) : method)

type Handlers = Readonly<Record<string, Handler | Refused | false>>

/** HEAD is GET without its body, which the server leaves out; OPTIONS is answered for every resource alike. */
export function resource(handlers: Handlers): Resource {
  const methods = new Map<string, Handler>()
  const allowed: string[] = []
  for (const [method, handler] of Object.entries(handlers)) {
    if (!handler) continue
    const names = method === 'GET' ? ['GET', 'HEAD'] : [method]
    const isAllowed = typeof handler === 'function'
    if (isAllowed) allowed.push(...names)
    for (const name of names) methods.set(name, isAllowed ? handler : throwing(handler))
  }
  return { methods, allow: allowed.join(', ') }
}

const throwing =
  ({ refusal }: Refused): Handler =>
  ({ request }) => {
    throw refusal(request.method, isCreateOnly(request))
  }

/** What the resources of a class share. */
export interface ClassParts {
  readonly model: Model
  /** The class with all of its operations; `access` has the rights to them. */
  readonly cls: Class
  readonly access: Access
  readonly base: string
  readonly input: Input
  readonly now: () => number
  readonly requireIfMatch: boolean
  /** Undefined where the program has no hooks for this class. */
  readonly hooks: HooksOfClass | undefined
  readonly store: MemberStore
  readonly representation: MemberRepresentation
  readonly controlsFor: ReturnType<typeof createMemberControls>
  readonly respond: Respond
  readonly readInclude: ReadInclude
  readonly resolveIncludes: ResolveIncludes
  readonly pageSizes: PageSizes
}

/** A resource with methods that write. `target`: what they write. */
export function writableResource(
  GET: Handler | Refused | false,
  operations: Readonly<Record<string, WriteOperation | Refused | false>>,
  parts: ClassParts,
  target: 'member' | 'new',
): Resource {
  const { access, hooks } = parts
  const shared = { resultOf: createResultOf(parts), hooked: hooks && target, versions: access.versions }
  const writes = new Map<string, WriteMethod>()
  const handlers: Record<string, Handler | Refused | false> = { GET }
  for (const [name, operation] of Object.entries(operations)) {
    if (operation === false) continue
    writes.set(name, { ...operation, ...shared })
    handlers[name] = 'refusal' in operation ? operation : writeHandler({ ...operation, ...shared }, parts)
  }
  return { ...resource(handlers), writes }
}

function createResultOf({ access, representation, controlsFor }: ClassParts): WriteResponses['resultOf'] {
  return (written, principal, mediaType) => {
    if (written.outcome === 'removed') return { status: 204 }
    const { outcome, member } = written
    const isNew = outcome === 'created'
    const status = isNew ? 201 : 200
    const location = isNew ? representation.address(member.id) : undefined
    // An ETag would reveal how often members that this user may not read were written.
    if (isNew && !access.mayRead(member, principal)) return { status, location }
    const represented = representation.represent(member, mediaType, controlsFor(member, principal))
    return { status, location, represented }
  }
}

function writeHandler(method: WriteOperation & WriteResponses, { store, respond }: ClassParts): Handler {
  const { body: kind } = method
  return async ({ request, id, principal }) => {
    const { method: name } = request
    method.requireRight?.(name, isCreateOnly(request))
    // Decided before anything is written: 406 where nothing acceptable could be sent.
    const mediaType = kind === undefined ? LD_JSON : mediaTypeFor(request)
    const { minimal } = readPreferences(request)
    if (kind !== undefined) requireMediaType(request, kind)
    const body = async () => {
      if (kind !== undefined) return readBody(request, kind)
      // Nothing is written before the whole request has arrived and is well-formed.
      await request.readBody()
      return {}
    }
    const preconditions = readPreconditions(request, method.versions)
    const outcome = await method.carryOut({ store, method: name, id, principal, preconditions, body })
    const { status, location, represented } = method.resultOf(outcome, principal, mediaType)
    const address = location === undefined ? [] : ['Location', location]
    if (represented !== undefined && !minimal) return respond.send(request, status, represented, address)
    const tag = represented === undefined ? [] : ['ETag', represented.etag]
    const empty = respond.noContent([
      ...tag,
      ...address,
      ...(minimal ? preferenceApplied('return=minimal') : []),
    ])
    return status === 201 ? { ...empty, status, body: '' } : empty
  }
}
