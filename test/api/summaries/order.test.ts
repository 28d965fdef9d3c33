import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sortRows } from '../../../src/api/summaries/order.ts'
import { compareKeys, type Key } from '../../../src/vocabulary/index.ts'

const rowOf = (key: Key | null) => ({ group: [key], count: 1, figures: [] })
const columns = { groups: [{ text: 'x' }] as never, figures: [], indexOf: () => 0 }
const byGroup = { kind: 'group', index: 0 } as const

test('summaries are in the order of keys, without a value last in both directions', () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', 'b', '\u0001', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}'),
  })
  for (const values of [texts, fc.double({ noNaN: true }).map((one) => one + 0)] as fc.Arbitrary<Key>[])
    fc.assert(
      fc.property(fc.array(values), fc.boolean(), (keys, descending) => {
        const rows = [null, ...keys].map(rowOf)
        const sorted = sortRows(rows, [{ by: byGroup, descending }], columns).map(({ group }) => group[0])
        const expected = keys.toSorted(compareKeys)
        assert.deepEqual(sorted, [...(descending ? expected.reverse() : expected), null])
      }),
    )
})
