import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  bookDocument,
  classesOf,
  classOf,
  collectionOf,
  documentOf,
  entryPointTo,
  type Json,
  modelOf,
  notesOf,
  operations,
  supported,
} from './document.ts'

const name = supported('name', 'xsd:string')
const GET = operations('GET')

// contract: What a document lacks is completed
test('A document that lacks nothing has no notes', async () => {
  assert.deepEqual(await notesOf(bookDocument([name], [], operations('GET', 'PUT'))), [])
})

describe('What was completed is told', () => {
  const untitled = ({ title: _, ...rest }: Json): Json => rest
  const cases: [what: string, document: Json, note: RegExp][] = [
    [
      'the title',
      untitled(bookDocument([name])),
      /^There is no title; completed: "example", the name of the file\.$/m,
    ],
    [
      'the class of the entry point',
      documentOf([classOf('Book', [name], GET)]),
      /^There is no class of the entry point; completed\.$/m,
    ],
    [
      'the class of a collection',
      documentOf([classOf('Book', [name], GET)]),
      /^supportedClass "Book": there is no class of its collection; completed: BookCollection\.$/m,
    ],
    [
      'the path of a collection',
      documentOf([classOf('Category', [name], GET)]),
      /nothing names the path of its collection; completed: "categories"/,
    ],
    [
      'the way to a collection',
      documentOf([entryPointTo({}), collectionOf('Book'), classOf('Book', [name], GET)]),
      /the entry point does not lead to its collection; completed/,
    ],
    [
      'the title of a class',
      bookDocument([name], [untitled({ ...classOf('Author', [name], operations('GET', 'POST')) })]),
      /supportedClass "Author": it has no title; completed: "Author"/,
    ],
    [
      'titles and returns of operations',
      bookDocument([name], [], [{ method: 'GET' }, { method: 'PUT' }]),
      /^supportedClass "Book": the title of GET, PUT is missing; completed\.\nsupportedClass "Book": "returns" of GET, PUT is missing; completed\.$/m,
    ],
    [
      'operations',
      documentOf([collectionOf('Book', []), classOf('Book', [name])]),
      /supportedClass "Book": it has no operations; it can be listed and read/,
    ],
    [
      'the type of the documentation',
      untyped(bookDocument([name])),
      /^The type "ApiDocumentation" is missing; the node with "supportedClass" is taken for it\.$/m,
    ],
  ]
  for (const [what, document, note] of cases) {
    it(what, async () => assert.match((await notesOf(document)).join('\n'), note))
  }
})

function untyped({ '@type': _, ...rest }: Json): Json {
  return rest
}

describe('What is left out or served otherwise is told', () => {
  const cases: [what: string, document: Json, note: RegExp][] = [
    [
      'keys without a meaning',
      {
        ...bookDocument([name]),
        '@context': 'http://www.w3.org/ns/hydra/context.jsonld',
        supportedClass: relative(),
        nonsense: 1,
      },
      /^ignored: keys without a meaning in the context of the document: "nonsense"\.$/m,
    ],
    [
      'another name of a class',
      documentOf([classOf('drone_log', [name], GET)]),
      /supportedClass "DroneLog": it is "drone_log" in the document, and served as DroneLog/,
    ],
    [
      'another name of the class of a collection',
      documentOf([
        { ...collectionOf('Book'), '@id': 'http://example.org/vocab#Shelf' },
        classOf('Book', [name], GET),
      ]),
      /supportedClass "Shelf": the class of this collection is served as BookCollection/,
    ],
    [
      'a class above',
      documentOf([{ ...classOf('Book', [name], GET), subClassOf: 'http://schema.org/Thing' }]),
      /^ignored: supportedClass "Book": "subClassOf" "http:\/\/schema.org\/Thing", since nothing is inherited/m,
    ],
    [
      'one IRI of two properties',
      bookDocument([
        supported('title', 'xsd:string', {}, { '@id': 'http://schema.org/name' }),
        supported('subtitle', 'xsd:string', {}, { '@id': 'http://schema.org/name' }),
      ]),
      /supportedProperty "subtitle": it has the IRI of "title", and is served under a term of its own/,
    ],
    [
      'a read-only property',
      bookDocument([supported('added', 'xsd:dateTime', { writable: false })]),
      /supportedProperty "added": nobody can write it and nothing fills it in; it stays empty/,
    ],
    [
      'a link of the entry point that leads nowhere',
      documentOf([
        { ...entryPointTo({}), supportedProperty: [supported('help', 'http://example.com/Help')] },
        collectionOf('Book'),
        classOf('Book', [name], GET),
      ]),
      /^ignored: supportedClass "EntryPoint", supportedProperty "help": it leads to no class of this document/m,
    ],
    [
      'a search template',
      documentOf([
        { ...collectionOf('Book'), search: { template: '/books{?q}' } },
        classOf('Book', [name], GET),
      ]),
      /^ignored: supportedClass "BookCollection": its search template/m,
    ],
    [
      'a second collection of a class',
      documentOf([
        entryPointTo({ books: 'Book', novels: 'Book' }),
        collectionOf('Book'),
        classOf('Book', [name], GET),
      ]),
      /^ignored: .*supportedProperty "novels": Book has the collection "books", where all members are/m,
    ],
    [
      'a class that is described but not listed',
      { ...documentOf([classOf('Book', [name], GET)]), '@included': [classOf('Author', [name], GET)] },
      /supportedClass "Author": it is not in "supportedClass", but described; it counts as listed/,
    ],
  ]
  for (const [what, document, note] of cases) {
    it(what, async () => assert.match((await notesOf(document)).join('\n'), note))
  }
})

