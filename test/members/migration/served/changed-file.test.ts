import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type IncompatibleMember, IncompatibleMembersError } from '../../../../src/members/index.ts'
import { incompatibleSentence } from '../../../../src/service/problems/migration.ts'
import { SHELF } from '../../../api/api-files.ts'
import { type Json, pathOf, serveSignedIn, withoutContext } from '../../../api/signed-in.ts'
import { serveWriter, valuesOf } from '../../../api/writing.ts'
import { keptDatabase } from '../../../support/databases.ts'

/** Property, code and the new name of the property, where it has another one. */
const placesOf = (violations: IncompatibleMember['violations']) =>
  violations.map(({ at, code, newPath }) => [at.property, code, newPath])

// contract: **Changing the API file** over data that exists
// contract: ETags are strong
test('another API file serves the members that exist in its own shape and loses nothing', async (t) => {
  const first = await serveSignedIn(t, { db: keptDatabase(t), api: SHELF })
  const author = (await first.add('/authors', { name: 'Ann' }))['@id']
  const authorId = author.slice(author.lastIndexOf('/'))
  const original = {
    ...{ title: 'A', author, notes: 'n', editors: [author], genre: 'g', tags: ['a'], pages: 12 },
    shelves: [],
  }
  const book = await first.add('/books', { ...original, shelves: undefined })
  const bookId = book['@id'].slice(book['@id'].lastIndexOf('/'))
  const flags = { baseUrl: first.base }
  const before = await first.get(`/books${bookId}`)
  await first.close()
  const { base, db } = first
  const writer = `${base}/writers${authorId}`
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(original).filter(([name]) => !names.includes(name)))

  const table: [name: string, change: (api: string) => string, collection: string, expected: Json][] = [
    ['adds a property', (api) => `${api}      year: integer\n`, 'books', original],
    [
      'adds a required property with a default',
      (api) => `${api}      year: { type: integer, required: true, default: 1 }\n`,
      'books',
      { ...original, year: 1 },
    ],
    ['removes a property', (api) => api.replace('      notes: string\n', ''), 'books', without('notes')],
    ['removes a link', (api) => api.replace('      author: Author\n', ''), 'books', without('author')],
    [
      'renames the collection that links lead to',
      (api) => api.replace('Author: {', 'Author: { collection: writers,'),
      'books',
      { ...original, author: writer, editors: [writer] },
    ],
    [
      'renames the collection itself',
      (api) => api.replace('Book:\n', 'Book:\n    collection: volumes\n'),
      'volumes',
      original,
    ],
    [
      'makes one many',
      (api) =>
        api
          .replace('genre: string', 'genre: { type: string, many: true }')
          .replace('author: Author', 'author: { type: Author, many: true }'),
      'books',
      { ...original, genre: ['g'], author: [author] },
    ],
    [
      'renames a property',
      (api) => api.replace('title: string', 'heading: { type: string, was: title }'),
      'books',
      { heading: 'A', ...without('title') },
    ],
    [
      'renames it back',
      (api) => api.replace('title: string', 'title: { type: string, was: heading }'),
      'books',
      original,
    ],
    [
      'changes a type to one that holds the value',
      (api) => api.replace('pages: integer', 'pages: decimal'),
      'books',
      { ...original, pages: '12' },
    ],
    [
      'makes many one, where there is one',
      (api) => api.replaceAll(', many: true', '').replace(', default: []', ''),
      'books',
      { ...without('shelves'), editors: author, tags: 'a' },
    ],
  ]
  let last = before
  for (const [name, change, collection, expected] of table) {
    const api = change(SHELF)
    assert.notEqual(api, SHELF, name)
    const service = await serveSignedIn(t, { api, db, flags })
    const path = `/${collection}${bookId}`
    const alone = await service.get(path)
    assert.equal(alone.status, 200, name)
    const whole = { '@id': `${base}${path}`, '@type': 'Book', ...expected }
    assert.deepEqual(withoutContext(alone.json()), whole, name)
    assert.deepEqual((await service.get(`/${collection}`)).json().member, [whole], name)
    if (alone.body !== last.body) assert.notEqual(alone.headers.etag, last.headers.etag, name)
    last = alone
    await service.close()
  }

  const again = await serveSignedIn(t, { api: SHELF, db, flags })
  const { shelves, ...rest } = (await again.get(`/books${bookId}`)).json()
  const { shelves: none, ...former } = before.json()
  assert.deepEqual(rest, former, 'what was hidden has come back')
  assert.deepEqual(
    [shelves, none],
    [[], []],
    'a list without values is no value to a property that takes one; its default is new again',
  )
})

