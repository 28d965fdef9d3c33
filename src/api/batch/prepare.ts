import type { Principal } from '../../auth/index.ts'
import type { Awaitable } from '../../database/index.ts'
import { LD_JSON, type Routes } from '../../http/index.ts'
import { addressOf, type MemberName, nameOfStep } from '../../members/index.ts'
import { Problem, problemAt } from '../../problem.ts'
import { storeFor } from '../acting-store.ts'
import { apiViolation, validationFailed } from '../problems/index.ts'
import { isCreateOnly, readPreconditions, requireNode } from '../request.ts'
import type { RemovalTransaction, Resource, ResourceDependencies, Write } from '../types.ts'
import { type ParsedOperation, readOperation, type SentOperation } from './operations.ts'
import { BatchStore, concurrentChanges } from './overlay.ts'
import type { OperationResult } from './results.ts'
import { createFindTarget, type OperationTarget } from './target.ts'
import type { Work } from './turns.ts'

export interface PrepareDependencies
  extends Pick<ResourceDependencies, 'base' | 'model' | 'store' | 'batchLimits'> {
  /** The resources that operations may target, as the same user sees them. */
  readonly routes: Routes<Resource>
}

/** Operations that are carried out in one transaction. */
export interface BatchRun {
  readonly sent: readonly SentOperation[]
  readonly principal: Principal | undefined
  /** Names of members. Those that the operations give are added after the commit. */
  readonly references: Map<string, string>
  readonly work: Work
}

/** Operations that have run up to their writes. */
export interface PreparedBatch {
  readonly overlay: BatchStore
  /** Names that the operations give to members. */
  readonly given: ReadonlyMap<string, string>
  /** Settled by the commit. */
  readonly pending: readonly PendingResult[]
}

interface PendingResult {
  readonly index: number
  readonly result: Promise<OperationResult>
}

/** Runs the operations up to their writes; throws if `until` has passed. `onHooks` is called before hooks are run. */
export type PrepareBatch = (run: BatchRun, until: number, onHooks: () => void) => Promise<PreparedBatch>

export function createPrepareBatch(dependencies: PrepareDependencies): PrepareBatch {
  const { base, model, store, batchLimits, routes } = dependencies
  const findTarget = createFindTarget(base, routes)
  const addresses = new Map(model.classes.map((cls) => [cls.name, addressOf(cls, base)]))

  return async ({ sent, principal, references, work }, until, onHooks) => {
    const seenPaths = new Set<string>()
    const { waitFor } = work
    const overlay = new BatchStore(store.members, { most: 2 * batchLimits.bytes, waitFor })
    const pause = () => pauseUntil(work, until)
    const given = new Map<string, string>()
    // A lenient batch runs each of its many operations alone: no copy of the map for each.
    const names = sent.length > 1 ? new Map(references) : references
    const pending: PendingResult[] = []
    const beforeHooks = ({ className, id }: MemberName) => {
      onHooks()
      requireUnseen(decodeURIComponent(addresses.get(className)?.(id).slice(base.length) ?? ''), seenPaths)
    }
    const transaction = transactionOf(overlay, { pause, beforeHooks })
    for (const { index, text } of sent) {
      await pause()
      const { result } = await inOperation(index, async () => {
        const operation = readOperation(text, names)
        const target = findTarget(operation.name, operation.target)
        if (target.writes.hooked !== undefined) onHooks()
        if (target.writes.hooked === 'member') requireUnseen(target.path, seenPaths)
        const prepared = await overlay.prepare((within) =>
          carryOut(operation, target, {
            ...{ references: names, principal, waitFor, transaction },
            store: storeFor(principal, within),
          }),
        )
        const { className, id } = nameOfStep(prepared.write)
        const address = addresses.get(className)?.(id)
        if (operation.id !== undefined && address !== undefined) {
          given.set(operation.id, address)
          if (sent.length > 1) names.set(operation.id, address)
        }
        return prepared
      })
      pending.push({ index, result })
    }
    return { overlay, given, pending }
  }
}

/** For a removal that takes other members along. */
export const transactionOf = (
  overlay: BatchStore,
  steps: Pick<RemovalTransaction, 'pause' | 'beforeHooks'>,
): RemovalTransaction => ({
  ...steps,
  prepare: (run) => overlay.prepare(run),
  unlink: (members) => overlay.unlink(members),
})

/** Lets others work; throws where `until` has passed. */
export async function pauseUntil(work: Work, until: number): Promise<void> {
  await work.pause()
  if (performance.now() > until) throw concurrentChanges()
}

async function carryOut(
  { name, body, headers }: ParsedOperation,
  { method, writes, id }: OperationTarget,
  write: Pick<Write, 'store' | 'principal' | 'references' | 'waitFor' | 'transaction'>,
): Promise<OperationResult> {
  const isNew = isCreateOnly({ headers })
  if ('refusal' in method) throw method.refusal(name, isNew)
  method.requireRight?.(name, isNew)
  const outcome = await method.carryOut({
    ...{ ...write, method: name, id },
    preconditions: readPreconditions({ headers }, writes.versions),
    body: () => (method.body === undefined ? {} : requireNode(body, method.body)),
  })
  const { status, location, represented } = await writes.resultOf(outcome, write.principal, LD_JSON)
  return { status, location, etag: represented?.etag }
}

/** library.md: a hook must not see a member as it was before an earlier operation of the batch. */
function requireUnseen(path: string, seenPaths: Set<string>): void {
  if (seenPaths.has(path)) throw validationFailed(apiViolation('RepeatedTarget', 'target'))
  seenPaths.add(path)
}

/** Adds the index of the operation to what `work` throws. */
export async function inOperation<T>(operation: number, work: () => Awaitable<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Problem ? problemAt(error, { operation }) : error
  }
}
