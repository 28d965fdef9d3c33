import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Principal } from '../../../src/auth/index.ts'
import { modelOf } from '../../support/service.ts'
import { type AppAnswer, type AppOfUsers, type AppRequest, openApp, user } from '../app-of-users.ts'
import { type Json, sentenceOf } from '../signed-in.ts'
import { serveUsers } from '../users.ts'

/** With `secret` lines, or as if these properties had never been. */
const api = (secret: (line: string) => string): string => `
title: Studio
roles: [clerk, boss]
classes:
  Person:
    collection: people
    access: { create: clerk }
    properties:
      name: string
${secret('      address: { type: Address, view: clerk }')}
  Address: { collection: false, properties: { city: string, country: Country } }
  Country: { properties: { name: string }, access: { write: clerk } }
  Job:
    label: [title]
    unique:
      - [title, place]
${secret('      - [title, rate]')}
    properties:
${secret('      memo: { type: string, view: clerk, write: clerk }')}
      title: { type: string, required: true }
${secret('      rate: { type: decimal, required: true, default: "1.5", view: clerk, write: [clerk] }')}
      place: string
${secret('      agent: { type: Person, view: clerk, reverse: jobs, onDelete: unset }')}
      client: { type: Person, reverse: orders }
${secret('      codes: { type: string, many: true, unique: false, view: clerk }')}
${secret('      texts: { type: langString, view: clerk }')}
${secret('      number: { type: integer, unique: true, view: clerk }')}
      note: string
${secret('      touched: { type: dateTime, always: now, view: clerk }')}
`

const WITH = api((line) => line)
const WITHOUT = api(() => '').replace(
  '  Address: { collection: false, properties: { city: string, country: Country } }\n',
  '',
)

const ANN = user(1)
const CLERK = user(2, ['clerk'])
const JSON_LD = { 'Content-Type': 'application/ld+json' }
const PATCH = { 'Content-Type': 'application/merge-patch+json' }
const NEW = { ...JSON_LD, 'If-None-Match': '*' }
const PROBLEM = { Accept: 'application/ld+json, application/problem+json' }

const write = (
  method: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = JSON_LD,
): AppRequest => ({ method, path, headers: { ...PROBLEM, ...headers }, body: JSON.stringify(body) })

async function sent(app: AppOfUsers, request: AppRequest, by: Principal, status: number): Promise<AppAnswer> {
  const answer = await app.send(request, by)
  assert.equal(answer.status, status, `${request.method} ${request.path}: ${answer.text}`)
  return answer
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}): AppRequest => ({
  method: 'GET',
  path,
  headers,
})

const SECRETS = {
  memo: 'hush secretive words',
  rate: '7.25',
  agent: '/api/people/p2',
  codes: ['xx', 'yy'],
  texts: { en: 'clandestine', de: 'geheim' },
  number: 4711,
}

const PEOPLE = ['p1', 'p2', 'p3']
const JOBS = Array.from({ length: 7 }, (_, index) => ({
  id: `j${index}`,
  own: {
    title: `Title ${index}`,
    place: index % 2 === 0 ? 'here' : 'there "quoted" ,"rate":1',
    client: `/api/people/p${1 + (index % 3)}`,
    note: 'Some ,"memo":"words" in it',
  },
}))

/** The same members twice: with what a clerk adds, and in a database in which that never was. */
async function openSides(t: TestContext) {
  const [left, right] = [await openApp(t, modelOf(WITH)), await openApp(t, modelOf(WITHOUT))]
  for (const [app, has] of [
    [left, true],
    [right, false],
  ] as const) {
    await sent(app, write('PUT', '/countries/c', { name: 'C' }, NEW), CLERK, 201)
    for (const id of PEOPLE) {
      const secret = has ? { address: { city: 'Hidden City', country: '/api/countries/c' } } : {}
      await sent(app, write('PUT', `/people/${id}`, { name: id, ...secret }, NEW), CLERK, 201)
    }
    for (const [index, { id, own }] of JOBS.entries()) {
      // Each another, since that something is taken can be seen.
      const secret = has ? { ...SECRETS, rate: `7.2${index}`, number: index } : {}
      await sent(app, write('PUT', `/jobs/${id}`, { ...own, ...secret }, NEW), CLERK, 201)
    }
  }
  return { left, right }
}

