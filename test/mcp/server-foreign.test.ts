import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startForeign } from '../client/foreign-server.ts'
import { connectBridge } from './bridge.ts'

// contract: `hydrant mcp <url>` is a bridge
test('An API that is not ours: no ETags, no feed, no batch, other names and other operations', async (t) => {
  const { base, books, asked } = await startForeign(t, { adding: ['PUT', 'AddAction'] })
  for (const n of [1, 2, 3]) books.set(`${n}`, { title: `Book ${n}`, price: n, madeBy: 'the server' })
  const { call, refused, client } = await connectBridge(t, { base, env: {} })

  const { title, collections, user } = await call('entry')
  assert.deepEqual([title, user], ['Elsewhere', undefined])
  const may = ['read', 'create', 'update', 'replace', 'delete']
  assert.deepEqual(collections, [{ may, names: { book: 'Book' } }])
  const described = await call('describe', { class: 'book' })
  assert.deepEqual(described.properties.madeBy, { type: 'any', readOnly: true })
  assert.deepEqual(described.filters, {
    byOperators: { '=': ['title'] },
    sortable: ['title'],
    parameters: ['page', 'author[]'],
  })

  const page = await call('search', { collection: 'book' })
  assert.equal((await call('read', { address: page.next })).members[0].title, 'Book 3')
  const made = await call('perform', { address: 'book', operation: 'create', body: { title: 'Emma' } })
  assert.equal(asked.at(-1), 'PUT /books {"title":"Emma"}')

  const { etag } = await call('read', { address: made.address })
  const update = { address: made.address, operation: 'update', body: { price: 7 } }
  assert.equal((await call('perform', { ...update, ifMatch: etag })).member.price, 7)
  const late = await refused('perform', { ...update, body: { price: 8 }, ifMatch: etag })
  assert.deepEqual([late.details.code, late.details.current.price], ['changed', 7])
  await call('perform', { address: made.address, operation: 'delete', ifMatch: late.details.etag })
  assert.equal(books.size, 3)

  const invalid = await refused('perform', { address: 'book', operation: 'create', body: { title: '' } })
  assert.equal(invalid.sentence, 'title: This value should not be blank.')
  assert.equal(invalid.details.violations.length, 1)
  const operations = [{ address: 'book', operation: 'create', body: { title: 'x' } }]
  assert.equal((await refused('batch', { operations })).details.code, 'unknown-link')
  const { resourceTemplates } = await client.listResourceTemplates()
  assert.equal(resourceTemplates[0]?.uriTemplate, `${base}/{+path}`)
  await assert.rejects(client.subscribeResource({ uri: `${base}/books` }), /does not report changes/)
})
