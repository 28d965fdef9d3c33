import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptDatabase } from '../support/databases.ts'
import {
  AS_PROBLEM,
  assertProblem,
  pathOf,
  type Said,
  type SignedIn,
  serveSignedIn,
  withoutContext,
} from './signed-in.ts'
import { read } from './walks.ts'

async function addAuthors({ add }: SignedIn, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    ids.push((await add('/authors', { name: `Author ${index}` }))['@id'])
  }
  return ids
}

// contract: The service is an HTTP API that exposes collections
// contract: **Collection**: `@type`
test('a collection has whole members, their total, its member assertion, its view and its templates', async (t) => {
  const service = await serveSignedIn(t)
  const { base, add } = service
  const ann = await add('/authors', { name: 'Ann', born: '1970-01-01' })
  const bob = await add('/authors', { name: 'Bob' })
  const { search, summary, view, ...rest } = await read(service, '/authors')
  assert.deepEqual(withoutContext(rest), {
    '@id': `${base}/authors`,
    '@type': ['Collection', 'AuthorCollection'],
    memberAssertion: { property: 'rdf:type', object: `${base}/vocab#Author` },
    totalItems: 2,
    member: [withoutContext(ann), withoutContext(bob)],
  })
  const { last, ...others } = view
  assert.deepEqual(others, {
    '@id': `${base}/authors?itemsPerPage=20`,
    '@type': 'PartialCollectionView',
    first: `${base}/authors?itemsPerPage=20`,
  })
  const end = await read(service, pathOf(base, last))
  assert.deepEqual(end.member, [withoutContext(ann), withoutContext(bob)])
  for (const [name, template] of Object.entries({ search, summary })) {
    const { '@id': id, '@type': type, variableRepresentation } = template as Record<string, unknown>
    assert.deepEqual(
      [id, type, variableRepresentation],
      [`${base}/authors#${name}`, 'IriTemplate', 'BasicRepresentation'],
    )
  }
})

test('an empty collection has one page without members', async (t) => {
  const service = await serveSignedIn(t)
  const { totalItems, member, view } = await read(service, '/authors')
  assert.equal(totalItems, 0)
  assert.deepEqual(member, [])
  assert.equal(view.first, `${service.base}/authors?itemsPerPage=20`)
  assert.deepEqual([view.next, view.previous], [undefined, undefined])
  assert.deepEqual((await read(service, pathOf(service.base, view.last))).member, [])
  const page = await read(service, '/authors?page=1')
  assert.deepEqual([page.view.first, page.view.last], [page.view['@id'], page.view['@id']])
})

// contract: **Collection**: `@type`
test('a collection that is asked for with a query, or as application/json, has no search', async (t) => {
  const service = await serveSignedIn(t)
  for (const query of ['?page=1', '?itemsPerPage=5', '?name=Ann', '?sort=-name', '?q=ann']) {
    assert.equal('search' in (await read(service, `/authors${query}`)), false, query)
  }
  const { body } = await service.get('/authors')
  assert.equal((await service.get('/authors?')).body, body, 'an empty query is none')
  assert.ok('search' in JSON.parse(body))
  const asJson = (await service.get('/authors', { Accept: 'application/json' })).json()
  assert.equal('search' in asJson, false)
  assert.ok('view' in asJson)
})

// contract: **Collection**: `@type`
test('the view is named by the request, with what no IRI may contain percent-encoded', async (t) => {
  const service = await serveSignedIn(t)
  const table: [query: string, name: string][] = [
    ['', 'itemsPerPage=20'],
    ['?', 'itemsPerPage=20'],
    ['?p%61ge=%31&&itemsPerPage=2&', 'p%61ge=%31&&itemsPerPage=2&'],
    ['?order[name]=asc', 'order%5Bname%5D=asc'],
    ['?name[ne]="<>', 'name%5Bne%5D=%22%3C%3E'],
  ]
  for (const [query, name] of table) {
    const { view } = await read(service, `/authors${query}`)
    assert.equal(view['@id'], `${service.base}/authors?${name}`)
  }
})

// contract: Where the request has filters the collection is a resource of its own
test('a filtered collection is named by its filters, as they were sent, on all of its pages', async (t) => {
  const service = await serveSignedIn(t)
  const { base } = service
  await addAuthors(service, 5)
  const table: [query: string, id: string, total: number][] = [
    ['', '', 5],
    ['?page=1&itemsPerPage=2', '', 5],
    ['?sort=-name&order[born]=asc', '', 5],
    ['?name=Author+1', '?name=Author+1', 1],
    ['?name=Author%201&page=1', '?name=Author%201', 1],
    ['?sort=name&name[gte]=Author%202&&itemsPerPage=2', '?name%5Bgte%5D=Author%202', 3],
    ['?exists[born]=false&name.ne=x', '?exists%5Bborn%5D=false&name.ne=x', 5],
    ['?name.ne=x&born.exists=false', '?name.ne=x&born.exists=false', 5],
    ['?q=author&limit=1', '?q=author', 5],
  ]
  for (const [query, id, total] of table) {
    let path: string | undefined = `/authors${query}`
    let seen = 0
    while (path !== undefined) {
      const page: Awaited<ReturnType<typeof read>> = await read(service, path)
      assert.deepEqual([page['@id'], page.totalItems], [`${base}/authors${id}`, total], path)
      seen += page.member.length
      path = page.view.next && pathOf(base, page.view.next)
    }
    assert.equal(seen, total, query)
  }
  const plain = (await service.get('/authors?name=x', { Accept: 'application/json' })).json()
  assert.equal(plain['@id'], `${base}/authors?name=x`)
})

