import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { dryRun, openStore } from '../../../src/store/open.ts'
import { shapeOf } from '../../support/shapes.ts'
import { newSqlite, pathOf } from '../../support/stores.ts'

const SHAPES = [shapeOf('Author'), shapeOf('Book', { title: 'text' })]

test('SQLite: a dry run names the classes that a server is converting, and not how far they are', async (t) => {
  const url = newSqlite(t)
  await (await openStore(url, SHAPES)).close()
  assert.deepEqual((await dryRun(url, SHAPES)).converting, [])
  const db = new DatabaseSync(pathOf(url))
  db.exec(
    `UPDATE settings SET value = json_set(value, '$.isConverting', json('true')) WHERE name = 'layout of Book'`,
  )
  db.close()
  assert.deepEqual((await dryRun(url, SHAPES)).converting, [{ className: 'Book', percent: undefined }])
})
