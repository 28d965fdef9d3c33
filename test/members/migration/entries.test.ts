import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { createInput } from '../../../src/api/index.ts'
import { type JsonObject, readJson } from '../../../src/json.ts'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import type { ClassSchema, HistoryStore, NewMember } from '../../../src/members/index.ts'
import { listHidden, purgeHidden } from '../../../src/members/migration/purge.ts'
import type { Store } from '../../../src/store/index.ts'
import { dryRun, maintain, openStore } from '../../../src/store/open.ts'
import type { Class, Model } from '../../../src/vocabulary/index.ts'
import { modelOf } from '../../support/service.ts'
import {
  type Kinds,
  memberOf,
  shapeOf,
  type Values,
  type Version,
  valuesOf,
  writtenOf,
} from '../../support/shapes.ts'
import { inSoak } from '../../support/soak.ts'
import { openFor, SHARED_STORES } from '../../support/stores.ts'

const KINDS: Kinds = { title: 'text', by: 'text' }
const HISTORY = { ageMs: undefined }
const BOOK = { className: 'Book', id: 'a' }

/** The class under another API file. */
const book = (kinds: Kinds, version: Version = {}) =>
  shapeOf('Book', kinds, { fingerprint: 2, history: HISTORY, ...version })

const entriesOf = (history: HistoryStore, member = BOOK) => history.list(member, { limit: 100 }, 1_000_000)

const textsIn = async ({ history }: Store, member = BOOK) =>
  (await entriesOf(history, member)).map(({ kind, body, hidden }) => ({
    kind,
    ...valuesOf(body),
    ...(hidden !== '' && { hidden: JSON.parse(hidden) as Values }),
  }))

const reopen = (t: TestContext, url: string, ...shapes: ClassSchema[]): Promise<Store> =>
  openFor(t, url, shapes, { bulk: true })

function written(model: Model | undefined, className: string, id: string, body: string): NewMember {
  const cls = model?.classes.find(({ name }) => name === className)
  return createInput(cls as Class, 'http://x.example/api').create(readJson(body) as JsonObject, id, 0)
}

/** One that was created, changed and removed, and one that is there. */
async function filled(url: string, shape = shapeOf('Book', KINDS, { history: HISTORY })): Promise<string> {
  const { members, close } = await openStore(url, [shapeOf('Author', {}), shape], { bulk: true })
  await members.add('Author', memberOf({}, 'ann'))
  await members.add('Book', memberOf(KINDS, 'a', { title: 'one', by: 'Author/ann' }))
  await members.change('Book', 'a', undefined, () => writtenOf(KINDS, { title: '2', by: 'Author/ann' }))
  await members.remove('Book', 'a', undefined)
  await members.add('Book', memberOf(KINDS, 'b', { title: '3' }))
  await close()
  return url
}

const removedIn = async ({ history }: Store) =>
  (await history.removed('Book', { limit: 9 }, 1_000_000)).map(({ id }) => id)

for (const { name, newDatabase } of SHARED_STORES)
  describe(name, () => {
    const author = shapeOf('Author', {})
    // A conversion is the same for every store; the statements around it are in the others.
    if (name === 'SQLite' || inSoak(true, false)) changedProperties(newDatabase, author)
    manyEntries(newDatabase)
    changedClasses(newDatabase, author)
  })

type NewDatabase = (t: TestContext) => string