// contract: **Paging**: `page` and `itemsPerPage`
// contract: Anything unknown or ill-typed: 400
// contract: `--page-size`, `--max-page-size` ¦
test('a query that cannot be answered is 400 that names the parameter and what would be right', async (t) => {
  const { get } = await serveSignedIn(t)
  const table: [query: string, ...said: Said][] = [
    ['page=0', 'page: InvalidCount'],
    ['page=-1', 'page: InvalidCount'],
    ['page=abc', 'page: InvalidCount'],
    ['page=1e3', 'page: InvalidCount'],
    ['page=1.0', 'page: InvalidCount'],
    ['page=01', 'page: InvalidCount'],
    ['page=+1', 'page: InvalidCount'],
    ['page=%D9%A1', 'page: InvalidCount'],
    ['page=', 'page: InvalidCount'],
    ['page', 'page: InvalidCount'],
    ['page=9007199254740993', 'page: InvalidCount'],
    ['page=99999999999999999999', 'page: InvalidCount'],
    ['page=1&page=1', 'page: DuplicateParameter'],
    ['page=1&p%61ge=2', 'page: DuplicateParameter'],
    ['itemsPerPage=0', 'itemsPerPage: InvalidCount', '100'],
    ['itemsPerPage=101', 'itemsPerPage: InvalidCount', '100'],
    ['itemsPerPage=5&itemsPerPage=5', 'itemsPerPage: DuplicateParameter'],
    ['page=501', 'page: PageTooFar', '10000'],
    ['page=101&itemsPerPage=100', 'page: PageTooFar', '10000'],
    ['itemsPerpage=5', 'itemsPerpage: UnknownParameter', '"itemsPerPage"'],
    ['pag=5', 'pag: UnknownParameter', '"page"'],
    ['constructor=1', 'constructor: UnknownParameter', 'name, born, q, fields, sort, page, itemsPerPage'],
    ['__proto__=1', '__proto__: UnknownParameter'],
    ['=1', 'UnnamedParameter'],
    ["page=1'--", 'page: InvalidCount'],
    ['born=1970', 'born: InvalidFilterValue'],
    ['nam=Ann', 'nam: UnknownParameter', '"name"'],
    ['after=x', 'after: InvalidCursor'],
    ['after=', 'after: InvalidCursor'],
    ['page=%zz', 'InvalidQueryEncoding'],
    ['page=%ff', 'InvalidQueryEncoding'],
    [`${'x'.repeat(5000)}=1`, `${'x'.repeat(100)}…: UnknownParameter`],
  ]
  for (const [query, ...said] of table) {
    const response = await get(`/authors?${query}`, AS_PROBLEM)
    assert.equal(response.status, 400, query)
    assertProblem(response, said, query)
    assert.ok(String(response.json().detail).length < 400, query)
  }
})

// contract: `{base}/{collection}` ¦
test('HEAD of a collection has the headers of GET and no body', async (t) => {
  const service = await serveSignedIn(t)
  await addAuthors(service, 1)
  for (const path of ['/authors', '/authors?page=1', '/authors?name=Author+0', '/authors?sort=-name']) {
    const [got, head] = [await service.get(path), await service.send('HEAD', path)]
    assert.equal(head.status, 200)
    assert.equal(head.body, '')
    assert.deepEqual(head.headerNames, got.headerNames)
    assert.equal(head.headers['content-length'], String(Buffer.byteLength(got.body)))
    assert.equal(head.headers.etag, got.headers.etag)
  }
  assert.equal((await service.send('HEAD', '/authors?page=0')).status, 400)
})

// contract: ETags are strong
// contract: `If-None-Match` gives 304.
test('the ETag of a page is over what it shows', async (t) => {
  const service = await serveSignedIn(t, { flags: { pageSize: '2' } })
  const { get, add, send } = service
  const etagOf = async (path: string) => (await get(path)).headers.etag ?? ''
  await addAuthors(service, 1)
  const before = await etagOf('/authors')
  assert.equal((await get('/authors', { 'If-None-Match': before })).status, 304)
  assert.equal((await get('/authors', { 'If-None-Match': `"x", W/${before}` })).status, 304)
  assert.notEqual(await etagOf('/authors?page=1'), before)

  await add('/books', { title: 'Another collection' })
  assert.equal(await etagOf('/authors'), before)

  const bob = await add('/authors', { name: 'Bob' })
  const withBob = await etagOf('/authors')
  assert.notEqual(withBob, before)
  assert.equal((await get('/authors', { 'If-None-Match': before })).status, 200)

  await send('DELETE', pathOf(service.base, bob['@id']))
  await add('/authors', { name: 'Bob' })
  assert.notEqual(await etagOf('/authors'), withBob)
})

