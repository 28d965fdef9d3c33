import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quadsOf } from '../rdf.ts'
import { AS_PROBLEM, codesOf, type Json, withoutContext } from '../signed-in.ts'
import { serveUsers } from '../users.ts'
import { MERGE_PATCH, serveWriter } from '../writing.ts'

const API = `
classes:
  Author:
    properties:
      name: { type: string, required: true }
      mentor: { type: Author, reverse: member }
  Book:
    properties:
      title: string
      author: { type: Author, reverse: books }
      readers: { type: Author, many: true, reverse: read }
      page: { type: Author, reverse: operation }
`

const CREATE = { 'If-None-Match': '*' }

async function serveBooks(t: Parameters<typeof serveWriter>[0], options = {}) {
  const writer = await serveWriter(t, { api: API, ...options })
  const { base, put } = writer
  for (const [path, body] of [
    ['/authors/ann', { name: 'Ann' }],
    ['/authors/ben', { name: 'Ben', mentor: `${base}/authors/ann` }],
    ['/books/1', { title: 'One', author: `${base}/authors/ann`, readers: [`${base}/authors/ben`] }],
    ['/books/2', { title: 'Two', author: `${base}/authors/ben` }],
  ] as const)
    assert.equal((await put(path, body, CREATE)).status, 201)
  const reverseOf = (id: string): Json => {
    const author = `${base}/authors/${id}`
    return {
      member: `${base}/authors?mentor=${author}`,
      books: `${base}/books?author=${author}`,
      read: `${base}/books?readers=${author}`,
      // A general parameter has the name of this property.
      operation: `${base}/books?page.eq=${author}`,
    }
  }
  return { ...writer, reverseOf }
}

const NAMES = ['member', 'books', 'read', 'operation']

const linksIn = (node: unknown): Json => Object.fromEntries(NAMES.map((name) => [name, (node as Json)[name]]))

// contract: `author: { type: Author, reverse: books }` gives
test('every representation of a member has its links from the other side', async (t) => {
  const { get, post, base, reverseOf } = await serveBooks(t)
  const json = async (path: string) => (await get(path)).json()
  const ann = reverseOf('ann')
  assert.deepEqual(withoutContext(await json('/authors/ann')), {
    ...{ '@id': `${base}/authors/ann`, '@type': 'Author', name: 'Ann' },
    ...ann,
  })
  const page = (await json('/authors')) as { member: Json[] }
  assert.deepEqual(page.member.map(linksIn), [ann, reverseOf('ben')])
  const including = (await json('/books?title=One&include=author')) as { member: Json[] }
  assert.deepEqual(linksIn(including.member[0]?.author), ann)
  assert.deepEqual(linksIn((await json('/authors/ben?include=mentor')).mentor), ann)
  const events = (await json('/events?include=object&collection=authors')) as { member: Json[] }
  assert.deepEqual(
    events.member.map(({ object }) => linksIn(object)),
    [ann, reverseOf('ben')],
  )
  const operation = { method: 'PUT', target: 'authors/ann', body: { name: 'Ann', ...ann } }
  const batch = await post('/batch', { operation: [operation] })
  assert.equal(batch.status, 200, batch.body)
  const [{ etag } = {}] = batch.json().operation as Json[]
  assert.equal(etag, (await get('/authors/ann')).headers.etag)
})

test('each of them leads to the members that link, by the address that the server links to', async (t) => {
  const { get, base, reverseOf } = await serveBooks(t)
  const expected: Readonly<Record<string, readonly string[]>> = {
    member: ['/authors/ben'],
    books: ['/books/1'],
    read: [],
    operation: [],
  }
  for (const [name, address] of Object.entries(reverseOf('ann'))) {
    const { member, view } = (await get(String(address).slice(base.length))).json() as {
      member: { '@id': string }[]
      view: Json
    }
    assert.deepEqual(
      member.map((one) => one['@id']),
      (expected[name] ?? []).map((path) => base + path),
      name,
    )
    assert.deepEqual([view['@id'], view.first], [address, address], name)
  }
})

