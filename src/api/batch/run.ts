import type { Principal } from '../../auth/index.ts'
import { type HttpError, methodNotAllowed, unavailable } from '../../errors.ts'
import { createRouter, LD_JSON, type Routes } from '../../http/index.ts'
import { addressOf } from '../../members/index.ts'
import { type Awaitable, type MemberName, nameOfWritten } from '../../store/index.ts'
import { withUsualEncodings } from '../../text.ts'
import { MAX_HOOK_RUNS } from '../hooks.ts'
import { isProblem, toHttpError } from '../problems/index.ts'
import { isCreateOnly, readPreconditions, requireNode } from '../request.ts'
import type { Resource, ResourceParts, Write } from '../types.ts'
import { NO_TARGET, readOperation, type SentOperation, wrongTarget } from './operations.ts'
import { createBatchStore } from './overlay.ts'
import type { Result } from './results.ts'
import type { Work } from './turns.ts'

interface RunParts extends Pick<ResourceParts, 'base' | 'model' | 'store' | 'batchLimits'> {
  /** The resources that operations may target, as the same user sees them. */
  readonly routes: Routes<Resource>
}

/** Operations that are carried out in one transaction. */
export interface Run {
  readonly sent: readonly SentOperation[]
  readonly principal: Principal | undefined
  /** Names of members. Those that the operations give are added after the commit. */
  readonly references: Map<string, string>
  readonly work: Work
  /** An error of one operation, as it is thrown. */
  errorAt(error: HttpError, index: number): HttpError
}

/** How often a batch is written where other writers are faster; after the optimistic tries its members are locked first. */
const MAX_TRIES = 4
const OPTIMISTIC_TRIES = 2
/** How long a batch may be prepared under locks: a single write waits for them for a second (`LOCK_LIMIT`). */
const LOCKED_MS = 700

export function createRunAll({ base, model, store, batchLimits, routes }: RunParts) {
  const route = createRouter('', routes)
  const addresses = new Map(model.classes.map((cls) => [cls.name, addressOf(cls, base)]))
  const { members } = store

  /** Runs the operations up to their writes. */
  async function prepare({ sent, principal, references, work, errorAt }: Run, until: number) {
    const seenPaths = new Set<string>()
    const overlay = createBatchStore(members, { most: 2 * batchLimits.bytes, waitFor: work.waitFor })
    const given = new Map<string, string>()
    // Not copied for each of the operations of a lenient batch, which may be many.
    const names = sent.length > 1 ? new Map(references) : references
    const pending: { readonly result: Promise<Result>; readonly index: number }[] = []
    let isHooked = false
    for (const { index, text } of sent) {
      await work.pause()
      if (performance.now() > until) throw outrun()
      const { result } = await inOperation(index, errorAt, async () => {
        const operation = readOperation(text, names)
        const found = find(operation.name, operation.target)
        if (found.writes.hooked !== undefined) {
          isHooked = true
          work.leaveLine()
        }
        if (found.writes.hooked === 'member') requireUnseen(found.path, seenPaths)
        const one = await overlay.prepare((within) =>
          carryOut(
            { ...operation, ...found },
            { references: names, principal, store: within, waitFor: work.waitFor },
          ),
        )
        const { className, id } = nameOfWritten(one.write)
        const address = addresses.get(className)?.(id)
        if (operation.id !== undefined && address !== undefined) {
          given.set(operation.id, address)
          if (sent.length > 1) names.set(operation.id, address)
        }
        return one
      })
      pending.push({ index, result })
    }
    return { overlay, given, pending, isHooked }
  }

  /** Prepares the operations and writes all of them, or none. `locked`: members that are locked first. */
  async function attempt(run: Run, locked: readonly MemberName[] | undefined) {
    if (locked === undefined) {
      const prepared = await run.work.inLine(() => prepare(run, Number.POSITIVE_INFINITY))
      const { writes } = prepared.overlay
      return { prepared, outcomes: writes.length === 0 ? [] : await members.writeAll(writes) }
    }
    // Set by the last call of the function, which is the one whose writes are carried out.
    let preparing: ReturnType<typeof prepare> | undefined
    const outcomes = await members.writeAllLocked(locked, async () => {
      preparing = run.work.atOnce(() => prepare(run, performance.now() + LOCKED_MS))
      return (await preparing).overlay.writes
    })
    return { prepared: await (preparing as unknown as ReturnType<typeof prepare>), outcomes }
  }

  /** 503 where other writers were faster each time. */
  return async (run: Run): Promise<Result[]> => {
    let locked: MemberName[] | undefined
    for (let tries = 1; ; tries++) {
      const { prepared, outcomes } = await attempt(run, locked)
      const { overlay, pending, given, isHooked } = prepared
      if (overlay.settle(outcomes)) {
        // One that the store has refused rejects at once, and the others are never settled.
        const settled = pending.map(({ index, result }) => inOperation(index, run.errorAt, () => result))
        const results = await Promise.all(settled)
        for (const [name, address] of given) run.references.set(name, address)
        return results
      }
      if (tries === (isHooked ? MAX_HOOK_RUNS : MAX_TRIES)) throw outrun()
      // Not where hooks run: they may write to the same members, and would wait for this batch.
      if (tries >= OPTIMISTIC_TRIES && !isHooked) locked = overlay.writes.map(nameOfWritten)
    }
  }

  async function carryOut(
    { name, method, writes, id, body, headers }: ReturnType<typeof readOperation> & ReturnType<typeof find>,
    write: Pick<Write, 'store' | 'principal' | 'references' | 'waitFor'>,
  ): Promise<Result> {
    const isNew = isCreateOnly({ headers })
    if ('refusal' in method) throw method.refusal(name, isNew)
    method.requireRight?.(name, isNew)
    const outcome = await method.carryOut({
      ...{ ...write, method: name, id },
      preconditions: readPreconditions({ headers }, writes.versions),
      body: () => (method.body === undefined ? {} : requireNode(body, method.body)),
    })
    const { status, location, represented } = writes.resultOf(outcome, write.principal, LD_JSON)
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
      const failure = isProblem(error) ? toHttpError(error) : undefined
      if (failure?.status === 404) throw wrongTarget(failure.message)
      throw error
    }
  }
}

const outrun = (): HttpError => unavailable('Others are changing the same members; try again shortly.', 1)

/** library.md: a hook must not see a member as it was before an earlier operation of the batch. */
function requireUnseen(path: string, seenPaths: Set<string>): void {
  if (seenPaths.has(path))
    throw wrongTarget(
      'is that of an earlier operation, and the class has hooks; send them one after the other.',
    )
  seenPaths.add(path)
}

/** Adds the index of the operation to what `work` throws. */
async function inOperation<T>(index: number, errorAt: Run['errorAt'], work: () => Awaitable<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isProblem(error) ? errorAt(toHttpError(error), index) : error
  }
}