const READS: readonly string[] = [
  ...['/', '/vocab', '/vocab?resource=Job', '/openapi', '/contexts/Job', '/contexts/JobCollection'],
  ...['/contexts/Person', '/contexts/Address', '/contexts/Job?include=client', '/contexts/events'],
  ...['/jobs', '/jobs?itemsPerPage=2', '/jobs?page=2', '/jobs/j1', '/people/p1', '/people', '/jobs/nothing'],
  ...[
    '/jobs?include=client',
    '/jobs/j1?include=client',
    '/people?include=orders',
    '/people/p1?include=orders',
  ],
  ...['/jobs/j1?include=agent', '/people/p2?include=jobs', '/people?include=address.country'],
  ...['/jobs?fields=title', '/jobs?fields=title,rate', '/jobs/j1?fields=memo', '/people?fields=address.city'],
  ...['/jobs?include=client&fields=title,client.name', '/jobs?include=client&fields=client.address'],
  ...[
    '/jobs?rate=7.25',
    '/jobs?rate.gt=1',
    '/jobs?memo=x',
    '/jobs?ratee=1',
    '/jobs?titel=x',
    '/jobs?agent.name=p2',
  ],
  ...['/jobs?client.address.city=x', '/people?address.city=Hidden%20City', '/people?jobs.title=x'],
  ...['/jobs?exists[rate]=true', '/jobs?or[a][rate]=1&or[a][title]=x', '/jobs?touched.gt=1970-01-01'],
  ...[
    '/jobs?sort=rate',
    '/jobs?order[rate]=asc',
    '/jobs?sort=-title',
    '/jobs?sort=client.name',
    '/jobs?sort=agent.name',
  ],
  ...['/jobs?q=secretive', '/jobs?q=secret*', '/jobs?q=hush%20title', '/jobs?q=title', '/jobs?q=clandestine'],
  ...['/jobs?or[a][q]=hush&or[a][q]=title', '/jobs?q=words', '/people?q=hidden'],
  ...[
    '/summaries/jobs?group=rate',
    '/summaries/jobs?sum=rate',
    '/summaries/jobs?group=place',
    '/summaries/jobs',
  ],
  ...['/summaries/jobs?q=hush', '/summaries/jobs?group=client.address.city', '/summaries/people?group=name'],
  ...['/events', '/events?include=object', '/events?collection=jobs&include=object&itemsPerPage=50'],
  ...['/people/p2/jobs', '/people/p2/orders', '/jobs/j1/rate', '/people/p1/address', '/people/p1/removal'],
]

const ACCEPTS = ['', 'application/json', 'text/csv', 'text/turtle', 'application/n-quads', PROBLEM.Accept]

const WRITES: readonly AppRequest[] = [
  write('POST', '/jobs', { title: 'New', rate: '3' }),
  write('POST', '/jobs', { title: 'New', ratee: '3', memo: 1 }),
  write('POST', '/jobs', { rate: 'x', memo: 5, nmuber: 1 }),
  write('POST', '/jobs', { '@context': { r: 'http://x.example/api/vocab#Job/rate' }, r: '3' }),
  write('POST', '/jobs', { 'http://x.example/api/vocab#Job/rate': '3', title: 'x' }),
  write('POST', '/people', { name: 'x', address: { city: 'y' } }),
  write('PUT', '/jobs/j1', { title: 'Two', rate: '3' }),
  write('PUT', '/jobs/j1', { note: 'x', agent: null }),
  write('PATCH', '/jobs/j1', { rate: null }, PATCH),
  write('PATCH', '/jobs/j1', { memo: 'x', number: 0, title: '' }, PATCH),
  write('PUT', '/jobs/j2', { title: 'Changed', place: 'here' }),
  write('PATCH', '/jobs/j3', { note: null, title: 'Patched' }, PATCH),
  write('PUT', '/jobs/new', { title: 'Added' }, NEW),
  write('PUT', '/jobs/new', { title: 'Added' }, NEW),
  write('PATCH', '/jobs/new', { title: 'Patched', place: undefined }, PATCH),
  write('PATCH', '/jobs/j4', { title: 'Title 6', place: 'here' }, PATCH),
  write('POST', '/batch', {
    operation: [
      { '@type': 'Operation', method: 'PATCH', target: '/api/jobs/j5', object: { rate: '1' } },
      { '@type': 'Operation', method: 'PATCH', target: '/api/jobs/j5', object: { note: 'n' } },
    ],
  }),
  { method: 'DELETE', path: '/jobs/j6' },
]

