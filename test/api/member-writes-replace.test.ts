import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AS_PROBLEM, assertProblem, codesOf, pathOf, type Said } from './signed-in.ts'
import { serveWriter, valuesOf } from './writing.ts'

const API = `
classes:
  Author: { properties: { name: { type: string, required: true } } }
  Book:
    properties:
      title: { type: string, required: true }
      isbn: { type: string, unique: true }
      price: { type: decimal, writable: false, default: "9.90" }
      language: { type: string, default: en }
      seen: { type: dateTime, default: now }
      genres: { type: string, many: true }
      author: Author
      createdAt: { type: dateTime, writable: false, default: now }
`

// contract: PUT: replace (404 where there is nothing)
test('PUT replaces the whole member and is answered with 200, the representation and its new ETag', async (t) => {
  const { add, get, put, base } = await serveWriter(t)
  const author = (await add('/authors', { name: 'Ann' }))['@id']
  const book = await add('/books', { title: 'A', pages: 3, genres: ['a'], author })
  const path = pathOf(base, book['@id'])
  const before = await get(path)
  const replaced = await put(path, { title: 'B', price: '1.50' })
  assert.equal(replaced.status, 200)
  assert.equal(replaced.headers.location, undefined)
  assert.deepEqual(valuesOf(replaced), { title: 'B', price: '1.50', createdAt: book.createdAt })
  assert.equal(replaced.json()['@id'], book['@id'])
  assert.notEqual(replaced.headers.etag, before.headers.etag)
  const after = await get(path)
  assert.equal(after.body, replaced.body)
  assert.equal(after.headers.etag, replaced.headers.etag)
  assert.equal((await get('/books')).json().totalItems, 1)
})

// contract: Validation: 422; in the default form
test('what only the store can find is named beside other violations', async (t) => {
  const api = `
classes:
  Product: { properties: { name: string } }
  Line: { collection: false, properties: { product: Product, count: integer } }
  Order:
    properties:
      number: { type: string, unique: true, filterable: false }
      title: { type: string, required: true }
      gifts: { type: Product, many: true }
      lines: { type: Line, many: true }
`
  const { put, patch, post, addAt, base } = await serveWriter(t, { api })
  const product = base + (await addAt('/products', { name: 'a' }))
  const order = await addAt('/orders', { number: '1', title: 'x' })
  const other = await addAt('/orders', { number: '2', title: 'y' })
  const none = `${base}/products/none`
  const sent = {
    number: '1',
    title: null,
    gifts: [product, 5, none],
    lines: [7, { product, count: 'x' }, { product: none }],
  }
  const responses = [
    await post('/orders', sent, AS_PROBLEM),
    await put(other, sent, AS_PROBLEM),
    await patch(other, sent, AS_PROBLEM),
    await post('/batch', { operation: [{ method: 'POST', target: 'orders', body: sent }] }, AS_PROBLEM),
  ]
  for (const response of responses) {
    assert.equal(response.status, 422, response.body)
    const { violations } = response.json() as { violations: { propertyPath: string }[] }
    const paths = violations.map(({ propertyPath }) => propertyPath.replace('operation[0]/', ''))
    const wrong = 'title gifts/1 gifts/2 lines/0 lines/1/count lines/2/product number'
    assert.deepEqual(paths.toSorted(), wrong.split(' ').toSorted())
  }
  const own = await put(order, { number: '1' }, AS_PROBLEM)
  assert.equal(codesOf(own), 'title: RequiredValue', 'its own value is not taken')
})

// contract: `@context`, `@id` and `@type` that agree
test('PUT takes back what GET has answered, word for word', async (t) => {
  const { add, get, put, base } = await serveWriter(t, { api: API })
  const author = (await add('/authors', { name: 'Ann' }))['@id']
  const path = pathOf(base, (await add('/books', { title: 'A', isbn: '1', genres: ['a'], author }))['@id'])
  const read = await get(path)
  const written = await put(path, read.body, { 'If-Match': read.headers.etag ?? '' })
  assert.equal(written.status, 200, written.body)
  assert.equal(written.body, read.body)
})

