import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { beginningWith } from '../../src/api/query/filters.ts'
import type { Filter, Page, Selection, Start } from '../../src/store/store.ts'
import { type Kinds, memberOf, select, shapeOf, type Values } from './shapes.ts'
import { type Open, STORES } from './stores.ts'

const KINDS: Kinds = { name: 'text', tags: 'texts' }

/** More than an index of PostgreSQL holds of a text; a character of four bytes counts as one. */
const HEAD = `${'a'.repeat(499)}\u{1f40e}`
const MEMBERS: Readonly<Record<string, Values>> = {
  head: { name: HEAD, tags: [HEAD] },
  one: { name: `${HEAD}1 needle`, tags: [`${HEAD}1`, 'z'] },
  two: { name: `${HEAD}2`, tags: [`${HEAD}2`] },
  three: { name: `${HEAD}3${'w'.repeat(600)}`, tags: ['A', `${HEAD}3`] },
  before: { name: `${'a'.repeat(500)}`, tags: ['a'] },
  behind: { name: 'b', tags: ['b'] },
  none: {},
}

const on = (property: string, filter: object): Filter => ({ property, ...filter }) as Filter
const bound = (end: string, inclusive: boolean) => ({ key: HEAD + end, inclusive })

interface Case {
  readonly rule: string
  readonly selection: Partial<Selection>
  /** In the order of creation: among those that share a long beginning, the order is the store's own. */
  readonly ids: string
}

