import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorText, retryMs } from '../../../src/api/followers/failure.ts'

// contract: A `handle` that throws is called again
test('an attempt is repeated after 1 s, 2 s, 4 s … and then every 5 min', () => {
  const seconds = [1, 2, 3, 4, 8, 9, 10, 11, 5_000].map((attempts) => retryMs(attempts) / 1_000)
  assert.deepEqual(seconds, [1, 2, 4, 8, 128, 256, 300, 300, 300])
})

const THROWN: readonly (readonly [thrown: unknown, text: string])[] = [
  [new Error('the mail server is down'), 'the mail server is down'],
  [new TypeError(), 'TypeError'],
  ['just a text', 'just a text'],
  [undefined, 'undefined'],
  [Symbol('s'), 'Symbol(s)'],
  [Object.create(null), 'something that has no text was thrown'],
  [Object.assign(new Error('x'), { message: 7 }), '7'],
  [new Error('a\0b \ud800'), 'a\ufffdb \ufffd'],
  [new Error('x'.repeat(600)), `${'x'.repeat(499)}…`],
]

test('whatever is thrown has a text that a database can store', () => {
  for (const [thrown, text] of THROWN) assert.equal(errorText(thrown), text)
})
