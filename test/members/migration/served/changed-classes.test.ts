import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IncompatibleMembersError } from '../../../../src/members/index.ts'
import { idsOf, read, walk } from '../../../api/walks.ts'
import { serveWriter } from '../../../api/writing.ts'
import { keptDatabase } from '../../../support/databases.ts'

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
    for (const { id, address, violations } of error.incompatible) {
      assert.ok(before.body.includes(id) && address.endsWith(`/${id}`))
      assert.deepEqual(
        violations.map(({ code, at }) => [code, at.property]),
        [['DuplicateValue', 'name']],
      )
    }
    return true
  })
  const again = await serveWriter(t, { api: SMALL, ...options })
  assert.equal((await again.get('/authors')).body, before.body)
})
