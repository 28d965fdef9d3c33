import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bound, PropertyFilter } from '../../../src/members/index.ts'
import { type IndexRange, rangesOf } from '../../../src/members/query/plan.ts'
import type { Key } from '../../../src/vocabulary/index.ts'

/** `[2,5)`, `(3+7,]` for what is behind number 7 of 3, `=3`, `=3+7` for those of 3 behind it, `-` for no key. */
function show(ranges: readonly IndexRange[], isDown: boolean): string {
  return ranges
    .map((range) => {
      if (range.kind === 'span') {
        const { from, to, after } = range
        const near = after && { key: `${after.key}+${after.sequence}`, inclusive: false }
        return isDown ? edge('[(', from) + edge('])', near ?? to) : edge('[(', near ?? from) + edge('])', to)
      }
      const after = range.after === undefined ? '' : `+${range.after}`
      return range.kind === 'key' && range.key !== null ? `=${range.key}${after}` : `-${after}`
    })
    .join(' ')
}

const edge = ([inside = '', outside = '']: string, bound: Bound | undefined): string => {
  const sign = bound?.inclusive === false ? outside : inside
  const key = bound?.key ?? ''
  return inside === '[' ? `${sign}${key},` : `${key}${sign}`
}

const range = (from: number, to: number, inclusive = true): PropertyFilter => ({
  property: 'p',
  test: 'range',
  from: { key: from, inclusive },
  to: { key: to, inclusive },
})

const anyOf = (...keys: Key[]): PropertyFilter => ({ property: 'p', test: 'in', keys })

interface Case {
  readonly filter: PropertyFilter | undefined
  readonly key: Key | null
  /** Ascending, and walked forwards; ascending backwards; descending forwards; descending backwards. */
  readonly left: readonly [string, string, string, string]
}

const CASES: readonly Case[] = [
  { filter: undefined, key: 3, left: ['(3+7,] -', '[,3+7)', '[,3+7) -', '(3+7,]'] },
  { filter: undefined, key: null, left: ['-+7', '-+7 [,]', '-+7', '-+7 [,]'] },
  { filter: range(2, 5), key: 3, left: ['(3+7,5]', '[2,3+7)', '[2,3+7)', '(3+7,5]'] },
  { filter: range(2, 5), key: 2, left: ['(2+7,5]', '[2,2+7)', '[2,2+7)', '(2+7,5]'] },
  { filter: range(2, 5), key: 5, left: ['(5+7,5]', '[2,5+7)', '[2,5+7)', '(5+7,5]'] },
  { filter: range(2, 5), key: 1, left: ['[2,5]', '', '', '[2,5]'] },
  { filter: range(2, 5), key: 6, left: ['', '[2,5]', '[2,5]', ''] },
  { filter: range(2, 5, false), key: 2, left: ['(2,5)', '', '', '(2,5)'] },
  { filter: range(2, 5, false), key: 5, left: ['', '(2,5)', '(2,5)', ''] },
  { filter: range(2, 5), key: null, left: ['', '[2,5]', '', '[2,5]'] },
  { filter: anyOf(5, 1, 3), key: 3, left: ['=3+7 =5', '=3+7 =1', '=3+7 =1', '=3+7 =5'] },
  { filter: anyOf(5, 1, 3), key: 2, left: ['=3 =5', '=1', '=1', '=3 =5'] },
  {
    filter: anyOf('\u{1f40e}', 'a', '\uff5a'),
    key: '\uff5a',
    left: ['=\uff5a+7 =\u{1f40e}', '=\uff5a+7 =a', '=\uff5a+7 =a', '=\uff5a+7 =\u{1f40e}'],
  },
  { filter: { property: 'p', test: 'exists', exists: false }, key: 3, left: ['-', '', '-', ''] },
]

test('behind a position lies what was not read yet, beginning with its equals', () => {
  for (const { filter, key, left } of CASES) {
    const ways = [
      [false, false],
      [false, true],
      [true, false],
      [true, true],
    ] as const
    const shown = ways.map(([descending, backward]) => {
      const ranges = rangesOf(filter, { descending, backward }, { keys: [key], sequence: 7 })
      return show(ranges, descending !== backward)
    })
    assert.deepEqual(shown, left, `${JSON.stringify(filter)} from ${key}`)
  }
})
