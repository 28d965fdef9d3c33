import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { at } from '../included.ts'
import { quadsOf } from '../rdf.ts'
import { assertSame, quadsByStream, quadsOfText } from '../rdf-text.ts'
import { AS_PROBLEM, codesOf, type Json, pathOf, type SignedIn, serveSignedIn } from '../signed-in.ts'
import { type Collection, put, read, walk } from '../walks.ts'

/** A book may have several authors, so that it is a member of several included collections. */
const API = `
classes:
  Author: { properties: { name: string, best: Book } }
  Publisher: { properties: { name: string } }
  Book:
    properties:
      title: string
      authors: { type: Author, many: true, reverse: books }
      publisher: { type: Publisher, reverse: published }
  Review: { properties: { stars: integer, of: { type: Book, reverse: reviews } } }
`

async function serveLibrary(t: TestContext, flags = {}): Promise<SignedIn> {
  const library = await serveSignedIn(t, { api: API, flags })
  for (const name of ['ann', 'ben', 'cy']) await put(library, `/authors/${name}`, { name })
  for (const name of ['p', 'q']) await put(library, `/publishers/${name}`, { name })
  const books: [id: string, publisher: string, ...authors: string[]][] = [
    ['c', 'p', 'ann'],
    ['a', 'p', 'ann', 'ben'],
    ['d', 'q', 'ben'],
    ['b', 'q', 'ann'],
  ]
  for (const [id, publisher, ...authors] of books)
    await put(library, `/books/${id}`, {
      title: `Book ${id}`,
      publisher: `/api/publishers/${publisher}`,
      authors: authors.map((name) => `/api/authors/${name}`),
    })
  for (const [id, of] of Object.entries({ 1: 'c', 2: 'c', 3: 'd' }))
    await put(library, `/reviews/${id}`, { stars: Number(id), of: `/api/books/${of}` })
  return library
}

const json = async ({ get }: SignedIn, path: string, headers = {}) =>
  (await get(path, headers)).json() as Record<string, Json & Collection>

const addressOf = ({ base }: SignedIn, name: string) => `${base}/books?authors=${base}/authors/${name}`

/** The resources whose graphs an answer joins, by the path that is asked for. */
const GRAPHS: Readonly<Record<string, readonly string[]>> = {
  '/authors/ann?include=books': ['/authors/ann', '/books?authors=ann'],
  '/authors/cy?include=books': ['/authors/cy', '/books?authors=cy'],
  '/authors?include=books': ['/authors', ...['ann', 'ben', 'cy'].map((name) => `/books?authors=${name}`)],
  '/authors/ben?include=books.publisher': [
    ...['/authors/ben', '/books?authors=ben', '/publishers/p', '/publishers/q'],
  ],
  '/authors/ben?include=books.reviews': [
    ...['/authors/ben', '/books?authors=ben', '/reviews?of=a', '/reviews?of=d'],
  ],
  '/books?include=publisher.published': [
    ...['/books', '/publishers/p', '/publishers/q', '/books?publisher=p', '/books?publisher=q'],
  ],
  '/books/c?include=reviews&include=publisher': ['/books/c', '/reviews?of=c', '/publishers/p'],
}
const TARGETS: Readonly<Record<string, string>> = { authors: 'authors', publisher: 'publishers', of: 'books' }

// contract: It may stand in a path
test('a link from the other side is included as its collection is served: one graph in every form', async (t) => {
  const library = await serveLibrary(t)
  const { base, get } = library
  for (const [path, parts] of Object.entries(GRAPHS)) {
    const response = await get(path)
    assert.equal(response.status, 200, response.body)
    const whole = response.json() as Json
    const apart = await Promise.all(
      parts.map(async (part) => {
        const [start = '', name, id] = part.split(/[?=]/)
        const query = name === undefined ? '' : `?${name}=${base}/${TARGETS[name]}/${id}`
        const served = await json(library, start + query)
        // The page has another address, and no templates: its request has a query.
        const { search, summary, ...rest } = served
        return part === path.split('?')[0] && 'view' in whole ? { ...rest, view: whole.view } : rest
      }),
    )
    const expected = await quadsOf(apart)
    assertSame(await quadsOf(whole), expected, path)
    assertSame(await quadsByStream(response.body), expected, `${path} by another parser`)
    for (const type of ['text/turtle', 'application/n-quads'])
      assertSame(
        await quadsOfText((await get(path, { Accept: type })).body, type),
        expected,
        `${path} ${type}`,
      )
  }
})

// contract: It may stand in a path
test('it has the first page of the collection, whose next goes on', async (t) => {
  const library = await serveLibrary(t, { pageSize: '2' })
  const plain = { Accept: 'application/json' }
  const { books } = await json(library, '/authors/ann?include=books', plain)
  const address = addressOf(library, 'ann')
  assert.deepEqual(books, await json(library, pathOf(library.base, address), plain))
  assert.equal(books?.totalItems, 3)
  assert.deepEqual(books?.['@type'], ['Collection', 'BookCollection'])
  assert.equal(books?.['@id'], address)
  assert.deepEqual(await walk(library, pathOf(library.base, books?.view.next)), [['b']])
  const { books: none } = await json(library, '/authors/cy?include=books')
  assert.deepEqual([none?.totalItems, none?.member, none?.view.next], [0, [], undefined])
})

