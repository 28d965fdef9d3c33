import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasUnsavedChanges, holdUnsaved, unsaved } from '../../console/shared/controls/unsaved.ts'

test('there is something to lose for as long as one form says so, and whoever watches is told', () => {
  const seen: boolean[] = []
  const stop = unsaved.watch((value) => seen.push(value))
  assert.equal(hasUnsavedChanges(), false)
  const [one, other] = [holdUnsaved(), holdUnsaved()]
  one()
  one()
  assert.equal(hasUnsavedChanges(), true)
  other()
  assert.equal(hasUnsavedChanges(), false)
  assert.deepEqual(seen, [true, false])
  stop()
})
