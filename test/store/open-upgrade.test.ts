import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { dryRun, openStore } from '../../src/store/open.ts'
import { contentOf } from '../support/contents.ts'
import { newPostgres, onPostgres } from '../support/postgres.ts'
import { memberOf, select, shapeOf } from '../support/shapes.ts'
import { newSqlite, openFor, pathOf, SHARED_STORES } from '../support/stores.ts'
import { addBook, assertFilled, fill, KINDS, NOW, SHAPES, totalsOf } from './filled.ts'
import { BEFORE_AGES, newOfLastBuild } from './last-build.ts'

const OTHER_SHAPES = [shapeOf('Author'), shapeOf('Book', { title: 'text' }, { fingerprint: 2 })]

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
  DELETE FROM settings WHERE name = 'postgres_schema';
  UPDATE settings SET value = '3' WHERE name = 'schema_version';
END $do$`

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
      await store.auth.addUser({ id: 9, paraphraseHash: 'x', roles: ['editor'] }, NOW)
      assert.equal(await store.auth.addUser({ name: 'Anna', paraphraseHash: 'x' }, NOW), 10)
      assert.equal((await store.auth.findUserByName('anna'))?.id, 10)
      await store.auth.removeUser(10)
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
    const { incompatible, migrated, joined } = await dryRun(url, OTHER_SHAPES)
    assert.deepEqual([incompatible, [...migrated, ...joined]], [[], [{ className: 'Book', members: 2 }]])
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

test('a file with an index by owner is upgraded where it is: each owner has the same members', async (t) => {
  const url = newSqlite(t)
  await (await fill(url)).close()
  const db = new DatabaseSync(pathOf(url))
  for (const { id } of db.prepare('SELECT id FROM classes').all())
    db.exec(
      `DROP TABLE owned_${id}; CREATE INDEX keys_${id}_owner ON keys_${id} (owner) WHERE owner IS NOT NULL`,
    )
  db.exec(`${BEFORE_AGES.sqlite}; ${BEFORE_RANGES.sqlite}; 
    DELETE FROM settings WHERE name = 'sqlite_schema'; PRAGMA user_version = 4`)
  db.close()
  const store = await openFor(t, url, SHAPES)
  await assertFilled(store)
  const { members } = await store.members.list('Book', select({ owner: 3 }))
  assert.deepEqual(members, [await store.members.find('Book', 'c')])
})
