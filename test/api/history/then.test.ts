import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveUsers } from '../users.ts'
import { entriesOf, pathOf } from './entries.ts'

const API = `
history: true
roles: [admin, staff]
accounts: { manage: admin, view: staff }
classes:
  Task:
    access: { view: [staff, assignee], write: staff }
    properties: { assignee: Account }
`
const USERS = { boss: [31, 'admin'], sue: [33, 'staff'], tom: [34], eve: [35] } as const

test('a member that is gone and named a removed user names nobody, also after the same id is added anew', async (t) => {
  const { as, client } = await serveUsers(t, USERS, { api: API })
  const assignee = '/api/accounts/34'
  assert.equal((await as.sue.send('PUT', '/tasks/x', { assignee }, { 'If-None-Match': '*' })).status, 201)
  assert.equal((await as.sue.send('DELETE', '/tasks/x')).status, 204)
  assert.equal((await as.tom.send('GET', '/tasks/x')).status, 410)
  assert.equal((await as.boss.send('DELETE', '/accounts/34')).status, 204)
  const paraphrase = 'correct horse battery staple again'
  assert.equal((await as.boss.send('POST', '/accounts', { userId: 34, paraphrase })).status, 201)
  const token = await client.signIn(34, paraphrase)
  const ask = (path: string) => client.send('GET', path, { 'X-Authorization': token })
  assert.equal((await ask('/tasks/x')).status, 404)
  assert.equal((await ask('/tasks/x/history')).status, 404)
  assert.deepEqual((await ask('/tasks?deleted=true')).json().member, [])
})

const NAMING = `
history: true
roles: [admin]
accounts: { manage: admin, view: everyone }
classes:
  Task:
    access: { all: [admin, assignee, owner], create: everyone }
    properties:
      text: string
      assignee: Account
      secret: { type: Account, view: admin, write: admin }
      by: { type: Account, always: user }
      reporter: { type: Account, writable: false, default: user }
      members: { type: Account, many: true }
      steps: { type: Step, many: true }
  Step: { collection: false, properties: { text: string, helper: Account } }
`
const [TOM, EVE] = ['/api/accounts/34', '/api/accounts/35']
const TASK = {
  text: 'a',
  assignee: TOM,
  members: [EVE, TOM],
  steps: [{ text: 'one', helper: EVE }, { text: 'two', helper: TOM }, { text: 'three' }],
}

/** A task of tom's that names others since, and one that is gone; then tom is removed. */
async function serveFormer(t: Parameters<typeof serveUsers>[0]) {
  const { as, client } = await serveUsers(t, USERS, { api: NAMING })
  const create = async () => {
    const task = pathOf((await as.tom.send('POST', '/tasks', TASK)).headers.location)
    assert.equal((await as.boss.send('PATCH', task, { secret: TOM })).status, 200)
    return task
  }
  const [there, gone] = [await create(), await create()]
  const changes = { assignee: EVE, members: [EVE], steps: null, secret: null }
  assert.equal((await as.boss.send('PATCH', there, changes)).status, 200)
  assert.equal((await as.boss.send('DELETE', gone)).status, 204)
  const named = await entriesOf(as.boss, gone)
  assert.equal((await as.boss.send('DELETE', '/accounts/34')).status, 204)
  const paraphrase = 'correct horse battery staple again'
  return {
    as,
    there,
    gone,
    /** The address of the state that named tom everywhere. */
    entry: pathOf(named[1]?.['@id']),
    addAgain: async () => {
      assert.equal((await as.boss.send('POST', '/accounts', { userId: 34, paraphrase })).status, 201)
      const token = await client.signIn(34, paraphrase)
      return (path: string) => client.send('GET', path, { 'X-Authorization': token })
    },
  }
}

/** The properties that a 422 names. */
const violationsIn = (body: string): string[] =>
  [...body.matchAll(/([\w/]+): links to \\"(?:removed-)?34\\"/g)].map(([, path = '']) => path)

// contract: Links that no longer lead anywhere
test('an entry that named a removed user is not brought back with another user of the same id', async (t) => {
  const { as, there, gone, entry, addAgain } = await serveFormer(t)
  const restoreOf = async (task: string) => pathOf((await entriesOf(as.boss, task)).at(-2)?.restore)
  const restored = async (task: string) => as.boss.send('POST', await restoreOf(task))
  const put = async (body: object) => as.boss.send('PUT', gone, body, { 'If-None-Match': '*' })
  const read = async () => (await as.boss.send('GET', entry)).json()
  const attempts = async () => {
    const chosen = { ...(await read()), ...TASK, assignee: EVE, members: [EVE], steps: null, secret: null }
    const answers = [await restored(there), await restored(gone), await put(await read()), await put(chosen)]
    for (const { status, body } of answers) assert.equal(status, 422, body)
    return answers.map(({ body }) => violationsIn(body))
  }
  const before = await attempts()
  // The reporter, which nobody can write, is named in every one of them.
  assert.deepEqual(before[3], ['reporter'])
  assert.deepEqual(before[0], ['assignee', 'secret', 'reporter', 'members/1', 'steps/1/helper'])
  const ask = await addAgain()
  assert.deepEqual(await attempts(), before)
  for (const path of [there, gone, `${gone}/history`]) assert.equal((await ask(path)).status, 404)
})

