import assert from 'node:assert/strict'
import { test } from 'node:test'
import { literal, quad, quadsOf, rdf } from './rdf.ts'
import { AS_PROBLEM, codesOf, pathOf, serveSignedIn, withoutContext } from './signed-in.ts'
import { put } from './walks.ts'

// contract: `{base}/contexts/{name}` ¦
// contract: They are also at `{base}/contexts/{name}`
test('every context that is inline in a representation has an address of its own', async (t) => {
  const { get, add, post } = await serveSignedIn(t)
  const author = await add('/authors', { name: 'Ann' })
  const invalid = await post('/authors', {}, { Accept: 'application/problem+json, */*' })
  const contexts: [name: string, inline: unknown][] = [
    ['EntryPoint', (await get('/')).json()['@context']],
    ['ApiDocumentation', (await get('/vocab')).json()['@context']],
    ['AuthorCollection', (await get('/authors')).json()['@context']],
    ['Author', author['@context']],
    ['Session', (await get('/session')).json()['@context']],
    ['ConstraintViolationList', invalid.json()['@context']],
    ['OperationBatch', (await post('/batch', { operation: [] })).json()['@context']],
  ]
  for (const [name, inline] of contexts) {
    const response = await get(`/contexts/${name}`)
    assert.equal(response.status, 200, name)
    assert.equal(response.headers['content-type'], 'application/ld+json', name)
    assert.deepEqual(response.json(), { '@context': inline }, name)
  }
})

test('a context is also at its address with .jsonld, as hydrus has it', async (t) => {
  const { get } = await serveSignedIn(t)
  for (const name of ['Book', 'BookCollection', 'EntryPoint', 'events']) {
    const [plain, suffixed] = [await get(`/contexts/${name}`), await get(`/contexts/${name}.jsonld`)]
    assert.equal(suffixed.status, 200, name)
    assert.deepEqual(suffixed.json(), plain.json(), name)
  }
  const included = '?include=author'
  const [plain, suffixed] = [
    await get(`/contexts/Book${included}`),
    await get(`/contexts/Book.jsonld${included}`),
  ]
  assert.deepEqual(suffixed.json(), plain.json())
})

test('a context that does not exist is 404, whatever its name', async (t) => {
  const { get } = await serveSignedIn(t)
  for (const name of [
    'book',
    'constructor',
    '__proto__',
    'book.jsonld',
    'Book.jsonld.jsonld',
    'Book.json',
    '%00',
    '..',
  ]) {
    const response = await get(`/contexts/${name}`, AS_PROBLEM)
    assert.equal(response.status, 404, name)
    assert.equal(codesOf(response), 'UnknownContext', name)
  }
  assert.equal((await get('/contexts')).status, 404)
  assert.equal((await get('/contexts/')).status, 404)
})

test('a class may be called like anything that has a context', async (t) => {
  const api =
    'classes: { ApiDocumentation: { properties: { name: string } }, Error: { properties: { a: string } } }'
  const { get, base } = await serveSignedIn(t, { api })
  const context = async (name: string) => (await get(`/contexts/${name}`)).json()['@context']
  assert.deepEqual(await context('ApiDocumentation'), {
    '@version': 1.1,
    '@vocab': `${base}/vocab#`,
    name: { '@id': `${base}/vocab#ApiDocumentation/name` },
  })
  assert.deepEqual(Object.keys((await context('Error')) as object), ['@version', '@vocab', 'a'])
})

test('a class without a collection has a context, and no context of a collection', async (t) => {
  const api = `
classes:
  Author: { properties: { address: Address } }
  Address: { collection: false, properties: { street: string } }
  Settings: { collection: false, operations: [read], properties: { motto: string } }
`
  const { get, base } = await serveSignedIn(t, { api })
  const context = async (name: string) =>
    (await get(`/contexts/${name}`)).json()['@context'] as Record<string, { '@context': unknown }>
  const address = await context('Address')
  assert.deepEqual(address.street, { '@id': `${base}/vocab#Address/street` })
  assert.deepEqual((await context('Author')).address?.['@context'], [null, address])
  assert.ok('motto' in (await context('Settings')))
  for (const name of ['AddressCollection', 'SettingsCollection'])
    assert.equal((await get(`/contexts/${name}`)).status, 404, name)
})

// docs/contract/hypermedia.md, Resources and Writing: what holds for every representation and every error.

