import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import {
  type AuthStore,
  createGateAnswers,
  type Gate,
  hashParaphrase,
  hashQueueSize,
  type User,
} from '../../src/auth/index.ts'
import { databaseProblem } from '../../src/database/index.ts'
import type { GateRequest } from '../../src/http/index.ts'
import { START } from '../support/auth-steps.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { build, LIMIT, QUEUE } from './built-gate.ts'

const verdicts = async (gate: Gate, requests: readonly GateRequest[]): Promise<string[]> =>
  (await Promise.all(requests.map(gate))).map(({ verdict }) => verdict)

// contract: At most max(1, cores - 1) hashes run at once
test('as many hashes run at once as leave a core to everything else, and a bounded number waits', () => {
  const { slots, maxWaiting } = hashQueueSize()
  assert.equal(slots, Math.max(1, availableParallelism() - 1))
  assert.ok(0 < maxWaiting && maxWaiting < 10_000)
})

// contract: Step B in order
test('an exchange that finds no place to wait in, or gives up its own, is told so, and its nonce is not spent', async (t) => {
  const { gate, requestFrom } = await build(t, { slots: 1, maxWaiting: 2 })
  const requests = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'].map((address) =>
    requestFrom(address),
  )
  // One runs and two wait, of which the last gives way to another address; their own finds no place.
  const expected = ['exchanged', 'exchanged', 'busy', 'busy', 'exchanged']
  assert.deepEqual(await verdicts(gate, requests), expected)
  for (const index of expected.keys()) {
    const again = await verdicts(gate, requests.slice(index, index + 1))
    assert.deepEqual(again, [expected[index] === 'busy' ? 'exchanged' : 'challenged'])
  }
})

test('clients that try again at once, when there is no place to wait in, are slowed down: the answer is held back', async (t) => {
  const { gate, requestFrom } = await build(t, { slots: 1, maxWaiting: 0 })
  const exchange = gate(requestFrom('192.0.2.1'))
  const isAnswered = createAnswered(gate(requestFrom('192.0.2.2')))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  assert.equal((await exchange).verdict, 'exchanged')
  for (const [ms, expected] of [
    [999, false],
    [1, true],
  ] as const) {
    t.mock.timers.tick(ms)
    await turn()
    assert.equal(isAnswered(), expected)
  }
})

function createAnswered(admission: Promise<unknown>): () => boolean {
  let answered = false
  admission.then(() => {
    answered = true
  })
  return () => answered
}

// contract: Step B in order
test('in the queue the networks of an IPv6 /48 stand in one line', async (t) => {
  const { gate, requestFrom } = await build(t, { slots: 1, maxWaiting: 2 })
  const requests = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2:1::1']
  const expected = ['exchanged', 'exchanged', 'busy', 'exchanged']
  assert.deepEqual(
    await verdicts(
      gate,
      requests.map((address) => requestFrom(address)),
    ),
    expected,
  )
})

// contract: **Deliberate departures from the seed
// contract: Steps A and B, 429 and 503 of the gate
test('a full queue is answered with 503 and Retry-After, in the form of the seed', () => {
  const { status, shared, headers, body } = createGateAnswers(['Content-Type', 'application/ld+json'])({
    verdict: 'busy',
  })
  assert.equal(status, 503)
  assert.deepEqual([...shared, ...headers], ['Content-Type', 'application/ld+json', 'Retry-After', '2'])
  assert.deepEqual(Object.keys(JSON.parse(String(body))), ['503'])
})

// contract: Step B in order
test('what is throttled or spent is refused while the queue is full, without a place in it', async (t) => {
  const { gate, requestFrom } = await build(t, { slots: 1, maxWaiting: 0 })
  const spent = requestFrom('192.0.2.1', 'wrong')
  for (const wrong of [spent, requestFrom('192.0.2.1', 'wrong')]) {
    assert.deepEqual(await verdicts(gate, [wrong]), ['challenged'])
  }
  const requests = [requestFrom('192.0.2.2'), requestFrom('192.0.2.3'), requestFrom('192.0.2.1'), spent]
  assert.deepEqual(await verdicts(gate, requests), ['exchanged', 'busy', 'throttled', 'challenged'])
})

test('a request whose message turns out malformed spends no nonce', async (t) => {
  const { gate, requestFrom } = await build(t, QUEUE)
  const whole = requestFrom('192.0.2.1')
  const cut = { ...whole, drain: () => Promise.reject(new Error('cut off')) }
  await assert.rejects(gate(cut), /cut off/)
  assert.deepEqual(await verdicts(gate, [whole]), ['exchanged'])
})

// contract: The reservation is given back
test('an attempt whose paraphrase could not be checked is given back', async (t) => {
  const { gate, store, requestFrom } = await build(t, QUEUE, () => ({
    findUser: () => Promise.reject(new Error('no database')),
  }))
  for (let count = 0; count < 5; count += 1)
    await assert.rejects(gate(requestFrom('192.0.2.1')), /no database/)
  const attempter = { address: '192.0.2.1', claimed: USER }
  assert.equal(await store.throttledUntil(attempter, { user: LIMIT, address: LIMIT }, START), undefined)
})

