import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Change, type MemberValues, writeMember } from '../../../src/members/index.ts'
import { findTraces, purgeTraces } from '../../../src/members/migration/purge.ts'
import { maintain } from '../../../src/store/open.ts'
import type { Class } from '../../../src/vocabulary/index.ts'
import { accountModel, addAccount } from '../../support/accounts.ts'
import { countRows } from '../../support/databases.ts'
import { modelOf, schemasOf } from '../../support/service.ts'
import { openFor, SHARED_STORES } from '../../support/stores.ts'

const MODEL = accountModel(
  modelOf(`
roles: [manager]
accounts: { view: everyone }
history: true
classes:
  Project:
    access: { all: [manager, members] }
    properties: { name: string, members: { type: Account, many: true } }
  Task:
    access: { all: [manager, project.members], create: everyone }
    properties: { title: string, project: Project }
`),
)
const SHAPES = schemasOf(MODEL)
/** The number of user 2. */
const ANN = 12

const contentOf = (className: string, values: MemberValues) =>
  writeMember(MODEL.classes.find(({ name }) => name === className) as Class, values, '')

const shown = ({ position, kind, className, id, followed }: Change) =>
  `${position} ${kind} ${className}/${id}${[...(followed ?? [])].map(([name, { before, after }]) => `, ${name} ${before} > ${after}`)}`

for (const { name, newDatabase } of SHARED_STORES)
  describe(name, () => {
    test('the log forgets a member, also what changes of others say of it', async (t) => {
      const url = newDatabase(t)
      const store = await openFor(t, url, SHAPES)
      const { members, changes, history } = store
      await addAccount(store, MODEL, 2, ANN)
      const add = (className: string, id: string, values: MemberValues) =>
        members.add(className, { id, ...contentOf(className, values) })
      await add('Project', 'p1', { members: ['/accounts/2'] })
      await add('Project', 'p2', {})
      await add('Task', 'p1', { title: 'p1', project: '/projects/p1' })
      await members.change('Task', 'p1', undefined, () => contentOf('Task', { project: '/projects/p2' }))
      await members.change('Project', 'p1', undefined, () => contentOf('Project', { name: 'late' }))
      const told = async () => (await changes.after(0, 100)).changes.map(shown)
      assert.deepEqual(await told(), [
        `1 create Project/p1, members  > ${ANN}`,
        '2 create Project/p2, members  > ',
        '3 create Task/p1, project  > p1',
        '4 update Task/p1, project p1 > p2',
        `5 update Project/p1, members ${ANN} > `,
      ])
      // Of a change that no process has placed yet.
      await members.change('Task', 'p1', undefined, () => contentOf('Task', { project: '/projects/p1' }))
      await members.change('Task', 'p1', undefined, () => contentOf('Task', { project: '/projects/p2' }))
      assert.equal((await countRows(url)).change_accounts, 2)

      const member = { className: 'Project', id: 'p1' }
      const find = () => maintain(url, 'read', (found) => findTraces(found, member))
      const purge = () => maintain(url, 'write', (found) => purgeTraces(found, member, SHAPES))
      const task = { className: 'Task', id: 'p1' }
      assert.deepEqual(await find(), {
        ...{ isThere: true, entries: 2, changes: 2, linkedFrom: [], rememberedBy: [task] },
      })
      assert.equal(await purge(), false)
      await members.remove('Project', 'p1', undefined)
      assert.equal(await purge(), true)
      assert.deepEqual(await find(), {
        ...{ isThere: false, entries: 0, changes: 0, linkedFrom: [], rememberedBy: [task] },
      })
      assert.deepEqual(await told(), [
        '2 create Project/p2, members  > ',
        '3 create Task/p1, project  > ',
        '4 update Task/p1, project  > p2',
        '6 update Task/p1, project p2 > ',
        '7 update Task/p1, project  > p2',
      ])
      assert.equal((await changes.last())?.className, '')
      assert.equal((await changes.after(0, 100)).isSwept, false)
      assert.equal((await countRows(url)).change_accounts, 0)
      // Another member of the same id keeps its own.
      assert.equal((await history.heads(task, { limit: 10 })).length, 4)
    })
  })