// contract: **Changing the API file** over data that exists
test('a changed type that members violate stops the start, names ten of them and changes nothing', async (t) => {
  const first = await serveWriter(t, { db: keptDatabase(t), api: SHELF })
  const paths: string[] = []
  for (let index = 0; index < 12; index++)
    paths.push(await first.addAt('/books', { title: `t${index}`, tags: ['a', 'b'] }))
  const fine = await first.addAt('/books', { title: '12', tags: ['a'] })
  const before = await first.get(fine)
  await first.close()
  const table: [from: string, to: string, property: string, code: string, newPath?: string][] = [
    ['title: string', 'title: integer', 'title', 'CannotConvert'],
    ['title: string', 'heading: { type: date, was: title }', 'title', 'CannotConvert', 'heading'],
    ['tags: { type: string, many: true }', 'tags: string', 'tags', 'OneValueNow'],
    ['title: string', 'title: Author', 'title', 'CannotLink'],
  ]
  for (const [from, to, ...wrong] of table) {
    const api = SHELF.replace(from, to)
    await assert.rejects(serveWriter(t, { api, db: first.db }), (error) => {
      assert.ok(error instanceof IncompatibleMembersError, String(error))
      assert.equal(error.incompatible.length, 10, to)
      // A line before them, and one after them: there may be more.
      assert.equal(incompatibleSentence(error.incompatible).split('\n').length, 12, to)
      for (const { id, address, violations } of error.incompatible) {
        assert.ok(paths.includes(`/books/${id}`))
        assert.equal(address, `/books/${id}`)
        assert.deepEqual(placesOf(violations), [wrong.length < 3 ? [...wrong, undefined] : wrong])
      }
      return true
    })
  }
  const again = await serveWriter(t, { api: SHELF, db: first.db, flags: { baseUrl: first.base } })
  const after = await again.get(fine)
  assert.equal(after.body, before.body)
  assert.equal(after.headers.etag, before.headers.etag)
})

test('a link whose class has changed must lead to a member of the new one', async (t) => {
  const api = (target: string) =>
    `classes: { Author: { properties: { name: string } }, Writer: { properties: { name: string } }, Book: { properties: { by: ${target} } } }`
  const first = await serveWriter(t, { db: keptDatabase(t), api: api('Author') })
  const options = { db: first.db, flags: { baseUrl: first.base } }
  const create = { 'If-None-Match': '*' }
  await first.put('/authors/1', { name: 'Ann' }, create)
  await first.put('/writers/1', { name: 'Ann' }, create)
  const book = await first.addAt('/books', { by: `${first.base}/authors/1` })
  await first.close()
  const second = await serveWriter(t, { api: api('Writer'), ...options })
  assert.deepEqual(await second.values(book), { by: `${first.base}/writers/1` })
  assert.equal((await second.remove('/writers/1')).status, 409)
  assert.equal((await second.remove('/authors/1')).status, 204)
  await second.close()
  await assert.rejects(serveWriter(t, { api: api('Author'), ...options }), (error) => {
    assert.ok(error instanceof IncompatibleMembersError)
    const [{ violations } = assert.fail()] = error.incompatible
    assert.deepEqual(placesOf(violations), [['by', 'NoSuchTarget', undefined]])
    assert.deepEqual(violations[0]?.values, { id: '1', className: 'Author' })
    return true
  })
})

for (const property of ['string', '{ type: string, filterable: false }'])
  test(`a collection (${property}) becomes a single resource where it has one member, and not where it has several`, async (t) => {
    const collection = `classes: { Note: { collection: memos, properties: { text: ${property} } } }`
    const single = `classes: { Note: { collection: false, operations: [create, read], properties: { text: ${property} } } }`
    const first = await serveWriter(t, { db: keptDatabase(t), api: collection })
    const options = { db: first.db, flags: { baseUrl: first.base } }
    await first.add('/memos', { text: 'a' })
    const paths: string[] = []
    for (let count = 1; count < 12; count += 1) paths.push(await first.addAt('/memos', { text: 'b' }))
    await first.close()
    await assert.rejects(serveWriter(t, { api: single, ...options }), (error) => {
      assert.ok(error instanceof IncompatibleMembersError)
      assert.equal(error.incompatible.length, 10)
      const named = error.incompatible.filter(({ address }) => paths.slice(0, 9).includes(address))
      assert.equal(named.length, 9)
      for (const { newAddress, violations } of named) {
        assert.equal(newAddress, '/Note')
        const [{ code, values } = assert.fail()] = violations
        assert.deepEqual([code, values], ['SeveralMembers', { total: 12, formerName: 'Note', name: 'Note' }])
      }
      return true
    })
    const again = await serveWriter(t, { api: collection, ...options })
    for (const path of paths) assert.equal((await again.remove(path)).status, 204)
    await again.close()
    const last = await serveWriter(t, { api: single, ...options })
    assert.deepEqual(await last.values('/Note'), { text: 'a' })
  })

