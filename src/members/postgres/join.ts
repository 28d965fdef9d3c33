import type { RunSql, Transaction } from '../../database/postgres/pool.ts'
import { type KeySlot, type Layout, layoutSetting } from '../layout.ts'
import { formsText, type JoinedClass } from '../migration/plan.ts'
import { hasWholeColumn } from '../query/dialect.ts'
import { createHistoryIndexes, createHistoryTable } from './history/history-statements.ts'
import { lockTables } from './locking.ts'
import { hasTable, historyTable, membersTable } from './tables.ts'
import { countByTrigger } from './totals.ts'

/** Building an index over this many members takes less time than a write may wait. */
export const FEW_MEMBERS = 5_000
/** Requests for the class wait this long at most, again and again until no statement runs that keeps the lock. */
const LONGEST_LOCK_MS = 200

/**
 * Lets hosts with a compatible API file serve beside those with the former one. Rows get a column for their form; the table
 * is renamed for it, so that a version of Hydrant that does not know forms cannot write to it. Only the catalog changes.
 */
export async function joinClass({ run, script }: Transaction, joined: JoinedClass): Promise<void> {
  const { shape, former, layout } = joined
  const members = membersTable(former.id, true)
  await script(lockTables([former.members], 'ACCESS EXCLUSIVE', LONGEST_LOCK_MS))
  if (former.layout?.hasForms !== true) {
    const [form] = former.layout?.forms.slice(-1) ?? []
    await script(`ALTER TABLE ${former.members} RENAME TO ${members};
      ALTER TABLE ${members} ADD COLUMN form bigint NOT NULL DEFAULT ${form?.fingerprint ?? 0}`)
  }
  const known = former.layout?.slots ?? []
  const slots = layout.slots.map((slot, index) =>
    index >= known.length && former.total > FEW_MEMBERS ? { ...slot, isPending: true as const } : slot,
  )
  for (const [index, slot] of slots.entries()) {
    if (index >= known.length) await script(addedSlot(joined, slot, index))
    else if (known[index]?.unique && !slot.unique)
      await script(`DROP INDEX IF EXISTS members_${former.id}_${index}_unique`)
  }
  const history = historyTable(former.id)
  if (shape.history !== undefined && !(await hasTable(run, history)))
    await script(createHistoryTable(history) + createHistoryIndexes(history))
  await saveLayout(run, shape.name, { ...layout, slots })
  await run('UPDATE classes SET fingerprint = $2, shapes = $3 WHERE id = $1', [
    ...[former.id, shape.fingerprint, formsText(layout)],
  ])
}

/** The column of a new key. Its index is built at once if that is quick, and otherwise later, while members are written. */
function addedSlot({ former: { id, total } }: JoinedClass, slot: KeySlot, index: number): string {
  const members = membersTable(id, true)
  const columns = hasWholeColumn(slot) ? [`k${index}`, `x${index}`] : [`k${index}`]
  return [
    ...columns.map((name) => `ALTER TABLE ${members} ADD COLUMN ${name} text COLLATE "C";`),
    ...(total <= FEW_MEMBERS ? [`${slotIndex(members, index)};`] : []),
    ...(slot.isCountedByTrigger ? [countByTrigger(id, slot, index)] : []),
  ].join('\n')
}

/** `how`: `CONCURRENTLY`, or empty within a transaction. */
export const slotIndex = (members: string, index: number, how = ''): string =>
  `CREATE INDEX ${how} IF NOT EXISTS ${members}_${index} ON ${members} (k${index}, sequence)`

export async function saveLayout(run: RunSql, className: string, layout: Layout): Promise<void> {
  await run('INSERT INTO settings VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value', [
    layoutSetting(className),
    JSON.stringify(layout),
  ])
}
