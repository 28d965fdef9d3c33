import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import postgres from 'postgres'
import { isPostgres } from '../../../src/database/index.ts'
import {
  type ClassSchema,
  type IncompatibleMember,
  IncompatibleMembersError,
} from '../../../src/members/index.ts'
import type { ProblemData } from '../../../src/problem.ts'
import { incompatibleSentence } from '../../../src/service/problems/migration.ts'
import { dryRun, openStore } from '../../../src/store/open.ts'
import { contentOf } from '../../support/contents.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { type Kinds, memberOf, select, shapeOf, type Values, valuesOf } from '../../support/shapes.ts'
import { connect, newSqlite, openFor, pathOf, SHARED_STORES } from '../../support/stores.ts'

const BOOK: Kinds = { title: 'text', pages: 'number' }

async function stored(url: string, books: readonly Values[], kinds = BOOK): Promise<string> {
  const store = await openStore(url, [shapeOf('Author', {}), shapeOf('Book', kinds)], { bulk: true })
  await store.members.add('Author', memberOf({}, 'ann'))
  await store.members.addAll(
    books.map((values, index) => ({ className: 'Book', member: memberOf(kinds, `b${index}`, values) })),
  )
  await store.close()
  return url
}

async function incompatibleIn(url: string, ...shapes: ClassSchema[]): Promise<readonly IncompatibleMember[]> {
  const error: unknown = await openStore(url, shapes).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof IncompatibleMembersError, String(error))
  return error.incompatible
}

/** Files in the folder of a database that are neither it nor its log. */
const filesBeside = (url: string) =>
  readdirSync(dirname(pathOf(url))).filter((name) => !name.startsWith('test.db'))

const TWELVE = Array.from({ length: 12 }, (_, index) => ({ title: `T${index}`, pages: index }))

interface Case {
  readonly name: string
  readonly books: readonly Values[]
  readonly shape: ClassSchema
  readonly named: readonly string[]
  readonly violation: ProblemData
}

const DUPLICATE: ProblemData = {
  code: 'DuplicateValue',
  at: { property: 'title' },
  values: { address: 'Book b0', value: '"A"' },
}

const CASES: readonly Case[] = [
  {
    name: 'a changed type that members violate stops the start; ten of them are named',
    books: TWELVE,
    shape: shapeOf('Book', { title: 'number' }, { fingerprint: 2 }),
    named: Array.from({ length: 10 }, (_, index) => `b${index}`),
    violation: { code: 'WrongJsonType', at: { property: 'title' }, values: { expected: 'number' } },
  },
  {
    name: 'a new unique that members violate stops the start; both are named, and the value',
    books: [{ title: 'A' }, { title: 'B' }, {}, { title: 'A' }, {}],
    shape: shapeOf('Book', { title: 'unique' }, { fingerprint: 2 }),
    named: ['b3'],
    violation: DUPLICATE,
  },
  {
    name: 'of a value that many have, all but the first are named, up to ten',
    books: Array.from({ length: 12 }, () => ({ title: 'A' })),
    shape: shapeOf('Book', { title: 'unique' }, { fingerprint: 2 }),
    named: Array.from({ length: 10 }, (_, index) => `b${index + 1}`),
    violation: DUPLICATE,
  },
  {
    name: 'a link that is to another class now, and to nothing there, stops the start',
    books: [{ author: 'ann' }, { author: 'bob' }],
    shape: shapeOf(
      'Book',
      {},
      {
        fingerprint: 2,
        convert: ({ body }) => ({
          ...memberOf({}, ''),
          body,
          links: [{ property: 'author', className: 'Author', id: body.slice(11, -1) }],
        }),
      },
    ),
    named: ['b1'],
    violation: {
      code: 'NoSuchTarget',
      at: { property: 'author' },
      values: { className: 'Author', id: 'bob' },
    },
  },
]

