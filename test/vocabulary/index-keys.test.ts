import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fold } from '../../src/folding.ts'
import {
  compareKeys,
  headOf,
  indexBounds,
  indexKey,
  restoredKey,
  shortenedKey,
  textKey,
  textsBeginningWith,
} from '../../src/vocabulary/index-keys.ts'
import { keyOf } from '../../src/vocabulary/keys.ts'
import { classIn, modelOf, propertyIn } from './api-files.ts'

const book = classIn(modelOf('classes: { Book: { properties: { price: decimal } } }'), 'Book')

/** Around the length at which they are cut, with beginnings that many share, of characters of one to four bytes. */
const long = fc
  .tuple(
    fc.constantFrom('a', 'é', '\uff5a', '\u{1f40e}', '한', 'e\u0301'),
    fc.integer({ min: 197, max: 202 }),
    fc.string({ unit: 'grapheme-composite', maxLength: 70 }),
  )
  .map(([character, count, end]) => character.repeat(count) + end)
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), long)

describe('a key as stores index it', () => {
  it('is in the order of the texts, but among those that share their first 200 characters', () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const compared = Math.sign(compareKeys(left, right))
        const found = Math.sign(compareKeys(indexKey(left), indexKey(right)))
        if (headOf(left) !== undefined && headOf(left) === headOf(right))
          assert.equal(found === 0, compared === 0)
        else assert.equal(found, compared)
      }),
      { numRuns: 2_000 },
    )
  })

  it('compares with a text of up to 200 characters as the whole text does', () => {
    fc.assert(
      fc.property(text, text, fc.nat(200), (one, other, length) => {
        for (const bound of [one, other].map((whole) => [...whole].slice(0, length).join('')))
          assert.equal(Math.sign(compareKeys(indexKey(one), bound)), Math.sign(compareKeys(one, bound)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('has 200 characters and a digest where it is cut, and more than 200 only there', () => {
    const table: [key: string | number, length: number | undefined][] = [
      [12, undefined],
      ['', undefined],
      ['\u{1f40e}'.repeat(200), undefined],
      ['\u{1f40e}'.repeat(201), 264],
      ['a'.repeat(1_000_000), 264],
    ]
    for (const [key, length] of table) {
      const found = indexKey(key)
      if (length === undefined) assert.equal(found, key)
      else assert.equal([...String(found)].length, length)
    }
    // A decimal of as many digits as it may have is not cut.
    for (const sign of ['', '-']) {
      const key = keyOf(propertyIn(book, 'price'), `${sign}0.${'9'.repeat(99)}`)
      assert.equal(indexKey(key), key)
    }
  })
})

describe('the key of a text', () => {
  const alike = fc.constantFrom(
    'Muller',
    'Müller',
    'MÜLLER',
    'mu\u0308ller',
    'a',
    'A',
    'Å',
    'a\u0001',
    'a\u0002',
    'a\u0003',
  )
  const any = fc.oneof(
    text,
    alike,
    fc.tuple(alike, text).map(([one, other]) => one + other),
  )
  const sign = (one: string, other: string) => Math.sign(compareKeys(one, other))
  const isLong = (one: string) => headOf(one) !== undefined || headOf(fold(one)) !== undefined

  it('ranks folded texts by code point, then texts; beyond 200 characters it tells texts apart', () => {
    fc.assert(
      fc.property(any, any, (left, right) => {
        const [ours, theirs] = [fold(left), fold(right)]
        const found = sign(textKey(left), textKey(right))
        assert.equal(found === 0, left === right)
        const isShared = headOf(ours) !== undefined && headOf(ours) === headOf(theirs)
        if (ours !== theirs && !isShared) assert.equal(found, sign(ours, theirs))
        else if (!isLong(left) && !isLong(right)) assert.equal(found, sign(left, right))
      }),
      { numRuns: 3_000 },
    )
  })

  it('is within the bounds of an index as its folded text is within those of a range; where these are cut, also where it is not', () => {
    const isWithin = (key: string, { from, to }: ReturnType<typeof indexBounds>) =>
      (from === undefined || compareKeys(key, from.key) >= (from.inclusive ? 0 : 1)) &&
      (to === undefined || compareKeys(key, to.key) <= (to.inclusive ? 0 : -1))
    fc.assert(
      fc.property(any, any, fc.boolean(), (one, other, inclusive) => {
        const bound = { key: fold(other), inclusive }
        for (const range of [{ from: bound }, { to: bound }, textsBeginningWith(fold(other))]) {
          const [found, wanted] = [
            isWithin(textKey(one), indexBounds(range, 'text')),
            isWithin(fold(one), range),
          ]
          if (headOf(bound.key) === undefined) assert.equal(found, wanted)
          else assert.ok(found || !wanted)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('is restored from what a cursor has of it, which is no longer than one text', () => {
    fc.assert(
      fc.property(any, (one) => {
        const shortened = shortenedKey(textKey(one))
        assert.equal(restoredKey(shortened), textKey(one))
        assert.ok(Buffer.byteLength(shortened) <= 1 + 800 + 1 + 64)
        if (!isLong(one)) assert.equal(shortened, `=${one}`)
      }),
      { numRuns: 2_000 },
    )
  })

  it('has at most 1,601 bytes, and no U+0000', () => {
    for (const one of [
      '\u{1f40e}'.repeat(200),
      '\u{1f40e}'.repeat(1_000),
      '\0\u0001'.repeat(100),
      'ẞ'.repeat(100),
    ])
      assert.ok(Buffer.byteLength(textKey(one)) <= 1_601)
    assert.ok(!textKey('\0'.repeat(201)).includes('\0'))
  })
})
