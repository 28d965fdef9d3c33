import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { textArray } from '../../src/store/postgres/arrays.ts'
import { headOf, keyOf, keyText, textOfCut, wholeText } from '../../src/store/postgres/key-text.ts'
import { compareKeys, type Key } from '../../src/vocabulary/keys.ts'
import { onPostgres, postgresUrl } from '../support/postgres.ts'

/** Around the length at which they are cut, with beginnings that many share, of characters of one to four bytes. */
const long: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('a', 'é', '\uff5a', '\u{1f40e}'),
    fc.integer({ min: 497, max: 502 }),
    fc.string({ unit: 'grapheme-composite', maxLength: 70 }),
  )
  .map(([character, count, end]) => character.repeat(count) + end)
const string: fc.Arbitrary<string> = fc
  .oneof(fc.string({ unit: 'binary' }), fc.string(), long)
  .filter((text) => !text.includes('\0'))
const number: fc.Arbitrary<number> = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0, -0, Number.MIN_VALUE, -Number.MIN_VALUE, Number.MAX_SAFE_INTEGER),
)
const key: fc.Arbitrary<Key> = fc.oneof(string, number)

const byBytes = (left: string, right: string): number =>
  Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)))
const isCutAlike = (left: Key, right: Key): boolean =>
  typeof left === 'string' &&
  typeof right === 'string' &&
  headOf(left) !== undefined &&
  headOf(left) === headOf(right)

test('texts are in the order of their keys, but among those that share their first 500 characters', () => {
  fc.assert(
    fc.property(key, key, (left, right) => {
      // Without the sign that zero has.
      const compared = Math.sign(compareKeys(left, right)) + 0
      const found = byBytes(keyText(left), keyText(right))
      if (isCutAlike(left, right)) assert.equal(found === 0, compared === 0)
      else assert.equal(found, compared)
    }),
    { numRuns: 2_000 },
  )
})

test('a key comes back from its text, and from the whole string where that is cut', () => {
  fc.assert(
    fc.property(key, (one) => {
      const text = keyText(one)
      // The zeros are one.
      assert.deepEqual(keyOf(text, wholeText(one)), one === 0 ? 0 : one)
      assert.equal(textOfCut(keyOf(text, null)), text)
      // An entry of an index has 2,704 bytes at most.
      assert.ok(Buffer.byteLength(text) <= 1 + 4 * 500 + 64)
    }),
    { numRuns: 2_000 },
  )
})

test('PostgreSQL has texts in the order of their bytes', async () => {
  const keys = fc.sample(key, 300)
  const texts = [...new Set(keys.map(keyText))]
  const rows = await onPostgres(
    postgresUrl(),
    'SELECT one FROM unnest($1::text[]) AS u (one) ORDER BY one COLLATE "C"',
    [textArray(texts)],
  )
  assert.deepEqual(
    rows.map(([one]) => one),
    texts.toSorted(byBytes),
  )
})
