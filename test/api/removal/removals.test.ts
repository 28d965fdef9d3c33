import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf } from '../signed-in.ts'
import { faultsIn } from '../writing.ts'
import { serveShop } from './shop.ts'

// contract: **What a removal does**
test('a removal takes along what says delete, and so on, and takes links out of what says unset', async (t) => {
  const { make, isThere, removeAt, valuesAt, events, base } = await serveShop(t)
  const customer = await make('/customers', { name: 'Ann' })
  const [one, two] = [await make('/orders', { customer }), await make('/orders', { customer })]
  const other = await make('/orders', {})
  const note = await make('/notes', { about: one, text: 'a' })
  const bill = await make('/bills', { note })
  const kept = await make('/notes', { about: other, by: customer, others: [one, other, two], text: 'b' })
  const before = (await events()).length
  assert.equal((await removeAt(customer)).status, 204)
  for (const address of [customer, one, two, note, bill]) assert.equal(await isThere(address), false, address)
  assert.deepEqual(await valuesAt(kept), { about: other, others: [other], text: 'b' })
  const short = (address: string) => address.slice(base.length + 1)
  assert.deepEqual(
    (await events()).slice(before).sort(),
    [
      `Update ${short(kept)}`,
      ...[customer, one, two, note, bill].map((gone) => `Delete ${short(gone)}`),
    ].sort(),
  )
})

// contract: A link that refuses does not count
test('a link that refuses does not count where its own member goes in the same removal', async (t) => {
  const { make, isThere, removeAt, codeOf } = await serveShop(t)
  const customer = await make('/customers', {})
  const order = await make('/orders', { customer })
  const note = await make('/notes', { about: order, kept: order, text: 'a' })
  const bill = await make('/bills', { order, note })
  const free = await make('/bills', { order })
  assert.deepEqual(await codeOf(customer), [409, 'StillLinked'])
  for (const address of [customer, order, note, bill, free]) assert.equal(await isThere(address), true)
  assert.equal((await removeAt(free)).status, 204)
  assert.equal((await removeAt(customer)).status, 204)
  for (const address of [customer, order, note, bill]) assert.equal(await isThere(address), false, address)
})

// contract: **What a removal does**
test('a link within an embedded value is taken out of it, and the value stays', async (t) => {
  const { make, removeAt, valuesAt } = await serveShop(t)
  const [gone, kept] = [await make('/products', {}), await make('/products', {})]
  const lines = [
    { '@type': 'Line', product: gone, pieces: 1 },
    { '@type': 'Line', product: kept, pieces: 2 },
    { '@type': 'Line', product: gone },
  ]
  const order = await make('/orders', { lines, first: { product: gone, pieces: 3 } })
  assert.equal((await removeAt(gone)).status, 204)
  const { changedAt, ...values } = await valuesAt(order)
  assert.deepEqual(values, {
    lines: [{ '@type': 'Line', pieces: 1 }, lines[1], { '@type': 'Line' }],
    first: { '@type': 'Line', pieces: 3 },
  })
})

const LINE = `
classes:
  Product: { properties: { name: string } }
  Line: { collection: false, properties: { product: { type: Product, required: true, onDelete: delete } } }
  Order: { properties: { lines: { type: Line, many: true } } }
`

test('a link within an embedded value that says delete takes the member along', async (t) => {
  const { make, removeAt, isThere } = await serveShop(t, { api: LINE })
  const [gone, kept] = [await make('/products', {}), await make('/products', {})]
  const order = await make('/orders', { lines: [{ product: kept }, { product: gone }] })
  const other = await make('/orders', { lines: [{ product: kept }] })
  assert.equal((await removeAt(gone)).status, 204)
  assert.deepEqual(await Promise.all([order, other, kept].map(isThere)), [false, true, true])
})

// contract: `unset` is a write
test('unset is a write: a new version, and what is always set', async (t) => {
  const time = { now: Date.parse('2026-01-01T00:00:00Z') }
  const { make, removeAt, valuesAt, etag, base } = await serveShop(t, { time })
  const product = await make('/products', {})
  const order = await make('/orders', { first: { product } })
  const before = await etag(pathOf(base, order))
  time.now += 60_000
  assert.equal((await removeAt(product)).status, 204)
  assert.notEqual(await etag(pathOf(base, order)), before)
  assert.equal((await valuesAt(order)).changedAt, '2026-01-01T00:01:00.000Z')
})

const PAGES = `
classes:
  Page:
    properties:
      next: { type: Page, onDelete: delete }
      also: { type: Page, many: true, onDelete: delete }
      seen: { type: Page, many: true, onDelete: unset }
`

