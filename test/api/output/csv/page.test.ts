import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AS_PROBLEM, codesOf, pathOf, type SignedIn, serveSignedIn } from '../../signed-in.ts'
import { serveUsers } from '../../users.ts'
import { API, CSV, ESCAPED, linksIn } from './library.ts'

// contract: `Accept: text/csv` on a collection
test('filters, orders, pages and cursors are those of JSON-LD, and the links of its view are in Link', async (t) => {
  const { get, add, base } = await serveSignedIn(t, { api: API, flags: { pageSize: '2' } })
  for (const name of ['c', 'a', 'b', 'e', 'd']) await add('/authors', { name })
  const namesAt = async (path: string) => {
    const { body, headers, status } = await get(path, CSV)
    assert.equal(status, 200, body)
    const page = (await get(path)).json() as {
      member: { '@id': string; name: string }[]
      view: Record<string, string>
    }
    const rows = page.member.map((one) => `${one['@id']},${one.name}\r\n`)
    assert.equal(body, `@id,name\r\n${rows.join('')}`, path)
    const { view } = page
    const { first, previous: prev, next, last } = view
    const links = linksIn(headers.link)
    assert.deepEqual(
      [links.first, links.prev, links.next, links.last, links.alternate],
      [first, prev, next, last, undefined],
      path,
    )
    return { names: page.member.map(({ name }) => name).join(''), links }
  }
  const queries = [
    '',
    '?name.gte=b',
    '?sort=-name',
    '?page=2',
    '?page=1&itemsPerPage=5',
    '?q=zz',
    '?name=a&name=b',
  ]
  for (const query of queries) await namesAt(`/authors${query}`)

  const walked: string[] = []
  let path: string | undefined = '/authors?sort=name'
  let last = ''
  while (path !== undefined) {
    const { names, links } = await namesAt(path)
    walked.push(names)
    last = links.last ?? ''
    path = links.next && pathOf(base, links.next)
  }
  assert.deepEqual(walked, ['ab', 'cd', 'e'])
  const back: string[] = []
  for (path = pathOf(base, last); path !== undefined; ) {
    const { names, links } = await namesAt(path)
    back.push(names)
    path = links.prev && pathOf(base, links.prev)
  }
  assert.deepEqual(back, ['de', 'bc', 'a'])
  const refused = await get('/authors?nam=a', { Accept: 'text/csv, application/problem+json' })
  assert.equal(codesOf(refused), codesOf(await get('/authors?nam=a', AS_PROBLEM)))
})

const PARTS = 'fields=chapters.title,publisher.series.title,title'

// contract: `Accept: text/csv` on a collection
test('what CSV cannot hold is named in a Link to the JSON-LD page', async (t) => {
  const api = `${API.replace('chapters:', 'größen:')}`
  const ascii = await serveSignedIn(t, { api: API })
  const other = await serveSignedIn(t, { api })
  const table: [service: SignedIn, path: string, page: string, names: string][] = [
    [ascii, '/books', '/books?itemsPerPage=20', 'left-out="publisher.series chapters"'],
    [ascii, '/books?page=1', '/books?page=1', 'left-out="publisher.series chapters"'],
    [ascii, '/books?include=author', '/books?include=author', 'left-out="publisher.series chapters author"'],
    [ascii, `/books?${PARTS}`, `/books?${PARTS}`, 'left-out="publisher.series chapters"'],
    [other, '/books', '/books?itemsPerPage=20', "left-out*=UTF-8''publisher.series%20gr%C3%B6%C3%9Fen"],
  ]
  for (const [{ get, base }, path, page, names] of table) {
    const { alternate, rest } = linksIn((await get(path, CSV)).headers.link)
    assert.deepEqual([alternate, rest], [base + page, names], path)
    const { view } = (await get(pathOf(base, alternate))).json() as { view: { '@id': string } }
    assert.equal(view['@id'], alternate)
  }
  for (const path of ['/authors', '/books?fields=title,publisher.name'])
    assert.equal(linksIn((await ascii.get(path, CSV)).headers.link).alternate, undefined, path)
  // A long query does not make the headers too long: only `next` is then in full.
  const { add, get } = ascii
  for (const title of ['b', 'b']) await add('/books', { title })
  const found = await get(`/books?itemsPerPage=1&title=b&title=${'x'.repeat(3_000)}`, CSV)
  const links = linksIn(found.headers.link)
  assert.deepEqual(Object.keys(links), ['next', 'alternate', 'rest'])
  assert.equal(links.alternate, '')
})

test('only collections are served as CSV, and only where it is asked for', async (t) => {
  const { get, add, base, send } = await serveSignedIn(t, { api: API })
  const author = pathOf(base, (await add('/authors', { name: 'Ann' }))['@id'])
  for (const path of ['/', '/vocab', author, '/session', '/contexts/Book', '/events', '/openapi'])
    assert.equal((await get(path, CSV)).status, 406, path)
  const sent = { ...CSV, 'Content-Type': 'application/json' }
  assert.equal((await send('POST', '/authors', sent, '{"name":"Bob"}')).status, 406)
  const choices: [accept: string, type: string][] = [
    ['*/*', 'application/ld+json'],
    ['text/*', 'text/turtle; charset=utf-8'],
    ['text/csv, */*', 'application/ld+json'],
    ['text/csv, */*;q=0.1', 'text/csv; charset=utf-8'],
    ['text/turtle;q=0, text/*', 'text/csv; charset=utf-8'],
    ['Text/CSV; charset=utf-8', 'text/csv; charset=utf-8'],
    ['text/csv;q=0.5, application/json;q=0.4', 'text/csv; charset=utf-8'],
  ]
  for (const [Accept, type] of choices)
    assert.equal((await get('/authors', { Accept })).headers['content-type'], type, Accept)
})

