import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import { DEFAULT_LIMITS } from '../../src/auth/throttle.ts'
import { together } from '../support/auth-steps.ts'
import { stepB } from '../support/client.ts'
import { newPostgres, onPostgres } from '../support/postgres.ts'
import { serve } from '../support/service.ts'
import { openFor } from '../support/stores.ts'
import { eventually } from './hosts.ts'

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
  await stores[0]?.auth.addUser({ id: 7, paraphraseHash: 'hash' }, NOW)
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

test('a nonce that a host whose clock is ahead has swept is not accepted again, and the next one is', async (t) => {
  const db = newPostgres(t)
  const [behind, ahead] = [{ now: NOW }, { now: NOW + 60_000 }]
  const { client } = await serve(t, { db, time: behind })
  const { store } = await serve(t, { db, time: ahead })
  const nonce = await client.nonce()
  assert.equal((await client.send('GET', '/', stepB(nonce))).status, 200)
  // Still good by the one clock, and by the other as long past as its row is kept.
  for (const time of [behind, ahead]) time.now += 271_000
  await store.auth.sweep(ahead.now, DEFAULT_LIMITS, BATCH)
  assert.equal(await store.auth.isSpent(nonce), false)
  const again = await client.send('GET', '/', stepB(nonce))
  assert.equal(again.status, 401)
  const next = again.headers['x-authentication'] ?? ''
  assert.equal((await client.send('GET', '/', stepB(next))).status, 200)
})

test('nobody is let in between the removal of a spent nonce and the time of the sweep', async (t) => {
  const db = newPostgres(t)
  const { auth } = await openFor(t, db)
  const attempt = {
    address: 'here',
    claimed: 7,
    nonce: 'n',
    nonceExpiresAt: NOW + 60_000,
    series: 0,
    now: NOW,
    limits: DEFAULT_LIMITS,
  }
  assert.equal((await auth.begin(attempt)).outcome, 'begun')
  // A sweep that has not been committed yet, by a clock that is ahead.
  const sweptAt = NOW + 90_000
  const sweeper = postgres(db, { max: 1, onnotice: () => {} })
  t.after(() => sweeper.end())
  await sweeper.unsafe('BEGIN').simple()
  await sweeper.unsafe("DELETE FROM spent_nonces WHERE nonce = 'n'").simple()
  await sweeper.unsafe(`INSERT INTO settings VALUES ('swept_at', '${sweptAt}')`).simple()
  const again = auth.begin(attempt)
  await eventually('the second attempt waits', async () => {
    const waiting = await onPostgres(
      db,
      "SELECT 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted",
    )
    return waiting.length > 0
  })
  await sweeper.unsafe('COMMIT').simple()
  assert.deepEqual(await again, { outcome: 'spent', series: 1 })
})
