import type { Awaitable } from '../../database/index.ts'
import type { JsonObject } from '../../json.ts'
import type {
  ChangeOutcome,
  Compute,
  MemberContent,
  RemoveOutcome,
  StoredMember,
  WriteStore,
} from '../../members/index.ts'
import type { Operation } from '../../vocabulary/index.ts'
import { withLookups } from '../lookups.ts'
import type { ClassDependencies, Write } from '../types.ts'
import { retryWhileStale } from './hooks.ts'

export const waitFor = <T>(write: Write, answer: Awaitable<T>): Awaitable<T> =>
  write.waitFor?.(answer) ?? answer

export type HookedStore = Pick<WriteStore, 'change' | 'remove'>

/**
 * `change` and `remove` of the store, with the hooks of the class around them. `requirePermitted`: throws where the user may
 * not remove the member that the hook would see.
 */
export function withHooks(
  { access, input, now, hooks }: ClassDependencies,
  operation: Operation,
  write: Write,
  requirePermitted: (current: StoredMember) => Awaitable<void> = () => {},
): HookedStore {
  const { store, principal } = write
  if (hooks === undefined) return store
  const restore = async (returned: JsonObject, before: Parameters<Compute>[0], computed: MemberContent) => {
    const updated = operation === 'update' ? computed : undefined
    const userView = access.views?.of(await access.relationOf(before, principal, store))
    const options = { kind: 'restored', writer: principal, updated, userView } as const
    const replaced = input.replace(returned, before, now(), options)
    return withLookups((lookups) => access.limitLinks(replaced, principal, { lookups, store }))
  }
  return {
    change: (className, id, expected, compute, explain) =>
      retryWhileStale<ChangeOutcome>(store, [className, id], expected, async (before) => {
        const computed = compute(before)
        const about = { operation, before, principal }
        const returned = await waitFor(write, hooks.beforeWrite({ ...about, member: { ...computed, id } }))
        const written = returned === undefined ? computed : await restore(returned, before, computed)
        const changed = await store.change(className, id, [before.version], () => written, explain)
        if (changed.outcome === 'changed') hooks.afterWrite({ ...about, member: changed.member })
        return changed
      }),
    remove: (className, id, expected, owner, actor, explain) =>
      retryWhileStale<RemoveOutcome>(store, [className, id], expected, async (before) => {
        await requirePermitted(before)
        const about = { operation, member: before, before, principal }
        await waitFor(write, hooks.beforeDelete(about))
        const removed = await store.remove(className, id, [before.version], owner, actor, explain)
        if (removed.outcome === 'removed') hooks.afterWrite(about)
        return removed
      }),
  }
}
