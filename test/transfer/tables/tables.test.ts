import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { tallyOf } from '../transfer.ts'
import { classesOf, ENGINES, importOld, oldDatabase } from './old-database.ts'

/** The same in both dialects, but for `types`. */
const blog = (types: { readonly id: string; readonly time: string; readonly truth: string }) => `
  CREATE TABLE authors (
    id ${types.id} PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, mentor_id INTEGER REFERENCES authors (id) ON DELETE SET NULL,
    born DATE);
  CREATE TABLE posts (
    id ${types.id} PRIMARY KEY, title TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published', 'it''s')),
    rating INTEGER CHECK (rating BETWEEN 1 AND 5), words INTEGER CHECK (words > 0),
    author_id INTEGER NOT NULL REFERENCES authors (id) ON DELETE CASCADE,
    created_at ${types.time} NOT NULL DEFAULT CURRENT_TIMESTAMP, price NUMERIC(10, 2), active ${types.truth},
    CHECK (rating <> words));
  CREATE TABLE tags (code TEXT PRIMARY KEY, label TEXT);
  CREATE TABLE post_tags (
    post_id INTEGER REFERENCES posts (id) ON DELETE CASCADE, tag_code TEXT REFERENCES tags (code) ON DELETE CASCADE,
    PRIMARY KEY (post_id, tag_code));
  CREATE TABLE "order details" (
    order_no INTEGER, line INTEGER, post INTEGER REFERENCES posts (id), qty INTEGER NOT NULL, PRIMARY KEY (order_no, line));
  CREATE TABLE refunds (
    id ${types.id} PRIMARY KEY, line INTEGER, order_no INTEGER, tag TEXT REFERENCES tags (code),
    FOREIGN KEY (line, order_no) REFERENCES "order details" (line, order_no));
  CREATE TABLE log ("at" TEXT, "What happened" TEXT);
  CREATE VIEW published AS SELECT * FROM posts;
  INSERT INTO authors VALUES (2, 'Bob', NULL, NULL, NULL);
  INSERT INTO authors VALUES (1, 'Ann', 'a@x.example', 2, '1990-01-02');
  INSERT INTO posts VALUES (1, 'One', 'draft', 3, 7, 1, '2024-01-02 03:04:05', 12.5, ${types.truth === 'BOOLEAN' ? 'true' : 1});
  INSERT INTO posts VALUES (2, 'Two', 'it''s', NULL, NULL, 2, '2024-01-02 03:04:05.25', 9, ${types.truth === 'BOOLEAN' ? 'false' : 0});
  INSERT INTO tags VALUES ('a b', 'AB'), ('x', NULL);
  INSERT INTO post_tags VALUES (1, 'x'), (1, 'a b');
  INSERT INTO "order details" VALUES (10, 1, 1, 2);
  INSERT INTO refunds VALUES (1, 1, 10, 'a b'), (2, NULL, 10, NULL);
  INSERT INTO log VALUES ('noon', 'lunch'), ('noon', 'lunch'), ('one', NULL);
`

const TYPES = {
  SQLite: { id: 'INTEGER', time: 'DATETIME', truth: 'INTEGER CHECK (active IN (0, 1))' },
  PostgreSQL: { id: 'SERIAL', time: 'TIMESTAMPTZ', truth: 'BOOLEAN' },
}

