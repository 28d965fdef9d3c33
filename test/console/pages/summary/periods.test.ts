import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, periodNumber, periodText } from '../../../../console/pages/summary/periods.ts'

test('years, months and days are numbered one after the other, and written for people', () => {
  assert.equal(periodNumber('1937', 'year'), 1937)
  assert.equal(Number(periodNumber('2027-01', 'month')) - Number(periodNumber('2026-12', 'month')), 1)
  assert.equal(Number(periodNumber('2024-03-01', 'day')) - Number(periodNumber('2024-02-28', 'day')), 2)
  assert.equal(periodNumber('undefined', 'month'), undefined)
  const texts = [periodText('1937', 'year', 'en'), periodText('1937-09', 'month', 'en')]
  assert.deepEqual([...texts, periodText('1937-09-21', 'day', 'en')], ['1937', 'Sep 1937', 'Sep 21, 1937'])
  assert.equal(periodText('No value', 'month', 'en'), 'No value')
})

const rows = [
  { period: 14, value: 3, row: 'd' },
  { period: 10, value: 1, row: 'a' },
  { period: 11, value: 2, row: 'b' },
]

test('where a period has no members, a line goes to zero if the figure can be added up, else it ends', () => {
  const drawn = (isZero: boolean) =>
    linesOf(rows, isZero).map((line) => line.map(({ x, value }) => [x, value]))
  assert.deepEqual(drawn(true), [
    [
      [0, 1],
      [0.25, 2],
      [0.5, 0],
      [0.75, 0],
      [1, 3],
    ],
  ])
  assert.deepEqual(drawn(false), [
    [
      [0, 1],
      [0.25, 2],
    ],
    [[1, 3]],
  ])
  const far = [
    { period: 0, value: 1, row: 'a' },
    { period: 1e9, value: 1, row: 'b' },
  ]
  assert.equal(linesOf(far, true).length, 2)
  assert.deepEqual(linesOf([{ period: 5, value: undefined, row: 'a' }], false), [])
  assert.deepEqual(linesOf([{ period: 5, value: 7, row: 'a' }], false), [[{ x: 0.5, value: 7, row: 'a' }]])
})
