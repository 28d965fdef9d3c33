import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../../src/service/metrics/metrics.ts'

const MAIL = { name: 'mail', delayMs: 1_500, waiting: 2, lost: 3, isPaused: true }

// contract: Metrics have the delay of each.
// contract: The log keeps what a follower has not passed
test('metrics have the delay of each follower, what waits, and what is lost', async () => {
  const metrics = createMetrics()
  const lines = async () =>
    (await metrics.text()).text.split('\n').filter((line) => /^hydrant_follower/.test(line))
  assert.deepEqual(await lines(), [])
  metrics.watchFollowers(async () => [MAIL])
  assert.deepEqual(await lines(), [
    'hydrant_follower_delay_seconds{follower="mail"} 1.5',
    'hydrant_follower_waiting{follower="mail"} 2',
    'hydrant_follower_lost{follower="mail"} 3',
    'hydrant_follower_paused{follower="mail"} 1',
  ])
  // Another process has the follower, or the store cannot be asked.
  metrics.watchFollowers(async () => [])
  assert.deepEqual(await lines(), [])
  metrics.watchFollowers(() => Promise.reject(new Error('down')))
  assert.deepEqual(await lines(), [])
})
