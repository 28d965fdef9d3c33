import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '../../../src/auth/index.ts'
import { writeMember } from '../../../src/members/index.ts'
import { modelOf } from '../../support/service.ts'
import { type AppAnswer, type AppOfUsers, type AppRequest, openApp, user } from '../app-of-users.ts'
import { classIn } from '../queries.ts'
import type { Json } from '../signed-in.ts'

const API = `
roles: [clerk]
classes:
  Report:
    label: [title]
    properties:
      title: { type: string, required: true }
      salary: { type: integer, view: [clerk, owner], write: [clerk, owner] }
      grade: { type: string, default: new, write: clerk }
      boss: { type: Report, view: [clerk, owner], reverse: team }
      peer: Report
      tags: { type: string, many: true, view: [clerk, owner], write: clerk }
  Task:
    label: [name]
    properties:
      name: string
      assignee: { type: Account, view: clerk }
      project: Project
      effort: { type: integer, view: [clerk, assignee], write: [clerk, assignee] }
      hint: { type: string, view: [clerk, project.members] }
  Project:
    label: [name]
    properties: { name: string, members: { type: Account, many: true } }
`

const [ANN, BEN, CLERK] = [user(1), user(2), user(3, ['clerk'])]
const JSON_LD = { 'Content-Type': 'application/ld+json' }
const PATCH = { 'Content-Type': 'application/merge-patch+json' }
const NEW = { ...JSON_LD, 'If-None-Match': '*' }
const PROBLEM = { Accept: 'application/ld+json, application/problem+json' }

interface Sender {
  get(path: string, by: Principal, headers?: Readonly<Record<string, string>>): Promise<AppAnswer>
  write(...request: Sent): Promise<AppAnswer>
  json(path: string, by: Principal): Promise<Json>
}

type Sent = [method: string, path: string, body: object, by: Principal, headers?: AppRequest['headers']]

const senderOf = (app: AppOfUsers): Sender => {
  const get: Sender['get'] = (path, by, headers = {}) => app.send({ method: 'GET', path, headers }, by)
  return {
    get,
    write: (method, path, body, by, headers = method === 'PATCH' ? PATCH : JSON_LD) =>
      app.send({ method, path, headers: { ...PROBLEM, ...headers }, body: JSON.stringify(body) }, by),
    async json(path, by) {
      const { status, body, text } = await get(path, by)
      assert.equal(status, 200, text)
      return JSON.parse(body)
    },
  }
}

const codesIn = ({ body }: AppAnswer): string[] =>
  (JSON.parse(body).violations as Json[]).map(({ propertyPath, code }) => `${code} ${propertyPath}`)

const membersIn = (page: Json): readonly Json[] => page.member as Json[]

async function openReports(t: Parameters<typeof openApp>[0]) {
  const app = await openApp(t, modelOf(API))
  const sender = senderOf(app)
  const put = async (id: string, body: object, by: Principal) => {
    const { status, text } = await sender.write('PUT', `/reports/${id}`, body, by, NEW)
    assert.equal(status, 201, text)
  }
  await put('b', { title: 'Boss', salary: 9 }, CLERK)
  await put('1', { title: 'One', salary: 5, boss: '/api/reports/b' }, ANN)
  await put('2', { title: 'Two', salary: 6, boss: '/api/reports/b', peer: '/api/reports/1' }, BEN)
  return { app, ...sender }
}

