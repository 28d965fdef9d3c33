import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyStore } from '../../src/store/open.ts'
import { contentOf } from '../support/contents.ts'
import { execute } from '../support/databases.ts'
import { newPostgres } from '../support/postgres.ts'
import { memberOf } from '../support/shapes.ts'
import { newSqlite, openFor } from '../support/stores.ts'
import {
  assertFilled,
  assertNamed,
  fill,
  fillHistory,
  KINDS,
  NOW,
  REMEMBERED,
  rememberedIn,
  SHAPES,
  totalsOf,
} from './filled.ts'
import { newOfLastBuild } from './last-build.ts'

test('a copy has the owners of members, and the names, numbers and roles of users', async (t) => {
  const [from, to] = [newSqlite(t), newPostgres(t)]
  await (await fill(from)).close()
  await copyStore(from, to, () => {})
  const copy = await openFor(t, to, SHAPES)
  await assertNamed(copy)
  await assertFilled(copy, 5)
})

test('a file of the last build is copied, and stays what it is, apart from a secret where it has none', async (t) => {
  const from = await newOfLastBuild(t, newSqlite)
  const before = await contentOf(from)
  const to = newPostgres(t)
  await copyStore(from, to, () => {})
  assert.deepEqual(await contentOf(from), before)

  // Without the same secret, pages would have other ETags in the copy.
  const removeSecret = () =>
    execute(from, { sqlite: "DELETE FROM settings WHERE name = 'nonce_secret'", postgres: '' })
  await removeSecret()
  const without = await contentOf(from)
  await copyStore(from, newPostgres(t), () => {})
  assert.notDeepEqual(await contentOf(from), without)
  await removeSecret()
  assert.deepEqual(await contentOf(from), without)

  const { auth, members } = await openFor(t, to, SHAPES)
  assert.deepEqual((await auth.listUsers(NOW)).map(({ number }) => number).toSorted(), [1, 2, 3])
  assert.deepEqual(await totalsOf(members), [2, 0, 0])
})

// contract: `backup`, `copy` and `export --history` carry it
test('a copy has the history of members', async (t) => {
  const [from, to] = [newSqlite(t), newPostgres(t)]
  await fillHistory(from)
  const expected = await rememberedIn(await openFor(t, from, REMEMBERED))
  const digests = await copyStore(from, to, () => {})
  assert.deepEqual(
    digests.flatMap(({ table, rows }) => (table.startsWith('history') ? [[table, rows]] : [])),
    [
      ['history of Author', 1],
      ['history of Book', 4],
    ],
  )
  const copy = await openFor(t, to, REMEMBERED)
  assert.deepEqual(await rememberedIn(copy), expected)
  // Its versions continue.
  const added = await copy.members.add('Book', memberOf(KINDS, 'gone'))
  assert.ok(
    added.outcome === 'added' && added.version > Math.max(...expected.entries.map(({ version }) => version)),
  )
  assert.deepEqual((await rememberedIn(copy)).removed, [])
})
