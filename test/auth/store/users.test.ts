import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Open, STORES } from '../../support/stores.ts'
import { EIGHT, issue, liveUsers, MINUTE, NOW, openWithUsers, SEVEN } from './signed-in.ts'

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(open: Open): void {
  // contract: Authorised users are added to the API
  test('a user is found by id, and by no other', async (t) => {
    const store = await openWithUsers(t, open)
    assert.deepEqual(
      { ...(await store.findUser(7)) },
      {
        ...{
          ...SEVEN,
          number: 1,
          roles: [],
          name: undefined,
          revision: 1,
          addedAt: NOW,
          signedInAt: undefined,
        },
      },
    )
    assert.equal(await store.findUser(9), undefined)
  })

  test('a user with the largest id is found', async (t) => {
    const store = await openWithUsers(t, open)
    await store.addUser({ id: Number.MAX_SAFE_INTEGER, paraphraseHash: 'x' }, NOW)
    assert.equal((await store.findUser(Number.MAX_SAFE_INTEGER))?.id, Number.MAX_SAFE_INTEGER)
  })

  test('the parameters of all hashes are listed, each once', async (t) => {
    const store = await openWithUsers(t, open)
    const parameters = ['$argon2id$v=19$m=19456,t=2,p=1$', '$argon2i$m=8,t=1,p=10$']
    for (const [index, hash] of ['salt$hash', 'other$hash'].entries()) {
      for (const [kind, before] of parameters.entries()) {
        await store.addUser({ id: 10 + 10 * kind + index, paraphraseHash: before + hash }, NOW)
      }
    }
    assert.deepEqual((await store.hashParameters()).sort(), [...parameters].sort())
  })

  // contract: Authorised user ¦ id
  test('a user is added once; a second time changes nothing', async (t) => {
    const store = await openWithUsers(t, open)
    assert.equal(await store.addUser({ id: 9, paraphraseHash: 'nine' }, NOW), 9)
    assert.equal(await store.addUser({ id: 9, paraphraseHash: 'another' }, NOW), 'id taken')
    assert.equal((await store.findUser(9))?.paraphraseHash, 'nine')
  })

  test('users are listed by id with the number of their live tokens', async (t) => {
    const store = await openWithUsers(t, open)
    await store.addUser({ id: 1, paraphraseHash: 'one' }, NOW)
    await issue(store, 'a')
    await issue(store, 'b')
    await issue(store, 'old', SEVEN, NOW - 45 * MINUTE)
    const users = (await store.listUsers(NOW)).map((entry) => ({ ...entry }))
    const shared = { roles: [], name: undefined, revision: 1 }
    assert.deepEqual(users, [
      { id: 1, addedAt: NOW, liveTokens: 0, number: 3, ...shared, signedInAt: undefined },
      { id: 7, addedAt: NOW, liveTokens: 2, number: 1, ...shared, signedInAt: NOW - 45 * MINUTE },
      { id: 8, addedAt: NOW + 1, liveTokens: 0, number: 2, ...shared, signedInAt: undefined },
    ])
  })

  test('a user has the roles that were given last, each once, and so has each token', async (t) => {
    const store = await openWithUsers(t, open)
    await issue(store, 'a')
    await issue(store, 'b', EIGHT)
    await store.addUser({ id: 9, paraphraseHash: 'nine', roles: ['editor', 'author', 'editor'] }, NOW)
    const rolesOf = async () => [
      (await store.listUsers(NOW)).map(({ roles }) => roles),
      (await store.findUser(7))?.roles,
      (await store.findToken('a', NOW))?.roles,
      (await store.findToken('b', NOW))?.roles,
    ]
    const nine = ['author', 'editor']
    assert.deepEqual(await rolesOf(), [[[], [], nine], [], [], []])
    assert.equal(await store.setRoles(7, ['reader', 'author', 'reader']), true)
    const seven = ['author', 'reader']
    assert.deepEqual(await rolesOf(), [[seven, [], nine], seven, seven, []])
    assert.equal(await store.setRoles(7, []), true)
    assert.deepEqual(await rolesOf(), [[[], [], nine], [], [], []])
  })

  test('roles for nobody are refused', async (t) => {
    const store = await openWithUsers(t, open)
    assert.equal(await store.setRoles(9, ['editor']), false)
    assert.equal(await store.findUser(9), undefined)
  })

  test('the number of a user is never given again, also not to the same id, nor after one that was not added', async (t) => {
    const store = await openWithUsers(t, open)
    assert.equal(await store.addUser({ id: 8, paraphraseHash: 'again' }, NOW), 'id taken')
    const numbers: number[] = []
    for (let round = 0; round < 3; round += 1) {
      await store.addUser({ id: 9, paraphraseHash: 'nine' }, NOW)
      numbers.push((await store.findUser(9))?.number ?? 0)
      await store.removeUser(9)
    }
    const given = [...(await store.listUsers(NOW)).map(({ number }) => number), ...numbers]
    assert.equal(new Set(given).size, 5)
    assert.ok(given.every((number) => number > 0 && Number.isSafeInteger(number)))
  })

  test('users that are added at once have numbers of their own', async (t) => {
    const store = await openWithUsers(t, open)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.addUser({ id: 100 + index, paraphraseHash: 'x' }, NOW)),
    )
    const numbers = (await store.listUsers(NOW)).map(({ number }) => number)
    assert.equal(new Set(numbers).size, 22)
  })

  test('a new paraphrase replaces the old one and ends the tokens of that user alone', async (t) => {
    const store = await openWithUsers(t, open)
    await issue(store, 'a')
    await issue(store, 'b', EIGHT)
    await store.findToken('a', NOW)
    assert.equal(await store.setParaphrase(7, 'new'), true)
    assert.equal((await store.findUser(7))?.paraphraseHash, 'new')
    assert.equal(await store.findToken('a', NOW), undefined)
    assert.equal((await store.findToken('b', NOW))?.userId, 8)
  })

  test('a new paraphrase for nobody is refused', async (t) => {
    const store = await openWithUsers(t, open)
    assert.equal(await store.setParaphrase(9, 'new'), false)
    assert.equal(await store.findUser(9), undefined)
  })

  test('an upgraded hash leaves tokens live', async (t) => {
    const store = await openWithUsers(t, open)
    await issue(store, 'a')
    await store.upgradeParaphrase(7, SEVEN.paraphraseHash, 'newer')
    assert.equal((await store.findUser(7))?.paraphraseHash, 'newer')
    assert.equal((await store.findToken('a', NOW))?.userId, 7)
  })

  test('a hash that has changed in the meantime is not upgraded', async (t) => {
    const store = await openWithUsers(t, open)
    await store.upgradeParaphrase(7, 'another', 'newer')
    await store.upgradeParaphrase(9, 'another', 'newer')
    assert.equal((await store.findUser(7))?.paraphraseHash, SEVEN.paraphraseHash)
    assert.equal(await store.findUser(9), undefined)
  })

  test('a user is removed with all tokens, and no other', async (t) => {
    const store = await openWithUsers(t, open)
    await issue(store, 'a')
    await issue(store, 'b', EIGHT)
    await store.findToken('a', NOW)
    assert.equal(await store.removeUser(7), true)
    assert.equal(await store.removeUser(7), false)
    assert.equal(await store.findUser(7), undefined)
    assert.equal(await store.findToken('a', NOW), undefined)
    assert.deepEqual(await liveUsers(store), [8])
  })
}
