import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnswerNodes } from '../../../src/api/output/answer-nodes.ts'

test('members count in whole bytes, whatever the size of a page: PostgreSQL refuses others', () => {
  const cls = { name: 'Book' }
  const member = { id: '1', version: 1, body: '{}', baseUrlOffsets: '', owner: undefined }
  for (const maxBytes of [1, 4_097, 1_000_000, 4_194_304]) {
    const limits = { include: {}, maxBytes, baseLength: 20, linksIn: () => [] }
    const nodes = createAnswerNodes(cls as never, [], limits as never)
    const bytes = nodes.bytesOf(nodes.add(cls as never, member))
    assert.equal(bytes, Math.max(2, Math.ceil(maxBytes / 4_096)))
  }
})
