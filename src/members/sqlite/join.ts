import type { DatabaseSync } from 'node:sqlite'
import { layoutSetting } from '../layout.ts'
import { formsText, type JoinedClass } from '../migration/plan.ts'
import { hasWholeColumn } from '../query/dialect.ts'
import { createHistoryTable } from './history/history-rows.ts'
import { createLinkedTable, historyTable, tablesOf } from './tables.ts'

/**
 * Lets the process serve members that are stored under a former, compatible API file, while it converts them. Rows get a
 * column for their form, and columns for new keys, whose indexes are built while they are empty.
 */
export function joinClass(db: DatabaseSync, { shape, former, layout }: JoinedClass): void {
  const { members, keys, linked } = tablesOf(former.id)
  const has = (table: string) =>
    db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined
  if (former.layout?.hasForms !== true) {
    const form = former.layout?.forms.at(-1)?.fingerprint ?? 0
    db.exec(`ALTER TABLE ${members} ADD COLUMN form INTEGER NOT NULL DEFAULT ${form}`)
  }
  const known = former.layout?.slots.length ?? 0
  for (const [index, slot] of layout.slots.entries()) {
    if (index < known) continue
    const columns = hasWholeColumn(slot) ? [`k${index}`, `x${index}`] : [`k${index}`]
    for (const name of columns) db.exec(`ALTER TABLE ${keys} ADD COLUMN ${name} ANY`)
    db.exec(`CREATE INDEX ${keys}_${index} ON ${keys} (k${index})`)
    if (slot.isToAccounts) db.exec(createLinkedTable(linked))
  }
  const history = historyTable(former.id)
  if (shape.history !== undefined && !has(history)) db.exec(createHistoryTable(history))
  db.prepare('UPDATE classes SET fingerprint = ?, shapes = ? WHERE id = ?').run(
    ...[shape.fingerprint, formsText(layout), former.id],
  )
  db.prepare('INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run(
    ...[layoutSetting(shape.name), JSON.stringify(layout)],
  )
}