for (const { name: store, newDatabase } of SHARED_STORES) {
  describe(`${store}: incompatible members`, () => {
    for (const { name, books, shape, named, violation } of CASES) {
      test(name, async (t) => {
        const url = await stored(newDatabase(t), books)
        const before = await contentOf(url)
        const shapes = [shapeOf('Author', {}), shape]
        const incompatible = await incompatibleIn(url, ...shapes)
        assert.deepEqual(
          incompatible.map(({ className, id }) => [className, id]),
          named.map((id) => ['Book', id]),
        )
        for (const { violations } of incompatible) assert.deepEqual(violations[0], violation)
        assert.deepEqual(await contentOf(url), before)
        assert.deepEqual(await dryRun(url, shapes), {
          incompatible,
          changes: [],
          migrated: [],
          broken: [],
        })
        // Under the former file all is as it was.
        const store = await openFor(t, url, [shapeOf('Author', {}), shapeOf('Book', BOOK)])
        assert.equal((await store.members.list('Book', select())).total, books.length)
      })
    }

    test('members that break a constraint are counted in a dry run, once each, whether or not their class is migrated', async (t) => {
      const url = await stored(newDatabase(t), TWELVE)
      const before = await contentOf(url)
      const tooLong = (property: string) => ({ code: 'TooLong', at: { property }, values: { maxLength: 1 } })
      const required = { code: 'RequiredValue', at: { property: 'isbn' }, values: {} }
      const violationsOf = (body: string) =>
        body.includes('"T1') ? [tooLong('title/0'), tooLong('title/7'), required] : [required]
      for (const fingerprint of [1, 2]) {
        const { broken } = await dryRun(url, [
          shapeOf('Author', {}),
          shapeOf('Book', BOOK, { fingerprint, violationsOf }),
        ])
        assert.deepEqual(broken, [
          { className: 'Book', violation: required, members: 12 },
          { className: 'Book', violation: tooLong('title'), members: 3 },
        ])
      }
      assert.deepEqual(await contentOf(url), before)
    })

    test('a former name that nothing has is told, of a class and of a property', async (t) => {
      const url = await stored(newDatabase(t), TWELVE)
      const { changes } = await dryRun(url, [
        shapeOf('Author', {}),
        shapeOf('Writer', {}, { was: 'Autor' }),
        shapeOf(
          'Book',
          { ...BOOK, isbn: 'text' },
          { fingerprint: 2, former: { isbn: 'ibsn', title: 'name' } },
        ),
      ])
      assert.deepEqual(changes, [
        { change: 'nothing renamed', className: 'Writer', from: 'Autor', members: 0 },
        { change: 'nothing renamed', className: 'Book', property: 'isbn', from: 'ibsn', members: 0 },
      ])
    })

    test('are ten over all classes; another class is not changed either', async (t) => {
      const url = await stored(newDatabase(t), TWELVE.slice(0, 7))
      const first = await openStore(url, [shapeOf('Page', { title: 'text' })], { bulk: true })
      for (const id of ['p0', 'p1', 'p2', 'p3', 'p4']) {
        await first.members.add('Page', memberOf({ title: 'text' }, id, { title: id }))
      }
      await first.close()
      const before = await contentOf(url)
      const incompatible = await incompatibleIn(
        url,
        shapeOf('New', {}),
        shapeOf('Author', { name: 'text' }, { fingerprint: 2 }),
        ...['Book', 'Page'].map((name) => shapeOf(name, { title: 'number' }, { fingerprint: 2 })),
      )
      assert.deepEqual(
        incompatible.map(({ id }) => id),
        ['b0', 'b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'p0', 'p1', 'p2'],
      )
      assert.deepEqual(await contentOf(url), before)
    })

    test('the sentence names each with what is wrong', async (t) => {
      const url = await stored(newDatabase(t), TWELVE.slice(0, 2))
      const message = incompatibleSentence(
        await incompatibleIn(url, shapeOf('Book', { title: 'number' }, { fingerprint: 2 })),
      )
      assert.match(message, /^ {2}Book b0: title: must be a number\.$/m)
      assert.match(message, /^ {2}Book b1: title: must be a number\.$/m)
    })
  })
}

for (const { name: store, newDatabase } of SHARED_STORES) {
  describe(`${store}: a dry run`, () => {
    test('of a compatible file names no member, and changes nothing', async (t) => {
      const url = await stored(newDatabase(t), TWELVE)
      const before = await contentOf(url)
      const shapes = [
        shapeOf('Writer', {}, { was: 'Author' }),
        shapeOf('Book', { title: 'unique' }, { fingerprint: 2 }),
      ]
      assert.deepEqual((await dryRun(url, shapes)).incompatible, [])
      assert.deepEqual(await contentOf(url), before)
      if (!isPostgres(url)) assert.deepEqual(filesBeside(url), [])
      const store = await openFor(t, url, [shapeOf('Author', {}), shapeOf('Book', BOOK)])
      assert.equal((await store.members.list('Book', select())).total, 12)
    })

    test('names the classes that would be migrated, and none where all is stored under the file', async (t) => {
      const url = await stored(newDatabase(t), TWELVE)
      const migrated = async (...shapes: readonly ClassSchema[]) => (await dryRun(url, shapes)).migrated
      const [author, book] = [shapeOf('Author', {}), shapeOf('Book', BOOK)]
      assert.deepEqual(await migrated(author, book), [])
      assert.deepEqual(await migrated(author, book, shapeOf('New', {})), [])
      assert.deepEqual(await migrated(author, shapeOf('Book', BOOK, { fingerprint: 2 })), [
        { className: 'Book', members: 12 },
      ])
      assert.deepEqual(await migrated(shapeOf('Writer', {}, { was: 'Author' }), book), [
        { className: 'Writer', members: 1 },
      ])
    })

    test('knows classes by the names that they will have', async (t) => {
      const url = await stored(newDatabase(t), [{ author: 'ann' }])
      const linking = shapeOf(
        'Book',
        {},
        {
          fingerprint: 2,
          convert: ({ body }) => ({
            ...memberOf({}, '', valuesOf(body)),
            links: [{ property: 'author', className: 'Writer', id: 'ann' }],
          }),
        },
      )
      const renaming = await dryRun(url, [shapeOf('Writer', {}, { was: 'Author' }), linking])
      assert.deepEqual(renaming.incompatible, [])
      assert.equal((await dryRun(url, [shapeOf('Author', {}), linking])).incompatible.length, 1)
    })

    test('looks at the members of a class that gets the name of one without members', async (t) => {
      const url = await stored(newDatabase(t), [])
      const store = await openStore(url, [shapeOf('Writer', {})])
      await store.close()
      const convert = () => ({
        violations: [{ code: 'RequiredValue', at: { property: 'name' }, values: {} }],
      })
      const renamed = shapeOf('Writer', {}, { was: 'Author', fingerprint: 2, convert })
      const { incompatible } = await dryRun(url, [renamed])
      assert.deepEqual(
        incompatible.map(({ id }) => id),
        ['ann'],
      )
      await assert.rejects(openStore(url, [renamed]), IncompatibleMembersError)
    })
  })
}

describe('a dry run on a SQLite file', () => {
  test('neither holds up a server on the database nor waits for it', async (t) => {
    const url = await stored(newSqlite(t), TWELVE)
    const store = await openFor(t, url, [shapeOf('Author', {}), shapeOf('Book', BOOK)])
    await store.members.add('Book', memberOf(BOOK, 'late', { title: 'T0' }))
    connect(t, url).exec('BEGIN IMMEDIATE')
    const { incompatible } = await dryRun(url, [shapeOf('Book', { title: 'unique' }, { fingerprint: 2 })])
    assert.deepEqual(
      incompatible.map(({ id }) => id),
      ['late'],
    )
  })

  test('of a database that is not there, or is none of ours, says so and leaves nothing behind', async (t) => {
    const url = newSqlite(t)
    await assert.rejects(dryRun(url, []), {
      code: 'DatabaseNotFound',
      values: { path: pathOf(url), source: 'db' },
    })
    assert.deepEqual(readdirSync(dirname(pathOf(url))), [])
    const db = connect(t, url)
    db.exec('CREATE TABLE theirs (x)')
    db.close()
    await assert.rejects(dryRun(url, []), { code: 'ForeignFile' })
  })
})

describe('a dry run on PostgreSQL', () => {
  test('neither holds up other writers nor waits for them', async (t) => {
    const url = await stored(newPostgres(t), TWELVE)
    const { members } = await openFor(t, url, [shapeOf('Author', {}), shapeOf('Book', BOOK)])
    await members.add('Book', memberOf(BOOK, 'late', { title: 'T0' }))
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    t.after(() => sql.end())
    // Somebody is in the middle of a change of every member.
    await sql.begin(async (own) => {
      await own.unsafe(`UPDATE ${await membersTable(url, 'Book')} SET version = version`)
      const { incompatible } = await dryRun(url, [shapeOf('Book', { title: 'unique' }, { fingerprint: 2 })])
      assert.deepEqual(
        incompatible.map(({ id }) => id),
        ['late'],
      )
    })
  })

  test('where there is none of ours says so and leaves nothing behind', async (t) => {
    const url = newPostgres(t)
    await assert.rejects(dryRun(url, []), { code: 'NoTables' })
    assert.deepEqual(await contentOf(url), { schema: [], rows: [] })
  })
})

async function membersTable(url: string, name: string): Promise<string> {
  const [[id] = []] = await onPostgres(url, 'SELECT id FROM classes WHERE name = $1', [name])
  return `members_${id}`
}
