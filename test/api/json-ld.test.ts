import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceOf } from './signed-in.ts'
import { faultsIn, serveWriter, valuesOf } from './writing.ts'

const API = `
classes:
  Author: { properties: { name: string } }
  Address:
    collection: false
    properties: { street: { type: string, required: true }, country: Author }
  Book:
    iri: http://schema.org/Book
    properties:
      title: { type: string, iri: "http://schema.org/name" }
      name: string
      pages: integer
      rank: positiveInteger
      price: decimal
      weight: double
      available: boolean
      published: date
      page: anyURI
      label: langString
      genres: { type: string, many: true }
      author: Author
      editors: { type: Author, many: true }
      address: Address
`

const XSD = 'http://www.w3.org/2001/XMLSchema#'

/** JSON text with `{base}`, `{author}` and `{own}` (the context) filled in, and what is stored of it. */
const SHAPES: [name: string, body: string, values: Record<string, unknown>][] = [
  ['a prefix of one’s own', '{"@context": {"s": "http://schema.org/"}, "s:name": "A"}', { title: 'A' }],
  ['another name', '{"@context": {"n": "http://schema.org/name"}, "n": "A"}', { title: 'A' }],
  [
    'another vocabulary as the default',
    '{"@context": {"@vocab": "http://schema.org/"}, "name": "A"}',
    { title: 'A' },
  ],
  [
    'absolute IRIs without a context',
    '{"http://schema.org/name": "A", "pages": 3}',
    { title: 'A', pages: 3 },
  ],
  ['the expanded form', '[{"http://schema.org/name": [{"@value": "A"}]}]', { title: 'A' }],
  [
    'our context and a prefix',
    '{"@context": ["{base}/contexts/Book", {"s": "http://schema.org/"}], "s:name": "A", "pages": 2}',
    { title: 'A', pages: 2 },
  ],
  [
    'our context inline and a prefix',
    '{"@context": [{own}, {"s": "http://schema.org/"}], "s:name": "A", "author": "{author}"}',
    { title: 'A', author: '{author}' },
  ],
  ['our context by a relative address', '{"@context": "contexts/Book", "name": "A"}', { name: 'A' }],
  [
    'aliases of keywords',
    '{"@context": ["{base}/contexts/Book", {"type": "@type", "v": "@value"}], "type": "Book", "title": {"v": "A"}}',
    { title: 'A' },
  ],
  [
    'value objects in our terms',
    '{"title": {"@value": "A"}, "pages": {"@value": 5}}',
    { title: 'A', pages: 5 },
  ],
  ['sets', '{"title": {"@set": ["A"]}, "genres": {"@set": ["a", "b"]}}', { title: 'A', genres: ['a', 'b'] }],
  ['nested properties', '{"@nest": {"title": "A", "pages": 3}}', { title: 'A', pages: 3 }],
  [
    'typed values',
    `{"pages": {"@value": "5", "@type": "${XSD}integer"}, "available": {"@value": "true", "@type": "${XSD}boolean"}}`,
    { pages: 5, available: true },
  ],
  [
    'a typed decimal and double',
    `{"price": {"@value": "1.50", "@type": "${XSD}decimal"}, "weight": {"@value": "1.5E0", "@type": "${XSD}double"}}`,
    { price: '1.50', weight: 1.5 },
  ],
  [
    'an integer for what is an integer or a decimal',
    `{"rank": {"@value": "+05", "@type": "${XSD}integer"}, "price": {"@value": "7", "@type": "${XSD}integer"}}`,
    { rank: 5, price: '7' },
  ],
  [
    'typed dates and addresses',
    `{"published": {"@value": "2024-02-29", "@type": "${XSD}date"}, "page": {"@value": "http://x.example/", "@type": "${XSD}anyURI"}}`,
    { published: '2024-02-29', page: 'http://x.example/' },
  ],
  [
    'texts with a language',
    '{"label": [{"@value": "Hi", "@language": "EN-gb"}, {"@value": "Ho", "@language": "de"}]}',
    { label: { 'en-GB': 'Hi', de: 'Ho' } },
  ],
  [
    'a language map under another context',
    '{"@context": {"l": {"@id": "{base}/vocab#Book/label", "@container": "@language"}}, "l": {"en": "Hi", "de": "Ho"}}',
    { label: { en: 'Hi', de: 'Ho' } },
  ],
  [
    'a default language',
    '{"@context": {"@language": "fr", "l": "{base}/vocab#Book/label"}, "l": "Salut"}',
    { label: { fr: 'Salut' } },
  ],
  [
    'links as objects',
    '{"@nest": {}, "author": {"@id": "{author}"}, "editors": [{"@id": "{author}"}]}',
    { author: '{author}', editors: ['{author}'] },
  ],
  [
    'a link relative to a base of one’s own',
    '{"@context": {"@base": "{base}/authors/", "a": {"@id": "{base}/vocab#Book/author", "@type": "@id"}}, "a": "{id}"}',
    { author: '{author}' },
  ],
  [
    'an embedded value',
    '{"{base}/vocab#Book/address": {"{base}/vocab#Address/street": "S", "{base}/vocab#Address/country": {"@id": "{author}"}}}',
    { address: { '@type': 'Address', street: 'S', country: '{author}' } },
  ],
  [
    'an embedded value with a prefix',
    '{"@context": {"a": "{base}/vocab#Address/", "b": "{base}/vocab#Book/"}, "b:address": {"@type": "{base}/vocab#Address", "@id": "_:x", "a:street": "S"}}',
    { address: { '@type': 'Address', street: 'S' } },
  ],
  ['an index, which means nothing', '{"genres": [{"@value": "a", "@index": "1"}]}', { genres: ['a'] }],
  [
    'a node without a name',
    '{"@id": "_:b0", "@type": ["http://schema.org/Book"], "http://schema.org/name": "A"}',
    { title: 'A' },
  ],
  ['keys that admin clients send back', '{"@nest": {}, "title": "A", "originId": "/x"}', { title: 'A' }],
  [
    'the same under another context',
    '{"@context": {"n": "http://schema.org/name"}, "n": "A", "originId": "/x"}',
    { title: 'A' },
  ],
  [
    'digits',
    '{"@nest": {}, "price": 0.1000000000000000000000000000001, "pages": 9007199254740991}',
    { price: '0.1000000000000000000000000000001', pages: 9007199254740991 },
  ],
  ['a long text', `{"@nest": {}, "title": "${'/..'.repeat(5000)}"}`, { title: '/..'.repeat(5000) }],
]

