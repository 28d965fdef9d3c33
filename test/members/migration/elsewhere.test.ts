import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '../../../src/problem.ts'
import { openStore } from '../../../src/store/open.ts'
import { newPostgres } from '../../support/postgres.ts'
import { type Kinds, memberOf, select, shapeOf } from '../../support/shapes.ts'
import { openFor, SHARED_STORES } from '../../support/stores.ts'

const KINDS: Kinds = { title: 'text', pages: 'number' }
const OTHER: Kinds = { pages: 'number' }
/** A file that cannot be served beside the other one. */
const INCOMPATIBLE = { fingerprint: 2, types: { Book: { pages: 'another type' } } }

const isRefused = (error: unknown): boolean => error instanceof Problem && error.code === 'MigratedElsewhere'

for (const { name, newDatabase } of SHARED_STORES) {
  describe(name, () => {
    test('once another process has the members under another API file, this one neither reads nor writes them', async (t) => {
      const url = newDatabase(t)
      let told = 0
      const onMigratedElsewhere = () => {
        told++
      }
      const { members, auth } = await openFor(t, url, [shapeOf('Book', KINDS)], { onMigratedElsewhere })
      await members.add('Book', memberOf(KINDS, 'one', { title: 'A', pages: 1 }))
      const other = await openFor(t, url, [shapeOf('Book', OTHER, INCOMPATIBLE)])

      const filters = [{ property: 'pages', test: 'in', keys: [1] }] as const
      const attempts: readonly (() => unknown)[] = [
        () => members.find('Book', 'one'),
        () => members.list('Book', select()),
        () => members.list('Book', select({ filters })),
        () => members.list('Book', select({ owner: 1 })),
        () => members.list('Book', select({ owner: 1, filters })),
        () => members.add('Book', memberOf(KINDS, 'two')),
        () => members.addAll([{ className: 'Book', member: memberOf(KINDS, 'two') }]),
        () => members.change('Book', 'one', undefined, () => memberOf(KINDS, 'one')),
        () => members.remove('Book', 'one', undefined),
      ]
      assert.equal(told, 0)
      for (const attempt of attempts) {
        await assert.rejects(async () => attempt(), isRefused)
        assert.equal(told, 1, 'it is told of once')
      }
      // Users are none of the API file's business.
      assert.equal(await auth.addUser({ id: 1, paraphraseHash: 'hash' }, 0), 1)
      const page = await other.members.list('Book', select({ filters }))
      assert.deepEqual(
        page.members.map(({ id, body }) => [id, body]),
        [['one', ',"pages":1']],
      )
    })

    test('another process with the same classes and more, or with none at all, holds up nobody', async (t) => {
      const url = newDatabase(t)
      const { members } = await openFor(t, url, [shapeOf('Book', KINDS)])
      await members.add('Book', memberOf(KINDS, 'one'))
      for (const shapes of [[], [shapeOf('Book', KINDS), shapeOf('Author', KINDS)]]) {
        const other = await openStore(url, shapes)
        await other.auth.addUser({ id: shapes.length, paraphraseHash: 'hash' }, 0)
        await other.close()
        assert.equal((await members.find('Book', 'one'))?.id, 'one')
        assert.equal(
          (await members.change('Book', 'one', undefined, () => memberOf(KINDS, ''))).outcome,
          'changed',
        )
      }
    })
  })
}

// scaling.md: a host with the former file answers requests for those classes with 503
test('PostgreSQL: a worker that is started again behind another API file shows no empty class in the place of a changed one', async (t) => {
  const url = newPostgres(t)
  const shapes = [shapeOf('Author', KINDS), shapeOf('Book', KINDS)]
  await openFor(t, url, shapes)
  const other = await openFor(t, url, [shapeOf('Book', OTHER, INCOMPATIBLE)])
  let told = 0
  const onMigratedElsewhere = () => {
    told++
  }
  const { members } = await openFor(t, url, shapes, { migrate: 'none', onMigratedElsewhere })
  await other.members.add('Book', memberOf(OTHER, 'one', { pages: 1 }))
  for (const attempt of [
    () => members.find('Book', 'one'),
    () => members.list('Book', select()),
    () => members.add('Book', memberOf(KINDS, 'two')),
    () => members.remove('Book', 'one', undefined),
  ])
    await assert.rejects(async () => attempt(), isRefused)
  assert.equal(told, 1)
  assert.equal((await members.add('Author', memberOf(KINDS, 'ann'))).outcome, 'added')
})
