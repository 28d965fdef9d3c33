import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../../support/databases.ts'
import { serveUsers } from '../users.ts'
import { entriesOf, pathOf } from './entries.ts'

const API = `
history: true
roles: [staff, clerk]
accounts: { view: everyone }
classes:
  Customer: { properties: { name: string } }
  Order:
    access: { write: everyone, delete: [owner, staff] }
    properties:
      text: { type: string, required: true }
      customer: { type: Customer, onDelete: delete }
      rate: { type: decimal, view: [staff, clerk], write: staff }
      total: { type: decimal, writable: false }
`
const USERS = { sue: [33, 'staff'], joe: [36, 'clerk'], tom: [34], eve: [35] } as const

const program = {
  hooks: {
    Order: {
      beforeWrite: (write: { readonly member?: unknown }) => ({ ...Object(write.member), total: '5.00' }),
    },
  },
}
const serve = (t: Parameters<typeof serveUsers>[0]) => serveUsers(t, USERS, { api: API, program })
type User = Awaited<ReturnType<typeof serve>>['as']['tom']

async function create(user: User, path: string, body: object): Promise<string> {
  const created = await user.send('POST', path, body)
  assert.equal(created.status, 201, created.body)
  return pathOf(created.headers.location)
}

const kindsOf = async (user: User, member: string) =>
  (await entriesOf(user, member)).map((one) => [one['@type'], pathOf(one.actor)])

// contract: The entry is written in the transaction of the change
test('every way in makes an entry: single requests, batches, hooks and cascades', async (t) => {
  const { as } = await serve(t)
  const customer = await create(as.tom, '/customers', { name: 'a' })
  const order = await create(as.tom, '/orders', { text: 'a', customer: `/api${customer}` })
  const [entry] = await entriesOf(as.tom, order)
  // As the hook has left it.
  assert.equal((await as.tom.send('GET', pathOf(entry?.['@id']))).json().total, '5.00')
  const batch = { operation: [{ method: 'PATCH', target: order.slice(1), body: { text: 'b' } }] }
  assert.equal((await as.eve.send('POST', '/batch', batch)).status, 200)
  assert.equal((await as.sue.send('DELETE', customer)).status, 204)
  assert.deepEqual(await kindsOf(as.sue, order), [
    ['Delete', '/accounts/33'],
    ['Update', '/accounts/35'],
    ['Create', '/accounts/34'],
  ])
  // What is refused leaves nothing.
  const refused = {
    operation: [
      { method: 'POST', target: 'customers', body: { name: 'b' } },
      { method: 'POST', target: 'orders', body: {} },
    ],
  }
  assert.equal((await as.tom.send('POST', '/batch', refused)).status, 422)
  assert.equal(((await as.sue.send('GET', '/customers?deleted=true')).json().member as unknown[]).length, 1)
})

// contract: Bringing back is a write like any other
// contract: By PUT the owner is who brings it back.
test('a member that is brought back has the owner that it had; by PUT, who brings it back', async (t) => {
  const { as } = await serve(t)
  const [one, other] = [
    await create(as.tom, '/orders', { text: 'a' }),
    await create(as.tom, '/orders', { text: 'b' }),
  ]
  for (const order of [one, other]) assert.equal((await as.tom.send('DELETE', order)).status, 204)
  const [entry] = await entriesOf(as.eve, one)
  assert.equal((await as.eve.send('POST', pathOf(entry?.restore))).status, 201)
  assert.equal((await as.eve.send('DELETE', one)).status, 403)
  assert.equal((await as.tom.send('DELETE', one)).status, 204)
  const [last] = await entriesOf(as.eve, other)
  const then = (await as.eve.send('GET', pathOf(last?.['@id']))).json()
  assert.equal((await as.eve.send('PUT', other, then, { 'If-None-Match': '*' })).status, 201)
  assert.equal((await as.tom.send('DELETE', other)).status, 403)
  assert.equal((await as.eve.send('DELETE', other)).status, 204)
})

// contract: What the user may not see of it comes back
test('what a user may not see or not write stays as it is, or comes back as it was', async (t) => {
  const { as } = await serve(t)
  const order = await create(as.sue, '/orders', { text: 'a', rate: '1.0' })
  assert.equal((await as.sue.send('PATCH', order, { text: 'b', rate: '2.0' })).status, 200)
  const first = async (user: User) => pathOf((await entriesOf(user, order)).at(-1)?.restore)
  const now = async () => {
    const { text, rate } = (await as.sue.send('GET', order)).json()
    return [text, rate]
  }
  // One may not see the rate, and the other may not write it.
  for (const user of [as.tom, as.joe]) {
    assert.equal((await user.send('POST', await first(user))).status, 200)
    assert.deepEqual(await now(), ['a', '2.0'])
    assert.equal((await as.sue.send('PATCH', order, { text: 'b' })).status, 200)
  }
  assert.equal((await as.sue.send('POST', await first(as.sue))).status, 200)
  assert.deepEqual(await now(), ['a', '1.0'])
  assert.equal((await as.sue.send('DELETE', order)).status, 204)
  assert.equal((await as.tom.send('POST', await first(as.tom))).status, 201)
  assert.deepEqual(await now(), ['a', '1.0'])
})

