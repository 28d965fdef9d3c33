import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptDatabase } from '../../support/databases.ts'
import { serveWriter } from '../writing.ts'

const apiWith = (keys: string, collection = 'books') => `
classes:
  Author: { properties: { name: string } }
  Book: { collection: ${collection}, properties: { author: { type: Author${keys} } } }
  Article: { properties: { author: Author } }
`

test('a changed reverse changes ETags, and no member', async (t) => {
  const db = keptDatabase(t)
  const first = await serveWriter(t, { db, api: apiWith('') })
  const { base } = first
  const author = `${base}/authors/ann`
  const create = { 'If-None-Match': '*' }
  assert.equal((await first.put('/authors/ann', { name: 'Ann' }, create)).status, 201)
  assert.equal((await first.put('/articles/1', { author }, create)).status, 201)
  const paths = ['/authors/ann', '/authors', '/articles/1?include=author', '/articles?include=author']
  const seen = new Map(paths.map((path) => [path, new Set<string>()]))
  const version = (await first.etag('/authors/ann')).split('-')[0]
  await first.close()
  const files = [
    apiWith(''),
    apiWith(', reverse: books'),
    apiWith(', reverse: written'),
    apiWith(', reverse: written', 'volumes'),
  ]
  for (const [index, api] of files.entries()) {
    const service = await serveWriter(t, { db, api, flags: { baseUrl: base } })
    for (const [path, etags] of seen) {
      etags.add(await service.etag(path))
      assert.equal(etags.size, index + 1, path)
    }
    assert.equal((await service.etag('/authors/ann')).split('-')[0], version)
    assert.deepEqual(
      service.logged.filter((line) => /migrat/i.test(line)),
      [],
    )
    await service.close()
  }
})

test('the page that it leads to has another ETag once it asserts the link', async (t) => {
  const db = keptDatabase(t)
  const first = await serveWriter(t, { db, api: apiWith('') })
  const { base } = first
  await first.put('/authors/ann', { name: 'Ann' })
  const path = `/books?author=${base}/authors/ann`
  const before = await first.etag(path)
  await first.close()
  const second = await serveWriter(t, { db, api: apiWith(', reverse: books'), flags: { baseUrl: base } })
  assert.notEqual(await second.etag(path), before)
})
