import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IncompatibleMembersError } from '../../src/members/index.ts'
import { incompatibleSentence } from '../../src/service/problems/migration.ts'
import { keptDatabase } from '../support/databases.ts'
import { codeBlock } from '../support/markdown.ts'
import { pathOf, sentenceOf } from './signed-in.ts'
import { idsOf, read, walk } from './walks.ts'
import { serveWriter } from './writing.ts'

// docs/contract/hypermedia.md, The API file: what it shows and says, on a served API.

const PRINTED = codeBlock('docs/contract/hypermedia.md', 'yaml', 'classes:')

// contract: One API file in, a complete API out.
// contract: ```yaml title: Library
test('the API file that the contract shows is served, and each line of it does what it says', async (t) => {
  const { add, get, post, send, base } = await serveWriter(t, { api: PRINTED })
  const author = await add('/authors', { name: 'Ann', born: '1970-01-31' })
  const sent = {
    ...{ title: 'A', isbn: '0-X', pages: 1, price: '9.90', published: '2024-02-29', available: true },
    ...{ genres: ['a', 'b'], author: author['@id'], notes: 'n' },
  }
  const book = await add('/books', sent)
  const { createdAt, '@context': context, '@id': address, ...rest } = book
  assert.deepEqual(rest, { '@type': 'Book', ...sent })
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT/)
  const { Book, title } = context as Record<string, unknown>
  assert.deepEqual([Book, title], [{ '@id': 'http://schema.org/Book' }, { '@id': 'http://schema.org/name' }])

  const refused: [sent: object, said: RegExp][] = [
    [
      { title: undefined },
      /^title: is required\. isbn: must be unique, and another member has this value\.$/,
    ],
    [{ title: 'x'.repeat(201), isbn: '1' }, /^title: must have at most 200 characters\.$/],
    [{ isbn: 'abc' }, /^isbn: must match the pattern/],
    [{}, /^isbn: must be unique/],
    [{ isbn: '1', pages: 0 }, /^pages: must be at least 1\.$/],
    [{ isbn: '1', author: undefined }, /^author: is required\.$/],
    [{ isbn: '1', createdAt: '2024-02-29T00:00:00Z' }, /^createdAt: is read-only/],
  ]
  for (const [change, said] of refused) {
    const response = await post('/books', { ...sent, ...change })
    assert.equal(response.status, 422, JSON.stringify(change))
    assert.match(sentenceOf(response), said)
  }
  assert.equal((await get('/books?notes=n')).status, 400)
  assert.equal((await get(`/books?author=${author['@id']}`)).json().totalItems, 1)
  const allowed = async (path: string) => (await send('OPTIONS', path)).headers.allow
  for (const [collection, member] of [
    ['/authors', pathOf(base, author['@id'])],
    ['/books', pathOf(base, address)],
  ] as const) {
    assert.equal(await allowed(collection), 'GET, HEAD, POST')
    assert.equal(await allowed(member), 'GET, HEAD, PUT, PATCH, DELETE')
  }
  const { title: named, description } = (await get('/vocab')).json()
  assert.deepEqual([named, description], ['Library', 'Books and the people who write them'])
})

// contract: ```yaml title: Library
test('a class whose collection is not named has the plural of its name in lower case', async (t) => {
  const api = 'classes: { Author: , Category: , ShoppingList: }'
  const { get } = await serveWriter(t, { api })
  for (const path of ['/authors', '/categories', '/shoppinglists']) {
    assert.equal((await get(path)).status, 200, path)
  }
})

const SMALL = 'classes:\n  Author: { properties: { name: string } }\n'
const LARGER = `${SMALL.replace('name: string', 'name: string, rank: { type: integer, default: 5 }')}  Book: { properties: { author: Author, notes: { type: string, filterable: false } } }\n`