// contract: `rate: { type: decimal, view: bookkeeper
test('a property for owners is shown of their members alone', async (t) => {
  const { app, get, json } = await openReports(t)
  for (const [by, one, two] of [
    [ANN, 5, undefined],
    [BEN, undefined, 6],
    [CLERK, 5, 6],
  ] as const) {
    // Again and again: no page is shared.
    for (let times = 0; times < 2; times++) {
      assert.equal((await json('/reports/1', by)).salary, one)
      assert.equal((await json('/reports/2', by)).salary, two)
      const page = membersIn(await json('/reports', by))
      assert.deepEqual(
        page.slice(1).map(({ salary }) => salary),
        [one, two],
      )
      const alone = membersIn(await json('/reports?fields=salary', by))
      assert.deepEqual(
        alone.slice(1).map(({ salary, title }) => [salary, title]),
        [
          [one, undefined],
          [two, undefined],
        ],
      )
      const [, , ...rows] = (
        await get('/reports?fields=title,salary', by, { Accept: 'text/csv' })
      ).body.split('\r\n')
      assert.deepEqual(rows, [
        `http://x.example/api/reports/1,One,${one ?? ''}`,
        `http://x.example/api/reports/2,Two,${two ?? ''}`,
        '',
      ])
      const included = await json('/reports/2?include=peer&include=boss', by)
      assert.equal((included.peer as Json).salary, one)
      assert.equal(typeof included.boss, two === undefined ? 'undefined' : 'object')
      // Shown in full at the first place that the user sees.
      const withBoss = membersIn(await json('/reports?include=boss&title.ne=Boss', by))
      assert.deepEqual(
        withBoss.flatMap(({ boss }) => (boss as Json | undefined)?.title ?? []),
        ['Boss'],
      )
      const { member } = (await json('/events?include=object&itemsPerPage=50', by)) as { member: Json[] }
      assert.deepEqual(
        member.slice(1).map(({ object }) => (object as Json).salary),
        [one, two],
      )
    }
  }
  await app.close()
})

test('an ETag covers what is shown, and so does that of a page', async (t) => {
  const { app, get } = await openReports(t)
  for (const path of ['/reports/1', '/reports', '/reports?include=peer', '/reports?fields=title'])
    for (const Accept of ['application/ld+json', 'application/json', 'text/csv']) {
      const anns = await get(path, ANN, { Accept })
      if (anns.status === 406) continue
      const again = { Accept, 'If-None-Match': anns.headers.get('etag') ?? '' }
      assert.equal((await get(path, ANN, again)).status, 304, path)
      assert.equal((await get(path, BEN, again)).status, 200, path)
    }
  await app.close()
})

// contract: A filter by it is the same 400
test('it stays in the documentation, and no query may ask for it', async (t) => {
  const { app, get, json } = await openReports(t)
  for (const path of ['/vocab', '/openapi', '/contexts/Report'])
    assert.match((await get(path, BEN)).body, /salary/, path)
  for (const query of [
    'salary=5',
    'salary.gt=1',
    'sort=salary',
    'exists[boss]=true',
    'boss.title=Boss',
    'team.title=x',
  ])
    for (const by of [ANN, BEN]) assert.equal((await get(`/reports?${query}`, by)).status, 400, query)
  for (const query of ['group=salary', 'sum=salary', 'group=boss.title'])
    assert.equal((await get(`/summaries/reports?${query}`, ANN)).status, 400, query)
  assert.equal(membersIn(await json('/reports?salary.gt=5', CLERK)).length, 2)
  // The link from the other side would be such a query.
  assert.equal((await json('/reports/b', ANN)).team, undefined)
  assert.match(String((await json('/reports/b', CLERK)).team), /boss=/)
  assert.doesNotMatch(JSON.stringify((await json('/reports', ANN)).search), /salary|boss/)
  await app.close()
})

