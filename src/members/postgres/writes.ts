import { LOCK_LIMIT, retryOnConflict } from '../../database/postgres/errors.ts'
import type { Pools } from '../../database/postgres/pool.ts'
import { createLocks } from '../../locks.ts'
import { keyOfMember, type MemberName, type WriteOutcome } from '../member.ts'
import type { MemberStore } from '../member-store.ts'
import { addAll, createAdd, WRONG_ASSUMPTION } from './group-commit.ts'
import { isStorable } from './tables.ts'
import { type FindClass, writeAll } from './write-all.ts'
import { change, remove } from './write-one.ts'

export function createWrites(
  { quick, writes }: Pools<'quick' | 'writes'>,
  onAdded: () => void,
  classOf: FindClass,
): Pick<MemberStore, 'add' | 'addAll' | 'change' | 'remove' | 'writeAll' | 'writeAllLocked'> {
  const add = createAdd(writes)
  const withLocks = createLocks(LOCK_LIMIT)
  /** Changes and removals of one member wait for each other. */
  const exclusive = <T>(members: readonly MemberName[], work: () => Promise<T>): Promise<T> =>
    withLocks({ exclusive: members.map(keyOfMember), shared: [] }, work)

  function reported<const T extends readonly WriteOutcome[]>(outcomes: T): T {
    if (outcomes.some(({ outcome }) => outcome === 'added')) onAdded()
    return outcomes
  }

  return {
    add: async (className, member) => reported([await add(classOf(className), member)])[0],
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
      return exclusive([{ className, id }], () => change(quick.run, writes, wanted))
    },
    async remove(className, id, expected, owner, actor) {
      if (!isStorable(id)) return { outcome: 'missing' }
      const wanted = { cls: classOf(className), id, expected, owner, actor }
      return exclusive([{ className, id }], () =>
        retryOnConflict(() => writes.transaction(({ run }) => remove(run, wanted))),
      )
    },
    writeAll: async (all) => reported(await writeAll(writes, classOf, { compute: async () => all })),
    writeAllLocked: async (members, compute) =>
      reported(await exclusive(members, () => writeAll(writes, classOf, { locked: members, compute }))),
  }
}
