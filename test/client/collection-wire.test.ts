import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ApiError } from 'hydrant-client'
import { describeModel, describeServed, writeTypes } from '../../src/types/index.ts'
import { modelOf, serve } from '../support/service.ts'
import { recordClient } from './recording.ts'

/** The client against the server, as asking.md has it: what they say to each other is not made up by either side. */
const API = `
title: Books
classes:
  Author:
    properties:
      name: { type: string, required: true }
      born: date
      home: Address
  Address:
    collection: false
    properties: { town: string, country: Country }
  Country: { collection: countries, properties: { name: string } }
  Book:
    properties:
      title: { type: string, required: true }
      pages: integer
      price: decimal
      published: date
      author: { type: Author, required: true, reverse: books }
`

async function serveBooks(t: TestContext) {
  const { base } = await serve(t, { api: API, flags: { auth: false } })
  const recording = recordClient(base)
  const { client } = recording
  const authors = client.collection('authors')
  const books = client.collection('books')
  const utopia = await client.collection('countries').create({ name: 'Utopia' })
  const home = { town: 'Bath', country: utopia.iri }
  const jane = await authors.create({ name: 'Jane Austen', born: '1775-12-16', home })
  const ann = await authors.create({ name: 'Ann Leckie', born: '1966-03-02' })
  await authors.create({ name: 'Ben' })
  for (const [title, pages, price, published, author] of [
    ['Emma', 474, '9.50', '1815-12-23', jane],
    ['Persuasion', 249, '7.25', '1817-12-20', jane],
    ['Ancillary Justice', 386, '12.10', '2013-10-01', ann],
  ] as const)
    await books.create({ title, pages, price, published, author: author.iri })
  return { ...recording, base, authors, books, jane, ann }
}

const valuesOf = async (found: AsyncIterable<{ readonly data: Record<string, unknown> }>, name: string) => {
  const values: unknown[] = []
  for await (const { data } of found) values.push(data[name])
  return values.sort()
}

test('Paths of every kind find members, and an unknown one is refused by its name', async (t) => {
  const { books, authors } = await serveBooks(t)
  for (const [query, titles] of [
    [{ 'author.name': 'Jane Austen' }, ['Emma', 'Persuasion']],
    [{ 'author.name.startsWith': 'Ann', 'author.born[gt]': '1900-01-01' }, ['Ancillary Justice']],
    [{ 'exists[author.home.town]': false }, ['Ancillary Justice']],
    [{ 'author.home.town': 'Bath', 'pages.lt': 300 }, ['Persuasion']],
    [{ 'author.home.country.name': 'Utopia' }, ['Emma', 'Persuasion']],
    [{ 'author.books.title': 'Emma' }, ['Emma', 'Persuasion']],
    [{ or: { a: { title: 'Emma', 'author.name[startsWith]': 'Ann' } } }, ['Ancillary Justice', 'Emma']],
    [
      { or: { a: { 'title.startsWith': ['E', 'P'] }, 1: { 'pages[gte]': 400, q: 'persuasion' } } },
      ['Emma', 'Persuasion'],
    ],
  ] as const)
    assert.deepEqual(await valuesOf(books.members(query), 'title'), titles, JSON.stringify(query))
  assert.deepEqual(await valuesOf(authors.members({ 'books.price.gt': 10 }), 'name'), ['Ann Leckie'])
  assert.deepEqual(await valuesOf(authors.members({ 'exists[books]': false }), 'name'), ['Ben'])
  const error = await books.page({ 'author.nmae': 'x' }).catch((reason) => reason)
  assert.ok(error instanceof ApiError)
  assert.deepEqual([error.status, error.parameter], [400, 'author.nmae'])
})

test('An order goes along a path', async (t) => {
  const { books } = await serveBooks(t)
  const { members } = await books.page({ sort: 'author.name,-title' })
  assert.deepEqual(members[0]?.data.title, 'Ancillary Justice')
})

