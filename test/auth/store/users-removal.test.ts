import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AuthStore } from '../../../src/auth/index.ts'
import { execute } from '../../support/databases.ts'
import { inSoak } from '../../support/soak.ts'
import { type Open, openFor, SHARED_STORES, STORES } from '../../support/stores.ts'
import { NOW, openWithUsers } from './signed-in.ts'

const ADMIN = ['admin']

/** Both are managers. */
async function openWithManagers(...args: Parameters<typeof openWithUsers>): Promise<AuthStore> {
  const store = await openWithUsers(...args)
  for (const id of [7, 8]) await store.setRoles(id, ADMIN)
  return store
}

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(open: Open): void {
  // contract: The last account that may manage
  test('the last user who has one of the roles to keep is not removed, and others are', async (t) => {
    const store = await openWithUsers(t, open)
    await store.setRoles(7, ADMIN)
    assert.equal(await store.beginRemoval(7, ADMIN), 'last manager')
    assert.equal(await store.beginRemoval(8, ADMIN), 'begun')
    assert.equal(await store.beginRemoval(9, ADMIN), 'missing')
    assert.equal(await store.beginRemoval(7, []), 'begun')
  })

  test('a user who is being removed does not count: neither for another removal nor for a change of roles', async (t) => {
    const store = await openWithManagers(t, open)
    assert.equal(await store.beginRemoval(7, ADMIN), 'begun')
    assert.equal(await store.beginRemoval(7, ADMIN), 'begun')
    assert.equal(await store.beginRemoval(8, ADMIN), 'last manager')
    assert.equal(await store.changeUser(8, { roles: [] }, { keepRoles: ADMIN }), 'last manager')
    await store.cancelRemoval(7)
    assert.equal(await store.changeUser(8, { roles: [] }, { keepRoles: ADMIN }), 'changed')
    assert.equal(await store.beginRemoval(7, ADMIN), 'last manager')
  })

  test('a removal that was begun leaves the user as it is until it is removed', async (t) => {
    const store = await openWithManagers(t, open)
    const before = await store.findUser(7)
    await store.beginRemoval(7, ADMIN)
    assert.deepEqual(await store.findUser(7), before)
    assert.equal(await store.removeUser(7), true)
    assert.equal(await store.beginRemoval(7, ADMIN), 'missing')
    await store.addUser({ id: 7, paraphraseHash: 'x', roles: ADMIN }, NOW)
    assert.equal(await store.beginRemoval(8, ADMIN), 'begun')
  })

  // contract: Of two managers who remove each other
  test('of two managers who remove each other at once exactly one begins', async (t) => {
    const store = await openWithManagers(t, open)
    for (let round = 0; round < inSoak(200, 8); round += 1) {
      const outcomes = await Promise.all([7, 8].map((id) => store.beginRemoval(id, ADMIN)))
      assert.deepEqual(outcomes.toSorted(), ['begun', 'last manager'])
      await Promise.all([7, 8].map((id) => store.cancelRemoval(id)))
    }
  })
}

const mark = (db: string, ageMs: number): Promise<void> =>
  execute(db, {
    sqlite: `UPDATE users SET removal_at = ${Date.now() - ageMs} WHERE id = 7`,
    postgres: `UPDATE users SET removal_at = clock_ms() - ${ageMs} WHERE id = 7`,
  })

for (const { name, newDatabase } of SHARED_STORES) {
  test(`${name}: a removal that began a minute ago was given up`, async (t) => {
    const db = newDatabase(t)
    const store = await openWithManagers(t, async () => openFor(t, db))
    await mark(db, 50_000)
    assert.equal(await store.beginRemoval(8, ADMIN), 'last manager')
    await mark(db, 60_000)
    assert.equal(await store.beginRemoval(8, ADMIN), 'begun')
  })

  // contract: Of two managers who remove each other
  test(`${name}: of managers who remove each other or take the role from each other in two processes, one stays`, async (t) => {
    const db = newDatabase(t)
    const one = await openWithManagers(t, async () => openFor(t, db))
    const { auth: other } = await openFor(t, db)
    const ways: readonly ((store: AuthStore, id: number) => Promise<string>)[] = [
      (store, id) => store.beginRemoval(id, ADMIN),
      (store, id) => store.changeUser(id, { roles: [] }, { keepRoles: ADMIN }),
    ]
    for (let round = 0; round < inSoak(200, 6); round += 1) {
      const [first, second] = [ways[round % 2], ways[(round >> 1) % 2]]
      const outcomes = await Promise.all([first?.(one, 7), second?.(other, 8)])
      assert.equal(outcomes.filter((outcome) => outcome === 'last manager').length, 1, `${outcomes}`)
      for (const id of [7, 8]) {
        await one.cancelRemoval(id)
        await one.setRoles(id, ADMIN)
      }
    }
  })
}