/** Ids that the server has chosen; of events, their names, times and positions. */
const OPAQUE = /[\da-f]{8}-[\da-f-]{27}|(?<=events#|after=)[\w-]+|\d{4}-\d\d-\d\dT[\d:.]+Z/g
/** The page of events has such names in its own ETag. */
const WITH_ETAGS = /(?<=ETag\n")[^"]+/

function toldBy({ text }: AppAnswer, { path }: AppRequest): string {
  const told = text.replaceAll(OPAQUE, '…')
  return path.startsWith('/events') ? told.replace(WITH_ETAGS, '…') : told
}

// contract: For a user who may not view it the property does not exist
// contract: Sent by such a user it is an unknown property
// contract: A filter by it is the same 400
test('a property for others is as if it had never been: byte for byte', async (t) => {
  const { left, right } = await openSides(t)
  const statuses = new Map<number, number>()
  const compare = async (request: AppRequest) => {
    const [one, other] = [await left.send(request, ANN), await right.send(request, ANN)]
    assert.equal(
      toldBy(one, request),
      toldBy(other, request),
      `${request.method} ${request.path} ${request.body}`,
    )
    statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
    return one
  }
  const readAll = async () => {
    for (const path of READS)
      for (const Accept of ACCEPTS) {
        const { headers } = await compare(get(path, Accept === '' ? {} : { Accept }))
        const etag = headers.get('etag')
        if (etag !== undefined && !path.startsWith('/events'))
          await compare(get(path, { Accept, 'If-None-Match': etag }))
      }
    for (const { id } of JOBS) await compare(get(`/jobs/${id}`))
  }
  await readAll()
  for (const request of WRITES) await compare(request)
  await readAll()

  for (const status of [200, 201, 204, 304, 400, 404, 406, 412, 422])
    assert.ok(statuses.has(status), `${status} is not among ${[...statuses]}`)

  // And everything is still there, for those who may see it.
  const shown = JSON.parse((await sent(left, get('/jobs/j2'), CLERK, 200)).body) as Json
  const { memo, rate, codes, texts, number, agent, title, note } = shown
  assert.deepEqual(
    { memo, rate, codes, texts, number },
    { ...withoutAgent(SECRETS), rate: '7.22', number: 2 },
  )
  assert.deepEqual([title, note, agent], ['Changed', undefined, 'http://x.example/api/people/p2'])
  const added = JSON.parse((await sent(left, get('/jobs/new'), CLERK, 200)).body) as Json
  assert.deepEqual([added.rate, added.memo, typeof added.touched], ['1.5', undefined, 'string'])
  await left.close()
  await right.close()
})

const withoutAgent = ({ agent: _, ...rest }: typeof SECRETS) => rest

test('who may view it finds members by its words, and others do not', async (t) => {
  const { left, right } = await openSides(t)
  const found = async (query: string, by: Principal) => {
    const { member } = JSON.parse((await sent(left, get(`/jobs?itemsPerPage=50&${query}`), by, 200)).body)
    return (member as Json[]).length
  }
  const table: [query: string, clerks: number, anns: number][] = [
    ['q=secretive', 7, 0],
    ['q=secr*', 7, 0],
    ['q=hush%20title', 7, 0],
    ['q=clandestine', 7, 0],
    ['q=title', 7, 7],
    ['q=geheim%20nothing', 0, 0],
    ['or[a][q]=hush&or[a][title]=Title%201', 7, 1],
  ]
  for (const [query, clerks, anns] of table)
    assert.deepEqual([await found(query, CLERK), await found(query, ANN)], [clerks, anns], query)
  await left.close()
  await right.close()
})

test('words that a user may not see do not count towards the limit', async (t) => {
  const { left, right } = await openSides(t)
  const noteOf = (words: number) => Array.from({ length: words }, (_, index) => `w${index}`).join(' ')
  for (const [words, status] of [
    [20_100, 422],
    [19_995, 200],
  ] as const) {
    const request = write('PATCH', '/jobs/j1', { note: noteOf(words) }, PATCH)
    const [one, other] = [await sent(left, request, ANN, status), await sent(right, request, ANN, status)]
    assert.equal(toldBy(one, request), toldBy(other, request))
  }
  await left.close()
  await right.close()
})

// contract: What remains visible, and nothing else: that the member
test('that something is taken, and that something links, is all that can be seen', async (t) => {
  const { left, right } = await openSides(t)
  const codesIn = ({ body }: AppAnswer) =>
    (JSON.parse(body).violations as Json[]).map(({ propertyPath, code }) => `${code} ${propertyPath}`)
  // The rate that a new member gets is hidden: with the same title it is taken.
  await sent(left, write('PUT', '/jobs/a', { title: 'Same' }, NEW), ANN, 201)
  const taken = await sent(left, write('PUT', '/jobs/b', { title: 'Same' }, NEW), ANN, 422)
  assert.deepEqual(codesIn(taken), ['NotUnique title'])
  assert.doesNotMatch(taken.text, /rate/)
  const clerks = await sent(left, write('PUT', '/jobs/b', { title: 'Same' }, NEW), CLERK, 422)
  assert.deepEqual(codesIn(clerks), ['NotUniqueTogether title'])

  // A person whom only the hidden link of a job leads to.
  await sent(left, write('PUT', '/people/p4', { name: 'p4' }, NEW), CLERK, 201)
  await sent(left, write('PATCH', '/jobs/j1', { agent: '/api/people/p4' }, PATCH), CLERK, 200)
  const refused = await sent(left, { method: 'DELETE', path: '/people/p4', headers: PROBLEM }, ANN, 409)
  assert.doesNotMatch(refused.text, /agent|j1|Title/)
  await sent(left, { method: 'DELETE', path: '/people/p4' }, CLERK, 204)
  const { agent } = JSON.parse((await sent(left, get('/jobs/j1'), CLERK, 200)).body)
  assert.equal(agent, undefined)
  await left.close()
  await right.close()
})

// contract: For a user who may not view it the property does not exist
test('a refusal names no hidden property on the path to those who may', async (t) => {
  const api = `
roles: [clerk]
accounts: { view: everyone }
classes:
  Job:
    access: { view: everyone, create: everyone, update: [clerk, plan.chiefs, project.chiefs], delete: helper }
    properties:
      title: string
      helper: Account
      plan: { type: Plan, view: clerk }
      project: Project
  Plan: { properties: { chiefs: Account } }
  Project: { properties: { chiefs: { type: Account, view: clerk } } }
`
  const { as } = await serveUsers(t, { ann: [11], clerk: [12, 'clerk'] }, { api })
  assert.equal((await as.clerk.send('PUT', '/jobs/1', { title: 'x' }, { 'If-None-Match': '*' })).status, 201)
  const updated = await as.ann.send('PATCH', '/jobs/1', { title: 'y' })
  assert.equal(updated.status, 403)
  assert.equal(sentenceOf(updated), 'Only a clerk or a user whom it names may update this member.')
  for (const user of [as.ann, as.clerk])
    assert.equal(sentenceOf(await user.send('DELETE', '/jobs/1')), 'Only its helper may delete this member.')
})
