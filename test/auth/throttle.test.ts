import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '../../src/config/index.ts'
import type { Store } from '../../src/store/index.ts'
import {
  assertChallenged,
  assertExchanged,
  MINUTE,
  SECOND,
  START,
  tally,
  together,
} from '../support/auth-steps.ts'
import { type Headers, stepB, USER } from '../support/client.ts'
import { countRows, newDatabase } from '../support/databases.ts'
import { serve } from '../support/service.ts'
import { assertThrottled, startThrottled } from './throttled.ts'

/** Failures of the user at the address of all tests: begun, as over the wire, but without the hash that each takes. */
async function fail({ auth }: Store, times: number, now: number = START): Promise<void> {
  const { limits } = readConfig({}, {})
  for (let count = 0; count < times; count += 1) {
    const spending = { nonce: randomUUID(), nonceExpiresAt: now + MINUTE, series: 0, now }
    assert.equal(
      (await auth.begin({ address: '127.0.0.1', claimed: USER, ...spending, limits })).outcome,
      'begun',
    )
  }
}

// contract: **Deliberate departures from the seed
// contract: Per client address (IPv4, or IPv6 /64) and user
test('after 20 wrong passphrases for a user from one address even the right one gets 429 for 5 minutes', async (t) => {
  const { service, time, attempt } = await startThrottled(t)
  await fail(service.store, 17)
  for (let count = 17; count < 20; count += 1) assertChallenged(await attempt())
  time.now += SECOND
  const headers = stepB(await service.client.nonce())
  assertThrottled(await service.client.send('GET', '/books', headers), 299)
  time.now = START + 5 * MINUTE - 1
  assertThrottled(await service.client.send('GET', '/books', headers), 1)
  // The nonce was not spent: it works as soon as the window has passed.
  time.now = START + 5 * MINUTE
  assertExchanged(await service.client.send('GET', '/books', headers))
})

test('the window moves: each failure counts until it is old enough', async (t) => {
  const { time, attempt } = await startThrottled(t, { userFailures: '2/1m' })
  await attempt()
  time.now += 40 * SECOND
  await attempt()
  assertThrottled(await attempt(), 20)
  time.now += 20 * SECOND
  assertChallenged(await attempt())
  assertThrottled(await attempt(), 40)
})

test('a request that is throttled is not counted itself', async (t) => {
  const { time, attempt } = await startThrottled(t, { userFailures: '2/1m' })
  await attempt()
  await attempt()
  for (let count = 0; count < 5; count += 1) {
    time.now += 10 * SECOND
    assert.equal((await attempt()).status, 429)
  }
  time.now = START + MINUTE
  assertChallenged(await attempt())
})

// contract: Step B in order
test('a spent nonce gets step A also while its user is throttled', async (t) => {
  const { service, attempt } = await startThrottled(t, { userFailures: '1/5m' })
  const spent = await service.client.nonce()
  assertChallenged(await service.client.send('GET', '/books', stepB(spent, USER, 'wrong')))
  assertChallenged(await service.client.send('GET', '/books', stepB(spent)))
  assertThrottled(await attempt(), 300)
})

// contract: No response tells whether a user exists
// contract: Unknown ids count like known ones
test('an unknown user is throttled like a known one, with the same words', async (t) => {
  const { attempt } = await startThrottled(t, { userFailures: '3/5m' })
  const answers: string[] = []
  for (const user of [USER, 999]) {
    for (let count = 0; count < 3; count += 1) assertChallenged(await attempt(user))
    const response = await attempt(user)
    assertThrottled(response, 300)
    answers.push(response.body)
  }
  assert.equal(answers[0], answers[1])
})

test('a user who is throttled does not hold up another at the same address', async (t) => {
  const { service, attempt } = await startThrottled(t, { userFailures: '2/5m' })
  await attempt(999)
  await attempt(999)
  assertThrottled(await attempt(999), 300)
  await service.client.exchange()
})

// contract: Per client address (IPv4, or IPv6 /64) and user
test('the failures of one address over many users are limited too', async (t) => {
  const { time, attempt } = await startThrottled(t, { addressFailures: '6/1m' })
  for (let user = 100; user < 106; user += 1) assertChallenged(await attempt(user))
  assertThrottled(await attempt(106), 60)
  assertThrottled(await attempt(USER, 'wrong'), 60)
  time.now += MINUTE
  assertChallenged(await attempt(106))
})

