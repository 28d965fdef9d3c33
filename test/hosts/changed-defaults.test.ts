import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addAt, patch, serveFiles, valueAt } from './changed.ts'
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
