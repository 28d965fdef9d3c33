import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RULES } from '../../src/conform/rules/index.ts'
import { BROKEN, brokenApi, findingsIn, goodApi } from './fixtures.ts'

test('an API that does everything right has no finding', async () => {
  assert.deepEqual(await findingsIn(goodApi()), [])
})

test('every rule has an API that breaks it, and there are no others', () => {
  assert.deepEqual(Object.keys(BROKEN).sort(), Object.keys(RULES).sort())
})

for (const code of Object.keys(BROKEN))
  test(`${code} is found where it is broken`, async () => {
    const found = await findingsIn(brokenApi(code))
    const codes = found.map((finding) => finding.code as string)
    assert.ok(codes.includes(code), `only ${codes.join(', ')}`)
  })
