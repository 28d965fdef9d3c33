import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Change,
  type ChangeRange,
  type MemberValues,
  type MemberWrite,
  writeMember,
} from '../../src/members/index.ts'
import type { Store } from '../../src/store/index.ts'
import type { Class } from '../../src/vocabulary/index.ts'
import { accountModel, addAccount } from '../support/accounts.ts'
import { modelOf, schemasOf } from '../support/service.ts'
import { type Open, STORES } from '../support/stores.ts'

const MODEL = accountModel(
  modelOf(`
roles: [manager]
accounts: { view: everyone }
classes:
  Project:
    access: { all: manager }
    properties: { name: string, lead: Account, members: { type: Account, many: true } }
  Task:
    access: { all: [manager, assignee, project.members], create: everyone }
    properties: { title: string, assignee: Account, project: Project }
  Note:
    properties: { text: string, about: Account }
`),
)
const SHAPES = schemasOf(MODEL)

/** The numbers of the users 2 and 3, and of the one who is 2 after the first was removed. */
const [ANN, BEN, OTHER] = [12, 13, 14]

const contentOf = (className: string, values: MemberValues) =>
  writeMember(MODEL.classes.find(({ name }) => name === className) as Class, values, '')

const toAccounts = (...ids: number[]) => ids.map((id) => `/accounts/${id}`)

const shown = ({ kind, className, id, followed }: Change) => {
  const links = [...(followed ?? [])].map(([name, { before, after }]) => `${name} ${before} > ${after}`)
  return [`${kind} ${className}/${id}`, ...links.toSorted()].join(', ')
}

async function openWithAccounts(t: Parameters<Open>[0], open: Open): Promise<Store> {
  const store = await open(t, SHAPES)
  await addAccount(store, MODEL, 2, ANN)
  await addAccount(store, MODEL, 3, BEN)
  return store
}

const add = ({ members }: Store, className: string, id: string, values: MemberValues, owner?: number) =>
  members.add(className, { id, ...contentOf(className, values), owner })

const change = ({ members }: Store, className: string, id: string, values: MemberValues) =>
  members.change(className, id, undefined, () => contentOf(className, values))

const told = async ({ changes }: Store, ranges?: readonly ChangeRange[]) =>
  (await changes.after(0, 1_000, ranges)).changes.map(shown)

