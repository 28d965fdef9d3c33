import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignedIn } from '../api/signed-in.ts'
import { onPostgres } from '../support/postgres.ts'
import { addAt, listed, patch, serveFiles, valueAt } from './changed.ts'
import { eventually } from './hosts.ts'

const file = (properties: string) => `classes: { Book: { properties: { title: string${properties} } } }`

const WITH_DEFAULT = file(', language: { type: string, default: en }')

test('a default that was taken away stays away after a batch by a host that does not know it', async (t) => {
  const [former, changed] = await serveFiles(t, [file(''), WITH_DEFAULT])
  const path = await addAt(changed, '/books', { title: 'T' })
  await patch(changed, path, { language: null })
  const operation = [{ method: 'PATCH', target: path.slice(1), body: { title: 'U' } }]
  const response = await former.post('/batch', { operation })
  assert.equal(response.status, 200, response.body)
  assert.equal(await valueAt(changed, path, 'title'), 'U')
  assert.equal(await valueAt(changed, path, 'language'), undefined)
})

test('a default that was taken away stays away after a write by a host whose file has none', async (t) => {
  const [former, changed] = await serveFiles(t, [file(', language: string'), WITH_DEFAULT])
  const path = await addAt(changed, '/books', { title: 'T' })
  await patch(changed, path, { language: null })
  await patch(former, path, { title: 'U' })
  assert.equal(await valueAt(changed, path, 'language'), undefined)
})

test('a default that was taken away stays away after members were converted to a newer file', async (t) => {
  let path = ''
  const [former, third] = await serveFiles(
    t,
    [WITH_DEFAULT, file(', more: { type: string, default: m }')],
    async (host) => {
      path = await addAt(host, '/books', { title: 'T' })
      await patch(host, path, { language: null })
    },
  )
  await eventually('converted', async () => (await third.get('/books?more=m')).status === 200)
  assert.equal(await valueAt(third, path, 'more'), 'm')
  assert.equal(await valueAt(former, path, 'language'), undefined)
  await patch(third, path, { more: null })
  await patch(former, path, { title: 'U' })
  assert.equal(await valueAt(third, path, 'more'), undefined)
  assert.equal(await valueAt(former, path, 'language'), undefined)
})

const etagOf = async (host: SignedIn, path: string) => String((await host.get(path)).headers.etag)

// contract: ETags are strong
test('a default that fills what a host shows by its former file makes other versions, which are not logged', async (t) => {
  const withHistory = (properties: string) => file(properties).replace('Book: {', 'Book: { history: true,')
  let paths: string[] = []
  let tags: string[] = []
  const [former, changed] = await serveFiles(
    t,
    [
      withHistory(', language: string'),
      withHistory(', language: { type: string, default: en }, more: { type: string, default: m }'),
    ],
    async (host) => {
      const filled = await addAt(host, '/books', { title: 'T' })
      paths = [filled, '/books', await addAt(host, '/books', { title: 'U', language: 'de' })]
      tags = await Promise.all(paths.map((path) => etagOf(host, path)))
    },
  )
  await eventually('converted', async () => (await changed.get('/books?more=m')).status === 200)
  const [filled = '', page = '', other = ''] = paths
  assert.equal(await valueAt(former, filled, 'language'), 'en')
  const { member } = (await former.get(page)).json() as { member: { language?: string }[] }
  assert.deepEqual(
    member.map(({ language }) => language),
    ['en', 'de'],
  )
  const statuses = await Promise.all(
    paths.map(async (path, index) => (await former.get(path, { 'If-None-Match': tags[index] ?? '' })).status),
  )
  // The former file does not show what the last one was filled with.
  assert.deepEqual(statuses, [200, 200, 304])

  const logged = await onPostgres(former.db, 'SELECT id FROM changes UNION ALL SELECT id FROM new_changes')
  assert.equal(logged.length, 2)
  for (const path of [filled, other]) assert.equal((await listed(former, `${path}/history`)).length, 1, path)
})
