import type { MemberStore, StepName } from '../../members/index.ts'
import { nameOfStep } from '../../members/index.ts'
import { MAX_HOOK_RUNS } from '../program/hooks.ts'
import { type BatchStore, CHANGED_MEANWHILE, concurrentChanges } from './overlay.ts'
import { type BatchRun, createPrepareBatch, inOperation, type PrepareDependencies } from './prepare.ts'
import type { OperationResult } from './results.ts'
import type { Work } from './turns.ts'

/** How often a batch that conflicts with other writers is tried; after the optimistic tries its members are locked first. */
const MAX_TRIES = 4
const OPTIMISTIC_TRIES = 2
/** How long a batch may be prepared under locks: a single write waits for them for a second (`LOCK_LIMIT`). */
const LOCKED_MS = 700

/** Writes that have been prepared, and not carried out. */
interface PreparedWrites {
  readonly overlay: BatchStore
}

interface WritesToPrepare<T extends PreparedWrites> {
  readonly work: Work
  /** Throws if `until` has passed. `onHooks` is called before hooks are run. */
  prepare(until: number, onHooks: () => void): Promise<T>
}

/** Prepares writes and carries out all of them, or none. Throws if other writers were faster each time. */
export function createWriteTogether(
  members: Pick<MemberStore, 'writeAll' | 'writeAllLocked'>,
): <T extends PreparedWrites>(several: WritesToPrepare<T>) => Promise<T> {
  /** `locked`: members that are locked first. */
  async function attempt<T extends PreparedWrites>(
    { work, prepare }: WritesToPrepare<T>,
    onHooks: () => void,
    locked: readonly StepName[] | undefined,
  ) {
    if (locked === undefined) {
      const prepared = await work.inLine(() => prepare(Number.POSITIVE_INFINITY, onHooks))
      const { writes } = prepared.overlay
      return { prepared, outcomes: writes.length === 0 ? [] : await members.writeAll(writes) }
    }
    // The last call of the function is the one whose writes are carried out.
    const attempts: T[] = []
    const outcomes = await members.writeAllLocked(locked, async () => {
      const prepared = await work.atOnce(() => prepare(performance.now() + LOCKED_MS, onHooks))
      attempts.push(prepared)
      return prepared.overlay.writes
    })
    return { prepared: attempts.at(-1) as T, outcomes }
  }

  return async (several) => {
    let locked: StepName[] | undefined
    let isHooked = false
    const onHooks = () => {
      isHooked = true
      several.work.leaveLine()
    }
    for (let tries = 1; ; tries++) {
      const attempted = await attempt(several, onHooks, locked).catch((error: unknown) => {
        if (error !== CHANGED_MEANWHILE) throw error
      })
      if (attempted?.prepared.overlay.settle(attempted.outcomes)) return attempted.prepared
      if (tries >= (isHooked ? MAX_HOOK_RUNS : MAX_TRIES)) throw concurrentChanges()
      // Classes with hooks are not locked: a hook may write to the same members, and would wait for this batch.
      if (tries >= OPTIMISTIC_TRIES && !isHooked)
        locked = attempted?.prepared.overlay.writes.map(nameOfStep) ?? locked
    }
  }
}

/** Carries out all operations, or none. */
export function createRunAll(
  dependencies: PrepareDependencies,
): (run: BatchRun) => Promise<OperationResult[]> {
  const prepare = createPrepareBatch(dependencies)
  const writeTogether = createWriteTogether(dependencies.store.members)

  return async (run) => {
    const { pending, given } = await writeTogether({
      work: run.work,
      prepare: (until, onHooks) => prepare(run, until, onHooks),
    })
    // The result of an operation that the store has refused rejects at once; the others are never settled.
    const results = await Promise.all(pending.map(({ index, result }) => inOperation(index, () => result)))
    for (const [name, address] of given) run.references.set(name, address)
    return results
  }
}
