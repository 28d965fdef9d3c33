import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AuthStore, Begun } from '../../../src/auth/index.ts'
import { type Open, STORES } from '../../support/stores.ts'

const NOW = Date.UTC(2030, 0, 1)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const LIMITS = { user: { failures: 3, windowMs: 5 * MINUTE }, address: { failures: 5, windowMs: MINUTE } }
const SEVEN = { id: 7, paraphraseHash: 'hash of seven' }
const TOKEN = { hash: 'a', issuedAt: NOW, expiresAt: NOW + 45 * MINUTE }

interface Attempted {
  readonly nonce: string
  readonly address?: string
  readonly userId?: number
  readonly at?: number
  readonly series?: number
}

const begin = (store: AuthStore, { nonce, address = 'here', userId = 7, at = NOW, series = 0 }: Attempted) =>
  store.begin({
    address,
    claimed: userId,
    nonce,
    nonceExpiresAt: at + MINUTE,
    series,
    now: at,
    limits: LIMITS,
  })

function idOf(begun: Begun): number {
  assert.ok(begun.outcome === 'begun', begun.outcome)
  return begun.attemptId
}

/** One failed check; `nonce` names it. */
async function fail(store: AuthStore, attempted: Attempted): Promise<void> {
  await store.fail(idOf(await begin(store, attempted)))
}

const until = (store: AuthStore, now = NOW, userId = 7, address = 'here') =>
  store.throttledUntil({ address, claimed: userId }, LIMITS, now)

for (const { name, open } of STORES) describe(name, () => suite(open))

