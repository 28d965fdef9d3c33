import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AS_PROBLEM, codesOf, pathOf, serveSignedIn, withoutContext } from './signed-in.ts'

test('a member has its address, its class and its properties, in the order of the API file', async (t) => {
  const { add, get, base } = await serveSignedIn(t)
  const author = await add('/authors', { name: 'Ann' })
  const sent = {
    author: author['@id'],
    genres: ['a', 'b'],
    available: false,
    price: '9.90',
    pages: 12,
    isbn: '978-1',
    title: 'Über “Bücher” \u{1f4da}',
  }
  const book = await add('/books', sent)
  const response = await get(pathOf(base, book['@id']))
  assert.equal(response.status, 200)
  assert.equal(response.headers['content-type'], 'application/ld+json')
  const { createdAt, ...rest } = withoutContext(response.json())
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(rest, { '@id': book['@id'], '@type': 'Book', ...sent })
  assert.deepEqual(Object.keys(response.json()), [
    ...['@context', '@id', '@type', 'title', 'isbn', 'pages', 'price', 'available', 'genres', 'author'],
    'createdAt',
  ])
})

test('a property without a value is left out', async (t) => {
  const { add, base } = await serveSignedIn(t)
  const author = await add('/authors', { name: 'Ann' })
  assert.deepEqual(withoutContext(author), { '@id': author['@id'], '@type': 'Author', name: 'Ann' })
  assert.match(
    pathOf(base, author['@id']),
    /^\/authors\/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})

test('a class of another vocabulary keeps its name in JSON and has its IRI in the context', async (t) => {
  const api = 'classes: { Book: { iri: "http://schema.org/Book", properties: { title: string } } }'
  const { add } = await serveSignedIn(t, { api })
  const { '@context': context, '@type': type } = await add('/books', { title: 'a' })
  assert.equal(type, 'Book')
  assert.deepEqual((context as Record<string, unknown>).Book, { '@id': 'http://schema.org/Book' })
})

// contract: `{base}/{collection}/{id}` ¦
test('HEAD of a member has the headers of GET and no body', async (t) => {
  const { add, get, send, base } = await serveSignedIn(t)
  const path = pathOf(base, (await add('/authors', { name: 'Änne' }))['@id'])
  const [got, head] = [await get(path), await send('HEAD', path)]
  assert.equal(head.status, 200)
  assert.equal(head.body, '')
  assert.deepEqual(head.headerNames, got.headerNames)
  assert.equal(head.headers['content-length'], String(Buffer.byteLength(got.body)))
  assert.equal(head.headers.etag, got.headers.etag)
})

test('a member that does not exist is 404 for every id, and nothing is leaked', async (t) => {
  const { get, send } = await serveSignedIn(t)
  const ids = [
    ...['1', '0193f0a0-0000-7000-8000-000000000000', 'constructor', '__proto__', 'toString'],
    ...["1'%20OR%20'1'='1", '%00', '%22%3B--', '%F0%9F%93%9A', '...', 'x'.repeat(2000)],
  ]
  for (const id of ids) {
    for (const method of ['GET', 'DELETE']) {
      const response = await send(method, `/books/${id}`, AS_PROBLEM)
      assert.equal(response.status, 404, `${method} ${id}`)
      assert.equal(codesOf(response), 'MemberNotFound', id)
      assert.ok(String(response.json().detail).length < 1000, id)
    }
  }
  assert.equal((await get('/books/%zz')).status, 400)
})

// contract: ETags are strong
test('an ETag is strong and made of the version and a fingerprint', async (t) => {
  const { add, get, base } = await serveSignedIn(t)
  const first = pathOf(base, (await add('/authors', { name: 'Ann' }))['@id'])
  const second = pathOf(base, (await add('/authors', { name: 'Bob' }))['@id'])
  assert.match((await get(first)).headers.etag ?? '', /^"1-[\w-]{12}"$/)
  assert.match((await get(second)).headers.etag ?? '', /^"2-[\w-]{12}"$/)
})

// contract: `If-None-Match` gives 304.
test('If-None-Match gives 304 for the ETag in every spelling that HTTP allows', async (t) => {
  const { add, get, send, base } = await serveSignedIn(t)
  const path = pathOf(base, (await add('/authors', { name: 'Ann' }))['@id'])
  const etag = (await get(path)).headers.etag ?? ''
  const table: [condition: string, status: number][] = [
    [etag, 304],
    [`W/${etag}`, 304],
    [`"other", ${etag}`, 304],
    [` ${etag} ,"other"`, 304],
    ['*', 304],
    ['"other"', 200],
    [etag.slice(1, -1), 200],
    [etag.toUpperCase(), 200],
    ['', 200],
  ]
  for (const [condition, status] of table) {
    for (const method of ['GET', 'HEAD']) {
      const response = await send(method, path, { 'If-None-Match': condition })
      assert.equal(response.status, status, `${method} ${condition}`)
      assert.equal(response.headers.etag, etag, condition)
      if (status === 304) {
        assert.equal(response.headers['content-type'], undefined)
        assert.equal(response.headers['content-length'], undefined)
        assert.equal(response.headers['cache-control'], 'private, no-cache')
      }
    }
  }
  const missing = await get('/authors/none', { 'If-None-Match': '*' })
  assert.equal(missing.status, 404)
})
