import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classSchemas } from '../../src/members/conversion/conversion.ts'
import { listHidden, purgeHidden } from '../../src/members/migration/purge.ts'
import { maintain } from '../../src/store/open.ts'
import { withAccounts } from '../../src/vocabulary/index.ts'
import { serveSignedIn } from '../api/signed-in.ts'
import { newPostgres } from '../support/postgres.ts'
import { modelOf } from '../support/service.ts'
import { addAt, listed, patch, put, serveFiles } from './changed.ts'
import { eventually } from './hosts.ts'

const file = (properties: string, within = 'zip: string') => `
classes:
  Address:
    collection: false
    properties: { ${within} }
  Book: { properties: { title: string, ${properties} } }
`
const plainFile = (properties: string) =>
  `classes: { Book: { properties: { title: string, ${properties} } } }`

test('a host keeps the keys of its properties by which only other files filter', async (t) => {
  const [former, changed] = await serveFiles(t, [
    file('pages: integer, tags: { type: string, many: true }, at: { type: Address, many: true }'),
    file(
      'pages: { type: integer, filterable: false }, tags: { type: string, many: true, filterable: false }, at: { type: Address, many: true }',
      'zip: { type: string, filterable: false }, city: string',
    ),
  ])
  const values = { title: 'T', pages: 1, tags: ['a'], at: [{ zip: '1' }] }
  const [first, second] = [await addAt(former, '/books', values), await addAt(changed, '/books', values)]
  for (const path of [first, second])
    await patch(changed, path, { pages: 2, tags: ['b'], at: [{ zip: '3' }, { zip: '2' }] })
  for (const query of ['pages=2', 'tags=b', 'at.zip=2'])
    assert.deepEqual(await listed(former, `/books?${query}`), [first, second], query)
  for (const query of ['pages=1', 'tags=a', 'at.zip=1'])
    assert.deepEqual(await listed(former, `/books?${query}`), [], query)
  assert.equal((await changed.get('/books?pages=2')).status, 400)
})

test('keys of hidden parts go with the embedded value', async (t) => {
  const [former, changed] = await serveFiles(t, [
    file('at: { type: Address, many: true }', 'zip: string, city: string'),
    file('at: { type: Address, many: true }', 'city: string'),
  ])
  const path = await addAt(former, '/books', {
    title: 'T',
    at: [
      { zip: '1', city: 'A' },
      { zip: '2', city: 'B' },
    ],
  })
  await patch(changed, path, { at: [{ city: 'B' }] })
  assert.deepEqual(await listed(former, '/books?at.zip=2'), [path])
  assert.deepEqual(await listed(former, '/books?at.zip=1'), [])
  await put(changed, path, { title: 'T' })
  assert.deepEqual(await listed(former, '/books?at.zip=2'), [])
})

test('each host finds the words of the properties that its own file searches', async (t) => {
  let old = ''
  const [former, changed] = await serveFiles(
    t,
    [
      plainFile('notes: string, gone: string, code: { type: string, filterable: false }'),
      plainFile('notes: { type: string, filterable: false }, code: string'),
    ],
    async (host) => {
      old = await addAt(host, '/books', { title: 'Old', notes: 'rare', gone: 'lost', code: 'secret' })
    },
  )
  // Never refused: it could be asked before the change.
  assert.deepEqual(await listed(former, '/books?q=rare'), [old])
  const newer = await addAt(changed, '/books', { title: 'Newer', notes: 'rare', code: 'secret' })
  await patch(changed, old, { title: 'Changed' })
  assert.deepEqual(await listed(former, '/books?q=rare'), [old, newer])
  assert.deepEqual(await listed(former, '/books?q=lost'), [old])
  await eventually('the words are ready', async () => (await changed.get('/books?q=rare')).status === 200)
  assert.deepEqual(await listed(changed, '/books?q=rare'), [])
  assert.deepEqual(await listed(changed, '/books?q=lost'), [])
  assert.deepEqual(await listed(changed, '/books?q=secret'), [old, newer])
  assert.deepEqual(await listed(former, '/books?q=rare'), [old, newer])
  await patch(former, old, { title: 'Again', notes: 'common' })
  assert.deepEqual(await listed(changed, '/books?q=secret'), [old, newer])
  assert.deepEqual(await listed(former, '/books?q=common+again'), [old])
  assert.deepEqual(await listed(former, '/books?q=lost'), [old])
})

test('a purge removes the words that other files search', async (t) => {
  const db = newPostgres(t)
  const [former, changed] = [plainFile('gone: string'), plainFile('more: string')]
  const host = await serveSignedIn(t, { db, api: former })
  const path = await addAt(host, '/books', { title: 'Old', gone: 'lost' })
  const next = await serveSignedIn(t, { db, api: changed, flags: { baseUrl: host.base } })
  await patch(next, path, { title: 'New' })
  assert.deepEqual(await listed(host, '/books?q=lost'), [path])
  const shapes = classSchemas(withAccounts(modelOf(changed)))
  await maintain(db, 'write', async (store) =>
    purgeHidden(store, 'Book', await listHidden(store, shapes), shapes),
  )
  assert.deepEqual(await listed(host, '/books?q=lost'), [])
  assert.deepEqual(await listed(host, '/books?gone=lost'), [])
  assert.deepEqual(await listed(host, '/books?q=new'), [path])
})
