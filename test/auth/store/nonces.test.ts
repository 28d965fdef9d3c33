import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Open, STORES } from '../../support/stores.ts'
import { begun, LIMITS, NOW, openWithUsers, SEVEN, tokenOf } from './signed-in.ts'

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(open: Open): void {
  // contract: The secret is made at first start
  test('the nonce secret is made at first use and stays the same', async (t) => {
    const store = await openWithUsers(t, open)
    const secret = await store.nonceSecret()
    assert.equal(secret.length, 32)
    assert.deepEqual(await store.nonceSecret(), secret)
    assert.notDeepEqual(await (await openWithUsers(t, open)).nonceSecret(), secret)
  })

  test('asked for many times at once the nonce secret is the same', async (t) => {
    const store = await openWithUsers(t, open)
    const secrets = await Promise.all(Array.from({ length: 5 }, () => store.nonceSecret()))
    assert.equal(new Set(secrets.map((secret) => secret.toString('hex'))).size, 1)
  })

  test('the latest time of a new store is 0', async (t) => {
    assert.equal(await (await openWithUsers(t, open)).latestTime(), 0)
  })

  test('the latest time is that of the last spent nonce, token or sweep', async (t) => {
    const store = await openWithUsers(t, open)
    const attemptId = await begun(store, { at: NOW })
    assert.equal(await store.latestTime(), NOW)
    await store.succeed(attemptId, SEVEN, NOW + 1, tokenOf('a', NOW + 1))
    assert.equal(await store.latestTime(), NOW + 1)
    await store.sweep(NOW + 2, LIMITS, 10)
    assert.equal(await store.latestTime(), NOW + 2)
    await store.sweep(NOW - 1, LIMITS, 10)
    assert.equal(await store.latestTime(), NOW + 2)
  })
}
