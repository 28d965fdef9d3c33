import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { backUp } from '../../src/store/open.ts'
import { temporaryFolder } from '../support/folders.ts'
import { newSqlite, openFor } from '../support/stores.ts'
import { assertFilled, fill, fillHistory, REMEMBERED, rememberedIn, SHAPES } from './filled.ts'

test('a backup has the owners of members, and the numbers and roles of users', async (t) => {
  const from = newSqlite(t)
  const store = await fill(from)
  const file = join(temporaryFolder(t), 'backup.db')
  await backUp(from, file)
  await store.close()
  await assertFilled(await openFor(t, `sqlite:${file}`, SHAPES))
})

// contract: `backup`, `copy` and `export --history` carry it
test('a backup has the history of members', async (t) => {
  const from = newSqlite(t)
  await fillHistory(from)
  const file = join(temporaryFolder(t), 'backup.db')
  await backUp(from, file)
  const expected = await rememberedIn(await openFor(t, from, REMEMBERED))
  assert.equal(expected.entries.length, 5)
  assert.deepEqual(await rememberedIn(await openFor(t, `sqlite:${file}`, REMEMBERED)), expected)
})
