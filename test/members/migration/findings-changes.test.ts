import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ClassSchema, MigrationChange } from '../../../src/members/index.ts'
import { dryRun, openStore } from '../../../src/store/open.ts'
import { type Kinds, memberOf, shapeOf } from '../../support/shapes.ts'
import { MIGRATED_STORES } from '../../support/stores.ts'

const BOOK: Kinds = { title: 'text', pages: 'number', tags: 'texts' }

/** Three books, two of which have tags; an author; a class without members. */
async function stored(url: string): Promise<string> {
  const store = await openStore(url, [shapeOf('Author'), shapeOf('Empty'), shapeOf('Book', BOOK)], {
    bulk: true,
  })
  await store.members.add('Author', memberOf({}, 'ann'))
  await store.members.add('Book', memberOf(BOOK, 'one', { title: 'A', pages: 1, tags: ['x'] }))
  await store.members.add('Book', memberOf(BOOK, 'two', { title: 'B', pages: 2, tags: ['y'] }))
  await store.members.add('Book', memberOf(BOOK, 'three', { title: 'C' }))
  await store.close()
  return url
}

/** What a dry run says, and after it the migration itself. */
async function changesOf(url: string, ...shapes: ClassSchema[]): Promise<readonly MigrationChange[]> {
  const tried = await dryRun(url, shapes)
  let told: readonly MigrationChange[] = []
  const onMigrated = (changes: readonly MigrationChange[]) => {
    told = changes
  }
  const store = await openStore(url, shapes, { onMigrated })
  // Hosts with a compatible file serve beside others: their members are converted afterwards.
  while (await store.catchUp.turn());
  await store.close()
  const isJoined = tried.joined.length > 0
  assert.deepEqual([tried.incompatible, isJoined ? [] : tried.changes], [[], told])
  return tried.changes
}

const AUTHOR = shapeOf('Author')
const book = (fingerprint: number, kinds: Kinds, former: Readonly<Record<string, string>> = {}) =>
  shapeOf('Book', kinds, { fingerprint, former })

for (const { name, newDatabase } of MIGRATED_STORES) {
  describe(name, () => {
    test('what a changed API file does to values is counted by class and property, alike by a dry run', async (t) => {
      const url = await stored(newDatabase(t))
      const className = 'Book'
      assert.deepEqual(await changesOf(url, AUTHOR, book(1, BOOK)), [], 'the same file')
      assert.deepEqual(
        await changesOf(url, AUTHOR, book(2, { title: 'text', pages: 'number', year: 'number' })),
        [{ className, change: 'hidden', property: 'tags', members: 2, unfilled: ['year'] }],
      )
      assert.deepEqual(
        await changesOf(url, AUTHOR, book(3, { title: 'text', pages: 'number' })),
        [],
        'hidden before',
      )
      assert.deepEqual(
        await changesOf(url, AUTHOR, book(4, { name: 'text', tags: 'texts' }, { name: 'title' })),
        [
          { className, change: 'renamed', property: 'name', from: 'title', members: 3 },
          { className, change: 'shown', property: 'tags', members: 2 },
          { className, change: 'hidden', property: 'pages', members: 2, unfilled: [] },
        ],
      )
      assert.deepEqual(
        await changesOf(url, AUTHOR, book(5, { ...BOOK, year: 'number' }, { title: 'name' })),
        [
          { className, change: 'renamed', property: 'title', from: 'name', members: 3 },
          { className, change: 'shown', property: 'pages', members: 2 },
        ],
      )
    })

    test('classes with members that the file has under another name, or has no more, are told of', async (t) => {
      const url = await stored(newDatabase(t))
      const writer = shapeOf('Writer', {}, { was: 'Author' })
      const gone = { className: 'Book', change: 'class hidden', members: 3, likely: [] }
      assert.deepEqual(await changesOf(url, writer), [
        { className: 'Writer', change: 'class renamed', from: 'Author', members: 1 },
        gone,
      ])
      assert.deepEqual(
        await changesOf(url, writer),
        [gone],
        'at every opening, since nothing else would tell',
      )
      assert.deepEqual(await changesOf(url, writer, book(1, BOOK)), [])
    })

    test('a new class that shares half of the properties may be a hidden one under another name', async (t) => {
      const url = await stored(newDatabase(t))
      const rows: readonly (readonly [
        kinds: Kinds,
        likely: readonly string[],
        more?: Partial<ClassSchema>,
      ])[] = [
        [BOOK, ['Tome']],
        [{ title: 'text', pages: 'number' }, ['Tome']],
        [{ ...BOOK, a: 'text', b: 'text', c: 'text' }, ['Tome']],
        [{ title: 'text' }, []],
        [{ ...BOOK, a: 'text', b: 'text', c: 'text', d: 'text' }, []],
        [{}, []],
        [BOOK, [], { isSingle: true }],
        [BOOK, [], { was: 'Volume' }],
      ]
      for (const [kinds, likely, more] of rows) {
        const { changes } = await dryRun(url, [AUTHOR, shapeOf('Tome', kinds, more)])
        assert.deepEqual(changes[0], { className: 'Book', change: 'class hidden', members: 3, likely })
      }
      // A start with the file has stored the new classes.
      const file = [AUTHOR, shapeOf('Empty', BOOK), shapeOf('Tome', BOOK), shapeOf('Roll', BOOK)]
      const store = await openStore(url, file.slice(2), { now: () => Date.now() + 60_000 })
      await store.members.add('Tome', memberOf(BOOK, 'one', { title: 'A' }))
      await store.close()
      const { changes } = await dryRun(url, file)
      assert.deepEqual(changes, [{ className: 'Book', change: 'class hidden', members: 3, likely: ['Roll'] }])
    })

    test('where members are incompatible, a dry run counts no changes: it has not seen all members', async (t) => {
      const url = await stored(newDatabase(t))
      const { incompatible, changes } = await dryRun(url, [book(2, { title: 'number' })])
      assert.equal(incompatible.length, 3)
      assert.deepEqual(changes, [])
    })
  })
}
