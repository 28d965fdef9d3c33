import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { IncompatibleMembersError } from '../../../src/members/index.ts'
import { openStore } from '../../../src/store/open.ts'
import { type Kinds, memberOf, shapeOf } from '../../support/shapes.ts'
import { SHARED_STORES } from '../../support/stores.ts'
import { listed, open, valuesIn } from './opened.ts'

for (const { name, newDatabase } of SHARED_STORES) {
  describe(`${name}: a class that the API file has renamed`, () => {
    const AUTHOR = shapeOf('Author', { name: 'text' })
    const book = (target: string) => memberOf({ author: 'text' }, `by ${target}`, { author: target })

    async function linked(t: TestContext): Promise<string> {
      const url = newDatabase(t)
      const store = await openStore(url, [AUTHOR, shapeOf('Book', { author: 'text' })])
      await store.members.add('Author', memberOf({ name: 'text' }, 'ann', { name: 'Ann' }))
      await store.members.add('Book', book('Author/ann'))
      await store.close()
      return url
    }

    test('has its members, its links and its versions', async (t) => {
      const url = await linked(t)
      const writer = shapeOf('Writer', { name: 'text' }, { was: 'Author' })
      const novel = shapeOf('Novel', { author: 'text' }, { was: 'Book' })
      for (let start = 0; start < 2; start += 1) {
        const store = await open(t, url, writer, novel)
        assert.deepEqual(await valuesIn(store, 'ann', 'Writer'), { name: 'Ann' })
        assert.deepEqual(await listed(store, 'Novel'), ['by Author/ann'])
        assert.deepEqual(await store.remove('Writer', 'ann', undefined), {
          outcome: 'linked',
          isTruncated: false,
          from: [{ className: 'Novel', id: 'by Author/ann', owner: undefined, properties: ['author'] }],
        })
      }
    })

    test('keeps its links where they are renamed as well, and both classes follow each other', async (t) => {
      const url = await linked(t)
      const shapes = [
        shapeOf('Book', { name: 'text' }, { was: 'Author' }),
        shapeOf('Novel', { by: 'text' }, { was: 'Book', former: { by: 'author' } }),
      ]
      for (let start = 0; start < 2; start += 1) {
        const store = await open(t, url, ...shapes)
        assert.deepEqual(await store.remove('Book', 'ann', undefined), {
          outcome: 'linked',
          isTruncated: false,
          from: [{ className: 'Novel', id: 'by Author/ann', owner: undefined, properties: ['by'] }],
        })
      }
    })

    test('makes room for another class of the former name', async (t) => {
      const url = await linked(t)
      const writer = shapeOf('Writer', { name: 'text' }, { was: 'Author' })
      for (let start = 0; start < 2; start += 1) {
        const store = await open(t, url, writer, AUTHOR)
        assert.deepEqual([await listed(store, 'Writer'), await listed(store, 'Author')], [['ann'], []])
      }
    })

    test('gets its members also where the class was served without them before', async (t) => {
      const url = await linked(t)
      await (await openStore(url, [shapeOf('Writer', { name: 'text' })])).close()
      const store = await open(t, url, shapeOf('Writer', { name: 'text' }, { was: 'Author' }))
      assert.deepEqual(await listed(store, 'Writer'), ['ann'])
    })

    test('gives out no version again that the class without members had, which its name was before', async (t) => {
      const url = await linked(t)
      const kinds: Kinds = { name: 'text' }
      const before = await openStore(url, [shapeOf('Writer', kinds)])
      const used: number[] = []
      for (const id of ['a', 'b', 'c', 'd']) {
        const added = await before.members.add('Writer', memberOf(kinds, id))
        assert.ok(added.outcome === 'added')
        used.push(added.version)
        await before.members.remove('Writer', id, undefined)
      }
      await before.close()
      const store = await open(t, url, shapeOf('Writer', kinds, { was: 'Author' }))
      const added = await store.add('Writer', memberOf(kinds, 'a'))
      assert.ok(added.outcome === 'added' && added.version > Math.max(...used))
    })

    test('two that follow each other move on together, once', async (t) => {
      const url = await linked(t)
      const shapes = [
        shapeOf('Book', { name: 'text' }, { was: 'Author' }),
        shapeOf('Novel', { author: 'text' }, { was: 'Book' }),
      ]
      for (let start = 0; start < 2; start += 1) {
        const store = await open(t, url, ...shapes)
        assert.deepEqual(
          [await listed(store, 'Book'), await listed(store, 'Novel')],
          [['ann'], ['by Author/ann']],
        )
      }
    })

    test('the links of a property that is removed bind nobody; they bind again when it comes back', async (t) => {
      const url = await linked(t)
      const types = { Book: { author: 'another type' } }
      const without = await openStore(url, [AUTHOR, shapeOf('Book', {}, { fingerprint: 2, types })])
      await without.members.add('Author', memberOf({ name: 'text' }, 'bob'))
      assert.deepEqual(await without.members.remove('Author', 'bob', undefined), { outcome: 'removed' })
      await without.close()
      const store = await open(t, url, AUTHOR, shapeOf('Book', { author: 'text' }, { fingerprint: 3 }))
      assert.equal((await store.remove('Author', 'ann', undefined)).outcome, 'linked')
    })

    test('a target that is removed while the property is hidden stops the start at which it comes back', async (t) => {
      const url = await linked(t)
      const types = { Book: { author: 'another type' } }
      const without = await openStore(url, [AUTHOR, shapeOf('Book', {}, { fingerprint: 2, types })])
      assert.deepEqual(await without.members.remove('Author', 'ann', undefined), { outcome: 'removed' })
      await without.close()
      await assert.rejects(
        open(t, url, AUTHOR, shapeOf('Book', { author: 'text' }, { fingerprint: 3 })),
        (error) => {
          assert.ok(error instanceof IncompatibleMembersError)
          const [member] = error.incompatible
          assert.equal(member?.address, 'Book by Author/ann')
          assert.deepEqual(member?.violations, [
            {
              code: 'NoSuchTarget',
              at: { property: 'author' },
              values: { className: 'Author', id: 'ann' },
            },
          ])
          return true
        },
      )
    })

    test('members of a class that the API file has no more still count: what they link to stays', async (t) => {
      const url = await linked(t)
      const store = await open(t, url, AUTHOR)
      assert.deepEqual(await store.remove('Author', 'ann', undefined), {
        outcome: 'linked',
        isTruncated: false,
        from: [{ className: 'Book', id: 'by Author/ann', owner: undefined, properties: ['author'] }],
      })
    })
  })
}
