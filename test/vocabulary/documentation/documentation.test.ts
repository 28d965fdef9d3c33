import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createDocumentation } from '../../../src/vocabulary/documentation/documentation.ts'
import type { Class, Model } from '../../../src/vocabulary/index.ts'
import { modelOf } from '../api-files.ts'

const BASE = 'https://host.example/api'
const VOCAB = `${BASE}/vocab#`

/** A node of the documentation, with what is asked of one here. */
interface Described {
  readonly '@id'?: string
  readonly '@type'?: string
  readonly '@graph'?: unknown
  readonly title?: string
  readonly description?: string
  readonly entrypoint?: string
  readonly method?: string
  readonly returns?: string
  readonly subClassOf?: string
  readonly range?: unknown
  readonly memberAssertion?: unknown
  readonly 'owl:maxCardinality'?: number
  readonly writable?: boolean
  readonly writeable?: boolean
  readonly property?: Described
  readonly linkedBy?: Described
  readonly supportedClass?: readonly Described[]
  readonly supportedProperty?: readonly Described[]
  readonly supportedOperation?: readonly Described[]
}

const described = (model: Model, session = false): Described =>
  JSON.parse(JSON.stringify(createDocumentation(model, BASE, { session, problemTypes: [] })))

const documentationOf = (text: string, session = false): Described => described(modelOf(text), session)

const LIBRARY = `
title: Library
description: Books
classes:
  Author:
    properties: { name: { type: string, required: true, title: Full name } }
  Book:
    iri: http://schema.org/Book
    properties:
      price: { type: decimal, writable: false }
      author: { type: Author, required: true }
      sequels: { type: Book, many: true }
`

const classNamed = (documentation: Described, iri: string): Described =>
  documentation.supportedClass?.find((cls) => cls['@id'] === iri) ?? assert.fail(`no class ${iri}`)

const propertyNamed = (cls: Described, title: string): Described =>
  cls.supportedProperty?.find((property) => property.title === title) ?? assert.fail(`no property ${title}`)

const methodsOf = (holder: Described | undefined) => holder?.supportedOperation?.map(({ method }) => method)

