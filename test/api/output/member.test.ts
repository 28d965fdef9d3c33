import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../../src/config/index.ts'
import { recordClient } from '../../client/recording.ts'
import { keptDatabase } from '../../support/databases.ts'
import { listAll } from '../../support/service.ts'
import { SHELF } from '../api-files.ts'
import { type Json, pathOf, serveSignedIn, withoutContext } from '../signed-in.ts'

test('the base URL goes where links are, whatever the text between them looks like', async (t) => {
  const { add, get, base } = await serveSignedIn(t, { api: SHELF })
  const author = (await add('/authors', { name: 'Ann' }))['@id']
  const path = pathOf(base, author)
  const texts = [
    path,
    base,
    author,
    `"${path}"`,
    `","@id":"${author}`,
    '","author":"/authors/1","x":"',
    '{"@id":"/books/1"}',
    '\\","@id":"',
    '\\u0000\\n\\\\',
    '\u2028\u2029\u007f\u00ad',
    '\u{1f4da} ü ﷽',
    '\t\n\r\b\f',
    '',
    '{base}',
    ',"',
    "'; DROP TABLE members_1; --",
    '</script>',
    '$&$1$`',
    '12,34',
  ]
  for (const text of texts) {
    const sent = { title: text, author, notes: text, editors: [author, author], tags: [text, path, text] }
    const book = await add('/books', sent)
    const { body } = await get(pathOf(base, book['@id']))
    const { '@id': id, '@type': type, shelves, ...values } = withoutContext(JSON.parse(body) as Json)
    assert.deepEqual(values, sent, text)
    assert.deepEqual([id, type, shelves], [book['@id'], 'Book', []], text)
  }
  const { member } = (await get('/books')).json() as { member: Json[] }
  assert.deepEqual(
    member.map(({ title }) => title),
    texts,
  )
  assert.deepEqual([...new Set(member.map((one) => one.author))], [author])
})

// contract: Moving the server to another host
// contract: ETags are strong
// contract: `If-Match` compares the version alone
test('another base URL changes every link and no row', async (t) => {
  const first = await serveSignedIn(t, { db: keptDatabase(t), api: SHELF })
  const author = (await first.add('/authors', { name: first.base }))['@id']
  const sent = { title: `${first.base}/books`, author, editors: [author, author], tags: [author] }
  const book = await first.add('/books', sent)
  const path = pathOf(first.base, book['@id'])
  const before = await first.get(path)
  const rows = await listAll(first.store, 'Book')
  await first.close()

  const baseUrl = 'https://elsewhere.example/deep/path'
  const second = await serveSignedIn(t, { api: SHELF, db: first.db, flags: { baseUrl } })
  assert.equal(second.base, baseUrl)
  const moved = `${baseUrl}${pathOf(first.base, author)}`
  const expected = {
    '@id': `${baseUrl}${path}`,
    '@type': 'Book',
    // What a user has written stays as it was.
    title: `${first.base}/books`,
    author: moved,
    editors: [moved, moved],
    tags: [author],
    shelves: [],
  }
  const after = await second.get(path)
  assert.deepEqual(withoutContext(after.json()), expected)
  const collection = (await second.get('/books')).json()
  assert.deepEqual(collection.member, [expected])
  assert.equal(JSON.stringify((await second.get('/')).json()).includes(first.base), false)
  assert.deepEqual(await listAll(second.store, 'Book'), rows)

  // It is another representation of the same version: 200 for a reader, good enough for a writer.
  const etag = before.headers.etag ?? ''
  assert.notEqual(after.headers.etag, etag)
  assert.equal((await second.get(path, { 'If-None-Match': etag })).status, 200)
  assert.equal((await second.send('DELETE', path, { 'If-Match': etag })).status, 204)
})

const SMALL = 'http://h.example/%c3%a9/x%2fy'
const CAPITAL = 'http://h.example/%C3%A9/x%2Fy'
const API = `
classes:
  Author: { properties: { name: string } }
  Book: { iri: "http://z.example/%c3%a4", properties: { title: { type: string, iri: "http://z.example/%c3%bc" }, author: Author } }
`

