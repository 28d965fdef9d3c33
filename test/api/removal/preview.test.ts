import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutContext } from '../signed-in.ts'
import { codeIn, PROBLEM, serveShop } from './shop.ts'

// contract: The console says before the removal
test('what a removal would delete and change can be seen before, and nothing is done', async (t) => {
  const { make, isThere, get, below, valuesAt } = await serveShop(t)
  const customer = await make('/customers', {})
  const order = await make('/orders', { customer })
  const note = await make('/notes', { by: customer, others: [order], text: 'a' })
  const response = await get(`${below(customer)}/removal`)
  assert.equal(response.status, 200, response.body)
  assert.deepEqual(withoutContext(response.json()), {
    '@id': `${customer}/removal`,
    '@type': 'Resource',
    deleted: [order],
    changed: [note],
    totalItems: 2,
  })
  assert.deepEqual(await valuesAt(note), { by: customer, others: [order], text: 'a' })
  assert.equal(await isThere(order), true)
  const plain = await get(`${below(customer)}/removal`, { Accept: 'application/json' })
  assert.deepEqual(plain.json(), withoutContext(response.json()))
  const turtle = await get(`${below(customer)}/removal`, { Accept: 'text/turtle' })
  assert.ok(turtle.body.includes(order), turtle.body)
})

test('a removal that would be refused has the same problem when it is looked at', async (t) => {
  const { make, get, below, codeOf, put, remove } = await serveShop(t)
  const order = await make('/orders', {})
  await make('/bills', { order })
  const seen = codeIn(await get(`${below(order)}/removal`, PROBLEM))
  assert.deepEqual(seen, await codeOf(order))
  assert.deepEqual(seen, [409, 'StillLinked'])
  assert.equal((await get('/orders/none/removal')).status, 404)
  assert.equal((await put(`${below(order)}/removal`, {})).status, 405)
  assert.equal((await remove(`${below(order)}/removal`)).status, 405)
})

test('OpenAPI says what a removal does, where links have a rule', async (t) => {
  const { get } = await serveShop(t)
  const { paths } = (await get('/openapi')).json() as {
    paths: Record<string, { delete?: { description?: string }; get?: object }>
  }
  const words = paths['/orders/{id}']?.delete?.description ?? ''
  for (const path of ['about', 'others']) assert.ok(words.includes(`\`${path}\` of Note`), words)
  assert.ok(paths['/products/{id}']?.delete?.description?.includes('`lines.product` of Order'))
  assert.equal(paths['/bills/{id}']?.delete?.description, undefined)
  assert.ok(paths['/orders/{id}/removal']?.get !== undefined)
  assert.equal(paths['/bills/{id}/removal'], undefined)
})

test('where no link has a rule, there is nothing to look at', async (t) => {
  const { make, get, below } = await serveShop(t)
  const bill = await make('/bills', {})
  assert.equal((await get(`${below(bill)}/removal`)).status, 404)
  const { supportedClass } = (await get('/vocab')).json() as { supportedClass: Record<string, unknown>[] }
  const templates = supportedClass.flatMap(({ title, removal }) =>
    removal === undefined ? [] : [[title, removal]],
  )
  assert.deepEqual(
    templates,
    ['Customer', 'Product', 'Order', 'Note'].map((name) => [name, '{+member}/removal']),
  )
})
