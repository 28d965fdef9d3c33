import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AuthStore, nameKey } from '../../../src/auth/index.ts'
import { type Open, STORES } from '../../support/stores.ts'
import { issue, NOW, openWithUsers } from './signed-in.ts'

const idOf = async (store: AuthStore, name: string): Promise<number | undefined> =>
  (await store.findUserByName(nameKey(name)))?.id

const nextUser = (store: AuthStore, name?: string) => store.addUser({ name, paraphraseHash: 'x' }, NOW)

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(open: Open): void {
  // contract: A user may have a name: 1 to 200 characters
  test('a user is found by the name, however it is spelt, and by no other', async (t) => {
    const store = await openWithUsers(t, open)
    assert.equal(await store.addUser({ id: 9, name: 'M\u00fcller', paraphraseHash: 'x' }, NOW), 9)
    assert.equal(await idOf(store, 'MULLER'), 9)
    assert.equal((await store.findUserByName(nameKey('muller')))?.name, 'M\u00fcller')
    assert.deepEqual(await store.findUserByName('muller'), await store.findUser(9))
    assert.equal(await idOf(store, 'mull'), undefined)
    assert.equal(await idOf(store, '9'), undefined)
  })

  // contract: A user may have a name
  test('a name that is taken, however it is spelt, is refused, and nothing changes', async (t) => {
    const store = await openWithUsers(t, open)
    assert.equal(await store.changeUser(7, { name: 'Anna' }), 'changed')
    assert.equal(await nextUser(store, 'ANNA'), 'name taken')
    assert.equal(await store.changeUser(8, { name: '\u00c5nna', roles: ['editor'] }), 'name taken')
    assert.deepEqual((await store.findUser(8))?.roles, [])
    assert.equal((await store.listUsers(NOW)).length, 2)
    // Its own user may spell it anew, and once it is free, others may have it.
    assert.equal(await store.changeUser(7, { name: 'anna' }), 'changed')
    assert.equal(await store.changeUser(7, { name: null }), 'changed')
    assert.equal(await idOf(store, 'anna'), undefined)
    assert.equal(await store.changeUser(8, { name: 'Anna' }), 'changed')
    assert.equal(await idOf(store, 'anna'), 8)
    await store.removeUser(8)
    assert.equal(await store.changeUser(7, { name: 'Anna' }), 'changed')
  })

  test('of many users who take one name at once exactly one gets it', async (t) => {
    const store = await openWithUsers(t, open)
    const added = Array.from({ length: 10 }, () => nextUser(store, 'anna'))
    const changed = [7, 8].map((id) => store.changeUser(id, { name: 'ANNA' }))
    const outcomes = await Promise.all([...added, ...changed])
    assert.equal(outcomes.filter((outcome) => outcome === 'name taken').length, 11, `${outcomes}`)
    assert.equal((await store.listUsers(NOW)).filter(({ name }) => name !== undefined).length, 1)
  })

  // contract: Without a `userId` the lowest free one
  test('without an id a user gets the lowest one above all that were ever used', async (t) => {
    const store = (await open(t)).auth
    assert.equal(await nextUser(store), 1)
    assert.equal(await store.addUser({ id: 7, paraphraseHash: 'x' }, NOW), 7)
    assert.equal(await store.addUser({ id: 3, paraphraseHash: 'x' }, NOW), 3)
    assert.equal(await nextUser(store), 8)
    await store.removeUser(8)
    await store.removeUser(7)
    assert.equal(await nextUser(store), 9)
    await store.addUser({ id: 20, paraphraseHash: 'x' }, NOW)
    await store.removeUser(20)
    await store.removeUser(3)
    assert.equal(await nextUser(store), 21)
    const ids = await Promise.all(Array.from({ length: 20 }, () => nextUser(store)))
    assert.deepEqual(
      ids.toSorted((one, other) => Number(one) - Number(other)),
      Array.from({ length: 20 }, (_, index) => 22 + index),
    )
  })

  test('after the largest id there is none', async (t) => {
    const store = await openWithUsers(t, open)
    await store.addUser({ id: Number.MAX_SAFE_INTEGER, paraphraseHash: 'x' }, NOW)
    await store.removeUser(Number.MAX_SAFE_INTEGER)
    assert.equal(await nextUser(store), 'no next id')
    assert.equal(await store.addUser({ id: 9, paraphraseHash: 'x' }, NOW), 9)
  })

  test('the last exchange is known, with a token and without, and the tokens that live', async (t) => {
    const store = await openWithUsers(t, open)
    await issue(store, 'a')
    await issue(store, 'b', undefined, NOW + 5)
    const accounts = await store.listAccounts([7, 8, 9], NOW + 10)
    assert.deepEqual(
      [...accounts].toSorted(([one], [other]) => one - other),
      [
        [7, { signedInAt: NOW + 5, liveTokens: 2 }],
        [8, { signedInAt: undefined, liveTokens: 0 }],
      ],
    )
    const begun = await store.reserve('here', [8], LIMITS, NOW)
    assert.ok(begun.outcome === 'reserved')
    const eight = { id: 8, paraphraseHash: 'hash of eight' }
    assert.equal(await store.succeed(begun.attemptIds[0] ?? 0, eight, NOW + 7), true)
    assert.equal((await store.findUser(8))?.signedInAt, NOW + 7)
    assert.equal((await store.findUser(8))?.revision, 1)
    assert.equal((await store.listAccounts([], NOW)).size, 0)
  })
}

const LIMITS = { user: { failures: 3, windowMs: 60_000 }, address: { failures: 5, windowMs: 60_000 } }
