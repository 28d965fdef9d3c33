import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { isPostgres } from '../../src/database/index.ts'
import type { MemberStore } from '../../src/members/index.ts'
import type { Store } from '../../src/store/index.ts'
import { backUp, copyStore, dryRun, openStore } from '../../src/store/open.ts'
import { contentOf } from '../support/contents.ts'
import { execute } from '../support/databases.ts'
import { newPostgres, onPostgres } from '../support/postgres.ts'
import { temporaryFolder } from '../support/service.ts'
import { type Kinds, memberOf, select, shapeOf } from '../support/shapes.ts'
import { newSqlite, openFor, pathOf, SHARED_STORES } from '../support/stores.ts'

const KINDS: Kinds = { isbn: 'unique', title: 'text', tags: 'texts' }
const SHAPES = [shapeOf('Author'), shapeOf('Book', KINDS)]
const OTHER_SHAPES = [shapeOf('Author'), shapeOf('Book', { title: 'text' }, { fingerprint: 2 })]
const NOW = Date.UTC(2030, 0, 1)

/** Without the age of tokens and attempts. */
const BEFORE_AGES = {
  sqlite: `ALTER TABLE tokens DROP COLUMN recorded_by; ALTER TABLE tokens DROP COLUMN recorded_at;
    ALTER TABLE attempts DROP COLUMN recorded_by; ALTER TABLE attempts DROP COLUMN recorded_at`,
  postgres: `ALTER TABLE tokens DROP COLUMN recorded_at;
    ALTER TABLE attempts DROP COLUMN recorded_at;
    DROP FUNCTION begin_attempt(text, bigint, bigint, bigint, bigint, bigint, bigint, text, bigint, bigint);
    DROP FUNCTION in_time; DROP FUNCTION clock_ms; DROP FUNCTION attempted_at; DROP FUNCTION begin_nonce_series;`,
}

/** Without what lets readers of the feed skip changes. */
const BEFORE_RANGES = {
  sqlite: `ALTER TABLE classes DROP COLUMN shown;
    DROP INDEX changes_by_class; DROP INDEX changes_by_member; DROP INDEX changes_by_owner`,
}

/** As the last build placed changes. */
const BEFORE_PLACEMENTS = `DO $do$ BEGIN
  ${BEFORE_AGES.postgres}
  DROP FUNCTION changes_after; DROP FUNCTION place_changes; DROP FUNCTION first_position;
  DROP TABLE new_changes, placements; DROP SEQUENCE change_numbers;
  DROP INDEX changes_by_class, changes_by_member, changes_by_owner;
  ALTER TABLE classes DROP COLUMN shown;
  CREATE TABLE new_changes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    class text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, kind smallint NOT NULL,
    version bigint NOT NULL, owner bigint, at bigint NOT NULL DEFAULT 0);
  CREATE FUNCTION place_changes() RETURNS void LANGUAGE plpgsql AS 'BEGIN END';
  CREATE FUNCTION changes_after(after bigint, most integer) RETURNS SETOF changes LANGUAGE plpgsql AS 'BEGIN END';
  UPDATE settings SET value = '3' WHERE name = 'schema_version';
END $do$`

/** What the last build did not have, and the number of its schema. */
const BEFORE_OWNERS = {
  sqlite: `${BEFORE_AGES.sqlite}; ALTER TABLE classes DROP COLUMN shown;
    DROP TABLE changes; DELETE FROM settings WHERE name = 'epoch';
    DROP INDEX users_by_number;
    ALTER TABLE users DROP COLUMN number; ALTER TABLE users DROP COLUMN roles;
    DELETE FROM settings WHERE name = 'user_number';
    DROP TABLE owner_totals;
    DROP TABLE owned_1; ALTER TABLE keys_1 DROP COLUMN owner; ALTER TABLE members_1 DROP COLUMN owner;
    DROP TABLE owned_2; ALTER TABLE keys_2 DROP COLUMN owner; ALTER TABLE members_2 DROP COLUMN owner;
    PRAGMA user_version = 2`,
  postgres: `DO $$ BEGIN
    ${BEFORE_AGES.postgres}
    DROP FUNCTION changes_after; DROP FUNCTION place_changes; DROP FUNCTION first_position;
    DROP TABLE changes, new_changes, placements; DROP SEQUENCE change_numbers;
    ALTER TABLE classes DROP COLUMN shown;
    DELETE FROM settings WHERE name = 'epoch';
    ALTER TABLE users DROP COLUMN number, DROP COLUMN roles;
    DROP TABLE owner_totals;
    ALTER TABLE members_1 DROP COLUMN owner;
    ALTER TABLE members_2 DROP COLUMN owner;
    UPDATE settings SET value = '1' WHERE name = 'schema_version';
  END $$`,
}

const addBook = ({ members }: Store, id: string, owner?: number) =>
  members.add('Book', { ...memberOf(KINDS, id, { title: 'one', tags: ['a', 'b'] }), owner })

async function newOfLastBuild(t: TestContext, newDatabase: (t: TestContext) => string): Promise<string> {
  const url = newDatabase(t)
  const store = await openStore(url, SHAPES)
  for (const id of [7, 3, 5]) await store.auth.addUser(id, 'x', NOW)
  // As a server does at its start.
  await store.auth.nonceSecret()
  for (const id of ['a', 'b']) await addBook(store, id)
  await store.close()
  if (isPostgres(url)) await onPostgres(url, BEFORE_OWNERS.postgres)
  else {
    const db = new DatabaseSync(pathOf(url))
    db.exec(BEFORE_OWNERS.sqlite)
    db.close()
  }
  return url
}

