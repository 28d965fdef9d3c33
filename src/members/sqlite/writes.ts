import type { CommandSource, RunCommand, Writer } from '../../database/sqlite/commands.ts'
import { sharedNow } from '../../database/sqlite/connection.ts'
import { lockDeadline } from '../../database/sqlite/database.ts'
import { createLocks } from '../../locks.ts'
import { createHeldKeys } from '../held-keys.ts'
import { isWrite, keyOfMember, type WholeText } from '../member.ts'
import type { MemberStore } from '../member-store.ts'
import { FOLLOWER_COMMANDS } from './changes/followers.ts'
import type { MemberCommands, StoredClasses } from './commands.ts'
import { toColumns, toOutcome } from './member-columns.ts'

/** The commands that the writer has to load for the members of these classes. */
export const memberCommands = (classes: StoredClasses): readonly CommandSource[] => [
  { module: new URL('commands', import.meta.url).href, data: classes },
  FOLLOWER_COMMANDS,
]

/** A member of this length has at most some thousand keys, which are written within a few milliseconds. */
const LONGEST_SMALL = 4 * 1_024

const isSmall = ({ body, hidden }: WholeText): boolean => body.length + hidden.length <= LONGEST_SMALL

/** How long bulk data waits for a lock of another process: no request waits for it, and a later batch must not overtake it. */
const LONGEST_BULK_LOCK_MS = 60_000

/** The writes of a MemberStore. `explain`: explains an error. */
export function createWrites(
  writer: Writer<MemberCommands>,
  { findWithHidden }: Pick<MemberStore, 'findWithHidden'>,
  explain: (error: unknown) => unknown,
): Pick<
  MemberStore,
  'add' | 'addsInOrder' | 'addAll' | 'change' | 'remove' | 'writeAll' | 'writeAllLocked' | 'listAfter'
> {
  const withLocks = createLocks()
  const held = createHeldKeys()
  const explained =
    (run: RunCommand<MemberCommands>): RunCommand<MemberCommands> =>
    (...args) =>
      run(...args).catch((error: unknown) => {
        throw explain(error)
      })
  const write = explained(writer.write)
  const writeSmall = explained(writer.writeSmall)

  const listAfter: MemberStore['listAfter'] = (...args) => write('listAfter', args)

  return {
    async add(className, member) {
      // Awaited only if necessary: what was asked for before `close` is written.
      const free = held.whenFree(className, member.links)
      if (free !== undefined) await free
      return (isSmall(member) ? writeSmall : write)('add', [className, member])
    },
    addsInOrder: true,
    async addAll(members) {
      const deadline = sharedNow() + LONGEST_BULK_LOCK_MS
      return (await write('addAll', [toColumns(members)], deadline)).map(toOutcome)
    },
    /** Computes on this thread. If the member has changed since, the writer refuses, and it is computed again. */
    change(className, id, expected, compute) {
      const deadline = lockDeadline()
      // One after the other: if many optimistic changes of one member ran at once, all but one would fail.
      return withLocks({ exclusive: [keyOfMember({ className, id })], shared: [] }, async () => {
        for (;;) {
          const current = await findWithHidden(className, id)
          if (current === undefined) return { outcome: 'missing' }
          const { version, owner } = current
          if (expected?.includes(version) === false) return { outcome: 'stale', version }
          const written = compute(current)
          const free = held.whenFree(className, written.links)
          if (free !== undefined) {
            await free
            continue
          }
          const run = isSmall(current) && isSmall(written) ? writeSmall : write
          const changed = await run('change', [className, id, version, written], deadline)
          if (changed.outcome === 'stale') continue
          if (changed.outcome !== 'changed') return changed
          const { body, baseUrlOffsets } = written
          return { outcome: 'changed', member: { id, version: changed.version, body, baseUrlOffsets, owner } }
        }
      })
    },
    async remove(className, id, expected, owner, actor) {
      const free = held.whenFree(className)
      if (free !== undefined) await free
      return write('remove', [className, id, expected, owner, actor])
    },
    async writeAll(steps) {
      for (const { className } of steps.filter(isWrite)) {
        const free = held.whenFree(className)
        if (free !== undefined) await free
      }
      return write('writeAll', [steps])
    },
    listAfter,
    writeAllLocked(members, compute) {
      const deadline = lockDeadline()
      return withLocks({ exclusive: members.map(keyOfMember), shared: [] }, () => {
        const awaited = members.filter(({ kind }) => kind === 'remove' || kind === 'page')
        return held.during(awaited, async () => {
          // Waits until earlier writes are done: `compute` must see them.
          if (awaited.length > 0) await write('writeAll', [[]], deadline)
          for (;;) {
            const outcomes = await write('writeAll', [await compute({ listAfter })], deadline)
            // Other processes do not know these locks.
            if (outcomes.at(-1)?.outcome !== 'stale' || sharedNow() > deadline) return outcomes
          }
        })
      })
    },
  }
}
