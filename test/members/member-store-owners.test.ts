import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isUnavailable } from '../../src/database/index.ts'
import type { Link, MemberStore, NewMember, Page, Selection, StoredMember } from '../../src/members/index.ts'
import { type Kinds, memberOf, select, shapeOf, type Values, writtenOf } from '../support/shapes.ts'
import { type Open, openFor, SHARED_STORES, STORES } from '../support/stores.ts'

const KINDS: Kinds = { isbn: 'unique', title: 'text' }
const SHAPES = ['Author', 'Book'].map((name) => shapeOf(name, KINDS))
const [ANN, BEN] = [1, 2]

const owned = (owner: number | undefined, id: string, values: Values = {}): NewMember => ({
  ...memberOf(KINDS, id, values),
  owner,
})

const linking = (owner: number | undefined, id: string, ...links: readonly Link[]): NewMember => ({
  ...owned(owner, id),
  links,
})

const toAuthor = (id: string, targetOwner?: number, property = 'author'): Link => ({
  ...{ property, className: 'Author', id, targetOwner },
})

const list = async (store: MemberStore, more: Partial<Selection> = {}): Promise<Page> =>
  store.list('Book', select(more))

/** The ids and the total of each owner. */
const listed = (store: MemberStore) =>
  Promise.all(
    [undefined, ANN, BEN].map(async (owner) => {
      const { members, total } = await list(store, { owner })
      return [members.map(({ id }) => id).join(' '), total]
    }),
  )

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(openStore: Open): void {
  const open = async (t: Parameters<Open>[0]): Promise<MemberStore> => (await openStore(t, SHAPES)).members

  test('a member has the owner that it was added with, whatever becomes of it', async (t) => {
    const store = await open(t)
    await store.add('Book', owned(ANN, 'a'))
    await store.add('Book', owned(undefined, 'n'))
    await store.addAll([
      { className: 'Book', member: owned(BEN, 'b') },
      { className: 'Book', member: owned(ANN, 'c') },
    ])
    const changed = await store.change('Book', 'a', undefined, ({ owner }) => {
      assert.equal(owner, ANN)
      return writtenOf(KINDS, { title: 'new' })
    })
    assert.ok(changed.outcome === 'changed')
    assert.equal(changed.member.owner, ANN)
    for (const [id, owner] of [
      ['a', ANN],
      ['n', undefined],
      ['b', BEN],
      ['c', ANN],
    ] as const)
      assert.equal((await store.find('Book', id))?.owner, owner, id)
    assert.deepEqual(
      (await list(store)).members.map(({ owner }) => owner),
      [ANN, undefined, BEN, ANN],
    )
    assert.deepEqual(await listed(store), [
      ['a n b c', 4],
      ['a c', 2],
      ['b', 1],
    ])
    assert.deepEqual((await list(store, { owner: ANN, words: ['new'] })).total, 1)
    assert.deepEqual((await list(store, { owner: BEN, words: ['new'] })).total, 0)
  })

  test('a member that must be of one owner is not removed where it is of another, or of none', async (t) => {
    const store = await open(t)
    await store.add('Book', owned(ANN, 'a'))
    await store.add('Book', owned(undefined, 'n'))
    for (const id of ['a', 'n', 'missing'])
      assert.deepEqual(await store.remove('Book', id, undefined, BEN), { outcome: 'missing' })
    assert.deepEqual(await store.remove('Book', 'a', [], ANN).then(({ outcome }) => outcome), 'stale')
    assert.deepEqual(await store.remove('Book', 'a', undefined, ANN), { outcome: 'removed' })
    assert.deepEqual(await store.remove('Book', 'n', undefined), { outcome: 'removed' })
    assert.deepEqual(await listed(store), [
      ['', 0],
      ['', 0],
      ['', 0],
    ])
  })

  test('the totals of owners count what was written, and nothing else', async (t) => {
    const store = await open(t)
    await store.add('Author', owned(ANN, 'other class'))
    await store.add('Book', owned(ANN, 'a', { isbn: '1' }))
    const outcomes = [
      await store.add('Book', owned(ANN, 'a')),
      await store.add('Book', owned(BEN, 'a')),
      await store.add('Book', owned(BEN, 'b', { isbn: '1' })),
      await store.add('Book', linking(BEN, 'b', toAuthor('nobody'))),
      ...(await store.addAll([
        { className: 'Book', member: owned(BEN, 'c') },
        { className: 'Book', member: owned(BEN, 'c') },
        { className: 'Book', member: owned(BEN, 'd', { isbn: '1' }) },
      ])),
      await store.remove('Book', 'a', []),
      await store.change('Book', 'a', [], () => writtenOf(KINDS, {})),
      await store.change('Book', 'a', undefined, () => writtenOf(KINDS, { isbn: '2' })),
    ]
    const expected = [
      'exists',
      'exists',
      'refused',
      'refused',
      'added',
      'exists',
      'refused',
      'stale',
      'stale',
    ]
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      [...expected, 'changed'],
    )
    await assert.rejects(
      store.change('Book', 'a', undefined, () => {
        throw new Error('not computed')
      }),
    )
    assert.deepEqual(await listed(store), [
      ['a c', 2],
      ['a', 1],
      ['c', 1],
    ])
  })

  test('a link that must lead to what the user may read leads to nothing elsewhere', async (t) => {
    const store = await open(t)
    for (const [id, owner] of [
      ['ann', ANN],
      ['ben', BEN],
      ['nobody', undefined],
    ] as const)
      await store.add('Author', owned(owner, id))
    const add = (...links: readonly Link[]) => store.add('Book', linking(ANN, 'one', ...links))
    const refused = (...dangling: readonly Link[]) => ({ outcome: 'refused', dangling, taken: [] })
    for (const link of [
      toAuthor('ben', ANN),
      toAuthor('nobody', ANN),
      toAuthor('missing', ANN),
      toAuthor('ann', 0),
      toAuthor('nobody', 0),
    ])
      assert.deepEqual(await add(toAuthor('ben', undefined, 'editor'), link), refused(link), link.id)
    assert.equal((await add(toAuthor('ann', ANN), toAuthor('ben'))).outcome, 'added')

    const change = (...links: readonly Link[]) =>
      store.change('Book', 'one', undefined, () => ({ ...writtenOf(KINDS, {}), links }))
    const kept = toAuthor('ben', ANN)
    assert.equal((await change(kept)).outcome, 'changed')
    const [otherProperty, otherTarget] = [toAuthor('ben', ANN, 'editor'), toAuthor('nobody', ANN)]
    assert.deepEqual(await change(kept, otherProperty, otherTarget), refused(otherProperty, otherTarget))
    assert.equal((await change(toAuthor('ann', ANN))).outcome, 'changed')
    assert.deepEqual(await change(kept), refused(kept))
    // Another member that has the link does not make it one of this member.
    await store.add('Book', linking(BEN, 'two', toAuthor('ben')))
    assert.deepEqual(await change(kept), refused(kept))
  })

  test('a member links to itself, whoever writes it', async (t) => {
    const store = await open(t)
    const link: Link = { property: 'next', className: 'Book', id: 'one', targetOwner: ANN }
    assert.equal((await store.add('Book', linking(ANN, 'one', link))).outcome, 'added')
    const links = [{ ...link, targetOwner: BEN }]
    const changed = await store.change('Book', 'one', undefined, () => ({ ...writtenOf(KINDS, {}), links }))
    assert.equal(changed.outcome, 'changed')
  })

  test('those who link to a member are named with their owners', async (t) => {
    const store = await open(t)
    await store.add('Author', owned(ANN, 'ann'))
    const links = [toAuthor('ann')]
    await store.addAll(
      Array.from({ length: 24 }, (_, index) => ({
        className: index === 23 ? 'Author' : 'Book',
        member: linking(index < 12 ? ANN : index < 23 ? BEN : undefined, `m${index}`, ...links),
      })),
    )
    const removed = await store.remove('Author', 'ann', undefined)
    assert.ok(removed.outcome === 'linked')
    const alike = Object.groupBy(removed.from, ({ className, owner }) => `${className} ${owner}`)
    assert.deepEqual(
      Object.entries(alike)
        .map(([key, some]) => [key, some?.length])
        .sort(),
      [
        ['Author undefined', 1],
        ['Book 1', 12],
        ['Book 2', 11],
      ],
    )
  })
}

