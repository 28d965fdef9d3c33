import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../../src/service/metrics/metrics.ts'

test('metrics have how far conversions are, by class, and nothing when there are none', async () => {
  const metrics = createMetrics()
  const lines = async () =>
    (await metrics.text()).text.split('\n').filter((line) => line.startsWith('hydrant_conversion'))
  assert.deepEqual(await lines(), [])
  metrics.watchConversions(() => [{ className: 'Book', percent: 25 }])
  assert.deepEqual(await lines(), ['hydrant_conversion_ratio{class="Book"} 0.25'])
  metrics.watchConversions(() => [])
  assert.deepEqual(await lines(), [])
})
