import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toIri } from '../../src/resources/collection.ts'
import { type Json, pathOf, type SignedIn, sentenceOf, serveSignedIn, withoutContext } from './signed-in.ts'

interface Collection extends Json {
  readonly totalItems: number
  readonly member: readonly (Json & { readonly '@id': string })[]
  readonly view: Readonly<Record<string, string>>
}

async function addAuthors({ add }: SignedIn, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    ids.push((await add('/authors', { name: `Author ${index}` }))['@id'])
  }
  return ids
}

async function read({ get }: SignedIn, path: string): Promise<Collection> {
  const response = await get(path)
  assert.equal(response.status, 200, response.body)
  return response.json() as Collection
}

test('a collection has whole members, their total, its member assertion, its view and its search', async (t) => {
  const service = await serveSignedIn(t)
  const { base, add } = service
  const ann = await add('/authors', { name: 'Ann', born: '1970-01-01' })
  const bob = await add('/authors', { name: 'Bob' })
  const mapping = (variable: string, property: string) => ({
    '@type': 'IriTemplateMapping',
    variable,
    property,
    required: false,
  })
  assert.deepEqual(withoutContext(await read(service, '/authors')), {
    '@id': `${base}/authors`,
    '@type': ['Collection', 'AuthorCollection'],
    memberAssertion: { property: 'rdf:type', object: `${base}/vocab#Author` },
    totalItems: 2,
    member: [withoutContext(ann), withoutContext(bob)],
    view: {
      '@id': `${base}/authors?itemsPerPage=20`,
      '@type': 'PartialCollectionView',
      first: `${base}/authors?page=1`,
      last: `${base}/authors?page=1`,
    },
    search: {
      '@id': `${base}/authors#search`,
      '@type': 'IriTemplate',
      template: `${base}/authors{?page,itemsPerPage}`,
      variableRepresentation: 'BasicRepresentation',
      mapping: [mapping('page', 'hydra:pageIndex'), mapping('itemsPerPage', 'hydra:limit')],
    },
  })
})

test('an empty collection has one page without members', async (t) => {
  const service = await serveSignedIn(t)
  const { totalItems, member, view } = await read(service, '/authors')
  assert.equal(totalItems, 0)
  assert.deepEqual(member, [])
  assert.equal(view.first, `${service.base}/authors?page=1`)
  assert.equal(view.last, view.first)
  assert.equal(view.next, undefined)
})

test('a collection that is asked for with a query names its search and does not repeat it', async (t) => {
  const service = await serveSignedIn(t)
  const named = { '@id': `${service.base}/authors#search` }
  for (const query of ['?page=1', '?itemsPerPage=5', '?page=1&itemsPerPage=5']) {
    assert.deepEqual((await read(service, `/authors${query}`)).search, named, query)
  }
  const { body } = await service.get('/authors')
  assert.equal((await service.get('/authors?')).body, body, 'an empty query is none')
})

test('the view is named by the request and leads to the other pages, in the size that was asked for', async (t) => {
  const service = await serveSignedIn(t, { flags: { pageSize: '2', maxPageSize: '4' } })
  await addAuthors(service, 5)
  const table: [query: string, self: string, links: Json][] = [
    ['', 'itemsPerPage=2', { first: 'page=1', next: 'page=2', last: 'page=3' }],
    ['?page=1', 'page=1', { first: 'page=1', next: 'page=2', last: 'page=3' }],
    ['?page=2', 'page=2', { first: 'page=1', previous: 'page=1', next: 'page=3', last: 'page=3' }],
    ['?page=3', 'page=3', { first: 'page=1', previous: 'page=2', last: 'page=3' }],
    // A member may have been removed since the link to this page was made: that is no error.
    ['?page=9', 'page=9', { first: 'page=1', previous: 'page=3', last: 'page=3' }],
    [
      '?itemsPerPage=4',
      'itemsPerPage=4',
      { first: 'page=1&itemsPerPage=4', next: 'page=2&itemsPerPage=4', last: 'page=2&itemsPerPage=4' },
    ],
    [
      '?itemsPerPage=3&page=2',
      'itemsPerPage=3&page=2',
      { first: 'page=1&itemsPerPage=3', previous: 'page=1&itemsPerPage=3', last: 'page=2&itemsPerPage=3' },
    ],
    [
      '?p%61ge=%31&&itemsPerPage=2&',
      'p%61ge=%31&&itemsPerPage=2&',
      { first: 'page=1', next: 'page=2', last: 'page=3' },
    ],
  ]
  for (const [query, self, links] of table) {
    const address = (part: unknown) => `${service.base}/authors?${part}`
    assert.deepEqual(
      (await read(service, `/authors${query}`)).view,
      {
        '@id': address(self),
        '@type': 'PartialCollectionView',
        ...Object.fromEntries(Object.entries(links).map(([name, part]) => [name, address(part)])),
      },
      query,
    )
  }
})

