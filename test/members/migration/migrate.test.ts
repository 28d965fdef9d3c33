import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { isPostgres } from '../../../src/database/index.ts'
import { type MemberStore, NotMigratedError } from '../../../src/members/index.ts'
import { openStore } from '../../../src/store/open.ts'
import { onPostgres } from '../../support/postgres.ts'
import { type Kinds, memberOf, select, shapeOf, type Values } from '../../support/shapes.ts'
import { connect, SHARED_STORES } from '../../support/stores.ts'
import { listed, open, valuesIn } from './opened.ts'

/** An API file that cannot be served beside others: its members are migrated when the store is opened. */
const incompatible = (fingerprint: number) => {
  const types = { title: `type ${fingerprint}`, pages: `type ${fingerprint}`, tags: `type ${fingerprint}` }
  return { fingerprint, types: { Book: types, Author: types } }
}
const BOOK: Kinds = { title: 'text', pages: 'number', tags: 'texts' }

const BOOKS: Readonly<Record<string, Values>> = {
  one: { title: 'Red Sea', pages: 3, tags: ['x', 'y'] },
  two: { title: 'Blue Sky', pages: 12, tags: ['y'] },
  three: { pages: 12 },
}

async function alter(t: TestContext, url: string, statement: string): Promise<void> {
  if (isPostgres(url)) await onPostgres(url, statement)
  else connect(t, url).exec(statement)
}