test('incompatible members are named as they are served today, with the names of the new file', async (t) => {
  const api = (classes: string) => `classes: { ${classes} }`
  const first = await serveWriter(t, {
    db: keptDatabase(t),
    api: api(
      'Author: { collection: people, properties: { pages: { type: string, many: true }, code: string } }',
    ),
  })
  const options = { db: first.db, flags: { baseUrl: first.base } }
  const one = await first.addAt('/people', { pages: ['1', 'two'], code: 'x' })
  const other = await first.addAt('/people', { code: 'x' })
  await first.close()
  const writer = (properties: string) => api(`Writer: { was: Author, properties: { ${properties} } }`)
  const rows = [
    [
      writer('sheets: { type: integer, many: true, was: pages }'),
      one,
      'pages/1',
      'CannotConvert',
      'sheets/1',
    ],
    [writer('number: { type: string, unique: true, was: code }'), other, 'code', 'DuplicateValue', 'number'],
  ] as const
  for (const [file, path, ...wrong] of rows)
    await assert.rejects(serveWriter(t, { api: file, ...options }), (error) => {
      assert.ok(error instanceof IncompatibleMembersError)
      const [{ address, newAddress, violations } = assert.fail()] = error.incompatible
      assert.deepEqual([address, newAddress], [path, path.replace('people', 'writers')])
      assert.deepEqual(placesOf(violations), [wrong])
      const [{ values } = assert.fail()] = violations
      if (path === other) assert.deepEqual(values, { address: one, value: '"x"' })
      return true
    })
})

// contract: **Changing the API file** over data that exists
test('what is hidden survives PUT and PATCH under an API file that does not know it', async (t) => {
  const full = `
classes:
  Author: { properties: { name: string } }
  Town: { collection: false, properties: { name: string, zip: string } }
  Book: { properties: { title: string, notes: string, author: Author, town: Town } }
`
  const less = full.replace(', notes: string, author: Author', '').replace(', zip: string', '')
  const first = await serveWriter(t, { db: keptDatabase(t), api: full })
  const options = { db: first.db, flags: { baseUrl: first.base } }
  const author = (await first.add('/authors', { name: 'Ann' }))['@id']
  const town = { name: 'x', zip: '1' }
  const path = await first.addAt('/books', { title: 'A', notes: 'n', author, town })
  await first.close()

  const second = await serveWriter(t, { api: less, ...options })
  assert.deepEqual(await second.values(path), { title: 'A', town: { '@type': 'Town', name: 'x' } })
  assert.equal((await second.put(path, { title: 'B', notes: 'x', town: { name: 'x' } })).status, 422)
  assert.deepEqual(valuesOf(await second.put(path, { title: 'B', town: { name: 'y' } })).title, 'B')
  assert.deepEqual(valuesOf(await second.patch(path, { town: { name: 'z' } })).town, {
    '@type': 'Town',
    name: 'z',
  })
  await second.close()

  const third = await serveWriter(t, { api: full, ...options })
  assert.deepEqual(await third.values(path), {
    ...{ title: 'B', notes: 'n', author, town: { '@type': 'Town', name: 'z', zip: '1' } },
  })
})

test('a link that is hidden still keeps its target, so that it leads somewhere when it comes back', async (t) => {
  const first = await serveWriter(t, { db: keptDatabase(t), api: SHELF })
  const author = (await first.add('/authors', { name: 'Ann' }))['@id']
  const book = await first.addAt('/books', { title: 'A', author })
  await first.close()
  const options = { db: first.db, flags: { baseUrl: first.base } }
  const api = SHELF.replace('      author: Author\n', '')
  const second = await serveWriter(t, { api, ...options })
  assert.equal((await second.get(book)).json().author, undefined)
  assert.equal((await second.remove(pathOf(first.base, author))).status, 409)
  assert.equal((await second.put(book, { title: 'B' })).status, 200)
  assert.equal((await second.remove(pathOf(first.base, author))).status, 409)
  await second.close()
  const renamed = api
    .replace('Author: {', 'Poet: { was: Author, collection: authors,')
    .replace('type: Author', 'type: Poet')
  const third = await serveWriter(t, { api: renamed, ...options })
  assert.equal((await third.patch(book, { title: 'C' })).status, 200)
  assert.equal((await third.remove(pathOf(first.base, author))).status, 409)
  assert.equal((await third.remove(book)).status, 204)
  assert.equal((await third.remove(pathOf(first.base, author))).status, 204)
})

// contract: **Changing the API file** over data that exists
test('a new required applies at the next write of that property, and to a PUT', async (t) => {
  const first = await serveWriter(t, { db: keptDatabase(t), api: SHELF })
  const path = await first.addAt('/books', { title: 'A' })
  await first.close()
  const api = SHELF.replace('genre: string', 'genre: { type: string, required: true }')
  const second = await serveWriter(t, {
    api,
    db: first.db,
    flags: { baseUrl: first.base },
    hasOldMembers: true,
  })
  assert.equal((await second.get(path)).status, 200)
  assert.equal((await second.patch(path, { title: 'B' })).status, 200)
  assert.equal((await second.put(path, { title: 'B' })).status, 422)
  assert.equal((await second.patch(path, { genre: null })).status, 422)
  assert.equal((await second.patch(path, { genre: 'g' })).status, 200)
})
