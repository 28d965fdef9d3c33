import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { SCHEMA_VERSION, upgradeSchema } from '../../../src/database/sqlite/schema.ts'
import { openStore } from '../../../src/store/open.ts'
import { contentOf } from '../../support/contents.ts'
import { memberOf, shapeOf } from '../../support/shapes.ts'
import { newSqlite, openFor, pathOf } from '../../support/stores.ts'

const KINDS = { title: 'text' } as const
const SHAPES = [shapeOf('Book', KINDS)]
const ADDED = [
  'CREATE TABLE added_later (id INTEGER) STRICT',
  'ALTER TABLE users ADD COLUMN added_later TEXT',
]

/** As a later version does: it has two more steps, and says which version may open the file after it. */
function upgradeFurther(url: string, oldest: number): void {
  const db = new DatabaseSync(pathOf(url))
  // Version 1 has no step.
  upgradeSchema(db, [...Array<string>(SCHEMA_VERSION - 1).fill(''), ...ADDED], oldest)
  db.close()
}

async function newDatabase(t: TestContext): Promise<string> {
  const url = newSqlite(t)
  await (await openStore(url, SHAPES)).close()
  return url
}

test('a file with later additions is opened as it is, if it says that this version may', async (t) => {
  const url = await newDatabase(t)
  upgradeFurther(url, SCHEMA_VERSION)
  const before = await contentOf(url)
  const store = await openFor(t, url, SHAPES)
  assert.deepEqual(await contentOf(url), before)
  await store.auth.addUser({ id: 7, paraphraseHash: 'x' }, 0)
  assert.equal((await store.auth.findUser(7))?.id, 7)
})

test('a server goes on when a later version adds to its file, unless it may not open the file any more', async (t) => {
  const url = await newDatabase(t)
  const store = await openFor(t, url, SHAPES)
  upgradeFurther(url, SCHEMA_VERSION)
  await store.members.add('Book', memberOf(KINDS, 'a', { title: 'one' }))
  const later = new DatabaseSync(pathOf(url))
  later.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
  later.close()
  await assert.rejects(async () => store.members.add('Book', memberOf(KINDS, 'b', { title: 'two' })), {
    code: 'DatabaseReplaced',
    values: { retryAfterSeconds: 60, loss: 'upgraded' },
  })
})

// contract: The database has the oldest version that may open it
test('a file with later additions is refused, if it says that this version may not open it', async (t) => {
  const url = await newDatabase(t)
  upgradeFurther(url, SCHEMA_VERSION + 1)
  const values = { database: pathOf(url), version: SCHEMA_VERSION + 1, known: SCHEMA_VERSION }
  await assert.rejects(openStore(url, SHAPES), { code: 'NewerSchema', values })
})