test('values that the user may not see do not come back with another user of the same id', async (t) => {
  const api = `
history: true
roles: [admin]
accounts: { manage: admin, view: everyone }
classes:
  Task: { properties: { text: string, secret: { type: Account, view: admin, write: admin } } }
`
  const { as } = await serveUsers(t, USERS, { api })
  const task = pathOf((await as.boss.send('POST', '/tasks', { text: 'a', secret: TOM })).headers.location)
  assert.equal((await as.boss.send('DELETE', task)).status, 204)
  const [entry] = await entriesOf(as.sue, task)
  const attempts = async () => {
    const then = (await as.sue.send('GET', pathOf(entry?.['@id']))).json()
    const put = await as.sue.send('PUT', task, then, { 'If-None-Match': '*' })
    const post = await as.sue.send('POST', pathOf(entry?.restore))
    return [put, post].map(({ status, body }) => [status, body])
  }
  assert.equal((await as.boss.send('DELETE', '/accounts/34')).status, 204)
  const before = await attempts()
  assert.deepEqual(
    before.map(([status]) => status),
    [422, 422],
  )
  assert.equal((await as.boss.send('POST', '/accounts', { userId: 34 })).status, 201)
  assert.deepEqual(await attempts(), before)
})

test('an entry does not show the address of an account that was added later', async (t) => {
  const { as, entry, addAgain } = await serveFormer(t)
  const read = () => as.boss.send('GET', entry)
  const before = await read()
  assert.ok(before.body.includes(`${TOM}"`))
  await addAgain()
  const after = await read()
  assert.equal(after.body, before.body.replaceAll(`${TOM}"`, '/api/accounts/removed-34"'))
  // What a client has kept of it shows the address.
  assert.notEqual(after.headers.etag, before.headers.etag)
  assert.equal((await as.boss.send('GET', '/accounts/removed-34')).status, 404)
  const removed = await as.boss.send('GET', '/tasks?deleted=true')
  assert.equal((removed.json().member as object[]).length, 1)
  assert.ok(!removed.body.includes(`${TOM}"`), removed.body)
})

test('the ETag of an entry does not tell what only a hidden link names', async (t) => {
  const api = NAMING.replace('all: [admin, assignee, owner], create: everyone', 'all: everyone')
  const { as } = await serveUsers(t, USERS, { api })
  const task = pathOf((await as.boss.send('POST', '/tasks', { text: 'a', secret: TOM })).headers.location)
  const [entry] = await entriesOf(as.boss, task)
  const etagFor = async (user: typeof as.boss) =>
    (await user.send('GET', pathOf(entry?.['@id']))).headers.etag
  const etags = async () => [await etagFor(as.sue), await etagFor(as.boss)]
  const [hidden, shown] = await etags()
  assert.equal((await as.boss.send('DELETE', '/accounts/34')).status, 204)
  assert.equal((await as.boss.send('POST', '/accounts', { userId: 34 })).status, 201)
  const after = await etags()
  assert.equal(after[0], hidden)
  assert.notEqual(after[1], shown)
})

test('a link that a user sends with the representation of an entry is their own choice', async (t) => {
  const api = NAMING.replace(/ {6}(secret|reporter):.*\n/g, '')
  const { as } = await serveUsers(t, USERS, { api })
  const task = pathOf((await as.sue.send('POST', '/tasks', TASK)).headers.location)
  assert.equal((await as.boss.send('DELETE', task)).status, 204)
  assert.equal((await as.boss.send('DELETE', '/accounts/34')).status, 204)
  assert.equal((await as.boss.send('POST', '/accounts', { userId: 34 })).status, 201)
  const [entry] = await entriesOf(as.boss, task)
  const then = (await as.boss.send('GET', pathOf(entry?.['@id']))).json()
  const put = await as.boss.send('PUT', task, { ...then, ...TASK }, { 'If-None-Match': '*' })
  assert.equal(put.status, 201, put.body)
  assert.ok(String(put.json().assignee).endsWith(TOM))
  // From now on the entries name the new user.
  const [latest] = await entriesOf(as.boss, task)
  assert.ok(
    (await as.boss.send('GET', pathOf(latest?.['@id']))).body.includes(`"assignee":"${put.json().assignee}"`),
  )
})
