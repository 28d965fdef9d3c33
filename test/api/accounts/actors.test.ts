import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUsers } from '../../support/users.ts'
import { serveUsers } from '../users.ts'

const API = `
roles: [admin, staff]
accounts: { manage: admin, view: staff }
classes:
  Note: { properties: { text: string } }
`
const USERS = { boss: [31, 'admin'], sue: [33, 'staff'], tom: [34], eve: [35] } as const

/** The user of each event that a reader is shown, by the id; undefined where none is shown. */
async function actorsFor(reader: { send(method: string, path: string): Promise<{ json(): object }> }) {
  const { member } = (await reader.send('GET', '/events')).json() as { member: { actor?: string }[] }
  return member.map(({ actor }) => actor?.replace(/.*\/accounts\//, ''))
}

// contract: An event has an opaque `id`
test('an event says who has made the change, to readers who may see that account', async (t) => {
  const { as } = await serveUsers(t, USERS, { api: API })
  for (const name of ['boss', 'tom', 'eve'] as const)
    assert.equal((await as[name].send('POST', '/notes', { text: name })).status, 201)
  const { member } = (await as.tom.send('GET', '/notes')).json() as { member: { '@id': string }[] }
  const batch = { operation: [{ method: 'DELETE', target: member[0]?.['@id'] }] }
  assert.equal((await as.tom.send('POST', '/batch', batch)).status, 200)
  assert.deepEqual(await actorsFor(as.boss), ['31', '34', '35', '34'])
  assert.deepEqual(await actorsFor(as.sue), ['31', '34', '35', '34'])
  assert.deepEqual(await actorsFor(as.tom), [undefined, '34', undefined, '34'])
  assert.deepEqual(await actorsFor(as.eve), [undefined, undefined, '35', undefined])
})

test('a user who was removed is not named, neither after the same id is added anew', async (t) => {
  const service = await serveUsers(t, USERS, { api: API })
  const { as } = service
  assert.equal((await as.tom.send('POST', '/notes', { text: 'a' })).status, 201)
  assert.deepEqual(await actorsFor(as.boss), ['34'])
  assert.equal((await as.boss.send('DELETE', '/accounts/34')).status, 204)
  assert.deepEqual(await actorsFor(as.boss), [undefined])
  await addUsers(service, { 34: [] })
  assert.equal((await as.boss.send('GET', '/accounts/34')).status, 200)
  assert.deepEqual(await actorsFor(as.boss), [undefined])
})
