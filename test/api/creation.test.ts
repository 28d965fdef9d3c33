import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WriteMethods } from '../../src/vocabulary/index.ts'
import { API as LIBRARY, modelOf } from '../support/service.ts'
import { EVERYTHING } from './api-files.ts'
import { AS_PROBLEM, codesOf, pathOf, serveSignedIn, withoutContext } from './signed-in.ts'

// contract: POST: 201, `Location` = body `@id`, `ETag`.
test('POST is answered with 201, the address of the new member and its ETag', async (t) => {
  const { post, get, base } = await serveSignedIn(t)
  const created = await post('/authors', { name: 'Ann' })
  assert.equal(created.status, 201)
  const { location, etag = '' } = created.headers
  assert.equal(created.json()['@id'], location)
  const read = await get(pathOf(base, location))
  assert.equal(read.body, created.body)
  assert.equal(read.headers.etag, etag)
  assert.equal(read.headers['content-type'], created.headers['content-type'])
  assert.equal((await get(pathOf(base, location), { 'If-None-Match': etag })).status, 304)
})

// contract: Bodies: `application/ld+json`, `application/json`
test('POST takes both JSON types, with parameters, and answers in the type that was asked for', async (t) => {
  const { post, get } = await serveSignedIn(t)
  const table: [type: string, accept: string, answered: string][] = [
    ['application/ld+json', '*/*', 'application/ld+json'],
    ['application/json', '*/*', 'application/ld+json'],
    ['application/json; charset=utf-8', 'application/json', 'application/json'],
    ['Application/LD+JSON;profile="x"', 'application/json', 'application/json'],
  ]
  for (const [type, accept, answered] of table) {
    const response = await post('/authors', { name: 'Ann' }, { 'Content-Type': type, Accept: accept })
    assert.equal(response.status, 201, type)
    assert.equal(response.headers['content-type'], answered, type)
  }
  assert.equal((await get('/authors')).json().totalItems, table.length)
})

