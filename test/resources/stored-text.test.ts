import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, pathOf, serveSignedIn, withoutContext } from './signed-in.ts'

const LIBRARY = `
classes:
  Author: { properties: { name: string } }
  Book:
    properties:
      title: string
      author: Author
      notes: string
      editors: { type: Author, many: true }
      genre: string
      tags: { type: string, many: true }
      pages: integer
      shelves: { type: string, many: true, default: [] }
`

test('the base URL goes where links are, whatever the text between them looks like', async (t) => {
  const { add, get, base } = await serveSignedIn(t, { api: LIBRARY })
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

test('another base URL changes every link and no row', async (t) => {
  const first = await serveSignedIn(t, { api: LIBRARY })
  const author = (await first.add('/authors', { name: first.base }))['@id']
  const sent = { title: `${first.base}/books`, author, editors: [author, author], tags: [author] }
  const book = await first.add('/books', sent)
  const path = pathOf(first.base, book['@id'])
  const before = await first.get(path)
  const rows = await first.store.members.listPage('Book', 0, 10)
  await first.close()

  const baseUrl = 'https://elsewhere.example/deep/path'
  const second = await serveSignedIn(t, { api: LIBRARY, db: first.db, flags: { baseUrl } })
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
  assert.deepEqual(await second.store.members.listPage('Book', 0, 10), rows)

  // It is another representation of the same version: 200 for a reader, good enough for a writer.
  const etag = before.headers.etag ?? ''
  assert.notEqual(after.headers.etag, etag)
  assert.equal((await second.get(path, { 'If-None-Match': etag })).status, 200)
  assert.equal((await second.send('DELETE', path, { 'If-Match': etag })).status, 204)
})

test('another API file serves the members that exist in its own shape and loses nothing', async (t) => {
  const first = await serveSignedIn(t, { api: LIBRARY })
  const author = (await first.add('/authors', { name: 'Ann' }))['@id']
  const authorId = author.slice(author.lastIndexOf('/'))
  const original = {
    ...{ title: 'A', author, notes: 'n', editors: [author], genre: 'g', tags: ['a', 'b'], pages: 12 },
    shelves: [],
  }
  const book = await first.add('/books', { ...original, shelves: undefined })
  const bookId = book['@id'].slice(book['@id'].lastIndexOf('/'))
  const flags = { baseUrl: first.base }
  const before = await first.get(`/books${bookId}`)
  await first.close()
  const { base, db } = first
  const writer = `${base}/writers${authorId}`
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(original).filter(([name]) => !names.includes(name)))

  const table: [name: string, change: (api: string) => string, collection: string, expected: Json][] = [
    ['adds a property', (api) => `${api}      year: integer\n`, 'books', original],
    [
      'adds a required property with a default',
      (api) => `${api}      year: { type: integer, required: true, default: 1 }\n`,
      'books',
      original,
    ],
    ['removes a property', (api) => api.replace('      notes: string\n', ''), 'books', without('notes')],
    [
      'renames the collection that links lead to',
      (api) => api.replace('Author: {', 'Author: { collection: writers,'),
      'books',
      { ...original, author: writer, editors: [writer] },
    ],
    [
      'renames the collection itself',
      (api) => api.replace('Book:\n', 'Book:\n    collection: volumes\n'),
      'volumes',
      original,
    ],
    [
      'makes one many',
      (api) =>
        api
          .replace('genre: string', 'genre: { type: string, many: true }')
          .replace('author: Author', 'author: { type: Author, many: true }'),
      'books',
      { ...original, genre: ['g'], author: [author] },
    ],
    [
      'makes many one',
      (api) => api.replaceAll(', many: true', '').replace(', default: []', ''),
      'books',
      { ...without('shelves'), editors: author, tags: 'a' },
    ],
    [
      'renames a property',
      (api) => api.replace('title: string', 'heading: { type: string, was: title }'),
      'books',
      { heading: 'A', ...without('title') },
    ],
    [
      'changes types to some that hold the value, and to some that do not',
      (api) =>
        api
          .replace('pages: integer', 'pages: decimal')
          .replace('genre: string', 'genre: date')
          .replace('notes: string', 'notes: Author')
          .replace('title: string', 'title: integer'),
      'books',
      { ...without('title', 'notes', 'genre'), pages: '12' },
    ],
  ]
  for (const [name, change, collection, expected] of table) {
    const api = change(LIBRARY)
    assert.notEqual(api, LIBRARY, name)
    const service = await serveSignedIn(t, { api, db, flags })
    const path = `/${collection}${bookId}`
    const alone = await service.get(path)
    assert.equal(alone.status, 200, name)
    const whole = { '@id': `${base}${path}`, '@type': 'Book', ...expected }
    assert.deepEqual(withoutContext(alone.json()), whole, name)
    assert.deepEqual((await service.get(`/${collection}`)).json().member, [whole], name)
    if (alone.body !== before.body) assert.notEqual(alone.headers.etag, before.headers.etag, name)
    await service.close()
  }

  const last = await serveSignedIn(t, { api: LIBRARY, db, flags })
  const after = await last.get(`/books${bookId}`)
  assert.equal(after.body, before.body, 'what was hidden has come back')
  assert.equal(after.headers.etag, before.headers.etag)
})

test('members of two versions of the API file are served side by side', async (t) => {
  const first = await serveSignedIn(t, { api: LIBRARY })
  const old = await first.add('/books', { title: 'A', notes: 'n', genre: 'g' })
  await first.close()
  const flags = { baseUrl: first.base }
  const api = LIBRARY.replace('      notes: string\n', '').replace(
    'genre: string',
    'genre: { type: string, many: true }',
  )
  const second = await serveSignedIn(t, { api, db: first.db, flags })
  const young = await second.add('/books', { title: 'B', genre: ['h', 'i'] })
  const { member } = (await second.get('/books')).json()
  assert.deepEqual(member, [
    { '@id': old['@id'], '@type': 'Book', title: 'A', genre: ['g'], shelves: [] },
    { '@id': young['@id'], '@type': 'Book', title: 'B', genre: ['h', 'i'], shelves: [] },
  ])
})

test('a link that is hidden still keeps its target, so that it leads somewhere when it comes back', async (t) => {
  const first = await serveSignedIn(t, { api: LIBRARY })
  const author = (await first.add('/authors', { name: 'Ann' }))['@id']
  const book = await first.add('/books', { title: 'A', author })
  await first.close()
  const flags = { baseUrl: first.base }
  const api = LIBRARY.replace('      author: Author\n', '')
  const second = await serveSignedIn(t, { api, db: first.db, flags })
  assert.equal((await second.get(pathOf(first.base, book['@id']))).json().author, undefined)
  assert.equal((await second.send('DELETE', pathOf(first.base, author))).status, 409)
})
