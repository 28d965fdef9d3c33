import type { TokenChoice } from '../store.ts'
import { inTime } from './deadlines.ts'
import type { Param, Run } from './pool.ts'

/** In the transaction that ends tokens, so that it is heard when they are gone. The channel is the schema's name. */
export const TELL_ENDS = "pg_notify(current_schema(), 'tokens')"

/** What a statement removes within its time, however many there are. */
const BATCH = 10_000

/**
 * How many live ones there were. All go, whatever this host takes for now: its clock may be ahead, and another host's
 * word is final. Batch by batch: where all must go at once, those that are gone need not wait for the others.
 */
export async function revokeTokens(write: Run, choice: TokenChoice, now: number): Promise<number> {
  const [condition, ...chosen] = conditionOf(choice)
  let total = 0
  for (;;) {
    // In one order, so that two who revoke at once do not wait for each other.
    const [row] = await write<[ended: number, live: number, told: string]>(
      `WITH ended AS (
        DELETE FROM tokens WHERE id = ANY(ARRAY(
          SELECT id FROM tokens WHERE ${condition} AND ${inTime(chosen.length + 2)} ORDER BY id LIMIT ${BATCH} FOR UPDATE))
        RETURNING expires_at)
      SELECT count(*), count(*) FILTER (WHERE expires_at > $1), ${TELL_ENDS} FROM ended`,
      [now, ...chosen],
    )
    const [ended, live] = row ?? [0, 0]
    total += live
    if (ended < BATCH) return total
  }
}

function conditionOf(choice: TokenChoice): [string, ...Param[]] {
  if (choice === 'all') return ['true']
  return 'tokenId' in choice ? ['id = $2', choice.tokenId] : ['user_id = $2', choice.userId]
}
