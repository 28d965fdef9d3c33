import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readShortForm } from '../../src/vocabulary/short-form.ts'
import { hydra, literal, quad, quadsOf, rdf, xsd } from './rdf.ts'
import { pathOf, serveSignedIn, withoutContext } from './signed-in.ts'

const TYPE = rdf('type')

/** Terms of Hydra, JSON-LD and JavaScript that a user may want for a property. */
const AWKWARD = [
  ...['title', 'description', 'member', 'view', 'search', 'first', 'last', 'next', 'previous', 'collection'],
  ...['id', 'type', 'context', 'value', 'graph', 'template', 'mapping', 'variable', 'property', 'object'],
  ...['xsd', 'hydra', 'rdf', 'http', 'https', 'urn', 'vocab', 'totalItems', 'memberAssertion', 'originId'],
  ...['constructor', 'toString', 'valueOf', 'prototype', 'length', 'Collection', 'IriTemplate', 'Thing', '_'],
]

test('the entry point is the same graph as its expanded form', async (t) => {
  const { get, base } = await serveSignedIn(t)
  const vocab = (name: string) => `${base}/vocab#${name}`
  const collection = (path: string, name: string) => ({
    '@id': `${base}/${path}`,
    '@type': [hydra('Collection'), vocab(`${name}Collection`)],
    [hydra('memberAssertion')]: {
      [hydra('property')]: { '@id': TYPE },
      [hydra('object')]: { '@id': vocab(name) },
    },
  })
  assert.deepEqual(
    await quadsOf((await get('/')).json()),
    await quadsOf({
      '@id': `${base}/`,
      '@type': [vocab('EntryPoint'), hydra('Resource')],
      [vocab('EntryPoint/authors')]: { '@id': `${base}/authors` },
      [vocab('EntryPoint/books')]: { '@id': `${base}/books` },
      [vocab('EntryPoint/session')]: { '@id': `${base}/session` },
      [hydra('collection')]: [collection('authors', 'Author'), collection('books', 'Book')],
    }),
  )
})

test('a collection is the same graph as its expanded form', async (t) => {
  const { get, add, base } = await serveSignedIn(t)
  const vocab = (name: string) => `${base}/vocab#${name}`
  const ann = await add('/authors', { name: 'Ann', born: '1970-01-02' })
  const address = `${base}/authors`
  const expanded = (view: string, search: object) => ({
    '@id': address,
    '@type': [hydra('Collection'), vocab('AuthorCollection')],
    [hydra('memberAssertion')]: {
      [hydra('property')]: { '@id': TYPE },
      [hydra('object')]: { '@id': vocab('Author') },
    },
    [hydra('totalItems')]: { '@value': '1', '@type': xsd('integer') },
    [hydra('member')]: {
      '@id': ann['@id'],
      '@type': vocab('Author'),
      [vocab('Author/name')]: 'Ann',
      [vocab('Author/born')]: { '@value': '1970-01-02', '@type': xsd('date') },
    },
    [hydra('view')]: {
      '@id': `${address}?${view}`,
      '@type': hydra('PartialCollectionView'),
      [hydra('first')]: { '@id': `${address}?page=1` },
      [hydra('last')]: { '@id': `${address}?page=1` },
    },
    [hydra('search')]: { '@id': `${address}#search`, ...search },
  })
  const mapping = (variable: string, property: string) => ({
    '@type': hydra('IriTemplateMapping'),
    [hydra('variable')]: variable,
    [hydra('property')]: { '@id': hydra(property) },
    [hydra('required')]: { '@value': 'false', '@type': xsd('boolean') },
  })
  const search = {
    '@type': hydra('IriTemplate'),
    [hydra('template')]: `${address}{?page,itemsPerPage}`,
    [hydra('variableRepresentation')]: { '@id': hydra('BasicRepresentation') },
    [hydra('mapping')]: [mapping('page', 'pageIndex'), mapping('itemsPerPage', 'limit')],
  }
  assert.deepEqual(
    await quadsOf((await get('/authors')).json()),
    await quadsOf(expanded('itemsPerPage=20', search)),
  )
  assert.deepEqual(
    await quadsOf((await get('/authors?page=1')).json()),
    await quadsOf(expanded('page=1', {})),
  )
})

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

