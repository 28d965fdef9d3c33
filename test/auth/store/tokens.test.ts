import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Awaitable } from '../../../src/database/index.ts'
import { inSoak } from '../../support/soak.ts'
import { type Open, openFor, SHARED_STORES, STORES } from '../../support/stores.ts'
import { EIGHT, issue, liveUsers, MINUTE, NOW, openWithUsers, SEVEN, tokenOf } from './signed-in.ts'

/** Ten thousand at once would be a flood, which a store across a network answers with 503. */
async function inBatches<T>(hashes: readonly string[], act: (hash: string) => Awaitable<T>): Promise<T[]> {
  const results: T[] = []
  // So few that they are answered in time on a busy machine.
  for (let from = 0; from < hashes.length; from += 150) {
    results.push(...(await Promise.all(hashes.slice(from, from + 150).map(act))))
  }
  return results
}

for (const { name, open } of STORES) describe(name, () => suite(open))

// A file keeps them as a database in memory does, and PostgreSQL in a map of the same class.
const KEEPING = inSoak(['SQLite in memory', 'PostgreSQL'], ['SQLite in a file'])
for (const { name, open } of STORES.filter(({ name }) => KEEPING.includes(name))) {
  test(`${name}: more tokens than are kept in memory are found, and none after all were revoked`, async (t) => {
    const { auth } = await open(t)
    await auth.addUser(SEVEN, NOW)
    const hashes = Array.from({ length: 10_050 }, (_, index) => `token ${index}`)
    await inBatches(hashes, (hash) => auth.succeed(0, SEVEN, NOW, tokenOf(hash)))
    const find = async (some: readonly string[]) =>
      (await inBatches(some, (hash) => auth.findToken(hash, NOW))).filter(Boolean).length
    assert.equal(await find(hashes), 10_050)
    assert.equal(await auth.revokeTokens('all', NOW), 10_050)
    assert.equal(await find([...hashes.slice(0, 100), ...hashes.slice(-100)]), 0)
  })
}

for (const { name, newDatabase } of SHARED_STORES) {
  test(`${name}: roles that another process has changed are those of the token`, async (t) => {
    const url = newDatabase(t)
    const { auth: own } = await openFor(t, url)
    const { auth: other } = await openFor(t, url)
    await own.addUser(SEVEN, NOW)
    await issue(own, 'a')
    for (const roles of [['editor'], ['author', 'editor'], []]) {
      await own.findToken('a', NOW)
      await other.setRoles(7, roles)
      const since = performance.now()
      for (;;) {
        const askedAt = performance.now() - since
        const found = await own.findToken('a', NOW)
        if (String(found?.roles) === String(roles)) break
        // access.md, Users: from the next request on, or within a second on every other host.
        assert.ok(name === 'PostgreSQL' && askedAt < 1_000, `${found?.roles} after ${askedAt} ms`)
      }
      assert.deepEqual((await other.findToken('a', NOW))?.roles, roles)
    }
  })
}

function suite(open: Open): void {
  test('a token that was issued is found by its hash, with its number, user and times', async (t) => {
    const store = await openWithUsers(t, open)
    await issue(store, 'a')
    const found = await store.findToken('a', NOW)
    const standing = { number: 1, roles: [] }
    assert.deepEqual(
      { ...found, id: 0 },
      { id: 0, userId: 7, issuedAt: NOW, expiresAt: NOW + 45 * MINUTE, ...standing },
    )
    assert.equal(await store.findToken('b', NOW), undefined)
  })

  test('a token that was looked for in vain is found once it is issued', async (t) => {
    const store = await openWithUsers(t, open)
    assert.equal(await store.findToken('a', NOW), undefined)
    await issue(store, 'a')
    assert.equal((await store.findToken('a', NOW))?.userId, 7)
  })

  test('the live tokens are listed by number', async (t) => {
    const store = await openWithUsers(t, open)
    await issue(store, 'old', SEVEN, NOW - 45 * MINUTE)
    await issue(store, 'a')
    await issue(store, 'b', EIGHT)
    const tokens = await store.listTokens(NOW)
    assert.deepEqual(
      tokens.map(({ userId, issuedAt }) => [userId, issuedAt]),
      [
        [7, NOW],
        [8, NOW],
      ],
    )
    const [first, second] = tokens
    assert.ok(first !== undefined && second !== undefined && first.id < second.id)
    assert.equal((await store.findToken('a', NOW))?.id, first.id)
  })

  test('one token is revoked by its number, once', async (t) => {
    const store = await openWithUsers(t, open)
    await issue(store, 'a')
    await issue(store, 'b')
    const tokenId = (await store.findToken('a', NOW))?.id ?? 0
    assert.equal(await store.revokeTokens({ tokenId }, NOW), 1)
    assert.equal(await store.revokeTokens({ tokenId }, NOW), 0)
    assert.equal(await store.findToken('a', NOW), undefined)
    assert.equal((await store.findToken('b', NOW))?.userId, 7)
  })

  test('the tokens of a user are revoked, and no others', async (t) => {
    const store = await openWithUsers(t, open)
    await issue(store, 'a')
    await issue(store, 'b')
    await issue(store, 'c', EIGHT)
    assert.equal(await store.revokeTokens({ userId: 7 }, NOW), 2)
    assert.deepEqual(await liveUsers(store), [8])
  })

  test('all tokens are revoked, and those that had expired are not counted', async (t) => {
    const store = await openWithUsers(t, open)
    await issue(store, 'old', SEVEN, NOW - 45 * MINUTE)
    await issue(store, 'a')
    await issue(store, 'b', EIGHT)
    assert.equal(await store.revokeTokens('all', NOW), 2)
    assert.deepEqual(await liveUsers(store), [])
  })

  test('a revocation by a clock that is ahead ends the tokens that are live elsewhere', async (t) => {
    const store = await openWithUsers(t, open)
    const ahead = NOW + 46 * MINUTE
    for (const hash of ['a', 'b', 'c']) await issue(store, hash)
    await issue(store, 'd', EIGHT)
    const tokenId = (await store.findToken('a', NOW))?.id ?? 0
    assert.equal(await store.revokeTokens({ tokenId }, ahead), 0)
    assert.equal((await store.listTokens(NOW)).length, 3)
    assert.equal(await store.revokeTokens({ userId: 7 }, ahead), 0)
    assert.deepEqual(await liveUsers(store), [8])
    assert.equal(await store.revokeTokens('all', ahead), 0)
    assert.deepEqual(await liveUsers(store), [])
  })

  test('the number of a token that has ended names no other one', async (t) => {
    const store = await openWithUsers(t, open)
    await issue(store, 'a')
    const ended = (await store.findToken('a', NOW))?.id ?? 0
    await store.revokeTokens('all', NOW)
    await issue(store, 'b')
    assert.ok(((await store.findToken('b', NOW))?.id ?? 0) > ended)
  })
}
