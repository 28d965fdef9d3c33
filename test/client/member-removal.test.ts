import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from 'hydrant-client'
import { serve } from '../support/service.ts'
import { recordClient } from './recording.ts'

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
  const { client, sent } = recordClient(base)
  const customer = await client.collection('customers').create({ name: 'Ann' })
  const removal = async () => {
    const { deleted, changed } = await customer.removal()
    return { deleted, changed }
  }
  assert.deepEqual(await removal(), { deleted: [], changed: [] })
  const order = await client.collection('orders').create({ customer: customer.iri })
  const note = await client.collection('notes').create({ by: customer.iri })
  assert.deepEqual(await removal(), { deleted: [order.iri], changed: [note.iri] })
  const [listed] = (await client.collection('customers').page()).members
  assert.deepEqual((await listed?.removal())?.changed, [note.iri])

  const bill = await client.collection('bills').create({ order: order.iri })
  const refused = await customer.removal().catch((error) => error)
  assert.ok(refused instanceof ApiError)
  assert.deepEqual([refused.status, refused.code], [409, 'StillLinked'])
  const before = sent.length
  assert.deepEqual(await bill.removal(), { deleted: [], changed: [] })
  assert.equal(sent.length, before, 'nothing links to a bill, so that nothing is asked')
})
