import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heardEverywhere, newDatabase } from '../../support/databases.ts'
import { serve } from '../../support/service.ts'
import { CREATE } from '../newsroom.ts'
import { AS_PROBLEM, codesOf, type Json } from '../signed-in.ts'
import { OFFICE, serveOffice } from './office.ts'

// contract: `PATCH`: `name`, `roles`
// contract: `manage`: roles that add, change
test('who manages accounts changes names, roles and the paraphrases of others', async (t) => {
  const { as, client } = await serveOffice(t)
  const before = await as.boss.send('GET', '/accounts/34')
  const changed = await as.boss.send('PATCH', '/accounts/34', { name: 'Tom', roles: ['staff'] })
  assert.deepEqual([changed.status, changed.json().name, changed.json().roles], [200, 'Tom', ['staff']])
  assert.notEqual(changed.headers.etag, before.headers.etag)
  assert.equal((await as.tom.send('GET', '/projects')).status, 200, 'and the roles hold at once')
  const stale = { 'If-Match': String(before.headers.etag) }
  assert.equal((await as.boss.send('PATCH', '/accounts/34', { name: 'Tim' }, stale)).status, 412)
  const fresh = { 'If-Match': String(changed.headers.etag) }
  const without = await as.boss.send('PATCH', '/accounts/34', { name: null }, fresh)
  assert.deepEqual([without.status, without.json().name], [200, undefined])

  assert.equal((await as.boss.send('PATCH', '/accounts/34', { paraphrase: 'new words' })).status, 200)
  assert.equal((await as.tom.send('GET', '/session')).status, 401, 'a new paraphrase ends the tokens')
  assert.ok(await client.exchange(34, 'new words'))
  const refused = async (who: 'boss' | 'sue' | 'eve', id: number, body: object) => {
    const response = await as[who].send('PATCH', `/accounts/${id}`, body, AS_PROBLEM)
    return `${response.status} ${codesOf(response)}`
  }
  assert.equal(await refused('boss', 31, { paraphrase: 'x' }), '422 paraphrase: OwnParaphrase')
  assert.equal(await refused('boss', 34, { userId: 7 }), '422 userId: ReadOnly')
  assert.equal(await refused('boss', 34, { roles: ['chief'] }), '422 roles: UnknownRole')
  await as.boss.send('PATCH', '/accounts/33', { name: 'Sue' })
  assert.equal(await refused('boss', 34, { name: 'SUE' }), '422 name: NotUnique')
  assert.equal(await refused('sue', 34, { name: 'x' }), '403 Forbidden')
  assert.equal(await refused('eve', 34, { name: 'x' }), '403 Forbidden')
})

test('changes of one account at once all hold, and with If-Match the first does', async (t) => {
  const { as } = await serveOffice(t)
  const { headers } = await as.boss.send('GET', '/accounts/34')
  const change = (index: number, more = {}) =>
    as.boss.send(
      'PATCH',
      '/accounts/34',
      index % 2 ? { name: `Tom ${index}` } : { roles: ROLES[index % 3] },
      more,
    )
  const ROLES = [['staff'], ['bookkeeper'], []]
  const all = await Promise.all(Array.from({ length: 6 }, (_, index) => change(index)))
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200])
  assert.equal((await change(1, { 'If-Match': String(headers.etag) })).status, 412)
})

test('a role that the API file no longer has stands in the way of nothing else', async (t) => {
  const { as, store } = await serveOffice(t)
  await store.auth.setRoles(34, ['former', 'staff'])
  const renamed = await as.boss.send('PATCH', '/accounts/34', { name: 'Tom' }, AS_PROBLEM)
  assert.deepEqual([renamed.status, renamed.json().roles], [200, ['former', 'staff']])
  const more = await as.boss.send('PATCH', '/accounts/34', { roles: ['former', 'admin'] }, AS_PROBLEM)
  assert.deepEqual([more.status, codesOf(more)], [422, 'roles: UnknownRole'])
  assert.equal((await as.boss.send('PATCH', '/accounts/34', { roles: ['staff'] })).status, 200)
})

