import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createClock } from '../../src/auth/index.ts'
import { DEFAULT_LIMITS } from '../../src/auth/throttle.ts'
import { assertChallenged, assertExchanged, MINUTE, SECOND, START, useNonce } from '../support/auth-steps.ts'
import { stepB, USER } from '../support/client.ts'
import { newDatabase } from '../support/databases.ts'
import { serve, type TestService } from '../support/service.ts'
import { type HostTime, startTrueTime, type TrueTime } from '../support/true-time.ts'

/** A clock that the test sets, with the steps that it has told. */
function startClock() {
  const host = { now: START, monotonic: 0 }
  const clock = createClock(
    () => host.now,
    () => host.monotonic,
  )
  const steps: number[] = []
  const stop = clock.onStep((byMs) => steps.push(byMs))
  return { host, clock, steps, stop }
}

// contract: Small steps (up to 5 s) are smoothed
test('a step back of up to 5 s does not make now run backwards, and is not told', () => {
  const { host, clock, steps, stop } = startClock()
  assert.equal(clock.now(), START)
  host.now -= 5 * SECOND
  assert.equal(clock.now(), START)
  host.now += 4_999
  assert.equal(clock.now(), START)
  host.now += 2
  assert.equal(clock.now(), START + 1)
  assert.deepEqual(steps, [])
  stop()
})

// contract: Beyond that a process goes by its clock as it is
test('a step back of more than 5 s is told with its size, and now is what the clock says', () => {
  const { host, clock, steps, stop } = startClock()
  assert.equal(clock.now(), START)
  for (const byMs of [5_001, 60 * MINUTE, 2 * 24 * 60 * MINUTE]) {
    host.now -= byMs
    assert.equal(clock.now(), host.now)
    assert.equal(steps.at(-1), -byMs)
    host.now += byMs
    assert.equal(clock.now(), host.now)
  }
  assert.equal(steps.length, 3)
  stop()
})

test('several small steps back are one once they are more than 5 s together', () => {
  const { host, clock, stop } = startClock()
  clock.now()
  for (const expected of [START, START - 6 * SECOND]) {
    host.now -= 3 * SECOND
    assert.equal(clock.now(), expected)
  }
  stop()
})

// contract: A step is logged as a warning
test('a step is noticed within a second where no request comes: back, and forwards by the monotonic clock', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { host, clock, steps, stop } = startClock()
  clock.now()
  const second = (byMs = 0) => {
    host.now += SECOND + byMs
    host.monotonic += SECOND
    t.mock.timers.tick(SECOND)
  }
  second()
  second(60 * MINUTE)
  second(5 * SECOND)
  second(-90 * SECOND)
  assert.deepEqual(steps, [60 * MINUTE, -89 * SECOND])
  stop()
  second(60 * MINUTE)
  assert.equal(steps.length, 2)
})

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const STEPS: readonly { readonly name: string; readonly ms: number }[] = [
  { name: 'an hour', ms: HOUR },
  { name: 'two days', ms: 2 * DAY },
]

/** One host, whose clock is wrong by `time.ahead`. `put` sets it, with or without a restart in between. */
interface Host {
  readonly now: () => TestService
  readonly time: HostTime
  readonly trueTime: TrueTime
  put(ahead: number, restarted?: boolean): Promise<void>
  restart(): Promise<void>
}

async function startHost(t: TestContext, flags = {}): Promise<Host> {
  const db = newDatabase(t)
  const time: { host?: HostTime; readonly now: number } = {
    get now() {
      return time.host?.now ?? START
    },
  }
  let service = await serve(t, { db, time, flags })
  const trueTime = await startTrueTime(db, START)
  const host = trueTime.newHost()
  time.host = host
  const restart = async () => {
    await service.close()
    service = await serve(t, { db, time, flags })
  }
  return {
    now: () => service,
    time: host,
    trueTime,
    restart,
    async put(ahead, restarted = false) {
      if (restarted) await service.close()
      host.ahead = ahead
      if (restarted) service = await serve(t, { db, time, flags })
    },
  }
}

const use = ({ client }: TestService, token: string) =>
  client.send('GET', '/books', { 'X-Authorization': token })
const statusOf = async (host: Host, token: string) => (await use(host.now(), token)).status
const sweep = ({ now, time }: Host) => now().store.auth.sweep(time.now, DEFAULT_LIMITS, 1_000)

