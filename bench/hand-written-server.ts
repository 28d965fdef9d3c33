// What Hydrant is measured against: the books of the example, written by hand for Fastify and node:sqlite, with the same
// indexes, full-text words, link check, headers and durability, prepared statements, and nothing that is not measured.
// Arguments: port, folder (with data.ndjson, and frame.json: a member and a page, for their parts that never change).
import { createHmac, hash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'

type Row = Record<string, string | number | null>
type Book = Readonly<Record<string, string | number | boolean | null>> & { readonly genres?: string[] }

const [port, folder = ''] = process.argv.slice(2)
const BASE = 'http://localhost/api'
const PAGE = 20
const SECRET = randomBytes(32)
const { member, page } = JSON.parse(readFileSync(join(folder, 'frame.json'), 'utf8'))
const MEMBER_CONTEXT = JSON.stringify(member['@context'])
const PAGE_CONTEXT = JSON.stringify(page['@context'])
const ASSERTION = JSON.stringify(page.memberAssertion)
const SEARCH = JSON.stringify(page.search)
const EXPOSED =
  'X-Authentication, X-Authorization, WWW-Authenticate, Link, Location, ETag, Retry-After, Allow, Accept-Patch, Preference-Applied, X-Request-Id'
const HEADERS = {
  Link: `<${BASE}/vocab>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`,
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Content-Type': 'application/ld+json',
}
const VARY = 'X-Authorization, Authorization, Accept'
const PRIVATE = { ...HEADERS, 'Cache-Control': 'private, no-cache', Vary: VARY }
const CHALLENGE = {
  ...HEADERS,
  'Cache-Control': 'no-store',
  'WWW-Authenticate': 'Basic realm="Login required"',
}

const INDEXED = ['title', 'pages', 'price_key', 'published', 'available', 'author', 'createdAt', 'notes']
const db = new DatabaseSync(join(folder, 'hand-written.db'), { enableForeignKeyConstraints: true })
db.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;
  CREATE TABLE tokens (hash TEXT PRIMARY KEY, user_id INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT;
  CREATE TABLE authors (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
  CREATE TABLE books (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, title TEXT NOT NULL,
    isbn TEXT UNIQUE, pages INTEGER, price TEXT, price_key REAL, published TEXT, available INTEGER NOT NULL,
    author TEXT NOT NULL REFERENCES authors, createdAt TEXT NOT NULL, notes TEXT, genres TEXT NOT NULL
  ) STRICT;
  CREATE TABLE genres (
    genre TEXT NOT NULL, book INTEGER NOT NULL REFERENCES books, PRIMARY KEY (genre, book)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX genres_by_book ON genres (book, genre);
  CREATE VIRTUAL TABLE book_words USING fts5 (words, content = '', contentless_delete = 1, detail = none);
  CREATE TABLE state (total INTEGER NOT NULL, version INTEGER NOT NULL) STRICT;
  INSERT INTO state VALUES (0, 0);
  ${INDEXED.map((column) => `CREATE INDEX books_by_${column} ON books (${column});`).join('\n')}`)

const COLUMNS =
  'id, version, title, isbn, pages, price, published, available, author, createdAt, notes, genres'
const findToken = db.prepare('SELECT expires_at FROM tokens WHERE hash = ?')
const findAuthor = db.prepare('SELECT 1 FROM authors WHERE id = ?')
const findBook = db.prepare(`SELECT ${COLUMNS} FROM books WHERE id = ?`)
const listBooks = db.prepare(`SELECT ${COLUMNS} FROM books ORDER BY sequence LIMIT ${PAGE} OFFSET ?`)
const readState = db.prepare('SELECT total, version FROM state')
const raiseState = db.prepare('UPDATE state SET total = total + 1, version = version + 1 RETURNING version')
const addBook = db.prepare(`INSERT INTO books (${COLUMNS}, price_key) VALUES (${'?, '.repeat(12)}?)`)
const addGenre = db.prepare('INSERT OR IGNORE INTO genres VALUES (?, ?)')
const addWords = db.prepare('INSERT INTO book_words (rowid, words) VALUES (?, ?)')
const begin = db.prepare('BEGIN IMMEDIATE')
const commit = db.prepare('COMMIT')
const rollback = db.prepare('ROLLBACK')

function insert(id: string, book: Book, author: string, createdAt: string): Row {
  const { title, isbn = null, pages = null, price = null, published = null, notes = null, genres = [] } = book
  const version = raiseState.get()?.version
  const available = book.available === false ? 0 : 1
  const values = { id, version, title, isbn, pages, price, published, available, author, createdAt, notes }
  const row = { ...values, genres: JSON.stringify(genres) } as Row
  const { lastInsertRowid } = addBook.run(...Object.values(row), price === null ? null : Number(price))
  for (const genre of genres) addGenre.run(genre, lastInsertRowid)
  addWords.run(lastInsertRowid, [title, isbn, notes, ...genres].join(' ').toLowerCase())
  return row
}

/** Without its first brace: a context may stand before. */
const represent = (row: Row): string =>
  JSON.stringify({
    '@id': `${BASE}/books/${row.id}`,
    '@type': 'Book',
    title: row.title,
    isbn: row.isbn ?? undefined,
    pages: row.pages ?? undefined,
    price: row.price ?? undefined,
    published: row.published ?? undefined,
    available: row.available === 1,
    genres: JSON.parse(row.genres as string),
    author: `${BASE}/authors/${row.author}`,
    createdAt: row.createdAt,
    notes: row.notes ?? undefined,
  }).slice(1)

const representAlone = (row: Row): string => `{"@context":${MEMBER_CONTEXT},${represent(row)}`

function representPage(page: number, total: number): string {
  const members = (listBooks.all((page - 1) * PAGE) as Row[]).map((row) => `{${represent(row)}`)
  const at = (to: number): string => `${BASE}/books?page=${to}`
  const last = Math.max(1, Math.ceil(total / PAGE))
  const next = page < last ? at(page + 1) : undefined
  const previous = page > 1 ? at(page - 1) : undefined
  const view = {
    '@id': at(page),
    '@type': 'PartialCollectionView',
    first: at(1),
    next,
    previous,
    last: at(last),
  }
  return (
    `{"@context":${PAGE_CONTEXT},"@id":"${BASE}/books","@type":["Collection","BookCollection"],` +
    `"memberAssertion":${ASSERTION},"totalItems":${total},"member":[${members.join(',')}],` +
    `"view":${JSON.stringify(view)}${page === 1 ? `,"search":${SEARCH}` : ''}}`
  )
}

begin.run()
for (const line of readFileSync(join(folder, 'data.ndjson'), 'utf8').trim().split('\n')) {
  const { '@type': type, '@id': address, author, createdAt, ...values } = JSON.parse(line)
  const [, , id] = address.split('/')
  if (type === 'Author') db.prepare('INSERT INTO authors VALUES (?, ?)').run(id, values.name)
  else insert(id, values, author.split('/')[2], createdAt)
}
const token = hash('sha256', process.env.BENCH_TOKEN ?? '')
db.prepare('INSERT INTO tokens VALUES (?, 1, ?)').run(token, Date.now() + 86_400_000)
commit.run()

const app = Fastify()

app.addHook('onRequest', (request, reply, done) => {
  const sent = request.headers['x-authorization']
  const found = typeof sent === 'string' ? findToken.get(hash('sha256', sent)) : undefined
  if (found !== undefined && (found.expires_at as number) > Date.now()) return done()
  const random = randomBytes(16).toString('base64url')
  const nonce = `${random}.${createHmac('sha256', SECRET).update(random).digest('base64url')}`
  reply.code(401).headers(CHALLENGE).header('X-Authentication', nonce)
  reply.send('{"401": "Need credentials to authenticate"}')
})

app.get<{ Params: { id: string } }>('/api/books/:id', (request, reply) => {
  const row = findBook.get(request.params.id) as Row | undefined
  if (row === undefined) return reply.code(404).headers(PRIVATE).send('{"404": "Not found"}')
  const etag = `"${row.version}"`
  reply.headers(PRIVATE).header('ETag', etag)
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(representAlone(row))
})

app.get<{ Querystring: { page?: string } }>('/api/books', (request, reply) => {
  const { total, version } = readState.get() as { total: number; version: number }
  const page = Math.max(1, Number(request.query.page ?? 1) | 0)
  return reply.headers(PRIVATE).header('ETag', `"${version}-${page}"`).send(representPage(page, total))
})

const text = { type: 'string', maxLength: 200 }
const properties = {
  title: text,
  isbn: { type: 'string', maxLength: 17, pattern: '^[0-9X-]+$' },
  pages: { type: 'integer', minimum: 1 },
  price: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  published: { type: 'string', format: 'date' },
  available: { type: 'boolean' },
  genres: { type: 'array', items: { type: 'string' } },
  author: { type: 'string', pattern: `^${BASE}/authors/[^/]+$` },
  notes: { type: 'string' },
}
const body = { type: 'object', properties, required: ['title', 'author'], additionalProperties: false }

app.post<{ Body: Book }>('/api/books', { schema: { body } }, (request, reply) => {
  const author = String(request.body.author).slice(`${BASE}/authors/`.length)
  let row: Row
  begin.run()
  try {
    if (findAuthor.get(author) === undefined) throw new Error(`There is no author ${author}.`)
    row = insert(randomUUID(), request.body, author, new Date().toISOString())
    commit.run()
  } catch (error) {
    rollback.run()
    return reply
      .code(409)
      .headers(PRIVATE)
      .send(JSON.stringify({ 409: String(error) }))
  }
  reply.code(201).headers(PRIVATE).header('ETag', `"${row.version}"`)
  return reply.header('Location', `${BASE}/books/${row.id}`).send(representAlone(row))
})

await app.listen({ host: '127.0.0.1', port: Number(port) })
process.once('SIGTERM', () => process.exit(0))