// contract: `PATCH`: `name`, `roles`
test('a user changes the own name where the file says so, and nothing else', async (t) => {
  const api = OFFICE.replace('view: staff }', 'view: staff, rename: everyone }')
  const { as } = await serveOffice(t, { api })
  assert.equal((await as.tom.send('PATCH', '/accounts/34', { name: 'Tom' })).json().name, 'Tom')
  const roles = await as.tom.send('PATCH', '/accounts/34', { roles: ['admin'] }, AS_PROBLEM)
  assert.deepEqual([roles.status, codesOf(roles)], [422, 'roles: ReadOnly'])
  assert.equal((await as.tom.send('PATCH', '/accounts/35', { name: 'Eva' })).status, 404)
  assert.equal((await as.sue.send('PATCH', '/accounts/35', { name: 'Eva' })).status, 403)
})

// contract: The last account that may manage can neither be removed nor lose that role over HTTP: 409.
test('somebody who manages accounts is always left', async (t) => {
  const { as, store } = await serveOffice(t)
  const codes = async (method: string, body?: object) => {
    const response = await as.boss.send(method, '/accounts/31', body, AS_PROBLEM)
    return `${response.status} ${codesOf(response)}`
  }
  assert.equal(await codes('PATCH', { roles: ['staff'] }), '409 LastManager')
  assert.equal(await codes('DELETE'), '409 LastManager')
  for (let round = 0; round < 5; round += 1) {
    await store.auth.setRoles(32, ['admin'])
    const [one, other] = await Promise.all([
      as.boss.send('PATCH', '/accounts/32', { roles: [] }),
      as.books.send('PATCH', '/accounts/31', { roles: [] }),
    ])
    const statuses = [one.status, other.status]
    assert.equal(statuses.filter((status) => status === 200).length, 1, String(statuses))
    await store.auth.setRoles(31, ['admin'])
  }
})

// contract: Of two managers who remove each other at once one succeeds.
test('of two managers who remove each other at once one succeeds', async (t) => {
  const { as, store } = await serveOffice(t)
  await store.auth.setRoles(32, ['admin'])
  const [one, other] = await Promise.all([
    as.boss.send('DELETE', '/accounts/32'),
    as.books.send('DELETE', '/accounts/31'),
  ])
  assert.equal([one, other].filter(({ status }) => status === 204).length, 1)
  const left = (await store.auth.listUsers(0)).filter(({ roles }) => roles.includes('admin'))
  assert.equal(left.length, 1)
})

// contract: `DELETE`: the user and all tokens
test('a removed account leaves the members, and what linked to it names nobody', async (t) => {
  const { as, base, store } = await serveOffice(t)
  const account = (id: number) => `${base}/accounts/${id}`
  await as.sue.send('PUT', '/projects/p', { title: 'x', members: [account(34), account(35)] }, CREATE)
  await as.tom.send('PUT', '/tasks/t', { title: 'x', project: `${base}/projects/p` }, CREATE)
  assert.equal((await as.boss.send('DELETE', '/accounts/34')).status, 204)
  assert.equal((await as.tom.send('GET', '/session')).status, 401)
  assert.deepEqual((await as.sue.send('GET', '/projects/p')).json().members, [account(35)])
  const task = (await as.eve.send('GET', '/tasks/t')).json()
  assert.deepEqual([task.title, task.reporter], ['x', undefined])
  assert.equal((await as.boss.send('GET', '/accounts/34')).status, 404)

  // The same id again is another person.
  const hash = (await store.auth.findUser(35))?.paraphraseHash ?? assert.fail()
  assert.equal(await store.auth.addUser({ id: 34, paraphraseHash: hash }, Date.now()), 34)
  assert.deepEqual((await as.boss.send('GET', '/accounts/34')).json().userId, 34)
  assert.deepEqual((await as.sue.send('GET', '/projects?members=accounts/34')).json().member, [])
})

// contract: Three things show that something hidden exists
test('a link that refuses keeps the account, and its user', async (t) => {
  const api = OFFICE.replace('contact: Account', 'contact: { type: Account, required: true }')
  const { as, base } = await serveOffice(t, { api })
  await as.sue.send('PUT', '/customers/c', { name: 'x', contact: `${base}/accounts/35` }, CREATE)
  const refused = await as.boss.send('DELETE', '/accounts/35', undefined, AS_PROBLEM)
  assert.deepEqual([refused.status, codesOf(refused)], [409, 'StillLinked'])
  // Who manages accounts may not read customers.
  assert.doesNotMatch(refused.body, /customers|\bx\b/)
  const customers = (await as.eve.send('GET', '/customers')).json() as { member: Json[] }
  assert.equal(customers.member.length, 1)
  await as.sue.send('DELETE', '/customers/c')
  assert.equal((await as.boss.send('DELETE', '/accounts/35')).status, 204)
})

