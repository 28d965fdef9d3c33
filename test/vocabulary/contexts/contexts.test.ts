import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as contexts from '../../../src/vocabulary/contexts/contexts.ts'
import { type Class, errorContext, sessionContext } from '../../../src/vocabulary/index.ts'
import { modelOf } from '../api-files.ts'

const BASE = 'https://host.example/api'
const VOCAB = `${BASE}/vocab#`
const XSD = 'http://www.w3.org/2001/XMLSchema#'
/** Terms of Hydra, of JSON-LD and of JavaScript that a user may want for a property. */
const AWKWARD = [
  ...['title', 'description', 'member', 'view', 'search', 'first', 'collection', 'id', 'type', 'totalItems'],
  ...['hydra', 'rdf', 'xsd', 'urn', 'http', 'property', 'template', 'variable', 'toString', 'constructor'],
]

function classOf(properties: string, more = ''): Class {
  return modelOf(`classes: { Thing: { properties: { ${properties} } ${more} } }`).classes[0] ?? assert.fail()
}

const at = (context: unknown, ...path: (string | number)[]): unknown =>
  path.reduce((value, key) => (value as Record<string | number, unknown>)[key], context)

describe('the context of a member', () => {
  const terms: [declared: string, term: object][] = [
    ['string', { '@id': `${VOCAB}Thing/p` }],
    ['boolean', { '@id': `${VOCAB}Thing/p` }],
    ['integer', { '@id': `${VOCAB}Thing/p` }],
    ['positiveInteger', { '@id': `${VOCAB}Thing/p`, '@type': `${XSD}positiveInteger` }],
    ['decimal', { '@id': `${VOCAB}Thing/p`, '@type': `${XSD}decimal` }],
    ['double', { '@id': `${VOCAB}Thing/p`, '@type': `${XSD}double` }],
    ['float', { '@id': `${VOCAB}Thing/p`, '@type': `${XSD}float` }],
    ['dateTime', { '@id': `${VOCAB}Thing/p`, '@type': `${XSD}dateTime` }],
    ['anyURI', { '@id': `${VOCAB}Thing/p`, '@type': `${XSD}anyURI` }],
    ['Thing', { '@id': `${VOCAB}Thing/p`, '@type': '@id' }],
    ['{ type: Thing, many: true }', { '@id': `${VOCAB}Thing/p`, '@type': '@id', '@container': '@set' }],
    ['{ type: string, iri: "http://schema.org/name" }', { '@id': 'http://schema.org/name' }],
    ['langString', { '@id': `${VOCAB}Thing/p`, '@container': '@language' }],
  ]
  for (const [declared, term] of terms) {
    it(`defines a property of type ${declared}`, () => {
      assert.deepEqual(contexts.memberContext(classOf(`p: ${declared}`), BASE), {
        '@version': 1.1,
        '@vocab': VOCAB,
        p: term,
      })
    })
  }

  it('has no term but the properties', () => {
    const context = contexts.memberContext(classOf(AWKWARD.map((name) => `${name}: string`).join(', ')), BASE)
    assert.deepEqual(Object.keys(context).sort(), ['@version', '@vocab', ...AWKWARD].sort())
    for (const name of AWKWARD) {
      assert.deepEqual(Object.getOwnPropertyDescriptor(context, name)?.value, {
        '@id': `${VOCAB}Thing/${name}`,
      })
    }
  })

  it('has that of an embedded value within the term of it, out of reach of its own', () => {
    const model = modelOf(`classes:
  Thing: { properties: { p: A, q: { type: A, many: true } } }
  A: { collection: false, properties: { b: B } }
  B: { collection: false, iri: "http://schema.org/B", properties: { title: langString } }
`)
    const [thing, a, b] = model.classes
    assert.ok(thing && a && b)
    const { p, q } = contexts.memberContext(thing, BASE)
    const inner = [null, contexts.memberContext(a, BASE)]
    assert.deepEqual(p, { '@id': `${VOCAB}Thing/p`, '@context': inner })
    assert.deepEqual(q, { '@id': `${VOCAB}Thing/q`, '@context': inner, '@container': '@set' })
    assert.deepEqual(at(inner, 1, 'b', '@context'), [null, contexts.memberContext(b, BASE)])
    assert.deepEqual(at(contexts.memberContext(b, BASE), 'B'), { '@id': 'http://schema.org/B' })
  })

  it('has a term for a class of another vocabulary', () => {
    const cls = classOf('p: string', ', iri: "http://schema.org/Thing"')
    assert.deepEqual(at(contexts.memberContext(cls, BASE), 'Thing'), { '@id': 'http://schema.org/Thing' })
    assert.equal(contexts.memberType(cls, BASE), 'Thing')
    assert.equal(contexts.classIri(cls, BASE), 'http://schema.org/Thing')
  })

  it('leaves the name of the class to a property of that name', () => {
    const cls = classOf('Thing: string', ', iri: "http://schema.org/Thing"')
    assert.deepEqual(at(contexts.memberContext(cls, BASE), 'Thing'), { '@id': `${VOCAB}Thing/Thing` })
    assert.equal(contexts.memberType(cls, BASE), 'http://schema.org/Thing')
    assert.equal(contexts.memberType(classOf('Thing: string'), BASE), `${VOCAB}Thing`)
    assert.equal(contexts.storedType(classOf('Thing: string')), '/vocab#Thing')
    assert.equal(contexts.storedType(cls), 'http://schema.org/Thing')
    assert.equal(contexts.storedType(classOf('p: string')), 'Thing')
  })
})

