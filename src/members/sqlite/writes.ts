import type { CommandSource, RunCommand, Writer } from '../../database/sqlite/commands.ts'
import { sharedNow } from '../../database/sqlite/connection.ts'
import { lockDeadline } from '../../database/sqlite/database.ts'
import { createLocks } from '../../locks.ts'
import { keyOfMember, type Link } from '../member.ts'
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
  /** Members that writes under locks will remove, with the end of those writes. */
  const going = new Map<string, Promise<void>>()
  const write: RunCommand<MemberCommands> = (...args) =>
    writer.write(...args).catch((error: unknown) => {
      throw explain(error)
    })

  /** Undefined where nothing that the links lead to is about to be removed. */
  function untilGone(links: readonly Link[]): Promise<void> | undefined {
    if (going.size === 0) return undefined
    const link = links.find((one) => going.has(keyOfMember(one)))
    return link && going.get(keyOfMember(link))
  }

  return {
    async add(...args) {
      for (let gone = untilGone(args[1].links); gone !== undefined; gone = untilGone(args[1].links))
        await gone
      return write('add', args)
    },
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
          const gone = untilGone(written.links)
          if (gone !== undefined) {
            await gone
            continue
          }
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
        const { promise: gone, resolve } = Promise.withResolvers<void>()
        const removed = members.filter(({ kind }) => kind === 'remove').map(keyOfMember)
        for (const key of removed) going.set(key, gone)
        try {
          // Until links that were on their way are written: `compute` must see them.
          if (removed.length > 0) await write('writeAll', [[]], deadline)
          for (;;) {
            const outcomes = await write('writeAll', [await compute()], deadline)
            // Other processes do not know these locks.
            if (outcomes.at(-1)?.outcome !== 'stale' || sharedNow() > deadline) return outcomes
          }
        } finally {
          for (const key of removed) going.delete(key)
          resolve()
        }
      })
    },
  }
}
