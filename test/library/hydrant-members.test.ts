import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpError } from '../../src/library/index.ts'
import { handleOf, idOf, openShop, SHOP, signIn, withUsers } from './shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of any shape
type Any = any

// contract: `hydrant.members('orders')`
test('members are found, listed, added, changed and removed, by the rules of requests', async (t) => {
  const { members, base, ask } = await openShop(t, { pageSize: 2, requireIfMatch: true })
  const orders = members('orders')
  const made = []
  for (const customer of ['Ann', 'Bob', 'Cid']) made.push(await orders.add({ customer }))
  const [ann] = made as [Any]
  assert.deepEqual(await orders.find(ann['@id']), ann)
  assert.deepEqual(await orders.find(idOf(ann)), ann)
  assert.deepEqual(await orders.find(`/api/orders/${idOf(ann)}`), ann)
  assert.equal(await orders.find('none'), undefined)
  for (const elsewhere of [`${base}/notes/${idOf(ann)}`, `http://elsewhere.example/api/orders/${idOf(ann)}`])
    assert.deepEqual([await orders.find(elsewhere), await orders.remove(elsewhere)], [undefined, false])
  const first = await orders.list({ 'order[customer]': 'desc' })
  // @ts-expect-error: where more than 1,000 match a filter there is no total
  const total: number = first.total
  assert.deepEqual([first.members.map(({ customer }: Any) => customer), total], [['Cid', 'Bob'], 3])
  const second = await orders.list(first.next)
  assert.deepEqual([second.members.map(({ customer }: Any) => customer), second.next], [['Ann'], undefined])
  assert.equal((await orders.list({ customer: ['Ann', 'Bob'] })).total, 2)
  assert.equal((await orders.change(ann['@id'], { customer: 'Zoe', amounts: null })).customer, 'Zoe')
  const failures: readonly [() => Promise<unknown>, number][] = [
    [() => orders.add({ customr: 'x' }), 422],
    [() => orders.add({ total: 3 }), 422],
    [() => orders.change(ann['@id'], { customer: 3 }), 422],
    [() => orders.change('none', { customer: 'x' }), 404],
    [() => orders.list({ customr: 'x' }), 400],
  ]
  for (const [failing, status] of failures)
    await assert.rejects(failing(), (error) => error instanceof HttpError && error.status === status)
  assert.deepEqual([await orders.remove(ann['@id']), await orders.remove(ann['@id'])], [true, false])
  assert.throws(() => members('ordres'), { code: 'NoSuchMembers', message: /"ordres".*"orders"/ })

  const settings = members('Settings')
  assert.equal((await ask('PUT', 'Settings', { open: true }))[0], 404, 'the API file lets nobody create it')
  assert.equal((await settings.add({ open: true })).open, true)
  assert.equal((await settings.change('Settings', { open: false })).open, false)
  assert.deepEqual((await settings.find(`${base}/Settings`))?.open, false)
  const [, events] = await ask('GET', 'events?after=0')
  assert.ok(events)
})

test('a deleted member is not found, also where its class has a history, and in a transaction', async (t) => {
  const api = { classes: { Order: { history: true, properties: { customer: 'string' } } } }
  const { members } = await openShop(t, { api })
  const orders = members('orders')
  const { '@id': id } = (await orders.add({ customer: 'Ann' })) as Any
  assert.deepEqual([await orders.remove(id), await orders.remove(id)], [true, false])
  assert.equal(await orders.find(id), undefined)
  await assert.rejects(orders.change(id, { customer: 'Bob' }), { status: 410 })

  const { '@id': other } = (await orders.add({ customer: 'Cid' })) as Any
  const inTransaction = await members.transaction(async (tx) => [
    await tx('orders').remove(other),
    await tx('orders').remove(other),
    await tx('orders').find(other),
  ])
  assert.deepEqual(inTransaction, [true, false, undefined])
})

test('a number that JSON lacks is refused, and not written as null', async (t) => {
  const { members } = await openShop(t)
  const orders = members('orders')
  const made = await orders.add({ customer: 'Ann', amounts: [1] })
  for (const amount of [Number.NaN, Number.NEGATIVE_INFINITY, 1n]) {
    await assert.rejects(orders.add({ amounts: [amount] }), TypeError)
    await assert.rejects(orders.change(idOf(made as Any), { amounts: amount }), TypeError)
  }
  assert.deepEqual((await orders.list()).members, [made])
})

// contract: Outside of a request it acts as the program
test('members of a hook act as its principal, unless it says otherwise', async (t) => {
  const seen: Any[] = []
  const { Note, ...classes } = SHOP.classes
  const api = {
    ...SHOP,
    roles: ['clerk'],
    classes: { ...classes, Note: { ...Note, access: { read: 'clerk', list: 'clerk', create: 'clerk' } } },
  }
  const hydrant = await openShop(t, {
    ...{ api, db: await withUsers(t), auth: true },
    hooks: {
      Order: {
        async beforeWrite({ principal, members }) {
          const notes = members('notes')
          const refused = await notes
            .add({ text: 'as the principal' })
            .catch((error: HttpError) => error.status)
          const added = await notes.asProgram().add({ text: 'as the program' })
          seen.push([principal, typeof refused === 'number' ? refused : refused.text, added.text])
        },
      },
    },
  })
  const handle = handleOf(hydrant, '192.0.2.7')
  for (const userId of [1, 2]) {
    const headers = { 'x-authorization': await signIn(handle, userId), 'content-type': 'application/json' }
    assert.equal((await handle('/orders', { method: 'POST', headers, body: '{}' })).status, 201)
  }
  await hydrant.members('orders').add({})
  assert.deepEqual(seen, [
    [{ userId: 1, roles: ['clerk'] }, 'as the principal', 'as the program'],
    [{ userId: 2, roles: [] }, 403, 'as the program'],
    [undefined, 'as the principal', 'as the program'],
  ])
})