const API = `
classes:
  Author: { properties: { name: { type: string, required: true } } }
  Address: { collection: false, properties: { street: string, country: Author } }
  Book:
    iri: http://schema.org/Book
    properties:
      title: { type: string, minLength: 1, maxLength: 200, pattern: "^[A-Z]" }
      pages: { type: integer, minimum: 1, maximum: 9 }
      kind: { type: string, enum: [a, b], required: true }
      page: anyURI
      author: Author
      editors: { type: Author, many: true }
      address: Address
  Motto: { collection: false, operations: [read, create], properties: { text: string } }
`

const PROBLEM = 'application/problem+json'

/** Every value of this key, however deep, outside of contexts. */
function* valuesOf(node: unknown, key: string): Generator<unknown> {
  if (node === null || typeof node !== 'object') return
  for (const [name, value] of Object.entries(node)) {
    if (name === key) yield value
    if (name !== '@context') yield* valuesOf(value, key)
  }
}

// contract: **Contexts are inline** in every representation.
// contract: Every `@id` is absolute.
test('every representation has its context inline, and every @id in it is absolute', async (t) => {
  const service = await serveSignedIn(t, { api: API })
  const { get, post, base } = service
  await put(service, '/authors/1', { name: 'Ann' })
  const author = `${base}/authors/1`
  const book = { kind: 'a', author, editors: [author], address: { country: author } }
  await put(service, '/books/1', book)
  await service.send('PUT', '/Motto', { 'Content-Type': 'application/json' }, '{"text": "t"}')
  const paths = [
    '',
    '/',
    '/vocab',
    '/authors',
    '/books',
    '/books?page=1&kind=a',
    '/books/1',
    '/Motto',
    '/session',
  ]
  const responses = [
    ...(await Promise.all(paths.map((path) => get(path)))),
    await post('/books', book),
    await post('/books', {}, { Accept: `${PROBLEM}, */*` }),
  ]
  let ids = 0
  for (const response of responses) {
    const document = response.json()
    assert.ok(response.status < 300 || response.status === 422, response.body)
    const context = document['@context']
    assert.ok(context !== null && typeof context === 'object' && !Array.isArray(context), response.body)
    // Nothing inside it has to be fetched either: the processor of `quadsOf` refuses to.
    await quadsOf(document)
    for (const id of valuesOf(document, '@id')) {
      assert.match(String(id), /^(https?:\/\/|hydra:)/)
      ids += 1
    }
  }
  assert.ok(ids > 50, `${ids}`)
})

// contract: They are also at `{base}/contexts/{name}`
test('contexts are behind the token like everything', async (t) => {
  const { client, get } = await serveSignedIn(t, { api: API })
  for (const name of ['Book', 'BookCollection', 'EntryPoint', 'ApiDocumentation', 'Nothing']) {
    const { status, headers } = await client.send('GET', `/contexts/${name}`)
    assert.deepEqual([status, headers['x-authentication']?.length], [401, 36], name)
  }
  assert.equal((await get('/contexts/Book')).status, 200)
})

const TYPE = rdf('type')

