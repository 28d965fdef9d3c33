import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../../src/service/metrics/metrics.ts'

const linesOf = async (metrics: ReturnType<typeof createMetrics>): Promise<string[]> =>
  (await metrics.text()).text.split('\n').filter((line) => line.startsWith('hydrant_replica'))

test('reads are counted by where they were read, and standbys that can be read from', async () => {
  const metrics = createMetrics()
  let figures = { standby: 3, primary: 1, current: 2 }
  metrics.watchReplicas(() => figures)
  const shown = (standby: number, primary: number, current: number) => [
    `hydrant_replica_reads_total{server="standby"} ${standby}`,
    `hydrant_replica_reads_total{server="primary"} ${primary}`,
    `hydrant_replicas_current ${current}`,
  ]
  assert.deepEqual(await linesOf(metrics), shown(3, 1, 2))
  figures = { standby: 5, primary: 1, current: 0 }
  assert.deepEqual(await linesOf(metrics), shown(5, 1, 0))
  // Another store, which counts anew: what was counted stays.
  figures = { standby: 1, primary: 0, current: 1 }
  assert.deepEqual(await linesOf(metrics), shown(6, 1, 1))
})

test('without standbys there is nothing about them', async () => {
  const metrics = createMetrics()
  metrics.watchReplicas(() => undefined)
  assert.deepEqual(await linesOf(metrics), [])
})
