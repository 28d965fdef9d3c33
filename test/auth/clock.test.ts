import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClock } from '../../src/auth/token.ts'
import { MINUTE, SECOND, START } from '../support/auth-steps.ts'

/** A clock that the test sets, with the steps that it has told. */
function start() {
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
  const { host, clock, steps, stop } = start()
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
  const { host, clock, steps, stop } = start()
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
  const { host, clock, stop } = start()
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
  const { host, clock, steps, stop } = start()
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
