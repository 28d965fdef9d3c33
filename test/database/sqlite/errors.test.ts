import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorOf, failureOf } from '../../../src/database/sqlite/errors.ts'
import { Problem } from '../../../src/problem.ts'

test('a problem keeps its code, its values and its place on the way from another thread', () => {
  const violations = [{ code: 'NotUnique', at: { property: 'title' }, values: {} }]
  const details = { at: { operation: 2 }, violations, cause: new Error('stays behind') }
  const problem = new Problem('SearchTooLong', { maxMs: 5 }, details)
  const received = errorOf(structuredClone(failureOf(problem)))
  assert.ok(received instanceof Problem)
  const { code, values, at } = received
  assert.deepEqual(
    { code, values, at, violations: received.violations },
    { code: 'SearchTooLong', values: { maxMs: 5 }, at: { operation: 2 }, violations },
  )
})