const GRAPHS: [name: string, links: Record<string, Record<string, string[]>>, left: string[]][] = [
  ['a link to itself', { a: { next: ['a'] } }, []],
  ['a circle of two', { a: { next: ['b'] }, b: { next: ['a'] } }, []],
  ['a circle of three', { a: { next: ['b'] }, b: { next: ['c'] }, c: { next: ['a'] } }, []],
  ['a diamond', { b: { next: ['a'] }, c: { next: ['a'] }, d: { also: ['b', 'c'] }, a: {} }, []],
  ['a short and a long way', { b: { next: ['a'] }, c: { also: ['a', 'b'] }, d: { next: ['c'] }, a: {} }, []],
  [
    'two rules for one member',
    { b: { next: ['a'], seen: ['a'] }, c: { seen: ['a', 'b', 'd'] }, d: {}, a: {} },
    ['c', 'd'],
  ],
  ['a circle by unset', { a: { seen: ['b'] }, b: { seen: ['a'] } }, ['b']],
  ['what it links to', { a: { next: ['b'], seen: ['c'] }, b: {}, c: {} }, ['b', 'c']],
]
for (const [name, links, left] of GRAPHS) {
  // contract: **What a removal does**
  test(`members that link as in ${name} go, and nothing links to nothing`, async (t) => {
    const { put, patch, remove, get, values } = await serveShop(t, { api: PAGES })
    const ids = Object.keys(links)
    for (const id of ids) await put(`/pages/${id}`, {}, { 'If-None-Match': '*' })
    const paths = (some: Record<string, string[]>) =>
      Object.fromEntries(Object.entries(some).map(([key, all]) => [key, all.map((id) => `/api/pages/${id}`)]))
    for (const id of ids) {
      const { next, ...many } = paths(links[id] ?? {})
      assert.equal((await patch(`/pages/${id}`, { ...many, next: next?.[0] ?? null })).status, 200)
    }
    assert.equal((await remove('/pages/a')).status, 204)
    for (const id of ids) assert.equal((await get(`/pages/${id}`)).status, left.includes(id) ? 200 : 404, id)
    for (const id of left) {
      const linked = Object.values(await values(`/pages/${id}`)).flat() as string[]
      for (const address of linked) assert.ok(left.includes(address.split('/').at(-1) ?? ''), address)
    }
  })
}

// contract: One transaction, hooks and events and history
test('in a batch a removal takes others along, and later operations see it; all of it or nothing', async (t) => {
  const { make, isThere, post, valuesAt } = await serveShop(t)
  const customer = await make('/customers', {})
  const order = await make('/orders', { customer })
  const note = await make('/notes', { by: customer, others: [order], text: 'a' })
  const failing = [
    { method: 'DELETE', target: customer },
    { method: 'PATCH', target: order, body: {} },
  ]
  const failed = await post('/batch', { operation: failing })
  assert.deepEqual([failed.status, await isThere(customer), await isThere(order)], [404, true, true])
  const operation = [
    { method: 'POST', target: 'orders', id: '_:new', body: { customer } },
    { method: 'POST', target: 'bills', id: '_:bill', body: { order } },
    { method: 'PATCH', target: note, body: { others: [order, '_:new'], about: null } },
    { method: 'DELETE', target: '_:bill' },
  ]
  const refused = await post('/batch', {
    operation: [...operation.slice(0, 3), { method: 'DELETE', target: customer }],
  })
  assert.equal(refused.status, 409, refused.body)
  const unbilled = operation.filter(({ id, target }) => id !== '_:bill' && target !== '_:bill')
  const done = await post('/batch', {
    operation: [
      ...unbilled,
      { method: 'DELETE', target: customer },
      { method: 'PATCH', target: note, body: { text: 'b' } },
    ],
  })
  assert.equal(done.status, 200, done.body)
  assert.deepEqual(await valuesAt(note), { text: 'b' })
  assert.deepEqual(await Promise.all([customer, order].map(isThere)), [false, false])
})

test('If-Match is about the member that is removed, and nothing else', async (t) => {
  const { make, remove, isThere, etag, patch, base } = await serveShop(t)
  const customer = await make('/customers', {})
  const order = await make('/orders', { customer })
  const path = pathOf(base, customer)
  const before = await etag(path)
  await patch(path, { name: 'b' })
  assert.equal((await remove(path, { 'If-Match': before })).status, 412)
  assert.equal(await isThere(order), true)
  assert.equal((await remove(path, { 'If-Match': await etag(path) })).status, 204)
  assert.equal(await isThere(order), false)
})

test('a member that is not valid any more does not prevent a removal', async (t) => {
  const service = await serveShop(t)
  const { make, removeAt, valuesAt, store } = service
  const customer = await make('/customers', {})
  const note = await make('/notes', { by: customer, text: 'a' })
  const id = note.split('/').at(-1) ?? ''
  await store.members.change('Note', id, undefined, (current) => ({
    ...{ body: current.body.replace('"a"', '""'), hidden: '', baseUrlOffsets: current.baseUrlOffsets },
    links: [{ property: 'by', className: 'Customer', id: customer.split('/').at(-1) ?? '' }],
    keys: { values: [null, null, [], null, null, null], words: [] },
  }))
  assert.equal((await removeAt(customer)).status, 204)
  assert.deepEqual(await valuesAt(note), { text: '' })
  assert.deepEqual(faultsIn(service), [])
})