test('what HTTP lets through in a query but no IRI may contain is percent-encoded', () => {
  const table: [query: string, iri: string][] = [
    ['page=1&itemsPerPage=20', 'page=1&itemsPerPage=20'],
    ['order[title]=asc', 'order%5Btitle%5D=asc'],
    ['a=%5B%5b', 'a=%5B%5b'],
    ['a=100%&b=%zz', 'a=100%25&b=%25zz'],
    ['a="<>\\^`{|}#', 'a=%22%3C%3E%5C%5E%60%7B%7C%7D%23'],
    // node:http hands over each byte as a character: é is two of them.
    ['a=\u00c3\u00a9\u0080', 'a=%C3%A9%80'],
    ["a=!$'()*+,;:@/?~-._", "a=!$'()*+,;:@/?~-._"],
  ]
  for (const [query, iri] of table) assert.equal(toIri(query), iri)
})

test('walking page by page visits every member exactly once, in both directions', async (t) => {
  const service = await serveSignedIn(t, { flags: { pageSize: '3' } })
  const added = await addAuthors(service, 11)
  for (const start of ['/authors', '/authors?page=1', '/authors?itemsPerPage=1', '/authors?itemsPerPage=4']) {
    const forth: string[] = []
    let page = await read(service, start)
    for (;;) {
      assert.equal(page.totalItems, added.length)
      forth.push(...page.member.map((member) => member['@id']))
      if (page.view.next === undefined || forth.length > added.length) break
      page = await read(service, pathOf(service.base, page.view.next))
    }
    assert.deepEqual(forth, added, start)

    const back: string[] = []
    page = await read(service, pathOf(service.base, page.view.last))
    for (;;) {
      back.unshift(...page.member.map((member) => member['@id']))
      if (page.view.previous === undefined || back.length > added.length) break
      page = await read(service, pathOf(service.base, page.view.previous))
    }
    assert.deepEqual(back, added, start)
  }
})

test('a query that cannot be answered is 400 that names the parameter and what would be right', async (t) => {
  const { get } = await serveSignedIn(t)
  const table: [query: string, ...said: RegExp[]][] = [
    ['page=0', /^page: "0"/, /from 1/],
    ['page=-1', /^page: "-1"/],
    ['page=abc', /^page: "abc"/],
    ['page=1e3', /^page: "1e3"/],
    ['page=1.0', /^page: "1.0"/],
    ['page=01', /^page: "01"/],
    ['page=+1', /^page: " 1"/],
    ['page=%D9%A1', /^page: "١"/],
    ['page=', /^page: ""/],
    ['page', /^page: ""/],
    ['page=9007199254740993', /^page: /],
    ['page=99999999999999999999', /^page: /],
    ['page=1&page=1', /^page: given twice/],
    ['page=1&p%61ge=2', /^page: given twice/],
    ['itemsPerPage=0', /^itemsPerPage: "0"/, /from 1 to 100/],
    ['itemsPerPage=101', /^itemsPerPage: "101"/, /from 1 to 100/],
    ['itemsPerPage=5&itemsPerPage=5', /^itemsPerPage: given twice/],
    ['page=501', /^page: /, /first 10000 members/],
    ['page=101&itemsPerPage=100', /^page: /, /first 10000 members/],
    ['itemsPerpage=5', /"itemsPerpage" is not a parameter/, /did you mean "itemsPerPage"\?/],
    ['pag=5', /"pag" is not a parameter/, /did you mean "page"\?/],
    ['constructor=1', /"constructor" is not a parameter/, /possible: page, itemsPerPage/],
    ['__proto__=1', /"__proto__" is not a parameter/],
    ['=1', /"" is not a parameter/],
    ["page=1'--", /^page: "1'--"/],
    ['page=%zz', /"%"/],
    ['page=%ff', /"%"/],
    [`${'x'.repeat(5000)}=1`, /^"x{100}…" is not a parameter/],
  ]
  for (const [query, ...said] of table) {
    const response = await get(`/authors?${query}`)
    assert.equal(response.status, 400, query)
    for (const pattern of said) assert.match(sentenceOf(response), pattern, query)
    assert.ok(response.body.length < 400, query)
  }
})

