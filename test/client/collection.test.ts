import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { serve } from '../support/service.ts'
import { recordClient, times } from './recording.ts'

async function serveBooks(t: TestContext, count: number) {
  const { base } = await serve(t, { flags: { auth: false } })
  const recording = recordClient(base)
  const { client } = recording
  const author = await client.collection('authors').create({ name: 'Jane Austen' })
  const books = client.collection('books')
  await Promise.all(
    times(count, (n) => books.create({ title: `Book ${n}`, pages: n + 1, author: author.iri })),
  )
  return { ...recording, base, author, books }
}

const titlesOf = async (found: AsyncIterable<{ readonly data: Record<string, unknown> }>) => {
  const titles: unknown[] = []
  for await (const { data } of found) titles.push(data.title)
  return titles
}

test('Pages as an async iterator: all members, each exactly once', async (t) => {
  const { books, sent } = await serveBooks(t, 47)
  const all = times(47, (n) => `Book ${n}`).sort()
  assert.deepEqual((await titlesOf(books)).sort(), all)
  const before = sent.length
  assert.deepEqual((await titlesOf(books.members({ itemsPerPage: 10 }))).sort(), all)
  assert.equal(sent.length - before, 5, 'five pages, and nothing else')
  const sizes: number[] = []
  for await (const { members } of books.pages({ itemsPerPage: 20, page: 1 })) sizes.push(members.length)
  assert.deepEqual(sizes, [20, 20, 7])
})

test('Leaving the loop early requests no more pages', async (t) => {
  const { books, sent } = await serveBooks(t, 30)
  const before = sent.length
  for await (const { data } of books) if (data.title) break
  assert.equal(sent.length - before, 1)
})

test('A page has the total, and links to the other pages', async (t) => {
  const { books, base } = await serveBooks(t, 5)
  const page = await books.page({ page: 2, itemsPerPage: 2 })
  assert.equal(page.iri, `${base}/books?page=2&itemsPerPage=2`)
  assert.equal(page.totalItems, 5)
  assert.equal(page.first, `${base}/books?itemsPerPage=2&page=1`)
  assert.equal(page.previous, page.first)
  assert.equal(page.next, `${base}/books?itemsPerPage=2&page=3`)
  assert.equal(page.last, page.next)
  const last = await books.page(page.next)
  assert.equal(last.members.length, 1)
  assert.equal(last.next, undefined)
})

test('The first page, an order and a filter take one request each', async (t) => {
  const { client, lines } = await serveBooks(t, 3)
  const before = lines().length
  await client.collection('books').page()
  await client.collection('books').page({ 'order[title]': 'desc' })
  await client.collection('books').page({ 'pages[gte]': 2 })
  assert.deepEqual(lines().slice(before), [
    'GET /books 200',
    'GET /books?order%5Btitle%5D=desc 200',
    'GET /books?pages.gte=2 200',
  ])
})

test('A query is what the search template allows: brackets, lists, words', async (t) => {
  const { books, author } = await serveBooks(t, 6)
  for (const [query, titles] of [
    [{ 'pages[gte]': 3, 'pages[lt]': 5, 'order[pages]': 'desc' }, ['Book 3', 'Book 2']],
    [{ title: ['Book 1', 'Book 4'], 'order[pages]': 'asc' }, ['Book 1', 'Book 4']],
    [{ author: author.iri, 'order[pages]': 'asc', itemsPerPage: 2 }, times(6, (n) => `Book ${n}`)],
    [{ q: 'book 5' }, ['Book 5']],
    [{ available: false }, []],
    [{ title: undefined, 'pages[gt]': 5 }, ['Book 5']],
  ] as const) {
    assert.deepEqual(await titlesOf(books.members(query)), titles, JSON.stringify(query))
  }
})

test('A parameter that the template does not have is an error before any further request', async (t) => {
  const { books, lines } = await serveBooks(t, 1)
  await books.page()
  const before = lines().length
  await assert.rejects(books.page({ titel: 'Emma' }), {
    kind: 'malformed',
    message: /^The search template has no titel; it has title, .+, itemsPerPage, after, before\.$/,
  })
  assert.equal(lines().length, before)
})

test('The search template has variables with their properties', async (t) => {
  const { books, base } = await serveBooks(t, 0)
  const { template, variables } = await books.search()
  assert.match(template, /^http.*\/books\{\?title\*,/)
  const named = new Map(variables.map((one) => [one.name, one]))
  assert.deepEqual(named.get('title'), {
    name: 'title',
    property: `${base}/vocab#Book/title`,
    required: false,
  })
  assert.ok(named.has('pages.gte') && named.has('order[title]') && named.has('itemsPerPage'))
})

test('An exact count can be requested', async (t) => {
  const { books, sent } = await serveBooks(t, 2)
  await books.page({ 'pages[gte]': 1 }, { exactCount: true })
  assert.equal(sent.at(-1)?.headers.get('prefer'), 'count=exact')
  await books.page({ 'pages[gte]': 1 })
  assert.ok(!sent.at(-1)?.headers.has('prefer'))
})

test('A member is found by the last part of its address, by a link, or by a path', async (t) => {
  const { client, author, books, base } = await serveBooks(t, 1)
  const id = author.iri.split('/').at(-1) ?? ''
  const [book] = (await books.page()).members
  for (const found of [
    await client.collection('authors').get(id),
    await client.get(author.iri),
    await client.get(`authors/${id}`),
    await client.get(book?.data.author),
    await client.collectionAt('authors').get(id),
    await client.collectionAt(`${base}/authors`).get(id),
  ]) {
    assert.equal(found.iri, author.iri)
    assert.equal(found.etag, author.etag)
    assert.deepEqual(found.data, author.data)
    assert.deepEqual(found.types, [`${base}/vocab#Author`])
  }
  for (const other of ['../books', '..', '.', ''])
    await assert.rejects(client.collection('authors').get(other), { kind: 'not-found' }, other)
})