describe('the documentation', () => {
  const documentation = documentationOf(LIBRARY)

  it('is named by its URL and leads to the entry point', () => {
    assert.equal(documentation['@id'], `${BASE}/vocab`)
    assert.equal(documentation['@type'], 'ApiDocumentation')
    assert.equal(documentation.entrypoint, `${BASE}/`)
    assert.equal(documentation.title, 'Library')
    assert.equal(documentation['@graph'], undefined)
  })

  it('has a class for the entry point, each collection, each class, and what the server has by itself', () => {
    const ids = documentation.supportedClass?.map((cls) => cls['@id'])
    assert.deepEqual(ids, [
      `${VOCAB}EntryPoint`,
      `${VOCAB}AuthorCollection`,
      `${VOCAB}Author`,
      `${VOCAB}BookCollection`,
      'http://schema.org/Book',
      `${VOCAB}OperationBatch`,
      `${VOCAB}events`,
      `${VOCAB}OpenApiDocument`,
      `${VOCAB}summaries`,
      `${VOCAB}summaries/Summary`,
      `${VOCAB}ConstraintViolationList`,
    ])
  })

  it('leads from the entry point to the collections', () => {
    const { property, writable, writeable } = propertyNamed(
      classNamed(documentation, `${VOCAB}EntryPoint`),
      'books',
    )
    assert.deepEqual([writable, writeable], [false, false])
    assert.equal(property?.['@type'], 'Link')
    assert.deepEqual(property?.range, [
      'hydra:Collection',
      {
        'owl:equivalentClass': {
          'owl:onProperty': { '@id': 'hydra:member' },
          'owl:allValuesFrom': { '@id': 'http://schema.org/Book' },
        },
      },
    ])
    assert.deepEqual(property?.memberAssertion, { property: 'rdf:type', object: 'http://schema.org/Book' })
    assert.deepEqual(methodsOf(property), ['GET', 'POST'])
  })

  it('gives collections list and create', () => {
    const cls = classNamed(documentation, `${VOCAB}AuthorCollection`)
    assert.equal(cls.subClassOf, 'hydra:Collection')
    assert.deepEqual(
      cls.supportedOperation?.map(({ title, method, returns }) => [title, method, returns]),
      [
        ['List Authors', 'GET', `${VOCAB}AuthorCollection`],
        ['Create Author', 'POST', `${VOCAB}Author`],
      ],
    )
  })

  it('describes properties by key, label, range and cardinality', () => {
    const name = propertyNamed(classNamed(documentation, `${VOCAB}Author`), 'name')
    assert.deepEqual(name, {
      '@type': 'SupportedProperty',
      title: 'name',
      required: true,
      readable: true,
      writable: true,
      writeable: true,
      property: {
        '@id': `${VOCAB}Author/name`,
        '@type': 'rdf:Property',
        label: 'Full name',
        domain: `${VOCAB}Author`,
        range: 'xsd:string',
      },
    })
    const book = classNamed(documentation, 'http://schema.org/Book')
    assert.equal(propertyNamed(book, 'price').writeable, false)
    const author = propertyNamed(book, 'author').property
    assert.deepEqual(
      [author?.['@type'], author?.range, author?.['owl:maxCardinality']],
      ['Link', `${VOCAB}Author`, 1],
    )
    const sequels = propertyNamed(book, 'sequels').property
    assert.deepEqual([sequels?.range, sequels?.['owl:maxCardinality']], ['http://schema.org/Book', undefined])
  })

  it('promises every operation of the class', () => {
    assert.deepEqual(methodsOf(classNamed(documentation, `${VOCAB}Author`)), [
      'GET',
      'PATCH',
      'PUT',
      'DELETE',
    ])
  })

  it('says by which methods a document of others creates and replaces', () => {
    const model = modelOf('classes: { A: }')
    const classes = model.classes.map(
      (cls): Class => ({ ...cls, methods: { create: ['PUT', 'POST'], replace: ['POST'] } }),
    )
    const others = described({ ...model, classes })
    const operations = [`${VOCAB}ACollection`, `${VOCAB}A`].flatMap((iri) =>
      classNamed(others, iri).supportedOperation?.map(({ title, method }) => `${method} ${title}`),
    )
    assert.deepEqual(operations, [
      ...['GET List As', 'PUT Create A', 'POST Create A'],
      ...['GET Get A', 'PATCH Update A', 'POST Replace A', 'DELETE Delete A'],
    ])
    const ids =
      others.supportedClass?.flatMap((cls) => cls.supportedOperation?.map((one) => one['@id']) ?? []) ?? []
    assert.equal(new Set(ids).size, ids.length)
  })

  it('promises only what is declared', () => {
    const only = documentationOf('classes: { A: { operations: [list, read, replace] } }')
    assert.deepEqual(methodsOf(classNamed(only, `${VOCAB}A`)), ['GET', 'PUT'])
    assert.deepEqual(methodsOf(classNamed(only, `${VOCAB}ACollection`)), ['GET'])
  })

  it('gives every operation a title, a method, and what it returns', () => {
    const operations = documentationOf(LIBRARY, true).supportedClass?.flatMap(
      (cls) => cls.supportedOperation ?? [],
    )
    assert.equal(operations?.length, 19)
    for (const { title, method, returns } of operations ?? []) {
      assert.ok(title && method && returns)
      assert.equal(method === 'DELETE', returns === 'owl:Nothing')
    }
  })

  it('names no operation like a property', () => {
    const names = ['get', 'update', 'replace', 'delete', 'operation']
    const text = `classes: { A: { collection: get, properties: { ${names.map((name) => `${name}: string`)} } } }`
    const classes = documentationOf(text).supportedClass ?? []
    const operations = classes
      .flatMap((cls) => cls.supportedOperation ?? [])
      .map((operation) => operation['@id'])
    const properties = classes
      .flatMap((cls) => cls.supportedProperty ?? [])
      .map(({ property }) => property?.['@id'])
    assert.equal(new Set([...operations, ...properties]).size, operations.length + properties.length)
  })

  it('has a session where there is one', () => {
    assert.ok(!JSON.stringify(documentation).includes('Session'))
    const guarded = documentationOf(LIBRARY, true)
    const session = classNamed(guarded, `${VOCAB}Session`)
    const { '@id': link, range } = session.linkedBy ?? {}
    assert.deepEqual([link, range], [`${VOCAB}EntryPoint/session`, `${VOCAB}Session`])
    assert.deepEqual(methodsOf(session), ['GET', 'DELETE'])
    assert.deepEqual(
      session.supportedProperty?.map(({ title, writable, property }) => [title, writable, property?.range]),
      [
        ['user', false, 'xsd:integer'],
        ['account', false, 'hydra:Resource'],
        ['issuedAt', false, 'xsd:dateTime'],
        ['expiresAt', false, 'xsd:dateTime'],
        ['roles', false, 'xsd:string'],
      ],
    )
  })

  const parts = documentationOf(`classes:
  Person:
    properties:
      address: { type: Address, description: Where to write to }
      former: { type: Address, many: true }
      bio: langString
  Address: { collection: false, description: A place, properties: { street: string } }
  Settings:
    collection: false
    operations: [create, read, update, replace, delete]
    properties: { motto: string }
`)

  it('has embedded values as classes that nothing can be done to, and as ranges', () => {
    const address = classNamed(parts, `${VOCAB}Address`)
    assert.equal(address.supportedOperation, undefined)
    assert.equal(address.supportedProperty?.length, 1)
    const person = classNamed(parts, `${VOCAB}Person`)
    const rows = [
      ['address', 'rdf:Property', `${VOCAB}Address`, 1],
      ['former', 'rdf:Property', `${VOCAB}Address`, undefined],
      ['bio', 'rdf:Property', 'rdf:langString', undefined],
    ] as const
    for (const [name, type, range, maxCardinality] of rows) {
      const property = propertyNamed(person, name).property
      assert.deepEqual(
        [property?.['@type'], property?.range, property?.['owl:maxCardinality']],
        [type, range, maxCardinality],
        name,
      )
    }
    assert.equal(propertyNamed(person, 'address').description, 'Where to write to')
    assert.equal(propertyNamed(person, 'address').property?.description, 'Where to write to')
  })

  it('says of a single resource which link leads to it, and that PUT creates and replaces it', () => {
    const entryPoint = classNamed(parts, `${VOCAB}EntryPoint`)
    assert.deepEqual(
      entryPoint.supportedProperty?.map(({ title }) => title),
      ['persons'],
    )
    const settings = classNamed(parts, `${VOCAB}Settings`)
    const link = settings.linkedBy
    assert.deepEqual(
      [link?.['@id'], link?.['@type'], link?.range, link?.['owl:maxCardinality']],
      [`${VOCAB}EntryPoint/Settings`, 'Link', `${VOCAB}Settings`, 1],
    )
    assert.deepEqual(methodsOf(settings), ['PUT', 'GET', 'PATCH', 'PUT', 'DELETE'])
    assert.deepEqual(
      settings.supportedOperation?.map(({ title }) => title),
      ['Create Settings', 'Get Settings', 'Update Settings', 'Replace Settings', 'Delete Settings'],
    )
    assert.equal(
      parts.supportedClass?.some((cls) => cls['@id'] === `${VOCAB}SettingsCollection`),
      false,
    )
  })
})
