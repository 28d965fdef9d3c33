import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createInput } from '../../../src/api/index.ts'
import { type JsonObject, readJson } from '../../../src/json.ts'
import { classOf } from '../queries.ts'
import { pathOf, sentenceOf } from '../signed-in.ts'
import { serveUsers } from '../users.ts'
import { codeIn, PROBLEM, SHOP, serveShop } from './shop.ts'

const RULES = `
roles: [clerk]
classes:
  Customer: { properties: { name: string } }
  Order:
    access: { all: owner, create: everyone }
    properties: { customer: { type: Customer, onDelete: delete } }
  Note:
    access: { view: everyone, create: everyone, update: [clerk, owner], delete: [clerk, owner] }
    properties: { by: { type: Customer, onDelete: unset }, about: { type: Customer, onDelete: delete } }
  Secret:
    access: { all: clerk }
    properties: { of: { type: Note, onDelete: unset } }
  Receipt: { properties: { order: Order, copy: { type: Order, onDelete: delete } } }
`
const USERS = { ann: [1], bob: [2], clerk: [3, 'clerk'] } as const

const serveRules = async (t: TestContext) => {
  const service = await serveUsers(t, USERS, { api: RULES })
  const make = async (user: keyof typeof USERS, path: string, body: object) => {
    const response = await service.as[user].send('POST', path, body)
    assert.equal(response.status, 201, response.body)
    return String((response.json() as { '@id': string })['@id'])
  }
  const below = (address: string) => pathOf(service.base, address)
  const remove = (user: keyof typeof USERS, address: string, headers = {}) =>
    service.as[user].send('DELETE', below(address), undefined, headers)
  const look = (user: keyof typeof USERS, address: string, headers = {}) =>
    service.as[user].send('GET', `${below(address)}/removal`, undefined, headers)
  return { ...service, make, remove, look, below }
}

// contract: One transaction, hooks and events and history
test('others that the user may not read refuse a removal, without their number or addresses', async (t) => {
  const { make, remove, look } = await serveRules(t)
  const customer = await make('bob', '/customers', {})
  const own = await make('bob', '/orders', { customer })
  assert.equal((await look('bob', customer)).status, 200)
  const hidden = await make('ann', '/orders', { customer })
  const one = await remove('bob', customer)
  assert.deepEqual(codeIn(await remove('bob', customer, PROBLEM)), [409, 'StillLinked'])
  assert.ok(!sentenceOf(one).includes(hidden))
  await make('ann', '/orders', { customer })
  assert.equal((await remove('bob', customer)).body, one.body)
  const looked = await look('bob', customer)
  assert.deepEqual([looked.status, looked.body], [409, one.body])
  assert.equal((await remove('bob', own)).status, 204)
})

test('a refusal does not name what links to a hidden member that would go: that tells what the member links to', async (t) => {
  const { make, remove, look } = await serveRules(t)
  const customer = await make('bob', '/customers', {})
  const hidden = await make('ann', '/orders', { customer })
  const before = (await remove('bob', customer)).body
  await make('ann', '/receipts', { order: hidden })
  assert.equal((await remove('bob', customer)).body, before)
  await make('ann', '/receipts', { copy: hidden })
  assert.equal((await remove('bob', customer)).body, before)
  assert.equal((await look('bob', customer)).body, before)
})

test('a hidden link to a member that would go with it refuses, and shows nothing more', async (t) => {
  const { make, remove, as, below } = await serveRules(t)
  const customer = await make('bob', '/customers', {})
  const note = await make('bob', '/notes', { about: customer })
  const secret = await make('clerk', '/secrets', { of: note })
  const refused = await remove('bob', customer)
  assert.equal(refused.status, 409)
  assert.ok(!refused.body.includes(secret))
  assert.equal((await remove('clerk', customer)).status, 204)
  assert.deepEqual((await as.clerk.send('GET', below(secret))).json().of, undefined)
})

// contract: One transaction, hooks and events and history
test('others that the user may read and not delete or update are named: 409', async (t) => {
  const { make, remove, as, below } = await serveRules(t)
  const customer = await make('bob', '/customers', {})
  const [deleted, changed] = [
    await make('ann', '/notes', { about: customer }),
    await make('ann', '/notes', { by: customer }),
  ]
  assert.deepEqual(codeIn(await remove('bob', customer, PROBLEM)), [409, 'RemovalForbidden'])
  const sentence = sentenceOf(await remove('bob', customer))
  for (const address of [deleted, changed]) assert.ok(sentence.includes(address), sentence)
  assert.equal((await as.bob.send('GET', below(deleted))).status, 200)
  assert.equal((await remove('clerk', customer)).status, 204)
  assert.equal((await as.bob.send('GET', below(deleted))).status, 404)
})

/** Adds so many notes with these values, past the wire. */
async function addNotes(
  { store, base }: Pick<Awaited<ReturnType<typeof serveShop>>, 'store' | 'base'>,
  count: number,
  start: string,
  values: object,
): Promise<void> {
  const input = createInput(classOf(SHOP, 'Note'), base)
  const sent = JSON.stringify({ text: 'a', ...values })
  await store.members.addAll(
    Array.from({ length: count }, (_, index) => ({
      className: 'Note',
      member: input.create(readJson(sent) as JsonObject, `${start}${index}`, 0),
    })),
  )
}

// contract: More than 1,000 others
test('a thousand others go at once, and more are 409 that says how many', async (t) => {
  const shop = await serveShop(t)
  const { make, codeOf, removeAt, get, below, isThere } = shop
  const order = await make('/orders', {})
  await addNotes(shop, 600, 'a', { about: order })
  await addNotes(shop, 401, 'b', { others: [order] })
  assert.deepEqual(await codeOf(order), [409, 'RemovalTooLarge'])
  assert.match(sentenceOf(await removeAt(order)), / 1,001 /)
  assert.equal((await get(`${below(order)}/removal`)).status, 409)
  assert.equal((await shop.remove('/notes/a0')).status, 204)
  const { deleted, changed } = (await get(`${below(order)}/removal`)).json() as Record<string, string[]>
  assert.deepEqual([deleted?.length, changed?.length], [599, 401])
  assert.equal((await removeAt(order)).status, 204)
  assert.equal(await isThere(order), false)
  assert.equal((await get('/notes?itemsPerPage=1')).json().totalItems, 401)
  assert.equal((await get('/notes?exists[others]=true')).json().totalItems, 0)
})

test('more than ten thousand others are not counted', async (t) => {
  const shop = await serveShop(t)
  const order = await shop.make('/orders', {})
  await addNotes(shop, 10_002, 'a', { about: order })
  assert.match(sentenceOf(await shop.removeAt(order)), /more than 10,000 /)
})

test('of more than a thousand links that refuse, as many are read as where no link has a rule', async (t) => {
  const shop = await serveShop(t)
  const order = await shop.make('/orders', {})
  await addNotes(shop, 1_200, 'a', { kept: order })
  assert.match(
    sentenceOf(await shop.removeAt(order)),
    /: ("[^"]+" \([^ ]+\), ){9}"[^"]+" \([^ ]+\) and more than 1,000 more\.$/,
  )
})
