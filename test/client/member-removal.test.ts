import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, createClient, type Member } from 'hydrant-client'
import { serve } from '../support/service.ts'

const API = `
classes:
  Customer: { properties: { name: string } }
  Order: { properties: { customer: { type: Customer, onDelete: delete } } }
  Note: { properties: { by: { type: Customer, onDelete: unset } } }
  Bill: { properties: { order: Order } }
`

// contract: The console says before the removal
test('A member says what else its removal would delete and change', async (t) => {
  const { base } = await serve(t, { api: API, flags: { auth: false } })
  const client = createClient({ base })
  const removalOf = async (member: Member) => {
    const removal = await member.removal()
    return removal && { deleted: removal.deleted, changed: removal.changed, totalItems: removal.totalItems }
  }
  const customer = await client.collection('customers').create({ name: 'Ann' })
  assert.deepEqual(await removalOf(customer), { deleted: [], changed: [], totalItems: 0 })
  const order = await client.collection('orders').create({ customer: customer.iri })
  const note = await client.collection('notes').create({ by: customer.iri })
  const others = { deleted: [order.iri], changed: [note.iri], totalItems: 2 }
  assert.deepEqual(await removalOf(customer), others)
  const [listed] = (await client.collection('customers').page()).members
  assert.ok(listed)
  assert.deepEqual(await removalOf(listed), others)

  const bill = await client.collection('bills').create({ order: order.iri })
  const refused = await removalOf(customer).catch((error) => error)
  assert.ok(refused instanceof ApiError)
  assert.deepEqual([refused.status, refused.code], [409, 'StillLinked'])
  assert.equal(await removalOf(bill), undefined)
})
