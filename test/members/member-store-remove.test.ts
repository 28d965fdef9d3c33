import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { AddOutcome, MemberStore, NewMember } from '../../src/members/index.ts'
import { type Kinds, memberOf as newMember, select, shapeOf, type Values } from '../support/shapes.ts'
import { type Open, STORES } from '../support/stores.ts'

const KINDS: Kinds = { isbn: 'unique', code: 'unique' }
const SHAPES = ['Author', 'Book', 'book'].map((name) => shapeOf(name, KINDS))

const memberOf = (id: string, values: Values = {}, more: Partial<NewMember> = {}): NewMember => ({
  ...newMember(KINDS, id, values),
  ...more,
})

function versionOf(added: AddOutcome): number {
  assert.ok(added.outcome === 'added', added.outcome)
  return added.version
}

const totalOf = async (store: MemberStore, className = 'Book'): Promise<number | undefined> =>
  (await store.list(className, select({ limit: 1 }))).total

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(openStore: Open): void {
  const open = async (t: TestContext): Promise<MemberStore> => (await openStore(t, SHAPES)).members

  test('a member that is not there is missing, and the total stays', async (t) => {
    const store = await open(t)
    await store.add('Book', memberOf('one'))
    assert.deepEqual(await store.remove('Book', 'two', undefined), { outcome: 'missing' })
    assert.deepEqual(await store.remove('Author', 'one', undefined), { outcome: 'missing' })
    assert.equal(await totalOf(store), 1)
  })

  test('a member is removed only in a version that is expected', async (t) => {
    const store = await open(t)
    const version = versionOf(await store.add('Book', memberOf('one')))
    for (const expected of [[], [version + 1]]) {
      assert.deepEqual(await store.remove('Book', 'one', expected), { outcome: 'stale', version })
    }
    assert.deepEqual(await store.remove('Book', 'one', [version + 1, version]), { outcome: 'removed' })
    assert.equal(await store.find('Book', 'one'), undefined)
  })

  test('of two removals at once one removes', async (t) => {
    const store = await open(t)
    await store.add('Book', memberOf('one'))
    const removed = await Promise.all([1, 2].map(() => store.remove('Book', 'one', undefined)))
    assert.deepEqual(removed.map(({ outcome }) => outcome).sort(), ['missing', 'removed'])
    assert.equal(await totalOf(store), 0)
  })

  test('a member that others link to is not removed; those that do are named', async (t) => {
    const store = await open(t)
    await store.add('Author', memberOf('ann'))
    for (let index = 0; index < 12; index += 1) {
      await store.add('Book', memberOf(`book ${index}`, { author: 'Author/ann' }))
    }
    const removed = await store.remove('Author', 'ann', undefined)
    assert.ok(removed.outcome === 'linked')
    assert.equal(removed.from.length, 12)
    assert.equal(new Set(removed.from.map(({ id }) => id)).size, 12)
    assert.ok(removed.from.every(({ className }) => className === 'Book'))
    assert.ok(await store.find('Author', 'ann'))
  })

  test('whoever links to a member more than once is named once', async (t) => {
    const store = await open(t)
    await store.add('Author', memberOf('ann'))
    await store.add('Book', memberOf('one', { author: 'Author/ann', editor: 'Author/ann' }))
    assert.deepEqual(await store.remove('Author', 'ann', undefined), {
      outcome: 'linked',
      isTruncated: false,
      from: [{ className: 'Book', id: 'one', owner: undefined, properties: ['author', 'editor'] }],
    })
  })

  test('a member is removed once those that linked to it are gone', async (t) => {
    const store = await open(t)
    await store.add('Author', memberOf('ann'))
    await store.add('Book', memberOf('one', { author: 'Author/ann' }))
    assert.deepEqual(await store.remove('Author', 'ann', undefined), {
      outcome: 'linked',
      isTruncated: false,
      from: [{ className: 'Book', id: 'one', owner: undefined, properties: ['author'] }],
    })
    await store.remove('Book', 'one', undefined)
    assert.deepEqual(await store.remove('Author', 'ann', undefined), { outcome: 'removed' })
  })

  test('a link and the removal of its target at once never leave a link to nothing', async (t) => {
    const store = await open(t)
    for (let round = 0; round < 20; round += 1) {
      await store.add('Author', memberOf(`a${round}`))
      const link = () => store.add('Book', memberOf(`b${round}`, { author: `Author/a${round}` }))
      const remove = () => store.remove('Author', `a${round}`, undefined)
      await Promise.all(round % 2 === 0 ? [link(), remove()] : [remove(), link()])
      const [book, author] = [await store.find('Book', `b${round}`), await store.find('Author', `a${round}`)]
      assert.equal(book === undefined, author === undefined)
    }
  })
}
