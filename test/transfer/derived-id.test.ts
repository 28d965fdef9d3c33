import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDerivedId } from '../../src/transfer/derived-id.ts'

/** RFC 9562 §5.8. */
const VERSION_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('a derived id is a UUID of version 8, the same for the same file, place and text', () => {
  const id = createDerivedId('books.ndjson')(17, '{"title":"Zażółć"}')
  assert.match(id, VERSION_8)
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
  for (const id of ids) assert.match(id, VERSION_8)
})
