import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readByLlhttp } from './llhttp.ts'
import { pieces } from './messages.ts'
import { readByOurs } from './reading.ts'

/** `npm run fuzz -- http` runs for longer. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 2_000)

test('whatever our layer accepts, llhttp accepts with the same meaning, and how the bytes are split makes no difference', () => {
  fc.assert(
    fc.property(pieces, (given) => {
      const ours = readByOurs(given)
      const theirs = readByLlhttp(given)
      assert.deepEqual(theirs.messages.slice(0, ours.messages.length), ours.messages)
      // What we do not refuse has no more requests in it than we have seen.
      if (!ours.isRefused) assert.equal(theirs.messages.length, ours.messages.length)
      assert.deepEqual(readByOurs([Buffer.concat(given)]), ours)
    }),
    { numRuns: RUNS },
  )
})
