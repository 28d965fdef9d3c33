import type { Principal } from '../auth/index.ts'
import { unavailable } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type {
  Changed,
  Compute,
  MemberStore,
  Removed,
  StoredMember,
  WholeText,
  Written,
} from '../store/index.ts'
import type { Operation } from '../vocabulary/index.ts'
import type { HooksOfClass } from './hooks.ts'
import { expectedBy, type Preconditions } from './preconditions.ts'

/** A write to a member of a class with hooks. */
interface HookedWrite {
  readonly className: string
  readonly hooks: HooksOfClass
  readonly store: Pick<MemberStore, 'findWhole' | 'change' | 'remove'>
  readonly principal: Principal | undefined
  readonly preconditions: Preconditions
}

/** So often a hook is run where other writers are faster (library.md). */
export const MOST_HOOK_RUNS = 3

/** `restore`: what the hook returned instead of what is computed, checked. */
export function changeHooked(
  operation: Operation,
  id: string,
  write: HookedWrite,
  {
    compute,
    restore,
  }: { readonly compute: Compute; restore(returned: JsonObject, before: StoredMember & WholeText): Written },
): Promise<Changed> {
  const { className, hooks, store, principal } = write
  return onWhatIsThere<Changed>(id, write, async (before) => {
    const computed = compute(before)
    const told = { operation, before, principal }
    const returned = await hooks.beforeWrite({ ...told, member: { ...computed, id } })
    const written = returned === undefined ? computed : restore(returned, before)
    const changed = await store.change(className, id, [before.version], () => written)
    if (changed.outcome === 'changed') hooks.afterWrite({ ...told, member: changed.member })
    return changed
  })
}

/** `owner`: whose it must be. */
export function removeHooked(
  id: string,
  write: HookedWrite,
  owner: number | undefined,
  requirePermitted: (current: StoredMember) => void,
): Promise<Removed> {
  const { className, hooks, store, principal } = write
  return onWhatIsThere<Removed>(id, write, async (member) => {
    requirePermitted(member)
    const told = { operation: 'delete', member, before: member, principal } as const
    await hooks.beforeDelete(told)
    const removed = await store.remove(className, id, [member.version], owner)
    if (removed.outcome === 'removed') hooks.afterWrite(told)
    return removed
  })
}

type NotThere = { readonly outcome: 'missing' } | { readonly outcome: 'stale'; readonly version: number }

/**
 * What a hook saw is what is replaced: `run` writes to that version alone, and is called again with what is there then
 * where another write came between, unless `If-Match` forbids that.
 */
async function onWhatIsThere<T extends { readonly outcome: string }>(
  id: string,
  { className, store, preconditions }: HookedWrite,
  run: (before: StoredMember & WholeText) => Promise<T>,
): Promise<T | NotThere> {
  const expected = expectedBy(preconditions)
  for (let runs = 0; runs < MOST_HOOK_RUNS; runs++) {
    const before = await store.findWhole(className, id)
    if (before === undefined) return { outcome: 'missing' }
    const { version } = before
    if (expected?.includes(version) === false) return { outcome: 'stale', version }
    const done = await run(before)
    if (done.outcome !== 'stale' || expected !== undefined) return done
  }
  throw unavailable('Others are changing the same member; try again shortly.', 1)
}
