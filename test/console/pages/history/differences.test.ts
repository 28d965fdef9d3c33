import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeInWords, differencesOf } from '../../../../console/pages/history/differences.ts'
import { cls, link, property } from '../../descriptions.ts'

const book = cls(
  'Book',
  property('title', 'string'),
  property('pageCount', 'integer'),
  property('tags', 'string', { many: true }),
  link('author', 'Person'),
)

test('two states differ in what has another value, in the order of the documentation', () => {
  const older = { '@id': '/1', author: '/a', title: 'One', tags: ['a', 'b'], former: 1, home: { a: 1, b: 2 } }
  const newer = { '@id': '/1', title: 'Two', tags: ['a', 'b'], pageCount: 2, home: { b: 2, a: 1 } }
  assert.deepEqual(
    differencesOf(older, newer, book).map(({ name, was, is }) => [name, was, is]),
    [
      ['title', 'One', 'Two'],
      ['pageCount', undefined, 2],
      ['author', '/a', undefined],
      ['former', 1, undefined],
    ],
  )
  assert.deepEqual(differencesOf(older, older, book), [])
  assert.deepEqual(
    differencesOf({}, newer, undefined).map(({ name }) => name),
    ['title', 'tags', 'pageCount', 'home'],
  )
})

test('a change in words', () => {
  const cases = [
    [{ type: 'create', changed: undefined }, 'Created'],
    [{ type: 'create', changed: [] }, 'Created again'],
    [{ type: 'delete', changed: [] }, 'Deleted'],
    [{ type: 'update', changed: undefined }, 'Changed'],
    [{ type: 'update', changed: ['title', 'pageCount'] }, 'Changed: Title, Page count'],
    [{ type: 'update', changed: ['formerName'] }, 'Changed: Former name'],
    [{ type: 'update', changed: [] }, 'Changed nothing that you can see'],
  ] as const
  for (const [entry, words] of cases) assert.equal(changeInWords(entry, book), words)
})
