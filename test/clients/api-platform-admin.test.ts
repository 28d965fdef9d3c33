import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import { parseHydraDocumentation } from '@api-platform/api-doc-parser'
// Past the package's entry, which brings its user interface along: these are the parts that talk to a server.
import hydraDataProvider from '../../node_modules/@api-platform/admin/lib/hydra/dataProvider.js'
import fetchHydra from '../../node_modules/@api-platform/admin/lib/hydra/fetchHydra.js'
import hydraSchemaAnalyzer from '../../node_modules/@api-platform/admin/lib/hydra/schemaAnalyzer.js'
import { serveSignedIn } from '../api/signed-in.ts'

const API = `
title: Library
classes:
  Author:
    properties:
      name: { type: string, required: true, unique: true, pattern: "^[A-Z]" }
  Book:
    properties:
      title: { type: string, required: true, maxLength: 20 }
      pages: { type: integer, minimum: 1 }
      price: decimal
      genres: { type: string, many: true }
      author: { type: Author, required: true }
      createdAt: { type: dateTime, writable: false, default: now }
  Motto:
    collection: false
    properties: { text: string }
    operations: [read, create, replace]
`

/** The admin is made for browsers, of which it takes nothing here but the address of its page. */
before(() => {
  Object.assign(globalThis, { window: { location: { href: 'http://localhost/' } } })
})

/** As docs/clients.md has it: nothing but headers is ours. */
async function openAdmin(t: TestContext) {
  const { base, client, add } = await serveSignedIn(t, { api: API })
  const headers = {
    'X-Authorization': await client.signIn(),
    Accept: 'application/ld+json, application/problem+json',
  }
  const provider = hydraDataProvider({
    entrypoint: base,
    httpClient: (url: URL, options = {}) =>
      fetchHydra(url, { ...options, headers: { ...options.headers, ...headers } }),
    apiDocumentationParser: (entrypoint: string) => parseHydraDocumentation(entrypoint, { headers }),
    mercure: false,
  })
  const { data: api } = await provider.introspect()
  const ann: string = (await add('/authors', { name: 'Ann' }))['@id']
  const ben: string = (await add('/authors', { name: 'Ben' }))['@id']
  for (const [title, pages, author] of [
    ['One', 10, ann],
    ['Two', 20, ben],
    ['Three', 20, ann],
    ['Four', 40, ann],
    ['Five', 50, ben],
  ]) {
    await add('/books', { title, pages, author, genres: [pages === 20 ? 'poem' : 'novel'] })
  }
  return { provider, base, ann, ben, resources: api.resources ?? [] }
}

const FIRST = { page: 1, perPage: 10 }

// contract: What is no collection (`session`, `events`, `batch`, `openapi`, single resources)
// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('API Platform Admin lists collections and nothing else', async (t) => {
  const { provider, resources } = await openAdmin(t)
  assert.deepEqual(
    resources.map(({ name }) => name),
    ['authors', 'books'],
  )
  const sort = { field: '', order: 'ASC' } as const
  for (const { name, title } of resources) {
    const { total = 0 } = await provider.getList(name, { pagination: FIRST, sort, filter: {} })
    assert.ok(total > 0, title ?? name)
  }
})

