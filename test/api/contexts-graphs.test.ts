import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hydra, literal, quad, quadsOf, rdf, xsd } from './rdf.ts'
import { type Json, serveSignedIn } from './signed-in.ts'

const TYPE = rdf('type')

// contract: The service is a hypermedia API that serves JSON-LD
// contract: What is served must be right twice
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
      ...Object.fromEntries(
        ['session', 'events', 'openapi', 'batch'].map((name) => [
          vocab(`EntryPoint/${name}`),
          { '@id': `${base}/${name}` },
        ]),
      ),
      [hydra('collection')]: [collection('authors', 'Author'), collection('books', 'Book')],
    }),
  )
})

// contract: What is served must be right twice
// contract: **Collection**: `@type`
test('a collection is the same graph as its expanded form', async (t) => {
  const { get, add, base } = await serveSignedIn(t)
  const vocab = (name: string) => `${base}/vocab#${name}`
  const ann = await add('/authors', { name: 'Ann', born: '1970-01-02' })
  const address = `${base}/authors`
  const links = (view: Json) =>
    Object.fromEntries(
      ['first', 'previous', 'next', 'last'].flatMap((name) =>
        view[name] === undefined ? [] : [[hydra(name), { '@id': view[name] }]],
      ),
    )
  const expanded = (view: Json, templates: object = {}) => ({
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
    [hydra('view')]: { '@id': view['@id'], '@type': hydra('PartialCollectionView'), ...links(view) },
    ...templates,
  })
  const named = (property: string) => {
    if (property.startsWith('hydra:')) return hydra(property.slice('hydra:'.length))
    return property.includes(':') ? property : vocab(`Author/${property}`)
  }
  const whole = (await get('/authors')).json()
  type Template = Json & { mapping: { variable: string; property: string }[] }
  const [search, summary] = [whole.search as Template, whole.summary as Template]
  const expandedTemplate = ({ '@id': id, template, mapping }: Template) => ({
    '@id': id,
    '@type': hydra('IriTemplate'),
    [hydra('template')]: template,
    [hydra('variableRepresentation')]: { '@id': hydra('BasicRepresentation') },
    [hydra('mapping')]: mapping.map(({ variable, property }) => ({
      '@type': hydra('IriTemplateMapping'),
      [hydra('variable')]: variable,
      [hydra('property')]: { '@id': named(property) },
      [hydra('required')]: { '@value': 'false', '@type': xsd('boolean') },
    })),
  })
  assert.ok(search.mapping.some(({ property }) => property === 'name'))
  assert.deepEqual(
    await quadsOf(whole),
    await quadsOf(
      expanded(whole.view as Json, {
        [hydra('search')]: expandedTemplate(search),
        [vocab('summary')]: expandedTemplate(summary),
      }),
    ),
  )
  const page = (await get('/authors?page=1')).json()
  assert.deepEqual(await quadsOf(page), await quadsOf(expanded(page.view as Json)))
})

// contract: `GET`/`HEAD {base}/session` with a token
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
      quad(session, own('account'), `<${base}/accounts/7>`),
      quad(session, own('issuedAt'), literal('2030-01-01T00:00:00.000Z', 'dateTime')),
      quad(session, own('expiresAt'), literal('2030-01-01T00:45:00.000Z', 'dateTime')),
    ].sort(),
  )
})

// contract: With `application/problem+json` in `Accept`
test('a problem document is a hydra:Error with its violations', async (t) => {
  const { post, get, base } = await serveSignedIn(t)
  const vocab = (name: string) => `${base}/vocab#${name}`
  const Accept = 'application/problem+json, application/ld+json'
  const invalid = (await post('/books', { title: 1, pages: 0 }, { Accept })).json()
  const violations = invalid.violations as { propertyPath: string; message: string; code: string }[]
  assert.deepEqual(
    violations.map(({ propertyPath, code }) => [propertyPath, code]),
    [
      ['title', 'WrongDatatype'],
      ['pages', 'BelowMinimum'],
    ],
  )
  assert.deepEqual(
    await quadsOf(invalid),
    await quadsOf({
      '@type': [vocab('ConstraintViolationList'), hydra('Error'), vocab('ValidationFailed')],
      [hydra('title')]: 'Validation failed',
      [hydra('description')]: invalid.detail,
      [hydra('statusCode')]: { '@value': '422', '@type': xsd('integer') },
      [vocab('ConstraintViolationList/violations')]: violations.map(({ propertyPath, message, code }) => ({
        [vocab('propertyPath')]: propertyPath,
        [vocab('message')]: message,
        [vocab('code')]: code,
      })),
    }),
  )
  const missing = (await get('/books/none', { Accept })).json()
  assert.deepEqual(
    await quadsOf(missing),
    await quadsOf({
      '@type': [hydra('Error'), vocab('MemberNotFound')],
      [hydra('title')]: 'Member not found',
      [hydra('description')]: missing.detail,
      [hydra('statusCode')]: { '@value': '404', '@type': xsd('integer') },
    }),
  )
})

// contract: **Vocabulary**: nested
test('the documentation has Hydra’s terms in their namespace and everything else where it belongs', async (t) => {
  const api = `
title: Library
classes:
  Author: { properties: { name: { type: string, required: true } } }
  Book:
    iri: http://schema.org/Book
    operations: [list, read]
    properties: { price: decimal, author: Author, authors: { type: Author, many: true }, size: Size }
  Size: { collection: false, properties: { name: langString } }
  Settings: { collection: false, operations: [create, read] }
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
    [vocab('Book/size'), TYPE, `<${rdf('Property')}>`],
    [vocab('Book/size'), rdfs('range'), `<${vocab('Size')}>`],
    [vocab('Book/size'), owl('maxCardinality'), literal('1', 'integer')],
    [vocab('Size/name'), rdfs('range'), `<${rdf('langString')}>`],
    [vocab('EntryPoint/Settings'), TYPE, `<${hydra('Link')}>`],
    [vocab('EntryPoint/Settings'), rdfs('range'), `<${vocab('Settings')}>`],
    [vocab('Settings/operation/create'), hydra('method'), '"PUT"'],
    [vocab('Settings/operation/create'), hydra('returns'), `<${vocab('Settings')}>`],
    [vocab('shape/Book'), rdfs('isDefinedBy'), `<${base}/vocab>`],
    [vocab('shape/Book'), 'http://www.w3.org/ns/shacl#targetClass', '<http://schema.org/Book>'],
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

  // A term that no context knows would end up in the vocabulary of this API, where only defined ones may be.
  const own = quads
    .map((line) => /^\S+ <([^>]+)>/.exec(line)?.[1] ?? '')
    .filter((iri) => iri.startsWith(base))
  for (const iri of own) assert.ok(quads.includes(quad(iri, rdfs('isDefinedBy'), `<${base}/vocab>`)), iri)
})