test('each book is written in full once, and is an address where it comes again', async (t) => {
  const library = await serveLibrary(t)
  const shown = ({ books }: Json) => at(books, 'member')
  const page = await read(library, '/authors?include=books&fields=books.title')
  const book = (id: string) => ({ '@id': `${library.base}/books/${id}` })
  const whole = (id: string) => ({ ...book(id), '@type': 'Book', title: `Book ${id}` })
  assert.deepEqual(page.member.map(shown), [
    [whole('c'), whole('a'), whole('b')],
    [book('a'), whole('d')],
    [],
  ])
  // A book that another link shows stays an address in the collection.
  const headers = { 'Content-Type': 'application/merge-patch+json' }
  await library.send('PATCH', '/authors/ann', headers, '{"best":"/api/books/a"}')
  const ann = await json(library, '/authors/ann?include=books&include=best&fields=books.title,best')
  assert.deepEqual(shown(ann), [whole('c'), { ...book('a') }, whole('b')])
  assert.equal(at(ann, 'best', 'title'), 'Book a')
})

// contract: The ETag covers what is shown
test('an ETag covers included collections, and a page in memory is as new as they are', async (t) => {
  const library = await serveLibrary(t)
  const paths = ['/authors/ben?include=books', '/authors?include=books', '/authors?include=books&fields=name']
  const etag = async (path: string) => {
    const { headers, body } = await library.get(path)
    return `${headers.etag} ${body.length}`
  }
  const send = async (method: string, path: string, body?: object) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const headers = { 'Content-Type': type, ...(method === 'PUT' && { 'If-None-Match': '*' }) }
    assert.ok((await library.send(method, path, headers, body && JSON.stringify(body))).status < 300)
  }
  const ben = '/api/authors/ben'
  const writes: [method: string, path: string, body?: object][] = [
    ['PATCH', '/books/d', { title: 'Book e' }],
    ['PUT', '/books/f', { title: 'Book f', authors: [ben] }],
    ['PATCH', '/books/d', { authors: [] }],
    ['DELETE', '/books/f'],
  ]
  for (const write of writes) {
    const before: string[] = []
    // The page is kept from the second time on.
    for (const path of [...paths, ...paths, ...paths]) before.push(await etag(path))
    assert.deepEqual(before.slice(0, 3), before.slice(6))
    await send(...write)
    const after = await Promise.all(paths.map(etag))
    assert.deepEqual(
      after.map((one, index) => one !== before[index]),
      [true, true, false],
      String(write),
    )
  }
})

// contract: Its members count towards
test('included members count towards the size of a page, whichever way it is walked', async (t) => {
  const library = await serveSignedIn(t, { api: API, flags: { maxPageBytes: '6000' } })
  const counts = { a: 1, b: 2, c: 9, d: 0, e: 1 }
  for (const [name, count] of Object.entries(counts)) {
    await put(library, `/authors/${name}`, { name })
    for (let index = 0; index < count; index += 1)
      await put(library, `/books/${name}${index}`, {
        title: 'x'.repeat(900),
        authors: [`/api/authors/${name}`],
      })
  }
  const sizes: number[] = []
  const seen = async ({ member }: Collection) => {
    sizes.push(JSON.stringify(member).length)
    for (const { name, books } of member) {
      const { totalItems, member: shown, view } = books as Collection
      const next = view.next === undefined ? [] : await walk(library, pathOf(library.base, view.next))
      const all = [...shown.map((one) => one['@id']), ...next.flat()]
      assert.equal(totalItems, counts[name as keyof typeof counts])
      assert.equal(all.length, totalItems, `${name}: ${all}`)
    }
  }
  const pages = await walk(library, '/authors?include=books', 'next', seen)
  assert.deepEqual(pages, [['a', 'b'], ['c'], ['d', 'e']])
  const { view } = await read(library, '/authors?include=books')
  const back = await walk(library, pathOf(library.base, view.last), 'previous', seen)
  assert.deepEqual(back, [['d', 'e'], ['c'], ['a', 'b']])
  // The nine books of one author alone would have more.
  assert.ok(Math.max(...sizes) < 8_000, String(sizes))
})

// contract: A body with included nodes is 422
test('a body with an included collection is refused, and says so', async (t) => {
  const library = await serveLibrary(t)
  const headers = { ...AS_PROBLEM, 'Content-Type': 'application/ld+json' }
  const { '@context': context, ...ann } = await json(library, '/authors/ann?include=books')
  for (const body of [ann, { '@context': context, ...ann, '@id': undefined }]) {
    const response = await library.send('PUT', '/authors/ann', headers, JSON.stringify(body))
    assert.equal(response.status, 422)
    assert.match(codesOf(response), /books: IncludedCollection/)
  }
  const books = { '@id': addressOf(library, 'ann') }
  const response = await library.send('PUT', '/authors/ann', headers, JSON.stringify({ ...ann, books }))
  assert.equal(response.status, 200, response.body)
})

test('what cannot be included is 400, and what can is described', async (t) => {
  const library = await serveLibrary(t)
  const table: [query: string, code: string][] = [
    ['/authors?include=book', 'include: UnknownInclude'],
    ['/authors?include=books.reviews.of', 'include: UnknownInclude'],
    ['/authors/ann?fields=books.title', 'fields: FieldBeyondLink'],
    ['/authors/ann?include=books&fields=books.titel', 'fields: UnknownField'],
  ]
  for (const [path, code] of table) {
    const response = await library.get(path, AS_PROBLEM)
    assert.equal(response.status, 400, path)
    assert.equal(codesOf(response), code)
  }
  const { search } = (await library.get('/publishers')).json() as { search: { template: string } }
  assert.match(search.template, /[,?]include\*/)
  const openApi = (await library.get('/openapi')).json()
  const parameters = at(openApi, 'paths', '/publishers', 'get', 'parameters') as Json[]
  const include = parameters.find(({ name }) => name === 'include')
  assert.deepEqual(at(include, 'schema', 'items', 'enum'), [
    'published',
    'published.authors',
    'published.publisher',
    'published.reviews',
  ])
})
