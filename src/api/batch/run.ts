import { type MemberName, nameOfWritten } from '../../members/index.ts'
import { MAX_HOOK_RUNS } from '../hooks.ts'
import {
  type BatchRun,
  concurrentChanges,
  createPrepareBatch,
  inOperation,
  type PrepareDependencies,
  type PreparedBatch,
} from './prepare.ts'
import type { OperationResult } from './results.ts'

/** How often a batch that conflicts with other writers is tried; after the optimistic tries its members are locked first. */
const MAX_TRIES = 4
const OPTIMISTIC_TRIES = 2
/** How long a batch may be prepared under locks: a single write waits for them for a second (`LOCK_LIMIT`). */
const LOCKED_MS = 700

/** Carries out all operations, or none. Throws if other writers were faster each time. */
export function createRunAll(
  dependencies: PrepareDependencies,
): (run: BatchRun) => Promise<OperationResult[]> {
  const prepare = createPrepareBatch(dependencies)
  const { members } = dependencies.store

  /** Prepares the operations and writes all of them, or none. `locked`: members that are locked first. */
  async function attempt(run: BatchRun, locked: readonly MemberName[] | undefined) {
    if (locked === undefined) {
      const prepared = await run.work.inLine(() => prepare(run, Number.POSITIVE_INFINITY))
      const { writes } = prepared.overlay
      return { prepared, outcomes: writes.length === 0 ? [] : await members.writeAll(writes) }
    }
    // The last call of the function is the one whose writes are carried out.
    const attempts: PreparedBatch[] = []
    const outcomes = await members.writeAllLocked(locked, async () => {
      const prepared = await run.work.atOnce(() => prepare(run, performance.now() + LOCKED_MS))
      attempts.push(prepared)
      return prepared.overlay.writes
    })
    return { prepared: attempts.at(-1) as PreparedBatch, outcomes }
  }

  return async (run) => {
    let locked: MemberName[] | undefined
    for (let tries = 1; ; tries++) {
      const { prepared, outcomes } = await attempt(run, locked)
      const { overlay, pending, given, isHooked } = prepared
      if (overlay.settle(outcomes)) {
        // The result of an operation that the store has refused rejects at once; the others are never settled.
        const results = await Promise.all(
          pending.map(({ index, result }) => inOperation(index, () => result)),
        )
        for (const [name, address] of given) run.references.set(name, address)
        return results
      }
      if (tries === (isHooked ? MAX_HOOK_RUNS : MAX_TRIES)) throw concurrentChanges()
      // Classes with hooks are not locked: a hook may write to the same members, and would wait for this batch.
      if (tries >= OPTIMISTIC_TRIES && !isHooked) locked = overlay.writes.map(nameOfWritten)
    }
  }
}