// contract: `author: { type: Author, reverse: books }` gives
test('the collection that it leads to says what all of its members link to', async (t) => {
  const { get, base } = await serveBooks(t)
  const ofClass = { property: 'rdf:type', object: `${base}/vocab#Book` }
  const author = { property: `${base}/vocab#Book/author`, object: `${base}/authors/ann` }
  const readers = { property: `${base}/vocab#Book/readers`, object: `${base}/authors/ben` }
  const cases: readonly (readonly [query: string, assertion: unknown])[] = [
    ['', ofClass],
    [`?author=${base}/authors/ann`, [ofClass, author]],
    ['?author=/api/authors/ann&title=One', [ofClass, author]],
    ['?author=/api/authors/ann&readers=/api/authors/ben', [ofClass, author, readers]],
    ['?author=/api/authors/ann&author=/api/authors/ben', ofClass],
    ['?author.ne=/api/authors/ann', ofClass],
    ['?title=One', ofClass],
  ]
  for (const [query, assertion] of cases)
    assert.deepEqual((await get(`/books${query}`)).json().memberAssertion, assertion, query)
  const quads = await quadsOf((await get(`/books?author=${base}/authors/ann`)).json())
  assert.ok(quads.some((quad) => quad.includes('hydra/core#object') && quad.includes('/authors/ann>')))
})

test('as linked data it is a link', async (t) => {
  const { get, base } = await serveBooks(t)
  const said = `<${base}/authors/ann> <${base}/vocab#Author/member> <${base}/authors?mentor=${base}/authors/ann>`
  for (const path of ['/authors/ann', '/authors', '/books?include=author', '/authors/ben?include=mentor']) {
    const quads = await quadsOf((await get(path)).json())
    assert.ok(
      quads.some((quad) => quad.startsWith(said)),
      path,
    )
    const triples = (await get(path, { Accept: 'application/n-quads' })).body
    assert.ok(triples.includes(said), path)
  }
})

type Sent = Readonly<Record<string, unknown>>

// contract: It is read-only: in a body
test('in a body it is ignored as it is served, and anything else is refused', async (t) => {
  const { put, patch, post, get, base, reverseOf } = await serveBooks(t)
  const books = reverseOf('ann').books as string
  const iri = `${base}/vocab#Author/books`
  const INCLUDED = 'books: IncludedCollection'
  const cases: readonly (readonly [sent: Sent, put: string, patch: string, post: string])[] = [
    [reverseOf('ann'), '', '', NAMES.map((name) => `${name}: ReadOnly`).join(', ')],
    [{ books: { '@id': books } }, '', '', 'books: ReadOnly'],
    [{ books: [books] }, '', '', 'books: ReadOnly'],
    [{ books: `/api/books?author=${base}/authors/ann` }, '', '', 'books: ReadOnly'],
    [{ [iri]: { '@id': books } }, '', `${iri}: UnknownProperty`, 'books: ReadOnly'],
    [{ books: null }, '', 'books: ReadOnly', ''],
    [{ books: [] }, '', 'books: ReadOnly', ''],
    ...[reverseOf('ben').books, `${books}x`, `${base}/books`, 'x', 7, [books, books]].map(
      (value) => [{ books: value }, 'books: ReadOnly', 'books: ReadOnly', 'books: ReadOnly'] as const,
    ),
    [{ books: { '@id': books, member: [] } }, INCLUDED, INCLUDED, INCLUDED],
    [{ booksy: books }, 'booksy: UnknownProperty', 'booksy: UnknownProperty', 'booksy: UnknownProperty'],
  ]
  const codes = async (sending: Promise<Parameters<typeof codesOf>[0]>) => {
    const response = await sending
    return response.status < 300 ? '' : codesOf(response)
  }
  for (const [sent, byPut, byPatch, byPost] of cases) {
    const whole = { name: 'Ann', ...sent }
    const about = JSON.stringify(sent)
    assert.equal(await codes(put('/authors/ann', whole, AS_PROBLEM)), byPut, about)
    assert.equal(await codes(patch('/authors/ann', sent, AS_PROBLEM)), byPatch, about)
    assert.equal(await codes(post('/authors', whole, AS_PROBLEM)), byPost, about)
  }
  const served = await get('/authors/ann')
  assert.equal((await put('/authors/ann', served.body)).status, 200)
  assert.equal(
    (await put('/authors/new', { name: 'New', books: reverseOf('new').books }, CREATE)).status,
    201,
  )
})

