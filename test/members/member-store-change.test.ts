import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MemberContent, MemberStore, StoredMember, WholeText } from '../../src/members/index.ts'
import { type Kinds, memberOf, select, shapeOf, type Values, valuesOf, writtenOf } from '../support/shapes.ts'
import { type Open, STORES } from '../support/stores.ts'

const KINDS: Kinds = { isbn: 'unique', title: 'text', tags: 'texts', author: 'text' }
const SHAPES = ['Author', 'Book'].map((name) => shapeOf(name, KINDS))

const book = (id: string, values: Values = {}) => memberOf(KINDS, id, values)

/** Adds these values to those that are stored. */
const adding =
  (values: Values) =>
  ({ body, hidden }: StoredMember & WholeText): MemberContent => ({
    ...writtenOf(KINDS, { ...valuesOf(body), ...values }),
    hidden,
  })

const found = async (store: MemberStore, more: Parameters<typeof select>[0]): Promise<string[]> =>
  (await store.list('Book', select(more))).members.map(({ id }) => id)

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(openStore: Open): void {
  const open = async (t: Parameters<Open>[0]): Promise<MemberStore> => (await openStore(t, SHAPES)).members

  test('a change is computed from what is stored, and gives a new version', async (t) => {
    const store = await open(t)
    await store.add('Book', { ...book('one', { title: 'A' }), hidden: '{"old":1}' })
    const before = await store.find('Book', 'one')
    const seen: unknown[] = []
    const changed = await store.change('Book', 'one', undefined, (current) => {
      seen.push(current)
      return { ...adding({ tags: ['x'] })(current), baseUrlOffsets: '3', hidden: '{"old":2}' }
    })
    assert.deepEqual(seen, [{ ...before, hidden: '{"old":1}' }])
    assert.ok(changed.outcome === 'changed')
    assert.deepEqual(changed.member, await store.find('Book', 'one'))
    assert.equal(changed.member.body, ',"title":"A","tags":["x"]')
    assert.equal(changed.member.baseUrlOffsets, '3')
    assert.ok(changed.member.version > (before?.version ?? 0))
    await store.change('Book', 'one', undefined, (current) => {
      assert.equal(current.hidden, '{"old":2}')
      return adding({})(current)
    })
  })

  test('what is changed keeps its place in the order of creation, and the total', async (t) => {
    const store = await open(t)
    for (const id of ['a', 'b', 'c']) await store.add('Book', book(id))
    await store.change('Book', 'a', undefined, adding({ title: 'changed' }))
    const page = await store.list('Book', select())
    assert.deepEqual([page.members.map(({ id }) => id), page.total], [['a', 'b', 'c'], 3])
  })

  test('a changed member is found by its new values and no longer by the old ones', async (t) => {
    const store = await open(t)
    await store.add('Book', book('one', { title: 'Red Sea', tags: ['x', 'y'] }))
    await store.change('Book', 'one', undefined, adding({ title: 'Blue Sky', tags: ['y', 'z'] }))
    const by = (property: string, key: string) =>
      found(store, { filters: [{ property, test: 'in', keys: [key] }] })
    assert.deepEqual([await by('title', 'Red Sea'), await by('title', 'Blue Sky')], [[], ['one']])
    assert.deepEqual(
      [await by('tags', 'x'), await by('tags', 'y'), await by('tags', 'z')],
      [[], ['one'], ['one']],
    )
    assert.deepEqual(
      [await found(store, { words: ['sea'] }), await found(store, { words: ['sky', 'blue'] })],
      [[], ['one']],
    )
    await store.remove('Book', 'one', undefined)
    assert.deepEqual(
      [await by('title', 'Blue Sky'), await by('tags', 'y'), await found(store, { words: ['sky'] })],
      [[], [], []],
    )
  })

  test('a member that is not there is not changed, nor is one in another version than is expected', async (t) => {
    const store = await open(t)
    const never = () => assert.fail('nothing to compute')
    assert.deepEqual(await store.change('Book', 'one', undefined, never), { outcome: 'missing' })
    const added = await store.add('Book', book('one'))
    assert.ok(added.outcome === 'added')
    const { version } = added
    for (const expected of [[], [version + 1]]) {
      assert.deepEqual(await store.change('Book', 'one', expected, never), { outcome: 'stale', version })
    }
    const changed = await store.change('Book', 'one', [version + 1, version], adding({ title: 'B' }))
    assert.equal(changed.outcome, 'changed')
  })

  test('of two changes of one version one wins', async (t) => {
    const store = await open(t)
    const added = await store.add('Book', book('one'))
    assert.ok(added.outcome === 'added')
    const outcomes = await Promise.all(
      ['A', 'B'].map((title) => store.change('Book', 'one', [added.version], adding({ title }))),
    )
    assert.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['changed', 'stale'])
  })

  test('what the computation throws is thrown, and nothing is changed, for others neither', async (t) => {
    const store = await open(t)
    await store.add('Book', book('one', { title: 'A' }))
    const before = await store.find('Book', 'one')
    const wrong = new Error('not so')
    const [first, refused, last] = await Promise.allSettled([
      store.add('Book', book('two')),
      store.change('Book', 'one', undefined, () => {
        throw wrong
      }),
      store.add('Book', book('three')),
    ])
    assert.ok(refused.status === 'rejected' && refused.reason === wrong)
    assert.deepEqual([first.status, last.status], ['fulfilled', 'fulfilled'])
    assert.deepEqual(await store.find('Book', 'one'), before)
    assert.deepEqual(await found(store, {}), ['one', 'two', 'three'])
  })

  // contract: A failed one has changed nothing.
  test('links to nothing and values that another has are refused together; its own values are its own', async (t) => {
    const store = await open(t)
    await store.add('Author', book('ann'))
    await store.add('Book', book('one', { isbn: '1' }))
    await store.add('Book', book('two', { isbn: '2' }))
    const before = await store.find('Book', 'two')
    assert.deepEqual(
      await store.change('Book', 'two', undefined, adding({ isbn: '1', author: 'Author/bob' })),
      {
        outcome: 'refused',
        dangling: [{ property: 'author', className: 'Author', id: 'bob' }],
        taken: ['isbn'],
      },
    )
    assert.deepEqual(await store.find('Book', 'two'), before)
    const kept = await store.change('Book', 'two', undefined, adding({ isbn: '2', author: 'Author/ann' }))
    assert.equal(kept.outcome, 'changed')
  })

  test('a unique value is free again when a change gives it up', async (t) => {
    const store = await open(t)
    await store.add('Book', book('one', { isbn: '1' }))
    await store.change('Book', 'one', undefined, () => writtenOf(KINDS, {}))
    assert.equal((await store.add('Book', book('two', { isbn: '1' }))).outcome, 'added')
  })

  test('links follow a change: the new target is kept, the old one is free', async (t) => {
    const store = await open(t)
    for (const id of ['ann', 'bob']) await store.add('Author', book(id))
    await store.add('Book', book('one', { author: 'Author/ann' }))
    await store.change('Book', 'one', undefined, adding({ author: 'Author/bob' }))
    assert.deepEqual(await store.remove('Author', 'ann', undefined), { outcome: 'removed' })
    assert.equal((await store.remove('Author', 'bob', undefined)).outcome, 'linked')
  })

  test('a change changes the state of its class and of no other', async (t) => {
    const store = await open(t)
    await store.add('Book', book('one'))
    const [books, authors] = [await store.state('Book'), await store.state('Author')]
    await store.change('Book', 'one', undefined, adding({ title: 'A' }))
    assert.notEqual(await store.state('Book'), books)
    assert.equal(await store.state('Author'), authors)
  })

  test('many are added at once, of several classes; what is refused does not touch the others', async (t) => {
    const store = await open(t)
    const added = await store.addAll([
      { className: 'Author', member: book('ann') },
      { className: 'Book', member: book('one', { isbn: '1', author: 'Author/ann' }) },
      { className: 'Book', member: book('two', { isbn: '1' }) },
      { className: 'Book', member: book('three', { author: 'Author/bob' }) },
      { className: 'Book', member: book('one') },
      { className: 'Book', member: book('four') },
    ])
    assert.deepEqual(
      added.map(({ outcome }) => outcome),
      ['added', 'added', 'refused', 'refused', 'exists', 'added'],
    )
    assert.deepEqual(await found(store, {}), ['one', 'four'])
  })
}
