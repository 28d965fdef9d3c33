import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arrayOf } from '../../../src/database/postgres/arrays.ts'
import { keyOf, keyText } from '../../../src/members/postgres/tables.ts'
import { compareKeys, indexKey, type Key } from '../../../src/vocabulary/index.ts'
import { onPostgres, postgresUrl } from '../../support/postgres.ts'

const string: fc.Arbitrary<string> = fc
  .oneof(fc.string({ unit: 'binary' }), fc.string())
  .filter((text) => !text.includes('\0'))
const number: fc.Arbitrary<number> = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0, -0, Number.MIN_VALUE, -Number.MIN_VALUE, Number.MAX_SAFE_INTEGER),
)
const key: fc.Arbitrary<Key> = fc.oneof(string, number)

const byBytes = (left: string, right: string): number =>
  Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)))

test('texts are in the order of their keys', () => {
  fc.assert(
    fc.property(key, key, (left, right) => {
      // Without the sign that zero has.
      const compared = Math.sign(compareKeys(left, right)) + 0
      assert.equal(byBytes(keyText(left), keyText(right)), compared)
    }),
    { numRuns: 2_000 },
  )
})

test('a key comes back from its text', () => {
  // The zeros are one.
  fc.assert(fc.property(key, (one) => assert.deepEqual(keyOf(keyText(one)), one === 0 ? 0 : one)))
})

test('PostgreSQL has texts in the order of their bytes, and an index has room for the longest', async () => {
  const longest = keyText(indexKey('\u{10ffff}'.repeat(1_000)))
  // An entry of an index has 2,704 bytes at most.
  assert.equal(Buffer.byteLength(longest), 1 + 4 * 200 + 64)
  const texts = [...new Set(fc.sample(key, 300).map(keyText)), longest]
  const rows = await onPostgres(
    postgresUrl(),
    'SELECT one FROM unnest($1::text[]) AS u (one) ORDER BY one COLLATE "C"',
    [arrayOf(texts)],
  )
  assert.deepEqual(
    rows.map(([one]) => one),
    texts.toSorted(byBytes),
  )
})
