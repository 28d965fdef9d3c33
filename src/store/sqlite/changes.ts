import type { DatabaseSync } from 'node:sqlite'
import { CHANGE_COLUMNS, type ChangeRow, sweepText, toChange } from '../changes.ts'
import type { ChangeLog, History } from '../store.ts'
import { arrays } from './connection.ts'
import { reading } from './errors.ts'
import type { FileWatch } from './file-watch.ts'

/** One process writes at a time: a change has its position when it is committed, and all before it were. */
export function openChangeLog(db: DatabaseSync, file: FileWatch): Omit<ChangeLog, 'watch' | 'sweep'> {
  const epoch = arrays(db, "SELECT value FROM settings WHERE name = 'epoch'")
  const last = arrays(db, `SELECT ${CHANGE_COLUMNS} FROM changes ORDER BY position DESC LIMIT 1`)
  const after = arrays(
    db,
    `SELECT ${CHANGE_COLUMNS} FROM changes WHERE position > ? ORDER BY position LIMIT +?`,
  )
  const read = <T>(work: () => T): T =>
    reading(() => {
      file.glance()
      return work()
    })
  return {
    epoch: () => read(() => (epoch.get() as unknown as [string])[0]),
    last: () =>
      read(() => {
        const row = last.get() as unknown as ChangeRow | undefined
        return row && toChange(row)
      }),
    after: (position, limit) =>
      read(() => (after.all(position, limit) as unknown as ChangeRow[]).map(toChange)),
  }
}

/** Within a transaction of the group commit. */
export function createChangeSweep(db: DatabaseSync) {
  const sweep = db.prepare(sweepText('?2', '?3', '?1'))
  return (now: number, { ageMs, count }: History, limit: number): boolean =>
    Number(sweep.run(limit, now - ageMs, count).changes) >= limit
}
