import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHydrant } from 'hydrant'
import type { Shop } from './api.ts'
import extensions from './hooks.ts'

test('an order is added up', async (t) => {
  const hydrant = await createHydrant<Shop>({
    ...extensions,
    apiFile: new URL('api.yaml', import.meta.url).pathname,
    db: 'sqlite::memory:',
    auth: false,
    logLevel: 'error',
  })
  t.after(hydrant.close)

  const tea = await hydrant.members('products').add({ name: 'Tea', price: '2.50' })
  const order = (lines: object[]) =>
    hydrant.handle(
      new Request(`${hydrant.base}/orders`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ customer: 'Ann', lines }),
      }),
    )

  assert.equal((await order([])).status, 422)
  assert.equal((await order([{ product: tea['@id'], quantity: 3 }])).status, 201)
  const { members } = await hydrant.members('orders').list({ customer: 'Ann' })
  assert.equal(members[0]?.total, '7.50')
})
