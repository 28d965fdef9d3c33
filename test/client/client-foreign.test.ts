import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ApiError, type Client, ConflictError, createClient, type Member } from 'hydrant-client'
import { listen } from '../support/browser-server.ts'
import { type Foreign, startForeign } from './foreign-server.ts'
import { CREDENTIALS, times } from './recording.ts'

async function startBooks(t: TestContext, how: Foreign = {}, count = 5) {
  const server = await startForeign(t, how)
  for (const n of times(count, (index) => index + 1)) {
    server.books.set(String(n), { title: `Book ${n}`, price: n, madeBy: 'the server' })
  }
  const client = createClient({ base: server.base, credentials: CREDENTIALS })
  return { ...server, client, collection: client.collection('book') }
}

async function firstOf(client: Client): Promise<Member> {
  const [member] = (await client.collection('book').page()).members
  assert.ok(member)
  return member
}

test('An API in the style of API Platform, with the prefix hydra: and without', async (t) => {
  for (const prefix of ['hydra:', ''] as const) {
    const { client, collection, base, books, asked } = await startBooks(t, { prefix })
    const [described, ...others] = await client.collections()
    assert.deepEqual(others, [])
    assert.equal(described?.iri, `${base}/books`)
    assert.equal(described.memberClass?.iri, `${base}/docs.jsonld#Book`)

    const titles: unknown[] = []
    for await (const { data, iri } of collection) {
      titles.push(data.title)
      assert.ok(iri.startsWith(`${base}/books/`))
    }
    assert.deepEqual(titles, ['Book 1', 'Book 2', 'Book 3', 'Book 4', 'Book 5'])
    assert.equal((await collection.page()).totalItems, 5)
    const [found] = (await collection.page({ title: 'Book 3' })).members
    assert.equal(found?.data.price, 3)
    assert.deepEqual((await collection.search()).variables.length > 0, true)

    const made = await collection.create({ title: 'Emma' })
    assert.equal(made.iri, `${base}/books/6`)
    const changed = await made.update({ price: 7 })
    assert.equal(asked.at(-1), 'PATCH /books/6 {"price":7}')
    assert.equal(changed.data.title, 'Emma')
    await changed.remove()
    assert.equal(books.size, 5)

    const error = await collection.create({ title: '' }).catch((reason) => reason)
    assert.ok(error instanceof ApiError)
    assert.equal(error.message, 'title: This value should not be blank.')
    assert.deepEqual(error.violations, [
      { propertyPath: 'title', message: 'This value should not be blank.' },
    ])
  }
})

test('Brackets and lists in a template that does not encode them', async (t) => {
  const { collection, asked } = await startBooks(t)
  await collection.page({ 'order[title]': 'asc', 'author[]': ['/a', '/b'] })
  assert.equal(asked.at(-1), 'GET /books?order[title]=asc&author[]=/a,/b')
})

test('A server without ETags: what has changed since it was read is not overwritten', async (t) => {
  const { client, books, asked } = await startBooks(t)
  const seen = await client.get('/books/1')
  assert.equal(seen.etag, undefined)
  assert.equal((await seen.update({ price: 9 })).data.price, 9)
  for (const write of [
    () => seen.update({ title: 'Mine' }),
    () => seen.replace({ title: 'Mine' }),
    () => seen.remove(),
  ]) {
    await assert.rejects(write(), (error) => {
      assert.ok(error instanceof ConflictError)
      assert.equal((error.current as Member).data.price, 9)
      return true
    })
  }
  assert.equal(asked.filter((line) => !line.startsWith('GET')).length, 1)
  books.delete('1')
  await assert.rejects(seen.update({ title: 'Mine' }), { kind: 'conflict', current: undefined })
})

test('A page that shows its members in part: what it does not show is neither lost nor overwritten', async (t) => {
  for (const operations of [undefined, { GET: 'FindAction', PUT: 'ReplaceAction', DELETE: 'DeleteAction' }]) {
    const { client, books } = await startBooks(t, { shown: ['title'], ...(operations && { operations }) })
    const seen = await firstOf(client)
    assert.deepEqual(Object.keys(seen.data), ['@id', '@type', 'title'])
    await seen.update({ title: 'Emma' })
    assert.deepEqual(books.get('1'), { title: 'Emma', price: 1, madeBy: 'the server' })

    const other = await firstOf(client)
    await assert.rejects(other.update({ price: 2 }), { kind: 'conflict' }, 'nobody has seen the price')
    await assert.rejects(other.replace({ title: 'Mine' }), { kind: 'conflict' })
    await other.remove()
    assert.equal(books.size, 4)
  }
})