// contract: Sent by such a user it is an unknown property
// contract: PUT keeps what the user cannot see.
// contract: For a user who may view it and not write it
test('what one cannot see is unknown in a body, and stays; what one cannot write is read-only', async (t) => {
  const { app, write, json } = await openReports(t)
  const refused: [...Sent, ...codes: string[]][] = [
    ['PATCH', '/reports/1', { salary: 1 }, BEN, PATCH, 'UnknownProperty salary'],
    ['PATCH', '/reports/1', { salary: null }, BEN, PATCH, 'UnknownProperty salary'],
    ['PUT', '/reports/1', { title: 'x', boss: null }, BEN, JSON_LD, 'UnknownProperty boss'],
    ['PATCH', '/reports/1', { grade: 'good' }, ANN, PATCH, 'ReadOnly grade'],
    ['POST', '/reports', { title: 'x', grade: 'good' }, ANN, JSON_LD, 'ReadOnly grade'],
    ['POST', '/reports', { title: 'x', tags: ['a'] }, ANN, JSON_LD, 'ReadOnly tags'],
    [
      'PATCH',
      '/reports/1',
      { salary: 'x', tags: [], grade: 'x' },
      ANN,
      PATCH,
      'WrongDatatype salary',
      'ReadOnly grade',
    ],
  ]
  for (const [method, path, body, by, headers, ...codes] of refused as [...Required<Sent>, ...string[]][]) {
    const answer = await write(method, path, body, by, headers)
    assert.equal(answer.status, 422, answer.text)
    assert.deepEqual(codesIn(answer), codes, JSON.stringify(body))
  }
  const bens = await write('PUT', '/reports/1', { title: 'New', grade: 'new' }, BEN)
  assert.equal(bens.status, 200, bens.text)
  assert.deepEqual(await read(), ['New', 5, 'new', 'http://x.example/api/reports/b', undefined])
  assert.equal((await write('PATCH', '/reports/1', { title: 'Newer' }, BEN)).status, 200)
  assert.equal((await write('PATCH', '/reports/1', { tags: ['a'], grade: 'good' }, CLERK)).status, 200)
  assert.deepEqual(await read(), ['Newer', 5, 'good', 'http://x.example/api/reports/b', ['a']])
  // The owner removes what she sees, keeps what she cannot write, and may send it back.
  assert.equal(
    (await write('PUT', '/reports/1', { title: 'Own', grade: 'good', tags: ['a'] }, ANN)).status,
    200,
  )
  assert.deepEqual(await read(), ['Own', undefined, 'good', undefined, ['a']])
  const created = await write('POST', '/reports', { title: 'x', salary: 3 }, ANN)
  assert.deepEqual([created.status, JSON.parse(created.body).grade], [201, 'new'])
  await app.close()

  async function read() {
    const { title, salary, grade, boss, tags } = await json('/reports/1', CLERK)
    return [title, salary, grade, boss, tags]
  }
})

test('a property may be for those to whose accounts a link leads', async (t) => {
  const model = modelOf(API)
  const { store, ...app } = await openApp(t, model)
  const { get, write, json } = senderOf(app)
  for (const id of ['1', '2']) {
    const values = { userId: Number(id), name: `user ${id}` }
    await store.members.add('Account', { id, ...writeMember(classIn(model, 'Account'), values, '') })
  }
  const put = async (path: string, body: object, by: Principal, ...codes: string[]) => {
    const answer = await write('PUT', path, body, by, NEW)
    assert.equal(answer.status, codes.length === 0 ? 201 : 422, answer.text)
    if (codes.length > 0) assert.deepEqual(codesIn(answer), codes)
  }
  await put('/projects/p', { name: 'P', members: ['/api/accounts/2'] }, CLERK)
  const own = { assignee: '/api/accounts/1', project: '/api/projects/p' }
  await put('/tasks/1', { name: 'One', ...own, effort: 3, hint: 'H' }, CLERK)
  const shown = async (by: Principal) => {
    const { effort, hint, assignee } = await json('/tasks/1', by)
    // A page is kept when it is asked for again.
    for (let times = 0; times < 3; times++) {
      const [first] = membersIn(await json('/tasks', by))
      assert.deepEqual([first?.effort, first?.hint, first?.assignee], [effort, hint, assignee])
    }
    return [effort, hint]
  }
  assert.deepEqual(await shown(ANN), [3, undefined])
  assert.deepEqual(await shown(BEN), [undefined, 'H'])
  assert.deepEqual(await shown(CLERK), [3, 'H'])

  // As it is stored now, also for pages that are kept.
  const { status } = await write('PATCH', '/projects/p', { members: ['/api/accounts/1'] }, CLERK)
  assert.equal(status, 200)
  assert.deepEqual(await shown(ANN), [3, 'H'])
  assert.deepEqual(await shown(BEN), [undefined, undefined])

  assert.deepEqual(codesIn(await write('PATCH', '/tasks/1', { effort: 4 }, BEN)), ['UnknownProperty effort'])
  assert.equal((await write('PATCH', '/tasks/1', { effort: 4 }, ANN)).status, 200)
  // A new member: by its own links.
  await put('/tasks/2', { name: 'Two', project: '/api/projects/p', hint: 'x' }, ANN)
  await put('/tasks/3', { name: 'Three', project: '/api/projects/p', hint: 'x' }, BEN, 'UnknownProperty hint')
  await put('/tasks/3', { name: 'Three', effort: 1 }, BEN, 'UnknownProperty effort')
  assert.equal((await get('/tasks?effort=4', ANN)).status, 400)
  await app.close()
})
