import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpError } from '../../../src/api/index.ts'
import { codeIn, PROBLEM, serveShop } from './shop.ts'

interface Call {
  readonly operation: string
  readonly member: { readonly '@id': string; readonly text?: string; readonly by?: string }
  readonly before?: object
}

// contract: One transaction, hooks and events and history
test('the hooks of each member are run, and see it as it was and will be', async (t) => {
  const calls: string[] = []
  const record = (hook: string) => (call: Call) => {
    calls.push(`${hook} ${call.operation} ${call.member['@id'].split('/').at(-2)}`)
    if (hook === 'beforeWrite' && call.operation === 'update') {
      assert.equal(call.member.by, undefined)
      assert.notEqual((call.before as Call['member']).by, undefined)
      return { ...call.member, text: 'without' }
    }
  }
  const hooks = Object.fromEntries(
    ['Customer', 'Order', 'Note'].map((name) => [
      name,
      Object.fromEntries(['beforeWrite', 'afterWrite', 'beforeDelete'].map((hook) => [hook, record(hook)])),
    ]),
  )
  const { make, removeAt, valuesAt, isThere } = await serveShop(t, { program: { hooks } as never })
  const customer = await make('/customers', {})
  const order = await make('/orders', { customer })
  const note = await make('/notes', { by: customer, text: 'a' })
  calls.length = 0
  assert.equal((await removeAt(customer)).status, 204)
  assert.deepEqual(calls.toSorted(), [
    'afterWrite delete customers',
    'afterWrite delete orders',
    'afterWrite update notes',
    'beforeDelete delete customers',
    'beforeDelete delete orders',
    'beforeWrite update notes',
  ])
  assert.deepEqual(await valuesAt(note), { text: 'without' })
  assert.equal(await isThere(order), false)
})

// contract: One transaction, hooks and events and history
test('a hook that throws refuses the whole removal', async (t) => {
  const hooks = {
    Bill: {
      beforeDelete() {
        throw new HttpError(409, 'Bills are kept.')
      },
    },
    Note: {
      beforeWrite({ operation }: Call) {
        if (operation === 'update') throw new HttpError(409, 'Notes stay.')
      },
    },
  }
  const { make, removeAt, isThere, valuesAt } = await serveShop(t, { program: { hooks } as never })
  const order = await make('/orders', {})
  const note = await make('/notes', { about: order, text: 'a' })
  const bill = await make('/bills', { note })
  assert.equal((await removeAt(order)).status, 409)
  for (const address of [order, note, bill]) assert.equal(await isThere(address), true)
  const customer = await make('/customers', {})
  const by = await make('/notes', { by: customer, text: 'a' })
  assert.equal((await removeAt(customer)).status, 409)
  assert.equal((await valuesAt(by)).by, customer)
})

test('a hook may write, and the removal is planned anew where it has changed what goes', async (t) => {
  let runs = 0
  const hooks = {
    Order: {
      async beforeDelete({ member, members }: Call & { members: (name: string) => Adding }) {
        if (runs++ === 0) await members('notes').add({ about: member['@id'], text: 'new' })
      },
    },
  }
  interface Adding {
    add(values: object): Promise<object>
  }
  const { make, removeAt, get } = await serveShop(t, { program: { hooks } as never })
  const customer = await make('/customers', {})
  await make('/orders', { customer })
  assert.equal((await removeAt(customer)).status, 204)
  assert.equal(runs, 2)
  assert.equal((await get('/notes')).json().totalItems, 0)
})

test('a program that removes a member takes others along, as its principal or as itself', async (t) => {
  const hooks = {
    Bill: {
      async beforeWrite({
        members,
      }: {
        members: (name: string) => { remove(id: string): Promise<boolean> }
      }) {
        assert.equal(await members('customers').remove('none'), false)
        assert.equal(await members('customers').remove('a'), true)
      },
    },
  }
  const { make, put, isThere } = await serveShop(t, { program: { hooks } as never })
  await put('/customers/a', {}, { 'If-None-Match': '*' })
  const order = await make('/orders', { customer: '/api/customers/a' })
  await make('/bills', {})
  assert.equal(await isThere(order), false)
})

test('in a batch no hook sees a member that another operation has written: 422', async (t) => {
  const hooks = { Note: { beforeDelete() {}, beforeWrite() {} } }
  const { make, post, isThere } = await serveShop(t, { program: { hooks } as never })
  const order = await make('/orders', {})
  const note = await make('/notes', { about: order, text: 'a' })
  const operations = [
    { method: 'PATCH', target: note, body: { text: 'b' } },
    { method: 'DELETE', target: order },
  ]
  for (const operation of [operations, operations.toReversed()]) {
    const response = await post('/batch', { operation }, PROBLEM)
    assert.deepEqual(codeIn(response), [422, 'ValidationFailed'])
  }
  assert.equal(await isThere(note), true)
  assert.equal((await post('/batch', { operation: operations.slice(1) })).status, 200)
  assert.equal(await isThere(note), false)
})
