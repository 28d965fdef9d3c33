import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AuthStore } from '../../../src/auth/index.ts'
import { type Open, openFor, SHARED_STORES, STORES } from '../../support/stores.ts'
import { EIGHT, issue, NOW, openWithUsers, SEVEN } from './signed-in.ts'

const revisionOf = async (store: AuthStore, id = 7) => (await store.findUser(id))?.revision

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(open: Open): void {
  test('a change has all of its parts, and what is not given stays', async (t) => {
    const store = await openWithUsers(t, open)
    const all = { name: 'anna', roles: ['b', 'a'], paraphraseHash: 'new' }
    assert.equal(await store.changeUser(7, all), 'changed')
    const { name, roles, paraphraseHash } = (await store.findUser(7)) ?? {}
    assert.deepEqual({ name, roles, paraphraseHash }, { ...all, roles: ['a', 'b'] })
    assert.equal(await store.changeUser(7, { roles: [] }), 'changed')
    assert.deepEqual((await store.findUser(7))?.name, 'anna')
    assert.equal(await store.changeUser(7, {}), 'changed')
    assert.deepEqual((await store.findUser(7))?.paraphraseHash, 'new')
    assert.equal(await store.changeUser(9, all), 'missing')
  })

  test('the revision goes up with every change of name or roles, and with nothing else', async (t) => {
    const store = await openWithUsers(t, open)
    const changes: readonly (readonly [() => Promise<unknown>, number])[] = [
      [() => store.changeUser(7, { name: 'anna' }), 2],
      [() => store.changeUser(7, { name: 'Anna' }), 3],
      [() => store.changeUser(7, { name: 'Anna', roles: [] }), 3],
      [() => store.setRoles(7, ['editor']), 4],
      [() => store.changeUser(7, { roles: ['editor'], paraphraseHash: 'x' }), 4],
      [() => store.setParaphrase(7, SEVEN.paraphraseHash), 4],
      [() => issue(store, 'a'), 4],
      [() => store.changeUser(7, { name: null, roles: ['author'] }), 5],
      [() => store.changeUser(8, { name: 'other' }), 5],
      [() => store.beginRemoval(7, []), 5],
      [() => store.cancelRemoval(7), 5],
    ]
    for (const [change, revision] of changes) {
      await change()
      assert.equal(await revisionOf(store), revision)
    }
  })

  test('a change for another revision changes nothing', async (t) => {
    const store = await openWithUsers(t, open)
    assert.equal(await store.changeUser(7, { name: 'anna' }, { revision: 1 }), 'changed')
    const stale = { roles: ['editor'], paraphraseHash: 'x' }
    assert.equal(await store.changeUser(7, stale, { revision: 1 }), 'stale')
    assert.equal(await store.changeUser(7, stale, { revision: 3 }), 'stale')
    assert.deepEqual((await store.findUser(7))?.roles, [])
    const outcomes = await Promise.all(
      ['a', 'b', 'c', 'd'].map((role) => store.changeUser(7, { roles: [role] }, { revision: 2 })),
    )
    assert.deepEqual(outcomes.toSorted(), ['changed', 'stale', 'stale', 'stale'])
  })

  test('a changed paraphrase ends the tokens of that user alone, changed roles end none and hold at once', async (t) => {
    const store = await openWithUsers(t, open)
    await issue(store, 'a')
    await issue(store, 'b', EIGHT)
    await Promise.all(['a', 'b'].map((token) => store.findToken(token, NOW)))
    await store.changeUser(7, { name: 'anna', roles: ['editor'] })
    assert.deepEqual((await store.findToken('a', NOW))?.roles, ['editor'])
    await store.changeUser(7, { paraphraseHash: 'new' })
    assert.equal(await store.findToken('a', NOW), undefined)
    assert.equal((await store.findToken('b', NOW))?.userId, 8)
  })

  test('the own paraphrase is changed if it is still the former one; one token stays, and the others end', async (t) => {
    const store = await openWithUsers(t, open)
    for (const token of ['a', 'b', 'c']) await issue(store, token)
    await issue(store, 'd', EIGHT)
    const kept = (await store.findToken('b', NOW))?.id
    assert.equal(await store.changeOwnParaphrase(7, 'another', 'new', kept), false)
    assert.equal((await store.listTokens(NOW)).length, 4)
    assert.equal(await store.changeOwnParaphrase(7, SEVEN.paraphraseHash, 'new', kept), true)
    assert.equal((await store.findUser(7))?.paraphraseHash, 'new')
    const found = await Promise.all(['a', 'b', 'c', 'd'].map(async (token) => store.findToken(token, NOW)))
    assert.deepEqual(
      found.map((token) => token?.userId),
      [undefined, 7, undefined, 8],
    )
    assert.equal(await store.changeOwnParaphrase(7, 'new', 'newer', undefined), true)
    assert.equal(await store.findToken('b', NOW), undefined)
    assert.equal(await store.changeOwnParaphrase(9, 'x', 'y', undefined), false)
  })

  test('of many changes of the own paraphrase at once exactly one is made', async (t) => {
    const store = await openWithUsers(t, open)
    const changes = Array.from({ length: 10 }, (_, index) =>
      store.changeOwnParaphrase(7, SEVEN.paraphraseHash, `${index}`, undefined),
    )
    assert.equal((await Promise.all(changes)).filter(Boolean).length, 1)
  })

  // contract: The last account that may manage
  test('the last user who has one of the roles to keep does not lose it', async (t) => {
    const store = await openWithUsers(t, open)
    const kept = { keepRoles: ['admin', 'chief'] }
    await store.setRoles(7, ['admin', 'author'])
    await store.setRoles(8, ['administrator', 'author'])
    assert.equal(await store.changeUser(7, { roles: ['author'] }, kept), 'last manager')
    assert.deepEqual((await store.findUser(7))?.roles, ['admin', 'author'])
    // Another of the roles does, as does a change of anything else, and nobody else is held up.
    assert.equal(await store.changeUser(7, { roles: ['chief'] }, kept), 'changed')
    assert.equal(await store.changeUser(7, { name: 'anna', paraphraseHash: 'x' }, kept), 'changed')
    assert.equal(await store.changeUser(8, { roles: [] }, kept), 'changed')
    assert.equal(await store.changeUser(8, { roles: ['admin'] }, kept), 'changed')
    assert.equal(await store.changeUser(7, { roles: [] }, kept), 'changed')
    assert.equal(await store.changeUser(8, { roles: [] }, kept), 'last manager')
    // Without roles to keep, as from the command line, all may lose them.
    assert.equal(await store.changeUser(8, { roles: [] }), 'changed')
  })

  test('the generation of users changes with a name, roles and existence, and not with an exchange', async (t) => {
    const store = await openWithUsers(t, open)
    const changing: readonly (() => Promise<unknown>)[] = [
      () => store.changeUser(7, { name: 'anna' }),
      () => store.setRoles(7, ['editor']),
      () => store.addUser({ paraphraseHash: 'x' }, NOW),
      () => store.removeUser(9),
    ]
    for (const change of changing) {
      const before = await store.usersGeneration()
      await change()
      assert.notEqual(await store.usersGeneration(), before, change.toString())
    }
    const before = await store.usersGeneration()
    await issue(store, 'a')
    await store.revokeTokens('all', NOW)
    assert.equal(await store.usersGeneration(), before)
  })
}

for (const { name, newDatabase } of SHARED_STORES) {
  test(`${name}: another process sees the generation change, and the change`, async (t) => {
    const db = newDatabase(t)
    const [one, other] = [await openFor(t, db), await openFor(t, db)]
    const before = await other.auth.usersGeneration()
    await one.auth.addUser({ id: 7, name: 'anna', paraphraseHash: 'x' }, NOW)
    assert.notEqual(await other.auth.usersGeneration(), before)
    assert.equal((await other.auth.findUserByName('anna'))?.id, 7)
  })
}