describe('the context of a collection', () => {
  const cls = classOf(AWKWARD.map((name) => `${name}: string`).join(', '))
  const context = contexts.collectionContext(cls, BASE)

  it('hides itself from its members', () => {
    assert.deepEqual(at(context, 'member', '@context'), [
      null,
      contexts.memberContext(cls, BASE, undefined, 'member'),
    ])
  })

  it('keeps the terms of Hydra outside', () => {
    assert.equal(context.totalItems, 'hydra:totalItems')
    assert.equal(at(context, 'view', '@context', 'first', '@id'), 'hydra:first')
    assert.equal(at(context, 'search', '@context', 'template', '@id'), 'hydra:template')
    assert.equal(at(context, 'search', '@context', 'property', '@id'), 'hydra:property')
    assert.equal(Object.hasOwn(at(context, 'search', '@context') as object, 'hydra'), false)
  })

  it('gives each property a name in the search template that means it', () => {
    const search = at(context, 'search', '@context') as Record<string, { '@id': string }>
    for (const property of cls.properties) {
      const name = contexts.mappingProperty(cls, property, BASE)
      const iri = Object.hasOwn(search, name) ? search[name]?.['@id'] : name
      assert.equal(iri, contexts.propertyIri(cls, property, BASE))
    }
  })
})

describe('the other contexts', () => {
  it('of the entry point has a link for each collection', () => {
    const model = modelOf('classes: { Author: , Book: { collection: object } }')
    const context = contexts.entryPointContext(model, BASE)
    assert.deepEqual(context.authors, { '@id': `${VOCAB}EntryPoint/authors`, '@type': '@id' })
    assert.deepEqual(context.object, { '@id': `${VOCAB}EntryPoint/object`, '@type': '@id' })
    assert.equal(at(context, 'collection', '@context', 'object', '@id'), 'hydra:object')
  })

  it('of the entry point has a link for each single resource, and none for embedded values', () => {
    const model = modelOf(`classes:
  Author: { properties: { address: Address } }
  Address: { collection: false }
  Settings: { collection: false, operations: [read] }
`)
    const context = contexts.entryPointContext(model, BASE)
    assert.deepEqual(context.Settings, { '@id': `${VOCAB}EntryPoint/Settings`, '@type': '@id' })
    assert.equal(context.Address, undefined)
    assert.deepEqual(contexts.entryPointPaths(model), ['authors', 'Settings'])
  })

  it('of the session types its times', () => {
    const { user, issuedAt, expiresAt, roles } = sessionContext(BASE)
    assert.deepEqual(user, { '@id': `${VOCAB}Session/user` })
    assert.deepEqual(issuedAt, { '@id': `${VOCAB}Session/issuedAt`, '@type': `${XSD}dateTime` })
    assert.deepEqual(expiresAt, { '@id': `${VOCAB}Session/expiresAt`, '@type': `${XSD}dateTime` })
    assert.deepEqual(roles, { '@id': `${VOCAB}Session/roles`, '@container': '@set' })
  })

  it('of errors gives the keys of RFC 9457 their meaning in Hydra', () => {
    const context = errorContext(BASE)
    assert.equal(context.type, '@type')
    assert.equal(context.title, 'hydra:title')
    assert.equal(context.detail, 'hydra:description')
    assert.equal(context.status, 'hydra:statusCode')
  })
})