test('ETag, 304, HEAD, Vary and compression work as for JSON-LD; each form has its own ETag', async (t) => {
  const { get, add, send } = await serveSignedIn(t, { api: API })
  for (let index = 0; index < 20; index++) await add('/authors', { name: `${index}`.repeat(100) })
  const forms = [{}, { Accept: 'application/json' }, CSV, ESCAPED, { ...CSV, 'Accept-Encoding': 'gzip' }]
  const etags = new Set<string | undefined>()
  for (const headers of forms) {
    const found = await get('/authors', headers)
    const { etag = '' } = found.headers
    etags.add(etag)
    assert.equal(found.headers['cache-control'], 'private, no-cache')
    assert.match(found.headers.vary ?? '', /^X-Authorization, Authorization, Accept(, Accept-Encoding)?$/)
    const head = await send('HEAD', '/authors', headers)
    assert.deepEqual([head.status, head.body, head.headers.etag], [200, '', etag])
    assert.deepEqual(
      [head.headers.link, head.headers['content-type']],
      [found.headers.link, found.headers['content-type']],
    )
    const same = await get('/authors', { ...headers, 'If-None-Match': etag })
    assert.deepEqual([same.status, same.body], [304, ''])
    assert.equal(same.headers['preference-applied'], found.headers['preference-applied'])
  }
  assert.equal(etags.size, forms.length)
  const { etag = '' } = (await get('/authors', CSV)).headers
  await add('/authors', { name: 'new' })
  assert.equal((await get('/authors', { ...CSV, 'If-None-Match': etag })).status, 200)
})

test('a page of CSV ends before the member whose long list would make every row too long', async (t) => {
  const flags = { pageSize: '100', maxPageSize: '1000', maxPageBytes: '20000' }
  const { get, add, base } = await serveSignedIn(t, { api: API, flags })
  const many = Array.from({ length: 300 }, (_, index) => String(index))
  for (let index = 0; index < 60; index++)
    await add('/books', {
      title: `${index}`,
      ...(index === 40 && { tags: many }),
      ...(index === 50 && { names: { en: 'x' } }),
    })
  for (const start of ['/books', '/books?order[title]=asc', '/books?page=1']) {
    let path: string | undefined = start
    const found: number[] = []
    const seen: string[] = []
    while (path !== undefined) {
      const { body, headers }: { body: string; headers: Record<string, string | undefined> } = await get(
        path,
        CSV,
      )
      const rows: string[] = body.trimEnd().split('\r\n').slice(1)
      assert.ok(Buffer.byteLength(body) < 40_000, `${path} has ${body.length}`)
      found.push(rows.length)
      seen.push(...rows.map((row) => row.split(',')[1] ?? ''))
      const { next }: Record<string, string> = linksIn(headers.link)
      path = next && pathOf(base, next)
    }
    assert.ok(found.length > 1, start)
    assert.equal(new Set(seen).size, 60, start)
    assert.equal(seen.length, 60, start)
  }
  const end = linksIn((await get('/books', CSV)).headers.link).last
  const { body } = await get(pathOf(base, end), CSV)
  assert.equal(body.trimEnd().split('\r\n').at(-1)?.split(',')[1], '59')
})

const OWNED = `
roles: [editor]
classes:
  Note:
    access: { all: [editor, owner], create: everyone }
    properties: { text: string }
  Secret:
    access: { all: nobody }
    properties: { text: string }
`

test('CSV has the members that the user may list, for each user apart', async (t) => {
  const { as, base, client } = await serveUsers(
    t,
    { ann: [21], bob: [22], ed: [23, 'editor'] },
    { api: OWNED },
  )
  const names = ['ann', 'bob'] as const
  const rows = Object.fromEntries(names.map((name) => [name, `${base}/notes/${name},${name}\r\n`]))
  for (const name of names)
    await as[name].send('PUT', `/notes/${name}`, { text: name }, { 'If-None-Match': '*' })
  const expected = { ann: rows.ann, bob: rows.bob, ed: `${rows.ann}${rows.bob}` }
  // Again and again: the pages of one user are not cached for another.
  for (let round = 0; round < 3; round++)
    for (const name of ['ann', 'bob', 'ed'] as const) {
      const { body } = await as[name].send('GET', '/notes', undefined, CSV)
      assert.equal(body, `@id,text\r\n${expected[name]}`)
    }
  const [asCsv, asJson] = [CSV, {}].map((headers) => as.ann.send('GET', '/secrets', undefined, headers))
  assert.deepEqual([(await asCsv)?.status, (await asCsv)?.body], [403, (await asJson)?.body])
  assert.equal((await client.send('GET', '/notes', CSV)).status, 401)
})