// contract: A request below a member that would be the same
test('below a member there is nothing, and the error says where to look', async (t) => {
  const { get } = await serveBooks(t)
  for (const [name, filter] of [
    ['books', '/api/books?author=/api/authors/ann'],
    ['read', '/api/books?readers=/api/authors/ann'],
    ['operation', '/api/books?page.eq=/api/authors/ann'],
  ]) {
    const response = await get(`/authors/ann/${name}`, AS_PROBLEM)
    assert.deepEqual([response.status, codesOf(response)], [404, 'NotNested'])
    assert.ok(String(response.json().detail).includes(String(filter)), response.body)
  }
})

const SECRETS = `
roles: [editor]
classes:
  Author: { properties: { name: string, mentor: Author } }
  Note:
    access: { list: editor }
    properties: { about: { type: Author, reverse: notes } }
  Book: { properties: { author: { type: Author, reverse: books } } }
`

test('users who may not list the members that link see nothing of the link', async (t) => {
  const users = { editor: [11, 'editor'], reader: [12] } as const
  const { as, base } = await serveUsers(t, users, { api: SECRETS })
  const author = `${base}/authors/ann`
  await as.editor.send('PUT', '/authors/ann', { name: 'Ann', mentor: author }, CREATE)
  await as.editor.send('PUT', '/books/1', { author }, CREATE)
  const paths = [
    ...['/authors/ann', '/authors', '/authors/ann?include=mentor', '/books?include=author'],
    ...['/events?include=object', '/vocab', '/openapi', '/contexts/Author', '/contexts/AuthorCollection'],
  ]
  for (const path of paths) {
    const texts = [await as.editor.send('GET', path), await as.reader.send('GET', path)]
    assert.deepEqual(
      texts.map(({ status, body }) => [status, /"notes"/.test(body), /books/.test(body)]),
      [
        [200, true, true],
        [200, path === '/vocab' || path === '/openapi', true],
      ],
      path,
    )
  }
  const vocab = (await as.reader.send('GET', '/vocab')).body
  assert.ok(!vocab.includes('Author/notes') && !vocab.includes('Note/about"}'))
  const [shown, hidden] = [
    await as.editor.send('GET', '/authors/ann'),
    await as.reader.send('GET', '/authors/ann'),
  ]
  assert.notEqual(shown.headers.etag, hidden.headers.etag)
  const sent = { name: 'Ann', notes: `${base}/notes?about=${author}` }
  const refused = await as.reader.send('PUT', '/authors/ann', sent, AS_PROBLEM)
  assert.deepEqual([refused.status, codesOf(refused)], [422, 'notes: UnknownProperty'])
  assert.equal((await as.reader.send('PUT', '/authors/ann', hidden.body)).status, 200)
  assert.equal((await as.editor.send('PUT', '/authors/ann', shown.body)).status, 200)
  const nested = await as.reader.send('GET', '/authors/ann/notes', undefined, AS_PROBLEM)
  assert.equal(nested.status, 404)
  assert.ok(!nested.body.includes('?about='))
})

test('names of any script are percent-encoded, as in the links of the page', async (t) => {
  const api = `
classes:
  Größe: { collection: größen, properties: { name: string } }
  本: { collection: 本, properties: { größe: { type: Größe, reverse: 本们 } } }
`
  const { send, get, put, base } = await serveWriter(t, { api })
  await put('/gr%C3%B6%C3%9Fen/a', { name: 'A' }, CREATE)
  const size = `${base}/gr%C3%B6%C3%9Fen/a`
  const { 本们: address } = (await get('/gr%C3%B6%C3%9Fen/a')).json()
  assert.equal(address, `${base}/%E6%9C%AC?gr%C3%B6%C3%9Fe=${size.replaceAll('%', '%25')}`)
  await put('/%E6%9C%AC/1', { größe: size }, CREATE)
  const page = (await get(String(address).slice(base.length))).json() as { totalItems: number; view: Json }
  assert.deepEqual([page.totalItems, page.view['@id']], [1, address])
  const patch = await send(
    'PATCH',
    '/gr%C3%B6%C3%9Fen/a',
    { 'Content-Type': MERGE_PATCH },
    JSON.stringify({ 本们: address }),
  )
  assert.equal(patch.status, 200, patch.body)
})