test('where the store is not there all who wait hear so with the first, and spend no nonce', async (t) => {
  const away = databaseProblem('DatabaseUnreachable', { retryAfterSeconds: 2 })
  const silence = Promise.withResolvers<never>()
  const waiting = Promise.withResolvers<void>()
  let begun = 0
  let looked = 0
  const requests = 5
  const { gate, store, requestFrom } = await build(t, { slots: 1, maxWaiting: 9 }, (auth) => ({
    begin: () => {
      begun += 1
      return silence.promise
    },
    isSpent: (nonce) => {
      looked += 1
      if (looked === requests) setImmediate(waiting.resolve)
      return auth.isSpent(nonce)
    },
  }))
  const refused = Array.from({ length: requests }, (_, index) =>
    assert.rejects(gate(requestFrom(`192.0.2.${index}`)), away),
  )
  await waiting.promise
  silence.reject(away)
  await Promise.all(refused)
  assert.equal(begun, 1)
  assert.equal(await store.latestTime(), 0)
})

test('where one exchange alone fails those who wait are not refused', async (t) => {
  let begun = 0
  const { gate, requestFrom } = await build(t, { slots: 1, maxWaiting: 9 }, (auth) => ({
    begin: (attempt) => {
      begun += 1
      return begun === 1 ? Promise.reject(new Error('a fault')) : auth.begin(attempt)
    },
  }))
  const [first, second] = [gate(requestFrom('192.0.2.1')), gate(requestFrom('192.0.2.2'))]
  await assert.rejects(first, /a fault/)
  assert.equal((await second).verdict, 'exchanged')
})

test('nobody waits until an attempt is given back', async (t) => {
  const { gate, requestFrom } = await build(t, QUEUE, () => ({
    findUser: () => Promise.reject(new Error('no database')),
    cancel: () => new Promise(() => {}),
  }))
  await assert.rejects(gate(requestFrom('192.0.2.1')), /no database/)
})

test('a nonce of an earlier series is answered with one of the present series, which works', async (t) => {
  const { gate, store, nonces, requestFrom } = await build(t, QUEUE)
  const former = requestFrom('192.0.2.1')
  assert.equal(await store.beginNonceSeries(3), 3)
  const admission = await gate(former)
  assert.ok(admission.verdict === 'challenged')
  assert.deepEqual([nonces.series, nonces.read(admission.nonce, START)?.series], [3, 3])
  assert.deepEqual(await verdicts(gate, [former, requestFrom('192.0.2.1')]), ['challenged', 'exchanged'])
})

// contract: The reservation is given back
test('a wrong paraphrase that cannot be recorded is no free guess', async (t) => {
  const { gate, requestFrom } = await build(t, QUEUE, () => ({
    fail: () => Promise.reject(new Error('no database')),
  }))
  for (let count = 0; count < LIMIT.failures; count += 1) {
    await assert.rejects(gate(requestFrom('192.0.2.1', 'wrong')), /no database/)
  }
  assert.deepEqual(await verdicts(gate, [requestFrom('192.0.2.1')]), ['throttled'])
})

test('an exchange beside the one that upgrades the hash succeeds as well', async (t) => {
  const { gate, store, requestFrom } = await build(t, QUEUE, lateSecond)
  await store.setParaphrase(USER, await hash(PARAPHRASE, { memoryCost: 8_192, timeCost: 1, parallelism: 1 }))
  const requests = [requestFrom('192.0.2.1'), requestFrom('192.0.2.1')]
  assert.deepEqual(await verdicts(gate, requests), ['exchanged', 'exchanged'])
  assert.equal((await store.listTokens(START)).length, 2)
})

/** Both verify the old hash; the second gets no further before the first has replaced it. */
function lateSecond(store: AuthStore): Partial<AuthStore> {
  const upgraded = Promise.withResolvers<void>()
  let succeeded = 0
  return {
    async succeed(...args) {
      succeeded += 1
      if (succeeded === 2) await upgraded.promise
      return store.succeed(...args)
    },
    async upgradeParaphrase(id, from, to) {
      await store.upgradeParaphrase(id, from, to)
      upgraded.resolve()
    },
  }
}

test('a paraphrase that is replaced while it is checked is not admitted', async (t) => {
  const another = await hashParaphrase('another')
  const { gate, store, requestFrom } = await build(t, QUEUE, (auth) => ({
    async succeed(...args) {
      await auth.setParaphrase(USER, another)
      return auth.succeed(...args)
    },
  }))
  assert.deepEqual(await verdicts(gate, [requestFrom('192.0.2.1')]), ['challenged'])
  assert.deepEqual(await store.listTokens(START), [])
})

test('a hash that cannot be upgraded is no reason to withhold the token', async (t) => {
  const old = await hash(PARAPHRASE, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
  const { gate, requestFrom } = await build(t, QUEUE, (store) => ({
    findUser: async () => ({ ...(await store.findUser(USER)), paraphraseHash: old }) as User,
    succeed: (attemptId) => store.cancel(attemptId).then(() => true),
    upgradeParaphrase: () => Promise.reject(new Error('the disk is full')),
  }))
  assert.deepEqual(await verdicts(gate, [requestFrom('192.0.2.1')]), ['exchanged'])
})

test('a message that is too long to be read is challenged, and its nonce is not spent', async (t) => {
  const { gate, requestFrom } = await build(t, QUEUE)
  const long = requestFrom('192.0.2.1')
  assert.deepEqual(await verdicts(gate, [{ ...long, drain: async () => false }]), ['challenged'])
  assert.deepEqual(await verdicts(gate, [long]), ['exchanged'])
})
