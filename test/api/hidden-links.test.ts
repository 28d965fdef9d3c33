import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { keptDatabase } from '../support/databases.ts'
import { sentenceOf } from './signed-in.ts'
import { serveWriter, type Writer } from './writing.ts'

const AUTHOR = 'Author: { properties: { name: string } }'
const book = (properties: string) => `Book: { properties: { title: string${properties} } }`
const town = (properties: string) => `Town: { collection: false, properties: { name: string${properties} } }`
const api = (...classes: readonly string[]) => `classes: { ${classes.join(', ')} }`

/** A service that other ones follow on the same database and address, each under a file of its own. */
async function serveFirst(t: TestContext, first: string) {
  const service = await serveWriter(t, { db: keptDatabase(t), api: first })
  const create = { 'If-None-Match': '*' }
  await service.put('/authors/7', { name: 'Ann' }, create)
  return {
    service,
    add: (body: object) => service.put('/books/1', { title: 'A', ...body }, create),
    /** Ends the one before. */
    async next(file: string, before: Writer): Promise<Writer> {
      await before.close()
      return serveWriter(t, { api: file, db: service.db, flags: { baseUrl: service.base } })
    },
  }
}

const TOWNS = [town(', mayor: Author'), town('')] as const

/** A file with a link, what a book says, files in which the link is hidden, and what the book's link is called then. */
const ROWS: readonly [name: string, body: object, files: readonly [string, ...string[]], said: RegExp][] = [
  [
    'a link',
    { author: '../authors/7' },
    [api(AUTHOR, book(', author: Author')), api(book('')), api(AUTHOR, book(''))],
    /\/books\/1 \(author\)/,
  ],
  [
    'a link that was hidden before its class was, and which other files follow',
    { author: '../authors/7' },
    [
      api(AUTHOR, book(', author: Author')),
      api(AUTHOR, book('')),
      api(book(', year: integer')),
      api(book(', year: integer, more: string')),
      api(AUTHOR, book('')),
    ],
    /\/books\/1 \(author\)/,
  ],
  [
    'many links',
    { authors: ['../authors/7', '../authors/7'] },
    [
      api(AUTHOR, book(', authors: { type: Author, many: true }')),
      api(book(', year: integer')),
      api(AUTHOR, book(', year: integer')),
    ],
    /\/books\/1 \(authors\)/,
  ],
  [
    'a link within an embedded value',
    { town: { name: 'x', mayor: '../authors/7' } },
    [
      api(AUTHOR, TOWNS[0], book(', town: Town')),
      api(TOWNS[1], book(', town: Town')),
      api(AUTHOR, TOWNS[1], book(', town: Town')),
    ],
    /\/books\/1 \(town\/mayor\)/,
  ],
  [
    'a link within an embedded value that is renamed, and back',
    { town: { name: 'x', mayor: '../authors/7' } },
    [
      api(AUTHOR, TOWNS[0], book(', town: Town')),
      api(TOWNS[1], book(', city: { type: Town, was: town }')),
      api(AUTHOR, TOWNS[1], book(', town: { type: Town, was: city }')),
    ],
    /\/books\/1 \(town\/mayor\)/,
  ],
  [
    'a link within many embedded values, which are hidden as a whole',
    { towns: [{ name: 'x' }, { mayor: '../authors/7' }] },
    [
      api(AUTHOR, TOWNS[0], book(', towns: { type: Town, many: true }')),
      api(book('')),
      api(AUTHOR, book('')),
    ],
    /\/books\/1 \(towns\/mayor\)/,
  ],
  [
    'a link of a class that is hidden itself',
    { author: '../authors/7' },
    [api(AUTHOR, book(', author: Author')), api(AUTHOR)],
    /: Book 1\./,
  ],
  [
    'a link to a class that comes back under another name, and on the path of another class',
    { author: '../authors/7' },
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
    /\/books\/1 \(author\)/,
  ],
]

// contract: **Changing the API file** over data that exists
test('a link that is hidden, with its class or alone, keeps its target: 409 says that it is hidden, and what to do', async (t) => {
  for (const [name, body, files, said] of ROWS) {
    const [first, ...further] = files
    const { service, add, next } = await serveFirst(t, first)
    assert.equal((await add(body)).status, 201, name)
    const before = await service.values('/books/1')
    let last = service
    for (const file of further) {
      last = await next(file, last)
      // What is written under a file that does not show the link keeps it.
      if (file.includes('Book'))
        assert.equal((await last.patch('/books/1', { title: 'A' })).status, 200, name)
    }
    const refused = await last.remove('/authors/7')
    assert.equal(refused.status, 409, name)
    assert.match(
      sentenceOf(refused),
      /^Members hold this one through a property or a class that the API file does not show now and/,
    )
    assert.match(sentenceOf(refused), said, name)
    assert.match(sentenceOf(refused), /under an API file that shows it\.$/)

    const again = await next(first, last)
    assert.deepEqual(await again.values('/books/1'), before, name)
    assert.equal((await again.remove('/authors/7')).status, 409, name)
    assert.equal((await again.remove('/books/1')).status, 204, name)
    assert.equal((await again.remove('/authors/7')).status, 204, name)
    await again.close()
  }
})

test('a member that links to it openly is told apart from one whose link is hidden', async (t) => {
  const full = api(AUTHOR, book(', author: Author, editor: Author'))
  const { service, add, next } = await serveFirst(t, full)
  await add({ author: '../authors/7', editor: '../authors/7' })
  await service.put('/books/2', { author: '../authors/7' }, { 'If-None-Match': '*' })
  const last = await next(api(AUTHOR, book(', editor: Author')), service)
  const said = sentenceOf(await last.remove('/authors/7'))
  assert.match(
    said,
    /^Other members link to this one and .*: [^ ]*\/books\/1\. Members hold this one through/,
  )
  assert.match(said, /: [^ ]*\/books\/2 \(author\)\. Delete them/)
})

test('of a member whose hidden link holds another and its target, removed at once, never the target alone', async (t) => {
  const full = api(AUTHOR, book(', author: Author'))
  const { service, next } = await serveFirst(t, full)
  const create = { 'If-None-Match': '*' }
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
