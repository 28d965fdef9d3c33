import assert from 'node:assert/strict'
import { test } from 'node:test'
import { version } from 'uuid'
import { createDerivedId } from '../../src/transfer/member-reader.ts'

test('a derived id is a UUID of version 8, the same for the same file, place and text', () => {
  const id = createDerivedId('books.ndjson')(17, '{"title":"Zażółć"}')
  assert.equal(version(id), 8)
  assert.equal(createDerivedId('books.ndjson')(17, '{"title":"Zażółć"}'), id)
})

test('another file, another place or another text gives another id', () => {
  const ids = [
    createDerivedId('a.ndjson')(1, '{}'),
    createDerivedId('b.ndjson')(1, '{}'),
    createDerivedId('a.ndjson')(2, '{}'),
    createDerivedId('a.ndjson')(1, '{ }'),
  ]
  assert.equal(new Set(ids).size, ids.length)
})

test('the ids of one file ascend with the places in it', () => {
  const derive = createDerivedId('a.ndjson')
  const lines = [1, 2, 15, 16, 255, 4_095, 4_096, 65_536, 1_000_000, 2 ** 32, 2 ** 36 - 1]
  const ids = lines.map((line) => derive(line, 'x'))
  assert.deepEqual(ids.toSorted(), ids)
  assert.ok(ids.every((id) => version(id) === 8))
})