test('an old entry of a member that is gone does not bring back old values that the user may not write', async (t) => {
  const { as } = await serve(t)
  const order = await create(as.sue, '/orders', { text: 'a', rate: '1.0' })
  assert.equal((await as.sue.send('PATCH', order, { text: 'b', rate: '2.0' })).status, 200)
  for (const user of [as.tom, as.joe]) {
    assert.equal((await as.sue.send('DELETE', order)).status, 204)
    const first = (await entriesOf(user, order)).at(-1)
    assert.equal((await user.send('POST', pathOf(first?.restore))).status, 201)
    const { text, rate } = (await as.sue.send('GET', order)).json()
    assert.deepEqual([text, rate], ['a', '2.0'])
  }
})

// contract: Bringing back is a write like any other
test('PUT brings any entry back, with the read-only values that it had', async (t) => {
  const api = `
history: true
roles: [staff]
classes:
  Order:
    access: { write: everyone, delete: everyone }
    properties:
      text: { type: string, required: true }
      code: { type: string, unique: true }
      rate: { type: decimal, view: everyone, write: staff }
      note: { type: string, view: staff }
      changedAt: { type: dateTime, always: now }
      lines: { type: Line, many: true }
  Line:
    collection: false
    properties:
      product: string
      addedAt: { type: dateTime, writable: false, default: now }
`
  const time = { now: Date.parse('2026-01-01T00:00:00Z') }
  const { as } = await serveUsers(t, USERS, { api, time })
  const later = () => (time.now += 60_000)
  const lines = [{ product: 'pen' }, { product: 'ink' }]
  const order = await create(as.sue, '/orders', { text: 'a', rate: '1.0', note: 'x', code: '7', lines })
  later()
  const changes = { text: 'b', rate: '2.0', note: 'y', lines: [{ product: 'nib' }] }
  assert.equal((await as.sue.send('PATCH', order, changes)).status, 200)
  later()
  assert.equal((await as.sue.send('DELETE', order)).status, 204)
  const first = pathOf((await entriesOf(as.sue, order)).at(-1)?.['@id'])
  const then = (await as.tom.send('GET', first)).json()
  assert.deepEqual([then.text, then.note], ['a', undefined])

  const put = (user: User, body: object) => user.send('PUT', order, body, { 'If-None-Match': '*' })
  const made = { ...then, changedAt: '2025-01-01T00:00:00Z' }
  for (const refused of [made, then]) assert.equal((await put(as.tom, refused)).status, 422)
  // Who may not write a property leaves it out, or sends its last value.
  const back = await put(as.tom, { ...then, rate: '2.0', code: '8' })
  assert.equal(back.status, 201, back.body)
  const now = (await as.sue.send('GET', order)).json()
  assert.deepEqual([now.text, now.code, now.rate, now.note], ['a', '8', '2.0', 'y'])
  assert.deepEqual(now.lines, then.lines)
  assert.ok(String(now.changedAt) > String(then.changedAt))

  assert.equal((await as.sue.send('DELETE', order)).status, 204)
  // What is wrong with it otherwise is said of the state that it has.
  const wrong = await put(as.sue, { ...then, text: 7 })
  assert.deepEqual([wrong.status, wrong.body.includes('read-only')], [422, false])
  assert.equal((await put(as.sue, then)).status, 201)
  assert.equal((await as.sue.send('GET', order)).json().rate, '1.0')
})

test('PUT brings nothing back of an earlier member with the same id that the user does not see', async (t) => {
  const api = `
history: true
classes:
  Order:
    access: { write: everyone, delete: owner }
    properties:
      text: { type: string, required: true }
      madeAt: { type: dateTime, writable: false, default: now }
      code: { type: dateTime, writable: false, default: now, view: owner }
`
  const time = { now: Date.parse('2026-01-01T00:00:00Z') }
  const { as } = await serveUsers(t, USERS, { api, time })
  const put = (user: User, body: object) => user.send('PUT', '/orders/1', body, { 'If-None-Match': '*' })
  const first = (await put(as.tom, { text: 'a' })).json()
  assert.equal((await as.tom.send('DELETE', '/orders/1')).status, 204)
  time.now += 60_000
  assert.equal((await put(as.eve, { text: 'b' })).status, 201)
  assert.equal((await as.eve.send('DELETE', '/orders/1')).status, 204)
  assert.equal((await put(as.eve, { text: 'b', madeAt: first.madeAt })).status, 422)
})