function changedProperties(newDatabase: NewDatabase, author: ClassSchema): void {
  // contract: Migrations make no entries.
  test('entries are shown under the present names of properties, and their versions and times stay', async (t) => {
    const url = await filled(newDatabase(t))
    const before = await openStore(url, [author, shapeOf('Book', KINDS, { history: HISTORY })])
    const heads = await before.history.heads(BOOK, { limit: 9 })
    await before.close()
    const renamed = book({ name: 'text', by: 'text' }, { former: { name: 'title' } })
    const store = await reopen(t, url, author, renamed)
    assert.deepEqual(await textsIn(store), [
      { kind: 'delete', name: '2', by: 'Author/ann' },
      { kind: 'update', name: '2', by: 'Author/ann' },
      { kind: 'create', name: 'one', by: 'Author/ann' },
    ])
    assert.deepEqual(await store.history.heads(BOOK, { limit: 9 }), heads)
    assert.deepEqual(await removedIn(store), ['a'])
  })

  test('values of a property that was removed are hidden, and shown again when it is put back', async (t) => {
    const url = await filled(newDatabase(t))
    const without = await reopen(t, url, author, book({ by: 'text' }))
    assert.deepEqual((await textsIn(without))[2], {
      ...{ kind: 'create', by: 'Author/ann', hidden: { title: 'one' } },
    })
    await without.close()
    const store = await reopen(t, url, author, book(KINDS, { fingerprint: 3 }))
    assert.deepEqual((await textsIn(store))[2], { kind: 'create', title: 'one', by: 'Author/ann' })
  })

  test('a value that cannot be converted is hidden, and no entry prevents a migration', async (t) => {
    const url = await filled(newDatabase(t))
    // Nothing that is there has a title of another type, except in the past.
    const numbers = await reopen(t, url, author, shapeOf('Book', KINDS, { history: HISTORY }))
    await numbers.members.change('Book', 'b', undefined, () => writtenOf(KINDS, {}))
    await numbers.close()
    const store = await reopen(t, url, author, book({ title: 'number', by: 'text' }))
    assert.deepEqual(await textsIn(store, { className: 'Book', id: 'b' }), [
      { kind: 'update' },
      { kind: 'create', hidden: { title: '3' } },
    ])
    await store.close()
    const again = await reopen(t, url, author, book(KINDS, { fingerprint: 3 }))
    assert.deepEqual((await textsIn(again, { className: 'Book', id: 'b' }))[1], {
      kind: 'create',
      title: '3',
    })
  })

  test('what a purge removes is removed from the entries as well', async (t) => {
    const url = await filled(newDatabase(t))
    const shapes = [author, book({ by: 'text' })]
    const opened = await openStore(url, shapes)
    while (await opened.catchUp.turn());
    await opened.close()
    const hidden = await maintain(url, 'read', (store) => listHidden(store, shapes))
    assert.deepEqual(hidden, [{ className: 'Book', property: 'title', members: 1, entries: 4 }])
    await maintain(url, 'write', (store) => purgeHidden(store, 'Book', hidden, shapes))
    const store = await reopen(t, url, author, book(KINDS, { fingerprint: 3 }))
    assert.deepEqual((await textsIn(store))[2], { kind: 'create', by: 'Author/ann' })
  })

  test('a dry run leaves entries as they are, and so does a migration that is refused', async (t) => {
    const url = await filled(newDatabase(t))
    const before = shapeOf('Book', KINDS, { history: HISTORY })
    const expected = await textsIn(await reopen(t, url, author, before))
    const { incompatible } = await dryRun(url, [author, book({})])
    assert.deepEqual(incompatible, [])
    await assert.rejects(openStore(url, [author, book({ title: 'number' })]), {
      name: 'IncompatibleMembersError',
    })
    assert.deepEqual(await textsIn(await reopen(t, url, author, before)), expected)
  })
}

function manyEntries(newDatabase: NewDatabase): void {
  test('many entries are converted, of one member and of several', async (t) => {
    const url = newDatabase(t)
    const before = await openStore(url, [shapeOf('Book', KINDS, { history: HISTORY })], { bulk: true })
    const entries = Array.from({ length: 2_300 }, (_, index) => ({
      ...{ id: index < 1_500 ? 'a' : `b${index}`, at: index, kind: 'update' as const, actor: 1, owner: 1 },
      ...{ body: `,"title":"${index}"`, baseUrlOffsets: '', hidden: '' },
    }))
    await before.history.add('Book', entries)
    await before.close()
    const { history } = await reopen(t, url, book({ name: 'text' }, { former: { name: 'title' } }))
    const ofOne = await history.list(BOOK, { limit: 9_999 }, 1_000_000)
    const of = (index: number) => `,"name":"${index}"`
    assert.deepEqual(
      ofOne.map(({ body }) => body),
      Array.from({ length: 1_500 }, (_, index) => of(1_499 - index)),
    )
    for (const { id, at } of entries.slice(1_500))
      assert.equal((await entriesOf(history, { className: 'Book', id }))[0]?.body, of(at))
  })
}

