import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepToken, readKeptToken } from '../../../../console/shared/connection/signed-in.ts'
import { createMemory } from './memory.ts'

test('a token is kept for the API that issued it, until it expires', () => {
  const { kept, memory } = createMemory()
  const base = 'http://localhost:8080/api'
  const token = { base, token: 'abc', user: '7', endsAt: 1_000 }
  keepToken(token, memory)
  assert.deepEqual(readKeptToken(base, memory, 999), token)
  assert.equal(readKeptToken(base, memory, 1_000), undefined)
  assert.equal(readKeptToken('http://localhost:8080/ap', memory, 999), undefined)
  for (const key of kept.keys()) kept.set(key, '{')
  assert.equal(readKeptToken(base, memory, 999), undefined)
  keepToken(undefined, memory)
  assert.equal(kept.size, 0)
})
