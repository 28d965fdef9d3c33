import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addAt, listed, serveFiles } from './changed.ts'

const file = (isbn: string, more = '') => `
classes:
  Book: { properties: { title: string, isbn: ${isbn}, year: integer }${more} }
`
const UNIQUE = '{ type: string, unique: true }'

for (const isbn of ['string', '{ type: string, filterable: false }'])
  test(`a host whose file has ${isbn} and no longer unique may repeat a value, the others may not`, async (t) => {
    const [former, changed] = await serveFiles(t, [file(UNIQUE), file(isbn)])
    const first = await addAt(former, '/books', { title: 'A', isbn: '1' })
    const second = await addAt(changed, '/books', { title: 'B', isbn: '1' })
    assert.equal((await former.post('/books', { title: 'C', isbn: '1' })).status, 422)
    assert.deepEqual(await listed(former, '/books?isbn=1'), [first, second])
  })

test('values that are no longer unique together may be repeated by a host whose file says so', async (t) => {
  const together = ', unique: [[isbn, year]]'
  const [former, changed] = await serveFiles(t, [file('string', together), file('string')])
  await addAt(former, '/books', { isbn: '1', year: 1 })
  await addAt(changed, '/books', { isbn: '1', year: 1 })
  assert.equal((await former.post('/books', { isbn: '1', year: 1 })).status, 422)
  await addAt(changed, '/books', { isbn: '2', year: 1 })
  assert.equal((await former.post('/books', { isbn: '2', year: 1 })).status, 422)
})