test('Fields: members have only these; they can be updated, with the ETag, and not replaced', async (t) => {
  const { books, sent } = await serveBooks(t)
  const asked = { fields: ['title', 'author.name'], include: 'author', 'order[title]': 'asc' } as const
  const [, emma] = (await books.page(asked)).members
  assert.ok(emma?.isPartial)
  assert.deepEqual(Object.keys(emma.data).sort(), ['@id', '@type', 'author', 'title'])
  assert.deepEqual(Object.keys(emma.data.author as object).sort(), ['@id', '@type', 'name'])
  assert.equal(await emma.replace({ title: 'x' }).catch(({ code }) => code), 'partial-member')
  const changed = await emma.update({ pages: 500 })
  assert.equal(changed.data.pages, 500)
  assert.ok(sent.at(-1)?.headers.get('if-match'))

  const id = emma.iri.split('/').pop() as string
  const single = await books.get(id, { fields: 'title' })
  assert.deepEqual(Object.keys(single.data).sort(), ['@id', '@type', 'title'])
  assert.ok(single.etag)
  assert.equal((await single.update({ pages: 501 })).data.pages, 501)
  const conflict = await single.update({ pages: 502 }).catch((error) => error)
  assert.equal(conflict.kind, 'conflict')
})

test('A reverse link leads to the members that link to a member, and can be included', async (t) => {
  const { client, authors, books, base, jane } = await serveBooks(t)
  assert.equal(jane.data.books, `${base}/books?author=${jane.iri}`)
  assert.deepEqual(await valuesOf(client.collectionAt(jane.data.books), 'title'), ['Emma', 'Persuasion'])
  const [, , included] = (await authors.page({ include: 'books', 'order[name]': 'asc' })).members
  const { totalItems, member } = included?.data.books ?? assert.fail()
  assert.equal(totalItems, 2)
  assert.deepEqual(member.map(({ title }: { title: string }) => title).sort(), ['Emma', 'Persuasion'])
  const changed = await included?.update({ name: 'J. Austen' })
  assert.equal(changed?.data.books, jane.data.books)
  const { '@id': _, '@type': __, ...whole } = (await client.get(jane.iri)).data
  assert.equal((await (await client.get(jane.iri)).replace(whole)).data.name, 'J. Austen')
  assert.equal((await books.page({ author: jane.iri })).totalItems, 2)
})

test('Summaries: groups, figures, filters, orders and pages, and the members of each', async (t) => {
  const { books, jane } = await serveBooks(t)
  const asked = {
    group: 'author',
    sum: ['price', 'pages'],
    max: 'published',
    'order[sum.price]': 'desc',
  } as const
  const { summaries, totalItems } = await books.summary(asked)
  assert.equal(totalItems, 2)
  const [first = assert.fail()] = summaries
  assert.deepEqual([first.group, first.count], [{ author: jane.iri }, 2])
  assert.deepEqual([first.sum, first.max], [{ price: '16.75', pages: '723' }, { published: '1817-12-20' }])
  assert.deepEqual(await valuesOf(books.members(first.members), 'title'), ['Emma', 'Persuasion'])

  const [all = assert.fail()] = (await books.summary({ avg: 'pages', 'author.home.town': 'Bath' })).summaries
  assert.deepEqual([all.count, all.avg], [2, { pages: '361.5' }])
  const years: unknown[] = []
  for await (const { group, count } of books.summaries({ group: 'published:year', itemsPerPage: 1 }))
    years.push([group['published:year'], count])
  assert.deepEqual(years, [
    ['1815', 1],
    ['1817', 1],
    ['2013', 1],
  ])
  const none = (await books.summary({ sum: 'price', title: 'x' })).summaries
  assert.deepEqual(
    none.map(({ count, sum }) => [count, sum]),
    [[0, { price: null }]],
  )
})

test('The types of the server are those of the file, with its paths and its reverse links', async (t) => {
  const { base } = await serveBooks(t)
  const types = writeTypes(await describeServed(base, () => assert.fail()))
  assert.equal(types, writeTypes(describeModel(modelOf(API))))
  for (const line of [
    'readonly books: Reverse<Book>',
    'readonly __steps?: { home: AddressQuery; books: BookQuery[] }',
    "'town.startsWith'?: string",
    "'books.exists'?: boolean",
  ])
    assert.ok(types.includes(`  ${line}\n`), line)
})