test('classes follow the links of their own paths and of the paths of others', () => {
  const followed = SHAPES.map(({ name, followed, isLogged }) => [
    name,
    followed.map(({ property }) => property),
    isLogged,
  ])
  assert.deepEqual(followed, [
    ['Project', ['members'], true],
    ['Task', ['assignee', 'project'], true],
    ['Note', [], true],
    ['Account', [], false],
  ])
})

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(open: Open): void {
  test('the log has what followed links led to before each change and after it', async (t) => {
    const store = await openWithAccounts(t, open)
    await add(store, 'Project', 'p', { members: toAccounts(3, 2, 2), lead: '/accounts/2' })
    await add(store, 'Note', 'n', { about: '/accounts/2' })
    await store.members.addAll([
      { className: 'Task', member: { id: 'a', ...contentOf('Task', { assignee: '/accounts/2' }) } },
      { className: 'Task', member: { id: 'b', ...contentOf('Task', { title: 'x' }) } },
    ])
    await change(store, 'Task', 'a', { assignee: '/accounts/3', project: '/projects/p' })
    await change(store, 'Task', 'a', { title: 'y', assignee: '/accounts/3', project: '/projects/p' })
    await change(store, 'Project', 'p', { members: toAccounts(3) })
    await store.members.remove('Task', 'a', undefined)
    const all = await told(store)
    assert.deepEqual(all.toSpliced(2, 2), [
      `create Project/p, members  > ${ANN},${BEN}`,
      'create Note/n',
      `update Task/a, assignee ${ANN} > ${BEN}, project  > p`,
      `update Task/a, assignee ${BEN} > ${BEN}, project p > p`,
      `update Project/p, members ${ANN},${BEN} > ${BEN}`,
      `delete Task/a, assignee ${BEN} > , project p > `,
    ])
    assert.deepEqual(all.slice(2, 4).toSorted(), [
      `create Task/a, assignee  > ${ANN}, project  > `,
      'create Task/b, assignee  > , project  > ',
    ])
  })

  test('several writes at once have the same in the log, also of members whose links are taken out first', async (t) => {
    const store = await openWithAccounts(t, open)
    await add(store, 'Project', 'p', { members: toAccounts(2) })
    const task = (id: string, values: MemberValues): MemberWrite => ({
      kind: 'add',
      className: 'Task',
      member: { id, ...contentOf('Task', values) },
    })
    const remove = (className: string, id: string): MemberWrite => ({
      ...{ kind: 'remove', className, id },
      expected: undefined,
      owner: undefined,
      actor: undefined,
    })
    await store.members.writeAll([
      task('a', { project: '/projects/p', assignee: '/accounts/2' }),
      task('b', { project: '/projects/p' }),
      {
        ...{ kind: 'change', className: 'Task', id: 'b', expected: undefined },
        written: contentOf('Task', { assignee: '/accounts/3' }),
      },
    ])
    await store.members.writeAll([
      { kind: 'unlink', className: 'Task', id: 'a' },
      remove('Project', 'p'),
      remove('Task', 'a'),
    ])
    assert.deepEqual((await told(store)).slice(1), [
      `create Task/a, assignee  > ${ANN}, project  > p`,
      'create Task/b, assignee  > , project  > p',
      `update Task/b, assignee  > ${BEN}, project p > `,
      `delete Project/p, members ${ANN} > `,
      `delete Task/a, assignee ${ANN} > , project p > `,
    ])
  })

  // contract: The internal number rules (`access.md`, Owners): what named a removed user names nobody
  test('an id that is given again does not stand for the accounts in the log', async (t) => {
    const store = await openWithAccounts(t, open)
    await add(store, 'Task', 'a', { assignee: '/accounts/2' })
    await change(store, 'Task', 'a', {})
    assert.equal((await store.members.remove('Account', '2', undefined)).outcome, 'removed')
    await addAccount(store, MODEL, 2, OTHER)
    await change(store, 'Task', 'a', { assignee: '/accounts/2' })
    const ofOther = await told(store, [{ className: 'Task', account: OTHER }])
    assert.deepEqual(ofOther, [`update Task/a, assignee  > ${OTHER}, project  > `])
    assert.equal((await told(store, [{ className: 'Task', account: ANN }])).length, 2)
  })

  test('a range by account has what named it, of members of others', async (t) => {
    const store = await openWithAccounts(t, open)
    await add(store, 'Task', 'a', { assignee: '/accounts/2' }, BEN)
    await add(store, 'Task', 'b', { assignee: '/accounts/2' }, ANN)
    await add(store, 'Task', 'c', { assignee: '/accounts/3' }, ANN)
    await add(store, 'Task', 'd', {})
    await change(store, 'Task', 'a', {})
    await change(store, 'Task', 'a', {})
    await add(store, 'Project', 'p', { members: toAccounts(2) })
    const ids = async (...ranges: ChangeRange[]) =>
      (await store.changes.after(0, 100, ranges)).changes.map(({ kind, id }) => `${kind} ${id}`)
    assert.deepEqual(await ids({ className: 'Task', account: ANN }), ['create a', 'update a'])
    const both = [
      { className: 'Task', account: ANN },
      { className: 'Task', owner: ANN },
      { className: 'Project', account: ANN },
    ]
    assert.deepEqual(await ids(...both), ['create a', 'create b', 'create c', 'update a', 'create p'])
    assert.deepEqual(await ids({ className: 'Note', account: ANN }), [])
    const page = await store.changes.after(1, 2, both)
    assert.deepEqual(
      page.changes.map(({ id }) => id),
      ['b', 'c'],
    )
    assert.equal(page.stop, 'limit')
    await store.changes.sweep(Date.now() + 1e9, { ageMs: 0, count: 1 }, 1_000)
    assert.deepEqual(await ids(...both), ['create p'])
  })

  test('the first change of a member after a position is found', async (t) => {
    const store = await openWithAccounts(t, open)
    await add(store, 'Task', 'a', {})
    await add(store, 'Task', 'b', {})
    await change(store, 'Task', 'a', {})
    await change(store, 'Task', 'a', {})
    const next = async (id: string, position: number) =>
      (await store.changes.findNext({ className: 'Task', id }, position))?.position
    assert.deepEqual(await Promise.all([0, 1, 3, 4].map((position) => next('a', position))), [
      1,
      3,
      4,
      undefined,
    ])
    assert.equal(await next('b', 2), undefined)
    assert.equal(await next('c', 0), undefined)
  })
}
