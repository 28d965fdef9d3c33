import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Filter, Selection } from '../../src/members/index.ts'
import { type Kinds, memberOf, select, shapeOf, type Values } from '../support/shapes.ts'
import { type Open, SEARCHED_STORES } from '../support/stores.ts'

const KINDS: Kinds = { name: 'text', size: 'number', tags: 'texts', marks: 'numbers' }

const MEMBERS: Readonly<Record<string, Values>> = {
  none: {},
  horse: { name: '\u{1f40e}', size: 2, tags: ['b', 'a'], marks: [3, 1] },
  wide: { name: '\ufffd', size: 10, tags: ['B'] },
  lower: { name: 'a', size: -1.5, tags: ['c', 'ab'], marks: [2] },
  upper: { name: 'Z', size: 2, marks: [10, 2] },
  empty: { name: '', size: 0 },
  street: { name: 'Lange Straße', size: 9_007_199_254_740_991, tags: ['Straße'] },
}

const name = (filter: object): Filter => ({ property: 'name', ...filter }) as Filter
const size = (filter: object): Filter => ({ property: 'size', ...filter }) as Filter
const tags = (filter: object): Filter => ({ property: 'tags', ...filter }) as Filter
const marks = (filter: object): Filter => ({ property: 'marks', ...filter }) as Filter
const from = (key: string | number, inclusive = true) => ({ test: 'range', from: { key, inclusive } })
const to = (key: string | number, inclusive = true) => ({ test: 'range', to: { key, inclusive } })
const by = (property: string, descending = false) => ({ order: [{ property, descending }] })

interface Case {
  readonly rule: string
  readonly selection: Partial<Selection>
  readonly ids: string
}

const CASES: readonly Case[] = [
  {
    rule: 'text is in the order of its folded characters, an astral one behind all others; without it last',
    selection: by('name'),
    ids: 'empty lower street upper wide horse none',
  },
  {
    rule: 'descending, who has no value is last all the same',
    selection: by('name', true),
    ids: 'horse wide upper street lower empty none',
  },
  {
    rule: 'numbers are in the order of their size, equals in the order of creation',
    selection: by('size'),
    ids: 'lower empty horse upper wide street none',
  },
  {
    rule: 'descending, equals are in the order of creation backwards',
    selection: by('size', true),
    ids: 'street wide upper horse empty lower none',
  },
  {
    rule: 'a second order decides between equals of the first',
    selection: {
      order: [
        { property: 'size', descending: false },
        { property: 'name', descending: false },
      ],
    },
    ids: 'lower empty upper horse wide street none',
  },
  {
    rule: 'equal text is equal in case',
    selection: { filters: [name({ test: 'in', keys: ['A'] })] },
    ids: '',
  },
  {
    rule: 'the empty text is a value',
    selection: { filters: [name({ test: 'in', keys: [''] })] },
    ids: 'empty',
  },
  {
    rule: 'any of several keys, in the order of creation',
    selection: { filters: [name({ test: 'in', keys: ['a', '\ufffd', 'nowhere'] })] },
    ids: 'wide lower',
  },
  {
    rule: 'any of several keys, in their order',
    selection: { filters: [name({ test: 'in', keys: ['\ufffd', 'a', '\u{1f40e}', 'a'] })], ...by('name') },
    ids: 'lower wide horse',
  },
  { rule: 'of no keys there is none', selection: { filters: [name({ test: 'in', keys: [] })] }, ids: '' },
  {
    rule: 'a range of text is one of code points',
    selection: { filters: [name(from('\ufffd', false))], ...by('name') },
    ids: 'horse',
  },
  {
    rule: 'a range without lower end leaves out who has no value',
    selection: { filters: [size(to(0))], ...by('size') },
    ids: 'lower empty',
  },
  {
    rule: 'a range has two ends, each in or out',
    selection: {
      filters: [
        size({ test: 'range', from: { key: 2, inclusive: true }, to: { key: 10, inclusive: false } }),
      ],
      ...by('size'),
    },
    ids: 'horse upper',
  },
  {
    rule: 'a range that is turned round is empty',
    selection: {
      filters: [size({ test: 'range', from: { key: 10, inclusive: true }, to: { key: 2, inclusive: true } })],
      ...by('size'),
    },
    ids: '',
  },
  {
    rule: 'the largest exact number is told from its neighbour',
    selection: { filters: [size({ test: 'in', keys: [9_007_199_254_740_990] })] },
    ids: '',
  },
  {
    rule: 'another value than this one: who has none is not meant',
    selection: { filters: [size({ test: 'not', key: 2 })] },
    ids: 'wide lower empty street',
  },
  {
    rule: 'who has a value',
    selection: { filters: [size({ test: 'exists', exists: true })], ...by('size') },
    ids: 'lower empty horse upper wide street',
  },
  { rule: 'who has none', selection: { filters: [name({ test: 'exists', exists: false })] }, ids: 'none' },
  {
    rule: 'contains is without regard to case, and ß is SS',
    selection: { filters: [name({ test: 'contains', text: 'strasse' })] },
    ids: 'street',
  },
  {
    rule: 'a sign that is a wildcard elsewhere is none here',
    selection: { filters: [name({ test: 'contains', text: '%' })] },
    ids: '',
  },
  {
    rule: 'of many values any matches',
    selection: { filters: [tags({ test: 'in', keys: ['a'] })] },
    ids: 'horse',
  },
  {
    rule: 'who matches by two values is there once, at the lesser',
    selection: { filters: [tags({ test: 'in', keys: ['b', 'a', 'ab'] })], ...by('tags') },
    ids: 'horse lower',
  },
  {
    rule: 'in a range of many values each stands at its least within the range',
    selection: { filters: [marks(from(2))], ...by('marks') },
    ids: 'lower upper horse',
  },
  {
    rule: 'in a range of many values each stands at its least, backwards too',
    selection: { filters: [marks(from(2))], ...by('marks', true) },
    ids: 'horse upper lower',
  },
  {
    rule: 'who has any of many values stands at the least of all',
    selection: { filters: [marks({ test: 'exists', exists: true })], ...by('marks') },
    ids: 'horse lower upper',
  },
  {
    rule: 'another value than this one, of many: one of them',
    selection: { filters: [marks({ test: 'not', key: 2 })] },
    ids: 'horse upper',
  },
  {
    rule: 'who has none of many',
    selection: { filters: [tags({ test: 'exists', exists: false })] },
    ids: 'none upper empty',
  },
  {
    rule: 'contains looks into each of many',
    selection: { filters: [tags({ test: 'contains', text: 'b' })] },
    ids: 'horse wide lower',
  },
  { rule: 'a word is found in whatever text it is', selection: { words: ['strasse'] }, ids: 'street' },
  { rule: 'all words must be there', selection: { words: ['lange', 'strasse'] }, ids: 'street' },
  { rule: 'half a word is no word', selection: { words: ['lang'] }, ids: '' },
  {
    rule: 'filters are joined by and',
    selection: { filters: [size({ test: 'in', keys: [2] }), tags({ test: 'in', keys: ['b'] })] },
    ids: 'horse',
  },
  {
    rule: 'filters and words are joined by and',
    selection: { filters: [size({ test: 'in', keys: [2, 10] })], words: ['z'] },
    ids: 'upper',
  },
  {
    rule: 'two filters on one of many values may be met by two of them',
    selection: { filters: [marks({ test: 'in', keys: [10] }), marks(to(2))] },
    ids: 'upper',
  },
]