test('any name works for a property: it survives as plain JSON and as RDF, alone and in a collection', async (t) => {
  const properties = AWKWARD.map((name) => `      ${name}: string`).join('\n')
  const api = `classes:\n  Thing:\n    properties:\n${properties}\n`
  const { add, get, base } = await serveSignedIn(t, { api })
  const sent = Object.fromEntries(AWKWARD.map((name) => [name, `the ${name}`]))
  const thing = await add('/things', sent)
  const subject = thing['@id']
  const expected = [
    quad(subject, TYPE, `<${base}/vocab#Thing>`),
    ...AWKWARD.map((name) => quad(subject, `${base}/vocab#Thing/${name}`, `"the ${name}"`)),
  ].sort()

  const alone = (await get(pathOf(base, subject))).json()
  const { '@id': id, '@type': type, ...values } = withoutContext(alone)
  assert.equal(id, subject)
  assert.equal(type, `${base}/vocab#Thing`, 'a property has taken the name of the class')
  assert.deepEqual(values, sent)
  assert.deepEqual((await quadsOf(alone)).sort(), expected)

  const collection = (await get('/things')).json()
  assert.deepEqual(collection.member, [withoutContext(alone)])
  const within = (await quadsOf(collection)).filter((line) => line.startsWith(`<${subject}>`))
  assert.deepEqual(within.sort(), expected)
})

test('what was read can be sent back, its context and class included, and makes an equal member', async (t) => {
  const properties = AWKWARD.map((name) => `      ${name}: string`).join('\n')
  const { add } = await serveSignedIn(t, { api: `classes:\n  Thing:\n    properties:\n${properties}\n` })
  const sent = Object.fromEntries(AWKWARD.map((name) => [name, `the ${name}`]))
  const { '@id': firstId, ...first } = await add('/things', sent)
  const { '@id': secondId, ...second } = await add('/things', first)
  assert.notEqual(secondId, firstId)
  assert.deepEqual(second, first)
})

test('a property called __proto__ survives as plain JSON', async (t) => {
  const { post, get, base } = await serveSignedIn(t, {
    api: 'classes: { Thing: { properties: { __proto__: string, constructor: { type: string, many: true } } } }',
  })
  const response = await post('/things', '{"__proto__": "a", "constructor": ["b"]}')
  assert.equal(response.status, 201)
  const { body } = await get(pathOf(base, response.headers.location))
  assert.ok(body.endsWith(',"__proto__":"a","constructor":["b"]}'), body)
})

test('a class of another vocabulary expands to its IRI, also where a property has its name', async (t) => {
  const api = `
classes:
  Book: { iri: "http://schema.org/Book", properties: { title: string } }
  Film: { iri: "http://schema.org/Movie", properties: { Film: string } }
`
  const { add, get, base } = await serveSignedIn(t, { api })
  const [book, film] = [await add('/books', { title: 'a' }), await add('/films', { Film: 'b' })]
  assert.deepEqual(
    await quadsOf(book),
    [
      quad(book['@id'], TYPE, '<http://schema.org/Book>'),
      quad(book['@id'], `${base}/vocab#Book/title`, '"a"'),
    ].sort(byPredicate),
  )
  assert.deepEqual(
    await quadsOf(film),
    [
      quad(film['@id'], `${base}/vocab#Film/Film`, '"b"'),
      quad(film['@id'], TYPE, '<http://schema.org/Movie>'),
    ].sort(byPredicate),
  )
  const object = `<${hydra('object')}> <http://schema.org/Movie>`
  const films = await quadsOf((await get('/films')).json())
  assert.ok(films.some((line) => line.includes(object)))
  assert.ok(films.includes(quad(film['@id'], TYPE, '<http://schema.org/Movie>')))
})

const byPredicate = (left: string, right: string) => (left < right ? -1 : 1)

