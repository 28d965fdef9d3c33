import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import postgres from 'postgres'
import { isPostgres } from '../../../src/database/index.ts'
import { type ClassSchema, IncompatibleMembersError } from '../../../src/members/index.ts'
import { dryRun, openStore } from '../../../src/store/open.ts'
import { contentOf } from '../../support/contents.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { type Kinds, memberOf, select, shapeOf, valuesOf } from '../../support/shapes.ts'
import { connect, MIGRATED_STORES, newSqlite, openFor, pathOf } from '../../support/stores.ts'
import { BOOK, stored, TWELVE } from './books.ts'

/** Files in the folder of a database that are neither it nor its log. */
const filesBeside = (url: string) =>
  readdirSync(dirname(pathOf(url))).filter((name) => !name.startsWith('test.db'))

for (const { name: store, newDatabase } of MIGRATED_STORES) {
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
      const migrated = async (...shapes: readonly ClassSchema[]) => {
        const tried = await dryRun(url, shapes)
        return [...tried.migrated, ...tried.joined]
      }
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

test('PostgreSQL: a dry run looks at a class that is stored anew beside one that is not', async (t) => {
  const url = await stored(newPostgres(t), TWELVE)
  const kinds: Kinds = { ...BOOK, title: 'unique' }
  const { migrated, joined } = await dryRun(url, [
    shapeOf('Author', { name: 'text' }, { fingerprint: 2 }),
    shapeOf('Book', kinds, { fingerprint: 2 }),
  ])
  assert.deepEqual(
    [...migrated, ...joined].map(({ className }) => className),
    ['Book', 'Author'],
  )
})
