import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import jsonld from 'jsonld'
import { findBundledContext } from '../../../src/vocabulary/index.ts'
import {
  bookDocument,
  classesOf,
  classOf,
  collectionOf,
  documentOf,
  entryPointTo,
  type Json,
  modelOf,
  operations,
  supported,
} from './document.ts'

const XSD = 'http://www.w3.org/2001/XMLSchema#'

/** Everything that a spelling could change: literals, references, blank nodes, lists. */
const DOCUMENT = documentOf(
  [
    entryPointTo({ books: 'Book', authors: 'Author' }),
    collectionOf('Book'),
    classOf(
      'Book',
      [
        supported('name', 'xsd:string', { required: true }, { label: 'its name' }),
        supported('price', 'xsd:decimal'),
        supported('author', 'Author', { required: true }, { '@type': 'Link', 'owl:maxCardinality': 1 }),
        supported('added', 'xsd:dateTime', { writable: false }),
      ],
      operations('GET', 'PUT', 'DELETE'),
    ),
    collectionOf('Author'),
    classOf('Author', [supported('born', 'xsd:date')], operations('GET', 'PATCH')),
  ],
  {
    'sh:shapesGraph': {
      '@type': 'sh:NodeShape',
      'sh:targetClass': { '@id': 'http://example.org/vocab#Book' },
      'sh:property': [
        {
          'sh:path': { '@id': 'http://example.org/vocab#name' },
          'sh:maxCount': 1,
          'sh:in': { '@list': ['Emma', 'Persuasion'] },
        },
        { 'sh:path': { '@id': 'http://example.org/vocab#price' }, 'sh:maxCount': 1, 'sh:minInclusive': 0.5 },
      ],
    },
  },
)

const documentLoader = async (address: string) => ({
  documentUrl: address,
  document: { '@context': findBundledContext(address) },
})
const options = { documentLoader, base: 'http://example.org/vocab' } as never

/** Each class says by which documentation it is supported. */
const REVERSED = {
  '@context': DOCUMENT['@context'],
  '@graph': [
    { ...DOCUMENT, '@context': {}, supportedClass: [] },
    ...(DOCUMENT.supportedClass as Json[]).map((cls) => ({
      ...cls,
      '@reverse': { supportedClass: { '@id': DOCUMENT['@id'] } },
    })),
  ],
}

describe('Any spelling of a document gives the same model', () => {
  const spellings: [name: string, spell: () => unknown][] = [
    ['expanded', () => jsonld.expand(DOCUMENT as never, options)],
    ['flattened', () => jsonld.flatten(DOCUMENT as never, undefined, options)],
    ['with other prefixes', () => jsonld.compact(DOCUMENT as never, OTHER_PREFIXES as never, options)],
    [
      'flattened, with other prefixes',
      () => jsonld.flatten(DOCUMENT as never, OTHER_PREFIXES as never, options),
    ],
    ['from its other end, by @reverse', () => REVERSED],
  ]
  for (const [name, spell] of spellings) {
    it(name, async () => {
      assert.deepEqual(await modelOf((await spell()) as Json), await modelOf(DOCUMENT))
    })
  }
})

const OTHER_PREFIXES = {
  h: 'http://www.w3.org/ns/hydra/core#',
  o: 'http://www.w3.org/2002/07/owl#',
  x: XSD,
  e: 'http://example.org/vocab#',
}

describe('Names', () => {
  it('A term of the document becomes ours, one of a public vocabulary stays', async () => {
    const iri = { '@id': 'http://schema.org/isbn' }
    const book = (
      await classesOf(bookDocument([supported('name'), supported('isbn', 'xsd:string', {}, iri)]))
    ).get('Book')
    assert.equal(book?.iri, undefined)
    assert.deepEqual(
      book?.properties.map((property) => property.iri),
      [undefined, 'http://schema.org/isbn'],
    )
  })

  it('A class of a public vocabulary is called by its title, or by the class of its collection', async () => {
    const place = (title: string) => ({
      ...classOf('Place', [supported('name')], operations('GET')),
      '@id': 'http://schema.org/Place',
      title,
    })
    const holding = { ...collectionOf('Venue'), memberAssertion: { object: 'http://schema.org/Place' } }
    assert.deepEqual([...(await classesOf(documentOf([place('Venue')]))).keys()], ['Venue'])
    assert.deepEqual([...(await classesOf(documentOf([place('A place'), holding]))).keys()], ['Venue'])
    assert.deepEqual([...(await classesOf(documentOf([place('A place')]))).keys()], ['Place'])
  })

  it('A property is called by its title where that can be a key, else by the end of its IRI', async () => {
    const named = (title: string, iri: string) => supported(title, 'xsd:string', {}, { '@id': iri })
    const properties = [
      named('e-mail', 'http://example.org/vocab#Book/mail'),
      named('Number of pages', 'http://schema.org/numberOfPages'),
      named('größe', 'http://example.org/vocab#size'),
      named('Farbe (RAL)', 'http://example.org/farbt%C3%B6ne'),
      named('名'.normalize('NFD'), 'http://example.org/vocab#name'),
      named('Ho\u0308he', 'http://example.org/vocab#height'),
    ]
    const book = (await classesOf(bookDocument(properties))).get('Book')
    assert.deepEqual(
      book?.properties.map(({ name, title }) => [name, title]),
      [
        ['e-mail', 'e-mail'],
        ['numberOfPages', 'Number of pages'],
        ['größe', 'größe'],
        ['farbtöne', 'Farbe (RAL)'],
        ['名', '名'],
        ['Höhe', 'Höhe'],
      ],
    )
  })

  it('Two classes may describe one property of a public vocabulary each in their own way', async () => {
    const name = (title: string, range: string) =>
      supported(title, range, {}, { '@id': 'http://schema.org/name', label: `the ${title}` })
    const document = documentOf([
      classOf('Book', [name('title', 'xsd:string')], operations('GET')),
      classOf('Author', [name('name', 'rdf:langString')], operations('GET')),
    ])
    const classes = await classesOf(document)
    assert.deepEqual(
      [...classes.values()].map(({ properties: [property] }) => [
        property?.name,
        property?.title,
        property?.range,
      ]),
      [
        ['title', 'the title', { kind: 'datatype', datatype: 'string' }],
        ['name', 'the name', { kind: 'datatype', datatype: 'langString' }],
      ],
    )
  })

  it('IRIs that are relative to the document are its own', async () => {
    const document = { ...bookDocument([supported('name')]), '@id': '/docs' }
    const relative = JSON.parse(
      JSON.stringify(document).replaceAll('http://example.org/vocab#', '/docs#'),
    ) as Json
    const { '@context': _, ...rest } = relative
    const book = (
      await classesOf({ '@context': 'http://www.w3.org/ns/hydra/core', ...rest, supportedClass: own(rest) })
    ).get('Book')
    assert.equal(book?.iri, undefined)
    assert.equal(book?.properties[0]?.iri, undefined)
  })
})

/** Without a vocabulary of its own a document cannot name classes by their names alone. */
const own = ({ supportedClass }: Json) =>
  JSON.parse(
    JSON.stringify(supportedClass)
      .replaceAll('"BookCollection"', '"/docs#BookCollection"')
      .replaceAll('"Book"}', '"/docs#Book"}'),
  )