for (const { name, newDatabase } of SHARED_STORES) {
  /** A database with these members of one class, closed again. */
  async function stored(
    t: TestContext,
    shape = shapeOf('Book', BOOK),
    members: Readonly<Record<string, Values>> = BOOKS,
  ): Promise<string> {
    const url = newDatabase(t)
    const store = await openStore(url, [shape], { bulk: true })
    const kinds = Object.fromEntries(shape.keys.map(({ property }) => [property, BOOK[property] ?? 'text']))
    for (const [id, values] of Object.entries(members))
      await store.members.add(shape.name, memberOf(kinds, id, values))
    await store.close()
    return url
  }

  describe(`${name}: members that were written under another API file, when the store is opened`, () => {
    test('a property that had no key is found and sorted by', async (t) => {
      const url = await stored(t, shapeOf('Book', { title: 'text' }))
      const unkeyed: Kinds = { title: 'text', pages: 'number' }
      // It is stored as `pages` was given, though no key was kept of it.
      const store = await open(t, url, shapeOf('Book', unkeyed, { ...incompatible(2) }))
      assert.deepEqual(
        await listed(store, 'Book', { filters: [{ property: 'pages', test: 'in', keys: [12] }] }),
        ['two', 'three'],
      )
      assert.deepEqual(await listed(store, 'Book', { order: [{ property: 'pages', descending: true }] }), [
        'three',
        'two',
        'one',
      ])
    })

    // contract: The same on both stores; keys that were made before
    test('keys that were computed in another way are computed again', async (t) => {
      const url = await stored(t)
      // As a build with another KEYS_VERSION leaves them.
      await alter(t, url, 'UPDATE classes SET shapes = replace(shapes, \'"version":\', \'"version":0\')')
      await alter(t, url, `UPDATE ${isPostgres(url) ? 'members_1' : 'keys_1'} SET k0 = NULL`)
      const shape = shapeOf('Book', BOOK)
      await assert.rejects(openStore(url, [shape], { migrate: 'none' }), NotMigratedError)
      const store = await open(t, url, shape)
      const order = [{ property: 'title', descending: false }]
      assert.deepEqual(await listed(store, 'Book', { order }), ['two', 'one', 'three'])
    })

    test('a removed property is hidden and found by no more; it comes back with all its values', async (t) => {
      const url = await stored(t)
      const without = shapeOf('Book', { title: 'text' }, { ...incompatible(2) })
      const between = await openStore(url, [without])
      assert.deepEqual(await valuesIn(between.members, 'one'), { title: 'Red Sea' })
      assert.deepEqual(await listed(between.members, 'Book', { words: ['x'] }), [])
      await between.members.change('Book', 'one', undefined, ({ hidden }) => ({
        ...memberOf({ title: 'text' }, 'one', { title: 'Dead Sea' }),
        hidden,
      }))
      await between.close()

      const store = await open(t, url, shapeOf('Book', BOOK, { ...incompatible(3) }))
      assert.deepEqual(await valuesIn(store, 'one'), { title: 'Dead Sea', pages: 3, tags: ['x', 'y'] })
      assert.deepEqual(
        await listed(store, 'Book', { filters: [{ property: 'tags', test: 'in', keys: ['x'] }] }),
        ['one'],
      )
    })

    test('a renamed property has the values of the former name', async (t) => {
      const url = await stored(t)
      const renamed: Kinds = { name: 'text', pages: 'number', tags: 'texts' }
      const store = await open(
        t,
        url,
        shapeOf('Book', renamed, { ...incompatible(2), former: { name: 'title' } }),
      )
      assert.deepEqual(await valuesIn(store, 'two'), { name: 'Blue Sky', pages: 12, tags: ['y'] })
      assert.deepEqual(await listed(store, 'Book', { order: [{ property: 'name', descending: false }] }), [
        'two',
        'one',
        'three',
      ])
    })

    test('only a member whose text has changed gets a new version, and none that was used before', async (t) => {
      const url = await stored(t)
      const before = await open(t, url, shapeOf('Book', BOOK))
      const version = async (store: MemberStore, id: string) => (await store.find('Book', id))?.version ?? 0
      const old = new Map(
        await Promise.all(Object.keys(BOOKS).map(async (id) => [id, await version(before, id)] as const)),
      )
      const store = await open(t, url, shapeOf('Book', { pages: 'number' }, { ...incompatible(2) }))
      assert.equal(await version(store, 'three'), old.get('three'))
      const latest = Math.max(...old.values())
      const given = [await version(store, 'one'), await version(store, 'two')]
      assert.ok(given.every((one) => one > latest))
      assert.equal(new Set(given).size, 2)
      const added = await store.add('Book', memberOf({ pages: 'number' }, 'four'))
      assert.ok(added.outcome === 'added' && added.version > Math.max(...given))
    })

    test('the order of creation and the total stay', async (t) => {
      const url = await stored(t)
      const store = await open(t, url, shapeOf('Book', { pages: 'number' }, { ...incompatible(2) }))
      const page = await store.list('Book', select())
      assert.deepEqual([page.members.map(({ id }) => id), page.total], [['one', 'two', 'three'], 3])
    })

    test('members are gone through once, and it is told before; a class without members is not told of', async (t) => {
      const url = await stored(t)
      const changed = [
        shapeOf('Book', BOOK, { ...incompatible(2) }),
        shapeOf('Author', {}, { ...incompatible(2) }),
      ]
      const told: unknown[][] = []
      const onMigrate = (...args: unknown[]) => told.push(args)
      for (let start = 0; start < 2; start += 1) {
        const store = await openStore(url, changed, { onMigrate, onProgress: onMigrate })
        await store.close()
      }
      assert.deepEqual(told, [
        ['Book', 3],
        ['Book', 3, 3],
      ])
    })

    test('keys of another shape are made anew, though the fingerprint is the same', async (t) => {
      const url = await stored(t)
      const turned: Kinds = { tags: 'texts', pages: 'number', title: 'text' }
      const store = await open(t, url, shapeOf('Book', turned))
      assert.deepEqual(
        await listed(store, 'Book', { filters: [{ property: 'title', test: 'in', keys: ['Red Sea'] }] }),
        ['one'],
      )
    })

    test('more members than are read at once are all migrated', async (t) => {
      const many = Object.fromEntries(
        Array.from({ length: 2_500 }, (_, index) => [`m${index}`, { pages: index }]),
      )
      const url = newDatabase(t)
      const before = await openStore(url, [shapeOf('Book', {}, { ...incompatible(1) })])
      await before.members.addAll(
        Object.entries(many).map(([id, one]) => ({ className: 'Book', member: memberOf({}, id, one) })),
      )
      await before.close()
      const store = await open(t, url, shapeOf('Book', BOOK, { ...incompatible(2) }))
      const page = await store.list(
        'Book',
        select({ filters: [{ property: 'pages', test: 'exists', exists: true }], count: 'exact' }),
      )
      assert.equal(page.total, 2_500)
    })
  })
}
