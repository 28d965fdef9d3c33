import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Progress } from '../../../src/api/followers/progress.ts'
import { Retries } from '../../../src/api/followers/retries.ts'
import type { ChangeLog } from '../../../src/members/index.ts'

/** A member that waits for its third attempt, of which the time has come at `nextAt`. */
const waitUntil = (nextAt: number) => ({
  ...{ className: 'Book', id: '1', position: 1, attempts: 2, nextAt, error: 'no' },
})

/** Whether such a member is tried again at this time. */
function isTried(nextAt: number, time: number): boolean {
  const retries = new Retries({
    progress: new Progress(1, [waitUntil(nextAt)]),
    changes: {} as ChangeLog,
    classes: ['Book'],
    now: () => time,
    mayRun: () => true,
    attempt: async () => undefined,
    onFailure() {},
    onLost() {},
  })
  return retries.next() !== undefined
}

test('a member waits for its time, and not for as long as the clock was set back', () => {
  assert.equal(isTried(10_000, 9_000), false)
  assert.equal(isTried(10_000, 8_000), false)
  assert.equal(isTried(10_000, 10_000), true)
  assert.equal(isTried(3_600_000, 10_000), true)
})
