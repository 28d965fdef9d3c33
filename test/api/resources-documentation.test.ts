import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RDFS } from '../../src/vocabulary/index.ts'
import { type Described, LIBRARY, PARTS, readDocumentation } from './described.ts'
import { quadsOf } from './rdf.ts'
import { serveSignedIn, withoutContext } from './signed-in.ts'

const classOf = ({ supportedClass }: Described, iri: string): Described =>
  supportedClass.find((cls) => cls['@id'] === iri) ?? assert.fail(`There is no class ${iri}`)

const propertyOf = ({ supportedProperty }: Described, title: string): Described =>
  supportedProperty.find((property) => property.title === title) ?? assert.fail(`There is no ${title}`)

// contract: A vocabulary address exists
// contract: `{base}/vocab` (ApiDocumentation)
// contract: **Vocabulary**: nested
test('the documentation is one nested document at the URL that every response links to', async (t) => {
  const service = await serveSignedIn(t, { api: LIBRARY })
  const { base } = service
  const documentation = await readDocumentation(service)
  const { '@context': context, supportedClass, possibleStatus, shapes, terms, ...rest } = documentation
  assert.ok(context !== undefined && Array.isArray(possibleStatus) && Array.isArray(terms))
  assert.equal(shapes.length, 3)
  assert.deepEqual(rest, {
    '@id': `${base}/vocab`,
    '@type': 'ApiDocumentation',
    title: 'Library',
    description: 'Books and the people who write them',
    entrypoint: `${base}/`,
    extension: ['http://www.w3.org/ns/shacl#', `${base}/vocab#`],
  })
  assert.deepEqual(
    supportedClass.map((cls) => cls['@id']),
    [
      `${base}/vocab#EntryPoint`,
      `${base}/vocab#AuthorCollection`,
      `${base}/vocab#Author`,
      `${base}/vocab#BookCollection`,
      'http://schema.org/Book',
      `${base}/vocab#AccountCollection`,
      `${base}/vocab#Account`,
      `${base}/vocab#Session`,
      `${base}/vocab#OperationBatch`,
      `${base}/vocab#events`,
      `${base}/vocab#OpenApiDocument`,
      `${base}/vocab#summaries`,
      `${base}/vocab#summaries/Summary`,
      `${base}/vocab#ConstraintViolationList`,
    ],
  )
  const { headers } = await service.get('/authors')
  const link = `<${documentation['@id']}>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`
  assert.equal(headers.link, link)
})

// contract: **Vocabulary**: nested
test('a link of the entry point says what its collection holds, in both ways that clients look for', async (t) => {
  const service = await serveSignedIn(t, { api: LIBRARY })
  const { base } = service
  const entryPoint = classOf(await readDocumentation(service), `${base}/vocab#EntryPoint`)
  const { supportedOperation, ...property } = propertyOf(entryPoint, 'books').property
  assert.deepEqual(property, {
    '@id': `${base}/vocab#EntryPoint/books`,
    '@type': 'Link',
    label: 'books',
    domain: `${base}/vocab#EntryPoint`,
    'owl:maxCardinality': 1,
    range: [
      'hydra:Collection',
      {
        'owl:equivalentClass': {
          'owl:onProperty': { '@id': 'hydra:member' },
          'owl:allValuesFrom': { '@id': 'http://schema.org/Book' },
        },
      },
    ],
    memberAssertion: { property: 'rdf:type', object: 'http://schema.org/Book' },
  })
  assert.deepEqual(
    supportedOperation.map(({ method }) => method),
    ['GET'],
  )
})

