import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { MemberStore, Page, PageStart, Selection } from '../../src/members/index.ts'
import { type Kinds, memberOf, select, shapeOf, writtenOf } from '../support/shapes.ts'
import { type Open, STORES } from '../support/stores.ts'

const KINDS: Kinds = { rank: 'number', group: 'text', tags: 'texts', note: 'text' }

/** Many equals, and some without a value. */
const valuesOf = (index: number) => ({
  ...(index % 7 === 0 ? {} : { rank: index % 5 }),
  group: index % 2 === 0 ? 'even' : 'odd',
  tags: index % 3 === 0 ? ['a', 'b'] : ['b', 'c'],
  note: 'steady',
})

const WALKS: Readonly<Record<string, Partial<Selection>>> = {
  'in the order of creation': {},
  'by an order': { order: [{ property: 'rank', descending: false }] },
  'by an order downwards': { order: [{ property: 'rank', descending: true }] },
  'by a filter': { filters: [{ property: 'group', test: 'in', keys: ['odd'] }] },
  'by any of many values': {
    filters: [{ property: 'tags', test: 'in', keys: ['a', 'b'] }],
    order: [{ property: 'tags', descending: false }],
  },
  'by a range of many values': {
    filters: [{ property: 'tags', test: 'range', from: { key: 'b', inclusive: true } }],
    order: [{ property: 'tags', descending: false }],
  },
  'by words': { words: ['odd'] },
  'by a combination': {
    filters: [
      { property: 'group', test: 'in', keys: ['odd'] },
      { property: 'rank', test: 'range', from: { key: 2, inclusive: true } },
    ],
    order: [{ property: 'rank', descending: true }],
  },
  'by what no index has': { filters: [{ property: 'group', test: 'contains', text: 'od' }] },
}

for (const { name, open } of STORES) describe(name, () => suite(open))

/** hypermedia.md, Paging: what exists during the walk, and does not change its values, is visited exactly once. */
function suite(openStore: Open): void {
  // contract: Walking `next` by cursor visits every member
  test('a walk forwards visits each steady member once while others come, go and change', (t) =>
    walkEveryWay(t, openStore, 'forwards'))

  test('a walk backwards visits each steady member once while others come, go and change', (t) =>
    walkEveryWay(t, openStore, 'backwards'))
}

type Direction = 'forwards' | 'backwards'

async function walkEveryWay(t: TestContext, openStore: Open, direction: Direction): Promise<void> {
  const { members: store } = await openStore(t, [shapeOf('Thing', KINDS)])
  for (const [way, chosen] of Object.entries(WALKS)) {
    await t.test(way, async () => {
      const steady = await fill(store)
      const selection = select({ ...chosen, limit: 4 })
      const all = await store.list('Thing', { ...selection, limit: 1_000 })
      const expected = all.members.map(({ id }) => id).filter((id) => steady.has(id))
      const visited = await walk(store, selection, direction, (step) => disturb(store, step))
      const seen = visited.filter((id) => steady.has(id))
      assert.deepEqual(seen.toSorted(), expected.toSorted())
      await empty(store)
    })
  }
}

/** Members that stay, and between them as many that will not. */
async function fill(store: MemberStore): Promise<Set<string>> {
  const ids = Array.from({ length: 60 }, (_, index) => `${index % 2 === 0 ? 's' : 'x'}${index}`)
  await store.addAll(
    ids.map((id, index) => ({ className: 'Thing', member: memberOf(KINDS, id, valuesOf(index >> 1)) })),
  )
  return new Set(ids.filter((id) => id.startsWith('s')))
}

/** Removes one, changes another, adds a third, and writes a steady one anew with the values that it has. */
async function disturb(store: MemberStore, step: number): Promise<void> {
  await store.remove('Thing', `x${4 * step + 1}`, undefined)
  await store.change('Thing', `x${4 * step + 3}`, undefined, () => writtenOf(KINDS, valuesOf(step + 2)))
  await store.add('Thing', memberOf(KINDS, `n${step}`, valuesOf(step)))
  await store.change('Thing', `s${2 * step}`, undefined, () => ({
    ...writtenOf(KINDS, valuesOf(step)),
    body: ',"note":"rewritten"',
  }))
}

async function walk(
  store: MemberStore,
  selection: Selection,
  direction: Direction,
  between: (step: number) => Promise<void>,
): Promise<string[]> {
  const visited: string[] = []
  let start: PageStart =
    direction === 'forwards' ? { at: 'offset', offset: 0 } : { at: 'before', position: 'end' }
  for (let step = 0; step < 100; step += 1) {
    const page: Page = await store.list('Thing', { ...selection, start })
    visited.push(...page.members.map(({ id }) => id))
    if (!page.more || page.edges === undefined) return visited
    const { first, last } = page.edges
    start = direction === 'forwards' ? { at: 'after', position: last } : { at: 'before', position: first }
    await between(step)
  }
  assert.fail('the walk has no end')
}

async function empty(store: MemberStore): Promise<void> {
  const { members } = await store.list('Thing', select({ limit: 1_000 }))
  await Promise.all(members.map(({ id }) => store.remove('Thing', id, undefined)))
}