test('members beyond the first 10,000 are not reached by page, and no link leads there', async (t) => {
  const service = await serveSignedIn(t, { api: 'classes: { Thing: { properties: { name: string } } }' })
  const thing = { fingerprint: 0, body: ',"name":"a"', holes: '', links: [], unique: [] }
  await Promise.all(
    Array.from({ length: 10_001 }, (_, index) =>
      service.store.members.add('Thing', { ...thing, id: `t${index}` }),
    ),
  )

  const whole = await read(service, '/things')
  assert.equal(whole.totalItems, 10_001)
  assert.equal(whole.view.next, `${service.base}/things?page=2`)
  assert.equal(whole.view.last, undefined)

  const end = await read(service, '/things?page=100&itemsPerPage=100')
  assert.equal(end.member.length, 100)
  assert.equal(end.member.at(-1)?.['@id'], `${service.base}/things/t9999`)
  assert.equal(end.view.next, undefined)
  assert.equal(end.view.previous, `${service.base}/things?page=99&itemsPerPage=100`)
  assert.equal((await service.get('/things?page=101&itemsPerPage=100')).status, 400)
})

test('HEAD of a collection has the headers of GET and no body', async (t) => {
  const service = await serveSignedIn(t)
  await addAuthors(service, 1)
  for (const path of ['/authors', '/authors?page=1']) {
    const [got, head] = [await service.get(path), await service.send('HEAD', path)]
    assert.equal(head.status, 200)
    assert.equal(head.body, '')
    assert.deepEqual(head.headerNames, got.headerNames)
    assert.equal(head.headers['content-length'], String(Buffer.byteLength(got.body)))
    assert.equal(head.headers.etag, got.headers.etag)
  }
  assert.equal((await service.send('HEAD', '/authors?page=0')).status, 400)
})

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

test('the ETag of a page changes with the page size, which its view shows', async (t) => {
  const first = await serveSignedIn(t)
  await addAuthors(first, 1)
  const before = await first.get('/authors')
  await first.close()
  const flags = { pageSize: '30', baseUrl: first.base }
  const second = await serveSignedIn(t, { db: first.db, flags })
  const after = await second.get('/authors')
  assert.notEqual(after.body, before.body)
  assert.notEqual(after.headers.etag, before.headers.etag)
})

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

test('a path that is no collection is 404 with the nearest name', async (t) => {
  const { get } = await serveSignedIn(t)
  const table: [path: string, said: RegExp][] = [
    ['/boooks', /"boooks"; did you mean "books"\?/],
    ['/Books', /did you mean "books"\?/],
    ['/constructor', /"constructor"/],
    ['/__proto__', /"__proto__"/],
    ['/books/', /no slash at its end/],
    ['//books', /./],
    ['/books/1/2', /./],
  ]
  for (const [path, said] of table) {
    const response = await get(path)
    assert.equal(response.status, 404, path)
    assert.match(sentenceOf(response), said, path)
  }
})
