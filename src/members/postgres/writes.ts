import { LOCK_LIMIT, retryOnConflict } from '../../database/postgres/errors.ts'
import type { Pools } from '../../database/postgres/pool.ts'
import { createLocks } from '../../locks.ts'
import { createHeldKeys } from '../held-keys.ts'
import { isWrite, keyOfMember, type MemberName, type WriteOutcome } from '../member.ts'
import type { MemberStore } from '../member-store.ts'
import { addAll, createAdd, WRONG_ASSUMPTION } from './group-commit.ts'
import { isStorable } from './tables.ts'
import { listAfter, type StepDependencies, writeAll } from './write-all.ts'
import { change, remove } from './write-one.ts'

export function createWrites(
  { quick, writes }: Pools<'quick' | 'writes'>,
  onAdded: () => void,
  dependencies: StepDependencies,
): Pick<MemberStore, 'add' | 'addAll' | 'change' | 'remove' | 'writeAll' | 'writeAllLocked' | 'listAfter'> {
  const { classOf } = dependencies
  const add = createAdd(writes)
  const withLocks = createLocks(LOCK_LIMIT)
  const held = createHeldKeys()
  /** Changes and removals of one member wait for each other. */
  const exclusive = <T>(members: readonly MemberName[], work: () => Promise<T>): Promise<T> =>
    withLocks({ exclusive: members.map(keyOfMember), shared: [] }, work)

  function reported<const T extends readonly WriteOutcome[]>(outcomes: T): T {
    if (outcomes.some(({ outcome }) => outcome === 'added')) onAdded()
    return outcomes
  }

  return {
    async add(className, member) {
      await held.whenFree(className)
      return reported([await add(classOf(className), member)])[0]
    },
    async addAll(members) {
      const given = members.map(({ className, member }) => ({ cls: classOf(className), member }))
      const addGiven = (assume: boolean) =>
        writes.transaction((within) => addAll(within, given, assume), 'long')
      const work = () =>
        addGiven(true).catch((error: unknown) => {
          if (error !== WRONG_ASSUMPTION) throw error
          return addGiven(false)
        })
      // No request waits for bulk data.
      return reported(await retryOnConflict(work, Number.POSITIVE_INFINITY))
    },
    async change(className, id, expected, compute) {
      if (!isStorable(id)) return { outcome: 'missing' }
      const wanted = { cls: classOf(className), id, expected, compute }
      await held.whenFree(className)
      return exclusive([{ className, id }], () => change(quick.run, writes, wanted))
    },
    async remove(className, id, expected, owner, actor) {
      if (!isStorable(id)) return { outcome: 'missing' }
      const wanted = { cls: classOf(className), id, expected, owner, actor }
      await held.whenFree(className)
      return exclusive([{ className, id }], () =>
        retryOnConflict(() => writes.transaction(({ run }) => remove(run, wanted))),
      )
    },
    async writeAll(steps) {
      for (const { className } of steps.filter(isWrite)) await held.whenFree(className)
      return reported(await writeAll(writes, dependencies, { compute: async () => steps }))
    },
    listAfter: (...args) => listAfter(writes, dependencies, ...args),
    async writeAllLocked(locked, compute) {
      // Others wait here, and not on a connection, for the classes that this one locks.
      const pages = locked.filter(({ kind }) => kind === 'page')
      const carryOut = () => writeAll(writes, dependencies, { locked, compute })
      return reported(await exclusive(locked, () => held.during(pages, carryOut)))
    },
  }
}