// contract: In every respect a member (its version does not count
test('an account has an ETag, takes If-Match, and is found by name, words, number and role', async (t) => {
  const { as, client } = await serveOffice(t)
  const read = () => as.boss.send('GET', '/accounts/34')
  const { etag = '' } = (await read()).headers
  const known = () => as.boss.send('GET', '/accounts/34', undefined, { 'If-None-Match': etag })
  assert.equal((await known()).status, 304)
  const before = (await read()).json()
  await client.signIn(34)
  const after = await read()
  assert.equal(after.json().tokens, Number(before.tokens) + 1)
  assert.equal(after.headers.etag, etag, 'the version does not count tokens')
  const rename = (name: string) =>
    as.boss.send('PATCH', '/accounts/34', { name }, { 'If-Match': etag, ...AS_PROBLEM })
  assert.equal((await rename('Tom Marsh')).status, 200)
  const late = await rename('Tim')
  assert.deepEqual([late.status, codesOf(late)], [412, 'PreconditionFailed'])
  assert.equal((await known()).status, 200)

  const found = async (query: string) => {
    const { member, totalItems } = (await as.boss.send('GET', `/accounts?${query}`)).json() as {
      member: Json[]
      totalItems: number
    }
    return [totalItems, ...member.map(({ userId }) => userId)]
  }
  assert.deepEqual(await found('name=Tom%20Marsh'), [1, 34])
  assert.deepEqual(await found('q=marsh'), [1, 34])
  assert.deepEqual(await found('userId=33'), [1, 33])
  assert.deepEqual(await found('roles=bookkeeper'), [1, 32])
  const [total, ...page] = await found('itemsPerPage=2&order[userId]=desc')
  assert.deepEqual([total, ...page], [6, 35, 34])

  const allowed = async (who: keyof typeof as) =>
    (await as[who].send('OPTIONS', '/accounts/34')).headers.allow
  assert.deepEqual([await allowed('boss'), await allowed('sue')], ['GET, HEAD, PATCH, DELETE', 'GET, HEAD'])
  const missing = await as.boss.send('GET', '/accounts/99', undefined, AS_PROBLEM)
  assert.deepEqual([missing.status, codesOf(missing)], [404, 'MemberNotFound'])
})

// contract: In every respect a member (its version does not count
test('the own account shows what its user may do', async (t) => {
  const operations = async (api: string) => {
    const { as } = await serveOffice(t, { api })
    const { operation } = (await as.tom.send('GET', '/accounts/34')).json() as { operation: Json[] }
    return operation.map(({ method }) => method)
  }
  assert.deepEqual(await operations(OFFICE), ['GET'])
  const renaming = OFFICE.replace('view: staff }', 'view: staff, rename: everyone }')
  assert.deepEqual(await operations(renaming), ['GET', 'PATCH'])
})

// contract: Changes hold as fast as those of `access.md`, Users.
test('roles and removals hold from the next request on, and on another server within a second', async (t) => {
  const db = newDatabase(t)
  const { as, client } = await serveOffice(t, { db })
  const other = await serve(t, { api: OFFICE, db })
  const token = { 'X-Authorization': await client.signIn(34) }
  const statuses = async () => {
    const here = (await client.send('GET', '/accounts/33', token)).status
    await heardEverywhere()
    return [here, (await other.client.send('GET', '/accounts/33', token)).status]
  }
  assert.deepEqual(await statuses(), [404, 404])
  assert.equal((await as.boss.send('PATCH', '/accounts/34', { roles: ['staff'] })).status, 200)
  assert.deepEqual(await statuses(), [200, 200])
  assert.equal((await as.boss.send('PATCH', '/accounts/34', { roles: [] })).status, 200)
  assert.deepEqual(await statuses(), [404, 404])
  assert.equal((await as.boss.send('DELETE', '/accounts/34')).status, 204)
  assert.deepEqual(await statuses(), [401, 401])
})
