import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member } from 'hydrant-client'
import { createCountBefore, positionText, rowRange } from '../../../../console/pages/table/position.ts'
import { readQuery } from '../../../../console/pages/table/query.ts'

const pageOf = (count: number, links: { previous?: string; next?: string; totalItems?: number } = {}) => ({
  members: Array.from({ length: count }, () => ({}) as Member<object>),
  totalItems: undefined,
  previous: links.previous && `http://shop.example/books?${links.previous}`,
  next: links.next && `http://shop.example/books?${links.next}`,
  ...(links.totalItems === undefined ? {} : { totalItems: links.totalItems }),
})

test('pages that are reached by cursor from the first or the last page have a known position', () => {
  const countBefore = createCountBefore()
  const at = (query: string, page: ReturnType<typeof pageOf>) =>
    countBefore(query, readQuery(query, []), page)
  assert.equal(at('after=b', pageOf(20, { previous: 'before=b', next: 'after=c' })), undefined)
  assert.equal(at('', pageOf(20, { next: 'after=a' })), 0)
  assert.equal(at('after=a', pageOf(20, { previous: 'before=a', next: 'after=b' })), 20)
  assert.equal(at('after=b', pageOf(20, { previous: 'before=b', next: 'after=c' })), 40)
  assert.equal(at('before=end', pageOf(20, { previous: 'before=z', totalItems: 103 })), 83)
  assert.equal(at('before=z', pageOf(20, { previous: 'before=y', next: 'after=z', totalItems: 103 })), 63)
})

test('a numbered page has a known position', () => {
  const at = (query: string, page: ReturnType<typeof pageOf>) =>
    createCountBefore()(query, readQuery(query, []), page)
  assert.equal(at('page=3', pageOf(20, { previous: 'page=2', next: 'page=4' })), 40)
  assert.equal(at('page=3&itemsPerPage=50', pageOf(3, { previous: 'page=2' })), 100)
  assert.equal(at('page=x', pageOf(3, { previous: 'page=2' })), undefined)
})

test('the position is described in words', () => {
  const counted = { before: 20, shown: 20, total: 103, countsToThousand: true }
  assert.equal(positionText(counted, 'en'), '21–40 of 103')
  assert.equal(positionText({ ...counted, before: undefined }, 'en'), '20 of 103')
  assert.equal(positionText({ ...counted, total: undefined }, 'en'), '21–40 of more than 1,000')
  assert.equal(
    positionText({ ...counted, total: undefined, countsToThousand: false }, 'en'),
    '21–40 of an unknown number',
  )
  assert.equal(
    positionText({ ...counted, before: 1_234_560, total: 1_500_000 }, 'en'),
    '1,234,561–1,234,580 of 1,500,000',
  )
  assert.equal(positionText({ ...counted, total: 30 }, 'en'), '21–40 of 40')
})

test('a page that is too large is shown in parts, without gaps', () => {
  assert.deepEqual(rowRange(300, 0), { number: 0, lastNumber: 1, start: 0, end: 200 })
  assert.deepEqual(rowRange(300, 1), { number: 1, lastNumber: 1, start: 200, end: 300 })
  assert.deepEqual(rowRange(200, 0), { number: 0, lastNumber: 0, start: 0, end: 200 })
  assert.deepEqual(rowRange(0, 0), { number: 0, lastNumber: 0, start: 0, end: 0 })
})
