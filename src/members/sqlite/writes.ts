import type { CommandSource, RunCommand, Writer } from '../../database/sqlite/commands.ts'
import { sharedNow } from '../../database/sqlite/connection.ts'
import { lockDeadline } from '../../database/sqlite/database.ts'
import { createLocks } from '../../locks.ts'
import { keyOfMember } from '../member.ts'
import type { MemberStore } from '../member-store.ts'
import type { MemberCommands, StoredClasses } from './commands.ts'

/** The commands that the writer has to load for the members of these classes. */
export const memberCommands = (classes: StoredClasses): CommandSource => ({
  module: new URL('commands', import.meta.url).href,
  data: classes,
})

/** The writes of a MemberStore. `explain`: explains an error. */
export function createWrites(
  writer: Writer<MemberCommands>,
  { findWithHidden }: Pick<MemberStore, 'findWithHidden'>,
  explain: (error: unknown) => unknown,
): Pick<MemberStore, 'add' | 'addAll' | 'change' | 'remove' | 'writeAll' | 'writeAllLocked'> {
  const withLocks = createLocks()
  const write: RunCommand<MemberCommands> = (...args) =>
    writer.write(...args).catch((error: unknown) => {
      throw explain(error)
    })

  return {
    add: (...args) => write('add', args),
    addAll: (...args) => write('addAll', args),
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
          const changed = await write('change', [className, id, version, written], deadline)
          if (changed.outcome === 'stale') continue
          if (changed.outcome !== 'changed') return changed
          const { body, baseUrlOffsets } = written
          return { outcome: 'changed', member: { id, version: changed.version, body, baseUrlOffsets, owner } }
        }
      })
    },
    remove: (...args) => write('remove', args),
    writeAll: (...args) => write('writeAll', args),
    writeAllLocked(members, compute) {
      const deadline = lockDeadline()
      return withLocks({ exclusive: members.map(keyOfMember), shared: [] }, async () => {
        for (;;) {
          const outcomes = await write('writeAll', [await compute()], deadline)
          // Other processes do not know these locks.
          if (outcomes.at(-1)?.outcome !== 'stale' || sharedNow() > deadline) return outcomes
        }
      })
    },
  }
}
