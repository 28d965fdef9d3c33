import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveUsers } from '../users.ts'

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