// contract: Bodies: `application/ld+json`, `application/json`
test('a body of another type is 415 that says which types are understood', async (t) => {
  const { send, get } = await serveSignedIn(t)
  const table: Record<string, string>[] = [
    {},
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    { 'Content-Type': 'application/jsonx' },
    { 'Content-Type': 'text/turtle' },
    { 'Content-Type': '' },
    { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
  ]
  for (const headers of table) {
    const response = await send('POST', '/authors', { ...AS_PROBLEM, ...headers }, '{"name": "Ann"}')
    assert.equal(response.status, 415, JSON.stringify(headers))
    const isEncoded = 'Content-Encoding' in headers
    assert.equal(codesOf(response), isEncoded ? 'UnsupportedContentEncoding' : 'UnsupportedMediaType')
  }
  assert.equal((await get('/authors')).json().totalItems, 0)
})

// contract: ```yaml title: Library
test('defaults fill in what was not sent, and now is the time of the creation', async (t) => {
  const time = { now: Date.UTC(2030, 0, 1, 12) }
  const { add } = await serveSignedIn(t, { api: EVERYTHING, time })
  const { createdAt, language } = await add('/books', { title: 'a' })
  assert.equal(createdAt, '2030-01-01T12:00:00.000Z')
  assert.equal(language, 'en')
  time.now += 1500
  const second = await add('/books', { title: 'b', language: 'de' })
  assert.equal(second.createdAt, '2030-01-01T12:00:01.500Z')
  assert.equal(second.language, 'de')
})

// contract: `@context`, `@id` and `@type` that agree
test('what the contract lets a client send back or leave open is accepted', async (t) => {
  const { post, add, get, base } = await serveSignedIn(t, { api: EVERYTHING })
  const author = (await add('/authors', { name: 'Ann' }))['@id']
  const authorPath = new URL(author).pathname
  const context = (await get('/contexts/Book')).json()['@context']
  const table: [sent: object, kept: object][] = [
    [{ id: null, originId: '/books/1' }, {}],
    [{ '@type': 'Book' }, {}],
    [{ '@type': ['Book'] }, {}],
    [{ '@type': `${base}/vocab#Book` }, {}],
    [{ '@context': context }, {}],
    [{ '@context': `${base}/contexts/Book` }, {}],
    [{ author }, { author }],
    [{ author: { '@id': author } }, { author }],
    [{ author: [author] }, { author }],
    [{ author: authorPath }, { author }],
    [{ author: `../api${authorPath.slice('/api'.length)}` }, { author }],
    [{ editors: author }, { editors: [author] }],
    [{ editors: [author, { '@id': author }] }, { editors: [author, author] }],
    [{ genres: 'one' }, { genres: ['one'] }],
    [{ genres: [] }, {}],
    [{ genres: [null, 'a', null] }, { genres: ['a'] }],
    [{ pages: null }, {}],
    [{ pages: [3] }, { pages: 3 }],
    [{ genres: Array.from({ length: 1000 }, String) }, { genres: Array.from({ length: 1000 }, String) }],
  ]
  for (const [sent, kept] of table) {
    const response = await post('/books', { title: 'a', ...sent })
    assert.equal(response.status, 201, `${JSON.stringify(sent).slice(0, 200)} ${response.body.slice(0, 500)}`)
    const { '@id': id, '@type': type, createdAt, language, ...rest } = withoutContext(response.json())
    assert.deepEqual(rest, { title: 'a', ...kept })
    assert.deepEqual([typeof id, type, typeof createdAt, language], ['string', 'Book', 'string', 'en'])
  }
})

// contract: `@context`, `@id` and `@type` that agree
// contract: Where the class declares no such property
test('id and originId are properties like any other where the class declares them', async (t) => {
  const api = 'classes: { Thing: { properties: { id: integer, originId: string } } }'
  const { add, post } = await serveSignedIn(t, { api })
  const thing = await add('/things', { id: 5, originId: 'a' })
  assert.equal(thing.id, 5)
  assert.equal(thing.originId, 'a')
  assert.equal((await post('/things', { id: 'x' })).status, 422)
})

// contract: Decimals are returned as JSON strings
test('decimals come back with the digits that were sent, as a string or as a number', async (t) => {
  const { post } = await serveSignedIn(t, { api: EVERYTHING })
  const table: [json: string, stored: string][] = [
    ['"12.50"', '12.50'],
    ['12.50', '12.50'],
    ['"0.10"', '0.10'],
    ['"007"', '007'],
    ['"+1.0"', '+1.0'],
    ['9007199254740993', '9007199254740993'],
    ['0.1234567890123456789012345678901234567890', '0.1234567890123456789012345678901234567890'],
    ['1.50e1', '15.0'],
    ['1e99', `1${'0'.repeat(99)}`],
    [`".${'7'.repeat(100)}"`, `.${'7'.repeat(100)}`],
  ]
  for (const [json, stored] of table) {
    const response = await post('/books', `{"title": "a", "price": ${json}}`)
    assert.equal(response.status, 201, json)
    assert.equal(response.json().price, stored, json)
  }
})

// contract: What a value means is the same on both stores
test('a unique value is taken once, whatever its spelling', async (t) => {
  const { post, add, send, base } = await serveSignedIn(t, { api: EVERYTHING })
  const first = await add('/books', { title: 'a', isbn: '1-1', code: '12.5' })
  const table: [sent: object, status: number, codes?: string][] = [
    [{ isbn: '1-1' }, 422, 'isbn: NotUnique'],
    [{ code: '12.50' }, 422, 'code: NotUnique'],
    [{ code: 12.5 }, 422, 'code: NotUnique'],
    [{ code: '+012.5' }, 422, 'code: NotUnique'],
    [{ isbn: '1-1', code: '12.5' }, 422, 'isbn: NotUnique, code: NotUnique'],
    [{ isbn: '1-2' }, 201],
    [{ code: '-12.5' }, 201],
    [{}, 201],
    [{}, 201],
  ]
  for (const [sent, status, codes] of table) {
    const response = await post('/books', { title: 'b', ...sent }, AS_PROBLEM)
    assert.equal(response.status, status, JSON.stringify(sent))
    if (codes !== undefined) assert.equal(codesOf(response), codes)
  }
  assert.equal((await send('DELETE', pathOf(base, first['@id']))).status, 204)
  await add('/books', { title: 'c', isbn: '1-1', code: '12.50' })
})

// contract: Validation: 422; in the default form
test('of twenty creations with one unique value at the same time exactly one succeeds', async (t) => {
  const { post, get } = await serveSignedIn(t, { api: EVERYTHING })
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      post('/books', { title: `${index}`, code: `7.${'0'.repeat(index)}` }),
    ),
  )
  const statuses = responses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, ...Array(19).fill(422)])
  assert.equal((await get('/books')).json().totalItems, 1)
})

