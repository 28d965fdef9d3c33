import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveUsers } from '../users.ts'
import { entriesOf, pathOf } from './entries.ts'

const API = `
history: true
roles: [admin]
accounts: { manage: admin, view: everyone }
classes:
  Project:
    properties: { name: string, members: { type: Account, many: true } }
  Task:
    access: { all: [owner, project.members], create: everyone }
    properties:
      text: string
      project: { type: Project, onDelete: delete }
`
const USERS = { boss: [31, 'admin'], tom: [34], eve: [35], ann: [36] } as const
const [EVE, ANN] = ['/api/accounts/35', '/api/accounts/36']
const ANEW = { 'If-None-Match': '*' }

/** A task of tom's in a project of eve's; both are deleted with the project. */
async function serveGone(t: Parameters<typeof serveUsers>[0]) {
  const { as, client } = await serveUsers(t, USERS, { api: API })
  const project = '/projects/x'
  assert.equal((await as.tom.send('PUT', project, { members: [EVE] }, ANEW)).status, 201)
  const sent = { text: 'a', project: `/api${project}` }
  const task = pathOf((await as.tom.send('POST', '/tasks', sent)).headers.location)
  assert.equal((await as.eve.send('DELETE', project)).status, 204)
  return { as, client, project, task }
}
type Service = Awaited<ReturnType<typeof serveGone>>
type User = Service['as']['tom']

/** The status of the task for the user, and how many deleted tasks the user may see. */
async function seenBy(user: User, { task }: Service): Promise<[number, number]> {
  const removed = (await user.send('GET', '/tasks?deleted=true')).json().member as object[]
  return [(await user.send('GET', task)).status, removed.length]
}
const SEEN = [410, 1]
const UNSEEN = [404, 0]

// contract: Rules are those of the moment of reading
test('a rule follows a link to a member that is gone through what that member was last', async (t) => {
  const service = await serveGone(t)
  const { as, project } = service
  assert.deepEqual(await seenBy(as.eve, service), SEEN)
  assert.deepEqual(await seenBy(as.ann, service), UNSEEN)
  assert.equal(
    (await as.eve.send('POST', pathOf((await entriesOf(as.eve, project))[0]?.restore))).status,
    201,
  )
  assert.deepEqual(await seenBy(as.eve, service), SEEN)
  // What is there counts as well.
  assert.equal((await as.tom.send('PATCH', project, { members: [ANN] })).status, 200)
  for (const user of [as.eve, as.ann]) assert.deepEqual(await seenBy(user, service), UNSEEN)
  assert.deepEqual(await seenBy(as.tom, service), SEEN)
})

test('whoever uses the id of a member that is gone does not see what was linked to that one', async (t) => {
  const service = await serveGone(t)
  const { as, project } = service
  assert.equal((await as.ann.send('PUT', project, { members: [ANN, EVE] }, ANEW)).status, 201)
  assert.deepEqual(await seenBy(as.ann, service), UNSEEN)
  assert.deepEqual(await seenBy(as.eve, service), SEEN)
})

// contract: The internal number rules
test('a member that is gone and led to a removed user leads to nobody with the same id', async (t) => {
  const { as, client, task } = await serveGone(t)
  assert.equal((await as.boss.send('DELETE', EVE.replace('/api', ''))).status, 204)
  const paraphrase = 'correct horse battery staple again'
  assert.equal((await as.boss.send('POST', '/accounts', { userId: 35, paraphrase })).status, 201)
  const token = await client.signIn(35, paraphrase)
  for (const path of [task, `${task}/history`])
    assert.equal((await client.send('GET', path, { 'X-Authorization': token })).status, 404)
})