// contract: What is served must be right twice
// contract: Datatypes: string, boolean, integer
test('a value of each datatype is a literal of that datatype, and a link is an IRI', async (t) => {
  const types: [type: string, sent: unknown, object: string][] = [
    ['string', 'a "b" \\ ü\n\u{1f4da}', String.raw`"a \"b\" \\ ü\n${'\u{1f4da}'}"`],
    ['string', 'http://example.org/', '"http://example.org/"'],
    ['string', '@type', '"@type"'],
    ['string', '', '""'],
    ['boolean', true, literal('true', 'boolean')],
    ['boolean', false, literal('false', 'boolean')],
    ['integer', -12, literal('-12', 'integer')],
    ['integer', 9007199254740991, literal('9007199254740991', 'integer')],
    ['nonNegativeInteger', 0, literal('0', 'nonNegativeInteger')],
    ['positiveInteger', 3, literal('3', 'positiveInteger')],
    ['decimal', '12.50', literal('12.50', 'decimal')],
    ['decimal', 7, literal('7', 'decimal')],
    ['double', 1.5, literal('1.5E0', 'double')],
    ['double', 2, literal('2.0E0', 'double')],
    ['float', 0.25, literal('2.5E-1', 'float')],
    ['date', '2024-02-29', literal('2024-02-29', 'date')],
    ['dateTime', '2024-02-29T12:00:00+02:00', literal('2024-02-29T12:00:00+02:00', 'dateTime')],
    ['time', '12:30:00', literal('12:30:00', 'time')],
    ['duration', 'P1DT2H', literal('P1DT2H', 'duration')],
    ['anyURI', 'urn:isbn:1', literal('urn:isbn:1', 'anyURI')],
  ]
  const properties = types.map(([type], index) => `      p${index}: ${type}`).join('\n')
  const api = `
classes:
  Target:
  Thing:
    properties:
${properties}
      named: { type: string, iri: "http://schema.org/name" }
      several: { type: decimal, many: true }
      link: Target
      links: { type: Target, many: true }
`
  const { add, get, base } = await serveSignedIn(t, { api })
  const [one, two] = [await add('/targets', {}), await add('/targets', {})]
  const thing = await add('/things', {
    ...Object.fromEntries(types.map(([, sent], index) => [`p${index}`, sent])),
    named: 'name',
    several: ['1.0', '2'],
    link: one['@id'],
    links: [one['@id'], two['@id']],
  })
  const own = (name: string) => `${base}/vocab#Thing/${name}`
  const subject = thing['@id']
  const expected = [
    quad(subject, TYPE, `<${base}/vocab#Thing>`),
    ...types.map(([, , object], index) => quad(subject, own(`p${index}`), object)),
    quad(subject, 'http://schema.org/name', '"name"'),
    quad(subject, own('several'), literal('1.0', 'decimal')),
    quad(subject, own('several'), literal('2', 'decimal')),
    quad(subject, own('link'), `<${one['@id']}>`),
    quad(subject, own('links'), `<${one['@id']}>`),
    quad(subject, own('links'), `<${two['@id']}>`),
  ].sort()
  assert.deepEqual((await quadsOf(thing)).sort(), expected)
  assert.deepEqual((await quadsOf((await get(pathOf(base, subject))).json())).sort(), expected)
  const whole = new Set(await quadsOf((await get('/things')).json()))
  for (const line of expected) assert.ok(whole.has(line), `the collection has no ${line}`)
})

// contract: A class without a collection is an embedded value
test('an embedded value is a nested object in JSON and a blank node in RDF, however deep', async (t) => {
  const api = `
classes:
  Country: { properties: { name: string } }
  Person:
    properties:
      home: Address
      former: { type: Address, many: true }
  Address:
    collection: false
    properties: { street: string, rent: decimal, place: Place, greeting: langString }
  Place:
    collection: false
    iri: http://schema.org/Place
    properties: { town: { type: string, iri: "http://schema.org/name" }, country: Country }
`
  const { add, get, base } = await serveSignedIn(t, { api })
  const country = (await add('/countries', { name: 'Iceland' }))['@id']
  const home = {
    street: 'Main',
    rent: '100.50',
    place: { town: 'Vík', country },
    greeting: { is: 'Góðan dag', 'en-GB': 'Hello' },
  }
  const person = await add('/persons', { home, former: [{ street: 'A' }, { street: 'B' }] })
  const served = (await get(pathOf(base, person['@id']))).json()
  assert.deepEqual(withoutContext(served), {
    '@id': person['@id'],
    '@type': 'Person',
    home: { '@type': 'Address', ...home, place: { '@type': 'Place', ...home.place } },
    former: [
      { '@type': 'Address', street: 'A' },
      { '@type': 'Address', street: 'B' },
    ],
  })
  const vocab = (name: string) => `${base}/vocab#${name}`
  const former = (street: string) => ({ '@type': vocab('Address'), [vocab('Address/street')]: street })
  const expected = {
    '@id': person['@id'],
    '@type': vocab('Person'),
    [vocab('Person/home')]: {
      '@type': vocab('Address'),
      [vocab('Address/street')]: 'Main',
      [vocab('Address/rent')]: { '@value': '100.50', '@type': 'http://www.w3.org/2001/XMLSchema#decimal' },
      [vocab('Address/place')]: {
        '@type': 'http://schema.org/Place',
        'http://schema.org/name': 'Vík',
        [vocab('Place/country')]: { '@id': country },
      },
      [vocab('Address/greeting')]: [
        { '@value': 'Góðan dag', '@language': 'is' },
        { '@value': 'Hello', '@language': 'en-gb' },
      ],
    },
    [vocab('Person/former')]: [former('A'), former('B')],
  }
  assert.deepEqual(await quadsOf(served), await quadsOf(expected))
  const collection = (await get('/persons')).json()
  assert.deepEqual(collection.member, [withoutContext(served)])
  assert.deepEqual(
    await quadsOf({
      '@context': collection['@context'],
      '@id': `${base}/persons`,
      member: collection.member,
    }),
    await quadsOf({ '@id': `${base}/persons`, 'http://www.w3.org/ns/hydra/core#member': expected }),
  )
})
