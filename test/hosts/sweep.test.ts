import assert from 'node:assert/strict'
import { test } from 'node:test'
import { together } from '../auth/wire.ts'
import { openFor } from '../store/stores.ts'
import { newPostgres, onPostgres } from '../support/postgres.ts'

const NOW = Date.UTC(2030, 0, 1)
const LIMITS = { user: { failures: 1, windowMs: 1_000 }, address: { failures: 1, windowMs: 1_000 } }
const ROWS = 3_000
const BATCH = 100

/** As many of each kind that are over as that are not. */
const FILL = `
  WITH times AS (SELECT n, ${NOW} + CASE WHEN n % 2 = 0 THEN 60000 ELSE -60000 END AS at FROM generate_series(1, ${2 * ROWS}) AS n),
    some_tokens AS (INSERT INTO tokens (hash, user_id, issued_at, expires_at) SELECT n::text, 7, 0, at FROM times),
    some_nonces AS (INSERT INTO spent_nonces SELECT n::text, 0, at FROM times)
  INSERT INTO attempts (address, user_id, at, failed) SELECT 'here', 7, at, 1 FROM times`

test('five hosts that sweep at once remove what is over, and nothing else, and end', async (t) => {
  const db = newPostgres(t)
  const stores = await together(5, () => openFor(t, db))
  await stores[0]?.auth.addUser(7, 'hash', NOW)
  await onPostgres(db, FILL)
  const rounds = await Promise.all(
    stores.map(async ({ auth }) => {
      let count = 1
      while (await auth.sweep(NOW, LIMITS, BATCH)) count += 1
      return count
    }),
  )
  const [left = []] = await onPostgres(
    db,
    `SELECT (SELECT count(*) FROM tokens)::int, (SELECT count(*) FROM spent_nonces)::int,
      (SELECT count(*) FROM attempts)::int, (SELECT count(*) FROM tokens WHERE expires_at <= ${NOW})::int`,
  )
  assert.deepEqual([...left], [ROWS, ROWS, ROWS, 0])
  // No batch is larger than was asked for: thirty full ones in all, and for each host the one that ended it.
  const total = rounds.reduce((sum, count) => sum + count, 0)
  assert.ok(total >= ROWS / BATCH, `${rounds}`)
  assert.equal(await stores[0]?.auth.latestTime(), NOW + 0)
})
