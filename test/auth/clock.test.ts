import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/service.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

/** A service at noon whose database was last swept so much later. */
async function warnings(t: Parameters<typeof serve>[0], aheadMs: number): Promise<string[]> {
  const time = { now: NOON }
  const first = await serve(t, { time })
  const limits = { user: { failures: 1, windowMs: 1 }, address: { failures: 1, windowMs: 1 } }
  await first.store.auth.sweep(NOON + aheadMs, limits, 1)
  await first.close()
  const second = await serve(t, { time, db: first.db })
  // The clock of a database's host is another matter, and not at noon.
  return second.logged.filter((line) => line.includes('the times in the database'))
}

test('a clock more than 2 s behind the times in the database is warned about at start, one that agrees is not', async (t) => {
  assert.deepEqual(await warnings(t, 2_000), [])
  const [warning = '', ...others] = await warnings(t, 2_001)
  assert.match(warning, /"level":"warn".*behind/)
  assert.deepEqual(others, [])
})
