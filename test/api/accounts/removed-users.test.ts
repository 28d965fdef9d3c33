import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HttpError } from '../../../src/api/index.ts'
import { withAccounts } from '../../../src/vocabulary/index.ts'
import { keptDatabase } from '../../support/databases.ts'
import { modelOf, type ServiceOptions } from '../../support/service.ts'
import { addUsers } from '../../support/users.ts'
import { AS_PROBLEM, codesOf } from '../signed-in.ts'
import { type SeveralUsers, serveUsers } from '../users.ts'

const TASK = `
  Task:
    access: { all: [admin, assignee, owner], create: everyone }
    properties:
      title: string
      assignee: { type: Account, required: true }
      watchers: { type: Account, many: true, required: true }
      helper: Account
      check: Check
  Check: { collection: false, properties: { by: { type: Account, onDelete: refuse } } }`
const NOTE = `
  Note:
    access: { all: [admin, reader] }
    properties: { text: string, reader: { type: Account, onDelete: delete } }`
const ALL = `roles: [admin]\naccounts: { manage: admin }\nclasses:${TASK}${NOTE}\n`

const USERS = { boss: [31, 'admin'], tom: [34] } as const
const TOM = 34

const NEW = { 'If-None-Match': '*' }

type Office = SeveralUsers<'boss' | 'tom'>

const serveTasks = (t: TestContext, options: ServiceOptions = {}): Promise<Office> =>
  serveUsers(t, USERS, { model: withAccounts(modelOf(options.api ?? ALL)), hasOldMembers: true, ...options })

/** Tasks that name Tom in every way, one of his own, and a note for him. */
async function writeTasks({ as, base }: Office): Promise<void> {
  const [tom, boss] = [`${base}/accounts/${TOM}`, `${base}/accounts/31`]
  const rows = [
    ['/tasks/assigned', { assignee: tom, watchers: [boss, tom], helper: tom }],
    ['/tasks/checked', { assignee: boss, watchers: [tom], check: { by: tom } }],
    ['/notes/a', { text: 'for Tom', reader: tom }],
  ] as const
  // Users who were added beside the server have accounts by now.
  assert.equal((await as.boss.send('GET', '/accounts')).status, 200)
  for (const [path, body] of rows)
    assert.equal((await as.boss.send('PUT', path, body, NEW)).status, 201, path)
  const own = await as.tom.send('PUT', '/tasks/own', { title: 'own', assignee: tom, watchers: [tom] }, NEW)
  assert.equal(own.status, 201)
}

/** As the command line does it: nobody asks the links. */
async function addAnew({ store }: Office): Promise<void> {
  assert.equal(await store.auth.removeUser(TOM), true)
  await addUsers({ store }, { [TOM]: [] })
}

/** The new user 34 has nothing of the former one. */
async function assertNobodyNamed({ as, base, client }: Office): Promise<void> {
  const token = await client.exchange(TOM)
  const send = (path: string) => client.send('GET', path, { 'X-Authorization': token })
  for (const path of ['/tasks', '/notes']) assert.equal((await send(path)).json().totalItems, 0, path)
  for (const path of ['/tasks/assigned', '/tasks/checked', '/tasks/own', '/notes/a'])
    assert.equal((await send(path)).status, 404, path)
  assert.equal((await send(`/accounts/${TOM}`)).status, 200)

  const read = async (path: string) => (await as.boss.send('GET', path)).json()
  const assigned = await read('/tasks/assigned')
  assert.deepEqual([assigned.assignee, assigned.helper], [undefined, undefined])
  assert.deepEqual(assigned.watchers, [`${base}/accounts/31`])
  const checked = await read('/tasks/checked')
  assert.deepEqual(
    [checked.watchers, (checked.check as { by?: string } | undefined)?.by],
    [undefined, undefined],
  )
  assert.equal((await read(`/tasks?helper=${base}/accounts/${TOM}`)).totalItems, 0)
}

const warnings = ({ logged }: Office) =>
  logged
    .map((line) => JSON.parse(line))
    .filter(({ message }) => String(message).startsWith('a user was removed'))