// contract: Bodies: `application/ld+json`, `application/json`
test('JSON-LD of any shape is stored as what it means', async (t) => {
  const writer = await serveWriter(t, { api: API })
  const { add, post, get, base } = writer
  const author = (await add('/authors', { name: 'Ann' }))['@id']
  const own = JSON.stringify((await get('/contexts/Book')).json()['@context'])
  const filled = (text: string) =>
    text
      .replaceAll('{base}', base)
      .replaceAll('{author}', author)
      .replaceAll('{own}', own)
      .replaceAll('{id}', author.slice(author.lastIndexOf('/') + 1))
  for (const [name, body, expected] of SHAPES) {
    const response = await post('/books', filled(body))
    assert.equal(response.status, 201, `${name}: ${response.body.slice(0, 500)}`)
    assert.deepEqual(valuesOf(response), JSON.parse(filled(JSON.stringify(expected))), name)
  }
  assert.deepEqual(faultsIn(writer), [])
})

// contract: Bodies: `application/ld+json`, `application/json`
test('PUT takes any shape too, and its @id must be the member', async (t) => {
  const { addAt, put, base } = await serveWriter(t, { api: API })
  const path = await addAt('/books', { title: 'A' })
  const context = { t: 'http://schema.org/name', id: '@id' }
  assert.deepEqual(valuesOf(await put(path, { '@context': context, t: 'B', id: `${base}${path}` })), {
    title: 'B',
  })
  const other = await put(path, { '@context': context, t: 'C', id: `${base}/books/other` })
  assert.equal(other.status, 422)
  assert.match(sentenceOf(other), /^@id: must be http.* here, or be left out\.$/)
  const nothingElse = await put(path, { '@context': context, id: `${base}/books/other` })
  assert.equal(nothingElse.status, 422)
})

