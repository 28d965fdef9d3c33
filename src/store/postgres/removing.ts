import { type LinkerRow, LOOKED_AT, linkersIn } from '../linkers.ts'
import type { Removed } from '../store.ts'
import { type Form, literal, type WrittenClass } from './class-writing.ts'
import type { Pool, Run } from './pool.ts'
import { retrying } from './retrying.ts'
import { countText } from './totals.ts'

/** `expected`: versions that may be removed; undefined for any. */
export const remove = (
  pool: Pool,
  cls: WrittenClass,
  id: string,
  expected: readonly number[] | undefined,
): Promise<Removed> => retrying(() => pool.transaction(({ run }) => removeWithin(run, cls, id, expected)))

/**
 * Two statements: whoever was about to link to it holds it until he has, and the first one waits for him; only what
 * begins after that sees his link. From then on nobody new can link to it.
 */
async function removeWithin(
  run: Run,
  cls: WrittenClass,
  id: string,
  expected: readonly number[] | undefined,
): Promise<Removed> {
  const [row] = await run<[sequence: number, version: number]>(
    `SELECT sequence, version FROM ${cls.tables.members} WHERE id = $1 FOR UPDATE`,
    [id],
  )
  if (row === undefined) return { outcome: 'missing' }
  const [sequence, version] = row
  if (expected !== undefined && !expected.includes(version)) return { outcome: 'stale', version }
  const sources = await run<LinkerRow>(cls.textOf(REMOVE), [sequence, id])
  return sources.length === 0 ? { outcome: 'removed' } : { outcome: 'linked', from: linkersIn(sources) }
}

/** Its rows are the links of others to the member; it is removed where there are none. */
export const REMOVE: Form = ({ tables, name }) => {
  const { members, values, words, classId } = tables
  const ofRemoved = 'WHERE sequence IN (SELECT sequence FROM removed)'
  return `
    WITH sources AS MATERIALIZED (
      SELECT from_class, from_id, property FROM links
      WHERE to_class = ${literal(name)} AND to_id = $2 AND NOT (from_class = ${literal(name)} AND from_id = $2)
      LIMIT ${LOOKED_AT}
    ),
    removed AS (
      DELETE FROM ${members} WHERE sequence = $1 AND NOT EXISTS (SELECT FROM sources) RETURNING sequence, words
    ),
    unlinked AS (
      DELETE FROM links WHERE from_class = ${literal(name)} AND from_id = $2 AND EXISTS (SELECT FROM removed)
    ),
    unvalued AS (DELETE FROM ${values} ${ofRemoved}),
    unworded AS (
      DELETE FROM ${words} AS one USING (SELECT sequence, unnest(words) AS word FROM removed) AS gone
      WHERE one.word = gone.word AND one.sequence = gone.sequence
    ),
    counted AS (${countText(classId, 'SELECT -count(*) AS more FROM removed')})
    SELECT from_class, from_id, property FROM sources`
}
