import type { FailureLimits } from '../store.ts'
import type { Run } from './pool.ts'

/**
 * Several hosts sweep at once: each takes what no other is about to remove. The rows are chosen in an array, which is made
 * once; as a join, the choice might be made again and again, and the limit with it.
 */
const removal = (table: string, key: string, isOver: string): string =>
  `DELETE FROM ${table} WHERE ${key} = ANY(ARRAY(
    SELECT ${key} FROM ${table} WHERE ${isOver} LIMIT $3 FOR UPDATE SKIP LOCKED)) RETURNING 1`

const SWEEP = `
  WITH ended AS (${removal('tokens', 'id', 'expires_at <= $1')}),
    forgotten AS (${removal('spent_nonces', 'nonce', 'expires_at <= $1')}),
    forgiven AS (${removal('attempts', 'id', 'at <= $2')}),
    remembered AS (
      INSERT INTO settings VALUES ('swept_at', $1::bigint::text) ON CONFLICT (name) DO UPDATE SET value = excluded.value
        WHERE settings.value::bigint < excluded.value::bigint)
  SELECT greatest(
    (SELECT count(*) FROM ended), (SELECT count(*) FROM forgotten), (SELECT count(*) FROM forgiven))`

/** True when there may be more. */
export async function sweep(run: Run, now: number, limits: FailureLimits, limit: number): Promise<boolean> {
  const longestWindowMs = Math.max(limits.user.windowMs, limits.address.windowMs)
  const [row] = await run<[number]>(SWEEP, [now, now - longestWindowMs, limit])
  return (row?.[0] ?? 0) >= limit
}