test('the session is the same graph as its expanded form', async (t) => {
  const time = { now: Date.UTC(2030, 0, 1) }
  const { get, base } = await serveSignedIn(t, { time })
  const session = `${base}/session`
  const own = (name: string) => `${base}/vocab#Session/${name}`
  assert.deepEqual(
    (await quadsOf((await get('/session')).json())).sort(),
    [
      quad(session, TYPE, `<${base}/vocab#Session>`),
      quad(session, own('user'), literal('7', 'integer')),
      quad(session, own('issuedAt'), literal('2030-01-01T00:00:00.000Z', 'dateTime')),
      quad(session, own('expiresAt'), literal('2030-01-01T00:45:00.000Z', 'dateTime')),
    ].sort(),
  )
})

test('a problem document is a hydra:Error with its violations', async (t) => {
  const { post, get, base } = await serveSignedIn(t)
  const vocab = (name: string) => `${base}/vocab#${name}`
  const Accept = 'application/problem+json, application/ld+json'
  const violation = (path: string, message: string) => ({
    [vocab('propertyPath')]: path,
    [vocab('message')]: message,
  })
  const invalid = await post('/books', { title: 1, pages: 0 }, { Accept })
  assert.deepEqual(
    await quadsOf(invalid.json()),
    await quadsOf({
      '@type': [vocab('ConstraintViolationList'), hydra('Error')],
      [hydra('title')]: 'Validation failed',
      [hydra('description')]: 'title: must be a string, not a number. pages: must be at least 1.',
      [hydra('statusCode')]: { '@value': '422', '@type': xsd('integer') },
      [vocab('ConstraintViolationList/violations')]: [
        violation('title', 'must be a string, not a number.'),
        violation('pages', 'must be at least 1.'),
      ],
    }),
  )
  const missing = await get('/books/none', { Accept })
  assert.deepEqual(
    await quadsOf(missing.json()),
    await quadsOf({
      '@type': hydra('Error'),
      [hydra('title')]: 'There is nothing here',
      [hydra('description')]: 'The collection books has no member "none".',
      [hydra('statusCode')]: { '@value': '404', '@type': xsd('integer') },
    }),
  )
})

