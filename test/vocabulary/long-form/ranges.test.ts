import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Property } from '../../../src/vocabulary/index.ts'
import {
  bookDocument,
  classesOf,
  classOf,
  collectionOf,
  type Json,
  notesOf,
  operations,
  supported,
} from './document.ts'

const author = [
  collectionOf('Author'),
  classOf('Author', [supported('name', 'xsd:string')], operations('GET')),
]

async function propertyOf(property: Json, more: readonly Json[] = author): Promise<Property | undefined> {
  return (await classesOf(bookDocument([property], more))).get('Book')?.properties[0]
}

const says = ({ range, many }: Property): string =>
  (range.kind === 'datatype' ? range.datatype : range.kind === 'link' ? `→ ${range.className}` : '{}') +
  (many ? ' many' : '')

describe('Datatypes', () => {
  const cases: [range: string, datatype: string, constraints?: object][] = [
    ['xsd:string', 'string'],
    ['xsd:boolean', 'boolean'],
    ['xsd:integer', 'integer'],
    ['xsd:nonNegativeInteger', 'nonNegativeInteger'],
    ['xsd:positiveInteger', 'positiveInteger'],
    ['xsd:decimal', 'decimal'],
    ['xsd:double', 'double'],
    ['xsd:float', 'float'],
    ['xsd:date', 'date'],
    ['xsd:dateTime', 'dateTime'],
    ['xsd:time', 'time'],
    ['xsd:duration', 'duration'],
    ['xsd:anyURI', 'anyURI'],
    ['rdf:langString', 'langString'],
    ['xsd:int', 'integer'],
    ['xsd:unsignedShort', 'nonNegativeInteger'],
    ['xsd:negativeInteger', 'integer', { maximum: -1 }],
    ['xsd:nonPositiveInteger', 'integer', { maximum: 0 }],
    ['xsd:token', 'string'],
    ['xsd:dateTimeStamp', 'dateTime'],
    ['rdfs:Literal', 'string'],
    ['http://schema.org/Text', 'string'],
    ['https://schema.org/Number', 'decimal'],
    ['https://schema.org/URL', 'anyURI'],
    ['hydra:Resource', 'anyURI'],
  ]
  for (const [range, datatype, constraints = {}] of cases) {
    it(`${range} → ${datatype}`, async () => {
      const property = await propertyOf(supported('value', range))
      assert.deepEqual(
        [property?.range, property?.constraints],
        [{ kind: 'datatype', datatype }, constraints],
      )
    })
  }

  it('a range that is written as a plain string', async () => {
    const property = { 'rdfs:range': 'xsd:date', range: [] }
    assert.deepEqual((await propertyOf(supported('value', undefined, {}, property)))?.range, {
      kind: 'datatype',
      datatype: 'date',
    })
  })

  it('no range is a string, and a link without one an IRI; both are told', async () => {
    assert.equal(says((await propertyOf(supported('value'))) as Property), 'string')
    const link = supported('value', undefined, {}, { '@type': 'Link' })
    assert.equal(says((await propertyOf(link)) as Property), 'anyURI')
    assert.ok(
      (await notesOf(bookDocument([link]))).includes(
        'supportedClass "Book", supportedProperty "value" NoRange(anyURI)',
      ),
    )
  })
})

const asserting = (term: string): Json => ({ [term]: { property: 'rdf:type', object: 'Author' } })

const adding = (): Json => ({ supportedOperation: [{ method: 'POST', expects: 'Author' }] })

