import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MemberStore, MemberWrite } from '../../src/store/index.ts'
import { type Kinds, memberOf, select, shapeOf, type Values, writtenOf } from './shapes.ts'
import { type Open, STORES } from './stores.ts'

const KINDS: Kinds = { isbn: 'unique', title: 'text', tags: 'texts', author: 'text' }
const SHAPES = ['Author', 'Book'].map((name) => shapeOf(name, KINDS))

const add = (id: string, values: Values = {}, className = 'Book'): MemberWrite => ({
  kind: 'add',
  className,
  member: memberOf(KINDS, id, values),
})
const change = (id: string, values: Values, expected?: number): MemberWrite => ({
  ...{ kind: 'change', className: 'Book', id, expected },
  written: writtenOf(KINDS, values),
})
const remove = (id: string, expected?: readonly number[], className = 'Book'): MemberWrite => ({
  ...{ kind: 'remove', className, id, expected, owner: undefined },
})

const contents = async (store: MemberStore) => {
  const { members, total } = await store.list('Book', select())
  return { total, members: members.map(({ id, body }) => `${id} ${body}`) }
}

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(openStore: Open): void {
  const open = async (t: Parameters<Open>[0]): Promise<MemberStore> => {
    const store = (await openStore(t, SHAPES)).members
    for (const id of ['a', 'b', 'c']) await store.add('Book', memberOf(KINDS, id, { isbn: id }))
    return store
  }

  test('many writes are carried out together, each on what those before it leave', async (t) => {
    const store = await open(t)
    const version = (await store.find('Book', 'a'))?.version
    const outcomes = await store.writeAll([
      add('ann', {}, 'Author'),
      add('d', { author: 'Author/ann', title: 'new' }),
      change('d', { author: 'Author/ann', title: 'newer', isbn: 'd' }),
      change('a', { isbn: 'x' }, version),
      change('b', { isbn: 'a' }),
      change('a', { isbn: 'b' }),
      remove('c'),
      remove('d'),
      remove('ann', undefined, 'Author'),
    ])
    const done = [
      'added',
      'added',
      'changed',
      'changed',
      'changed',
      'changed',
      'removed',
      'removed',
      'removed',
    ]
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      done,
    )
    assert.deepEqual(await contents(store), { total: 2, members: ['a ,"isbn":"b"', 'b ,"isbn":"a"'] })
    const last = outcomes[5]
    assert.ok(last?.outcome === 'changed' && 'version' in last)
    assert.equal((await store.find('Book', 'a'))?.version, last.version)
  })

  const REFUSED: readonly [what: string, write: MemberWrite, outcome: object][] = [
    ['an id that is taken', add('a'), { outcome: 'exists' }],
    [
      'a unique value that is taken',
      change('b', { isbn: 'c' }),
      { outcome: 'refused', dangling: [], taken: ['isbn'] },
    ],
    ['nothing to change', change('none', {}), { outcome: 'missing' }],
    ['nothing to remove', remove('none'), { outcome: 'missing' }],
    ['another version', change('b', {}, 99), { outcome: 'stale' }],
    ['another version of what is to go', remove('b', [99]), { outcome: 'stale' }],
    ['a member that others link to', remove('ann', undefined, 'Author'), { outcome: 'linked' }],
    ['a link to nothing', change('b', { author: 'Author/none' }), { outcome: 'refused' }],
  ]

  test('where one is not carried out nothing is, and no neighbour suffers', async (t) => {
    const store = await open(t)
    await store.add('Author', memberOf(KINDS, 'ann'))
    await store.add('Book', memberOf(KINDS, 'of-ann', { author: 'Author/ann' }))
    let expected = await contents(store)
    for (const [what, write, outcome] of REFUSED) {
      const [outcomes, neighbour] = await Promise.all([
        // Behind it stands what would take the reason away.
        store.writeAll([
          add('new'),
          change('a', { isbn: 'y' }),
          write,
          change('c', { isbn: 'z' }),
          remove('of-ann'),
        ]),
        store.add('Book', memberOf(KINDS, `beside ${what}`)),
      ])
      assert.equal(neighbour.outcome, 'added')
      const members = [...expected.members, `beside ${what} `]
      expected = { total: members.length, members }
      assert.deepEqual(
        outcomes.map((one) => one.outcome),
        ['added', 'changed', 'outcome' in outcome && outcome.outcome],
        what,
      )
      assert.partialDeepStrictEqual(outcomes[2], outcome, what)
      assert.deepEqual(await contents(store), expected, what)
    }
  })

  test('two that write the same members in opposite orders are both carried out', async (t) => {
    const store = await open(t)
    const rounds = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? ['a', 'b', 'c'] : ['c', 'b', 'a'],
    )
    const all = await Promise.all(
      rounds.map((ids, index) => store.writeAll(ids.map((id) => change(id, { title: String(index) })))),
    )
    assert.ok(all.flat().every(({ outcome }) => outcome === 'changed'))
    const { members } = await contents(store)
    assert.equal(new Set(members.map((text) => text.slice(2))).size, 1, String(members))
  })
}
