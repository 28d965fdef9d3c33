import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasEtag, readList } from '../../src/http/lists.ts'

test('a list is read without its empty elements and the blanks around each, up to 64 elements', () => {
  assert.deepEqual(readList(''), [])
  assert.deepEqual(readList(', ,\t,'), [])
  assert.deepEqual(readList('a'), ['a'])
  assert.deepEqual(readList(' a b\t,,c ; d, "e'), ['a b', 'c ; d', '"e'])
  assert.equal(readList('a,'.repeat(100)).length, 64)
  assert.deepEqual(readList(`${','.repeat(10_000)}a`), ['a'])
})

test('an ETag is found among others, with and without W/, and a part of one is not', () => {
  for (const header of ['"1-a"', 'W/"1-a"', '"2-b", "1-a"', '"1-a" ,"2-b"', '"x1-a", W/"1-a"\t'])
    assert.equal(hasEtag(header, '"1-a"'), true, header)
  for (const header of ['', '1-a', '"x"1-a"', '"1-a"x', 'w/"1-a"', 'xW/"1-a"', 'x "1-a"', '"1-ab"'])
    assert.equal(hasEtag(header, '"1-a"'), false, header)
})
