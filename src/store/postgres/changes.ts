import { CHANGE_COLUMNS, type ChangeRow, sweepText, toChange } from '../changes.ts'
import type { ChangeLog } from '../store.ts'
import type { Pool } from './pool.ts'

/** `place_changes` in schema.ts says how changes get their positions. */
export const openChangeLog = ({ run }: Pool): Omit<ChangeLog, 'watch'> => ({
  async epoch() {
    const [row] = await run<[string]>("SELECT value FROM settings WHERE name = 'epoch'")
    return (row as [string])[0]
  },
  async last() {
    await run('SELECT place_changes()')
    const text = `SELECT ${CHANGE_COLUMNS} FROM changes ORDER BY position DESC LIMIT 1`
    const [row] = await run<ChangeRow>(text)
    return row && toChange(row)
  },
  async after(position, limit) {
    const text = `SELECT ${CHANGE_COLUMNS} FROM changes_after($1::bigint, $2::int)`
    return (await run<ChangeRow>(text, [position, limit])).map(toChange)
  },
  async sweep(now, { ageMs, count }, limit) {
    await run('SELECT place_changes()')
    const text = `${sweepText('$2::bigint', '$3::bigint', '$1')} RETURNING 1`
    return (await run(text, [limit, now - ageMs, count])).length >= limit
  },
})
