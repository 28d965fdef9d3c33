import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { HttpError } from '../../src/api/index.ts'
import type { MemberName, MemberStore, MemberWrite } from '../../src/members/index.ts'
import { type Kinds, memberOf, select, shapeOf, type Values, writtenOf } from '../support/shapes.ts'
import { newSqlite, type Open, openFor, SHARED_STORES, STORES } from '../support/stores.ts'

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
  ...{ kind: 'remove', className, id, expected, owner: undefined, actor: undefined },
})

const named = (...ids: string[]): MemberName[] => ids.map((id) => ({ className: 'Book', id }))

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

  test('members that are locked stay as they are until what was computed from them is written', async (t) => {
    const store = await open(t)
    const read = async () => (await store.find('Book', 'a'))?.version
    let other: Promise<unknown> | undefined
    const outcomes = await store.writeAllLocked(named('a', 'b', 'a', 'none'), async () => {
      const version = await read()
      // Begun while this one has the lock, and of the same process.
      other ??= store.change('Book', 'a', undefined, () => writtenOf(KINDS, { title: 'other' }))
      await wait(20)
      assert.equal(await read(), version)
      return [change('a', { title: 'first' }, version), change('b', { title: 'first' }), add('d')]
    })
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['changed', 'changed', 'added'],
    )
    await other
    assert.match((await store.find('Book', 'a'))?.body ?? '', /other/)
  })

  test('where computing fails under locks nothing is written, and the locks are released', async (t) => {
    const store = await open(t)
    const before = await contents(store)
    const failing = store.writeAllLocked(named('a'), async () => {
      throw new HttpError(404, 'gone')
    })
    await assert.rejects(failing, { status: 404 })
    assert.deepEqual(await contents(store), before)
    const changed = await store.change('Book', 'a', undefined, () => writtenOf(KINDS, { title: 'x' }))
    assert.equal(changed.outcome, 'changed')
  })
}

for (const { name, newDatabase } of SHARED_STORES)
  test(`${name}: members that are locked are written, however fast the writers of another host are`, async (t) => {
    const url = newDatabase(t)
    const [own, other] = [await openFor(t, url, SHAPES), await openFor(t, url, SHAPES)]
    await own.members.add('Book', memberOf(KINDS, 'a'))
    let isOver = false
    const rival = async () => {
      while (!isOver)
        await other.members.change('Book', 'a', undefined, () => writtenOf(KINDS, { title: 'other' }))
    }
    const rivals = Promise.all([rival(), rival()])
    for (let round = 0; round < 10; round++) {
      const outcomes = await own.members.writeAllLocked(named('a'), async () => {
        const version = (await own.members.find('Book', 'a'))?.version
        return [change('a', { title: 'own' }, version)]
      })
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        ['changed'],
      )
    }
    isOver = true
    await rivals
  })

test('SQLite: what another process changes while it is computed under locks is computed again', async (t) => {
  const url = newSqlite(t)
  const [own, other] = [await openFor(t, url, SHAPES), await openFor(t, url, SHAPES)]
  await own.members.add('Book', memberOf(KINDS, 'a'))
  let calls = 0
  const outcomes = await own.members.writeAllLocked(named('a'), async () => {
    const version = (await own.members.find('Book', 'a'))?.version
    if (calls++ === 0)
      await other.members.change('Book', 'a', undefined, () => writtenOf(KINDS, { title: 'other' }))
    return [change('a', { title: 'own' }, version)]
  })
  assert.deepEqual([outcomes[0]?.outcome, calls], ['changed', 2])
})

for (const { name, newDatabase } of SHARED_STORES)
  test(`${name}: a change by links that another host removes with their targets is computed anew`, async (t) => {
    const url = newDatabase(t)
    const [own, other] = [await openFor(t, url, SHAPES), await openFor(t, url, SHAPES)]
    await own.members.add('Author', memberOf(KINDS, 'ann'))
    await own.members.add('Book', memberOf(KINDS, 'a', { author: 'Author/ann' }))
    const isRead = Promise.withResolvers<void>()
    let changing: Promise<{ readonly outcome: string }> | undefined
    await other.members.writeAllLocked(named('a'), async () => {
      changing ??= own.members.change('Book', 'a', undefined, ({ body }) => {
        isRead.resolve()
        return writtenOf(KINDS, { title: 'own', ...(body.includes('ann') && { author: 'Author/ann' }) })
      })
      await isRead.promise
      // Time for its statement to arrive, which waits for the lock.
      await wait(50)
      return [change('a', {}), remove('ann', undefined, 'Author')]
    })
    assert.equal((await changing)?.outcome, 'changed')
  })
