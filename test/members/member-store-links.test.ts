import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { IndexedLink, MemberStore, MemberWrite } from '../../src/members/index.ts'
import { type Kinds, memberOf, select, shapeOf } from '../support/shapes.ts'
import { type Open, STORES } from '../support/stores.ts'

const KINDS: Kinds = { next: 'text', also: 'text' }
const SHAPES = [shapeOf('Page', KINDS), shapeOf('Other', KINDS)]

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(openStore: Open): void {
  const open = async (t: Parameters<Open>[0]): Promise<MemberStore> => (await openStore(t, SHAPES)).members

  const textOf = ({ toId, fromClass, property, fromId }: IndexedLink) =>
    `${fromClass}/${fromId} ${property} ${toId}`

  test('the links to several members are read page by page, each once and in order', async (t) => {
    const store = await open(t)
    for (const id of ['a', 'b', 'c']) await store.add('Page', memberOf(KINDS, id, {}))
    for (const id of ['x', 'y', 'z'])
      for (const className of ['Page', 'Other'])
        await store.add(
          className,
          memberOf(KINDS, id, { next: 'Page/b', also: id === 'y' ? 'Page/c' : 'Page/a' }),
        )
    const all = (await store.linksTo('Page', ['c', 'a', 'none', 'b'], 100)).links.map(textOf)
    assert.deepEqual(all, [
      ...['Other/y also c', 'Page/y also c'],
      ...['Other/x also a', 'Other/z also a', 'Page/x also a', 'Page/z also a'],
      ...['Other/x next b', 'Other/y next b', 'Other/z next b'],
      ...['Page/x next b', 'Page/y next b', 'Page/z next b'],
    ])
    for (const limit of [1, 2, 3, 4, 5, 11, 12]) {
      const found: string[] = []
      let ids = ['c', 'a', 'none', 'b']
      for (let after: IndexedLink | undefined, isFirst = true; isFirst || after; isFirst = false) {
        const page = await store.linksTo('Page', ids, limit, after)
        assert.ok(page.links.length <= limit)
        found.push(...page.links.map(textOf))
        after = page.next
        if (after !== undefined) ids = ids.slice(ids.indexOf(after.toId))
      }
      assert.deepEqual(found, all, `${limit} a page`)
    }
    assert.deepEqual(await store.linksTo('Other', ['a'], 10), { links: [], next: undefined })
  })

  test('the version and the owner of members are found without their text', async (t) => {
    const store = await open(t)
    for (const id of ['a', 'b'])
      await store.add('Page', { ...memberOf(KINDS, id, {}), owner: id === 'a' ? 7 : undefined })
    const found = [...(await store.findHeads('Page', ['b', 'none', 'a']))]
    const versions = await Promise.all(['a', 'b'].map(async (id) => (await store.find('Page', id))?.version))
    assert.deepEqual(
      found.sort((one, other) => (one.id < other.id ? -1 : 1)),
      [
        { id: 'a', version: versions[0], owner: 7 },
        { id: 'b', version: versions[1], owner: undefined },
      ],
    )
  })

  const unlink = (id: string): MemberWrite => ({ kind: 'unlink', className: 'Page', id })
  const remove = (id: string): MemberWrite => ({
    ...{ kind: 'remove', className: 'Page', id, expected: undefined, owner: undefined, actor: undefined },
  })

  test('members that link in a circle are removed together, and never where another one links to them', async (t) => {
    const store = await open(t)
    for (const id of ['a', 'b', 'c']) await store.add('Page', memberOf(KINDS, id, {}))
    const circle = { a: 'b', b: 'c', c: 'a' }
    for (const [id, to] of Object.entries(circle))
      await store.change('Page', id, undefined, () => memberOf(KINDS, id, { next: `Page/${to}` }))
    const writes = [...['a', 'b', 'c'].map(unlink), ...['a', 'b', 'c'].map(remove)]
    assert.equal((await store.writeAll(['a', 'b', 'c'].map(remove))).at(-1)?.outcome, 'linked')
    await store.add('Other', memberOf(KINDS, 'x', { next: 'Page/c' }))
    const refused = (await store.writeAll(writes)).at(-1)
    assert.ok(refused?.outcome === 'linked')
    assert.deepEqual(
      refused.from.map(({ className, id }) => `${className} ${id}`),
      ['Other x'],
    )
    // All was rolled back, the links among them as well.
    const left = (await store.linksTo('Page', ['a', 'b', 'c'], 10)).links.map(textOf)
    assert.deepEqual(left, ['Page/c next a', 'Page/a next b', 'Other/x next c', 'Page/b next c'])
    await store.remove('Other', 'x', undefined)
    const outcomes = await store.writeAll(writes)
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      [...Array(3).fill('unlinked'), ...Array(3).fill('removed')],
    )
    assert.equal((await store.list('Page', select())).total, 0)
    assert.deepEqual((await store.linksTo('Page', ['a', 'b', 'c'], 10)).links, [])
  })
}
