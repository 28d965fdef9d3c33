import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { pauseAfter } from '../../../src/members/catch-up.ts'

/** So long that the other work takes place within the pause also where other processes have the processors for a while. */
const PORTION_MS = 50

async function measurePause(): Promise<number> {
  const begun = performance.now()
  await pauseAfter(PORTION_MS)
  return performance.now() - begun
}

test('the pause after a portion is much longer while the process has other work', async (t) => {
  // Without the messages of the test runner.
  await new Promise((resolve) => setTimeout(resolve, 50))
  const alone = await measurePause()
  const work = setInterval(() => stat(import.meta.filename).catch(() => {}), 1)
  t.after(() => clearInterval(work))
  const besideWork = await measurePause()
  assert.ok(besideWork > 3 * alone, `${besideWork} ms beside other work, ${alone} ms without it`)
})