test('the documentation has Hydra’s terms in their namespace and everything else where it belongs', async (t) => {
  const api = `
title: Library
classes:
  Author: { properties: { name: { type: string, required: true } } }
  Book:
    iri: http://schema.org/Book
    operations: [list, read]
    properties: { price: decimal, author: Author, authors: { type: Author, many: true } }
`
  const { get, base } = await serveSignedIn(t, { api })
  const quads = await quadsOf((await get('/vocab')).json())
  const vocab = (name: string) => `${base}/vocab#${name}`
  const rdfs = (name: string) => `http://www.w3.org/2000/01/rdf-schema#${name}`
  const owl = (name: string) => `http://www.w3.org/2002/07/owl#${name}`
  const expected: [subject: string, predicate: string, object: string][] = [
    [`${base}/vocab`, TYPE, `<${hydra('ApiDocumentation')}>`],
    [`${base}/vocab`, hydra('title'), '"Library"'],
    [`${base}/vocab`, hydra('entrypoint'), `<${base}/>`],
    [`${base}/vocab`, hydra('supportedClass'), '<http://schema.org/Book>'],
    [`${base}/vocab`, hydra('supportedClass'), `<${vocab('EntryPoint')}>`],
    [vocab('BookCollection'), rdfs('subClassOf'), `<${hydra('Collection')}>`],
    [vocab('BookCollection'), hydra('supportedOperation'), `<${vocab('BookCollection/operation/list')}>`],
    [vocab('BookCollection/operation/list'), hydra('returns'), `<${vocab('BookCollection')}>`],
    [vocab('AuthorCollection/operation/create'), hydra('expects'), `<${vocab('Author')}>`],
    [vocab('AuthorCollection/operation/create'), hydra('method'), '"POST"'],
    [vocab('AuthorCollection/operation/create'), TYPE, '<https://schema.org/CreateAction>'],
    [vocab('Author/operation/delete'), hydra('returns'), `<${owl('Nothing')}>`],
    [vocab('EntryPoint/books'), TYPE, `<${hydra('Link')}>`],
    [vocab('EntryPoint/books'), rdfs('range'), `<${hydra('Collection')}>`],
    [vocab('EntryPoint/books'), rdfs('domain'), `<${vocab('EntryPoint')}>`],
    [vocab('EntryPoint/books'), owl('maxCardinality'), literal('1', 'integer')],
    [vocab('Book/price'), TYPE, `<${rdf('Property')}>`],
    [vocab('Book/price'), rdfs('range'), `<${xsd('decimal')}>`],
    [vocab('Book/price'), rdfs('label'), '"price"'],
    [vocab('Book/author'), TYPE, `<${hydra('Link')}>`],
    [vocab('Book/author'), rdfs('range'), `<${vocab('Author')}>`],
    [vocab('Book/author'), rdfs('domain'), '<http://schema.org/Book>'],
    [vocab('Book/author'), owl('maxCardinality'), literal('1', 'integer')],
    [vocab('ConstraintViolationList'), rdfs('subClassOf'), `<${hydra('Error')}>`],
  ]
  for (const [subject, predicate, object] of expected) {
    assert.ok(quads.includes(quad(subject, predicate, object)), `${subject} ${predicate} ${object}`)
  }
  assert.equal(
    quads.some((line) =>
      line.startsWith(quad(vocab('Book/authors'), owl('maxCardinality'), '').slice(0, -2)),
    ),
    false,
  )
  const about = (predicate: string, object: string) =>
    quads.filter((line) => line.endsWith(` <${predicate}> ${object} .`)).length
  // Once in the link of the entry point and once in the class of the collection.
  assert.equal(about(hydra('object'), '<http://schema.org/Book>'), 2)
  assert.equal(about(owl('allValuesFrom'), '<http://schema.org/Book>'), 1)
  assert.equal(about(owl('onProperty'), `<${hydra('member')}>`), 2)
  assert.equal(about(hydra('property'), `<${vocab('Book/price')}>`), 1)
  assert.equal(
    about(hydra('writable'), literal('true', 'boolean')),
    about(hydra('writeable'), literal('true', 'boolean')),
  )

  // A term that no context knows would end up in the vocabulary of this API.
  const own = quads
    .map((line) => /^\S+ <([^>]+)>/.exec(line)?.[1] ?? '')
    .filter((iri) => iri.startsWith(base))
  assert.deepEqual(own, [])
})

test('an API file whose context no processor could read is refused with its place', () => {
  const table: [properties: string, refused: boolean][] = [
    ['urn: { type: string, iri: "urn:example:p" }', true],
    ['urn: string, p: { type: string, iri: "urn:example:p" }', true],
    ['urn: string, p: { type: string, iri: "tag:example" }', false],
    ['http: { type: string, iri: "http://schema.org/name" }', false],
  ]
  for (const [properties, refused] of table) {
    const read = readShortForm(`classes: { Thing: { properties: { ${properties} } } }`, 'api.yaml')
    assert.equal('problems' in read, refused, properties)
    if ('problems' in read) assert.match(JSON.stringify(read.problems), /would be taken for the property/)
  }
})

test('a class may have the name of one of Hydra’s, and is not taken for it', async (t) => {
  const names = ['Collection', 'IriTemplate', 'Class', 'Link', 'Operation', 'Error', 'Resource']
  const classes = names.map((name) => `  ${name}: { collection: c-${name}, properties: { title: string } }`)
  const { add, get, base } = await serveSignedIn(t, { api: `classes:\n${classes.join('\n')}\n` })
  const documentation = await quadsOf((await get('/vocab')).json())
  for (const name of names) {
    const own = `${base}/vocab#${name}`
    const member = await add(`/c-${name}`, { title: 'a' })
    const expected = [quad(member['@id'], TYPE, `<${own}>`), quad(member['@id'], `${own}/title`, '"a"')]
    assert.deepEqual((await quadsOf(member)).sort(), expected.sort())
    const collection = await quadsOf((await get(`/c-${name}`)).json())
    const within = collection.filter((line) => line.startsWith(`<${member['@id']}>`))
    assert.deepEqual(within.sort(), expected)
    assert.ok(documentation.includes(quad(`${base}/vocab`, hydra('supportedClass'), `<${own}>`)))
  }
})
