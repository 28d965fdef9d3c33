import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Flags } from '../../src/config/config.ts'
import { type Headers, stepB, type TestResponse, USER } from '../support/client.ts'
import { countRows, newDatabase } from '../support/databases.ts'
import { serve, type TestService } from '../support/service.ts'
import { assertChallenged, assertExchanged, MINUTE, SECOND, START, tally, together } from './wire.ts'

interface Throttled {
  readonly service: TestService
  readonly time: { now: number }
  /** One attempt with a nonce of its own. */
  attempt(user?: number, paraphrase?: string, more?: Headers): Promise<TestResponse>
}

async function start(t: TestContext, flags: Flags = {}, db?: string): Promise<Throttled> {
  const time = { now: START }
  const service = await serve(t, { time, flags, ...(db === undefined ? {} : { db }) })
  const { client } = service
  return {
    service,
    time,
    attempt: async (user = USER, paraphrase = 'wrong', more = {}) =>
      client.send('GET', '/books', { ...stepB(await client.nonce(), user, paraphrase), ...more }),
  }
}

/** 429 in the seed's form, whatever was asked for (authentication.md, The gate). */
function assertThrottled(response: TestResponse, seconds: number): void {
  assert.equal(response.status, 429)
  assert.equal(response.headers['retry-after'], String(seconds))
  assert.equal(response.headers['content-type'], 'application/ld+json')
  assert.equal(response.headers['cache-control'], 'no-store')
  assert.equal(response.headers['x-authorization'], undefined)
  assert.deepEqual(Object.keys(response.json()), ['429'])
  assert.equal(typeof response.json()['429'], 'string')
}

const forwarded = (address: string): Headers => ({ 'X-Forwarded-For': address })

// contract: **Deliberate departures from the seed
// contract: Per client address (IPv4, or IPv6 /64) and user
test('after 20 wrong paraphrases for a user from one address even the right one gets 429 for 5 minutes', async (t) => {
  const { service, time, attempt } = await start(t)
  for (let count = 0; count < 20; count += 1) assertChallenged(await attempt())
  time.now += SECOND
  const headers = stepB(await service.client.nonce())
  assertThrottled(await service.client.send('GET', '/books', headers), 299)
  time.now = START + 5 * MINUTE - 1
  assertThrottled(await service.client.send('GET', '/books', headers), 1)
  // The nonce was not spent: it works as soon as the window has passed.
  time.now = START + 5 * MINUTE
  assertExchanged(await service.client.send('GET', '/books', headers))
})

// contract: Steps A and B, 429 and 503 of the gate
test('429 keeps the seed form whatever Accept says', async (t) => {
  const { attempt } = await start(t, { userFailures: '1/1m' })
  await attempt()
  for (const accept of ['application/problem+json', 'text/turtle', 'image/png']) {
    assertThrottled(await attempt(USER, 'wrong', { Accept: accept }), 60)
  }
})

test('the window moves: each failure counts until it is old enough', async (t) => {
  const { time, attempt } = await start(t, { userFailures: '2/1m' })
  await attempt()
  time.now += 40 * SECOND
  await attempt()
  assertThrottled(await attempt(), 20)
  time.now += 20 * SECOND
  assertChallenged(await attempt())
  assertThrottled(await attempt(), 40)
})

test('a request that is throttled is not counted itself', async (t) => {
  const { time, attempt } = await start(t, { userFailures: '2/1m' })
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
  const { service, attempt } = await start(t, { userFailures: '1/5m' })
  const spent = await service.client.nonce()
  assertChallenged(await service.client.send('GET', '/books', stepB(spent, USER, 'wrong')))
  assertChallenged(await service.client.send('GET', '/books', stepB(spent)))
  assertThrottled(await attempt(), 300)
})

// contract: No response tells whether a user exists
// contract: Unknown ids count like known ones
test('an unknown user is throttled like a known one, with the same words', async (t) => {
  const { attempt } = await start(t, { userFailures: '3/5m' })
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
  const { service, attempt } = await start(t, { userFailures: '2/5m' })
  await attempt(999)
  await attempt(999)
  assertThrottled(await attempt(999), 300)
  await service.client.exchange()
})

// contract: Per client address (IPv4, or IPv6 /64) and user
test('the failures of one address over many users are limited too', async (t) => {
  const { time, attempt } = await start(t, { addressFailures: '6/1m' })
  for (let user = 100; user < 106; user += 1) assertChallenged(await attempt(user))
  assertThrottled(await attempt(106), 60)
  assertThrottled(await attempt(USER, 'wrong'), 60)
  time.now += MINUTE
  assertChallenged(await attempt(106))
})

