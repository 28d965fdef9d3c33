import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidBody } from '../../src/api/input/properties.ts'
import { withStoreViolations } from '../../src/api/write-errors.ts'
import type { Problem } from '../../src/problem.ts'

test('the links of an invalid body are looked up once for each target, and others are answered in between', async () => {
  const links = Array.from({ length: 240 }, (_, index) => ({ className: 'Product', id: `${index % 80}` }))
  let [asked, turns, isOver] = [0, 0, false]
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  count()
  const parts = { cls: { properties: [], uniqueTogether: [] }, access: { mayReadOf: () => true } }
  const find = (_: string, id: string) => {
    asked++
    return id === '7' ? undefined : {}
  }
  const body = new InvalidBody([], {}, links as never)
  const found = await withStoreViolations(body, parts as never, { store: { find } } as never)
  isOver = true
  assert.equal((found as Problem).violations.length, 3)
  assert.equal(asked, 80)
  assert.ok(turns >= 80, `${turns}`)
})
