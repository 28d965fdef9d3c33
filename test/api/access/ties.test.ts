import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTieReader } from '../../../src/api/access/ties.ts'
import { accountModel } from '../../support/accounts.ts'
import { modelOf } from '../../support/service.ts'
import { OFFICE, serveOffice } from '../accounts/office.ts'
import { CREATE } from '../newsroom.ts'
import { AS_PROBLEM, codesOf, type Json } from '../signed-in.ts'
import type { Visitor } from '../users.ts'

type Office = Awaited<ReturnType<typeof serveOffice>>

/** Tom is in project p, eve in project q; task t is in p, u in q and assigned to tom. */
async function fillOffice({ as, base }: Office) {
  const account = (id: number) => `${base}/accounts/${id}`
  const project = (id: string) => `${base}/projects/${id}`
  for (const [who, path, body] of [
    ['sue', '/customers/c', { name: 'Carl', contact: account(34) }],
    ['sue', '/customers/d', { name: 'Dora', contact: account(35) }],
    ['books', '/invoices/i', { number: '1', customer: `${base}/customers/c` }],
    ['books', '/invoices/j', { number: '2', customer: `${base}/customers/d` }],
    ['sue', '/projects/p', { title: 'P', members: [account(34), account(33)] }],
    ['sue', '/projects/q', { title: 'Q', members: [account(35), account(33)] }],
    ['sue', '/tasks/t', { title: 'T', project: project('p') }],
    ['sue', '/tasks/u', { title: 'U', project: project('q'), assignee: account(34) }],
  ] as const) {
    const response = await as[who].send('PUT', path, body, CREATE)
    assert.equal(response.status, 201, `${path}: ${response.body}`)
  }
  return { account, project }
}

const idsOf = async (visitor: Visitor, path: string) => {
  const { member, totalItems } = (await visitor.send('GET', path)).json() as {
    member: Json[]
    totalItems: number
  }
  const ids = member.map((one) => String(one['@id']).split('/').at(-1))
  assert.equal(totalItems, ids.length, path)
  return ids.join()
}

const answer = async (visitor: Visitor, method: string, path: string, body?: object, headers = {}) => {
  const response = await visitor.send(method, path, body, { ...AS_PROBLEM, ...headers })
  return response.status < 400 ? String(response.status) : `${response.status} ${codesOf(response)}`
}

// contract: Such a rule holds for this user and this member as long as the path leads to the user's account
// contract: What `access.md` says of owners holds
// contract: Two-step paths may scan (Cost).
test('a user sees the members whose links lead to the own account, and no others', async (t) => {
  const office = await serveOffice(t)
  const { as } = office
  await fillOffice(office)
  const seen = async (path: string) => [await idsOf(as.tom, path), await idsOf(as.eve, path)]
  assert.deepEqual(await seen('/customers'), ['c', 'd'])
  assert.deepEqual(await seen('/invoices'), ['i', 'j'])
  assert.deepEqual(await seen('/projects'), ['p', 'q'])
  assert.deepEqual(await seen('/tasks'), ['t,u', 'u'])
  assert.deepEqual(await seen('/tasks?order[title]=desc'), ['u,t', 'u'])
  assert.deepEqual(await seen('/tasks?q=t'), ['t', ''])
  assert.deepEqual(await seen('/tasks?title=T'), ['t', ''])
  assert.deepEqual(
    await seen('/tasks?project.title=Q'),
    ['', 'u'],
    'and no path leads further than one may read',
  )
  assert.deepEqual(await seen('/projects?itemsPerPage=1'), ['p', 'q'])
  const counted = async (visitor: Visitor) =>
    ((await visitor.send('GET', '/summaries/tasks')).json().member as Json[])[0]?.count
  assert.deepEqual([await counted(as.tom), await counted(as.eve), await counted(as.books)], [2, 1, 0])
  assert.deepEqual(
    [await answer(as.tom, 'GET', '/tasks/t'), await answer(as.eve, 'GET', '/tasks/t')],
    ['200', '404 MemberNotFound'],
  )
  const included = (await as.tom.send('GET', '/tasks/u?include=project')).json().project
  assert.equal(typeof included, 'string', 'what one may not read stays an address')
  assert.equal(typeof (await as.tom.send('GET', '/tasks/t?include=project')).json().project, 'object')
})

