import assert from 'node:assert/strict'
import type { MemberStore } from '../../src/members/index.ts'
import type { Store } from '../../src/store/index.ts'
import { openStore } from '../../src/store/open.ts'
import { type Kinds, memberOf, select, shapeOf, writtenOf } from '../support/shapes.ts'

export const KINDS: Kinds = { isbn: 'unique', title: 'text', tags: 'texts' }
export const SHAPES = [shapeOf('Author'), shapeOf('Book', KINDS)]
export const NOW = Date.UTC(2030, 0, 1)

export const addBook = ({ members }: Store, id: string, owner?: number) =>
  members.add('Book', { ...memberOf(KINDS, id, { title: 'one', tags: ['a', 'b'] }), owner })

export const totalsOf = async (members: MemberStore) =>
  Promise.all([undefined, 2, 3].map(async (owner) => (await members.list('Book', select({ owner }))).total))

/** Users with roles, the last of whom is gone, and members of three owners. */
export async function fill(url: string) {
  const store = await openStore(url, SHAPES)
  await store.auth.addUser({ id: 7, paraphraseHash: 'x' }, NOW)
  await store.auth.addUser(
    { id: 3, name: '\u00c9mile', paraphraseHash: 'x', roles: ['editor', 'author'] },
    NOW,
  )
  await store.auth.changeUser(7, { name: 'Anna' })
  await store.auth.addUser({ id: 9, paraphraseHash: 'x' }, NOW)
  await store.auth.removeUser(9)
  for (const [id, owner] of [
    ['a', 2],
    ['b', undefined],
    ['c', 3],
    ['d', 2],
  ] as const)
    await addBook(store, id, owner)
  await store.members.remove('Book', 'd', undefined)
  return store
}

/** `nextNumber`: of the next user. */
export async function assertFilled({ auth, members }: Store, nextNumber = 4): Promise<void> {
  const users = (await auth.listUsers(NOW)).map(({ id, number, roles }) => [id, number, ...roles])
  assert.deepEqual(users, [
    [3, 2, 'author', 'editor'],
    [7, 1],
  ])
  assert.deepEqual(
    (await members.list('Book', select())).members.map(({ id, owner }) => [id, owner]),
    [
      ['a', 2],
      ['b', undefined],
      ['c', 3],
    ],
  )
  assert.deepEqual(await totalsOf(members), [3, 1, 1])
  // The members of the user who is gone are not another's.
  await auth.addUser({ id: 9, paraphraseHash: 'x' }, NOW)
  assert.equal((await auth.findUser(9))?.number, nextNumber)
}

/** Names are kept, and an id that was used. */
export async function assertNamed({ auth }: Store): Promise<void> {
  const named = (await auth.listUsers(NOW)).map(({ name, revision }) => [name, revision])
  assert.deepEqual(named, [
    ['\u00c9mile', 1],
    ['Anna', 2],
  ])
  assert.equal((await auth.findUserByName('emile'))?.id, 3)
  assert.equal(await auth.addUser({ name: 'ANNA', paraphraseHash: 'x' }, NOW), 'name taken')
  assert.equal(await auth.addUser({ paraphraseHash: 'x' }, NOW), 10)
  await auth.removeUser(10)
}

/** Authors and books whose history is kept. */
export const REMEMBERED = [
  shapeOf('Author', KINDS, { fingerprint: 2, history: { ageMs: undefined } }),
  shapeOf('Book', KINDS, { fingerprint: 2, history: { ageMs: undefined } }),
]

/** An author; a book with a link, which was changed; and one that is gone. */
export async function fillHistory(url: string): Promise<void> {
  const store = await openStore(url, REMEMBERED)
  const author = memberOf(KINDS, 'ann')
  const added = await store.members.addAll([
    { className: 'Author', member: author },
    { className: 'Book', member: { ...memberOf(KINDS, 'a', { title: 'Author/ann' }), owner: 2, actor: 2 } },
    { className: 'Book', member: memberOf(KINDS, 'gone', { title: 'gone \u00e9' }) },
  ])
  assert.ok(added.every(({ outcome }) => outcome === 'added'))
  const written = { ...writtenOf(KINDS, { title: 'two' }), hidden: '{"x":1}', actor: 3 }
  await store.members.change('Book', 'a', undefined, () => written)
  await store.members.remove('Book', 'gone', undefined, undefined, 3)
  await store.close()
}

/** All entries, and the books that are gone. */
export async function rememberedIn({ history }: Store) {
  const entriesOf = (className: string, id: string) =>
    history.list({ className, id }, { limit: 10 }, 1_000_000)
  return {
    entries: [
      ...(await entriesOf('Author', 'ann')),
      ...(await entriesOf('Book', 'a')),
      ...(await entriesOf('Book', 'gone')),
    ],
    removed: (await history.removed('Book', { limit: 10 }, 1_000_000)).map(({ id }) => id),
  }
}
