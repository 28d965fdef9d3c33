import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf, sentenceOf, serveSignedIn, withoutContext } from './signed-in.ts'

/** The datatypes, the constraints and the links, each in one property. */
const API = `
classes:
  Author:
    properties:
      name: { type: string, required: true }
  Publisher:
    properties:
      name: string
  Book:
    properties:
      title: { type: string, required: true, maxLength: 5 }
      isbn: { type: string, pattern: "^[0-9X-]+$", unique: true }
      code: { type: decimal, unique: true }
      pages: { type: integer, minimum: 1 }
      rank: positiveInteger
      stock: nonNegativeInteger
      price: { type: decimal, minimum: 0 }
      weight: double
      ratio: float
      published: date
      printedAt: dateTime
      opens: time
      length: duration
      page: anyURI
      available: boolean
      genres: { type: string, many: true, minLength: 1 }
      author: Author
      editors: { type: Author, many: true }
      createdAt: { type: dateTime, writable: false, default: now }
      language: { type: string, default: en }
`

test('POST is answered with 201, the address of the new member and its ETag', async (t) => {
  const { post, get, base } = await serveSignedIn(t)
  const created = await post('/authors', { name: 'Ann' })
  assert.equal(created.status, 201)
  const { location, etag = '' } = created.headers
  assert.equal(created.json()['@id'], location)
  const read = await get(pathOf(base, location))
  assert.equal(read.body, created.body)
  assert.equal(read.headers.etag, etag)
  assert.equal(read.headers['content-type'], created.headers['content-type'])
  assert.equal((await get(pathOf(base, location), { 'If-None-Match': etag })).status, 304)
})

test('POST takes both JSON types, with parameters, and answers in the type that was asked for', async (t) => {
  const { post, get } = await serveSignedIn(t)
  const table: [type: string, accept: string, answered: string][] = [
    ['application/ld+json', '*/*', 'application/ld+json'],
    ['application/json', '*/*', 'application/ld+json'],
    ['application/json; charset=utf-8', 'application/json', 'application/json'],
    ['Application/LD+JSON;profile="x"', 'application/json', 'application/json'],
  ]
  for (const [type, accept, answered] of table) {
    const response = await post('/authors', { name: 'Ann' }, { 'Content-Type': type, Accept: accept })
    assert.equal(response.status, 201, type)
    assert.equal(response.headers['content-type'], answered, type)
  }
  assert.equal((await get('/authors')).json().totalItems, table.length)
})