// contract: **Sorting**: `order[p]=asc|desc`
// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('API Platform Admin sorts, filters and turns pages', async (t) => {
  const { provider, resources, ann } = await openAdmin(t)
  const titles = async (field: string, order: 'ASC' | 'DESC', filter = {}, pagination = FIRST) => {
    const { data, total } = await provider.getList('books', { pagination, sort: { field, order }, filter })
    return [total, ...data.map(({ title }) => title)]
  }
  assert.deepEqual(await titles('title', 'DESC'), [5, 'Two', 'Three', 'One', 'Four', 'Five'])
  assert.deepEqual(await titles('title', 'ASC'), [5, 'Five', 'Four', 'One', 'Three', 'Two'])
  assert.deepEqual(await titles('pages, title', 'DESC'), [5, 'Five', 'Four', 'Two', 'Three', 'One'])
  assert.deepEqual(await titles('title', 'DESC', {}, { page: 2, perPage: 2 }), [5, 'One', 'Four'])
  assert.deepEqual(await titles('title', 'DESC', {}, { page: 3, perPage: 2 }), [5, 'Five'])
  for (const [filter, found] of [
    [{ title: 'Two' }, ['Two']],
    [{ pages: { gte: 20, lt: 50 } }, ['Two', 'Three', 'Four']],
    [{ author: ann, genres: 'poem' }, ['Three']],
    [{ exists: { price: 'true' } }, []],
    [{ q: 'four' }, ['Four']],
  ] as const) {
    assert.deepEqual(await titles('title', 'DESC', filter), [found.length, ...found], JSON.stringify(filter))
  }
  const books = resources.find(({ name }) => name === 'books')
  assert.ok(books)
  const analyzer = hydraSchemaAnalyzer()
  // The columns that can be clicked on, and the filters that are offered.
  assert.deepEqual(await analyzer.getOrderParametersFromSchema(books), [
    ...['title', 'pages', 'price', 'author', 'createdAt', 'author.name'],
  ])
  const filters = await analyzer.getFiltersParametersFromSchema(books)
  assert.deepEqual(
    filters.map(({ name }) => name),
    ['title', 'pages', 'price', 'genres', 'author', 'createdAt'],
  )
})

// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('API Platform Admin shows, creates, updates and deletes', async (t) => {
  const { provider, ann, ben } = await openAdmin(t)
  const data = { title: 'Six', pages: 6, price: '9.90', genres: ['a', 'b'], author: ann }
  const { data: made } = await provider.create('books', { data })
  const { id } = made
  const { data: shown } = await provider.getOne('books', { id })
  assert.deepEqual(shown, made)
  const { title, pages, price, author, genres } = shown
  assert.deepEqual({ title, pages, price, author, genres }, data)

  const changed = { ...shown, title: 'Seven', genres: ['c'], author: ben }
  const { data: updated } = await provider.update('books', { id, data: changed, previousData: shown })
  assert.deepEqual(updated, (await provider.getOne('books', { id })).data)
  assert.deepEqual([updated.title, updated.genres, updated.author], ['Seven', ['c'], ben])

  const { data: authors } = await provider.getMany('authors', { ids: [ann, ben] })
  assert.deepEqual(
    authors.map(({ name }) => name),
    ['Ann', 'Ben'],
  )
  const sort = { field: 'title', order: 'DESC' } as const
  const target = { target: 'author', id: ben, pagination: FIRST, sort, filter: {} }
  const { data: bens } = await provider.getManyReference('books', target)
  assert.deepEqual(
    bens.map((book) => book.title),
    ['Two', 'Seven', 'Five'],
  )

  await provider.delete('books', { id, previousData: updated })
  await assert.rejects(provider.getOne('books', { id }), { status: 404 })
  await assert.rejects(provider.delete('authors', { id: ben }), {
    status: 409,
    message: /^Other members .*\/books\//,
  })
})

// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('API Platform Admin shows every violation at its field', async (t) => {
  const { provider, base, ann } = await openAdmin(t)
  const { getSubmissionErrors } = hydraSchemaAnalyzer()
  const refused = async (write: Promise<unknown>) => {
    const error = await write.then(
      () => assert.fail('it was not refused'),
      (reason) => reason,
    )
    assert.deepEqual([error.name, error.status], ['HttpError', 422])
    return getSubmissionErrors(error)
  }
  const author = `${base}/authors/none`
  for (const [data, fields] of [
    [{ title: 'x'.repeat(21), pages: 0, author: ann }, ['pages', 'title']],
    [{ title: 'Six', author }, ['author']],
    [{ title: 'Six' }, ['author']],
  ] as const) {
    const messages = await refused(provider.create('books', { data }))
    assert.deepEqual(Object.keys(messages ?? {}).sort(), fields)
  }
  const { data: shown } = await provider.getOne('authors', { id: ann })
  const update = provider.update('authors', { id: ann, data: { ...shown, name: 'Ben' }, previousData: shown })
  assert.deepEqual(Object.keys((await refused(update)) ?? {}), ['name'])
})