test('who becomes the owner of a member by PUT does not see what only its former owner could', async (t) => {
  const api = `
history: true
roles: [staff]
classes:
  Order:
    properties:
      text: string
      secret: { type: string, view: owner, write: owner }
      note: { type: string, view: [staff, owner], write: staff }
`
  const { as } = await serveUsers(t, { sue: [33, 'staff'], tom: [34], eve: [35] }, { api })
  const order = pathOf((await as.tom.send('POST', '/orders', { text: 'a', secret: 's' })).headers.location)
  assert.equal((await as.sue.send('PATCH', order, { note: 'n' })).status, 200)
  assert.equal((await as.tom.send('DELETE', order)).status, 204)
  assert.equal((await as.eve.send('PUT', order, { text: 'b' }, { 'If-None-Match': '*' })).status, 201)
  const shown = async (path: string) => {
    const { text, secret, note } = (await as.eve.send('GET', path)).json()
    return [text, secret, note]
  }
  assert.deepEqual(await shown(order), ['b', undefined, undefined])
  const entries = await entriesOf(as.eve, order)
  assert.deepEqual(
    entries.map((one) => one.changed),
    [['text'], [], [], undefined],
  )
  for (const one of entries.slice(1))
    assert.deepEqual(await shown(pathOf(one['@id'])), ['a', undefined, undefined])
  assert.equal((await as.eve.send('POST', pathOf(entries.at(-1)?.restore))).status, 200)
  assert.deepEqual(await shown(order), ['a', undefined, undefined])
})

// contract: For a user who may not view it the property does not exist
test('a value that the user may not see or not write is not validated when the member is restored', async (t) => {
  const db = newDatabase(t)
  const api = (rules: string) => `
history: true
roles: [staff]
classes:
  Customer: { properties: { name: string } }
  Order:
    label: text
    properties:
      text: string
      secret: { type: string, view: staff${rules} }
      fixed: { type: string, write: staff${rules} }
      customer: { type: Customer, view: staff, reverse: orders }
`
  const before = await serveUsers(t, { sue: [33, 'staff'] }, { api: api(''), db })
  const order = await create(before.as.sue, '/orders', { text: 'a', secret: 's', fixed: 'f' })
  assert.equal((await before.as.sue.send('PATCH', order, { text: 'b' })).status, 200)
  await before.close()
  const { as } = await serveUsers(t, { tom: [34], pam: [35, 'staff'] }, { api: api(', minLength: 3'), db })
  const [, first] = await entriesOf(as.tom, order)
  const restored = await as.tom.send('POST', pathOf(first?.restore))
  assert.equal(restored.status, 200, restored.body)
  const { text, secret, fixed } = (await as.pam.send('GET', order)).json()
  assert.deepEqual([text, secret, fixed], ['a', 's', 'f'])
})

// contract: What the user may not see of it comes back as it was (a member that is gone)
test('a hidden link to a hidden member comes back with the member that has it', async (t) => {
  const api = `
history: true
roles: [staff]
classes:
  Deal: { access: { all: staff }, properties: { name: string } }
  Order:
    properties:
      text: string
      deal: { type: Deal, view: staff }
`
  const { as } = await serveUsers(t, { sue: [33, 'staff'], tom: [34] }, { api })
  const deal = await create(as.sue, '/deals', { name: 'd' })
  const order = await create(as.sue, '/orders', { text: 'a', deal: `/api${deal}` })
  const bringBack = [
    async () => {
      const [entry] = await entriesOf(as.tom, order)
      return as.tom.send('POST', pathOf(entry?.restore))
    },
    () => as.tom.send('PUT', order, { text: 'b' }, { 'If-None-Match': '*' }),
  ]
  for (const send of bringBack) {
    assert.equal((await as.tom.send('DELETE', order)).status, 204)
    const again = await send()
    assert.equal(again.status, 201, again.body)
    assert.equal(pathOf(String((await as.sue.send('GET', order)).json().deal)), deal)
  }
})

// contract: For `create` it is asked of the body
test('who may create members of some projects alone does not bring one back into another', async (t) => {
  const api = `
history: true
roles: [staff]
accounts: { view: everyone }
classes:
  Project: { properties: { name: string, members: { type: Account, many: true } } }
  Task:
    access: { view: everyone, create: [staff, project.members], update: everyone }
    properties:
      text: string
      project: { type: Project, view: staff }
`
  const { as } = await serveUsers(t, { sue: [33, 'staff'], tom: [34] }, { api })
  const own = await create(as.sue, '/projects', { name: 'a', members: '/api/accounts/34' })
  const other = await create(as.sue, '/projects', { name: 'b' })
  const task = await create(as.sue, '/tasks', { text: 'a', project: `/api${own}` })
  assert.equal((await as.sue.send('PATCH', task, { project: `/api${other}` })).status, 200)
  assert.equal((await as.sue.send('DELETE', task)).status, 204)
  const first = (await entriesOf(as.tom, task)).at(-1)
  assert.equal((await as.tom.send('POST', `${pathOf(first?.['@id'])}/restore`)).status, 403)
  assert.equal((await as.sue.send('POST', `${pathOf(first?.['@id'])}/restore`)).status, 201)
})