for (const { name: store, open } of SEARCHED_STORES) describe(store, () => suite(open))

function suite(openStore: Open): void {
  test('what is listed, and in which order', async (t) => {
    const { members } = await openStore(t, [shapeOf('Thing', KINDS)])
    await members.addAll(
      Object.entries(MEMBERS).map(([id, values]) => ({
        className: 'Thing',
        member: memberOf(KINDS, id, values),
      })),
    )
    for (const { rule, selection, ids } of CASES) {
      await t.test(rule, async () => {
        const page = await members.list('Thing', select(selection))
        assert.equal(page.members.map(({ id }) => id).join(' '), ids)
        assert.equal(page.total, page.members.length)
        assert.equal(page.more, false)
      })
    }
  })

  test('of more than 1,000 matches the number is left out, unless it is asked for', async (t) => {
    const { members } = await openStore(t, [shapeOf('Thing', KINDS)])
    const add = (count: number, values: Values) =>
      members.addAll(
        Array.from({ length: count }, (_, index) => ({
          className: 'Thing',
          member: memberOf(KINDS, `${values.size}-${index}`, values),
        })),
      )
    await add(1_000, { size: 1, tags: ['x', 'y'] })
    await add(1_001, { size: 2, tags: ['x', 'z'] })
    const total = async (selection: Partial<Selection>) =>
      (await members.list('Thing', select({ limit: 1, ...selection }))).total
    const one = { filters: [size({ test: 'in', keys: [1] })] }
    const two = { filters: [size({ test: 'in', keys: [2] })] }
    const both = { filters: [tags({ test: 'in', keys: ['x', 'z'] })], ...by('tags') }
    assert.equal(await total({}), 2_001)
    assert.equal(await total(one), 1_000)
    assert.equal(await total(two), undefined)
    assert.equal(await total({ ...two, count: 'exact' }), 1_001)
    assert.equal(await total(both), undefined)
    assert.equal(await total({ ...both, count: 'exact' }), 2_001)
    assert.equal(await total({ ...two, start: { at: 'offset', offset: 1_000 }, limit: 5 }), undefined)
  })

  test('a property that the store keeps no key of is a fault of the program', async (t) => {
    const { members } = await openStore(t, [shapeOf('Thing', KINDS)])
    await assert.rejects(
      async () => members.list('Thing', select({ filters: [{ property: 'x', test: 'in', keys: ['a'] }] })),
      /was not opened with a key for x/,
    )
  })
}
