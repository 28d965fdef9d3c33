import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommitTimes, newSharedTimes } from '../../../src/database/sqlite/commit-times.ts'

/** Commits that take as many milliseconds as the test says. */
function createClock() {
  let time = 0
  const times = createCommitTimes(newSharedTimes(), () => time)
  const take = (ms: number, count = 1) => {
    for (let index = 0; index < count; index += 1)
      times.measure(() => {
        time += ms
      })
  }
  return { times, take }
}

test('a disk counts as quick after some short commits, and a single long one does not change that', () => {
  const { times, take } = createClock()
  assert.equal(times.areShort(), false)
  take(0.3, 30)
  assert.equal(times.areShort(), true)
  take(8)
  assert.equal(times.areShort(), true)
  take(8)
  assert.equal(times.areShort(), false)
  take(0.3, 12)
  assert.equal(times.areShort(), true)
})

test('a very long commit counts at once, and a disk with a sync of 5 ms is never quick', () => {
  const { times, take } = createClock()
  take(0.3, 20)
  take(30)
  assert.equal(times.areShort(), false)
  const slow = createClock()
  for (let index = 0; index < 50; index += 1) {
    slow.take(5)
    assert.equal(slow.times.areShort(), false)
  }
})
