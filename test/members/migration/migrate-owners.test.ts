import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemberStore, NewMember } from '../../../src/members/index.ts'
import { type Kinds, memberOf, select, shapeOf, type Values } from '../../support/shapes.ts'
import { openFor, SHARED_STORES } from '../../support/stores.ts'

const KINDS: Kinds = { isbn: 'unique', title: 'text' }
const SHAPES = ['Author', 'Book'].map((name) => shapeOf(name, KINDS))
const [ANN, BEN] = [1, 2]

const owned = (owner: number | undefined, id: string, values: Values = {}): NewMember => ({
  ...memberOf(KINDS, id, values),
  owner,
})

/** The ids and the total of each owner. */
const listed = (store: MemberStore) =>
  Promise.all(
    [undefined, ANN, BEN].map(async (owner) => {
      const { members, total } = await store.list('Book', select({ owner }))
      return [members.map(({ id }) => id).join(' '), total]
    }),
  )

for (const { name, newDatabase } of SHARED_STORES) {
  test(`${name}: another API file leaves members to their owners`, async (t) => {
    const url = newDatabase(t)
    const before = await openFor(t, url, SHAPES)
    for (const [id, owner] of [
      ['a', ANN],
      ['b', BEN],
      ['n', undefined],
      ['c', ANN],
    ] as const)
      await before.members.add('Book', owned(owner, id, { title: id }))
    await before.members.remove('Book', 'c', undefined)
    const expected = await listed(before.members)
    await before.close()

    const files = [
      [shapeOf('Author', KINDS), shapeOf('Book', { title: 'text' }, { fingerprint: 2 })],
      [shapeOf('Novel', { title: 'text' }, { was: 'Book', fingerprint: 3 })],
      [shapeOf('Author', KINDS)],
      [shapeOf('Book', KINDS, { was: 'Novel', fingerprint: 4 })],
    ]
    for (const shapes of files) {
      const { members, close } = await openFor(t, url, shapes)
      const className = shapes.at(-1)?.name ?? ''
      for (const owner of className === 'Author' ? [] : [ANN, BEN]) {
        const { members: own, total } = await members.list(className, select({ owner }))
        assert.deepEqual([own.map(({ id }) => id).join(' '), total], expected[owner], className)
      }
      await close()
    }
    const { members } = await openFor(t, url, files.at(-1))
    assert.deepEqual(await listed(members), expected)
    await members.add('Book', owned(BEN, 'd'))
    await members.remove('Book', 'a', undefined, ANN)
    assert.deepEqual(await listed(members), [
      ['b n d', 3],
      ['', 0],
      ['b d', 2],
    ])
  })
}
