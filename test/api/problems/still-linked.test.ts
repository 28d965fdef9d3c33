import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiProblem, readProblem } from '../../../src/api/problems/index.ts'
import type { StillLinkedValues } from '../../../src/api/problems/still-linked.ts'

const ALL = { shown: [], hidden: [], isAllReadable: true, isTruncated: false }
const MANY = Array.from({ length: 11 }, (_, index) => `http://a/books/${index}`)
const TEN = MANY.slice(0, 10)

test('the linking members are data: at most ten addresses, and whether there are more', () => {
  const table: [values: Partial<StillLinkedValues>, extension: object][] = [
    [{ shown: TEN }, { linkedFrom: TEN }],
    [{ shown: MANY }, { linkedFrom: TEN, hasFurtherLinks: true }],
    [
      { shown: TEN, isTruncated: true },
      { linkedFrom: TEN, hasFurtherLinks: true },
    ],
    [
      { shown: TEN, hidden: ['Draft 1'] },
      { linkedFrom: TEN, hasFurtherLinks: true },
    ],
    [
      { shown: TEN, isAllReadable: false },
      { linkedFrom: TEN, hasFurtherLinks: true },
    ],
    [{ isAllReadable: false }, { hasFurtherLinks: true }],
  ]
  for (const [values, extension] of table)
    assert.deepEqual(readProblem(apiProblem('StillLinked', { ...ALL, ...values })).extension, extension)
})