test('a body of another type is 415 that says which types are understood', async (t) => {
  const { send, get } = await serveSignedIn(t)
  const table: Record<string, string>[] = [
    {},
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    { 'Content-Type': 'application/jsonx' },
    { 'Content-Type': 'text/turtle' },
    { 'Content-Type': '' },
    { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
  ]
  for (const headers of table) {
    const response = await send('POST', '/authors', headers, '{"name": "Ann"}')
    assert.equal(response.status, 415, JSON.stringify(headers))
    assert.ok(sentenceOf(response).length > 0)
  }
  assert.equal((await get('/authors')).json().totalItems, 0)
})

test('defaults fill in what was not sent, and now is the time of the creation', async (t) => {
  const time = { now: Date.UTC(2030, 0, 1, 12) }
  const { add } = await serveSignedIn(t, { api: API, time })
  const { createdAt, language } = await add('/books', { title: 'a' })
  assert.equal(createdAt, '2030-01-01T12:00:00.000Z')
  assert.equal(language, 'en')
  time.now += 1500
  const second = await add('/books', { title: 'b', language: 'de' })
  assert.equal(second.createdAt, '2030-01-01T12:00:01.500Z')
  assert.equal(second.language, 'de')
})

test('what the contract lets a client send back or leave open is accepted', async (t) => {
  const { post, add, get, base } = await serveSignedIn(t, { api: API })
  const author = (await add('/authors', { name: 'Ann' }))['@id']
  const authorPath = new URL(author).pathname
  const context = (await get('/contexts/Book')).json()['@context']
  const table: [sent: object, kept: object][] = [
    [{ id: 'x', originId: '/books/1' }, {}],
    [{ '@type': 'Book' }, {}],
    [{ '@type': ['Book'] }, {}],
    [{ '@type': `${base}/vocab#Book` }, {}],
    [{ '@context': context }, {}],
    [{ '@context': `${base}/contexts/Book` }, {}],
    [{ author }, { author }],
    [{ author: { '@id': author } }, { author }],
    [{ author: [author] }, { author }],
    [{ author: authorPath }, { author }],
    [{ author: `../api${authorPath.slice('/api'.length)}` }, { author }],
    [{ editors: author }, { editors: [author] }],
    [{ editors: [author, { '@id': author }] }, { editors: [author, author] }],
    [{ genres: 'one' }, { genres: ['one'] }],
    [{ genres: [] }, {}],
    [{ genres: [null, 'a', null] }, { genres: ['a'] }],
    [{ pages: null }, {}],
    [{ pages: [3] }, { pages: 3 }],
    [{ genres: Array.from({ length: 1000 }, String) }, { genres: Array.from({ length: 1000 }, String) }],
  ]
  for (const [sent, kept] of table) {
    const response = await post('/books', { title: 'a', ...sent })
    assert.equal(response.status, 201, `${JSON.stringify(sent).slice(0, 200)} ${response.body.slice(0, 500)}`)
    const { '@id': id, '@type': type, createdAt, language, ...rest } = withoutContext(response.json())
    assert.deepEqual(rest, { title: 'a', ...kept })
    assert.deepEqual([typeof id, type, typeof createdAt, language], ['string', 'Book', 'string', 'en'])
  }
})

test('id and originId are properties like any other where the class declares them', async (t) => {
  const api = 'classes: { Thing: { properties: { id: integer, originId: string } } }'
  const { add, post } = await serveSignedIn(t, { api })
  const thing = await add('/things', { id: 5, originId: 'a' })
  assert.equal(thing.id, 5)
  assert.equal(thing.originId, 'a')
  assert.equal((await post('/things', { id: 'x' })).status, 422)
})

test('decimals come back with the digits that were sent, as a string or as a number', async (t) => {
  const { post } = await serveSignedIn(t, { api: API })
  const table: [json: string, stored: string][] = [
    ['"12.50"', '12.50'],
    ['12.50', '12.50'],
    ['"0.10"', '0.10'],
    ['"007"', '007'],
    ['"+1.0"', '+1.0'],
    ['9007199254740993', '9007199254740993'],
    ['0.1234567890123456789012345678901234567890', '0.1234567890123456789012345678901234567890'],
    ['1.50e1', '15.0'],
    ['1e400', `1${'0'.repeat(400)}`],
  ]
  for (const [json, stored] of table) {
    const response = await post('/books', `{"title": "a", "price": ${json}}`)
    assert.equal(response.status, 201, json)
    assert.equal(response.json().price, stored, json)
  }
})

/** What is sent beside a title, as JSON text, and what the sentence says about it. */
const VIOLATIONS: [sent: string, ...said: RegExp[]][] = [
  ['"title": null', /title: is required\./],
  ['"title": []', /title: is required\./],
  ['"title": 5', /title: must be a string, not a number\./],
  ['"title": {"@value": "a"}', /title: must be a string, not an object\./],
  ['"title": "abcdef"', /title: must have at most 5 characters\./],
  ['"title": ["a", "b"]', /title: takes one value, not 2\./],
  ['"title": "\\u0000"', /title: .*U\+0000/],
  ['"title": "\\ud800"', /title: .*surrogate/],
  ['"title": "a\\udc00b"', /title: .*surrogate/],
  ['"isbn": "abc"', /isbn: must match the pattern "\^\[0-9X-\]\+\$"\./],
  ['"pages": "5"', /pages: must be an integer such as -12, not a string\./],
  ['"pages": 1.5', /pages: must be an integer/],
  ['"pages": 0', /pages: must be at least 1\./],
  ['"pages": 9007199254740993', /pages: would lose digits/],
  ['"pages": 1e400', /pages: would lose digits/],
  ['"rank": 0', /rank: must be an integer that is 1 or greater\./],
  ['"stock": -1', /stock: must be an integer that is 0 or greater\./],
  ['"price": "12,50"', /price: must be a decimal/],
  ['"price": true', /price: must be a decimal/],
  ['"price": "1e5"', /price: must be a decimal/],
  ['"price": -0.01', /price: must be at least 0\./],
  ['"price": 1e1001', /price: must be written out in digits/],
  ['"weight": "1"', /weight: must be a number such as 12\.5, not a string\./],
  ['"weight": 1e400', /weight: would lose digits/],
  ['"weight": 9007199254740993', /weight: would lose digits/],
  ['"weight": 0.1234567890123456789', /weight: would lose digits/],
  ['"ratio": 1e39', /ratio: must be between/],
  ['"published": "2023-02-29"', /published: must be a date of the calendar/],
  ['"published": "2024-02-29T00:00:00Z"', /published: must be a date/],
  ['"published": 2024', /published: must be a date/],
  ['"printedAt": "2024-02-29"', /printedAt: must be a date and time/],
  ['"printedAt": "2024-02-29T12:00:00"', /printedAt: must be a date and time/],
  ['"opens": "25:00:00"', /opens: must be a time/],
  ['"length": "1 day"', /length: must be a duration/],
  ['"page": "about"', /page: must be an absolute IRI/],
  ['"page": "http://a b"', /page: must be an absolute IRI/],
  ['"available": "true"', /available: must be true or false, not a string\./],
  ['"available": 1', /available: must be true or false, not a number\./],
  [
    '"genres": ["a", 1, [], ""]',
    /genres\/1: .*not a number\./,
    /genres\/2: .*not a list\./,
    /genres\/3: .*1 character/,
  ],
  ['"titel": "a"', /titel: is not a property of Book; did you mean "title"\?/],
  ['"nothing": 1', /nothing: is not a property of Book; possible: title, isbn/],
  ['"__proto__": {"title": "a"}', /__proto__: is not a property of Book/],
  ['"constructor": 1', /constructor: is not a property of Book/],
  ['"toString": 1', /toString: is not a property of Book/],
  ['"": 1', /is not a property of Book/],
  ['"createdAt": "2024-02-29T12:00:00Z"', /createdAt: is read-only/],
  ['"createdAt": null', /createdAt: is read-only/],
  ['"@id": "{base}/books/1"', /@id: is chosen by the server/],
  ['"@type": "Author"', /@type: must be "Book"/],
  ['"@type": ["Book", "Author"]', /@type: must be "Book"/],
  ['"@type": {"a": 1}', /@type: must be "Book"/],
  ['"@context": "http://schema.org/"', /@context: must be the context of Book/],
  ['"@context": {"title": "http://schema.org/name"}', /@context: must be the context of Book/],
  ['"@context": {"@import": "http://evil.example/"}', /@context: must be the context of Book/],
  ['"@context": null', /@context: must be the context of Book/],
  ['"@graph": []', /@graph: is not understood here/],
  ['"@reverse": {}', /@reverse: is not understood here/],
  ['"@included": []', /@included: is not understood here/],
  ['"@made-up": 1', /@made-up: is not understood here/],
  ['"author": "{base}/authors/none"', /author: links to "none", which does not exist\./],
  ['"author": "{publisher}"', /author: must be the address of a member of authors/],
  ['"author": "{base}/authors"', /author: must be the address/],
  ['"author": "{base}/authors/"', /author: must be the address/],
  ['"author": "{author}/more"', /author: must be the address/],
  ['"author": "{author}?x"', /author: must be the address/],
  ['"author": "{author}#x"', /author: must be the address/],
  ['"author": " {author}"', /author: must be the address/],
  ['"author": "{base}\\\\authors\\\\1"', /author: must be the address/],
  ['"author": "{base}/auth\\u0009ors/1"', /author: must be the address/],
  ['"author": "https://other.example/api/authors/1"', /author: must be the address/],
  ['"author": "authors/1/2"', /author: must be the address/],
  ['"author": "none"', /author: must be the address/],
  ['"author": ""', /author: must be the address/],
  ['"author": "\\ud800"', /author: must be the address/],
  ['"author": 1', /author: must be the address/],
  ['"author": {"@id": "{author}", "name": "Ann"}', /author: must be the address/],
  ['"author": {"@id": 1}', /author: must be the address/],
  ['"author": {"name": "Ann"}', /author: must be the address/],
  ['"author": {}', /author: must be the address/],
  ['"author": ["{author}", "{author}"]', /author: takes one value, not 2\./],
  ['"editors": ["{author}", "{base}/authors/none"]', /editors: links to "none", which does not exist\./],
  ['"editors": ["{author}", "{publisher}"]', /editors\/1: must be the address/],
  ['"editors": {"@list": ["{author}"]}', /editors\/0: must be the address/],
  [`"genres": [${'"a",'.repeat(1000)}"a"]`, /genres: must have at most 1000 values, not 1001\./],
]

test('what does not fit the class is 422 whose sentence says what is wrong, and creates nothing', async (t) => {
  const { post, get, add, base, logged } = await serveSignedIn(t, { api: API })
  const author = (await add('/authors', { name: 'Ann' }))['@id']
  const publisher = (await add('/publishers', { name: 'Pat' }))['@id']
  const filled = (text: string) =>
    text.replaceAll('{base}', base).replaceAll('{author}', author).replaceAll('{publisher}', publisher)
  for (const [sent, ...said] of VIOLATIONS) {
    const body = filled(sent.startsWith('"title"') ? `{${sent}}` : `{"title": "a", ${sent}}`)
    const response = await post('/books', body)
    assert.equal(response.status, 422, sent.slice(0, 200))
    assert.equal(response.headers['content-type'], 'application/ld+json')
    for (const pattern of said) assert.match(sentenceOf(response), pattern, sent.slice(0, 200))
    assert.equal(response.headers.location, undefined)
  }
  assert.equal((await get('/books')).json().totalItems, 0)
  assert.deepEqual(
    logged.filter((line) => line.includes('"error"')),
    [],
  )
})

test('the sentence names every violation once', async (t) => {
  const { post } = await serveSignedIn(t, { api: API })
  const body = { pages: 0, price: 'x', genres: ['', 2], titel: 'a', '@id': 'x', author: 'y', createdAt: 'z' }
  const response = await post('/books', body)
  assert.equal(response.status, 422)
  const said = sentenceOf(response)
  for (const name of [
    'title',
    'pages',
    'price',
    'genres/0',
    'genres/1',
    'titel',
    '@id',
    'author',
    'createdAt',
  ]) {
    assert.equal(said.split(`${name}: `).length - 1, 1, `${name} in: ${said}`)
  }
})

test('a body with more violations than anyone reads is refused in a short answer', async (t) => {
  const { post } = await serveSignedIn(t, { api: API })
  const keys = Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`)
  const bodies = [`{${keys.join()}}`, `{"genres":[${'1,'.repeat(400_000)}1]}`]
  for (const body of bodies) {
    const response = await post('/books', body)
    assert.equal(response.status, 422)
    assert.ok(response.body.length < 100_000)
  }
})

test('what is no JSON document of bounded depth with one value for each key is 400', async (t) => {
  const { post, send, get } = await serveSignedIn(t)
  const nested = (levels: number) => `{"name": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  const table: [name: string, body: string, said: RegExp][] = [
    ['nothing', '', /it ends/],
    ['white space', ' \n', /it ends/],
    ['half an object', '{"name": "Ann"', /it ends/],
    ['two documents', '{} {}', /the end of the document/],
    ['single quotes', "{'name': 1}", /a key in double quotes/],
    ['a trailing comma', '{"name": "Ann",}', /a key in double quotes/],
    ['a comment', '{} // no', /the end of the document/],
    ['NaN', '{"name": NaN}', /a value/],
    ['a leading zero', '{"name": 01}', /line 1/],
    ['a duplicate key', '{"name": "Ann", "name": "Bob"}', /"name" .*twice/],
    ['a duplicate key in another spelling', '{"name": "Ann", "n\\u0061me": "Bob"}', /"name" .*twice/],
    ['a duplicate __proto__', '{"__proto__": 1, "__proto__": 2}', /"__proto__" .*twice/],
    ['33 levels', nested(33), /more than 32 levels/],
    ['100,000 levels', nested(100_000), /more than 32 levels/],
    ['1 MiB of [', '['.repeat(1024 * 1024), /more than 32 levels/],
    ['1 MiB of {"a":', '{"a":'.repeat(200_000), /more than 32 levels/],
  ]
  for (const [name, body, said] of table) {
    const response = await post('/authors', body)
    assert.equal(response.status, 400, name)
    assert.match(sentenceOf(response), said, name)
    assert.ok(response.body.length < 400, name)
  }
  // 32 levels are well-formed: what is wrong is the value.
  assert.equal((await post('/authors', nested(32))).status, 422)
  const headers = { 'Content-Type': 'application/json' }
  assert.equal((await send('POST', '/authors', headers)).status, 400, 'no body at all')
  assert.equal((await get('/authors')).json().totalItems, 0)
})

test('a body that is not UTF-8 is 400', async (t) => {
  const { port, base, client, get } = await serveSignedIn(t)
  const token = await client.signIn()
  const mount = new URL(base).pathname
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
    const body = Buffer.concat([Buffer.from('{"name": "'), Buffer.from(bytes), Buffer.from('"}')])
    const response = await fetch(`http://127.0.0.1:${port}${mount}/authors`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Authorization': token },
      body,
    })
    assert.equal(response.status, 400)
    assert.deepEqual(await response.json(), { 400: 'The body is not UTF-8.' })
  }
  assert.equal((await get('/authors')).json().totalItems, 0)
})