test('Without PATCH an update sends the whole member, except for read-only properties', async (t) => {
  const operations = { GET: 'FindAction', PUT: 'ReplaceAction' }
  const { client, asked, books } = await startBooks(t, { operations })
  const book = await client.get('/books/1')
  const changed = await book.update({ price: null, title: 'Emma' })
  assert.equal(asked.at(-1), 'PUT /books/1 {"@id":"/books/1","@type":"Book","title":"Emma"}')
  assert.deepEqual(books.get('1'), { title: 'Emma', madeBy: 'the server' })
  assert.equal(changed.data.madeBy, 'the server')
})

test('If the response to a write has no member, the member is read again', async (t) => {
  const { client, collection, asked, base } = await startBooks(t, {
    operations: { GET: 'FindAction', POST: 'UpdateAction', DELETE: 'DeleteAction' },
    adding: ['PUT', 'AddAction'],
    laconic: true,
  })
  const made = await collection.create({ title: 'Emma' })
  assert.deepEqual(asked.slice(-2), ['PUT /books {"title":"Emma"}', 'GET /books/6'])
  assert.equal(made.iri, `${base}/books/6`)
  const changed = await made.update({ price: 3 })
  assert.deepEqual(
    asked.slice(-2).map((line) => line.split(' ', 2)),
    [
      ['POST', '/books/6'],
      ['GET', '/books/6'],
    ],
  )
  assert.deepEqual([changed.data.title, changed.data.price], ['Emma', 3])
  assert.equal((await client.get('/books/6')).data.price, 3)
})

/** One document for each address, from a server that does nothing else. */
async function serveDocuments(t: TestContext, documents: Readonly<Record<string, object>>): Promise<Client> {
  const base = await listen(t, ({ url = '', method }, response) => {
    const document = method === 'GET' ? documents[url] : {}
    response.writeHead(document ? 200 : 404, { 'Content-Type': 'application/ld+json' })
    response.end(JSON.stringify(document ?? {}))
  })
  return createClient({ base })
}

test('A cycle of pages ends where it began', async (t) => {
  const page = (id: string, next: string) => ({
    '@id': '/x',
    member: [{ '@id': `${id}/member` }],
    view: { '@id': id, next },
  })
  for (const [documents, members] of [
    [{ '/x': page('/x', '/x') }, 1],
    [{ '/x': page('/x', '/x?2'), '/x?2': page('/x?2', '/x?2') }, 2],
    [{ '/x': page('/x?1', '/x?2'), '/x?2': page('/x?2', '/x?1') }, 2],
    [{ '/x': page('/x', '/x?2'), '/x?2': page('/x?2', '/x?3'), '/x?3': page('/x?3', '/x') }, 3],
    [{ '/x': page('/x?1', '/x?b'), '/x?b': page('/x?2', '/x?b') }, 2],
    [{ '/x': { member: [{}], view: { next: '/x' } } }, 1],
  ] as const) {
    const client = await serveDocuments(t, documents)
    let count = 0
    for await (const _ of client.collectionAt('/x')) count += 1
    assert.equal(count, members, JSON.stringify(documents))
  }
})

test('Members may be bare addresses, and a member without an address cannot be written', async (t) => {
  const client = await serveDocuments(t, {
    '/x': { member: ['/x/1', { '@id': '/x/2', name: 'two' }, { name: 'nobody' }] },
    '/x/1': { '@id': '/x/1', name: 'one' },
  })
  const [one, two, nobody] = (await client.collectionAt('/x').page()).members
  assert.equal((await one?.reload())?.data.name, 'one')
  assert.equal(two?.iri, `${client.base}/x/2`)
  assert.equal(nobody?.iri, '')
  for (const write of [() => nobody?.reload(), () => nobody?.remove()]) {
    await assert.rejects(async () => write(), { kind: 'malformed', message: 'No address.' })
  }
})