describe('Links, single and many', () => {
  const link = (title: string, range: unknown, about: Json = {}): Json =>
    supported(title, range, {}, { '@type': 'Link', ...about })
  const restricted = {
    'owl:equivalentClass': {
      'owl:onProperty': { '@id': 'hydra:member' },
      'owl:allValuesFrom': { '@id': 'http://example.org/vocab#Author' },
    },
  }
  const cases: [what: string, property: Json, expected: string][] = [
    ['a class', link('author', 'Author'), '→ Author'],
    ['a class, named in the plural', link('authors', 'Author'), '→ Author many'],
    ['a class, named in the plural at the end', link('coAuthors', 'Author'), '→ Author many'],
    ['a class, at most one', link('authors', 'Author', { 'owl:maxCardinality': 1 }), '→ Author'],
    ['a class, at most three', link('author', 'Author', { 'owl:maxCardinality': 3 }), '→ Author many'],
    [
      'a functional property',
      link('authors', 'Author', { '@type': ['Link', 'owl:FunctionalProperty'] }),
      '→ Author',
    ],
    ['a collection class', link('author', 'AuthorCollection'), '→ Author many'],
    [
      'a collection by its member assertion',
      link('by', 'hydra:Collection', asserting('memberAssertion')),
      '→ Author many',
    ],
    [
      'a collection by what it manages',
      link('by', 'hydra:Collection', asserting('manages')),
      '→ Author many',
    ],
    ['a collection by a restriction', link('by', ['hydra:Collection', restricted]), '→ Author many'],
    ['a collection by its name', link('knownAuthors', 'hydra:Collection'), '→ Author many'],
    ['a collection by what is added to it', link('by', 'hydra:Collection', adding()), '→ Author many'],
    ['no range, by what is added to it', link('by', undefined, adding()), '→ Author many'],
    ['a class without a Link', supported('author', 'Author'), '→ Author'],
    [
      'a property that is a class',
      supported('by', undefined, {}, { '@id': 'http://example.org/vocab#Author' }),
      '→ Author',
    ],
  ]
  for (const [what, property, expected] of cases) {
    it(`${what}: ${expected}`, async () =>
      assert.equal(says((await propertyOf(property)) as Property), expected))
  }

  it('Who says "at most one" of some links means "many" by the silence about others', async () => {
    const document = bookDocument(
      [link('author', 'Author', { 'owl:maxCardinality': 1 }), link('editor', 'Author')],
      author,
    )
    const properties = (await classesOf(document)).get('Book')?.properties ?? []
    assert.deepEqual(properties.map(says), ['→ Author', '→ Author many'])
  })
})

describe('Flags', () => {
  const cases: [flags: Json, expected: [required: boolean, writable: boolean]][] = [
    [{}, [false, true]],
    [{ required: true }, [true, true]],
    [{ required: 'true' }, [true, true]],
    [{ required: 'null', writable: 'null' }, [false, true]],
    [{ writable: false }, [false, false]],
    [{ writeable: false }, [false, false]],
    [{ writeable: 'false' }, [false, false]],
    [{ writable: true, writeable: false }, [false, true]],
    [{ readonly: true }, [false, false]],
    [{ required: true, writable: false }, [false, false]],
  ]
  for (const [flags, expected] of cases) {
    it(JSON.stringify(flags), async () => {
      const property = await propertyOf(supported('name', 'xsd:string', flags))
      assert.deepEqual([property?.required, property?.writable], expected)
    })
  }

  it('What cannot be read in the document can be read here, and that is told', async () => {
    const secret = supported('secret', 'xsd:string', { readable: false })
    assert.ok(
      (await notesOf(bookDocument([secret]))).includes(
        'ignored supportedClass "Book", supportedProperty "secret" NotReadable',
      ),
    )
  })
})

describe('No two members have the same value', () => {
  const DASH = 'http://datashapes.org/dash#uniqueValueForClass'
  const shaped = (title: string, range: string, said: unknown): Json => ({
    ...bookDocument([supported(title, range)]),
    'sh:shapesGraph': {
      'sh:targetClass': { '@id': 'http://example.org/vocab#Book' },
      'sh:property': {
        'sh:path': { '@id': `http://example.org/vocab#${title}` },
        'sh:maxCount': 1,
        [DASH]: said,
      },
    },
  })
  const identifying = { '@type': ['rdf:Property', 'owl:InverseFunctionalProperty'] }
  const cases: [what: string, document: Json, unique: boolean][] = [
    ['of what identifies', bookDocument([supported('isbn', 'xsd:string', {}, identifying)]), true],
    [
      'of what is unique for the class',
      shaped('isbn', 'xsd:string', { '@id': 'http://example.org/vocab#Book' }),
      true,
    ],
    ['of what is said to be unique', shaped('isbn', 'xsd:string', true), true],
    ['but not of what is said not to be', shaped('isbn', 'xsd:string', false), false],
    ['but not of texts by language, which have no one value', shaped('isbn', 'rdf:langString', true), false],
    ['but not of anything else', bookDocument([supported('isbn', 'xsd:string')]), false],
  ]
  for (const [what, document, unique] of cases) {
    it(what, async () => {
      const [property] = (await classesOf(document)).get('Book')?.properties ?? []
      assert.equal(property?.unique, unique)
    })
  }
})
