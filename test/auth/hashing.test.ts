import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { lowerHashPriority } from '../../src/auth/hashing.ts'

const LOWEST = 19

/** Thread ids by whether they are of libuv's pool, which hashes. */
function threads(inPool: boolean): number[] {
  return readdirSync('/proc/self/task')
    .filter((id) => (readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim() === 'libuv-worker') === inPool)
    .map(Number)
}

test('where threads have priorities, those that hash have the lowest, and all others keep theirs', async () => {
  // Elsewhere it does nothing, and must not fail.
  await lowerHashPriority()
  if (process.platform !== 'linux') return
  assert.ok(threads(true).length > 0)
  for (const id of threads(true)) assert.equal(getPriority(id), LOWEST)
  for (const id of threads(false)) assert.notEqual(getPriority(id), LOWEST)
})
