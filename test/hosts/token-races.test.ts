import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import postgres from 'postgres'
import type { AuthStore } from '../../src/auth/index.ts'
import { newPostgres, onPostgres } from '../support/postgres.ts'
import { openFor } from '../support/stores.ts'
import { eventually } from './hosts.ts'

const NOW = Date.UTC(2030, 0, 1)
const SEVEN = { id: 7, paraphraseHash: 'former' }
const TOKEN = { hash: 'a', issuedAt: NOW, expiresAt: NOW + 1 }
const LIMITS = { user: { failures: 9, windowMs: 9 }, address: { failures: 9, windowMs: 9 } }

interface Race {
  readonly db: string
  readonly auth: AuthStore
  /** A transaction of another host, open until the test commits it. */
  readonly other: postgres.Sql
}

async function start(t: TestContext): Promise<Race> {
  const db = newPostgres(t)
  const { auth } = await openFor(t, db)
  await auth.addUser(SEVEN, NOW)
  // A test that fails must not leave it open: the schema could not be removed.
  const connection = { idle_in_transaction_session_timeout: 5_000 }
  const other = postgres(db, { max: 1, fetch_types: false, connection })
  t.after(() => other.end())
  await other.unsafe('BEGIN')
  return { db, auth, other }
}

/** What another host's exchange does that has verified the former paraphrase. */
async function issueElsewhere({ other }: Race): Promise<void> {
  await other.unsafe("SELECT 1 FROM users WHERE id = 7 AND paraphrase_hash = 'former' FOR SHARE")
  await other.unsafe(
    `INSERT INTO tokens (hash, user_id, issued_at, expires_at) VALUES ('a', 7, ${NOW}, ${NOW + 1})`,
  )
}

/** Commits when somebody waits for it. */
async function commitAwaited({ db, other }: Race): Promise<void> {
  const [own] = await other.unsafe('SELECT pg_backend_pid() AS pid')
  await eventually('somebody waits', async () => {
    const waiting = await onPostgres(
      db,
      'SELECT 1 FROM pg_stat_activity WHERE $1::int = ANY(pg_blocking_pids(pid))',
      [Number(own?.pid)],
    )
    return waiting.length > 0
  })
  await other.unsafe('COMMIT')
}

async function begin(auth: AuthStore, nonce: string): Promise<number> {
  const attempt = {
    address: 'here',
    claimed: 7,
    nonce,
    nonceExpiresAt: NOW,
    series: 0,
    now: NOW,
    limits: LIMITS,
  }
  const begun = await auth.begin(attempt)
  assert.ok(begun.outcome === 'begun')
  return begun.attemptId
}

test('a token that another host issues for the former paraphrase while a new one is set does not survive', async (t) => {
  const race = await start(t)
  await issueElsewhere(race)
  const [isSet] = await Promise.all([race.auth.setParaphrase(7, 'new'), commitAwaited(race)])
  assert.equal(isSet, true)
  assert.equal(await race.auth.findToken('a', NOW), undefined)
  assert.deepEqual(await race.auth.listTokens(NOW), [])
})

test('a token that another host issues while its user is removed does not survive', async (t) => {
  const race = await start(t)
  await issueElsewhere(race)
  const [isRemoved] = await Promise.all([race.auth.removeUser(7), commitAwaited(race)])
  assert.equal(isRemoved, true)
  assert.equal(await race.auth.findToken('a', NOW), undefined)
})

test('an exchange that waits for a new paraphrase of another host issues no token for the former one', async (t) => {
  const race = await start(t)
  const attemptId = await begin(race.auth, 'n')
  await race.other.unsafe("UPDATE users SET paraphrase_hash = 'new' WHERE id = 7")
  const [isIssued] = await Promise.all([race.auth.succeed(attemptId, SEVEN, NOW, TOKEN), commitAwaited(race)])
  assert.equal(isIssued, false)
  assert.equal(await race.auth.findToken('a', NOW), undefined)
  // The reservation stays, under which the caller checks again.
  assert.equal((await onPostgres(race.db, 'SELECT 1 FROM attempts')).length, 1)
})

test('an exchange that waits for the removal of its user on another host issues no token', async (t) => {
  const race = await start(t)
  const attemptId = await begin(race.auth, 'n')
  await race.other.unsafe('DELETE FROM users WHERE id = 7')
  const [isIssued] = await Promise.all([race.auth.succeed(attemptId, SEVEN, NOW, TOKEN), commitAwaited(race)])
  assert.equal(isIssued, false)
})

test('an attempt waits for one of the same address that another host has begun, and counts it', async (t) => {
  const race = await start(t)
  const strict = { user: { failures: 1, windowMs: 1_000 }, address: { failures: 9, windowMs: 1_000 } }
  await race.other.unsafe(
    `SELECT begin_attempt('here', 7, ${NOW}, 1, 1000, 9, 1000, 'another nonce', ${NOW + 60_000})`,
  )
  const attempt = {
    address: 'here',
    claimed: 7,
    nonce: 'n',
    nonceExpiresAt: NOW,
    series: 0,
    now: NOW,
    limits: strict,
  }
  const [begun] = await Promise.all([race.auth.begin(attempt), commitAwaited(race)])
  assert.deepEqual(begun, { outcome: 'throttled', retryAt: NOW + 1_000 })
  // Of another address, nobody waits.
  assert.equal((await race.auth.begin({ ...attempt, address: 'there' })).outcome, 'begun')
})