test('the longer of two waits is told', async (t) => {
  const { attempt } = await startThrottled(t, { userFailures: '2/5m', addressFailures: '2/1m' })
  await attempt()
  await attempt()
  assertThrottled(await attempt(), 300)
  assertThrottled(await attempt(999), 60)
})

// contract: Only a failed check of a paraphrase counts
test('correct exchanges are not counted', async (t) => {
  const { service, attempt } = await startThrottled(
    t,
    { userFailures: '3/5m', addressFailures: '3/1m' },
    newDatabase(t),
  )
  for (let count = 0; count < 4; count += 1) await service.client.exchange()
  assert.equal((await countRows(service.db)).attempts, 0)
  assertChallenged(await attempt())
})

// contract: Only a failed check of a paraphrase counts
test('requests that never reach a check of the paraphrase are not counted', async (t) => {
  const { service } = await startThrottled(
    t,
    { userFailures: '1/5m', addressFailures: '1/1m' },
    newDatabase(t),
  )
  const { client, db } = service
  const spent = await client.nonce()
  await client.send('GET', '/books', stepB(spent))
  const claims: readonly Headers[] = [
    stepB(spent, USER, 'wrong'),
    stepB('00000000-0000-8000-8000-000000000000', USER, 'wrong'),
    stepB(await client.nonce(), '07', 'wrong'),
    { 'X-Authorization': 'f'.repeat(64) },
  ]
  for (const headers of claims) assertChallenged(await client.send('GET', '/books', headers))
  assert.equal((await countRows(db)).attempts, 0)
  await client.exchange()
})

test('as many correct exchanges at once as may fail all succeed', async (t) => {
  const { client } = await serve(t, { flags: { userFailures: '5/5m' } })
  const nonces = await together(5, () => client.nonce())
  const responses = await Promise.all(nonces.map((nonce) => client.send('GET', '/books', stepB(nonce))))
  assert.deepEqual(tally(responses), { 200: 5 })
})

test('50 wrong guesses in parallel cost no more checks than the limit allows', async (t) => {
  const { client, db, store } = await serve(t, { db: newDatabase(t) })
  await fail(store, 15, Date.now())
  const nonces = await together(50, () => client.nonce())
  const responses = await Promise.all(
    nonces.map((nonce) => client.send('GET', '/books', stepB(nonce, USER, 'wrong'))),
  )
  assert.deepEqual(tally(responses), { 401: 5, 429: 45 })
  assert.equal((await countRows(db)).attempts, 20)
  assert.equal((await countRows(db)).spent_nonces, 20)
})

test('wrong guesses in parallel on two services of one database share the limit', async (t) => {
  const first = await serve(t, { db: newDatabase(t), flags: { userFailures: '5/5m' } })
  const second = await serve(t, { db: first.db, flags: { userFailures: '5/5m' } })
  const nonces = await together(20, () => first.client.nonce())
  const responses = await Promise.all(
    nonces.map((nonce, index) =>
      (index % 2 === 0 ? first : second).client.send('GET', '/books', stepB(nonce, USER, 'wrong')),
    ),
  )
  assert.deepEqual(tally(responses), { 401: 5, 429: 15 })
  assert.equal((await countRows(first.db)).attempts, 5)
})

test('recorded failures outlive a restart', async (t) => {
  const time = { now: START }
  const flags = { userFailures: '1/5m' }
  const before = await serve(t, { db: newDatabase(t), time, flags })
  await before.client.send('GET', '/books', stepB(await before.client.nonce(), USER, 'wrong'))
  await before.close()
  const { client } = await serve(t, { db: before.db, time, flags })
  assertThrottled(await client.send('GET', '/books', stepB(await client.nonce())), 300)
})

test('requests with a token are served while their address is throttled', async (t) => {
  const { service, attempt } = await startThrottled(t, { addressFailures: '1/1m' })
  const token = await service.client.signIn()
  await attempt()
  assert.equal((await attempt()).status, 429)
  const served = await service.client.send('GET', '/books', { 'X-Authorization': token })
  assert.equal(served.status, 200)
})
