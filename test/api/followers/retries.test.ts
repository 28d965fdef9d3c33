import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OpenChanges } from '../../../src/api/followers/progress.ts'
import { Retries } from '../../../src/api/followers/retries.ts'
import type { Change, ChangeLog } from '../../../src/members/index.ts'

/** A member that has failed twice, and waits until `nextAt` for its change at position 1. */
const waitUntil = (nextAt: number) => ({
  ...{ className: 'Book', id: '1', position: 1, attempts: 2, nextAt, error: 'no' },
})

/** The retries of that member, at this time. The log has three of its changes. */
function openRetries(nextAt: number, time: number, classes = ['Book']) {
  const calls: number[] = []
  const progress = new OpenChanges(3, [waitUntil(nextAt)])
  const changeAt = (position: number) => ({ className: 'Book', id: '1', position }) as Change
  const changes = {
    find: async (position: number) => changeAt(position),
    findNext: async (_: unknown, position: number) => (position < 3 ? changeAt(position + 1) : undefined),
  } as unknown as ChangeLog
  const retries = new Retries({
    ...{ progress, changes, classes, now: () => time, mayRun: () => true },
    async attempt({ position }) {
      calls.push(position)
      return undefined
    },
    onFailure() {},
    onLost() {},
  })
  return { retries, progress, calls }
}

test('a member waits for its time, and not for as long as the clock was set back', () => {
  const isTried = (nextAt: number, time: number) => openRetries(nextAt, time).retries.next() !== undefined
  assert.equal(isTried(10_000, 9_000), false)
  assert.equal(isTried(10_000, 8_000), false)
  assert.equal(isTried(10_000, 10_000), true)
  assert.equal(isTried(3_600_000, 10_000), true)
})

test('a change of a class that the follower has no longer can be skipped, and is not handled', async () => {
  const { retries, progress, calls } = openRetries(0, 0, ['Author'])
  assert.equal(retries.next(), undefined)
  for (const position of [1, 2, 3]) {
    retries.skip([position])
    const waiting = retries.next()
    assert.equal(waiting?.position, position)
    if (waiting !== undefined) await retries.run(waiting)
  }
  assert.deepEqual([progress.waiting.size, calls], [0, []])
})
