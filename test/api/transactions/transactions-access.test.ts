import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HydrantOptions } from '../../../src/library/index.ts'
import { handleOf, idOf, openShop, signIn, withUsers } from '../../library/shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of any shape
type Any = any

/** Versions of tasks are sealed, since not everybody may read all of them. */
const API = {
  title: 'Studio',
  roles: ['clerk'],
  accounts: { manage: 'clerk' },
  classes: {
    Order: { properties: { name: 'string' } },
    Project: { properties: { members: { type: 'Account', many: true } } },
    Task: {
      access: { all: ['clerk', 'project.members'] },
      properties: { title: 'string', project: 'Project' },
    },
  },
}

test('a transaction of a user has the rights of the user as they are at the commit', async (t) => {
  let runs = 0
  const rename: Any = {
    access: 'project.members',
    transaction: true,
    async handle({ member, members: tx }: Any) {
      runs += 1
      const { title } = await tx('tasks').change(member['@id'], { title: 'renamed' })
      assert.deepEqual([title, (await tx('tasks').find(member['@id'])).title], ['renamed', 'renamed'])
      assert.equal((await tx('tasks').list({ title })).total, 1)
    },
  }
  const order: Any = {
    access: 'project.members',
    transaction: true,
    async handle({ members: tx }: Any) {
      runs += 1
      await members('projects').change(project['@id'], { members: [] })
      await tx('orders').asProgram().add({ name: 'ordered' })
    },
  }
  const options: Partial<HydrantOptions> = { api: API, db: await withUsers(t), auth: true }
  const shop = await openShop(t, { ...options, operations: { Task: { rename, order } } })
  const { members, base } = shop
  const handle = handleOf(shop, '192.0.2.7')
  const project = await members('projects').add({ members: [`${base}/accounts/2`] })
  const task: Any = await members('tasks').add({ title: 'first', project: project['@id'] })
  const headers = { 'x-authorization': await signIn(handle, 2) }
  const ask = async (name: string) =>
    (await handle(`/tasks/${idOf(task)}/${name}`, { method: 'POST', headers })).status
  assert.deepEqual([await ask('rename'), runs], [204, 1])
  assert.equal((await members('tasks').find(task['@id']))?.title, 'renamed')
  assert.deepEqual([await ask('order'), runs], [404, 2])
  assert.equal((await members('orders').list()).total, 0)
})