// contract: **Vocabulary**: nested
test('each collection has a class of its own that carries list and create', async (t) => {
  const service = await serveSignedIn(t, { api: LIBRARY })
  const { base } = service
  const author = `${base}/vocab#Author`
  const status = (code: number) => `${base}/vocab#status/${code}`
  assert.deepEqual(classOf(await readDocumentation(service), `${author}Collection`), {
    '@id': `${author}Collection`,
    '@type': 'Class',
    subClassOf: 'hydra:Collection',
    title: 'Author collection',
    memberAssertion: { property: 'rdf:type', object: author },
    supportedOperation: [
      {
        '@id': `${author}Collection/operation/list`,
        '@type': ['Operation', 'schema:FindAction'],
        method: 'GET',
        title: 'List Authors',
        returns: `${author}Collection`,
        possibleStatus: [401, 429, 503].map(status),
        expectsHeader: ['X-Authorization'],
        returnsHeader: ['ETag'],
      },
      {
        '@id': `${author}Collection/operation/create`,
        '@type': ['Operation', 'schema:CreateAction'],
        method: 'POST',
        title: 'Create Author',
        expects: author,
        returns: author,
        possibleStatus: [201, 401, 412, 422, 429, 503].map(status),
        expectsHeader: ['X-Authorization'],
        returnsHeader: ['ETag', 'Location'],
      },
    ],
  })
})

// contract: **Vocabulary**: nested
test('a property is described with its key, its range and whether it can be written', async (t) => {
  const service = await serveSignedIn(t, { api: LIBRARY })
  const { base } = service
  const documentation = await readDocumentation(service)
  const book = classOf(documentation, 'http://schema.org/Book')
  const described = (title: string, required: boolean, writable: boolean, property: object) => ({
    '@type': 'SupportedProperty',
    title,
    required,
    readable: true,
    writable,
    writeable: writable,
    property: { domain: 'http://schema.org/Book', ...property },
  })
  const own = (name: string) => `${base}/vocab#Book/${name}`
  assert.deepEqual(book.supportedProperty, [
    {
      ...described('title', true, true, {}),
      label: 'title',
      // Other classes may have the property too, and their members are no books.
      property: {
        '@id': 'http://schema.org/name',
        '@type': 'rdf:Property',
        domainIncludes: 'http://schema.org/Book',
        range: 'xsd:string',
      },
    },
    described('price', false, true, {
      '@id': own('price'),
      '@type': 'rdf:Property',
      label: 'price',
      range: 'xsd:decimal',
    }),
    described('author', true, true, {
      '@id': own('author'),
      '@type': 'Link',
      label: 'author',
      range: `${base}/vocab#Author`,
      'owl:maxCardinality': 1,
      collection: `${base}/authors`,
    }),
    described('sequels', false, true, {
      '@id': own('sequels'),
      '@type': 'Link',
      label: 'sequels',
      range: 'http://schema.org/Book',
      collection: `${base}/books`,
    }),
    described('createdAt', false, false, {
      '@id': own('createdAt'),
      '@type': 'rdf:Property',
      label: 'createdAt',
      range: 'xsd:dateTime',
    }),
  ])
  const name = propertyOf(classOf(documentation, `${base}/vocab#Author`), 'name').property
  assert.equal(name.label, 'Full name')
  assert.equal(name.description, 'As on the cover')
})

// contract: Only the operations that the API file declares exist
// contract: **Vocabulary**: nested
test('every operation in the documentation has a title, a method, what it returns, and is carried out', async (t) => {
  const service = await serveSignedIn(t, { api: `${LIBRARY}${PARTS}` })
  const documentation = await readDocumentation(service)
  const operations = documentation.supportedClass.flatMap((cls) => cls.supportedOperation ?? [])
  assert.ok(operations.length >= 6)
  for (const { title, method, returns } of operations) {
    assert.ok(typeof title === 'string' && title !== '')
    assert.ok(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(String(method)))
    assert.equal(returns === 'owl:Nothing', method === 'DELETE')
  }
  const addresses: [iri: string, path: string][] = [
    [`${service.base}/vocab#EntryPoint`, '/'],
    [`${service.base}/vocab#AuthorCollection`, '/authors'],
    [`${service.base}/vocab#Author`, '/authors/1'],
    [`${service.base}/vocab#BookCollection`, '/books'],
    ['http://schema.org/Book', '/books/1'],
    [`${service.base}/vocab#Settings`, '/Settings'],
    [`${service.base}/vocab#Motto`, '/Motto'],
    [`${service.base}/vocab#Session`, '/session'],
    [`${service.base}/vocab#OperationBatch`, '/batch'],
    [`${service.base}/vocab#OpenApiDocument`, '/openapi'],
  ]
  for (const [iri, path] of addresses) {
    const documented = classOf(documentation, iri).supportedOperation.map(({ method }) => String(method))
    const { allow = '' } = (await service.send('OPTIONS', path)).headers
    assert.deepEqual(
      allow
        .split(', ')
        .filter((method) => method !== 'HEAD')
        .sort(),
      [...new Set(documented)].sort(),
      path,
    )
  }
})

