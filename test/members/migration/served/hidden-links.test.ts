import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { AS_PROBLEM, assertProblem, codesOf } from '../../../api/signed-in.ts'
import { serveWriter, type Writer } from '../../../api/writing.ts'
import { keptDatabase } from '../../../support/databases.ts'

const AUTHOR = 'Author: { properties: { name: string } }'
const book = (properties: string) => `Book: { properties: { title: string${properties} } }`
const town = (properties: string) => `Town: { collection: false, properties: { name: string${properties} } }`
const api = (...classes: readonly string[]) => `classes: { ${classes.join(', ')} }`

const create = { 'If-None-Match': '*' }

/** A service that other ones follow on the same database and address, each under a file of its own. */
async function serveFirst(t: TestContext, first: string) {
  const service = await serveWriter(t, { db: keptDatabase(t), api: first })
  return {
    service,
    /** Ends the one before. */
    async next(file: string, before: Writer): Promise<Writer> {
      await before.close()
      return serveWriter(t, { api: file, db: service.db, flags: { baseUrl: service.base } })
    },
  }
}

const TOWNS = [town(', mayor: Author'), town('')] as const

/** What a book says of its author, and what its link is called where it is hidden. */
type Row = [name: string, body: (author: string) => object, shown: RegExp]

const LINK: Row = ['a link', (author) => ({ author }), /\/books\/\d \(author\)/]
const IN_TOWN: Row = [
  'a link within an embedded value',
  (mayor) => ({ town: { name: 'x', mayor } }),
  /\/books\/\d \(town\/mayor\)/,
]

/** A file with links, and files in which they are hidden. */
const CASES: readonly [files: readonly [string, ...string[]], ...Row[]][] = [
  [
    [
      api(
        AUTHOR,
        TOWNS[0],
        book(
          ', author: Author, authors: { type: Author, many: true }, town: Town, towns: { type: Town, many: true }',
        ),
      ),
      api(TOWNS[1], book(', town: Town')),
      api(AUTHOR, TOWNS[1], book(', town: Town')),
    ],
    LINK,
    ['many links', (author) => ({ authors: [author, author] }), /\/books\/\d \(authors\)/],
    IN_TOWN,
    [
      'a link within many embedded values, which are hidden as a whole',
      (mayor) => ({ towns: [{ name: 'x' }, { mayor }] }),
      /\/books\/\d \(towns\/mayor\)/,
    ],
  ],
  [
    // Hidden before its class is; renamed in between, and back.
    [
      api(AUTHOR, TOWNS[0], book(', author: Author, town: Town')),
      api(AUTHOR, TOWNS[0], book(', town: Town')),
      api(TOWNS[1], book(', city: { type: Town, was: town }, year: integer')),
      api(TOWNS[1], book(', city: Town, year: integer, more: string')),
      api(AUTHOR, TOWNS[1], book(', town: { type: Town, was: city }')),
    ],
    LINK,
    IN_TOWN,
  ],
  [
    [api(AUTHOR, book(', author: Author')), api(AUTHOR)],
    ['a link of a class that is hidden itself', (author) => ({ author }), /: Book \d\./],
  ],
  [
    // The class that it leads to comes back under another name, and on the path of another class.
    [
      api(AUTHOR, book(', author: Author')),
      api(book('')),
      api(
        'Poet: { was: Author, collection: poets, properties: { name: string } }',
        'Critic: { collection: authors, properties: { name: string } }',
        book(''),
      ),
      api(AUTHOR.replace('{', '{ was: Poet,'), book('')),
    ],
    LINK,
  ],
]

// contract: **Changing the API file** over data that exists
test('a link that is hidden, with its class or alone, keeps its target: 409 says that it is hidden, and what to do', async (t) => {
  for (const [files, ...rows] of CASES) {
    const [first, ...further] = files
    const { service, next } = await serveFirst(t, first)
    const before: object[] = []
    for (const [id, [name, body]] of rows.entries()) {
      await service.put(`/authors/${id}`, { name: 'Ann' }, create)
      const added = await service.put(`/books/${id}`, { title: 'A', ...body(`../authors/${id}`) }, create)
      assert.equal(added.status, 201, name)
      before.push(await service.values(`/books/${id}`))
    }
    let last = service
    for (const file of further) {
      last = await next(file, last)
      // What is written under a file that does not show the link keeps it.
      if (file.includes('Book'))
        for (const id of rows.keys())
          assert.equal((await last.patch(`/books/${id}`, { title: 'A' })).status, 200, file)
    }
    for (const [id, [name, , shown]] of rows.entries()) {
      const refused = await last.remove(`/authors/${id}`, AS_PROBLEM)
      assert.equal(refused.status, 409, name)
      assert.equal(codesOf(refused), 'StillLinked', name)
      assert.match(String(refused.json().detail), shown, name)
    }

    const again = await next(first, last)
    for (const [id, [name]] of rows.entries()) {
      assert.deepEqual(await again.values(`/books/${id}`), before[id], name)
      assert.equal((await again.remove(`/authors/${id}`)).status, 409, name)
      assert.equal((await again.remove(`/books/${id}`)).status, 204, name)
      assert.equal((await again.remove(`/authors/${id}`)).status, 204, name)
    }
    await again.close()
  }
})

test('a member that links to it openly is told apart from one whose link is hidden', async (t) => {
  const full = api(AUTHOR, book(', author: Author, editor: Author'))
  const { service, next } = await serveFirst(t, full)
  await service.put('/authors/7', { name: 'Ann' }, create)
  await service.put('/books/1', { author: '../authors/7', editor: '../authors/7' }, create)
  await service.put('/books/2', { author: '../authors/7' }, create)
  const last = await next(api(AUTHOR, book(', editor: Author')), service)
  const refused = await last.remove('/authors/7', AS_PROBLEM)
  assertProblem(refused, ['StillLinked', `${last.base}/books/1. `, `${last.base}/books/2 (author). `], 'both')
})

test('of a member whose hidden link holds another and its target, removed at once, never the target alone', async (t) => {
  const full = api(AUTHOR, book(', author: Author'))
  const { service, next } = await serveFirst(t, full)
  const ids = Array.from({ length: 20 }, (_, index) => String(index + 10))
  for (const id of ids) {
    await service.put(`/authors/${id}`, { name: id }, create)
    await service.put(`/books/${id}`, { author: `../authors/${id}` }, create)
  }
  const last = await next(api(AUTHOR, book('')), await next(api(book('')), service))
  const outcomes = await Promise.all(
    ids.map((id) =>
      Promise.all([
        last.patch(`/books/${id}`, { title: 'x' }),
        last.remove(`/authors/${id}`),
        Number(id) % 2 === 0 ? last.remove(`/books/${id}`) : undefined,
      ]),
    ),
  )
  for (const [index, [, author, removed]] of outcomes.entries()) {
    if (author.status === 204) assert.equal(removed?.status, 204, ids[index])
    else assert.equal(author.status, 409, author.body)
  }
  // It would not start with a link to nothing.
  await next(full, last)
})
