import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { startSweeper } from '../../src/auth/open-gate.ts'
import { MINUTE, START, together } from '../support/auth-steps.ts'
import { USER } from '../support/client.ts'
import { countRows, newDatabase } from '../support/databases.ts'
import { serve } from '../support/service.ts'
import { openFor } from '../support/stores.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

/** A service at noon whose database was last swept so much later. */
async function warnings(t: Parameters<typeof serve>[0], aheadMs: number): Promise<string[]> {
  const time = { now: NOON }
  const first = await serve(t, { db: newDatabase(t), time })
  const limits = { user: { failures: 1, windowMs: 1 }, address: { failures: 1, windowMs: 1 } }
  await first.store.auth.sweep(NOON + aheadMs, limits, 1)
  await first.close()
  const second = await serve(t, { time, db: first.db })
  // The clock of a database's host is another matter, and not at noon.
  return second.logged.filter((line) => line.includes('the times in the database'))
}

// contract: Hosts are expected to agree within 2 s
test('a clock more than 2 s behind the times in the database is warned about at start, one that agrees is not', async (t) => {
  assert.deepEqual(await warnings(t, 2_000), [])
  const [warning = '', ...others] = await warnings(t, 2_001)
  assert.match(warning, /"level":"warn".*behind/)
  assert.deepEqual(others, [])
})

// contract: Only spent nonces are stored
test('the sweeper removes what has expired, in as many batches as it takes, and nothing else', async (t) => {
  const time = { now: START - 60 * MINUTE }
  const { client, store, db } = await serve(t, { db: newDatabase(t), time })
  const limit = { failures: 1_000_000, windowMs: MINUTE }
  const limits = { user: limit, address: limit }
  const spend = (nonce: string, now: number) =>
    store.auth.begin({
      address: 'x',
      claimed: USER,
      nonce,
      nonceExpiresAt: now + MINUTE,
      series: 0,
      now,
      limits,
    })
  // More than two batches of 20, long expired; and then one of each kind that has not.
  await client.signIn()
  await together(50, (index) => spend(`old ${index}`, time.now))
  time.now = START
  await spend('young', START)
  const token = await client.signIn()
  const before = await countRows(db)

  t.mock.timers.enable({ apis: ['setInterval'] })
  const errors: unknown[] = []
  const sweeper = startSweeper(
    () => store.auth.sweep(time.now, limits, 20),
    (error) => errors.push(error),
  )
  t.mock.timers.tick(MINUTE - 1)
  await turn()
  assert.deepEqual(await countRows(db), before)
  t.mock.timers.tick(1)
  for (let turns = 0; turns < 100 && (await countRows(db)).attempts !== 1; turns += 1) await turn()
  await sweeper.stop()

  assert.deepEqual(errors, [])
  const removed = Object.entries(await countRows(db)).map(([name, rows]) => [
    name,
    (before[name] ?? 0) - rows,
  ])
  assert.deepEqual(
    removed.filter(([, rows]) => rows !== 0).sort(),
    // The time of the sweep is a setting that is new.
    [
      ['attempts', 50],
      ['settings', -1],
      ['spent_nonces', 51],
      ['tokens', 1],
    ],
  )
  assert.equal(await store.auth.isSpent('young'), true)
  assert.equal((await client.send('GET', '/books', { 'X-Authorization': token })).status, 200)
})

test('a sweep that fails is reported, and the next one tries again', async (t) => {
  const store = await openFor(t, 'sqlite::memory:')
  await store.close()
  t.mock.timers.enable({ apis: ['setInterval'] })
  const errors: unknown[] = []
  const limit = { failures: 1, windowMs: MINUTE }
  const sweeper = startSweeper(
    () => store.auth.sweep(Date.now(), { user: limit, address: limit }, 500),
    (error) => errors.push(error),
  )
  for (const count of [1, 2]) {
    t.mock.timers.tick(MINUTE)
    for (let turns = 0; turns < 100 && errors.length < count; turns += 1) await turn()
    assert.equal(errors.length, count)
  }
  await sweeper.stop()
})
