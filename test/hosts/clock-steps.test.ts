import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createClock, openGate } from '../../src/auth/index.ts'
import { DEFAULT_LIMITS } from '../../src/auth/throttle.ts'
import { readConfig } from '../../src/config/index.ts'
import { openService } from '../../src/service/index.ts'
import { createMetrics } from '../../src/service/metrics/metrics.ts'
import { assertChallenged, assertExchanged, MINUTE, SECOND, useNonce } from '../support/auth-steps.ts'
import { newPostgres } from '../support/postgres.ts'
import { API, modelOf, serve, type TestService } from '../support/service.ts'
import { openFor } from '../support/stores.ts'
import { type HostTime, startTrueTime, type TrueTime } from '../support/true-time.ts'
import { eventually, statusOf } from './hosts.ts'

const DAY = 24 * 60 * MINUTE

interface Three {
  readonly trueTime: TrueTime
  readonly right: TestService
  readonly other: TestService
  /** Its clock is `time.ahead` of true time. */
  readonly wrong: TestService
  readonly time: HostTime
}

async function startThree(t: TestContext, ahead: number): Promise<Three> {
  const db = newPostgres(t)
  await (await openFor(t, db)).close()
  const trueTime = await startTrueTime(db, Date.now())
  const time = trueTime.newHost(ahead)
  const start = (host: HostTime) => serve(t, { db, time: host })
  const [right, other] = [await start(trueTime.newHost()), await start(trueTime.newHost())]
  return { trueTime, right, other, wrong: await start(time), time }
}

const statuses = (token: string, ...hosts: TestService[]) =>
  Promise.all(hosts.map(({ client }) => statusOf(client, token)))

// contract: A token whose issue lies more than 5 s ahead
test('a token of one of three hosts that is ahead by 90 s ends where it is seen, for all, and is not waited for', async (t) => {
  const { trueTime, right, other, wrong } = await startThree(t, 90 * SECOND)
  const token = await wrong.client.exchange()
  // One after the other: the second one ends it for all.
  assert.deepEqual([await statuses(token, wrong), await statuses(token, right)], [[200], [401]])
  await eventually('it has ended', async () => (await wrong.store.auth.listTokens(0)).length === 0)
  await trueTime.pass(2 * MINUTE)
  assert.deepEqual(await statuses(token, right, other, wrong), [401, 401, 401])
})

// contract: No token is served later than 45 minutes and 5 s
test('a token of one of three hosts that is ahead by 90 s ends in time also where it is seen late', async (t) => {
  const { trueTime, right, other, wrong } = await startThree(t, 90 * SECOND)
  const token = await wrong.client.exchange()
  await trueTime.pass(2 * MINUTE)
  assert.deepEqual(await statuses(token, right, wrong), [200, 200])
  await trueTime.pass(43 * MINUTE - SECOND)
  assert.deepEqual(await statuses(token, right, other), [200, 200])
  await trueTime.pass(6 * SECOND)
  assert.deepEqual(await statuses(token, right, other, wrong), [401, 401, 401])
})

// contract: No token is served later than 45 minutes and 5 s
test('a host that is behind ends no token of the others, and serves none for longer', async (t) => {
  const { trueTime, right, other, wrong } = await startThree(t, -10 * MINUTE)
  const token = await right.client.exchange()
  assert.deepEqual(await statuses(token, wrong, right, other), [401, 200, 200])
  await trueTime.pass(11 * MINUTE)
  assert.deepEqual(await statuses(token, right, other, wrong), [200, 200, 200])
  await trueTime.pass(34 * MINUTE + 5 * SECOND)
  assert.deepEqual(await statuses(token, right, other, wrong), [401, 401, 401])
})

// contract: Right clocks are not held up
test('one of three hosts that is ahead by two days, and sweeps, holds up none of the others', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { trueTime, right, other, wrong } = await startThree(t, 2 * DAY)
  const token = await right.client.exchange()
  const spent = await right.client.nonce()
  assertExchanged(await useNonce(right, spent))
  t.mock.timers.tick(MINUTE)
  await eventually('it has swept', async () => (await wrong.store.auth.latestTime()) >= trueTime.now)
  assert.deepEqual(await statuses(token, right, other), [200, 200])
  for (const host of [right, other]) {
    assertChallenged(await useNonce(host, spent))
    assertExchanged(await useNonce(host, await host.client.nonce()))
  }
})

// contract: No nonce is accepted twice
test('after a step of one of three hosts, nonces from before are refused on it, and those of all hosts work on all', async (t) => {
  const { right, other, wrong, time } = await startThree(t, 2 * DAY)
  const [former, spent] = [await wrong.client.nonce(), await right.client.nonce()]
  assertExchanged(await useNonce(other, spent))
  time.ahead = 0
  assertChallenged(await useNonce(wrong, former))
  assertChallenged(await useNonce(wrong, spent))
  for (const from of [wrong, right, other]) {
    for (const to of [right, wrong, other]) {
      const refused = await useNonce(to, await from.client.nonce())
      // At most once: a host hears of the new series from the first nonce of it.
      if (refused.status === 401) assertExchanged(await useNonce(to, await to.client.nonce()))
    }
  }
  for (const [from, to] of [
    [wrong, right],
    [right, other],
    [other, wrong],
  ] as const)
    assertExchanged(await useNonce(to, await from.client.nonce()))
})

test("a host that is ahead sweeps by the database's clock, one that is behind by its own", async (t) => {
  const store = await openFor(t, 'sqlite::memory:')
  for (const ahead of [2 * DAY, -2 * DAY]) {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const now = Date.now()
    const swept: number[] = []
    const auth = {
      ...store.auth,
      databaseTime: async () => now,
      sweep: async (time: number) => swept.push(time) === 0,
    }
    const gate = await openGate({
      ...{ mode: 'token', store: auth, clock: createClock(() => now + ahead), secrets: undefined },
      ...{ tokenTtlMs: 45 * MINUTE, nonceTtlMs: 5 * MINUTE, limits: DEFAULT_LIMITS },
      onWrongClock() {},
      onError: assert.ifError,
    })
    t.mock.timers.tick(MINUTE)
    await eventually('it has swept', async () => swept.length > 0)
    await gate.close()
    assert.deepEqual(swept, [Math.min(now, now + ahead)])
    t.mock.timers.reset()
  }
})

// contract: A step is logged as a warning
test("metrics have the difference to PostgreSQL's clock, in either direction, and none for SQLite", async (t) => {
  const read = async (db: string, ahead: number) => {
    const metrics = createMetrics()
    const store = await openFor(t, db)
    const log = { error() {}, warn() {}, info() {}, debug() {} }
    const [config, model] = [readConfig({ db }, {}), modelOf(API)]
    const clock = createClock(() => Date.now() + ahead)
    const { close } = await openService({ config, model, store, log, metrics, clock })
    const { text } = await metrics.text()
    await close()
    return /^hydrant_clock_ahead_seconds (.*)$/m.exec(text)?.[1]
  }
  for (const ahead of [90 * SECOND, -90 * SECOND]) {
    const found = Number(await read(newPostgres(t), ahead))
    assert.ok(Math.abs(found - ahead / 1_000) < 2, `${found}`)
  }
  assert.equal(await read('sqlite::memory:', 90 * SECOND), undefined)
})
