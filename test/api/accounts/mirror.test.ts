import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paraphraseHash } from '../../support/service.ts'
import type { Json } from '../signed-in.ts'
import { serveOffice } from './office.ts'

test('names that went from user to user beside the server are those of the accounts, too', async (t) => {
  const { as, store } = await serveOffice(t)
  const { auth } = store
  const names = async () => {
    const { member } = (await as.boss.send('GET', '/accounts')).json() as { member: Json[] }
    return Object.fromEntries(member.map(({ userId, name }) => [Number(userId), name]))
  }
  const rename = async (id: number, name: string) =>
    assert.equal(await auth.changeUser(id, { name }), 'changed')
  await rename(34, 'tom')
  await rename(35, 'eve')
  assert.equal((await names())[34], 'tom')

  // A circle: each account has the name that another one needs.
  await rename(34, 'x')
  await rename(35, 'tom')
  await rename(34, 'eve')
  const swapped = await names()
  assert.deepEqual([swapped[34], swapped[35]], ['eve', 'tom'])

  // A new user, who comes before the one that had the name.
  await rename(35, 'y')
  await auth.addUser({ id: 3, name: 'tom', paraphraseHash: await paraphraseHash() }, 0)
  const added = await names()
  assert.deepEqual([added[3], added[35]], ['tom', 'y'])
  assert.equal((await as.boss.send('PATCH', '/accounts/34', { name: 'z' })).json().name, 'z')
})
