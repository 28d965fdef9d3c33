import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDocumentation, permittedModel } from '../../src/vocabulary/index.ts'
import { classIn, modelOf, problemsOf, propertyIn } from './api-files.ts'

const API = `
roles: [editor]
classes:
  Author: { properties: { name: string } }
  Book:
    properties:
      author: { type: Author, reverse: books }
      editor: { type: Author, reverse: edited }
  Note:
    access: { list: editor }
    properties:
      about: { type: Author, many: true, iri: http://schema.org/about, reverse: notes }
`
const BASE = 'http://localhost:8080/api'

// contract: `author: { type: Author, reverse: books }` gives
test('the class that a link leads to has the link from the other side', () => {
  const model = modelOf(API)
  assert.deepEqual(classIn(model, 'Author').reverseLinks, [
    { name: 'books', className: 'Book', collection: 'books', property: 'author' },
    { name: 'edited', className: 'Book', collection: 'books', property: 'editor' },
    { name: 'notes', className: 'Note', collection: 'notes', property: 'about' },
  ])
  assert.deepEqual(classIn(model, 'Book').reverseLinks, [])
  assert.equal(propertyIn(classIn(model, 'Book'), 'author').reverse, 'books')
})

test('users who may not list the members that link see nothing of it', () => {
  const model = modelOf(API)
  const shownTo = (...roles: string[]) => {
    const permitted = permittedModel(model, roles)
    const { reverse } = propertyIn(classIn(permitted, 'Note'), 'about')
    const text = JSON.stringify(createDocumentation(permitted, BASE, { session: false, problemTypes: [] }))
    assert.equal(text.includes('vocab#Author/notes'), reverse !== undefined)
    return [classIn(permitted, 'Author').reverseLinks.map(({ name }) => name), reverse]
  }
  assert.deepEqual(shownTo('editor'), [['books', 'edited', 'notes'], 'notes'])
  assert.deepEqual(shownTo(), [['books', 'edited'], undefined])
})

test('a class that users may only link to has none', () => {
  const model = modelOf(API.replace('Author: {', 'Author: { access: { all: editor },'))
  assert.deepEqual(classIn(permittedModel(model, []), 'Author').reverseLinks, [])
  assert.equal(classIn(permittedModel(model, ['editor']), 'Author').reverseLinks.length, 3)
})

// contract: `author: { type: Author, reverse: books }` gives
test('the documentation has a link whose range is the class of the collection', () => {
  const documentation = createDocumentation(modelOf(API), BASE, {
    session: false,
    problemTypes: [],
  }) as unknown as {
    readonly supportedClass: readonly {
      readonly '@id': string
      readonly supportedProperty: readonly Described[]
    }[]
  }
  const author = documentation.supportedClass.find((cls) => cls['@id'] === `${BASE}/vocab#Author`)
  const { property, ...supported } = author?.supportedProperty.find(({ title }) => title === 'notes') ?? {}
  assert.deepEqual(supported, {
    '@type': 'SupportedProperty',
    title: 'notes',
    required: false,
    readable: true,
    writable: false,
    writeable: false,
    reverseOf: 'http://schema.org/about',
  })
  assert.deepEqual(property, {
    '@id': `${BASE}/vocab#Author/notes`,
    '@type': 'Link',
    label: 'notes',
    domain: `${BASE}/vocab#Author`,
    range: `${BASE}/vocab#NoteCollection`,
    'owl:maxCardinality': 1,
  })
})

type Described = Readonly<Record<string, unknown>>

/** The lines of the class Book from line 4 on, and the problems of the file. */
const PROBLEMS: readonly (readonly [lines: string, ...problems: string[]])[] = [
  ['properties: { author: { type: Author, reverse: name } }', '4:52 ReverseTaken(name, Author)'],
  [
    'properties: { a: { type: Author, reverse: books }, b: { type: Author, reverse: books } }',
    '4:84 ReverseTaken(books, Author, Book a)',
  ],
  ['properties: { a: { type: Book, reverse: a } }', '4:45 ReverseTaken(a, Book)'],
  ['properties: { a: { type: Author, reverse: a b } }', '4:47 InvalidPropertyName(a b)'],
  ['properties: { a: { type: Author, reverse: "@id" } }', '4:47 KeywordAsName(@id)'],
  ['properties: { a: { type: Author, reverse: hasOwnProperty } }', '4:47 UnprocessableName(hasOwnProperty)'],
  [
    'properties: { a: { type: Author, reverse: books, filterable: false } }',
    '4:47 ReverseUnlisted(Book, a, filter)',
  ],
  [
    'operations: [read]\n    properties: { a: { type: Author, reverse: books } }',
    '5:47 ReverseUnlisted(Book, a, list)',
  ],
  [
    'collection: false\n    operations: [read]\n    properties: { a: { type: Author, reverse: books } }',
    '6:47 ReverseUnlisted(Book, a, collection)',
  ],
]

// contract: A name that the class has already
test('what cannot lead back is a problem of the file, with its place', () => {
  for (const [lines, ...problems] of PROBLEMS) {
    const file = `classes:\n  Author: { properties: { name: string } }\n  Book:\n    ${lines}\n`
    assert.deepEqual(problemsOf(file), problems, lines)
  }
})

test('a link in an embedded value has no other side', () => {
  const file =
    'classes:\n  A: { properties: { v: V } }\n  V: { collection: false, properties: { a: { type: A, reverse: vs } } }'
  assert.deepEqual(problemsOf(file), ['3:64 ReverseUnlisted(V, a, collection)'])
})

test('an IRI that begins with its name would be taken for it', () => {
  const file =
    'classes:\n  A: { properties: { p: { type: string, iri: "urn:x" } } }\n  B: { properties: { a: { type: A, reverse: urn } } }'
  assert.deepEqual(problemsOf(file), ['2:46 SchemeIsProperty(p, urn)'])
})