// contract: The internal number rules (`access.md`, Owners): what named a removed user names nobody
test('what named a user who was removed while it is served names nobody, also after the id is added anew', async (t) => {
  const office = await serveTasks(t)
  const { as, base } = office
  await writeTasks(office)
  await addAnew(office)
  await assertNobodyNamed(office)
  // The note went with its reader, as its link says.
  assert.equal((await as.boss.send('GET', '/notes/a')).status, 404)
  const [warning, more] = warnings(office)
  assert.equal(more, undefined)
  assert.deepEqual(
    warning.addresses.toSorted(),
    ['assigned', 'checked', 'own'].map((id) => `${base}/tasks/${id}`),
  )
  // As after a migration: the next PUT must mend it, and a PATCH of something else need not.
  const put = await as.boss.send('PUT', '/tasks/assigned', { watchers: [`${base}/accounts/31`] }, AS_PROBLEM)
  assert.deepEqual([put.status, codesOf(put)], [422, 'assignee: RequiredValue'])
  assert.equal((await as.boss.send('PATCH', '/tasks/assigned', { title: 'x' })).status, 200)
})

test('the same holds for a user who was removed while no server was running', async (t) => {
  const db = keptDatabase(t)
  const former = await serveTasks(t, { db })
  await writeTasks(former)
  await former.close()
  const between = await serveUsers(t, {}, { db, api: 'classes: { Other: { properties: { a: string } } }' })
  await addAnew(between as unknown as Office)
  await between.close()
  const office = await serveTasks(t, { db })
  await assertNobodyNamed(office)
  assert.equal(warnings(office).length, 1)
})

test('a hook that refuses keeps no link to a user who was removed', async (t) => {
  const refuse = () => {
    throw new HttpError(409, 'Not today.')
  }
  const hooks = { Note: { beforeDelete: refuse } }
  const office = await serveTasks(t, { program: { hooks } })
  await writeTasks(office)
  await addAnew(office)
  await assertNobodyNamed(office)
  const note = (await office.as.boss.send('GET', '/notes/a')).json()
  assert.deepEqual([note.text, note.reader], ['for Tom', undefined])
})

test('links that the API file hides go, too; a class that it does not have keeps the account until it is back', async (t) => {
  const db = keptDatabase(t)
  const former = await serveTasks(t, { db })
  await writeTasks(former)
  await former.close()
  const withoutNotes = ALL.replace(NOTE, '').replace(
    '      assignee: { type: Account, required: true }\n',
    '',
  )
  const api = withoutNotes.replace('[admin, assignee, owner]', '[admin, owner]')
  const hiding = await serveTasks(t, { db, api })
  await addAnew(hiding)
  await hiding.client.exchange(TOM)
  const kept = warnings(hiding).find(({ classes }) => classes !== undefined)
  assert.deepEqual(kept?.classes, ['Note'])
  await hiding.close()
  const office = await serveTasks(t, { db })
  await assertNobodyNamed(office)
  assert.equal((await office.as.boss.send('GET', '/notes/a')).status, 404)
})

test('an account that is kept for a class that is not there gives its next user nothing', async (t) => {
  const db = keptDatabase(t)
  const former = await serveTasks(t, { db })
  await writeTasks(former)
  await former.close()
  const api = ALL.replace(NOTE, '').replace('[admin, assignee, owner]', '[admin, helper, owner]')
  const office = await serveTasks(t, { db, api })
  assert.equal((await office.as.boss.send('PATCH', `/accounts/${TOM}`, { name: 'Tom' })).status, 200)
  await addAnew(office)
  const token = await office.client.exchange(TOM)
  const send = (path: string) => office.client.send('GET', path, { 'X-Authorization': token })
  assert.equal((await send('/tasks')).json().totalItems, 0)
  assert.equal((await send('/tasks/assigned')).status, 404)
  const { helper } = (await office.as.boss.send('GET', '/tasks/assigned')).json()
  assert.equal(helper, undefined)
  const other = await office.as.boss.send('POST', '/accounts', { name: 'Tom', paraphrase: 'some words' })
  assert.deepEqual([other.status, other.json().name], [201, 'Tom'])
})
