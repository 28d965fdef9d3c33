import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptDatabase } from '../support/databases.ts'
import { listAll } from '../support/service.ts'
import { SHELF } from './api-files.ts'
import { type Json, pathOf, serveSignedIn, withoutContext } from './signed-in.ts'

test('the base URL goes where links are, whatever the text between them looks like', async (t) => {
  const { add, get, base } = await serveSignedIn(t, { api: SHELF })
  const author = (await add('/authors', { name: 'Ann' }))['@id']
  const path = pathOf(base, author)
  const texts = [
    path,
    base,
    author,
    `"${path}"`,
    `","@id":"${author}`,
    '","author":"/authors/1","x":"',
    '{"@id":"/books/1"}',
    '\\","@id":"',
    '\\u0000\\n\\\\',
    '\u2028\u2029\u007f\u00ad',
    '\u{1f4da} ü ﷽',
    '\t\n\r\b\f',
    '',
    '{base}',
    ',"',
    "'; DROP TABLE members_1; --",
    '</script>',
    '$&$1$`',
    '12,34',
  ]
  for (const text of texts) {
    const sent = { title: text, author, notes: text, editors: [author, author], tags: [text, path, text] }
    const book = await add('/books', sent)
    const { body } = await get(pathOf(base, book['@id']))
    const { '@id': id, '@type': type, shelves, ...values } = withoutContext(JSON.parse(body) as Json)
    assert.deepEqual(values, sent, text)
    assert.deepEqual([id, type, shelves], [book['@id'], 'Book', []], text)
  }
  const { member } = (await get('/books')).json() as { member: Json[] }
  assert.deepEqual(
    member.map(({ title }) => title),
    texts,
  )
  assert.deepEqual([...new Set(member.map((one) => one.author))], [author])
})

// contract: Moving the server to another host
// contract: ETags are strong
// contract: `If-Match` compares the version alone
test('another base URL changes every link and no row', async (t) => {
  const first = await serveSignedIn(t, { db: keptDatabase(t), api: SHELF })
  const author = (await first.add('/authors', { name: first.base }))['@id']
  const sent = { title: `${first.base}/books`, author, editors: [author, author], tags: [author] }
  const book = await first.add('/books', sent)
  const path = pathOf(first.base, book['@id'])
  const before = await first.get(path)
  const rows = await listAll(first.store, 'Book')
  await first.close()

  const baseUrl = 'https://elsewhere.example/deep/path'
  const second = await serveSignedIn(t, { api: SHELF, db: first.db, flags: { baseUrl } })
  assert.equal(second.base, baseUrl)
  const moved = `${baseUrl}${pathOf(first.base, author)}`
  const expected = {
    '@id': `${baseUrl}${path}`,
    '@type': 'Book',
    // What a user has written stays as it was.
    title: `${first.base}/books`,
    author: moved,
    editors: [moved, moved],
    tags: [author],
    shelves: [],
  }
  const after = await second.get(path)
  assert.deepEqual(withoutContext(after.json()), expected)
  const collection = (await second.get('/books')).json()
  assert.deepEqual(collection.member, [expected])
  assert.equal(JSON.stringify((await second.get('/')).json()).includes(first.base), false)
  assert.deepEqual(await listAll(second.store, 'Book'), rows)

  // It is another representation of the same version: 200 for a reader, good enough for a writer.
  const etag = before.headers.etag ?? ''
  assert.notEqual(after.headers.etag, etag)
  assert.equal((await second.get(path, { 'If-None-Match': etag })).status, 200)
  assert.equal((await second.send('DELETE', path, { 'If-Match': etag })).status, 204)
})
