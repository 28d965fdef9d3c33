import assert from 'node:assert/strict'
import { test } from 'node:test'
import { library } from '../apis.ts'

test('A batch is carried out as a whole: new members link to each other, and changes need the version that was read', async () => {
  const { call, other } = await library()
  const old = await other.collection('authors').create({ name: 'Old' })
  const { results } = await call('batch', {
    operations: [
      { address: 'authors', operation: 'create', body: { name: 'Ann Leckie' } },
      { address: 'books', operation: 'create', body: { title: 'Ancillary Justice', author: '_:0' } },
      { address: old.iri, operation: 'update', body: { name: 'New' }, ifMatch: old.etag },
    ],
  })
  assert.deepEqual(
    results.map(({ status }: { status: number }) => status),
    [201, 201, 200],
  )
  const book = await call('read', { address: results[1].address })
  assert.equal(book.member.author, results[0].address)
  const rest = { address: results[1].address, operation: 'delete', ifMatch: results[1].etag }
  assert.equal((await call('batch', { operations: [rest] })).results.length, 1)
})

test('If one operation is refused, none is carried out, and the error says which it was and why', async () => {
  const { refused, other } = await library()
  const seen = await other.collection('authors').create({ name: 'Seen' })
  const current = await seen.update({ name: 'Changed' })
  const create = { address: 'authors', operation: 'create', body: { name: 'Never' } }
  const rows = [
    [{ address: seen.iri, operation: 'update', body: { name: 'Mine' }, ifMatch: seen.etag }, 'changed'],
    [{ address: seen.iri, operation: 'delete' }, 'version-missing'],
    [{ address: 'http://example.org/x', operation: 'create', body: {} }, 'outside-api'],
    [{ address: 'authors', operation: 'create', body: { nam: 'x' } }, 'ValidationFailed'],
  ] as const
  for (const [operation, code] of rows) {
    const { details } = await refused('batch', { operations: [create, operation] })
    assert.deepEqual([details.code, details.operation], [code, 1])
    if (code === 'changed')
      assert.deepEqual([details.current.name, details.etag], ['Changed', (await current.reload()).etag])
  }
  assert.equal((await other.collection('authors').page({ name: 'Never' })).members.length, 0)
})
