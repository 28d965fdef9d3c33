import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { serveUsers } from '../users.ts'
import { type Entry, entriesOf, pathOf } from './entries.ts'

// Who may see what members were: rights of now, to the member as it is, or as it was last.

const API = `
history: true
roles: [admin, staff]
accounts: { manage: admin, view: staff }
access: { view: everyone, write: everyone }
classes:
  Draft:
    access: { read: [owner, staff], list: everyone, history: owner, write: [owner, staff], create: everyone }
    properties: { text: string }
  Task:
    access: { view: [staff, assignee, team.people], write: staff, create: everyone }
    properties:
      text: string
      assignee: Account
      team: Team
  Team: { properties: { name: string, people: { type: Account, many: true } } }
  Page:
    access: { view: anyone }
    properties: { text: string, history: string, deletion: string, deleted: string }
  Site:
    collection: false
    operations: [create, read, replace, delete]
    properties: { title: string }
`
const USERS = { boss: [31, 'admin'], sue: [33, 'staff'], tom: [34], eve: [35] } as const
const serve = (t: Parameters<typeof serveUsers>[0]) => serveUsers(t, USERS, { api: API })
type Service = Awaited<ReturnType<typeof serve>>
type User = Service['as']['tom']

async function create(user: User, path: string, body: object): Promise<string> {
  const created = await user.send('POST', path, body)
  assert.equal(created.status, 201, created.body)
  return pathOf(created.headers.location)
}

const deletedFor = async (user: User, path: string) =>
  ((await user.send('GET', `${path}?deleted=true`)).json().member as { '@id': string }[]).map((one) =>
    pathOf(one['@id']),
  )

