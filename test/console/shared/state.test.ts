import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachConcurrently } from '../../../console/shared/state.ts'

test('work runs with limited concurrency, and all of it is done', async () => {
  let running = 0
  let most = 0
  const done: number[] = []
  const things = Array.from({ length: 10 }, (_, index) => index)
  await forEachConcurrently(things, { limit: 3, signal: new AbortController().signal }, async (thing) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    done.push(thing)
  })
  assert.deepEqual(done.toSorted(), things)
  assert.equal(most, 3)
})

test('no further work starts after an abort', async () => {
  const controller = new AbortController()
  const begun: number[] = []
  await forEachConcurrently([1, 2, 3, 4, 5], { limit: 2, signal: controller.signal }, async (thing) => {
    begun.push(thing)
    await new Promise((resolve) => setImmediate(resolve))
    controller.abort()
  })
  assert.deepEqual(begun, [1, 2])
})
