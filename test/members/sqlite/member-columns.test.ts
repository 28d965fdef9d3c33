import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BulkMember, fromColumns, toColumns } from '../../../src/members/sqlite/member-columns.ts'

const EMPTY: BulkMember = {
  className: 'Note',
  member: {
    ...{ id: '1', body: '', baseUrlOffsets: '', hidden: '', owner: undefined, actor: undefined },
    links: [],
    keys: { values: [], words: [] },
  },
}

test('members arrive as they were sent, with their words as one text', () => {
  const full: BulkMember = {
    className: 'Book',
    member: {
      ...{ id: '2', body: ',"title":"A b"', baseUrlOffsets: '3', hidden: '{"x":1}', owner: 7, actor: 8 },
      links: [{ property: 'author', className: 'Author', id: 'a', targetOwner: 7 }],
      keys: {
        values: [
          { key: 'a b', whole: null },
          null,
          { key: 'cut', whole: 'cut off' },
          { key: 0, whole: null },
          [],
          [{ key: 'one', whole: null, element: 2 }],
        ],
        words: ['a', 'b'],
      },
    },
  }
  const sent = structuredClone(toColumns([full, EMPTY]))
  const { keys, ...rest } = full.member
  const arrived = { ...full, member: { ...rest, keys: { ...keys, words: ['a b'] } } }
  assert.deepEqual([...fromColumns(sent)], [arrived, EMPTY])
})