// contract: `access` has the operation `history`
test('the history is for those whom the rule names, and who may read the member', async (t) => {
  const { as } = await serve(t)
  const draft = await create(as.tom, '/drafts', { text: 'a' })
  assert.equal((await as.tom.send('GET', `${draft}/history`)).status, 200)
  // Staff may read it, and not what it was.
  const refused = await as.sue.send('GET', `${draft}/history`, undefined, {
    Accept: 'application/problem+json',
  })
  assert.equal(refused.status, 403)
  assert.match(String(refused.json().type), /#Forbidden$/)
  assert.equal(
    (await as.sue.send('GET', draft, undefined, { 'Accept-Datetime': new Date().toUTCString() })).status,
    403,
  )
  assert.ok(!('history' in (await as.sue.send('GET', draft)).json()))
  assert.ok('history' in (await as.tom.send('GET', draft)).json())
  const never = await as.eve.send('GET', '/drafts/never/history')
  const hidden = await as.eve.send('GET', `${draft}/history`)
  assert.equal(hidden.status, 404)
  assert.equal(hidden.body.replaceAll(draft.split('/')[2] ?? '', 'never'), never.body)
})

// contract: Rules are those of the moment of reading
test('a member that is gone is judged by what it was last', async (t) => {
  const { as } = await serve(t)
  const [team, other] = [
    await create(as.sue, '/teams', { name: 'x', people: ['/api/accounts/35'] }),
    await create(as.sue, '/teams', { name: 'y' }),
  ]
  const task = await create(as.sue, '/tasks', { text: 'a', assignee: '/api/accounts/34' })
  assert.equal((await as.tom.send('GET', `${task}/history`)).status, 200)
  // From now on it is eve's, by her team.
  const change = { assignee: null, team: `/api${team}` }
  assert.equal((await as.sue.send('PATCH', task, change)).status, 200)
  assert.equal((await as.tom.send('GET', `${task}/history`)).status, 404)
  assert.deepEqual(
    (await entriesOf(as.eve, task)).map((one) => one['@type']),
    ['Update', 'Create'],
  )
  assert.equal((await as.sue.send('DELETE', task)).status, 204)
  const statuses = async () => {
    const all: number[] = []
    for (const user of [as.sue, as.tom, as.eve]) all.push((await user.send('GET', task)).status)
    return all
  }
  assert.deepEqual(await statuses(), [410, 404, 410])
  assert.deepEqual(await deletedFor(as.eve, '/tasks'), [task])
  assert.deepEqual(await deletedFor(as.tom, '/tasks'), [])
  // The team is as it is now.
  assert.equal((await as.sue.send('PATCH', team, { people: ['/api/accounts/34'] })).status, 200)
  assert.deepEqual(await statuses(), [410, 410, 404])
  assert.ok(other)
})

test('the numbers of entries tell nobody how much others write', async (t) => {
  const { as } = await serve(t)
  const draft = await create(as.tom, '/drafts', { text: 'a' })
  const [entry] = (await entriesOf(as.tom, draft)) as [Entry]
  assert.match(entry['@id'], /\/history\/[A-Za-z0-9_-]{22}$/)
  assert.equal((await as.tom.send('GET', `${draft}/history/1`)).status, 404)
  assert.equal((await as.tom.send('GET', pathOf(entry['@id']))).status, 200)
})

test('anyone sees what anyone may read was, and no accounts', async (t) => {
  const { as, client } = await serve(t)
  const page = await create(as.tom, '/pages', { text: 'a', history: 'mine', deletion: 'none' })
  await as.tom.send('PATCH', page, { text: 'b' })
  const open = await client.send('GET', `${page}/history`)
  assert.equal(open.status, 200)
  const entries = open.json().member as Entry[]
  assert.deepEqual(
    entries.map(({ actor, restore }) => [actor, restore]),
    [
      [undefined, undefined],
      [undefined, undefined],
    ],
  )
  assert.equal((await client.send('GET', pathOf(entries[1]?.['@id']))).json().text, 'a')
  assert.equal((await client.send('POST', `${pathOf(entries[1]?.['@id'])}/restore`)).status, 401)
})

test('where the class has a property of the name, the link stands under its IRI', async (t) => {
  const { as, base } = await serve(t)
  const page = await create(as.tom, '/pages', { text: 'a', history: 'mine', deletion: 'none' })
  const shown = (await as.tom.send('GET', page)).json()
  assert.equal(shown.history, 'mine')
  assert.deepEqual(shown[`${base}/vocab#history`], { '@id': `${base}${page}/history` })
  // What was read can be sent again as it is.
  const put = await as.tom.send('PUT', page, shown)
  assert.equal(put.status, 200, put.body)
  await as.tom.send('DELETE', page)
  const list = (await as.tom.send('GET', '/pages?deleted=true')).json().member as Record<string, Entry>[]
  assert.deepEqual([list[0]?.deletion, list[0]?.[`${base}/vocab#deletion`]?.['@type']], ['none', 'Delete'])
  const turtle = await as.tom.send('GET', '/pages?deleted=true', undefined, { Accept: 'text/turtle' })
  assert.match(turtle.body, /activitystreams#Delete/)
})

test('a property called deleted is asked for with an operator', async (t) => {
  const { as } = await serve(t)
  await create(as.tom, '/pages', { text: 'a', deleted: 'no' })
  const found = (await as.tom.send('GET', '/pages?deleted.eq=no')).json()
  assert.equal((found.member as unknown[]).length, 1)
  const { search } = (await as.tom.send('GET', '/pages')).json() as unknown as {
    search: { mapping: { variable: string }[] }
  }
  const offered = search.mapping.map(({ variable }) => variable)
  assert.ok(offered.includes('deleted.eq') && !offered.includes('deleted'))
  assert.equal((await as.tom.send('GET', '/pages?deleted=no')).status, 400)
})

test('a single resource has a history, too', async (t) => {
  const { as } = await serve(t)
  assert.equal((await as.tom.send('PUT', '/Site', { title: 'a' })).status, 201)
  assert.equal((await as.tom.send('PUT', '/Site', { title: 'b' })).status, 200)
  const entries = await entriesOf(as.tom, '/Site')
  assert.deepEqual(
    entries.map((one) => one['@type']),
    ['Update', 'Create'],
  )
  assert.equal((await as.tom.send('GET', pathOf(entries[1]?.['@id']))).json().title, 'a')
  assert.equal((await as.tom.send('DELETE', '/Site')).status, 204)
  assert.equal((await as.tom.send('GET', '/Site')).status, 410)
  const restored = await as.tom.send('POST', pathOf(entries[1]?.restore))
  assert.equal(restored.status, 201, restored.body)
  assert.equal((await as.tom.send('GET', '/Site')).json().title, 'a')
})

test('whoever uses the id of a member that is gone learns nothing of that member', async (t) => {
  const { as } = await serve(t)
  const anew = { 'If-None-Match': '*' }
  const lives = [
    ['/drafts/x', { text: 'of tom' }, { text: 'of eve' }],
    ['/tasks/x', { assignee: '/api/accounts/34' }, { assignee: '/api/accounts/35' }],
  ] as const
  for (const [path, first, second] of lives) {
    assert.equal((await as.tom.send('PUT', path, first, anew)).status, 201)
    const [old] = (await entriesOf(as.tom, path)) as [Entry]
    assert.equal((await as.sue.send('DELETE', path)).status, 204)
    await setTimeout(1_000 - (Date.now() % 1_000))
    assert.equal((await as.eve.send('PUT', path, second, anew)).status, 201)
    assert.deepEqual(
      (await entriesOf(as.eve, path)).map((one) => [one['@type'], one.changed]),
      [['Create', undefined]],
    )
    const ask = async (to: string, headers = {}) => (await as.eve.send('GET', to, undefined, headers)).status
    assert.equal(await ask(pathOf(old['@id'])), 404)
    assert.equal((await as.eve.send('POST', `${pathOf(old['@id'])}/restore`)).status, 404)
    assert.equal(await ask(path, { 'Accept-Datetime': new Date(old.published).toUTCString() }), 404)
    const map = await as.eve.send('GET', `${path}/history`, undefined, { Accept: 'application/link-format' })
    assert.equal(map.body.match(/rel="memento"/g)?.length, 1)
    const [own] = (await entriesOf(as.eve, path)) as [Entry]
    assert.doesNotMatch(String((await as.eve.send('GET', pathOf(own['@id']))).headers.link), /rel="prev/)
  }
})
