import { LD_JSON } from '../http/index.ts'
import type { Operation } from '../vocabulary/index.ts'
import { storeFor } from './acting-store.ts'
import {
  isCreateOnly,
  mediaTypeFor,
  preferenceApplied,
  readBody,
  readPreconditions,
  readPreferences,
  requireMediaType,
} from './request.ts'
import type { ClassDependencies, Forbidden, Handler, Resource, WriteOperation, Writes } from './types.ts'

/** The method of an operation: false if the API file does not have it, refused if the user's roles do not allow it. */
export const ifPermitted = <T>(
  { cls, access }: ClassDependencies,
  name: Operation,
  method: T,
): T | Forbidden | false =>
  cls.operations.has(name) &&
  (access.rights[name] === 'none' ? { refusal: () => access.refusal(name) } : method)

type Handlers = Readonly<Record<string, Handler | Forbidden | false>>

/** HEAD is handled like GET, and the server leaves the body out; OPTIONS works the same for every resource. */
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

/** One resource with the methods of two. */
export const withMethodsOf = (one: Resource | undefined, other: Resource): Resource =>
  one === undefined
    ? other
    : {
        methods: new Map([...one.methods, ...other.methods]),
        allow: [one.allow, other.allow].filter(Boolean).join(', '),
      }

const throwing =
  ({ refusal }: Forbidden): Handler =>
  ({ request }) => {
    throw refusal(request.method, isCreateOnly(request))
  }

/** A resource with methods that write. `target`: the resource that they write to. */
export function writableResource(
  GET: Handler | Forbidden | false,
  operations: Readonly<Record<string, WriteOperation | Forbidden | false>>,
  dependencies: ClassDependencies,
  target: 'member' | 'new',
): Resource {
  const { access, hooks } = dependencies
  const methods = new Map<string, WriteOperation | Forbidden>()
  const resultOf = createResultOf(dependencies)
  const writes = { methods, versions: access.versions, hooked: hooks && target, resultOf }
  const handlers: Record<string, Handler | Forbidden | false> = { GET }
  for (const [name, operation] of Object.entries(operations)) {
    if (operation === false) continue
    methods.set(name, operation)
    handlers[name] = 'refusal' in operation ? operation : writeHandler(operation, writes, dependencies)
  }
  return { ...resource(handlers), writes }
}

function createResultOf({ access, representation, controlsFor }: ClassDependencies): Writes['resultOf'] {
  return async (written, principal, mediaType) => {
    if (written.outcome === 'removed') return { status: 204 }
    const { outcome, member } = written
    const isNew = outcome === 'created'
    const status = isNew ? 201 : 200
    const location = isNew ? representation.address(member.id) : undefined
    const relation = await access.relationOf(member, principal)
    // An ETag would reveal how often members that this user may not read were written. A change may take the member out
    // of the user's sight (people.md, Rules that follow a link).
    if (!access.mayReadBy(relation)) return isNew ? { status, location } : { status: 204 }
    const represented = representation.represent(member, mediaType, controlsFor(relation))
    return { status, location, represented }
  }
}

function writeHandler(
  operation: WriteOperation,
  writes: Writes,
  { store, respond, inStep }: ClassDependencies,
): Handler {
  const { body: kind } = operation
  return async ({ request, id, key, principal }) => {
    const { method } = request
    operation.requireRight?.(method, isCreateOnly(request))
    // Decided before anything is written: 406 if no acceptable response could be sent. A removal sends no representation.
    const mediaType = method === 'DELETE' ? LD_JSON : mediaTypeFor(request)
    const { minimal } = readPreferences(request)
    if (kind !== undefined) requireMediaType(request, kind)
    const body = async () => {
      if (kind !== undefined) return readBody(request, kind)
      // Nothing is written before the whole request has arrived and is well-formed.
      await request.readBody()
      return {}
    }
    const preconditions = readPreconditions(request, writes.versions)
    await inStep?.()
    const outcome = await operation.carryOut({
      ...{ method, id, key, principal, preconditions, body },
      store: storeFor(principal, store),
    })
    const { status, location, represented } = await writes.resultOf(outcome, principal, mediaType)
    const address = location === undefined ? [] : ['Location', location]
    if (represented !== undefined && !minimal) return respond.send(request, status, represented, address)
    const tag = represented === undefined ? [] : ['ETag', represented.etag]
    const headers = [...tag, ...address, ...(minimal ? preferenceApplied('return=minimal') : [])]
    return status === 201 ? respond.created(headers) : respond.noContent(headers)
  }
}