test('the longer of two waits is told', async (t) => {
  const { attempt } = await start(t, { userFailures: '2/5m', addressFailures: '2/1m' })
  await attempt()
  await attempt()
  assertThrottled(await attempt(), 300)
  assertThrottled(await attempt(999), 60)
})

// contract: Only a failed check of a paraphrase counts
test('correct exchanges are not counted', async (t) => {
  const { service, attempt } = await start(
    t,
    { userFailures: '3/5m', addressFailures: '3/1m' },
    newDatabase(t),
  )
  for (let count = 0; count < 10; count += 1) await service.client.exchange()
  assert.equal((await countRows(service.db)).attempts, 0)
  assertChallenged(await attempt())
})

// contract: Only a failed check of a paraphrase counts
test('requests that never reach a check of the paraphrase are not counted', async (t) => {
  const { service } = await start(t, { userFailures: '1/5m', addressFailures: '1/1m' }, newDatabase(t))
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

test('20 correct exchanges at once all succeed', async (t) => {
  const { client } = await serve(t)
  const nonces = await together(20, () => client.nonce())
  const responses = await Promise.all(nonces.map((nonce) => client.send('GET', '/books', stepB(nonce))))
  assert.deepEqual(tally(responses), { 200: 20 })
})

test('50 wrong guesses in parallel cost no more checks than the limit allows', async (t) => {
  const { client, db } = await serve(t, { db: newDatabase(t) })
  const nonces = await together(50, () => client.nonce())
  const responses = await Promise.all(
    nonces.map((nonce) => client.send('GET', '/books', stepB(nonce, USER, 'wrong'))),
  )
  assert.deepEqual(tally(responses), { 401: 20, 429: 30 })
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

// contract: A user under attack from one address
test('a user under attack from one address signs in from another', async (t) => {
  const { attempt } = await start(t, { userFailures: '3/5m', trustProxy: '127.0.0.1' })
  const [attacker, victim] = [forwarded('203.0.113.5'), forwarded('198.51.100.7')]
  for (let count = 0; count < 3; count += 1) assertChallenged(await attempt(USER, 'wrong', attacker))
  assertThrottled(await attempt(USER, 'correct horse battery', attacker), 300)
  assertExchanged(await attempt(USER, 'correct horse battery', victim))
})

// contract: Per client address (IPv4, or IPv6 /64) and user
test('an IPv6 attacker is counted by the /64, whatever the rest of the address', async (t) => {
  const { attempt } = await start(t, { userFailures: '3/5m', trustProxy: '127.0.0.1' })
  for (const last of ['1', '2', 'ffff:0:1']) {
    assertChallenged(await attempt(USER, 'wrong', forwarded(`2001:db8:0:1::${last}`)))
  }
  assertThrottled(await attempt(USER, 'wrong', forwarded('2001:db8:0:1::abcd')), 300)
  assertChallenged(await attempt(USER, 'wrong', forwarded('2001:db8:0:2::1')))
})

// contract: Forwarded addresses are believed only
// contract: `--trust-proxy` ¦
test('X-Forwarded-For changes nothing where no proxy is trusted', async (t) => {
  const { attempt } = await start(t, { userFailures: '3/5m' })
  for (let count = 0; count < 3; count += 1) await attempt(USER, 'wrong', forwarded(`203.0.113.${count}`))
  assertThrottled(await attempt(USER, 'wrong', forwarded('198.51.100.7')), 300)
})

test('X-Forwarded-For changes nothing where another proxy is trusted', async (t) => {
  const { attempt } = await start(t, { userFailures: '3/5m', trustProxy: '10.0.0.0/8,::1' })
  for (let count = 0; count < 3; count += 1) await attempt(USER, 'wrong', forwarded(`203.0.113.${count}`))
  assertThrottled(await attempt(USER, 'wrong', forwarded('198.51.100.7')), 300)
})

// contract: Forwarded addresses are believed only
// contract: `--trust-proxy` ¦
test('a client behind a trusted proxy cannot invent addresses in front of its own', async (t) => {
  const { attempt } = await start(t, { userFailures: '3/5m', trustProxy: '127.0.0.1' })
  for (let count = 0; count < 3; count += 1) {
    await attempt(USER, 'wrong', forwarded(`192.0.2.${count}, 203.0.113.5`))
  }
  assertThrottled(await attempt(USER, 'wrong', forwarded('192.0.2.99, 203.0.113.5')), 300)
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
  const { service, attempt } = await start(t, { addressFailures: '1/1m' })
  const token = await service.client.signIn()
  await attempt()
  assert.equal((await attempt()).status, 429)
  const served = await service.client.send('GET', '/books', { 'X-Authorization': token })
  assert.equal(served.status, 200)
})