function changedClasses(newDatabase: NewDatabase, author: ClassSchema): void {
  // contract: Turned on over existing data it begins
  test('a history begins with the next write of each member, and none is kept once it is turned off', async (t) => {
    const url = await filled(newDatabase(t), shapeOf('Book', KINDS))
    const on = await reopen(t, url, author, book(KINDS))
    const there = { className: 'Book', id: 'b' }
    assert.deepEqual([await textsIn(on, there), await removedIn(on)], [[], []])
    await on.members.change('Book', 'b', undefined, () => writtenOf(KINDS, { title: 'new' }))
    assert.deepEqual(await textsIn(on, there), [{ kind: 'update', title: 'new' }])
    await on.close()
    const off = await reopen(t, url, author, book(KINDS, { fingerprint: 3, history: undefined }))
    await off.members.remove('Book', 'b', undefined)
    assert.deepEqual([await textsIn(off, there), await removedIn(off)], [[], []])
    await off.close()
    const again = await reopen(t, url, author, book(KINDS, { fingerprint: 4 }))
    assert.deepEqual(await textsIn(again, there), [{ kind: 'update', title: 'new' }])
    assert.deepEqual(await removedIn(again), [])
  })

  test('entries are converted while a history is off, and a member that came back meanwhile is not gone', async (t) => {
    const url = await filled(newDatabase(t))
    const off = book({ name: 'text', by: 'text' }, { former: { name: 'title' }, history: undefined })
    const meanwhile = await reopen(t, url, author, off)
    await meanwhile.members.add('Book', memberOf({ name: 'text', by: 'text' }, 'a', { name: 'back' }))
    await meanwhile.close()
    const store = await reopen(t, url, author, book({ name: 'text', by: 'text' }, { fingerprint: 3 }))
    assert.deepEqual((await textsIn(store))[2], { kind: 'create', name: 'one', by: 'Author/ann' })
    assert.deepEqual(await removedIn(store), [])
    await store.members.remove('Book', 'a', undefined)
    assert.deepEqual(await removedIn(store), ['a'])
  })

  test('a class that is renamed takes its history along', async (t) => {
    const url = await filled(newDatabase(t))
    const novel = shapeOf('Novel', { title: 'text' }, { was: 'Book', fingerprint: 2, history: HISTORY })
    const store = await reopen(t, url, author, novel)
    const { members, history } = store
    const name = { className: 'Novel', id: 'a' }
    assert.deepEqual((await textsIn(store, name))[2], {
      ...{ kind: 'create', title: 'one', hidden: { by: 'Author/ann' } },
    })
    await members.add('Novel', memberOf({ title: 'text' }, 'a'))
    const versions = (await history.heads(name, { limit: 9 })).map(({ version }) => version)
    assert.deepEqual(
      versions,
      new Set(versions).size === 4 ? versions.toSorted((x, y) => y - x) : 'four versions',
    )
  })

  test('links in entries follow a class that is renamed, also while their own class is hidden', async (t) => {
    const url = newDatabase(t)
    const files = [
      ['Author: { properties: { name: string } }', 'Book: { history: true, properties: { by: Author } }'],
      ['Author: { properties: { name: string } }'],
      ['Writer: { was: Author, properties: { name: string } }'],
      ['Writer: { properties: { name: string } }', 'Book: { history: true, properties: { title: string } }'],
      ['Writer: { properties: { name: string } }', 'Book: { history: true, properties: { by: Writer } }'],
    ].map((classes) => modelOf(`classes: { ${classes.join(', ')} }`))
    const shapes = files.map(classSchemas)
    const { members, close } = await openStore(url, shapes[0], { bulk: true })
    await members.add('Author', written(files[0], 'Author', 'ann', '{}'))
    await members.add('Book', written(files[0], 'Book', 'a', '{"by":"http://x.example/api/authors/ann"}'))
    await members.remove('Book', 'a', undefined)
    await close()
    const texts = []
    for (const some of shapes.slice(1)) {
      const store = await openStore(url, some, { bulk: true })
      if (some.length === 2)
        texts.push(...(await entriesOf(store.history)).map(({ body, hidden }) => body + hidden))
      await store.close()
    }
    const hidden = '{"by":{"@id":"/authors/ann","@type":"Writer"}}'
    assert.deepEqual(texts, [hidden, hidden, ',"by":"/writers/ann"', ',"by":"/writers/ann"'])
  })

  test('a class of the name of one that was purged or replaced has no history', async (t) => {
    const url = await filled(newDatabase(t))
    await (await openStore(url, [author])).close()
    await maintain(url, 'write', async (store) => {
      const hidden = await listHidden(store, [author])
      assert.deepEqual(hidden, [{ className: 'Book', members: 1 }])
      await purgeHidden(store, 'Book', hidden)
    })
    const purged = await reopen(t, url, author, book(KINDS))
    assert.deepEqual([await textsIn(purged), await removedIn(purged)], [[], []])
    await purged.members.add('Book', memberOf(KINDS, 'a'))
    await purged.members.remove('Book', 'a', undefined)
    assert.deepEqual(await removedIn(purged), ['a'])
    await purged.close()
    const replaced = await reopen(
      t,
      url,
      shapeOf('Book', {}, { was: 'Author', fingerprint: 3, history: HISTORY }),
    )
    assert.deepEqual([await textsIn(replaced), await removedIn(replaced)], [[], []])
  })
}