for (const engine of ENGINES)
  describe(`tables of ${engine}`, () => {
    test('become classes, references become links, and constraints stay, as far as the API file can say them', async (t) => {
      const url = await oldDatabase(t, engine, blog(TYPES[engine]))
      const { api, imported, bulk, again } = await importOld(t, url)
      const scale = engine === 'PostgreSQL' ? '{ type: decimal, scale: 2 }' : 'decimal'
      const unread = /# Not carried over: (.*)/.exec(api)?.[1] ?? ''
      assert.match(unread, /^CHECK \(.*rating <> words/)
      assert.match(api, /^# Left out: published is a view/m)
      assert.equal(
        classesOf(api).replace(/# Not carried over.*/, '# …'),
        `classes:
  Author:
    properties:
      name: { type: string, required: true }
      email: { type: string, unique: true }
      mentor: { type: Author, onDelete: unset }
      born: date
  Log:
    properties:
      at: string
      whatHappened: { type: string, title: "What happened" }
  OrderDetail:
    collection: order-details
    unique: [[order_no, line]]
    properties:
      order_no: { type: integer, required: true }
      line: { type: integer, required: true }
      post: Post
      qty: { type: integer, required: true }
  Post:
    properties:
      title: { type: string, required: true }
      status: { type: string, required: true, enum: [draft, published, "it's"], default: draft }
      rating: { type: integer, minimum: 1, maximum: 5 }
      words: { type: integer, minimum: 1 }
      author: { type: Author, required: true, onDelete: delete }
      created_at: { type: dateTime, required: true, default: now }
      price: ${scale}
      active: boolean
      tags: { type: Tag, many: true, onDelete: unset, reverse: posts } # rows of post_tags
      # …
  Refund:
    properties:
      orderDetail: { type: OrderDetail, title: "order_no, line" }
      tag: Tag
  Tag:
    properties:
      code: { type: string, required: true, unique: true }
      label: string
`,
      )
      assert.deepEqual([tallyOf(imported), imported.reported, imported.unread], [[12, 0, 0], [], []])
      const { '/posts/1': one, '/posts/2': two, ...others } = await bulk.members()
      assert.deepEqual(one, {
        '@type': 'Post',
        ...{ title: 'One', status: 'draft', rating: 3, words: 7, author: `${BASE}/authors/1` },
        ...{ created_at: `2024-01-02T03:04:05${engine === 'SQLite' ? 'Z' : '+00:00'}` },
        ...{ price: engine === 'SQLite' ? '12.5' : '12.50', active: true },
        tags: [`${BASE}/tags/a~20b`, `${BASE}/tags/x`],
      })
      assert.equal(two?.active, false)
      assert.equal(others['/authors/1']?.mentor, `${BASE}/authors/2`)
      assert.equal(others['/refunds/1']?.orderDetail, `${BASE}/order-details/10~~1`)
      assert.equal(others['/refunds/1']?.tag, `${BASE}/tags/a~20b`)
      assert.deepEqual(others['/refunds/2'], { '@type': 'Refund' })
      // Rows without a key, too, are not added twice.
      assert.deepEqual(tallyOf(await again()), [0, 12, 0])
    })

    test('links between the same tables, or of a row to its own table, are told apart by their titles', async (t) => {
      const url = await oldDatabase(
        t,
        engine,
        `CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
         CREATE TABLE events (id INTEGER PRIMARY KEY, code VARCHAR(9) NOT NULL UNIQUE);
         CREATE TABLE hosts (event_id INTEGER REFERENCES events (id), user_id INTEGER REFERENCES users (id), PRIMARY KEY (event_id, user_id));
         CREATE TABLE guests (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id),
           event_id INTEGER NOT NULL REFERENCES events (id), UNIQUE (event_id, user_id));
         CREATE TABLE follows (follower_id INTEGER REFERENCES users (id), followee_id INTEGER REFERENCES users (id),
           PRIMARY KEY (follower_id, followee_id));
         CREATE TABLE visits (id INTEGER PRIMARY KEY, event_code VARCHAR(9) REFERENCES events (code));
         INSERT INTO users VALUES (1, 'Ann'), (2, 'Bob');
         INSERT INTO events VALUES (1, 'x');
         INSERT INTO hosts VALUES (1, 1);
         INSERT INTO guests VALUES (1, 2, 1);
         INSERT INTO follows VALUES (1, 2), (2, 1);
         INSERT INTO visits VALUES (1, 'x');`,
      )
      const { api, imported, bulk } = await importOld(t, url)
      assert.match(api, /users: \{ type: User, many: true, title: hosts \}/)
      assert.match(api, /followees: \{ type: User, many: true, title: follows, reverse: users \}/)
      assert.deepEqual([tallyOf(imported), imported.reported, imported.unread], [[4, 0, 0], [], []])
      const members = await bulk.members()
      const { code, ...links } = Object.values(members).find((one) => 'code' in one) ?? {}
      assert.deepEqual(links, { '@type': 'Event', users: [`${BASE}/users/1`] })
      assert.deepEqual(members['/users/2']?.events, [`${BASE}/my-events/1`])
      assert.deepEqual(members['/users/2']?.followees, [`${BASE}/users/1`])
      // By the key of the event, and not by its code.
      assert.equal(members['/visits/1']?.event_code, `${BASE}/my-events/1`)
    })

    test('a reference that cannot be a link is said in a comment, and its values are kept', async (t) => {
      const url = await oldDatabase(
        t,
        engine,
        `CREATE TABLE codes (code INTEGER UNIQUE, label TEXT);
         CREATE TABLE uses (id INTEGER PRIMARY KEY, code INTEGER REFERENCES codes (code));
         INSERT INTO codes VALUES (7, 'seven');
         INSERT INTO uses VALUES (1, 7);`,
      )
      const { api, imported, bulk } = await importOld(t, url)
      assert.match(api, /^ {6}code: integer\n {6}# Not carried over: code refers to codes\.$/m)
      assert.deepEqual([tallyOf(imported), imported.unread], [[2, 0, 0], []])
      assert.equal((await bulk.members())['/uses/1']?.code, 7)
    })

    test('links stay on the side where no member has more than a member can have', async (t) => {
      const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)'
      const url = await oldDatabase(
        t,
        engine,
        `CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY);
         CREATE TABLE ab (a_id INTEGER REFERENCES a (id), b_id INTEGER REFERENCES b (id), PRIMARY KEY (a_id, b_id));
         INSERT INTO a VALUES (1);
         INSERT INTO b ${numbers} SELECT i FROM n;
         INSERT INTO ab ${numbers} SELECT 1, i FROM n;`,
      )
      const { api, imported, bulk } = await importOld(t, url)
      assert.match(api, /^ {2}B:\n {4}properties:\n {6}as: \{ type: A, many: true, reverse: bs \}/m)
      assert.deepEqual(tallyOf(imported), [1002, 0, 0])
      assert.deepEqual((await bulk.members())['/bs/1001']?.as, [`${BASE}/as/1`])
    })
  })

test('the types of PostgreSQL become datatypes, and their values are imported', async (t) => {
  const url = await oldDatabase(
    t,
    'PostgreSQL',
    `CREATE TYPE mood AS ENUM ('sad', 'happy');
     CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
     CREATE TABLE things (
       id uuid PRIMARY KEY, big bigint, real4 real, money money, word varchar(5), flags boolean[], tags text[] NOT NULL, mood mood,
       moods mood[], count positive, clock time, zoned timetz, span interval, doc jsonb, ip inet, bytes bytea,
       at timestamp, zone timestamptz, twice integer GENERATED ALWAYS AS (2) STORED, half numeric);
     INSERT INTO things (id, big, real4, money, word, flags, tags, mood, moods, count, clock, zoned, span, doc, ip, bytes, at, zone, half) VALUES
       ('0b5c0f0e-5b1c-4c58-9d5e-1f6d2b3a4c5d', 9007199254740991, 1.5, 1234.5, 'abc', '{t,f}', '{}', 'happy', '{sad,happy}', 3, '10:00',
        '10:00+02', '1 day 2 hours', '{"a": [1]}', '10.0.0.1', '\\x00', '2024-02-29 10:00', '2024-02-29 10:00+01', 0.50);`,
  )
  const { api, imported, bulk } = await importOld(t, url)
  assert.equal(
    classesOf(api),
    `classes:
  Thing:
    properties:
      big: integer
      real4: float
      money: decimal
      word: { type: string, maxLength: 5 }
      flags: { type: boolean, many: true }
      tags: { type: string, many: true }
      mood: { type: string, enum: [sad, happy] }
      moods: { type: string, many: true, enum: [sad, happy] }
      count: { type: integer, minimum: 1 }
      clock: time
      zoned: time
      span: duration
      doc: { type: string, filterable: false } # jsonb, as text
      ip: string # inet, as text
      at: dateTime
      zone: dateTime
      twice: { type: integer, writable: false } # computed by the database (integer); here nothing computes it
      half: decimal
      # Left out: bytes (bytea), which no type of an API file can hold.
`,
  )
  assert.deepEqual([tallyOf(imported), imported.reported, imported.unread], [[1, 0, 0], [], ['things.bytes']])
  assert.deepEqual(await bulk.members(), {
    '/things/0b5c0f0e-5b1c-4c58-9d5e-1f6d2b3a4c5d': {
      '@type': 'Thing',
      ...{
        big: 9007199254740991,
        real4: 1.5,
        money: '1234.50',
        word: 'abc',
        flags: [true, false],
        mood: 'happy',
      },
      ...{ moods: ['sad', 'happy'], count: 3, clock: '10:00:00', zoned: '10:00:00+02:00', span: 'P1DT2H' },
      ...{ doc: '{"a": [1]}', ip: '10.0.0.1', at: '2024-02-29T10:00:00Z', zone: '2024-02-29T09:00:00+00:00' },
      ...{ twice: 2, half: '0.50' },
    },
  })
})

const BASE = 'http://localhost:8080/api'
