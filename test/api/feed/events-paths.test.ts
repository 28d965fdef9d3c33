import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountModel } from '../../support/accounts.ts'
import { newDatabase } from '../../support/databases.ts'
import { modelOf } from '../../support/service.ts'
import { openStream } from '../../support/streams.ts'
import { addUsers } from '../../support/users.ts'
import type { Json } from '../signed-in.ts'
import { type EventsPage, idOf, shown } from './changes.ts'
import { PEOPLE, type Person, type Studio, serveStudio } from './studio.ts'

async function pageOf({ as }: Studio, name: Person, query = '?itemsPerPage=100'): Promise<EventsPage> {
  const response = await as[name].send('GET', `/events${query}`)
  assert.equal(response.status, 200, response.body)
  return response.json() as EventsPage
}

const told = async (studio: Studio, name: Person, query?: string) =>
  shown(studio, (await pageOf(studio, name, query)).member)

/** Each must succeed. */
async function writeAll(
  { write }: Studio,
  ...writes: readonly (readonly [method: string, path: string, body?: unknown])[]
): Promise<void> {
  for (const [method, path, body] of writes) {
    const status = await write(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${status}`)
  }
}

// contract: The log keeps, for one-step paths, the accounts before and after the change
// contract: The log keeps, for one-step paths
test('a member that comes into sight is sent as create, one that leaves it as delete, and no other', async (t) => {
  const studio = await serveStudio(t)
  const [ann, ben] = [studio.account('ann'), studio.account('ben')]
  await writeAll(
    studio,
    ['PUT', '/tasks/a', { title: '1' }],
    ['PATCH', '/tasks/a', { assignee: ann }],
    ['PATCH', '/tasks/a', { title: '2' }],
    ['PATCH', '/tasks/a', { assignee: ben }],
    ['PATCH', '/tasks/a', { title: '3' }],
    ['DELETE', '/tasks/a'],
    ['PUT', '/projects/p', { members: [ann] }],
    ['PATCH', '/projects/p', { members: [ann, ben] }],
    ['PATCH', '/projects/p', { members: [ben] }],
  )
  assert.deepEqual(await told(studio, 'ann'), [
    'Create /tasks/a',
    'Update /tasks/a',
    'Delete /tasks/a',
    'Create /projects/p',
    'Update /projects/p',
    'Resync /notes',
    'Delete /projects/p',
  ])
  assert.deepEqual(await told(studio, 'ben'), [
    'Create /tasks/a',
    'Update /tasks/a',
    'Delete /tasks/a',
    'Resync /notes',
    'Create /projects/p',
    'Update /projects/p',
  ])
  assert.deepEqual(await told(studio, 'eve'), [])
  const all = ['Create', 'Update', 'Update', 'Update', 'Update', 'Delete'].map((type) => `${type} /tasks/a`)
  assert.deepEqual(await told(studio, 'manager', '?collection=tasks'), all)
})

test('a delete of what has left the sight says nothing but the address and the class', async (t) => {
  const studio = await serveStudio(t)
  const { base, account } = studio
  await writeAll(
    studio,
    ['PUT', '/tasks/a', { title: 'secret', assignee: account('ann') }],
    ['PATCH', '/tasks/a', { assignee: null, title: 'more' }],
    ['PATCH', '/tasks/a', { assignee: account('ann') }],
  )
  const { member } = await pageOf(studio, 'ann', '?include=object')
  const [first, gone, last] = member
  // The member is in full at its first event: it is readable again.
  assert.equal(first?.object.title, 'more')
  assert.deepEqual(Object.keys(gone ?? {}), ['@id', '@type', 'object', 'actor', 'published'])
  assert.deepEqual(gone?.object, { '@id': `${base}/tasks/a`, '@type': 'Task' })
  assert.equal(last?.['@type'], 'Create')
  const { etag } = (await studio.as.ann.send('GET', '/tasks/a')).headers
  assert.equal(last?.etag, etag)
  await writeAll(studio, ['PATCH', '/tasks/a', { assignee: null }])
  const after = (await pageOf(studio, 'ann', '?include=object')).member
  assert.ok(
    after.every(({ object }) => !('title' in object)),
    JSON.stringify(after),
  )
})

// contract: Where a member on a two-step path changes so that others come into sight or leave it
test('a project that gets or loses a member sends resync to that user, once', async (t) => {
  const studio = await serveStudio(t)
  const [ann, ben] = [studio.account('ann'), studio.account('ben')]
  await writeAll(
    studio,
    ['PUT', '/folders/f', { keeper: ann }],
    ['PUT', '/pages/a', { folders: [`${studio.base}/folders/f`] }],
    ['PATCH', '/folders/f', { name: 'x' }],
    ['PATCH', '/folders/f', { keeper: ben }],
    ['PATCH', '/pages/a', { text: 'x' }],
    ['PATCH', '/pages/a', { reader: ann }],
    ['DELETE', '/folders/f'],
  )
  assert.deepEqual(await told(studio, 'ann'), [
    'Create /pages/a',
    'Resync /pages',
    'Create /pages/a',
    'Update /pages/a',
  ])
  assert.deepEqual(await told(studio, 'ben'), [
    'Resync /pages',
    'Update /pages/a',
    'Update /pages/a',
    'Delete /pages/a',
    'Resync /pages',
  ])
  assert.deepEqual(await told(studio, 'eve'), [])
  const { base } = studio
  assert.deepEqual(await told(studio, 'ben', '?collection=topics'), [])
  assert.equal((await told(studio, 'ben', '?collection=pages')).length, 5)
  assert.equal((await told(studio, 'ben', `?resource=${base}/pages/a`)).length, 5)
  assert.deepEqual(await told(studio, 'ben', `?resource=${base}/topics/a`), [])
  const [resync] = (await pageOf(studio, 'ben')).member
  const { '@id': address, ...rest } = resync as Json
  assert.match(String(address), /\/events#[\w-]{22}$/)
  assert.deepEqual(rest, {
    '@type': 'Resync',
    object: { '@id': `${base}/pages` },
    published: resync?.published,
  })
})

const TWO_WAYS = `
roles: [manager]
accounts: { view: everyone }
classes:
  Project:
    access: { all: [manager, members], create: everyone }
    properties: { members: { type: Account, many: true }, lead: Account }
  Task:
    access: { all: [manager, project.lead, project.members, other.members], create: everyone }
    properties: { project: Project, other: Project }
  Note:
    access: { all: [manager, project.members], create: everyone }
    properties: { project: Project }
`

// contract: Where a member on a two-step path changes so that others come into sight or leave it
test('a change that moves members by several paths sends one resync for each collection', async (t) => {
  const studio = await serveStudio(t, { model: accountModel(modelOf(TWO_WAYS)) })
  const ann = studio.account('ann')
  await writeAll(
    studio,
    ['PUT', '/projects/p', {}],
    ['PATCH', '/projects/p', { members: [ann] }],
    ['PATCH', '/projects/p', { members: [], lead: ann }],
  )
  const all = (await pageOf(studio, 'ann')).member
  assert.deepEqual(shown(studio, all), [
    'Resync /tasks',
    'Resync /notes',
    'Create /projects/p',
    'Resync /tasks',
    'Resync /notes',
    'Delete /projects/p',
  ])
  for (const [index, event] of all.entries())
    assert.deepEqual((await pageOf(studio, 'ann', `?after=${idOf(event)}`)).member, all.slice(index + 1))
  assert.deepEqual(await told(studio, 'ann', '?collection=tasks'), ['Resync /tasks', 'Resync /tasks'])
})

// A change may have several events: each has an id from which a client goes on after it.
test('a change with several events is cut between them without a gap and without a repeat', async (t) => {
  const studio = await serveStudio(t, { db: newDatabase(t) })
  const { client, account } = studio
  const [ann, ben] = [account('ann'), account('ben')]
  await writeAll(
    studio,
    ['PUT', '/projects/p', {}],
    ['PATCH', '/projects/p', { members: [ann, ben] }],
    ['PATCH', '/projects/p', { name: 'x' }],
    ['PATCH', '/projects/p', { members: [ben] }],
  )
  const all = (await pageOf(studio, 'ann')).member
  assert.deepEqual(shown(studio, all), [
    'Resync /notes',
    'Create /projects/p',
    'Update /projects/p',
    'Resync /notes',
    'Delete /projects/p',
  ])
  assert.equal(new Set(all.map(idOf)).size, 5)
  for (const [index, event] of all.entries()) {
    const rest = all.slice(index + 1)
    assert.deepEqual((await pageOf(studio, 'ann', `?after=${idOf(event)}`)).member, rest)
    const headers = { 'X-Authorization': await client.signIn(PEOPLE.ann[0]), 'Last-Event-ID': idOf(event) }
    const stream = openStream(studio, '', headers)
    const [, ...sent] = await stream.until(1 + rest.length)
    stream.cut()
    assert.deepEqual(
      sent.map(({ type, id, data: { '@context': _, ...data } }) => [type, id, data]),
      rest.map((one) => [String(one['@type']).toLowerCase(), idOf(one), one]),
    )
  }
  let path = '/events?itemsPerPage=1'
  const singly: Json[] = []
  for (let page = 0; page < 6; page += 1) {
    const { member, view } = (await studio.as.ann.send('GET', path)).json() as EventsPage
    singly.push(...member)
    path = view.next.slice(studio.base.length)
  }
  assert.deepEqual(singly, all)
})

// contract: The internal number rules
test('who gets the id of a removed user sees nothing of what named that user', async (t) => {
  const studio = await serveStudio(t)
  const { store, client, base } = studio
  await writeAll(
    studio,
    ['PUT', '/tasks/a', { assignee: studio.account('ann') }],
    ['PUT', '/projects/p', { members: [studio.account('ann')] }],
    ['PUT', '/notes/n', { project: `${base}/projects/p` }],
    ['PATCH', '/tasks/a', { assignee: null }],
    ['PATCH', '/projects/p', { members: [] }],
  )
  assert.equal((await told(studio, 'ann')).length, 6)
  const [id] = PEOPLE.ann
  await store.auth.removeUser(id)
  await addUsers(studio, { [id]: [] })
  const headers = { 'X-Authorization': await client.signIn(id) }
  const page = (await client.send('GET', '/events', headers)).json() as EventsPage
  assert.deepEqual(page.member, [])
  await writeAll(studio, ['PATCH', '/tasks/a', { assignee: `${base}/accounts/${id}` }])
  const next = (await client.send('GET', '/events', headers)).json() as EventsPage
  assert.deepEqual(shown(studio, next.member), ['Create /tasks/a'])
})

test('a member that was linked and removed before a user came to its project is not sent to that user', async (t) => {
  const studio = await serveStudio(t)
  const { base, account } = studio
  const p = `${base}/projects/p`
  await writeAll(
    studio,
    ['PUT', '/projects/p', { members: [account('ann')] }],
    ['PUT', '/notes/old', { project: p }],
    ['DELETE', '/notes/old'],
    ['PUT', '/notes/n', { project: p }],
    ['PATCH', '/projects/p', { members: [account('ben')] }],
    ['PATCH', '/notes/n', { text: 'x' }],
  )
  assert.deepEqual(await told(studio, 'ben'), ['Resync /notes', 'Create /projects/p', 'Update /notes/n'])
  assert.deepEqual(await told(studio, 'ann'), [
    'Create /projects/p',
    'Create /notes/old',
    'Delete /notes/old',
    'Create /notes/n',
    'Resync /notes',
    'Delete /projects/p',
  ])
})

test('accounts are not in the feed', async (t) => {
  const studio = await serveStudio(t)
  assert.deepEqual(await told(studio, 'manager'), [])
  assert.equal(await studio.store.changes.last(), undefined)
})