for (const restarted of [false, true]) {
  const how = restarted ? 'during a restart' : 'while it runs'
  for (const { name, ms } of STEPS) {
    // contract: A clock may be wrong, and be put right
    // contract: A token whose issue lies more than 5 s ahead
    // contract: No nonce is accepted twice
    // contract: Right clocks are not held up
    test(`a clock that was ahead by ${name} is put right ${how}: what it made has ended, and all that is new works`, async (t) => {
      const host = await startHost(t)
      const { trueTime } = host
      const early = await host.now().client.exchange()
      await host.put(ms, restarted)
      const wrong = await host.now().client.exchange()
      const [spent, unspent] = [await host.now().client.nonce(), await host.now().client.nonce()]
      assertExchanged(await useNonce(host.now(), spent))
      await host.put(0, restarted)

      assertChallenged(await use(host.now(), wrong))
      for (const nonce of [spent, unspent]) assertChallenged(await useNonce(host.now(), nonce))
      assert.equal(await statusOf(host, early), 200)
      const nonce = await host.now().client.nonce()
      const token = await host.now().client.exchange()
      assert.equal(await statusOf(host, token), 200)
      assert.ok(host.now().logged.some((line) => line.includes(`"byMs":${ms}`) && line.includes('clock')))
      await trueTime.pass(5 * MINUTE)
      assertChallenged(await useNonce(host.now(), nonce))
      await trueTime.pass(40 * MINUTE - 1)
      assert.equal(await statusOf(host, token), 200)
      await trueTime.pass(1)
      assert.equal(await statusOf(host, token), 401)
      // When the time has come that the wrong clock had told.
      await trueTime.pass(ms - 45 * MINUTE + SECOND)
      assertChallenged(await use(host.now(), wrong))
      for (const nonce of [unspent, spent]) assertChallenged(await useNonce(host.now(), nonce))
      await host.now().client.exchange()
    })
  }

  // contract: Small steps (up to 5 s) are smoothed
  test(`a clock that was ahead by a second is put right ${how}: tokens and nonces work`, async (t) => {
    const host = await startHost(t)
    await host.put(SECOND, restarted)
    const [token, nonce] = [await host.now().client.exchange(), await host.now().client.nonce()]
    await host.put(0, restarted)
    assert.equal(await statusOf(host, token), 200)
    assertExchanged(await useNonce(host.now(), nonce))
    assert.ok(!host.now().logged.some((line) => line.includes('set back')))
  })

  // contract: No nonce is accepted twice
  test(`a nonce that a clock ahead has swept is refused after the clock is put right ${how}`, async (t) => {
    const host = await startHost(t)
    const spent = await host.now().client.nonce()
    assertExchanged(await useNonce(host.now(), spent))
    await host.put(HOUR, restarted)
    await sweep(host)
    assert.equal(await host.now().store.auth.isSpent(spent), false)
    await host.put(0, restarted)
    assertChallenged(await useNonce(host.now(), spent))
    await host.now().client.exchange()
    assertChallenged(await useNonce(host.now(), spent))
  })

  // contract: No token is served later than 45 minutes and 5 s
  test(`a token of a clock that was ahead by 90 s for 10 minutes ends in time after it is put right ${how}`, async (t) => {
    const host = await startHost(t)
    const right = await host.now().client.exchange()
    await host.put(90 * SECOND, restarted)
    const wrong = await host.now().client.exchange()
    await host.trueTime.pass(10 * MINUTE)
    await host.put(0, restarted)
    assert.deepEqual([await statusOf(host, right), await statusOf(host, wrong)], [200, 200])
    // The clock of the machine goes on meanwhile, by some seconds where it is busy.
    await host.trueTime.pass(35 * MINUTE - 30 * SECOND)
    assert.deepEqual([await statusOf(host, right), await statusOf(host, wrong)], [200, 200])
    await host.trueTime.pass(35 * SECOND)
    assert.deepEqual([await statusOf(host, right), await statusOf(host, wrong)], [401, 401])
  })

  test(`an expired token is not revived by a clock that is set back ${how}`, async (t) => {
    const host = await startHost(t)
    const token = await host.now().client.exchange()
    await host.trueTime.pass(46 * MINUTE)
    assert.equal(await statusOf(host, token), 401)
    for (const minutes of [2, 45, 46, 106]) {
      await host.put(-minutes * MINUTE, restarted)
      assert.equal(await statusOf(host, token), 401, `${minutes} minutes`)
    }
  })

  // contract: Right clocks are not held up
  test(`a throttle ends in time where failures were recorded ahead and the clock is put right ${how}`, async (t) => {
    const host = await startHost(t, { userFailures: '1/5m' })
    const attempt = async (paraphrase?: string) => {
      const { client } = host.now()
      return client.send('GET', '/books', stepB(await client.nonce(), USER, paraphrase))
    }
    for (const ahead of [90 * SECOND, 2 * DAY]) {
      await host.put(ahead, restarted)
      assertChallenged(await attempt('wrong'))
      await host.trueTime.pass(2 * MINUTE)
      await host.put(0, restarted)
      const { status, headers } = await attempt()
      assert.equal(status, 429)
      assert.ok(Math.abs(Number(headers['retry-after']) - 180) <= 5, headers['retry-after'])
      await host.trueTime.pass(3 * MINUTE - 10 * SECOND)
      assert.equal((await attempt()).status, 429)
      await host.trueTime.pass(11 * SECOND)
      assertExchanged(await attempt())
    }
  })
}

test('a wrong time of a sweep, kept across restarts, refuses no nonce for longer than one step A', async (t) => {
  const host = await startHost(t)
  await host.put(2 * DAY)
  await sweep(host)
  await host.put(0, true)
  await host.now().client.exchange()
  assert.deepEqual(host.now().logged.filter((line) => line.includes('the times in the database')).length, 1)
  await host.restart()
  assert.deepEqual(
    host.now().logged.filter((line) => line.includes('the times in the database')),
    [],
  )
})
