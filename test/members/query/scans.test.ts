import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isUnavailable } from '../../../src/database/index.ts'
import { type Kinds, memberOf, select, shapeOf } from '../../support/shapes.ts'
import { SEARCHED_STORES } from '../../support/stores.ts'
import { compareTimes } from '../../support/timing.ts'

const KINDS: Kinds = { title: 'text' }
const SHAPES = [shapeOf('Book', KINDS)]
const nowhere = select({ filters: [{ property: 'title', test: 'contains', text: 'nowhere' }] })

function assertUnavailable(error: unknown): true {
  assert.ok(isUnavailable(error), String(error))
  assert.ok('retryAfterSeconds' in error.values, error.code)
  return true
}

for (const { name, open } of SEARCHED_STORES) {
  describe(name, () => {
    test('a scan of more members than can be looked at in the time gets 503', async (t) => {
      const { members } = await open(t, SHAPES, { scanMs: 0 })
      await members.addAll(
        Array.from({ length: 600 }, (_, index) => ({
          className: 'Book',
          member: memberOf(KINDS, `b${index}`, { title: 'a' }),
        })),
      )
      await assert.rejects(async () => members.list('Book', nowhere), assertUnavailable)
    })

    test('contains on a property with many values takes time in proportion to the members', async (t) => {
      const kinds: Kinds = { tags: 'texts' }
      const { members } = await open(t, [shapeOf('Few', kinds), shapeOf('Many', kinds)], { scanMs: 60_000 })
      for (const [className, length] of [['Few', 500] as const, ['Many', 4_000] as const]) {
        const tagsOf = (index: number) => [0, 1, 2].map((tag) => `Tag ${index} ${tag}`)
        await members.addAll(
          Array.from({ length }, (_, index) => ({
            className,
            member: memberOf(kinds, `m${index}`, { tags: tagsOf(index) }),
          })),
        )
      }
      const selection = select({ filters: [{ property: 'tags', test: 'contains', text: 'nowhere' }] })
      const best = { Few: Number.POSITIVE_INFINITY, Many: Number.POSITIVE_INFINITY }
      await compareTimes(async () => {
        for (const className of ['Few', 'Many', 'Few', 'Many'] as const) {
          const from = performance.now()
          assert.equal((await members.list(className, selection)).total, 0)
          best[className] = Math.min(best[className], performance.now() - from)
        }
        // Eight times, and 64 times where all values are looked at for each member.
        assert.ok(best.Many < 24 * best.Few, `${best.Few} ms, then ${best.Many} ms`)
      })
    })
  })
}