const REFUSED: [body: string, said: RegExp][] = [
  [
    '{"@context": {"n": "http://schema.org/name"}, "n": "A", "title": "B"}',
    /^title: has no meaning under the @context that was sent; add http.*\/contexts\/Book to that\.$/,
  ],
  [
    '{"@context": {"n": "http://schema.org/name"}, "n": "A", "pags": 1}',
    /^pags: has no meaning .*did you mean "pages"\?$/,
  ],
  ['{"@context": null, "title": "A"}', /^title: has no meaning/],
  ['{"@nest": {}, "titel": "A"}', /^titel: is not a property of Book; did you mean "title"\?$/],
  [
    '{"http://schema.org/pags": "A"}',
    /^http:\/\/schema\.org\/pags: is not a property of Book; did you mean "pages"\?$/,
  ],
  ['{"{base}/vocab#title": "A"}', /^http.*vocab#title: is not a property of Book; did you mean "title"\?$/],
  ['{"@graph": [{"title": "A"}]}', /^@graph: /],
  ['{"title": "A", "@graph": [{"title": "B"}]}', /^@graph: /],
  [
    '{"@reverse": {"author": {"@id": "http://x.example/"}}, "title": "A"}',
    /^@reverse: is not understood here/,
  ],
  ['{"@reverse": {}, "title": "A"}', /^@reverse: is not understood here/],
  ['{"@reverse": null, "title": "A"}', /^@reverse: is not understood here/],
  ['{"address": {"street": "S", "@reverse": {}}}', /^address\/@reverse: is not understood here/],
  ['{"@included": [{"title": "B"}], "title": "A"}', /^@included: is not understood here/],
  ['{"genres": {"@list": ["a"]}}', /^genres: has no order/],
  ['{"title": {"@list": ["a"]}}', /^title: has no order/],
  ['{"editors": {"@list": ["{author}"]}}', /^editors: has no order/],
  ['{"address": {"@list": [{"street": "S"}]}}', /^address: has no order/],
  [
    '{"@nest": {}, "author": {"@id": "{author}", "name": "B"}}',
    /^author: must be the address .*, and nothing but that: a member that was read with include /,
  ],
  ['{"@nest": {}, "author": {"@type": "Author"}}', /^author: must be the address/],
  ['{"@nest": {}, "editors": ["{author}", {"name": "B"}]}', /^editors\/1: must be the address/],
  ['{"author": {"@value": "{author}"}}', /^author: must be the address/],
  [`{"pages": {"@value": "5", "@type": "${XSD}string"}}`, /^pages: must be of type .*#integer/],
  [`{"title": {"@value": "5", "@type": "${XSD}integer"}}`, /^title: must be of type .*#string/],
  [`{"pages": {"@value": "x", "@type": "${XSD}integer"}}`, /^pages: must be an integer/],
  [`{"pages": {"@value": "1.5", "@type": "${XSD}integer"}}`, /^pages: must be an integer/],
  [`{"pages": {"@value": "9007199254740993", "@type": "${XSD}integer"}}`, /^pages: would lose digits/],
  [`{"weight": {"@value": "INF", "@type": "${XSD}double"}}`, /^weight: must be a number/],
  ['{"title": {"@value": "A", "@language": "en"}}', /^title: takes a value without a language/],
  [
    '{"@context": {"@language": "en", "n": "http://schema.org/name"}, "n": "A"}',
    /^title: takes a value without a language/,
  ],
  ['{"title": {"@value": "A", "@direction": "ltr"}}', /^title: takes a value without a direction/],
  ['{"label": {"@value": "A"}}', /^label: must be an object of texts by language/],
  [
    '{"label": [{"@value": "A", "@language": "en"}, {"@value": "B", "@language": "EN"}]}',
    /^label: has two texts for "en"/,
  ],
  ['{"@nest": {}, "weight": 0.12345678901234567890}', /^weight: would lose digits/],
  ['{"@nest": {}, "address": {"@id": "{base}/x", "street": "S"}}', /^address\/@id: cannot be here/],
  [
    '{"@nest": {}, "address": {"stret": "S"}}',
    /^address\/stret: is not a property of Address.*address\/street: is required\.$/,
  ],
  ['{"@nest": {}, "@type": "Author", "title": "A"}', /^@type: must be "Book" here/],
  ['{"@id": "{base}/books/1", "@nest": {}, "title": "A"}', /^@id: is chosen by the server/],
  ['{"@context": {"a": "b"}, "a": 1}', /^(This is not JSON-LD|a: )/],
  ['{"@context": 5, "title": "A"}', /^This is not JSON-LD/],
  ['{"@context": {"@version": 1.0}, "title": "A"}', /^This is not JSON-LD/],
  ['{"@nest": 5}', /^This is not JSON-LD/],
  ['{"title": {"@value": {"a": 1}}}', /^This is not JSON-LD/],
  ['{"@nest": {}, "__proto__": {"a": 1}}', /^__proto__: /],
  ['{"@nest": {"title": "A"}, "__proto__": {"a": 1}}', /^__proto__: /],
  ['{"@context": {"__proto__": "http://schema.org/name"}, "a": 1}', /^__proto__: /],
  ['{"@nest": {}}', /one node of linked data/],
  ['{"@nest": {}, "@made-up": 1}', /^@made-up: is not understood here/],
  ['{"title": {"@language": "en"}}', /belongs to no property/],
  ['{"@set": ["a"]}', /belongs to no property/],
  ['{"@list": [1]}', /belongs to no property/],
  [
    '{"@context": {"hasOwnProperty": "http://x.example/"}, "a": 1}',
    /^The body is JSON-LD that cannot be processed/,
  ],
]

// contract: Unknown properties are a 422
test('JSON-LD that would lose something, or means something else, is 422 that names the place', async (t) => {
  const writer = await serveWriter(t, { api: API })
  const { add, post, get, base } = writer
  const author = (await add('/authors', { name: 'Ann' }))['@id']
  for (const [body, said] of REFUSED) {
    const response = await post('/books', body.replaceAll('{base}', base).replaceAll('{author}', author))
    assert.equal(response.status, 422, `${body} ${response.body.slice(0, 300)}`)
    assert.match(sentenceOf(response), said, body)
  }
  assert.equal((await get('/books')).json().totalItems, 0)
  assert.deepEqual(faultsIn(writer), [])
})