/** What the gate's step B asks of a store: nonces are spent once, failures are counted and limited. */
function suite(openStore: Open): void {
  const open = async (...args: Parameters<Open>): Promise<AuthStore> => {
    const { auth } = await openStore(...args)
    await auth.addUser(SEVEN, NOW)
    return auth
  }

  test('a nonce is spent by the attempt that begins, and never again', async (t) => {
    const store = await open(t)
    assert.equal(await store.isSpent('n'), false)
    assert.equal((await begin(store, { nonce: 'n' })).outcome, 'begun')
    assert.equal(await store.isSpent('n'), true)
    assert.deepEqual(await begin(store, { nonce: 'n' }), { outcome: 'spent' })
    assert.deepEqual(await begin(store, { nonce: 'n', userId: 8, address: 'there' }), { outcome: 'spent' })
  })

  test('of many attempts at once with one nonce exactly one begins', async (t) => {
    const store = await open(t)
    const attempts = Array.from({ length: 200 }, (_, index) =>
      begin(store, { nonce: 'n', address: `address ${index}` }),
    )
    const outcomes = (await Promise.all(attempts)).map(({ outcome }) => outcome)
    assert.equal(outcomes.filter((outcome) => outcome === 'begun').length, 1)
    assert.equal(outcomes.filter((outcome) => outcome === 'spent').length, 199)
  })

  // contract: The reservation is given back
  test('an attempt that finds its nonce spent reserves nothing', async (t) => {
    const store = await open(t)
    await store.cancel(idOf(await begin(store, { nonce: 'n' })))
    for (let count = 0; count < 10; count += 1) await begin(store, { nonce: 'n' })
    assert.equal((await begin(store, { nonce: 'another' })).outcome, 'begun')
  })

  // contract: Step B in order
  test('a running attempt counts against the limit of its user, and a throttled one spends no nonce', async (t) => {
    const store = await open(t)
    for (const nonce of ['1', '2', '3']) idOf(await begin(store, { nonce }))
    const throttled = { outcome: 'throttled', retryAt: NOW + 5 * MINUTE }
    assert.deepEqual(await begin(store, { nonce: '4' }), throttled)
    assert.equal(await store.isSpent('4'), false)
    assert.equal((await begin(store, { nonce: '4', userId: 8 })).outcome, 'begun')
    assert.equal((await begin(store, { nonce: '5', address: 'there' })).outcome, 'begun')
  })

  test('running attempts of all users count against the limit of their address', async (t) => {
    const store = await open(t)
    for (const userId of [1, 2, 3, 4, 5]) idOf(await begin(store, { nonce: `${userId}`, userId }))
    const throttled = { outcome: 'throttled', retryAt: NOW + MINUTE }
    assert.deepEqual(await begin(store, { nonce: '6', userId: 6 }), throttled)
    assert.equal((await begin(store, { nonce: '6', userId: 6, address: 'there' })).outcome, 'begun')
  })

  test('many attempts at once never go over the limit', async (t) => {
    const store = await open(t)
    const attempts = Array.from({ length: 100 }, (_, index) => begin(store, { nonce: `${index}` }))
    const outcomes = (await Promise.all(attempts)).map(({ outcome }) => outcome)
    assert.equal(outcomes.filter((outcome) => outcome === 'begun').length, LIMITS.user.failures)
  })

  test('a running attempt is not yet a recorded failure', async (t) => {
    const store = await open(t)
    for (const nonce of ['1', '2', '3']) idOf(await begin(store, { nonce }))
    assert.equal(await until(store), undefined)
  })

  test('recorded failures throttle their user until the window has passed', async (t) => {
    const store = await open(t)
    await fail(store, { nonce: '1' })
    await fail(store, { nonce: '2', at: NOW + 1 })
    assert.equal(await until(store, NOW + 2), undefined)
    await fail(store, { nonce: '3', at: NOW + 2 })
    // The first of the three leaves the window first.
    assert.equal(await until(store, NOW + 2), NOW + 5 * MINUTE)
    assert.equal(await until(store, NOW + 5 * MINUTE - 1), NOW + 5 * MINUTE)
    assert.equal(await until(store, NOW + 5 * MINUTE), undefined)
  })

  test('recorded failures throttle nobody else and no other address', async (t) => {
    const store = await open(t)
    for (const nonce of ['1', '2', '3']) await fail(store, { nonce })
    assert.equal(await until(store, NOW, 8), undefined)
    assert.equal(await until(store, NOW, 7, 'there'), undefined)
  })

  test('recorded failures over many users throttle their address until its window has passed', async (t) => {
    const store = await open(t)
    for (const userId of [1, 2, 3, 4, 5]) await fail(store, { nonce: `${userId}`, userId })
    assert.equal(await until(store, NOW, 6), NOW + MINUTE)
    assert.equal(await until(store, NOW + MINUTE, 6), undefined)
    assert.equal(await until(store, NOW, 6, 'there'), undefined)
  })

  test('an attempt that is given back no longer counts, and its nonce stays spent', async (t) => {
    const store = await open(t)
    const ids = []
    for (const nonce of ['1', '2', '3']) ids.push(idOf(await begin(store, { nonce })))
    await store.cancel(ids[0] ?? 0)
    assert.equal((await begin(store, { nonce: '4' })).outcome, 'begun')
    assert.equal(await store.isSpent('1'), true)
  })

  test('an attempt that succeeds no longer counts, and a token is issued', async (t) => {
    const store = await open(t)
    for (let count = 0; count < 10; count += 1) {
      const attemptId = idOf(await begin(store, { nonce: `${count}` }))
      assert.equal(await store.succeed(attemptId, SEVEN, NOW, { ...TOKEN, hash: `${count}` }), true)
    }
    assert.equal((await store.listTokens(NOW)).length, 10)
    assert.equal(await until(store), undefined)
  })

  test('an attempt that succeeds without a token wanted issues none', async (t) => {
    const store = await open(t)
    assert.equal(await store.succeed(idOf(await begin(store, { nonce: 'n' })), SEVEN, NOW), true)
    assert.deepEqual(await store.listTokens(NOW), [])
  })

  test('no token is issued to a user whose paraphrase has changed in the meantime', async (t) => {
    const store = await open(t)
    const attemptId = idOf(await begin(store, { nonce: 'n' }))
    await store.setParaphrase(7, 'new')
    assert.equal(await store.succeed(attemptId, SEVEN, NOW, TOKEN), false)
    assert.equal(await store.findToken('a', NOW), undefined)
  })

  test('no token is issued to a user who is gone in the meantime', async (t) => {
    const store = await open(t)
    const attemptId = idOf(await begin(store, { nonce: 'n' }))
    await store.removeUser(7)
    assert.equal(await store.succeed(attemptId, SEVEN, NOW, TOKEN), false)
    assert.equal(await store.findToken('a', NOW), undefined)
  })

  // contract: The reservation is given back
  test('an attempt whose user has changed keeps its reservation, under which the next check is made', async (t) => {
    const store = await open(t)
    const attemptId = idOf(await begin(store, { nonce: 'n' }))
    await store.setParaphrase(7, 'another hash')
    assert.equal(await store.succeed(attemptId, SEVEN, NOW, TOKEN), false)
    await store.fail(attemptId)
    for (const nonce of ['a', 'b']) await fail(store, { nonce })
    assert.equal(await until(store), NOW + 5 * MINUTE)
  })

  test('a nonce whose row may have been swept begins nothing, however long its request has waited', async (t) => {
    const store = await open(t)
    const late = { address: 'here', claimed: 7, nonce: 'n', nonceExpiresAt: NOW, series: 0, limits: LIMITS }
    assert.equal((await store.begin({ ...late, now: NOW + 29_999 })).outcome, 'begun')
    await store.sweep(NOW + 30_000, LIMITS, 10)
    assert.equal((await store.begin({ ...late, now: NOW + 30_000 })).outcome, 'spent')
  })

  // contract: No nonce is accepted twice
  test('a nonce that a sweep by a clock ahead has removed is not accepted again, and those of the next series are', async (t) => {
    const store = await open(t)
    await store.cancel(idOf(await begin(store, { nonce: 'n' })))
    await store.sweep(NOW + MINUTE + 30_000, LIMITS, 10)
    assert.equal(await store.isSpent('n'), false)
    assert.deepEqual(await begin(store, { nonce: 'n' }), { outcome: 'spent', series: 1 })
    assert.deepEqual(await begin(store, { nonce: 'n' }), { outcome: 'spent', series: 1 })
    // Nor is anything reserved.
    for (let count = 0; count < 10; count += 1) await begin(store, { nonce: `old ${count}` })
    assert.equal((await begin(store, { nonce: 'new', series: 1 })).outcome, 'begun')
    assert.deepEqual(await begin(store, { nonce: 'new', series: 1 }), { outcome: 'spent' })
    assert.equal(await store.nonceSeries(), 1)
  })

  test('a series of nonces begins once, and no earlier one again', async (t) => {
    const store = await open(t)
    assert.equal(await store.nonceSeries(), 0)
    assert.equal((await begin(store, { nonce: 'a', series: 2 })).outcome, 'begun')
    assert.equal(await store.nonceSeries(), 2)
    assert.equal(await store.isSpent('a'), true)
    assert.equal(await store.beginNonceSeries(1), 2)
    assert.deepEqual(await begin(store, { nonce: 'b', series: 1 }), { outcome: 'spent', series: 2 })
    assert.equal(await store.beginNonceSeries(3), 3)
    assert.equal(await store.latestTime(), 0)
    assert.deepEqual(await begin(store, { nonce: 'a', series: 2 }), { outcome: 'spent', series: 3 })
  })

  test('of many attempts at once with one nonce of a new series exactly one begins', async (t) => {
    const store = await open(t)
    const attempts = Array.from({ length: 50 }, (_, index) =>
      begin(store, { nonce: `${index % 2}`, address: `address ${index}`, series: 1 }),
    )
    const outcomes = (await Promise.all(attempts)).map(({ outcome }) => outcome)
    assert.equal(outcomes.filter((outcome) => outcome === 'begun').length, 2)
  })

  // contract: Right clocks are not held up
  test('a failure that lies ahead counts as now', async (t) => {
    const store = await open(t)
    for (const nonce of ['1', '2', '3']) await fail(store, { nonce, at: NOW + 2 * DAY })
    assert.ok(Math.abs(Number(await until(store)) - (NOW + 5 * MINUTE)) < 5_000)
    // After a sweep by the right clock it is one of now, whichever clock has recorded it.
    await store.sweep(NOW, LIMITS, 10)
    assert.ok(Math.abs(Number(await until(store)) - (NOW + 5 * MINUTE)) < 5_000)
  })

  test('a sweep removes what has expired and leaves what has not', async (t) => {
    const store = await open(t)
    await store.succeed(idOf(await begin(store, { nonce: 'token' })), SEVEN, NOW, TOKEN)
    await fail(store, { nonce: 'failure' })

    await store.sweep(NOW + MINUTE, LIMITS, 10)
    // A spent nonce is remembered a little longer than it could be used.
    assert.equal(await store.isSpent('failure'), true)
    await store.sweep(NOW + 2 * MINUTE, LIMITS, 10)
    assert.equal(await store.isSpent('failure'), false)

    const strict = { user: { failures: 1, windowMs: 5 * MINUTE }, address: LIMITS.address }
    const failed = (now: number) => store.throttledUntil({ address: 'here', claimed: 7 }, strict, now)
    await store.sweep(NOW + 5 * MINUTE - 1, LIMITS, 10)
    assert.equal(await failed(NOW), NOW + 5 * MINUTE)
    await store.sweep(NOW + 5 * MINUTE, LIMITS, 10)
    assert.equal(await failed(NOW), undefined)

    await store.sweep(NOW + 45 * MINUTE - 1, LIMITS, 10)
    assert.equal((await store.listTokens(NOW)).length, 1)
    await store.sweep(NOW + 45 * MINUTE, LIMITS, 10)
    assert.equal((await store.listTokens(NOW)).length, 0)
  })

  // contract: A live token ends early only by revocation
  test('a sweep that has waited for its turn leaves tokens that were issued meanwhile', async (t) => {
    const store = await open(t)
    const issuedAt = NOW + MINUTE
    const attemptId = idOf(await begin(store, { nonce: 'n', at: issuedAt }))
    await store.succeed(attemptId, SEVEN, issuedAt, {
      hash: 'a',
      issuedAt,
      expiresAt: issuedAt + 45 * MINUTE,
    })
    await store.sweep(NOW, LIMITS, 10)
    assert.equal((await store.listTokens(issuedAt)).length, 1)
  })

  test('a sweep goes batch by batch and says whether there may be more', async (t) => {
    const store = await open(t)
    const nonces = ['1', '2', '3', '4', '5']
    for (const nonce of nonces) await store.cancel(idOf(await begin(store, { nonce })))
    const left = async () => (await Promise.all(nonces.map((nonce) => store.isSpent(nonce)))).filter(Boolean)
    const later = NOW + 60 * MINUTE
    assert.equal(await store.sweep(later, LIMITS, 2), true)
    assert.equal((await left()).length, 3)
    assert.equal(await store.sweep(later, LIMITS, 2), true)
    assert.equal(await store.sweep(later, LIMITS, 2), false)
    assert.equal((await left()).length, 0)
  })
}
