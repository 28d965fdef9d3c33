import type { Principal } from '../../auth/index.ts'
import { createPause } from '../../deadline.ts'
import { badRequest, fault, HttpError, methodNotAllowed, unavailable, type Violation } from '../../errors.ts'
import { createRouter, LD_JSON, type Routes } from '../../http/index.ts'
import { addressOf } from '../../members/index.ts'
import type { Awaitable, MemberWrite } from '../../store/index.ts'
import { withUsualEncodings } from '../../text.ts'
import { batchContext } from '../../vocabulary/index.ts'
import { MAX_HOOK_RUNS } from '../hooks.ts'
import type { Resource, ResourceParts, Write } from '../parts.ts'
import {
  isCreateOnly,
  mediaTypeFor,
  preferenceApplied,
  readPreconditions,
  readPreferences,
  requireMediaType,
  requireNode,
} from '../request.ts'
import { resource } from '../resource.ts'
import type { Respond } from '../respond.ts'
import {
  atOperation,
  NO_TARGET,
  readOperation,
  readOperations,
  type SentOperation,
  wrongTarget,
} from './operations.ts'
import { createBatchStore } from './overlay.ts'

interface BatchParts extends Pick<ResourceParts, 'base' | 'model' | 'store' | 'batchLimits' | 'onFault'> {
  readonly respond: Respond
  /** The resources that operations may target, as the same user sees them. */
  readonly routes: Routes<Resource>
}

/** The outcome of an operation, as the client gets it. */
interface Result {
  readonly status: number
  readonly location?: string | undefined
  readonly etag?: string | undefined
  readonly detail?: string
  readonly violations?: readonly Violation[]
}

/** How often a batch is prepared where other writers are faster. */
const MAX_TRIES = 10
/** How long the operations of a lenient batch may take that get 503: a database that is away would hold up each of a thousand. */
const MAX_FAILING_MS = 3_000
const NOT_TRIED = 'This was not tried, since those before it got 503; try again shortly.'

