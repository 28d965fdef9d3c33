import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERYTHING } from './api-files.ts'
import { sentenceOf, serveSignedIn } from './signed-in.ts'

/** What is sent beside a title, as JSON text, and what the sentence says about it. */
const VIOLATIONS: [sent: string, ...said: RegExp[]][] = [
  ['"title": null', /title: is required\./],
  ['"title": []', /title: is required\./],
  ['"title": 5', /title: must be a string, not a number\./],
  ['"title": {"a": "a"}', /title: must be a string, not an object\./],
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
  ['"price": 1e400', /price: must have at most 100 digits/],
  [`"price": "${'7'.repeat(101)}"`, /price: must have at most 100 digits/],
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
  [
    '"@id": "{base}/books/1"',
    /@id: is chosen by the server .* or PUT to that address with If-None-Match: \*\./,
  ],
  ['"@type": "Author"', /@type: must be "Book"/],
  ['"@type": ["Book", "Author"]', /@type: must be "Book"/],
  ['"@type": {"a": 1}', /@type: must be "Book"/],
  ['"@context": "http://contexts.example/"', /no context is ever fetched/],
  ['"@context": {"title": "http://schema.org/name"}', /http:\/\/schema.org\/name: is not a property of Book/],
  ['"@context": {"@import": "http://evil.example/"}', /no context is ever fetched/],
  ['"@context": null', /title: has no meaning under the @context that was sent/],
  ['"@graph": []', /@graph: is not understood here/],
  ['"@reverse": {"author": {"@id": "{author}"}}', /@reverse: is not understood here/],
  ['"@included": [{"title": "b"}]', /@included: is not understood here/],
  ['"@made-up": 1', /@made-up: /],
  ['"@madeup": 1', /@madeup: /],
  ['"author": "{base}/authors/none"', /author: links to "none", which does not exist\./],
  ['"author": "{publisher}"', /author: must be the address of a member of authors/],
  ['"author": "{base}/authors"', /author: must be the address .* or \/api\/authors\/\{id\}\./],
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
  ['"editors": ["{author}", "{base}/authors/none"]', /editors\/1: links to "none", which does not exist\./],
  ['"editors": ["{author}", "{publisher}"]', /editors\/1: must be the address/],
  ['"editors": {"@list": ["{author}"]}', /editors: has no order/],
  [`"genres": [${'"a",'.repeat(1000)}"a"]`, /genres: must have at most 1000 values, not 1001\./],
]

// contract: Unknown properties are a 422
// contract: A read-only property in PUT or PATCH is accepted
// contract: Validation: 422; in the default form
test('what does not fit the class is 422 whose sentence says what is wrong, and creates nothing', async (t) => {
  const { post, get, add, base, logged } = await serveSignedIn(t, { api: EVERYTHING })
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

// contract: Validation: 422; in the default form
test('the sentence names every violation once', async (t) => {
  const { post } = await serveSignedIn(t, { api: EVERYTHING })
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

test('a body with more violations than anyone reads is refused in a bounded answer', async (t) => {
  const { post } = await serveSignedIn(t, { api: EVERYTHING })
  const keys = Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`)
  const bodies = [`{${keys.join()}}`, `{"genres":[${'1,'.repeat(400_000)}1]}`]
  for (const body of bodies) {
    const response = await post('/books', body)
    assert.equal(response.status, 422)
    assert.ok(response.body.length < 300_000)
  }
  // Looking for what was meant by each of a thousand names among hundreds would take longer than reading them.
  const said = sentenceOf(await post('/books', bodies[0])).match(/\bk\d+: is not a property of Book; /g)
  assert.equal(said?.length, 100)
})
