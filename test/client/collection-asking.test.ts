import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from 'hydrant-client'
import { recordAsking } from './asking-api.ts'

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error) => (error instanceof ApiError ? error.code : error),
  )

test('Paths and alternatives go to the collection with one request each', async () => {
  const { client, lines } = recordAsking()
  const books = client.collection('books')
  await books.page()
  const before = lines().length
  await books.page({ 'author.name': 'Ann', or: { a: { title: 'Emma', 'pages[gte]': 500 } } })
  assert.deepEqual(lines().slice(before).map(decodeURIComponent), [
    'GET /books?author.name=Ann&or[a][title]=Emma&or[a][pages.gte]=500 200',
  ])
})

test('Summaries are found where the collection links to them, page after page', async () => {
  const { client, lines } = recordAsking()
  const books = client.collection('books')
  const page = await books.summary({
    group: 'author',
    sum: ['price', 'pages'],
    'order[sum.price]': 'desc',
    'pages.gte': 3,
  })
  assert.deepEqual(lines().slice(2).map(decodeURIComponent), [
    'GET /summaries/books?group=author&sum=price&sum=pages&order[sum.price]=desc&pages.gte=3 200',
  ])
  assert.equal(page.totalItems, 3)
  const [{ group, count, sum, members } = assert.fail()] = page.summaries
  assert.deepEqual([group, count, sum], [{ author: 'jane' }, 12, { price: '120.50' }])
  assert.equal(members, `${client.base}/books?author=jane`)
  const [last] = (await books.summary(page.next)).summaries
  assert.deepEqual([last?.group, last?.count], [{ author: null }, 1])

  const counts: number[] = []
  for await (const one of books.summaries({ group: ['author', 'published:year'] })) counts.push(one.count)
  assert.deepEqual(counts, [12, 3, 1])
})

test('The link to the summaries may be a template', async () => {
  for (const summary of [
    { '@id': '#summary', '@type': 'IriTemplate', template: '/api/summaries/books{?group*,sum*,title*}' },
    '/api/summaries/books',
    { '@id': 'http://localhost:1/api/summaries/books' },
  ]) {
    const { client, lines } = recordAsking({ summary })
    await client.collection('books').summary({ group: 'author' })
    assert.equal(lines().at(-1), 'GET /summaries/books?group=author 200', JSON.stringify(summary))
  }
})

test('A collection without summaries is asked for none', async () => {
  const { client, lines } = recordAsking({ summary: null })
  assert.equal(await codeOf(client.collection('books').summary({ group: 'author' })), 'no-address')
  assert.deepEqual(lines(), ['GET  200', 'GET /books 200'])
})

test('A member that was read with fields is partial, from a page and by itself', async () => {
  const { client } = recordAsking()
  const books = client.collection('books')
  const [listed] = (await books.page({ fields: ['title', 'pages'] })).members
  const single = await books.get('emma', { fields: ['title', 'pages'] })
  for (const member of [listed, single, await single.reload()]) {
    assert.equal(member?.isPartial, true)
    assert.deepEqual([member?.data.title, member?.data.author], ['Emma', undefined])
  }
  const [whole] = (await books.page({ title: 'Emma' })).members
  for (const member of [whole, await books.get('emma'), await books.get('emma', { fields: [] })])
    assert.equal(member?.isPartial, false)
})

// contract: The client marks such members as partial
test('A partial member can be updated and removed; its replacement is not sent', async () => {
  const { client, lines, sent } = recordAsking()
  const books = client.collection('books')
  const partial = await books.get('emma', { fields: 'title' })
  const before = lines().length
  const refused = await partial.replace({ title: 'Emma' }).catch((error) => error)
  assert.ok(refused instanceof ApiError)
  assert.deepEqual([refused.kind, refused.code], ['refused', 'partial-member'])
  const inBatch = client.batch((batch) => batch.replace(partial, { title: 'Emma' }))
  const { code, operation } = await inBatch.catch((error) => error)
  assert.deepEqual([code, operation], ['partial-member', 0])
  assert.ok(
    lines()
      .slice(before)
      .every((line) => line.startsWith('GET')),
  )

  const updated = await partial.update({ pages: 500 })
  const patch = sent.at(-1)
  assert.deepEqual([patch?.method, patch?.headers.get('if-match')], ['PATCH', '"1"'])
  assert.equal(updated.isPartial, false)
  assert.equal(updated.data.pages, 474)
  await partial.remove()
  assert.deepEqual([sent.at(-1)?.method, sent.at(-1)?.headers.get('if-match')], ['DELETE', '"1"'])
})

test('A partial member of a page is read again with the same fields before it is updated', async () => {
  const { client, lines, sent } = recordAsking()
  const [listed] = (await client.collection('books').page({ fields: ['title'] })).members
  await listed?.update({ pages: 500 })
  assert.deepEqual(lines().slice(-2), ['GET /books/emma?fields=title 200', 'PATCH /books/emma 200'])
  assert.equal(sent.at(-1)?.headers.get('if-match'), '"1"')
})

test('Where an update would be a replacement, a partial member cannot be updated', async () => {
  const { client } = recordAsking({ methods: ['GET', 'PUT'] })
  const partial = await client.collection('books').get('emma', { fields: 'title' })
  assert.equal(await codeOf(partial.update({ pages: 500 })), 'partial-member')
})