for (const { name, newDatabase } of SHARED_STORES) {
  test(`${name}: the totals of owners are right whoever adds and removes at once, on two hosts`, async (t) => {
    const url = newDatabase(t)
    const hosts = [(await openFor(t, url, SHAPES)).members, (await openFor(t, url, SHAPES)).members]
    const ids = Array.from({ length: 12 }, (_, index) => `m${index}`)
    const patiently = async (work: () => Promise<unknown>) => {
      // A busy host says so, and nothing was changed.
      await work().catch((error) => assert.ok(isUnavailable(error), String(error)))
    }
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(
        hosts.flatMap((store, host) => [
          ...ids.map((id, index) => patiently(() => store.add('Book', owned(1 + ((index + host) % 3), id)))),
          patiently(() =>
            store.addAll(
              ids.map((id, index) => ({
                className: index % 2 === 0 ? 'Book' : 'Author',
                member: owned(3 - (index % 3), `${id} bulk`),
              })),
            ),
          ),
          ...ids.map((id, index) => patiently(() => store.remove('Book', id, undefined, 1 + (index % 3)))),
          ...ids.slice(6).map((id) => patiently(() => store.remove('Book', `${id} bulk`, undefined))),
        ]),
      )
      for (const className of ['Book', 'Author']) {
        const [store] = hosts as [MemberStore]
        const all = await store.list(className, select({ limit: 200 }))
        for (const owner of [1, 2, 3]) {
          const own = all.members.filter((member) => member.owner === owner).map(({ id }) => id)
          const page = await store.list(className, select({ owner, limit: 200 }))
          assert.deepEqual([page.members.map(({ id }) => id), page.total], [own, own.length])
        }
        assert.equal(all.total, all.members.length)
      }
    }
  })

  test(`${name}: a page of one's own has each member as it is, whatever its length and the rules it was written under`, async (t) => {
    const url = newDatabase(t)
    const lengths = [1, 400, 600, 5_000]
    const titleOf = (index: number, round: number) => `${round}`.repeat(lengths[(index + round) % 4] ?? 1)
    for (let round = 1; round <= 4; round += 1) {
      const isListedByOwner = round % 2 === 0
      const { members, close } = await openFor(
        t,
        url,
        SHAPES.map((shape) => ({ ...shape, isListedByOwner })),
      )
      for (let index = 0; index < 16; index += 1) {
        const written = writtenOf(KINDS, { title: titleOf(index, round) })
        const [own, old] = [`${round}-${index}`, `${round - 1}-${index}`]
        await members.add('Book', { ...written, id: own, owner: [ANN, BEN, undefined][index % 3] })
        if (index % 4 === 1) await members.change('Book', old, undefined, () => written)
        if (index % 4 === 2) await members.remove('Book', old, undefined)
        if (index % 4 === 3)
          await members.writeAll([
            { kind: 'change', className: 'Book', id: old, expected: undefined, written },
          ])
      }
      const all = (await list(members, { limit: 200 })).members
      assert.equal(all.length, round * 12 + 4)
      for (const owner of [ANN, BEN]) {
        const own = all.filter((member) => member.owner === owner)
        const walked: StoredMember[] = []
        for (let start: Selection['start'] = { at: 'offset', offset: 0 }; ; ) {
          const { members: page, edges, more } = await list(members, { owner, start, limit: 5 })
          walked.push(...page)
          if (!more || edges === undefined) break
          start = { at: 'after', position: edges.last }
        }
        assert.deepEqual(walked, own)
        const start = { at: 'before', position: 'end' } as const
        assert.deepEqual((await list(members, { owner, start, limit: 3 })).members, own.slice(-3))
        const order = [{ property: 'isbn', descending: true }]
        assert.deepEqual((await list(members, { owner, order, limit: 200 })).members, own.toReversed())
      }
      await close()
    }
  })
}
