import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { idOfKey } from '../../../src/transfer/tables/row-id.ts'
import { ID } from '../../../src/vocabulary/index.ts'

test('a key that can be an id is one, and any other is escaped', () => {
  for (const [key, id] of [
    [['7'], '7'],
    [['A-1.b_c'], 'A-1.b_c'],
    [['a b'], 'a~20b'],
    [['ü~'], '~c3~bc~7e'],
    [['10', '1'], '10~~1'],
    [[''], '~'],
    [['..'], '~2e~2e'],
  ] as const)
    assert.equal(idOfKey(key), id)
  assert.match(idOfKey(['x'.repeat(200)]), /^~h[0-9a-f]{64}$/)
})

test('whatever the key is, its id can be one, and is that of no other key', () => {
  const key = fc.array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '~', '~~', '.', '~20', ' ')),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  fc.assert(
    fc.property(key, key, (one, other) => {
      assert.match(idOfKey(one), ID)
      const areSame = JSON.stringify(one) === JSON.stringify(other)
      assert.equal(idOfKey(one) === idOfKey(other), areSame)
    }),
  )
})
