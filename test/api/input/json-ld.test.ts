import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AS_PROBLEM, assertProblem, codesOf, type Said } from '../signed-in.ts'
import { faultsIn, serveWriter, valuesOf } from '../writing.ts'

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
  const other = await put(path, { '@context': context, t: 'C', id: `${base}/books/other` }, AS_PROBLEM)
  assert.equal(other.status, 422)
  assert.equal(codesOf(other), '@id: WrongId')
  const nothingElse = await put(path, { '@context': context, id: `${base}/books/other` })
  assert.equal(nothingElse.status, 422)
})

const REFUSED: [body: string, ...said: Said][] = [
  ['{"@context": {"n": "http://schema.org/name"}, "n": "A", "title": "B"}', 'title: NoMeaning'],
  ['{"@context": {"n": "http://schema.org/name"}, "n": "A", "pags": 1}', 'pags: NoMeaning', '"pages"'],
  ['{"@context": null, "title": "A"}', 'title: NoMeaning'],
  ['{"@nest": {}, "titel": "A"}', 'titel: UnknownProperty', '"title"'],
  ['{"http://schema.org/pags": "A"}', 'http://schema.org/pags: UnknownProperty', '"pages"'],
  ['{"{base}/vocab#title": "A"}', '{base}/vocab#title: UnknownProperty', '"title"'],
  ['{"@graph": [{"title": "A"}]}', '@graph: GraphNotTaken'],
  ['{"title": "A", "@graph": [{"title": "B"}]}', '@graph: GraphNotTaken'],
  ['{"@reverse": {"author": {"@id": "http://x.example/"}}, "title": "A"}', '@reverse: UnknownKeyword'],
  ['{"@reverse": {}, "title": "A"}', '@reverse: UnknownKeyword'],
  ['{"@reverse": null, "title": "A"}', '@reverse: UnknownKeyword'],
  ['{"address": {"street": "S", "@reverse": {}}}', 'address/@reverse: UnknownKeyword'],
  ['{"@included": [{"title": "B"}], "title": "A"}', '@included: UnknownKeyword'],
  ['{"genres": {"@list": ["a"]}}', 'genres: NoOrder'],
  ['{"title": {"@list": ["a"]}}', 'title: NoOrder'],
  ['{"editors": {"@list": ["{author}"]}}', 'editors: NoOrder'],
  ['{"address": {"@list": [{"street": "S"}]}}', 'address: NoOrder'],
  ['{"@nest": {}, "author": {"@id": "{author}", "name": "B"}}', 'author: InvalidLink'],
  ['{"@nest": {}, "author": {"@type": "Author"}}', 'author: InvalidLink'],
  ['{"@nest": {}, "editors": ["{author}", {"name": "B"}]}', 'editors/1: InvalidLink'],
  ['{"author": {"@value": "{author}"}}', 'author: InvalidLink'],
  [`{"pages": {"@value": "5", "@type": "${XSD}string"}}`, 'pages: WrongValueType'],
  [`{"title": {"@value": "5", "@type": "${XSD}integer"}}`, 'title: WrongValueType'],
  [`{"pages": {"@value": "x", "@type": "${XSD}integer"}}`, 'pages: WrongDatatype'],
  [`{"pages": {"@value": "1.5", "@type": "${XSD}integer"}}`, 'pages: WrongDatatype'],
  [`{"pages": {"@value": "9007199254740993", "@type": "${XSD}integer"}}`, 'pages: LosesDigits'],
  [`{"weight": {"@value": "INF", "@type": "${XSD}double"}}`, 'weight: WrongDatatype'],
  ['{"title": {"@value": "A", "@language": "en"}}', 'title: UnexpectedKeyword'],
  ['{"@context": {"@language": "en", "n": "http://schema.org/name"}, "n": "A"}', 'title: UnexpectedKeyword'],
  ['{"title": {"@value": "A", "@direction": "ltr"}}', 'title: UnexpectedKeyword'],
  ['{"label": {"@value": "A"}}', 'label: InvalidLanguageTag'],
  [
    '{"label": [{"@value": "A", "@language": "en"}, {"@value": "B", "@language": "EN"}]}',
    'label: DuplicateLanguage',
  ],
  ['{"@nest": {}, "weight": 0.12345678901234567890}', 'weight: LosesDigits'],
  ['{"@nest": {}, "address": {"@id": "{base}/x", "street": "S"}}', 'address/@id: EmbeddedId'],
  [
    '{"@nest": {}, "address": {"stret": "S"}}',
    'address/stret: UnknownProperty, address/street: RequiredValue',
  ],
  ['{"@nest": {}, "@type": "Author", "title": "A"}', '@type: WrongType'],
  ['{"@id": "{base}/books/1", "@nest": {}, "title": "A"}', '@id: IdOfNewMember'],
  ['{"@context": {"a": "b"}, "a": 1}', 'InvalidJsonLd'],
  ['{"@context": 5, "title": "A"}', 'InvalidJsonLd'],
  ['{"@context": {"@version": 1.0}, "title": "A"}', 'InvalidJsonLd'],
  ['{"@nest": 5}', 'InvalidJsonLd'],
  ['{"title": {"@value": {"a": 1}}}', 'InvalidJsonLd'],
  ['{"@nest": {}, "__proto__": {"a": 1}}', '__proto__: KeyNotTaken'],
  ['{"@nest": {"title": "A"}, "__proto__": {"a": 1}}', '__proto__: KeyNotTaken'],
  ['{"@context": {"__proto__": "http://schema.org/name"}, "a": 1}', '__proto__: KeyNotTaken'],
  ['{"@nest": {}}', 'NotOneNode'],
  ['{"@nest": {}, "@made-up": 1}', '@made-up: UnknownKeyword'],
  ['{"title": {"@language": "en"}}', 'StrayValue'],
  ['{"@set": ["a"]}', 'StrayValue'],
  ['{"@list": [1]}', 'StrayValue'],
  ['{"@context": {"hasOwnProperty": "http://x.example/"}, "a": 1}', 'UnprocessableJsonLd'],
]

// contract: Unknown properties are a 422
test('JSON-LD that would lose something, or means something else, is 422 that names the place', async (t) => {
  const writer = await serveWriter(t, { api: API })
  const { add, post, get, base } = writer
  const author = (await add('/authors', { name: 'Ann' }))['@id']
  for (const [body, codes, ...values] of REFUSED) {
    const filled = (text: string) => text.replaceAll('{base}', base).replaceAll('{author}', author)
    const response = await post('/books', filled(body), AS_PROBLEM)
    assert.equal(response.status, 422, `${body} ${response.body.slice(0, 300)}`)
    assertProblem(response, [filled(codes), ...values], body)
  }
  assert.equal((await get('/books')).json().totalItems, 0)
  assert.deepEqual(faultsIn(writer), [])
})
