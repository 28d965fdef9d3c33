import { AHEAD_MS } from '../../../database/index.ts'
import type { Param } from '../../../database/postgres/connection.ts'
import type { Pool, RunSql } from '../../../database/postgres/pool.ts'
import {
  CHANGE_COLUMNS,
  type Change,
  type ChangeLog,
  type ChangePage,
  type ChangeRange,
  type ChangeRow,
  plainPage,
  type RangesRead,
  rangesPage,
  sweepText,
  toChange,
  unknownPosition,
} from '../../changes.ts'
import type { ClassSchema } from '../../class-schema.ts'

/**
 * Positions of the range `r`, by its index, written as a comparison of rows in the order of the index: with `class =
 * r.class`, PostgreSQL might read the whole log in the order of positions, and drop the changes of other classes.
 */
const positionsBy = (columns: readonly string[], isSo: string, table = 'changes'): string => {
  const values = columns.map((column) => `r.${column}`)
  return `(SELECT position FROM ${table}
    WHERE ${isSo} AND (${columns}, position) > (${values}, $1::bigint) AND (${columns}) <= (${values})
    ORDER BY ${columns}, position LIMIT $2::int)`
}

const POSITIONS = [
  positionsBy(['class'], 'r.id IS NULL AND r.owner IS NULL AND r.account IS NULL'),
  positionsBy(['class', 'id'], 'r.id IS NOT NULL AND (r.owner IS NULL OR owner = r.owner)'),
  positionsBy(['class', 'owner'], 'r.id IS NULL AND r.owner IS NOT NULL'),
  positionsBy(['class', 'account'], 'r.account IS NOT NULL', 'change_accounts'),
].join(' UNION ALL ')

const ONE = (role: Exclude<keyof RangesRead, 'found'>, position: string): string =>
  `UNION ALL SELECT '${role}', ${CHANGE_COLUMNS} FROM changes WHERE position = ${position}`

/** Reads a page of ranges in one snapshot. Parameters: the position, the limit, the ranges, the classes of the file. */
const IN_RANGES = `
  WITH r AS MATERIALIZED (
    SELECT (value ->> 0) COLLATE "C" AS class, (value ->> 1) COLLATE "C" AS id, (value ->> 2)::bigint AS owner,
      (value ->> 3)::bigint AS account
    FROM json_array_elements($3::text::json) AS list (value)
  ), u AS MATERIALIZED (
    ${unknownPosition('$1::bigint', `SELECT (value #>> '{}') COLLATE "C" FROM json_array_elements($4::text::json) AS list (value)`)}
  )
  SELECT 'found' AS role, ${CHANGE_COLUMNS} FROM changes WHERE position = ANY (ARRAY(
    SELECT p.position FROM r CROSS JOIN LATERAL (${POSITIONS}) AS p ORDER BY p.position LIMIT $2::int))
  ${ONE('last', '(SELECT max(position) FROM changes)')}
  ${ONE('next', '$1::bigint + 1')}
  ${ONE('unknown', '(SELECT min FROM u)')}
  ${ONE('beforeUnknown', '(SELECT min FROM u) - 1')}`

/** Pages of some ranges. `names`: the classes of the API file, as JSON. */
const createRangePages =
  (run: RunSql, names: string) =>
  async (position: number, limit: number, ranges: readonly ChangeRange[]): Promise<ChangePage> => {
    const given = ranges.map(({ className, id = null, owner = null, account = null }) => [
      className,
      id,
      owner,
      account,
    ])
    const params = [position, limit, JSON.stringify(given), names]
    const rows = await run<[role: keyof RangesRead, ...ChangeRow]>(IN_RANGES, params)
    const all = (wanted: keyof RangesRead): Change[] =>
      rows.flatMap(([role, ...row]) => (role === wanted ? [toChange(row)] : []))
    const one = (wanted: keyof RangesRead): Change | undefined => all(wanted)[0]
    const read = {
      found: all('found').sort((a, b) => a.position - b.position),
      last: one('last'),
      next: one('next'),
      unknown: one('unknown'),
      beforeUnknown: one('beforeUnknown'),
    }
    return rangesPage(read, position, limit)
  }

const SWEEP = `${sweepText({
  limit: '$1',
  oldest: '$2::bigint',
  newest: '$3::bigint',
  count: '$4::bigint',
  from: '$5::bigint',
  oldestFollowed: '$6::bigint',
})} RETURNING 1`

/** Places all changes committed before the call: one call of the SQL function places some thousands. */
export async function placeAll(run: RunSql): Promise<void> {
  while ((await run<[boolean]>('SELECT place_changes()'))[0]?.[0] === true);
}

/** `database/postgres/placement.ts` says how changes get their positions. */
export function openChangeLog({ run }: Pool, shapes: readonly ClassSchema[]): Omit<ChangeLog, 'watch'> {
  const classNames = new Set(shapes.map(({ name }) => name))
  const allClasses = [...classNames].map((className) => ({ className }))
  const afterIn = createRangePages(run, JSON.stringify([...classNames]))

  async function one(text: string, params: readonly Param[] = []): Promise<Change | undefined> {
    const [row] = await run<ChangeRow>(`SELECT ${CHANGE_COLUMNS} FROM changes ${text}`, params)
    return row && toChange(row)
  }

  return {
    async epoch() {
      const [row] = await run<[string]>("SELECT value FROM settings WHERE name = 'epoch'")
      return (row as [string])[0]
    },
    async last() {
      await placeAll(run)
      return one('ORDER BY position DESC LIMIT 1')
    },
    find: (position) => one('WHERE position = $1::bigint', [position]),
    async findNext({ className, id }, position) {
      await placeAll(run)
      // Compared as in `positionsBy`.
      const isLater = '(class, id, position) > ($1, $2, $3::bigint) AND (class, id) <= ($1, $2)'
      return one(`WHERE ${isLater} ORDER BY class, id, position LIMIT 1`, [className, id, position])
    },
    async after(position, limit, ranges) {
      if (ranges !== undefined) {
        // Otherwise the end of a page would depend on changes that it does not show.
        await placeAll(run)
        return afterIn(position, limit, ranges)
      }
      const text = `SELECT ${CHANGE_COLUMNS} FROM changes_after($1::bigint, $2::int)`
      const changes = (await run<ChangeRow>(text, [position, limit])).map(toChange)
      return plainPage(changes, { position, limit }, classNames) ?? afterIn(position, limit, allClasses)
    },
    async sweep(now, { ageMs, count, followedMs = 0 }, limit) {
      await placeAll(run)
      const [[first] = [null]] = await run<[number | null]>('SELECT first_position()')
      const params = [limit, now - ageMs, now + AHEAD_MS, count, first ?? 0, now - followedMs]
      return (await run(SWEEP, params)).length >= limit
    },
  }
}
