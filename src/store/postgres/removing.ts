import type { Removed } from '../store.ts'
import { type Form, literal, type WrittenClass } from './class-writing.ts'
import type { Pool, Run } from './pool.ts'
import { retrying } from './retrying.ts'
import { countText } from './totals.ts'

/** So many of those who link to a member are named when it cannot be removed. */
const NAMED = 10
/** So many links are looked at for that: a million may lead to it, and one member may have some of them. */
const LOOKED_AT = 1_000

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
  const sources = await run<[className: string, id: string]>(cls.textOf(removeText), [sequence, id])
  if (sources.length === 0) return { outcome: 'removed' }
  return { outcome: 'linked', from: sources.map(([className, source]) => ({ className, id: source })) }
}

/** Its rows are those who link to the member, other than itself; it is removed where there are none. */
const removeText: Form = ({ tables, name }) => {
  const { members, values, words, classId } = tables
  const ofRemoved = 'WHERE sequence IN (SELECT sequence FROM removed)'
  return `
    WITH sources AS MATERIALIZED (
      SELECT DISTINCT from_class, from_id FROM (
        SELECT from_class, from_id FROM links
        WHERE to_class = ${literal(name)} AND to_id = $2 AND NOT (from_class = ${literal(name)} AND from_id = $2)
        LIMIT ${LOOKED_AT}
      ) AS link
      LIMIT ${NAMED}
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
    SELECT from_class, from_id FROM sources`
}