// contract: For `create` it is asked of the body
// contract: An `update` that would take the member out
test('who may create, change and remove is asked of the body, or of what is stored', async (t) => {
  const office = await serveOffice(t)
  const { as } = office
  const { account, project } = await fillOffice(office)
  const task = (id: string) => ({ title: 'new', project: project(id) })
  assert.equal(await answer(as.tom, 'POST', '/tasks', task('p')), '201')
  assert.equal(await answer(as.tom, 'POST', '/tasks', task('q')), '403 Forbidden')
  assert.equal(await answer(as.tom, 'PUT', '/tasks/n', task('q'), CREATE), '403 Forbidden')
  assert.equal(await answer(as.eve, 'PATCH', '/tasks/t', { title: 'x' }), '404 MemberNotFound')
  assert.equal(await answer(as.eve, 'DELETE', '/tasks/t'), '404 MemberNotFound')
  assert.equal(await answer(as.tom, 'PATCH', '/tasks/t', { title: 'x' }), '200')
  assert.equal(await answer(as.tom, 'PATCH', '/customers/c', { name: 'x' }), '403 Forbidden')
  const links = { project: project('q') }
  assert.equal(await answer(as.tom, 'PATCH', '/tasks/t', links), '422 project: DanglingLink')
  assert.equal(await answer(as.tom, 'PATCH', '/tasks/u', { assignee: null }), '204', 'out of sight')
  assert.equal(await answer(as.tom, 'GET', '/tasks/u'), '404 MemberNotFound')
  assert.equal(await answer(as.sue, 'PATCH', '/projects/p', { members: [account(33)] }), '200')
  assert.equal(await answer(as.tom, 'DELETE', '/tasks/t'), '404 MemberNotFound', 'as stored now')
  assert.equal(await answer(as.eve, 'DELETE', '/tasks/u'), '204')
})

test('an operation of a batch sees what those before it have linked', async (t) => {
  const office = await serveOffice(t)
  const { as } = office
  const { account, project } = await fillOffice(office)
  const operation = [
    { method: 'PUT', target: 'projects/r', ifNoneMatch: '*', body: { title: 'R', members: [account(33)] } },
    { method: 'PUT', target: 'tasks/r', ifNoneMatch: '*', body: { title: 'R', project: project('r') } },
    { method: 'PATCH', target: 'tasks/r', body: { title: 'S' } },
  ]
  const done = await as.sue.send('POST', '/batch', { operation })
  assert.equal(done.status, 200, done.body)
  assert.equal((await as.sue.send('GET', '/tasks/r')).json().title, 'S')
})

// contract: What `access.md` says of owners holds
test('a member says what this user may do with it, and its ETag covers that', async (t) => {
  const office = await serveOffice(t)
  const { as } = office
  await fillOffice(office)
  const read = async (visitor: Visitor) => {
    const { headers, json } = await visitor.send('GET', '/customers/c')
    const { operation } = json() as { operation?: { method: string }[] }
    return { methods: operation?.map(({ method }) => method).join(), etag: headers.etag }
  }
  const [staff, contact] = [await read(as.sue), await read(as.tom)]
  assert.equal(contact.methods, 'GET')
  assert.notEqual(staff.etag, contact.etag)
})

test('who lists members by one link alone gets them and their total as one gets all members', () => {
  const { classes } = accountModel(modelOf(OFFICE))
  const ties = createTieReader({ classes }, { find: async () => undefined })
  const filterOf = (className: string, paths: readonly string[], owner = false) =>
    ties.filterOf({ owner, paths }, className, { userId: 34, number: 7, roles: [] })
  const link = { property: 'members', test: 'in', keys: ['34'] }
  assert.deepEqual(filterOf('Project', ['members']), { ...link, isScope: true })
  assert.deepEqual(filterOf('Project', ['members'], true), {
    ...{ test: 'any', filters: [{ test: 'owner', owner: 7 }, link] },
  })
  assert.equal(filterOf('Invoice', ['customer.contact']).test, 'some')
})