const totalsOf = async (members: MemberStore) =>
  Promise.all([undefined, 2, 3].map(async (owner) => (await members.list('Book', select({ owner }))).total))

for (const { name, newDatabase } of SHARED_STORES) {
  for (const shapes of [SHAPES, OTHER_SHAPES]) {
    const file = shapes === SHAPES ? 'the same API file' : 'another API file'
    test(`${name}: a database of the last build is upgraded where it is, under ${file}`, async (t) => {
      const url = await newOfLastBuild(t, newDatabase)
      const store = await openFor(t, url, shapes)
      const users = await store.auth.listUsers(NOW)
      assert.deepEqual(
        users.map(({ id, roles }) => [id, roles.length]),
        [
          [3, 0],
          [5, 0],
          [7, 0],
        ],
      )
      await store.auth.addUser(9, 'x', NOW, ['editor'])
      const numbers = (await store.auth.listUsers(NOW)).map(({ number }) => number)
      assert.deepEqual(numbers.toSorted(), [1, 2, 3, 4])
      assert.equal((await store.members.find('Book', 'a'))?.owner, undefined)
      assert.deepEqual(await totalsOf(store.members), [2, 0, 0])
      const kinds = shapes === SHAPES ? KINDS : { title: 'text' as const }
      await store.members.add('Book', { ...memberOf(kinds, 'c', { title: 'one' }), owner: 2 })
      assert.deepEqual(await totalsOf(store.members), [3, 1, 0])
      await store.members.remove('Book', 'a', undefined)
      assert.deepEqual(await totalsOf(store.members), [2, 1, 0])
    })
  }

  test(`${name}: a dry run on a database of the last build changes nothing`, async (t) => {
    const url = await newOfLastBuild(t, newDatabase)
    const before = await contentOf(url)
    const { incompatible, migrated } = await dryRun(url, OTHER_SHAPES)
    assert.deepEqual([incompatible, migrated], [[], [{ className: 'Book', members: 2 }]])
    assert.deepEqual(await contentOf(url), before)
  })
}

test('PostgreSQL: changes that no host has placed yet are placed by the upgrade, after the others', async (t) => {
  const url = newPostgres(t)
  const before = await openStore(url, SHAPES)
  await addBook(before, 'a')
  await before.changes.last()
  await before.close()
  await onPostgres(url, BEFORE_PLACEMENTS)
  await onPostgres(
    url,
    `INSERT INTO new_changes (class, id, kind, version) VALUES ('Book', 'b', 0, 1), ('Book', 'c', 0, 2)`,
  )
  const store = await openFor(t, url, SHAPES)
  await addBook(store, 'd')
  assert.deepEqual(
    (await store.changes.after(0, 10)).changes.map(({ position, id }) => `${position} ${id}`),
    ['1 a', '2 b', '3 c', '4 d'],
  )
  assert.deepEqual((await store.changes.after(0, 1, [{ className: 'Book', id: 'c' }])).changes.length, 1)
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

test('a file with an index by owner is upgraded where it is: each owner has the same members', async (t) => {
  const url = newSqlite(t)
  await (await fill(url)).close()
  const db = new DatabaseSync(pathOf(url))
  for (const { id } of db.prepare('SELECT id FROM classes').all())
    db.exec(
      `DROP TABLE owned_${id}; CREATE INDEX keys_${id}_owner ON keys_${id} (owner) WHERE owner IS NOT NULL`,
    )
  db.exec(`${BEFORE_AGES.sqlite}; ${BEFORE_RANGES.sqlite}; PRAGMA user_version = 4`)
  db.close()
  const store = await openFor(t, url, SHAPES)
  await assertFilled(store)
  const { members } = await store.members.list('Book', select({ owner: 3 }))
  assert.deepEqual(members, [await store.members.find('Book', 'c')])
})

/** Users with roles, the last of whom is gone, and members of three owners. */
async function fill(url: string) {
  const store = await openStore(url, SHAPES)
  await store.auth.addUser(7, 'x', NOW)
  await store.auth.addUser(3, 'x', NOW, ['editor', 'author'])
  await store.auth.addUser(9, 'x', NOW)
  await store.auth.removeUser(9)
  for (const [id, owner] of [
    ['a', 2],
    ['b', undefined],
    ['c', 3],
    ['d', 2],
  ] as const)
    await addBook(store, id, owner)
  await store.members.remove('Book', 'd', undefined)
  return store
}

async function assertFilled({ auth, members }: Store): Promise<void> {
  const users = (await auth.listUsers(NOW)).map(({ id, number, roles }) => [id, number, ...roles])
  assert.deepEqual(users, [
    [3, 2, 'author', 'editor'],
    [7, 1],
  ])
  assert.deepEqual(
    (await members.list('Book', select())).members.map(({ id, owner }) => [id, owner]),
    [
      ['a', 2],
      ['b', undefined],
      ['c', 3],
    ],
  )
  assert.deepEqual(await totalsOf(members), [3, 1, 1])
  // The members of the user who is gone are not another's.
  await auth.addUser(9, 'x', NOW)
  assert.equal((await auth.findUser(9))?.number, 4)
}

test('a copy has the owners of members, and the numbers and roles of users', async (t) => {
  const [from, to] = [newSqlite(t), newPostgres(t)]
  await (await fill(from)).close()
  await copyStore(from, to, () => {})
  await assertFilled(await openFor(t, to, SHAPES))
})

test('a backup has the owners of members, and the numbers and roles of users', async (t) => {
  const from = newSqlite(t)
  const store = await fill(from)
  const file = join(temporaryFolder(t), 'backup.db')
  await backUp(from, file)
  await store.close()
  await assertFilled(await openFor(t, `sqlite:${file}`, SHAPES))
})