test('a base URL has the usual percent-encodings, whichever it was given with', () => {
  assert.equal(readConfig({ baseUrl: SMALL }, {}).base, CAPITAL)
  assert.equal(readConfig({ baseUrl: `${CAPITAL}/` }, {}).base, CAPITAL)
})

// contract: Every `@id` is absolute
test('an address is recognised with small and with capital letters in its percent-encodings', async (t) => {
  for (const baseUrl of [SMALL, CAPITAL]) {
    const service = await serveSignedIn(t, { api: API, flags: { baseUrl } })
    const { send, post } = service
    const json = { 'Content-Type': 'application/ld+json' }
    const put = await send('PUT', '/authors/a', { ...json, 'If-None-Match': '*' }, '{"name":"Ann"}')
    assert.equal(put.status, 201, put.body)
    assert.equal(put.headers.location ?? put.json()['@id'], `${CAPITAL}/authors/a`)
    for (const spelt of [SMALL, CAPITAL]) {
      const at = (path: string) => `${spelt}${path}`
      const bodies: object[] = [
        { author: at('/authors/a'), title: 'x' },
        { author: { '@id': at('/authors/a') }, title: 'x' },
        { '@type': at('/vocab#Book'), author: at('/authors/a'), title: 'x' },
        { '@context': at('/contexts/Book'), author: at('/authors/a'), title: 'x' },
        {
          '@context': [at('/contexts/Book'), { y: 'http://y.example/' }],
          author: at('/authors/a'),
          title: 'x',
        },
        { [at('/vocab#Book/author')]: { '@id': at('/authors/a') }, 'http://z.example/%C3%BC': 'x' },
        { [at('/vocab#Book/author')]: { '@id': at('/authors/a') }, 'http://z.example/%c3%bc': 'x' },
      ]
      for (const body of bodies) {
        const response = await post('/books', body)
        assert.equal(response.status, 201, `${JSON.stringify(body)} ${response.body}`)
        assert.equal(response.json().author, `${CAPITAL}/authors/a`)
        assert.equal(response.headers.location, response.json()['@id'])
        assert.ok(response.headers.location?.startsWith(`${CAPITAL}/books/`))
      }
      const operation = [{ method: 'PATCH', target: at('/authors/a'), body: { name: `Ann of ${spelt}` } }]
      assert.equal((await post('/batch', { operation })).status, 200)
      const own = await send(
        'PUT',
        '/authors/a',
        json,
        JSON.stringify({ '@id': at('/authors/a'), name: 'Ann' }),
      )
      assert.equal(own.status, 200, own.body)
      const filter = `author=${encodeURIComponent(at('/authors/a'))}`
      const found = (await service.get(`/books?${filter}`)).json() as Json
      assert.equal(found.totalItems, spelt === SMALL ? bodies.length : 2 * bodies.length)
      const events = await service.get(`/events?resource=${encodeURIComponent(at('/authors/a'))}`)
      assert.equal(events.status, 200, events.body)
      // The path of a request, and a client that was given this spelling.
      const token = await service.client.signIn()
      const response = await fetch(`http://localhost:${service.port}${new URL(at('/authors/a')).pathname}`, {
        headers: { 'X-Authorization': token },
      })
      assert.equal(response.status, 200)
    }
  }
})

test('a client that was given another spelling of the base URL follows the links of the server', async (t) => {
  const { port } = await serveSignedIn(t, { api: API, flags: { baseUrl: SMALL } })
  // Nobody listens at h.example. Response.url is where a client finds out where it is.
  const reach: typeof fetch = async (input, init) => {
    const url = new URL(String(input))
    const response = await fetch(`http://localhost:${port}${url.pathname}${url.search}`, init)
    return Object.defineProperty(response, 'url', { value: url.href })
  }
  const { client } = recordClient(SMALL, { fetch: reach })
  const made = await client.collection('authors').create({ name: 'Ann' })
  assert.ok(made.iri.startsWith(`${CAPITAL}/authors/`))
  assert.equal((await made.reload()).data.name, 'Ann')
})