/** `{base}/batch`: operations on members, all or none of them (live.md, Many at once). */
export function batch(parts: BatchParts): Resource {
  const { base, store, respond, batchLimits, onFault, routes } = parts
  const context = JSON.stringify(batchContext(base))
  const route = createRouter('', routes)
  const addresses = new Map(parts.model.classes.map((cls) => [cls.name, addressOf(cls, base)]))

  return resource({
    POST: async ({ request, principal }) => {
      const { 'if-match': match, 'if-none-match': noneMatch } = request.headers
      if (match !== undefined || noneMatch !== undefined)
        throw badRequest('A batch has no ETag; give ifMatch or ifNoneMatch with each operation.')
      const mediaType = mediaTypeFor(request)
      const { lenient } = readPreferences(request)
      requireMediaType(request, 'member')
      const body = await request.readBody(batchLimits.bytes)
      const sent = await readOperations(body, { most: batchLimits.operations, base, pause: createPause() })
      const results = await (lenient ? runEach(sent, principal) : runAll(sent, principal, new Map()))
      const text = `{"@context":${context},"@type":"OperationBatch","operation":${JSON.stringify(results)}}`
      return respond.send(
        request,
        200,
        { mediaType, etag: undefined, body: () => text },
        lenient ? preferenceApplied('handling=lenient') : [],
      )
    },
  })

  /** `Prefer: handling=lenient`: runs each operation as a batch of its own; later ones know the names of earlier ones. */
  async function runEach(
    sent: readonly SentOperation[],
    principal: Principal | undefined,
  ): Promise<Result[]> {
    const references = new Map<string, string>()
    const results: Result[] = []
    let failingMs = 0
    for (const one of sent) {
      if (failingMs > MAX_FAILING_MS) {
        results.push({ status: 503, detail: NOT_TRIED })
        continue
      }
      const started = performance.now()
      const [result] = await runAll([one], principal, references).catch((error: unknown) => {
        // Others have been carried out by now, and their client must learn of them: 500 is the result of this one alone.
        const failed = error instanceof HttpError ? error : atOperation(fault(error, onFault), one.index)
        const { status, message, violations } = failed
        return [{ status, detail: message, ...(violations.length > 0 && { violations }) }]
      })
      if (result !== undefined) results.push(result)
      if (result?.status === 503) failingMs += performance.now() - started
    }
    return results
  }

  /** Runs the operations in one transaction. The names that they give to members are added to `references`. */
  async function runAll(
    sent: readonly SentOperation[],
    principal: Principal | undefined,
    references: Map<string, string>,
  ): Promise<Result[]> {
    let maxTries = MAX_TRIES
    for (let tries = 0; tries < maxTries; tries++) {
      const seenPaths = new Set<string>()
      const overlay = createBatchStore(store.members, 2 * batchLimits.bytes)
      const names = new Map(references)
      const prepared: { readonly result: Promise<Result>; readonly index: number }[] = []
      const pause = createPause()
      for (const { index, text } of sent) {
        const { result } = await inOperation(index, async () => {
          const operation = readOperation(text, names)
          const found = find(operation.name, operation.target)
          if (found.writes.hooked !== undefined) maxTries = MAX_HOOK_RUNS
          if (found.writes.hooked === 'member') requireUnseen(found.path, seenPaths)
          const one = await overlay.prepare((within) =>
            carryOut({ ...operation, ...found }, names, principal, within),
          )
          nameMember(operation.id, one.write, names)
          return one
        })
        prepared.push({ index, result })
        await pause()
      }
      if (!(await overlay.commit())) continue
      // One that the store has refused rejects at once, and the others are never settled.
      const results = await Promise.all(prepared.map(({ index, result }) => inOperation(index, () => result)))
      for (const [name, address] of names) references.set(name, address)
      return results
    }
    throw unavailable('Others are changing the same members; try again shortly.', 1)
  }

  async function carryOut(
    { name, method, writes, id, body, headers }: ReturnType<typeof readOperation> & ReturnType<typeof find>,
    references: ReadonlyMap<string, string>,
    principal: Principal | undefined,
    within: Write['store'],
  ): Promise<Result> {
    const isNew = isCreateOnly({ headers })
    if ('refusal' in method) throw method.refusal(name, isNew)
    method.requireRight?.(name, isNew)
    const outcome = await method.carryOut({
      ...{ store: within, method: name, id, principal, references },
      preconditions: readPreconditions({ headers }, writes.versions),
      body: () => (method.body === undefined ? {} : requireNode(body, method.body)),
    })
    const { status, location, represented } = writes.resultOf(outcome, principal, LD_JSON)
    return { status, location, etag: represented?.etag }
  }

  /** live.md: relative to the base, or absolute below it; a collection, a member or a single resource. */
  function find(name: string, target: string) {
    const path = withUsualEncodings(target).startsWith(`${base}/`) ? target.slice(base.length) : `/${target}`
    // Neither the name of a collection nor an id has one of these, but a scheme, a reference and a query have.
    if (/[:?#]/.test(path)) throw wrongTarget(NO_TARGET)
    const { resource: found, id } = routed(path)
    const { writes, allow } = found
    if (writes === undefined) throw wrongTarget(NO_TARGET)
    const method = writes.methods.get(name)
    if (method === undefined) throw methodNotAllowed(name, allow)
    return { method, writes, id, path: decodeURIComponent(path) }
  }

  function routed(path: string) {
    try {
      return route(path)
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) throw wrongTarget(error.message)
      throw error
    }
  }

  function nameMember(name: string | undefined, write: MemberWrite, names: Map<string, string>): void {
    const id = write.kind === 'add' ? write.member.id : write.id
    const address = addresses.get(write.className)?.(id)
    if (name !== undefined && address !== undefined) names.set(name, address)
  }
}

/** library.md: a hook must not see a member as it was before an earlier operation of the batch. */
function requireUnseen(path: string, seenPaths: Set<string>): void {
  if (seenPaths.has(path))
    throw wrongTarget(
      'is that of an earlier operation, and the class has hooks; send them one after the other.',
    )
  seenPaths.add(path)
}

/** Adds the index of the operation to what `work` throws. */
async function inOperation<T>(index: number, work: () => Awaitable<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof HttpError ? atOperation(error, index) : error
  }
}