test('JSON that is no object is 422', async (t) => {
  const { post } = await serveSignedIn(t)
  for (const body of ['[]', '[{"name": "Ann"}]', '1', '"Ann"', 'true', 'null']) {
    const response = await post('/authors', body)
    assert.equal(response.status, 422, body)
    assert.match(sentenceOf(response), /one JSON object/, body)
  }
})

test('a unique value is taken once, whatever its spelling', async (t) => {
  const { post, add, send, base } = await serveSignedIn(t, { api: API })
  const first = await add('/books', { title: 'a', isbn: '1-1', code: '12.5' })
  const table: [sent: object, status: number, said?: RegExp][] = [
    [{ isbn: '1-1' }, 422, /^isbn: must be unique/],
    [{ code: '12.50' }, 422, /^code: must be unique/],
    [{ code: 12.5 }, 422, /^code: must be unique/],
    [{ code: '+012.5' }, 422, /^code: must be unique/],
    [{ isbn: '1-1', code: '12.5' }, 422, /isbn: .*code: /],
    [{ isbn: '1-2' }, 201],
    [{ code: '-12.5' }, 201],
    [{}, 201],
    [{}, 201],
  ]
  for (const [sent, status, said] of table) {
    const response = await post('/books', { title: 'b', ...sent })
    assert.equal(response.status, status, JSON.stringify(sent))
    if (said !== undefined) assert.match(sentenceOf(response), said)
  }
  assert.equal((await send('DELETE', pathOf(base, first['@id']))).status, 204)
  await add('/books', { title: 'c', isbn: '1-1', code: '12.50' })
})

test('of twenty creations with one unique value at the same time exactly one succeeds', async (t) => {
  const { post, get } = await serveSignedIn(t, { api: API })
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      post('/books', { title: `${index}`, code: `7.${'0'.repeat(index)}` }),
    ),
  )
  const statuses = responses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, ...Array(19).fill(422)])
  assert.equal((await get('/books')).json().totalItems, 1)
})