describe('A misspelt term of Hydra is told with what was probably meant', () => {
  const cases: [what: string, document: Json, note: string][] = [
    [
      'a property of a property',
      bookDocument([supported('name', 'xsd:string', { 'hydra:requird': true })]),
      'ignored: "hydra:requird" in "name" is not a term of Hydra; did you mean "hydra:required"?',
    ],
    [
      'a type',
      bookDocument([name], [{ ...classOf('Author', [name], GET), '@type': 'hydra:Clas' }]),
      'ignored: "hydra:Clas" in "Author" is not a term of Hydra; did you mean "hydra:Class"?',
    ],
    [
      'something that resembles nothing',
      bookDocument([name], [{ ...classOf('Author', [name], GET), 'hydra:xyzzyxyzzy': 1 }]),
      'ignored: "hydra:xyzzyxyzzy" in "Author" is not a term of Hydra; see the Hydra Core Vocabulary.',
    ],
  ]
  for (const [what, document, note] of cases) {
    it(what, async () => assert.ok((await notesOf(document)).includes(note), note))
  }

  it('once, however often it is there', async () => {
    const wrong = (title: string) => supported(title, 'xsd:string', { 'hydra:requird': true })
    const notes = await notesOf(bookDocument([wrong('a'), wrong('b')]))
    assert.equal(notes.filter((note) => note.includes('requird')).length, 1)
  })

  it('and terms of older drafts are none', async () => {
    const older = supported('name', 'xsd:string', { 'hydra:readonly': false, 'hydra:statusCodes': [] })
    const document = bookDocument([older], [], operations('GET', 'PUT'))
    assert.deepEqual(await notesOf({ ...document, 'hydra:itemsPerPage': 3 }), [])
  })
})

function relative(): Json[] {
  return [{ ...classOf('Book', [name], GET) }]
}

test('Classes that every server brings along are not served, unless something uses them', async () => {
  const brought = [
    { '@id': 'hydra:Resource', '@type': 'Class', title: 'Resource' },
    {
      '@id': 'hydra:Collection',
      '@type': 'Class',
      title: 'Collection',
      supportedProperty: [supported('members')],
    },
    classOf('Status', [name]),
    classOf('Error', [name]),
    { ...classOf('Failure', [name], GET), subClassOf: 'hydra:Error' },
    classOf('ConstraintViolation', [name]),
    classOf('ConstraintViolationList', [supported('violations', 'ConstraintViolation')]),
  ]
  assert.deepEqual([...(await classesOf(bookDocument([name], brought))).keys()], ['Book'])
  const used = await classesOf(
    bookDocument([supported('status', 'http://example.org/vocab#Status')], brought),
  )
  assert.deepEqual([...used.keys()], ['Book', 'Status'])
})

test('The title and the description of the document are those of the API', async () => {
  const document = documentOf([classOf('Book', [name], GET)], { title: 'A', description: 'B' })
  const { title, description } = await modelOf(document)
  assert.deepEqual([title, description], ['A', 'B'])
})

test('Of several languages the English text counts', async () => {
  const title = [
    { '@value': 'Bücher', '@language': 'de' },
    { '@value': 'Books', '@language': 'en-GB' },
  ]
  assert.equal((await modelOf(documentOf([classOf('Book', [name], GET)], { title }))).title, 'Books')
})