test('If a member cannot be read again, that is the error, and nothing is written', async (t) => {
  const { client, asked } = await startBooks(t)
  const seen = await firstOf(client)
  const { base } = client
  const away = createClient({
    base,
    patience: 0,
    fetch: async (input, init) =>
      String(input).endsWith('/books/1') ? new Response('', { status: 503 }) : fetch(input, init),
  })
  const [other] = (await away.collection('book').page()).members
  await assert.rejects(async () => other?.update({ title: 'Mine' }), { kind: 'unavailable' })
  assert.ok(asked.every((line) => line.startsWith('GET ')))
  assert.equal((await seen.update({ title: 'Mine' })).data.title, 'Mine')
})

test('Properties named like those of every object survive an update', async (t) => {
  const { client, books, asked } = await startBooks(t, {
    operations: { GET: 'FindAction', PUT: 'ReplaceAction' },
  })
  books.set('1', JSON.parse('{"title": "Book 1", "__proto__": {"polluted": true}, "toString": "text"}'))
  const book = await client.get('/books/1')
  assert.equal(Object.getPrototypeOf(book.data), Object.prototype)
  assert.ok(Object.hasOwn(book.data, '__proto__'))
  await book.update({ title: 'Emma' })
  const sent =
    '{"@id":"/books/1","@type":"Book","title":"Emma","__proto__":{"polluted":true},"toString":"text"}'
  assert.equal(asked.at(-1), `PUT /books/1 ${sent}`)
  assert.ok(!('polluted' in {}))
})

test('A create whose response has no address is an error', async (t) => {
  const client = await serveDocuments(t, { '/': {}, '/vocab': {}, '/x': {} })
  await assert.rejects(client.collectionAt('/x').create({}), { kind: 'malformed' })
})

test('The links of the entry point may have any names', async (t) => {
  const context = { ex: 'http://example.com/#', books: { '@id': 'ex:BookLink' }, shop: 'ex:ShopLink' }
  const client = await serveDocuments(t, {
    '/': { '@context': context, books: '/b', shop: { '@id': 's' }, 'ex:more': '/m', all: ['/b'] },
  })
  const { links, documentation } = await client.entryPoint()
  const { base } = client
  assert.deepEqual(links, { books: `${base}/b`, shop: `${base}/s`, 'ex:more': `${base}/m` })
  assert.equal(documentation, `${base}/vocab`)
})

test('A collection whose address ends with a slash', async (t) => {
  const client = await serveDocuments(t, {
    '/': { books: '/books/' },
    '/books/': { search: { template: '{?title}', mapping: [] } },
    '/books/?title=Emma': { member: ['/books/emma'] },
    '/books/emma': { title: 'Emma' },
  })
  const books = client.collection('books')
  assert.equal((await books.get('emma')).data.title, 'Emma')
  assert.equal((await books.page({ title: 'Emma' })).members.length, 1)
})

test('A response without an address of its own has the address of its request', async (t) => {
  const client = await serveDocuments(t, { '/x/1': { name: 'one' } })
  assert.equal((await client.get('/x/1')).iri, `${client.base}/x/1`)
})

test('A collection without a search template cannot be queried', async (t) => {
  const client = await serveDocuments(t, { '/x': { member: [] } })
  const collection = client.collectionAt('/x')
  await assert.rejects(collection.page({ title: 'Emma' }), { kind: 'malformed' })
  await assert.rejects(collection.search(), { message: `${client.base}/x has no search template.` })
  assert.deepEqual((await collection.page()).members, [])
})

test('Operations of a representation take precedence over those of its class', async (t) => {
  const client = await serveDocuments(t, {
    '/x/1': { '@id': '/x/1', operation: [{ '@type': 'Operation', method: 'delete', title: 'Away with it' }] },
  })
  const [operation, ...others] = await (await client.get('/x/1')).operations()
  assert.deepEqual(others, [])
  assert.equal(operation?.method, 'DELETE')
  assert.equal(operation.title, 'Away with it')
})

test('The context of a response may rename the terms of Hydra', async (t) => {
  const context = { '@vocab': 'http://example.com/#', items: 'http://www.w3.org/ns/hydra/core#member' }
  const client = await serveDocuments(t, {
    '/x': { '@context': context, items: [{ '@id': '/x/1', member: 'no' }] },
  })
  const { members } = await client.collectionAt('/x').page()
  assert.deepEqual(
    members.map(({ iri }) => iri),
    [`${client.base}/x/1`],
  )
})
