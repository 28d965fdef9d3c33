import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AddOutcome, Link, MemberStore, NewMember } from '../../src/members/index.ts'
import { type Kinds, memberOf as newMember, select, shapeOf, type Values } from '../support/shapes.ts'
import { type Open, SEARCHED_STORES } from '../support/stores.ts'

const KINDS: Kinds = { isbn: 'unique', code: 'unique' }
const SHAPES = ['Author', 'Book', 'book'].map((name) => shapeOf(name, KINDS))

const memberOf = (id: string, values: Values = {}, more: Partial<NewMember> = {}): NewMember => ({
  ...newMember(KINDS, id, values),
  ...more,
})

const toAuthor = (id: string, property = 'author'): Link => ({ property, className: 'Author', id })

function versionOf(added: AddOutcome): number {
  assert.ok(added.outcome === 'added', added.outcome)
  return added.version
}

const ids = async (store: MemberStore, className = 'Book', offset = 0, limit = 100): Promise<string[]> =>
  (await store.list(className, select({ start: { at: 'offset', offset }, limit }))).members.map(
    ({ id }) => id,
  )

const totalOf = async (store: MemberStore, className = 'Book'): Promise<number | undefined> =>
  (await store.list(className, select({ limit: 1 }))).total

for (const { name, open } of SEARCHED_STORES) describe(name, () => suite(open))