// contract: Their classes and operations are documented all the same.
test('a single resource is described as a class with its operations, and linked to from the entry point', async (t) => {
  const service = await serveSignedIn(t, { api: `${LIBRARY}${PARTS}` })
  const { base } = service
  const documentation = await readDocumentation(service)
  const settings = classOf(documentation, `${base}/vocab#Settings`)
  const titles = ['Create Settings', 'Get Settings', 'Update Settings', 'Replace Settings', 'Delete Settings']
  assert.deepEqual(
    settings.supportedOperation.map(({ title }) => title),
    titles,
  )
  assert.deepEqual(settings.linkedBy, {
    '@id': `${base}/vocab#EntryPoint/Settings`,
    '@type': 'Link',
    label: 'Settings',
    domain: `${base}/vocab#EntryPoint`,
    'owl:maxCardinality': 1,
    range: `${base}/vocab#Settings`,
  })
  // In JSON the class says it; in RDF, and thereby in any order, the property does.
  const quads = await quadsOf(documentation)
  const range = `<${settings.linkedBy['@id']}> <${RDFS}range> <${base}/vocab#Settings> .`
  assert.equal(quads.filter((quad) => quad.trim() === range).length, 1)
})

// contract: What is no collection (`session`, `events`, `batch`, `openapi`, single resources)
test('what is no collection is linked from the entry point, but not among the properties of its class', async (t) => {
  const service = await serveSignedIn(t, { api: `${LIBRARY}${PARTS}` })
  const { base, get } = service
  const documentation = await readDocumentation(service)
  const entryPoint = withoutContext((await get('/')).json())
  for (const [name, cls] of [
    ['session', 'Session'],
    ['batch', 'OperationBatch'],
    ['events', 'events'],
    ['openapi', 'OpenApiDocument'],
    ['Settings', 'Settings'],
    ['Motto', 'Motto'],
  ] as const) {
    assert.equal(entryPoint[name], `${base}/${name}`)
    assert.ok(classOf(documentation, `${base}/vocab#${cls}`).supportedOperation.length > 0)
  }
  const { supportedProperty } = classOf(documentation, `${base}/vocab#EntryPoint`)
  assert.deepEqual(
    supportedProperty.map(({ title }) => title),
    ['authors', 'books'],
  )
})

test('an embedded value is described as a class without operations, and as the range of its property', async (t) => {
  const service = await serveSignedIn(t, { api: `${LIBRARY}${PARTS}` })
  const { base } = service
  const documentation = await readDocumentation(service)
  const address = classOf(documentation, `${base}/vocab#Address`)
  assert.equal(address.supportedOperation, undefined)
  assert.equal(propertyOf(address, 'street').property.range, 'xsd:string')
  const settings = classOf(documentation, `${base}/vocab#Settings`)
  const office = {
    '@id': `${base}/vocab#Settings/office`,
    '@type': 'rdf:Property',
    label: 'office',
    domain: `${base}/vocab#Settings`,
    range: `${base}/vocab#Address`,
    'owl:maxCardinality': 1,
  }
  assert.deepEqual(propertyOf(settings, 'office').property, office)
  assert.equal(propertyOf(settings, 'welcome').property.range, 'rdf:langString')
})