const CASES: readonly Case[] = [
  {
    rule: 'equal',
    selection: { filters: [on('name', { test: 'in', keys: [`${HEAD}2`, HEAD] })] },
    ids: 'head two',
  },
  {
    rule: 'equal to nothing that begins alike',
    selection: { filters: [on('name', { test: 'in', keys: [`${HEAD}4`] })] },
    ids: '',
  },
  {
    rule: 'not equal',
    selection: { filters: [on('name', { test: 'not', key: `${HEAD}2` })] },
    ids: 'head one three before behind',
  },
  {
    rule: 'from a long text on',
    selection: { filters: [on('name', { test: 'range', from: bound('2', true) })] },
    ids: 'two three behind',
  },
  {
    rule: 'beyond a long text',
    selection: { filters: [on('name', { test: 'range', from: bound('2', false) })] },
    ids: 'three behind',
  },
  {
    rule: 'up to a long text',
    selection: { filters: [on('name', { test: 'range', to: bound('2', true) })] },
    ids: 'head one two before',
  },
  {
    rule: 'below a long text',
    selection: { filters: [on('name', { test: 'range', to: bound('2', false) })] },
    ids: 'head one before',
  },
  {
    rule: 'between long texts, in the order of the property',
    selection: {
      filters: [on('name', { test: 'range', from: bound('2', true), to: bound('3', false) })],
      order: [{ property: 'name', descending: true }],
    },
    ids: 'two',
  },
  {
    rule: 'what begins with a long text',
    selection: { filters: [on('name', { test: 'range', ...beginningWith(`${HEAD}3w`) })] },
    ids: 'three',
  },
  {
    rule: 'what begins with exactly as much as an index holds',
    selection: { filters: [on('name', { test: 'range', ...beginningWith(HEAD) })] },
    ids: 'head one two three',
  },
  {
    rule: 'contains, far behind the beginning',
    selection: { filters: [on('name', { test: 'contains', text: '1 needle' })] },
    ids: 'one',
  },
  { rule: 'a long word', selection: { words: [`3${'w'.repeat(600)}`] }, ids: 'three' },
  { rule: 'a long word that is not there', selection: { words: [`3${'w'.repeat(599)}`] }, ids: '' },
  {
    rule: 'of many values, equal',
    selection: { filters: [on('tags', { test: 'in', keys: [`${HEAD}1`, `${HEAD}3`] })] },
    ids: 'one three',
  },
  {
    rule: 'of many values, a range in its order',
    selection: {
      filters: [on('tags', { test: 'range', from: bound('2', false), to: { key: 'b', inclusive: false } })],
      order: [{ property: 'tags', descending: false }],
    },
    ids: 'three',
  },
  {
    rule: 'equal to a text with U+0000, or to another',
    selection: { filters: [on('name', { test: 'in', keys: ['b\0', 'b'] })] },
    ids: 'behind',
  },
  {
    rule: 'not equal to a text with U+0000',
    selection: { filters: [on('tags', { test: 'not', key: 'a\0' })] },
    ids: 'head one two three before behind',
  },
  {
    rule: 'contains U+0000',
    selection: { filters: [on('name', { test: 'contains', text: 'a\0' })] },
    ids: '',
  },
  {
    rule: 'from U+0000 behind a text on',
    selection: { filters: [on('name', { test: 'range', from: { key: 'b\0', inclusive: true } })] },
    ids: '',
  },
  {
    rule: 'up to U+0000 behind a text',
    selection: {
      filters: [
        on('name', {
          test: 'range',
          from: { key: 'b', inclusive: true },
          to: { key: 'b\0c', inclusive: false },
        }),
      ],
    },
    ids: 'behind',
  },
]

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(openStore: Open): void {
  async function openFilled(t: Parameters<Open>[0]) {
    const { members } = await openStore(t, [shapeOf('Thing', KINDS)])
    await members.addAll(
      Object.entries(MEMBERS).map(([id, values]) => ({
        className: 'Thing',
        member: memberOf(KINDS, id, values),
      })),
    )
    return members
  }

  test('long texts and U+0000 are compared exactly', async (t) => {
    const members = await openFilled(t)
    const places = new Map(Object.keys(MEMBERS).map((id, index) => [id, index]))
    for (const { rule, selection, ids } of CASES) {
      await t.test(rule, async () => {
        const page = await members.list('Thing', select(selection))
        const found = page.members.map(({ id }) => id)
        const inOrder = found.toSorted((left, right) => (places.get(left) ?? 0) - (places.get(right) ?? 0))
        assert.equal(inOrder.join(' '), ids)
        assert.equal(page.total, found.length)
      })
    }
  })

  test('an id with U+0000 is nobody', async (t) => {
    const members = await openFilled(t)
    assert.equal(await members.find('Thing', 'one\0'), undefined)
  })

  test('a walk visits each of those that share a long beginning once, from whole keys', async (t) => {
    const members = await openFilled(t)
    const orders: Partial<Selection>[] = [false, true].map((descending) => ({
      order: [{ property: 'name', descending }],
    }))
    const range: Partial<Selection> = {
      filters: [on('tags', { test: 'range', from: { key: 'A', inclusive: true } })],
      order: [{ property: 'tags', descending: false }],
    }
    for (const chosen of [...orders, range]) {
      const selection = select({ ...chosen, limit: 1 })
      const all = (await members.list('Thing', { ...selection, limit: 10 })).members.map(({ id }) => id)
      assert.equal(all.length, chosen === range ? 6 : 7)
      const forwards: string[] = []
      const keys: unknown[] = []
      for (let start: Start = { at: 'offset', offset: 0 }; ; ) {
        const page: Page = await members.list('Thing', { ...selection, start })
        forwards.push(...page.members.map(({ id }) => id))
        keys.push(page.edges?.last.keys[0])
        if (!page.more || page.edges === undefined) break
        start = { at: 'after', position: page.edges.last }
      }
      assert.deepEqual(forwards, all)
      if (chosen !== range)
        assert.deepEqual(
          keys,
          all.map((id) => MEMBERS[id]?.name ?? null),
        )
      const backwards: string[] = []
      for (let start: Start = { at: 'before', position: 'end' }; ; ) {
        const page: Page = await members.list('Thing', { ...selection, start })
        backwards.unshift(...page.members.map(({ id }) => id))
        if (!page.more || page.edges === undefined) break
        start = { at: 'before', position: page.edges.first }
      }
      assert.deepEqual(backwards, all)
    }
  })
}