// contract: PUT keeps stored read-only values.
// contract: **A default fills**
test('PUT applies defaults as a creation does, and leaves the time of the creation alone', async (t) => {
  const time = { now: Date.UTC(2030, 0, 1) }
  const { addAt, put, values } = await serveWriter(t, { api: API, time })
  const path = await addAt('/books', { title: 'A', language: 'de' })
  const { createdAt } = await values(path)
  time.now += 60_000
  const replaced = valuesOf(await put(path, { title: 'B' }))
  const seen = new Date(time.now).toISOString()
  assert.deepEqual(replaced, { title: 'B', price: '9.90', language: 'en', seen, createdAt })
})

// contract: A read-only property in PUT or PATCH is accepted
test('a read-only property is accepted when it equals the stored value, in whatever spelling', async (t) => {
  const { addAt, put, values } = await serveWriter(t, { api: API, time: { now: Date.UTC(2030, 0, 1, 12) } })
  const path = await addAt('/books', { title: 'A' })
  const stored = await values(path)
  const table: [sent: string, status: number][] = [
    ['"createdAt": "2030-01-01T12:00:00.000Z"', 200],
    ['"createdAt": "2030-01-01T13:00:00+01:00"', 200],
    ['"createdAt": ["2030-01-01T12:00:00Z"]', 200],
    ['"price": 9.9', 200],
    ['"price": "009.900"', 200],
    ['"createdAt": "2030-01-01T12:00:01Z"', 422],
    ['"createdAt": null', 422],
    ['"createdAt": []', 422],
    ['"createdAt": "yesterday"', 422],
    ['"price": 9.91', 422],
  ]
  for (const [sent, status] of table) {
    const response = await put(path, `{"title": "A", ${sent}}`, AS_PROBLEM)
    assert.equal(response.status, status, sent)
    if (status === 422) assert.match(codesOf(response), /^(createdAt|price): (ReadOnly|WrongDatatype)$/, sent)
    const { createdAt, price } = await values(path)
    assert.deepEqual({ createdAt, price }, { createdAt: stored.createdAt, price: stored.price }, sent)
  }
})

// contract: Validation: 422; in the default form
// contract: A failed one has changed nothing.
test('what does not fit is 422 that names every violation, and changes nothing', async (t) => {
  const { add, addAt, get, put, base } = await serveWriter(t, { api: API })
  await add('/books', { title: 'other', isbn: 'taken' })
  const path = await addAt('/books', { title: 'A', isbn: 'own' })
  const before = await get(path)
  const none = `${base}/authors/none`
  const table: [sent: object, ...said: Said][] = [
    [{}, 'title: RequiredValue'],
    [{ title: 5, titel: 'x' }, 'title: WrongDatatype, titel: UnknownProperty', '"title"'],
    [{ title: 'B', isbn: 'taken' }, 'isbn: NotUnique'],
    [{ title: 'B', author: none }, 'author: DanglingLink'],
    [{ title: 'B', author: none, isbn: 'taken' }, 'author: DanglingLink, isbn: NotUnique'],
    [{ title: 'B', '@id': `${base}/books/other` }, '@id: WrongId'],
    [{ title: 'B', '@type': 'Author' }, '@type: WrongType'],
  ]
  for (const [sent, ...said] of table) {
    const response = await put(path, sent, AS_PROBLEM)
    assert.equal(response.status, 422, JSON.stringify(sent))
    assertProblem(response, said, JSON.stringify(sent))
    assert.equal((await get(path)).body, before.body)
  }
  // Its own unique value is not taken.
  assert.equal((await put(path, { title: 'B', isbn: 'own' })).status, 200)
})

// contract: `@context`, `@id` and `@type` that agree
test('@id in a PUT may be the address of the member, also relative to it', async (t) => {
  const { addAt, put, base } = await serveWriter(t)
  const path = await addAt('/authors', { name: 'Ann' })
  const id = path.slice('/authors/'.length)
  for (const address of [
    `${base}${path}`,
    id,
    `../authors/${id}`,
    `${new URL(base).pathname}${path}`,
    '',
    '_:b0',
  ]) {
    assert.equal((await put(path, { '@id': address, name: 'Bob' })).status, 200, address)
  }
})

