import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ClassSchema, NotMigratedError } from '../../../src/members/index.ts'
import { openStore } from '../../../src/store/open.ts'
import { contentOf } from '../../support/contents.ts'
import { type Kinds, memberOf, select, shapeOf } from '../../support/shapes.ts'
import { MIGRATED_STORES, openFor } from '../../support/stores.ts'

const BOOK: Kinds = { title: 'text' }
const SHAPES = [shapeOf('Author'), shapeOf('Book', BOOK), shapeOf('Empty')]

async function stored(url: string): Promise<string> {
  const store = await openStore(url, SHAPES, { bulk: true })
  await store.members.add('Author', memberOf({}, 'ann'))
  await store.members.add('Book', memberOf(BOOK, 'one', { title: 'A' }))
  await store.close()
  return url
}

const REFUSED: readonly (readonly [
  name: string,
  shapes: readonly ClassSchema[],
  classNames: readonly string[],
])[] = [
  ['another fingerprint', [shapeOf('Author'), shapeOf('Book', BOOK, { fingerprint: 2 })], ['Book']],
  ['other keys', [shapeOf('Book', { title: 'unique' })], ['Book']],
  ['another name', [shapeOf('Writer', {}, { was: 'Author' }), shapeOf('Book', BOOK)], ['Writer']],
  [
    'both, beside classes without members',
    [shapeOf('New'), shapeOf('Writer', {}, { was: 'Author' }), shapeOf('Book'), shapeOf('Empty', BOOK)],
    ['Writer', 'Book'],
  ],
]

for (const { name: store, newDatabase } of MIGRATED_STORES) {
  describe(`${store}: a store that must not migrate members`, () => {
    test('is not opened where there are some of another API file, and changes nothing', async (t) => {
      for (const migrate of ['none', 'empty'] as const) {
        const url = await stored(newDatabase(t))
        const before = await contentOf(url)
        for (const [name, shapes, classNames] of REFUSED) {
          await assert.rejects(openStore(url, shapes, { migrate }), (error) => {
            assert.ok(error instanceof NotMigratedError, String(error))
            assert.deepEqual(error.classNames, classNames, name)
            return true
          })
          assert.deepEqual(await contentOf(url), before, name)
        }
        const { members } = await openFor(t, url, SHAPES, { migrate })
        assert.equal((await members.find('Book', 'one'))?.id, 'one')
      }
    })

    const CHANGED = [shapeOf('Author'), shapeOf('Empty', BOOK, { fingerprint: 2 }), shapeOf('New')]

    test('reads what is there where nothing may be migrated: other classes are empty, and a server goes on', async (t) => {
      const url = await stored(newDatabase(t))
      const serving = await openFor(t, url, SHAPES)
      const { members } = await openFor(t, url, CHANGED, { migrate: 'none' })
      const totals = await Promise.all(
        CHANGED.map(async ({ name }) => (await members.list(name, select())).total),
      )
      assert.deepEqual(totals, [1, 0, 0])
      assert.equal(await members.find('New', 'one'), undefined)
      for (const { name } of SHAPES) await serving.members.list(name, select())
      assert.equal((await serving.members.add('Empty', memberOf({}, 'one'))).outcome, 'added')
    })

    test('migrates classes without members where these may be, and a new database whole', async (t) => {
      for (const url of [await stored(newDatabase(t)), newDatabase(t)]) {
        const { members } = await openFor(t, url, CHANGED, { migrate: 'empty' })
        for (const name of ['Empty', 'New'])
          assert.equal(
            (await members.add(name, memberOf(name === 'Empty' ? BOOK : {}, 'one'))).outcome,
            'added',
          )
      }
    })
  })
}