// contract: The older vocabulary is understood as far as
// contract: `{base}/{collection}` ¦
// contract: `{base}/{collection}/{id}` ¦
test('documents of others create by PUT on the collection and replace by POST on the member', async (t) => {
  const model = modelOf(LIBRARY)
  const table: [methods: WriteMethods, collection: string, member: string][] = [
    [{ create: ['PUT'], replace: ['POST'] }, 'GET, HEAD, PUT', 'GET, HEAD, POST, PATCH, DELETE'],
    [
      { create: ['POST', 'PUT'], replace: ['PUT', 'POST'] },
      'GET, HEAD, POST, PUT',
      'GET, HEAD, PUT, POST, PATCH, DELETE',
    ],
  ]
  for (const [methods, ofCollection, ofMember] of table) {
    const classes = model.classes.map((cls) => ({ ...cls, methods }))
    const { send, get, base, close } = await serveSignedIn(t, { model: { ...model, classes } })
    const headers = { 'Content-Type': 'application/json' }
    for (const create of methods.create) {
      const created = await send(create, '/authors', headers, '{"name": "Ann"}')
      assert.equal(created.status, 201)
      const path = pathOf(base, created.headers.location)
      for (const replace of methods.replace) {
        const replaced = await send(replace, path, headers, '{"name": "Bob"}')
        assert.equal(replaced.status, 200)
        assert.equal((await get(path)).json().name, 'Bob')
        const placed = await send(
          replace,
          `/authors/${create}-${replace}`,
          { ...headers, 'If-None-Match': '*' },
          '{"name": "Cyd"}',
        )
        assert.equal(placed.status, 201)
      }
      assert.equal((await send('OPTIONS', '/authors')).headers.allow, ofCollection)
      assert.equal((await send('OPTIONS', path)).headers.allow, ofMember)
    }
    await close()
  }
})

// contract: `{base}/{collection}` ¦
// contract: `{base}/{collection}/{id}` ¦
// contract: Only the operations that the API file declares exist
test('only the operations that the API file declares exist', async (t) => {
  const table: [operations: string, ofCollection: string, ofMember: string][] = [
    ['list, create, read, update, replace, delete', 'GET, HEAD, POST', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['list, read', 'GET, HEAD', 'GET, HEAD'],
    ['create', 'POST', ''],
    ['read, replace', '', 'GET, HEAD, PUT'],
    ['list, update', 'GET, HEAD', 'PATCH'],
  ]
  const classes = table.map(
    ([operations], row) =>
      `Thing${row}: { collection: things${row}, properties: { name: string }, operations: [${operations}] }`,
  )
  const { send } = await serveSignedIn(t, { api: `classes: { ${classes.join(', ')} }` })
  for (const [row, [operations, ofCollection, ofMember]] of table.entries()) {
    for (const [path, allow] of [
      [`/things${row}`, ofCollection],
      [`/things${row}/1`, ofMember],
    ] as const) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await send(method, path, { 'Content-Type': 'application/json' }, '{}')
        assert.equal(
          status === 405,
          !allow.split(', ').includes(method),
          `${operations}: ${method} ${path} ${status}`,
        )
        if (status === 405) assert.equal(headers.allow, allow)
      }
    }
  }
})

test('where members can be replaced but not created, PUT with If-None-Match: * is 403', async (t) => {
  const api = 'classes: { Thing: { properties: { name: string }, operations: [read, replace] } }'
  const { send } = await serveSignedIn(t, { api })
  const headers = { ...AS_PROBLEM, 'Content-Type': 'application/json' }
  const refused = await send('PUT', '/things/1', { ...headers, 'If-None-Match': '*' }, '{}')
  assert.equal(refused.status, 403)
  assert.equal(codesOf(refused), 'NotCreatable')
  const missing = await send('PUT', '/things/1', headers, '{}')
  assert.equal(missing.status, 404)
  assert.equal(codesOf(missing), 'MemberNotFound')
  assert.ok(!String(missing.json().detail).includes('If-None-Match'))
})