test('a relative link in a PUT is relative to the member', async (t) => {
  const api = 'classes: { Page: { properties: { next: Page } } }'
  const { addAt, put, base } = await serveWriter(t, { api })
  const first = await addAt('/pages', {})
  const second = await addAt('/pages', {})
  const id = first.slice('/pages/'.length)
  for (const next of [id, `./${id}`, `../pages/${id}`]) {
    assert.deepEqual(valuesOf(await put(second, { next })), { next: `${base}${first}` }, next)
  }
  assert.equal((await put(second, { next: `pages/${id}` })).status, 422)
})

// contract: PUT: replace (404 where there is nothing)
test('PUT to an address where nothing is says 404 and how to create something there', async (t) => {
  const { put, get } = await serveWriter(t)
  const response = await put('/authors/ann', { name: 'Ann' }, AS_PROBLEM)
  assert.equal(response.status, 404)
  assertProblem(response, ['MemberNotFound', '"ann"', 'If-None-Match: *'], 'PUT')
  assert.equal((await get('/authors')).json().totalItems, 0)
})

// contract: Ids are UUIDv7, or what a PUT
// contract: PUT: replace (404 where there is nothing)
test('PUT with If-None-Match: * creates a member under the id that the client has chosen', async (t) => {
  const { put, get, base } = await serveWriter(t)
  const ids = ['ann', 'a', '7', 'A.b_c~d-e', '...', 'x'.repeat(128), '__proto__', 'constructor', '-', '~']
  for (const id of ids) {
    const address = `${base}/authors/${id}`
    const response = await put(`/authors/${id}`, { '@id': address, name: id }, { 'If-None-Match': '*' })
    assert.equal(response.status, 201, id)
    assert.equal(response.headers.location, address)
    assert.equal(response.json()['@id'], address)
    const read = await get(`/authors/${id}`)
    assert.equal(read.body, response.body)
    assert.equal(read.headers.etag, response.headers.etag)
    const again = await put(`/authors/${id}`, { name: 'other' }, { 'If-None-Match': '*' })
    assert.equal(again.status, 412, id)
    assert.equal((await get(`/authors/${id}`)).body, read.body)
  }
  assert.equal((await get('/authors')).json().totalItems, ids.length)
})

// contract: Ids are UUIDv7, or what a PUT
test('an id of other characters, or a longer one, cannot be chosen', async (t) => {
  const { put, get } = await serveWriter(t)
  for (const id of ['a%20b', '%F0%9F%93%9A', 'x'.repeat(129), "a'b", 'a:b', 'a%00', 'a,b', '%2E', '%2E%2E']) {
    const headers = { ...AS_PROBLEM, 'If-None-Match': '*' }
    const response = await put(`/authors/${id}`, { name: 'Ann' }, headers)
    assert.equal(response.status, 400, id)
    assert.equal(codesOf(response), 'InvalidId', id)
  }
  assert.equal((await get('/authors')).json().totalItems, 0)
})

// contract: A read-only property in PUT or PATCH is accepted
test('a creation by PUT is validated like any other, and a read-only property is 422', async (t) => {
  const { put, get } = await serveWriter(t, { api: API })
  const create = { 'If-None-Match': '*' }
  assert.equal((await put('/books/1', {}, create)).status, 422)
  assert.equal((await put('/books/1', { title: 'A', price: '9.90' }, create)).status, 422)
  assert.equal((await put('/books/1', { title: 'A', '@id': '/api/books/2' }, create)).status, 422)
  assert.equal((await get('/books')).json().totalItems, 0)
})

test('writes are answered in the form of RDF that was asked for, as reads are', async (t) => {
  const { post, put, patch, get, base } = await serveWriter(t)
  for (const type of ['text/turtle', 'application/n-quads']) {
    const Accept = type
    const created = await post('/authors', { name: 'Ann' }, { Accept })
    const path = pathOf(base, created.headers.location)
    for (const response of [
      created,
      await put(path, { name: 'Ann' }, { Accept }),
      await patch(path, {}, { Accept }),
    ]) {
      assert.ok(response.status < 300)
      assert.ok(response.headers['content-type']?.startsWith(type))
      const read = await get(path, { Accept })
      assert.ok(read.body.includes('"Ann"'))
      assert.equal(response.body, read.body)
    }
    const patched = await patch(path, {}, { Accept })
    assert.equal(patched.headers.etag, (await get(path, { Accept })).headers.etag)
    assert.notEqual(patched.headers.etag, (await get(path)).headers.etag)
  }
})
