import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, ConflictError } from 'hydrant-client'
import { BridgeProblem } from 'hydrant-mcp'
import { describeError } from '../../packages/mcp/src/tool-errors.ts'

test('The error of a tool has a sentence, and all that a program would need to decide', () => {
  const current = { iri: 'http://localhost/api/books/1', etag: '"2"', data: { title: 'Emma' } }
  const seen = { title: 'Em' }
  const rows = [
    [new BridgeProblem('body-missing', { operation: 'create' }), { code: 'body-missing' }],
    [
      new ConflictError('It has changed.', { seen, attempted: {}, current, operation: 2 }),
      { code: 'changed', status: 412, operation: 2, current: { title: 'Emma' }, etag: '"2"' },
    ],
    [
      new ConflictError('It is gone.', { seen, attempted: undefined, current: undefined }),
      { code: 'changed', status: 412, current: null },
    ],
    [
      new ApiError('refused', 'Others link to it.', {
        code: 'StillLinked',
        status: 409,
        linkedFrom: ['http://localhost/api/books/2'],
        hasFurtherLinks: true,
      }),
      {
        code: 'StillLinked',
        status: 409,
        linkedFrom: ['http://localhost/api/books/2'],
        hasFurtherLinks: true,
      },
    ],
    [
      new ApiError('throttled', 'Too many requests.', { status: 429, retryAfter: 60 }),
      { code: 'throttled', status: 429, retryAfter: 60 },
    ],
  ] as const
  for (const [error, details] of rows)
    assert.deepEqual(describeError(error), { sentence: error.message, details })
  // The insides of the bridge are nobody's business.
  assert.deepEqual(describeError(new TypeError('x is not a function')).details, { code: 'unexpected' })
  assert.deepEqual(describeError(undefined).details, { code: 'unexpected' })
})
