import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Bounds, Filter, Selection } from '../../src/members/index.ts'
import { type Kinds, memberOf, select, shapeOf, type Values } from '../support/shapes.ts'
import { type Open, SEARCHED_STORES } from '../support/stores.ts'
import { HEAD } from './random-selections.ts'

const KINDS: Kinds = { name: 'text', tags: 'texts' }

const MEMBERS: Readonly<Record<string, Values>> = {
  head: { name: HEAD, tags: [HEAD] },
  one: { name: `${HEAD}1 needle`, tags: [`${HEAD}1`, 'z'] },
  two: { name: `${HEAD}2`, tags: [`${HEAD}2`] },
  three: { name: `${HEAD}3${'w'.repeat(600)}`, tags: ['A', `${HEAD}3`] },
  before: { name: 'a'.repeat(200), tags: ['a'] },
  behind: { name: 'b', tags: ['b'] },
  none: {},
}

const from = (key: string, inclusive = true) => ({ from: { key, inclusive } })
const to = (key: string, inclusive = true) => ({ to: { key, inclusive } })
/** The least text after all that begin with HEAD. */
const AFTER_HEAD = `${'a'.repeat(199)}\u{10401}`
const by = (property: string, descending = false): Partial<Selection> => ({
  order: [{ property, descending }],
})
const rangeOf = (property: string, bounds: Bounds): Filter => ({ property, test: 'range', ...bounds })
const where = (...filters: Filter[]): Partial<Selection> => ({ filters })

/** selection-random.test.ts has them at random; these say which texts there are. */
const CASES: readonly [rule: string, selection: Partial<Selection>, ids: string][] = [
  // Of those that share 200 characters, by a digest that is the same on every store and at all times.
  ['in order', by('name'), 'before head one three two behind none'],
  ['in order, backwards', by('name', true), 'behind two three one head before none'],
  [
    'of many values, in the order of the least that match',
    { ...where(rangeOf('tags', from('A', false))), ...by('tags') },
    'head three one two behind',
  ],
  [
    'between long texts',
    { ...where(rangeOf('name', { ...from(`${HEAD}2`), ...to(`${HEAD}3`, false) })), ...by('name') },
    'two',
  ],
  [
    'up to the longest text that is not cut',
    { ...where(rangeOf('name', to(HEAD))), ...by('name') },
    'before head',
  ],
  ['beyond it', { ...where(rangeOf('name', from(HEAD, false))), ...by('name') }, 'one three two behind'],
  [
    'what begins with a long text',
    { ...where(rangeOf('name', { ...from(`${HEAD}3w`), ...to(`${HEAD}3x`, false) })), ...by('name') },
    'three',
  ],
  [
    'what begins with as much as an index holds',
    { ...where(rangeOf('name', { ...from(HEAD), ...to(AFTER_HEAD, false) })), ...by('name') },
    'head one three two',
  ],
  [
    'contains, far behind the beginning',
    where({ property: 'name', test: 'contains', text: '1 needle' }),
    'one',
  ],
  [
    'equal to a text with U+0000, or to another',
    where({ property: 'name', test: 'in', keys: ['b\0', 'b'] }),
    'behind',
  ],
  [
    'not equal to a text with U+0000',
    where({ property: 'tags', test: 'not', key: 'a\0' }),
    'head one two three before behind',
  ],
  ['contains U+0000', where({ property: 'name', test: 'contains', text: 'a\0' }), ''],
  ['from U+0000 behind a text on', where(rangeOf('name', from('b\0'))), ''],
  ['up to U+0000 behind a text', where(rangeOf('name', { ...from('b'), ...to('b\0c', false) })), 'behind'],
  [
    'up to U+0000 behind a long text',
    { ...where(rangeOf('name', to(`${HEAD}2\0`, false))), ...by('name') },
    'before head one two',
  ],
]

for (const { name, open } of SEARCHED_STORES) describe(name, () => suite(open))

function suite(openStore: Open): void {
  // contract: What a value means is the same on both stores
  test('long texts and U+0000 are compared exactly, and sorted alike on every store', async (t) => {
    const { members } = await openStore(t, [shapeOf('Thing', KINDS)])
    await members.addAll(
      Object.entries(MEMBERS).map(([id, values]) => ({
        className: 'Thing',
        member: memberOf(KINDS, id, values),
      })),
    )
    for (const [rule, selection, ids] of CASES) {
      await t.test(rule, async () => {
        const page = await members.list('Thing', select(selection))
        const found = page.members.map(({ id }) => id)
        assert.equal(found.join(' '), ids)
        assert.equal(page.total, found.length)
      })
    }
    assert.equal(await members.find('Thing', 'one\0'), undefined)
  })
}
