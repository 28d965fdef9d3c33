import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { copyStore, rehearse } from '../../src/store/open.ts'
import { MisfitError, type StoredMember } from '../../src/store/store.ts'
import { newPostgres } from '../support/postgres.ts'
import { memberOf, select, shapeOf } from './shapes.ts'
import { newDatabase, openFor, pathOf } from './stores.ts'

/** As the first release made it, with a user, an author, and three books of which two have one title. */
const FIRST_SCHEMA = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE settings (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    paraphrase_hash TEXT NOT NULL,
    added_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tokens_by_user ON tokens (user_id);
  CREATE INDEX tokens_by_expiry ON tokens (expires_at);
  CREATE TABLE spent_nonces (
    nonce TEXT PRIMARY KEY,
    spent_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX spent_nonces_by_expiry ON spent_nonces (expires_at);
  CREATE TABLE attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    address TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    failed INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX attempts_by_address ON attempts (address, at);
  CREATE INDEX attempts_by_user ON attempts (address, user_id, at);
  CREATE INDEX attempts_by_time ON attempts (at);
  CREATE TABLE classes (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    total INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE links (
    to_class TEXT NOT NULL,
    to_id TEXT NOT NULL,
    from_class TEXT NOT NULL,
    property TEXT NOT NULL,
    from_id TEXT NOT NULL,
    PRIMARY KEY (to_class, to_id, from_class, property, from_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX links_by_source ON links (from_class, from_id);
  CREATE TABLE unique_values (
    class TEXT NOT NULL,
    property TEXT NOT NULL,
    key TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (class, property, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX unique_values_by_member ON unique_values (class, id);
  CREATE TABLE members_1 (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    fingerprint INTEGER NOT NULL,
    body TEXT NOT NULL,
    holes TEXT NOT NULL
  ) STRICT;
  CREATE TABLE members_2 (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    fingerprint INTEGER NOT NULL,
    body TEXT NOT NULL,
    holes TEXT NOT NULL
  ) STRICT;
  INSERT INTO users VALUES (7, 'hash', 0);
  INSERT INTO classes VALUES (1, 'Author', 1, 1), (2, 'Book', 3, 9);
  INSERT INTO members_1 (id, version, fingerprint, body, holes) VALUES ('ann', 1, 11, ',"name":"Ann"', '');
  INSERT INTO members_2 (id, version, fingerprint, body, holes) VALUES
    ('one', 2, 22, ',"title":"A","author":"Author/ann","isbn":"1"', ''),
    ('two', 5, 22, ',"title":"B"', ''),
    ('three', 9, 23, ',"title":"A"', '');
  INSERT INTO links VALUES ('Author', 'ann', 'Book', 'author', 'one');
  INSERT INTO unique_values VALUES ('Book', 'isbn', '1', 'one');
  PRAGMA user_version = 1;
  PRAGMA application_id = 0x48594452;
`

const KINDS = { title: 'text', author: 'text', isbn: 'unique' } as const
const SHAPES = [shapeOf('Author', { name: 'text' }), shapeOf('Book', KINDS)]
const STRICT = [shapeOf('Author', { name: 'text' }), shapeOf('Book', { ...KINDS, title: 'unique' })]

function firstDatabase(t: TestContext): string {
  const url = newDatabase(t)
  const db = new DatabaseSync(pathOf(url))
  db.exec(FIRST_SCHEMA)
  db.close()
  return url
}

test('a database of the first release is brought up to date, with its users, members, links and unique values', async (t) => {
  const { auth, members } = await openFor(t, firstDatabase(t), SHAPES)
  assert.equal((await auth.findUser(7))?.paraphraseHash, 'hash')
  const page = await members.list('Book', select())
  assert.equal(page.total, 3)
  assert.deepEqual(
    page.members.map(({ id, version }: StoredMember) => [id, version]),
    [
      ['one', 2],
      ['two', 5],
      ['three', 9],
    ],
  )
  const named = await members.list(
    'Book',
    select({ filters: [{ property: 'title', test: 'in', keys: ['A'] }] }),
  )
  assert.deepEqual(
    named.members.map(({ id }) => id),
    ['one', 'three'],
  )
  assert.equal((await members.remove('Author', 'ann', undefined)).outcome, 'linked')
  const taken = await members.add('Book', memberOf(KINDS, 'four', { isbn: '1' }))
  assert.deepEqual(taken, { outcome: 'refused', dangling: [], taken: ['isbn'] })
  const added = await members.add('Book', memberOf(KINDS, 'four', { isbn: '4' }))
  assert.ok(added.outcome === 'added' && added.version > 9)
})

test('a class of the first release that the API file does not have is adopted when it comes back', async (t) => {
  const url = firstDatabase(t)
  const without = await openFor(t, url, [shapeOf('Author', { name: 'text' })])
  assert.equal((await without.members.remove('Author', 'ann', undefined)).outcome, 'linked')
  const { members } = await openFor(t, url, SHAPES)
  const page = await members.list(
    'Book',
    select({ filters: [{ property: 'isbn', test: 'in', keys: ['1'] }] }),
  )
  assert.deepEqual(
    page.members.map(({ id }) => id),
    ['one'],
  )
})

test('a database of the first release whose members do not fit stays as it was, and a rehearsal says so too', async (t) => {
  const url = firstDatabase(t)
  const { misfits } = await rehearse(url, STRICT)
  assert.deepEqual(
    misfits.map(({ id }) => id),
    ['three'],
  )
  await assert.rejects(openFor(t, url, STRICT), (error) => {
    assert.ok(error instanceof MisfitError)
    assert.deepEqual(error.misfits, misfits)
    return true
  })
  const db = new DatabaseSync(pathOf(url))
  assert.equal(db.prepare('PRAGMA user_version').get()?.user_version, 1)
  assert.equal(db.prepare('SELECT count(*) AS count FROM unique_values').get()?.count, 1)
  db.close()
})

test('a database of the first release is copied to PostgreSQL as it is', async (t) => {
  const [from, to] = [firstDatabase(t), newPostgres(t)]
  const tables = await copyStore(from, to, () => {})
  assert.deepEqual(
    tables.map(({ table, rows }) => [table, rows]).filter(([, rows]) => rows !== 0),
    [
      ['classes', 2],
      ['users', 1],
      ['links', 1],
      ['members of Author', 1],
      ['members of Book', 3],
    ],
  )
  const { auth, members } = await openFor(t, to, SHAPES)
  assert.equal((await auth.findUser(7))?.paraphraseHash, 'hash')
  const page = await members.list('Book', select())
  assert.deepEqual(
    page.members.map(({ id, version }) => [id, version]),
    [
      ['one', 2],
      ['two', 5],
      ['three', 9],
    ],
  )
  assert.equal((await members.remove('Author', 'ann', undefined)).outcome, 'linked')
  const added = await members.add('Book', memberOf(KINDS, 'four', { isbn: '4' }))
  assert.ok(added.outcome === 'added' && added.version > 9)
})