// contract: ETags are strong
test('the ETag of a filtered page stays when others change, and changes with its links', async (t) => {
  const service = await serveSignedIn(t, { flags: { pageSize: '2' } })
  const { get, add } = service
  const etagOf = async (path: string) => (await get(path)).headers.etag ?? ''
  await addAuthors(service, 2)
  const table = ['/authors?name[startsWith]=Author', '/authors?name=Author+0', '/authors?sort=-name&page=1']
  const before = await Promise.all(table.map(etagOf))
  await add('/authors', { name: 'Bob' })
  const withBob = await Promise.all(table.map(etagOf))
  assert.deepEqual(withBob.slice(0, 2), before.slice(0, 2))
  assert.notEqual(withBob[2], before[2])

  // The same members, but now there is a next page.
  await add('/authors', { name: 'Author 9' })
  assert.notEqual(await etagOf(table[0] ?? ''), before[0])
  assert.equal(await etagOf(table[1] ?? ''), before[1])
})

test('the ETag of a page changes with the page size, which its view shows', async (t) => {
  const first = await serveSignedIn(t, { db: keptDatabase(t) })
  await addAuthors(first, 1)
  const before = await first.get('/authors')
  await first.close()
  const flags = { pageSize: '30', baseUrl: first.base }
  const second = await serveSignedIn(t, { db: first.db, flags })
  const after = await second.get('/authors')
  assert.notEqual(after.body, before.body)
  assert.notEqual(after.headers.etag, before.headers.etag)
})

// contract: Only the operations that the API file declares exist
test('only the operations that the API file declares exist, and 405 says which those are', async (t) => {
  const api = `
classes:
  Full: { operations: [list, create, read, delete], properties: { name: string } }
  Readable: { collection: readables, operations: [list, read] }
  Writable: { collection: writables, operations: [create] }
  Removable: { collection: removables, operations: [read, delete] }
  Closed: { collection: closed, operations: [] }
`
  const { send } = await serveSignedIn(t, { api })
  const table: [path: string, allow: string][] = [
    ['/fulls', 'GET, HEAD, POST'],
    ['/fulls/1', 'GET, HEAD, DELETE'],
    ['/readables', 'GET, HEAD'],
    ['/readables/1', 'GET, HEAD'],
    ['/writables', 'POST'],
    ['/writables/1', ''],
    ['/removables', ''],
    ['/removables/1', 'GET, HEAD, DELETE'],
    ['/closed', ''],
  ]
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']
  for (const [path, allow] of table) {
    for (const method of methods.filter((one) => !allow.split(', ').includes(one))) {
      const response = await send(method, path)
      assert.equal(response.status, 405, `${method} ${path}`)
      assert.equal(response.headers.allow, allow, `${method} ${path}`)
    }
    const options = await send('OPTIONS', path)
    assert.equal(options.status, 204, path)
    assert.equal(options.headers.allow, allow, path)
  }
})

// contract: Error bodies are one JSON object
test('a path that is no collection is 404 with the nearest name', async (t) => {
  const { get } = await serveSignedIn(t)
  const table: [path: string, ...said: Said][] = [
    ['/boooks', 'UnknownCollection', '"books"'],
    ['/Books', 'UnknownCollection', '"books"'],
    ['/constructor', 'UnknownCollection'],
    ['/__proto__', 'UnknownCollection'],
    ['/books/', 'TrailingSlash', 'slash at the end: /api/books.'],
    ['/books/?page=2', 'TrailingSlash', 'slash at the end: /api/books.'],
    ['/books/b1/', 'TrailingSlash', 'slash at the end: /api/books/b1.'],
    ['/vocab/', 'TrailingSlash', 'slash at the end: /api/vocab.'],
    ['/contexts/', 'PathNotFound', '/contexts/'],
    ['//books', 'PathNotFound'],
    ['/books//', 'TrailingSlash', 'ids below /books have no slashes'],
    ['/books/1/2', 'TrailingSlash', 'ids below /books have no slashes'],
    ['/book', 'UnknownCollection', '"books"'],
    ['/authors/a1/books', 'NotNested', '/api/books?author=/api/authors/a1'],
    ['/authors/a1/books/', 'NotNested', '/api/books?author=/api/authors/a1'],
    ['/authors/a1/books/b1', 'TrailingSlash'],
    ['/books/b1/author', 'PartOfMember', '/api/books/b1'],
    ['/books/b1/history', 'NoHistory', 'Book has no history'],
    ['/books/b1/authors', 'TrailingSlash'],
    [`/authors/${'a/'.repeat(3_000)}`, 'TrailingSlash'],
  ]
  for (const [path, ...said] of table) {
    const response = await get(path, AS_PROBLEM)
    assert.equal(response.status, 404, path)
    assertProblem(response, said, path)
  }
})
