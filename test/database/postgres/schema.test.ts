import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { shownDatabase } from '../../../src/database/index.ts'
import { withOpeningLock } from '../../../src/database/postgres/opening.ts'
import { SCHEMA_VERSION, upgradeSchema } from '../../../src/database/postgres/schema.ts'
import { openStore } from '../../../src/store/open.ts'
import { contentOf } from '../../support/contents.ts'
import { holding } from '../../support/holding.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { shapeOf } from '../../support/shapes.ts'
import { openFor } from '../../support/stores.ts'

const SHAPES = [shapeOf('Book', { title: 'text' })]
const ADDED = [
  'CREATE TABLE added_later (id bigint PRIMARY KEY)',
  'ALTER TABLE users ADD COLUMN added_later text',
]

/** As a later version does: it has two more steps, and says which version may run beside it. */
const upgradeFurther = (url: string, oldest: number): Promise<void> =>
  withOpeningLock(url, (transaction, { version }) =>
    upgradeSchema(transaction, version, {
      steps: [...Array<string>(SCHEMA_VERSION).fill(''), ...ADDED],
      oldest,
    }),
  )

async function newDatabase(t: TestContext): Promise<string> {
  const url = newPostgres(t)
  await (await openStore(url, SHAPES)).close()
  return url
}

test('a schema with later additions is opened as it is, if the database says that this version may', async (t) => {
  const url = await newDatabase(t)
  await upgradeFurther(url, SCHEMA_VERSION)
  const before = await contentOf(url)
  const store = await openFor(t, url, SHAPES)
  assert.deepEqual(await contentOf(url), before)
  await store.auth.addUser({ id: 7, paraphraseHash: 'x' }, 0)
  assert.equal((await store.auth.findUser(7))?.id, 7)
})

// contract: The database has the oldest version that may open it
test('a schema with later additions is refused, if the database says that this version may not open it', async (t) => {
  const url = await newDatabase(t)
  await upgradeFurther(url, SCHEMA_VERSION + 1)
  const values = { database: shownDatabase(url), version: SCHEMA_VERSION + 1, known: SCHEMA_VERSION }
  await assert.rejects(openStore(url, SHAPES), { code: 'NewerSchema', values })
})

test('an upgrade waits for the statements of others, and lets later ones pass meanwhile', async (t) => {
  const url = await newDatabase(t)
  const release = await holding(t, url, 'LOCK TABLE users IN ACCESS SHARE MODE')
  const upgrade = upgradeFurther(url, SCHEMA_VERSION)
  const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'users'::regclass"
  while ((await onPostgres(url, waiting)).length === 0) await wait(10)
  // It queues behind the upgrade, which gives up long before the transaction ends that it waits for.
  await onPostgres(url, 'SELECT count(*) FROM users')
  await release()
  await upgrade
  assert.deepEqual([...(await onPostgres(url, 'SELECT added_later FROM users'))], [])
})