// contract: **Changing the API file** over data that exists
test('what is added to an API file is there for the members that exist, its indexes included', async (t) => {
  const first = await serveWriter(t, { db: keptDatabase(t), api: SMALL })
  const ann = await first.addAt('/authors', { name: 'Ann' })
  await first.close()
  const options = { db: first.db, flags: { baseUrl: first.base } }

  const second = await serveWriter(t, { api: LARGER, ...options })
  assert.deepEqual(await second.values(ann), { name: 'Ann', rank: 5 })
  assert.deepEqual(idsOf(await read(second, '/authors?rank=5')), [ann.slice('/authors/'.length)])
  const books: string[] = []
  for (const notes of ['b', 'c', 'a']) {
    const path = await second.addAt('/books', { author: `${second.base}${ann}`, notes })
    books.push(path.slice('/books/'.length))
  }
  assert.equal((await second.get('/books?notes=b')).status, 400)
  await second.close()

  const third = await serveWriter(t, { api: LARGER.replace(', filterable: false', ''), ...options })
  const [b, c, a] = books
  assert.deepEqual(idsOf(await read(third, '/books?notes=b')), [b])
  assert.deepEqual(idsOf(await read(third, '/books?q=C')), [c])
  assert.deepEqual((await walk(third, '/books?sort=notes&itemsPerPage=1')).flat(), [a, b, c])
})

// contract: **Changing the API file** over data that exists
test('a class that is removed from the API file is hidden, and comes back with all that it had', async (t) => {
  const first = await serveWriter(t, { db: keptDatabase(t), api: LARGER })
  const ann = await first.addAt('/authors', { name: 'Ann' })
  const book = await first.addAt('/books', { author: `${first.base}${ann}`, notes: 'n' })
  const before = await first.get(book)
  await first.close()
  const options = { db: first.db, flags: { baseUrl: first.base } }

  const second = await serveWriter(t, { api: SMALL, ...options })
  assert.equal((await second.get('/books')).status, 404)
  assert.equal((await second.get('/vocab')).body.includes('Book'), false)
  assert.equal((await second.remove(ann)).status, 409, 'a hidden member links to it')
  await second.close()

  const third = await serveWriter(t, { api: LARGER, ...options })
  const after = await third.get(book)
  assert.deepEqual([after.body, after.headers.etag], [before.body, before.headers.etag])
})

// contract: **Changing the API file** over data that exists
test('a class that was called otherwise keeps its members, their links and their versions', async (t) => {
  const first = await serveWriter(t, { db: keptDatabase(t), api: LARGER })
  const ann = await first.addAt('/authors', { name: 'Ann' })
  const book = await first.addAt('/books', { author: `${first.base}${ann}` })
  const etag = await first.etag(ann)
  await first.close()

  const api = LARGER.replaceAll('Author', 'Writer').replace('{ properties', '{ was: Author, properties')
  const second = await serveWriter(t, { api, db: first.db, flags: { baseUrl: first.base } })
  const moved = ann.replace('/authors/', '/writers/')
  assert.equal((await second.get(moved)).json()['@type'], 'Writer')
  assert.deepEqual(await second.values(book), { author: `${second.base}${moved}` })
  assert.equal((await second.remove(moved)).status, 409)
  const version = (text: string) => Number.parseInt(text.slice(1), 10)
  assert.equal(version(await second.etag(moved)), version(etag))
})

// contract: **Changing the API file** over data that exists
test('a new unique that members violate stops the start, names ten of them and changes nothing', async (t) => {
  const first = await serveWriter(t, { db: keptDatabase(t), api: SMALL })
  for (let index = 0; index < 12; index++) await first.addAt('/authors', { name: 'Ann' })
  const before = await first.get('/authors')
  await first.close()
  const unique = SMALL.replace('name: string', 'name: { type: string, unique: true }')
  const options = { db: first.db, flags: { baseUrl: first.base } }
  await assert.rejects(serveWriter(t, { api: unique, ...options }), (error) => {
    assert.ok(error instanceof IncompatibleMembersError, String(error))
    assert.equal(error.incompatible.length, 10)
    for (const { id } of error.incompatible)
      assert.ok(before.body.includes(id) && incompatibleSentence(error.incompatible).includes(id))
    return true
  })
  const again = await serveWriter(t, { api: SMALL, ...options })
  assert.equal((await again.get('/authors')).body, before.body)
})
