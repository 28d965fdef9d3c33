import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHydrant } from 'hydrant'
import type { Shop } from './api.ts'
import extensions from './hooks.ts'

test('an order is added up, and shipped once', async (t) => {
  const hydrant = await createHydrant<Shop>({
    ...extensions,
    apiFile: new URL('api.yaml', import.meta.url).pathname,
    db: 'sqlite::memory:',
    auth: false,
    logLevel: 'error',
  })
  t.after(hydrant.close)

  const tea = await hydrant.members('products').add({ name: 'Tea', price: '2.50', stock: 4 })
  const post = (path: string, body: object) =>
    hydrant.handle(
      new Request(new URL(path, `${hydrant.base}/`), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  const order = (lines: object[]) => post('orders', { customer: 'Ann', lines })

  assert.equal((await order([])).status, 422)
  assert.equal((await order([{ product: tea['@id'], quantity: 3 }])).status, 201)
  const { members } = await hydrant.members('orders').list({ customer: 'Ann' })
  assert.equal(members[0]?.total, '7.50')

  const ship = () => post(`${members[0]?.['@id']}/ship`, { carrier: 'DHL' })
  assert.equal(((await (await ship()).json()) as { status: string }).status, 'shipped')
  assert.equal((await ship()).status, 409)
  assert.equal((await hydrant.members('products').find(tea['@id']))?.stock, 1)
})
