import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type MemberStore,
  type ReadCheck,
  type Selection,
  type TransactionStep,
  WrittenMembers,
} from '../../src/members/index.ts'
import { type Kinds, memberOf, select, shapeOf, type Values, writtenOf } from '../support/shapes.ts'
import { type Open, STORES } from '../support/stores.ts'

const KINDS: Kinds = { isbn: 'unique', title: 'text', author: 'text' }
const SHAPES = ['Author', 'Book'].map((name) => shapeOf(name, KINDS))

const read = (id: string, version: number | undefined): ReadCheck => ({
  ...{ kind: 'read', className: 'Book', id, version },
})
const add = (id: string, values: Values = {}): TransactionStep => ({
  ...{ kind: 'add', className: 'Book', member: memberOf(KINDS, id, values) },
})
const titled = (title: string): Selection =>
  select({ filters: [{ property: 'title', test: 'in', keys: [title] }] })

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(openStore: Open): void {
  const open = async (t: Parameters<Open>[0]): Promise<MemberStore> => {
    const store = (await openStore(t, SHAPES)).members
    for (const id of ['a', 'b']) await store.add('Book', memberOf(KINDS, id, { isbn: id }))
    return store
  }
  const versionOf = async (store: MemberStore, id: string) => (await store.find('Book', id))?.version
  const pageOf = async (store: MemberStore, selection = select()): Promise<ReadCheck> => ({
    ...{ kind: 'page', className: 'Book', selection },
    state: new WrittenMembers().stateOf('Book', await store.list('Book', selection)),
  })
  const outcomesOf = async (store: MemberStore, steps: readonly TransactionStep[]) =>
    (await store.writeAll(steps)).map(({ outcome }) => outcome)

  test('writes are carried out where all that was read is still so', async (t) => {
    const store = await open(t)
    const steps = [
      read('a', await versionOf(store, 'a')),
      read('none', undefined),
      await pageOf(store),
      add('c'),
    ]
    assert.deepEqual(await outcomesOf(store, steps), ['unchanged', 'unchanged', 'unchanged', 'added'])
  })

  test('nothing is written where a member has another version, is gone or has come', async (t) => {
    const store = await open(t)
    const version = await versionOf(store, 'a')
    await store.change('Book', 'a', undefined, () => writtenOf(KINDS, { title: 'new' }))
    for (const check of [read('a', version), read('b', undefined), read('none', 7)])
      assert.deepEqual(await outcomesOf(store, [check, add('c')]), ['stale'])
    assert.equal(await versionOf(store, 'c'), undefined)
  })

  test('a page is another one where a member of it has changed, gone or come, and not otherwise', async (t) => {
    const store = await open(t)
    await store.add('Book', memberOf(KINDS, 'x', { title: 'wanted' }))
    const check = await pageOf(store, titled('wanted'))
    assert.deepEqual((await store.list('Book', titled('wanted'))).total, 1)
    await store.add('Book', memberOf(KINDS, 'y', { title: 'other' }))
    assert.deepEqual(await outcomesOf(store, [check]), ['unchanged'])
    await store.change('Book', 'x', undefined, () => writtenOf(KINDS, { title: 'wanted', isbn: 'x' }))
    assert.deepEqual(await outcomesOf(store, [check]), ['stale'])
    const again = await pageOf(store, titled('wanted'))
    await store.change('Book', 'y', undefined, () => writtenOf(KINDS, { title: 'wanted' }))
    assert.deepEqual(await outcomesOf(store, [again]), ['stale'])
  })

  test('a page shows the steps before it, and its check knows what they have written', async (t) => {
    const store = await open(t)
    const steps = [add('c', { title: 'wanted' })]
    const page = await store.listAfter(steps, 'Book', titled('wanted'))
    assert.ok('members' in page)
    assert.deepEqual(
      page.members.map(({ id }) => id),
      ['c'],
    )
    assert.equal(await versionOf(store, 'c'), undefined, 'nothing is written')
    const written = new WrittenMembers()
    for (const step of steps) written.add(step)
    const check: TransactionStep = {
      ...{ kind: 'page', className: 'Book', selection: titled('wanted') },
      state: written.stateOf('Book', page),
    }
    // Other versions are used up meanwhile.
    await store.add('Book', memberOf(KINDS, 'd'))
    assert.deepEqual(await outcomesOf(store, [check, ...steps]), ['stale'])
    assert.deepEqual(await outcomesOf(store, [...steps, check]), ['added', 'unchanged'])
  })

  test('a list after a step that is refused is its outcome', async (t) => {
    const store = await open(t)
    const refused = await store.listAfter([add('c', { isbn: 'a' })], 'Book', select())
    assert.deepEqual(refused, { outcome: 'refused', dangling: [], taken: ['isbn'] })
    const change = (id: string, isbn: string): TransactionStep => ({
      ...{ kind: 'change', className: 'Book', id, expected: undefined, written: writtenOf(KINDS, { isbn }) },
    })
    const several = [change('b', 'a'), change('a', 'c')]
    assert.deepEqual(
      await store.listAfter(several, 'Book', select()),
      refused,
      'the first, and not the second',
    )
    const page = await store.listAfter(several.toReversed(), 'Book', select())
    assert.ok('members' in page && page.total === 2)
  })

  test('while pages of a class are locked, nobody else writes to it, and lists after steps know the locks', async (t) => {
    const store = await open(t)
    const pages = [{ kind: 'page', className: 'Book', id: '' }] as const
    let isAdded = false
    const outcomes = await store.writeAllLocked(pages, async ({ listAfter }) => {
      const adding = store.add('Book', memberOf(KINDS, 'later')).then(() => {
        isAdded = true
      })
      adding.catch(() => {})
      const page = await listAfter([add('c')], 'Book', select())
      assert.ok('members' in page && page.total === 3)
      const check = await pageOf(store)
      assert.equal(isAdded, false)
      return [check, add('c')]
    })
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['unchanged', 'added'],
    )
    while (!isAdded) await new Promise(setImmediate)
    assert.equal((await store.list('Book', select())).total, 4)
  })
}