function suite(openStore: Open): void {
  const open = async (t: Parameters<Open>[0]): Promise<MemberStore> => (await openStore(t, SHAPES)).members

  test('what was added is found as it was given, with its version', async (t) => {
    const store = await open(t)
    await store.add('Author', memberOf('ann'))
    const body = ',"title":"\u6b63 \u{1f40e}","author":"/authors/ann"'
    const given = memberOf('one', {}, { body, baseUrlOffsets: '24', links: [toAuthor('ann')] })
    const version = versionOf(await store.add('Book', given))
    const found = await store.find('Book', 'one')
    assert.deepEqual(found, { id: 'one', version, body, baseUrlOffsets: '24', owner: undefined })
  })

  test('what is not there is not found, nor under another class', async (t) => {
    const store = await open(t)
    await store.add('Book', memberOf('one'))
    for (const [className, id] of [
      ['Book', 'two'],
      ['Book', 'ONE'],
      ['Book', ''],
      ['Author', 'one'],
      ['book', 'one'],
    ] as const) {
      assert.equal(await store.find(className, id), undefined)
    }
  })

  test('many are found at once, each id once, in the order of the ids, as far as the bytes go', async (t) => {
    const store = await open(t)
    const bodies: Readonly<Record<string, string>> = {
      a: ',"n":"é"',
      b: `,"n":"${'x'.repeat(100)}"`,
      c: ',"n":1',
    }
    for (const [id, body] of Object.entries(bodies))
      await store.add('Book', memberOf(id, {}, { body, owner: id === 'b' ? 4 : 3 }))
    for (const [asked, bytes, found, owner] of [
      [[], 100, []],
      [['c', 'none', 'a', '', 'A', '"', "'"], 100, ['c', 'a']],
      [['a', 'b', 'c'], 1_000, ['a', 'b', 'c']],
      [['a', 'b', 'c'], 9, ['a', 'b']],
      [['a', 'b', 'c'], 8, ['a']],
      [['b', 'c'], 0, ['b']],
      [['b', 'c'], 0, ['c'], 3],
      [['a', 'b', 'c'], 1_000, [], 5],
    ] as const) {
      const members = await store.findAll('Book', asked, bytes, owner)
      assert.deepEqual(
        members.map(({ id }) => id),
        found,
        `${asked} ${bytes}`,
      )
      for (const member of members) assert.deepEqual(member, await store.find('Book', member.id))
    }
    assert.deepEqual(await store.findAll('Author', ['a'], 100), [])
  })

  test('classes whose names differ in case alone are two classes', async (t) => {
    const store = await open(t)
    await store.add('Book', memberOf('upper'))
    await store.add('book', memberOf('lower'))
    assert.deepEqual([await ids(store, 'Book'), await ids(store, 'book')], [['upper'], ['lower']])
  })

  test('a class that the store was not opened with is a fault of the program', async (t) => {
    const store = await open(t)
    await assert.rejects(async () => store.find('Nothing', 'one'), /was not opened with a class Nothing/)
    await assert.rejects(store.add('Nothing', memberOf('one')), /was not opened with a class Nothing/)
  })

  test('an id that is there already is not added again, and the first member stays', async (t) => {
    const store = await open(t)
    await store.add('Book', memberOf('one', { first: 1 }))
    assert.deepEqual(await store.add('Book', memberOf('one')), { outcome: 'exists' })
    assert.equal((await store.find('Book', 'one'))?.body, ',"first":1')
    assert.equal(await totalOf(store), 1)
  })

  test('links to nothing are named, all of them, and nothing is added', async (t) => {
    const store = await open(t)
    await store.add('Author', memberOf('ann'))
    const links = [toAuthor('ann'), toAuthor('bob'), toAuthor('cid', 'editor')]
    assert.deepEqual(await store.add('Book', memberOf('one', {}, { links })), {
      outcome: 'refused',
      dangling: [toAuthor('bob'), toAuthor('cid', 'editor')],
      taken: [],
    })
    assert.equal(await store.find('Book', 'one'), undefined)
    assert.equal(await totalOf(store), 0)
    assert.deepEqual(await store.remove('Author', 'ann', undefined), { outcome: 'removed' })
  })

  test('unique values that another member has are named, and nothing is added', async (t) => {
    const store = await open(t)
    await store.add('Book', memberOf('one', { isbn: '1', code: 'a' }))
    for (const { code, taken } of [
      { code: 'b', taken: ['isbn'] },
      { code: 'a', taken: ['isbn', 'code'] },
    ]) {
      assert.deepEqual(await store.add('Book', memberOf('two', { isbn: '1', code })), {
        outcome: 'refused',
        dangling: [],
        taken,
      })
    }
    assert.equal(await store.find('Book', 'two'), undefined)
    // What the refused one would have had besides is still free.
    versionOf(await store.add('Book', memberOf('three', { isbn: '2', code: 'b' })))
  })

  test('links to nothing and taken values are named together', async (t) => {
    const store = await open(t)
    await store.add('Book', memberOf('one', { isbn: '1' }))
    const added = await store.add('Book', memberOf('two', { isbn: '1', author: 'Author/bob' }))
    assert.deepEqual(added, { outcome: 'refused', dangling: [toAuthor('bob')], taken: ['isbn'] })
  })

  test('a member may link to itself from the start, and can be removed all the same', async (t) => {
    const store = await open(t)
    versionOf(await store.add('Author', memberOf('ann', {}, { links: [toAuthor('ann', 'teacher')] })))
    assert.deepEqual(await store.remove('Author', 'ann', undefined), { outcome: 'removed' })
  })

  test('a value is unique in its class and property, not beyond', async (t) => {
    const store = await open(t)
    versionOf(await store.add('Book', memberOf('one', { isbn: '1' })))
    versionOf(await store.add('Book', memberOf('two', { code: '1' })))
    versionOf(await store.add('Author', memberOf('ann', { isbn: '1' })))
  })

  test('of two members added at once with one unique value one is added', async (t) => {
    const store = await open(t)
    const added = await Promise.all(
      ['one', 'two'].map((id) => store.add('Book', memberOf(id, { isbn: '1' }))),
    )
    assert.deepEqual(added.map(({ outcome }) => outcome).sort(), ['added', 'refused'])
  })

  test('a unique value is free again when its member is removed', async (t) => {
    const store = await open(t)
    await store.add('Book', memberOf('one', { isbn: '1' }))
    await store.remove('Book', 'one', undefined)
    versionOf(await store.add('Book', memberOf('two', { isbn: '1' })))
  })

  test('members are listed in the order of their creation, page by page, with the total', async (t) => {
    const store = await open(t)
    const names = ['zoe', 'ann', 'mia', 'bob', 'eve']
    for (const id of names) await store.add('Book', memberOf(id))
    assert.deepEqual(await ids(store), names)
    assert.deepEqual(await ids(store, 'Book', 0, 2), ['zoe', 'ann'])
    assert.deepEqual(await ids(store, 'Book', 4, 2), ['eve'])
    const beyond = await store.list('Book', select({ start: { at: 'offset', offset: 10 }, limit: 2 }))
    assert.deepEqual([beyond.members.length, beyond.total], [0, 5])
    assert.equal(await totalOf(store, 'Author'), 0)
  })

  test('a removed member leaves the order and the total, and one added again comes last', async (t) => {
    const store = await open(t)
    for (const id of ['a', 'b', 'c']) await store.add('Book', memberOf(id))
    await store.remove('Book', 'a', undefined)
    assert.deepEqual([await ids(store), await totalOf(store)], [['b', 'c'], 2])
    await store.add('Book', memberOf('a'))
    assert.deepEqual([await ids(store), await totalOf(store)], [['b', 'c', 'a'], 3])
  })

  test('members added at once are all there', async (t) => {
    const store = await open(t)
    await Promise.all(Array.from({ length: 300 }, (_, index) => store.add('Book', memberOf(`${index}`))))
    assert.equal(await totalOf(store), 300)
    assert.equal(new Set(await ids(store, 'Book', 0, 1_000)).size, 300)
  })

  test('the state of a class changes with what is added to it and removed from it, and with nothing else', async (t) => {
    const store = await open(t)
    const seen = [await store.state('Author')]
    await store.add('Author', memberOf('ann'))
    seen.push(await store.state('Author'))
    await store.remove('Author', 'ann', undefined)
    seen.push(await store.state('Author'))
    assert.equal(new Set(seen).size, 3)
    const book = await store.state('Book')
    await store.add('Author', memberOf('bob'))
    await store.find('Author', 'bob')
    assert.equal(await store.state('Book'), book)
  })

  test('a version is never used twice in a class, not even after a removal', async (t) => {
    const store = await open(t)
    const seen = new Set<number>()
    for (let round = 0; round < 5; round += 1) {
      for (const id of ['one', 'two']) {
        const version = versionOf(await store.add('Book', memberOf(id)))
        assert.ok(!seen.has(version))
        seen.add(version)
      }
      for (const id of ['one', 'two']) await store.remove('Book', id, undefined)
    }
    assert.equal(seen.size, 10)
  })
}
