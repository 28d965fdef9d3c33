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
  const cases: [what: string, document: Json, note: string][] = [
    ['the title', untitled(bookDocument([name])), 'NoDocumentTitle(example)'],
    ['the class of the entry point', documentOf([classOf('Book', [name], GET)]), 'NoEntryPoint'],
    [
      'the class of a collection',
      documentOf([classOf('Book', [name], GET)]),
      'supportedClass "Book" NoCollectionClass(Book)',
    ],
    [
      'the path of a collection',
      documentOf([classOf('Category', [name], GET)]),
      'supportedClass "Category" PathFromName(categories)',
    ],
    [
      'the way to a collection',
      documentOf([entryPointTo({}), collectionOf('Book'), classOf('Book', [name], GET)]),
      'supportedClass "Book" NoLinkFromEntryPoint',
    ],
    [
      'the title of a class',
      bookDocument([name], [untitled({ ...classOf('Author', [name], operations('GET', 'POST')) })]),
      'supportedClass "Author" NoClassTitle(Author)',
    ],
    [
      'titles of operations',
      bookDocument([name], [], [{ method: 'GET' }, { method: 'PUT' }]),
      'supportedClass "Book" NoOperationTitle(GET PUT)',
    ],
    [
      'what operations return',
      bookDocument([name], [], [{ method: 'GET' }, { method: 'PUT' }]),
      'supportedClass "Book" NoReturns(GET PUT)',
    ],
    [
      'operations',
      documentOf([collectionOf('Book', []), classOf('Book', [name])]),
      'supportedClass "Book" NoOperations',
    ],
    ['the type of the documentation', untyped(bookDocument([name])), 'UntypedDocumentation'],
  ]
  for (const [what, document, note] of cases) {
    it(what, async () => assert.ok((await notesOf(document)).includes(note), note))
  }
})

function untyped({ '@type': _, ...rest }: Json): Json {
  return rest
}

describe('What is left out or served otherwise is told', () => {
  const cases: [what: string, document: Json, note: string][] = [
    [
      'keys without a meaning',
      {
        ...bookDocument([name]),
        '@context': 'http://www.w3.org/ns/hydra/context.jsonld',
        supportedClass: relative(),
        nonsense: 1,
      },
      'ignored UnknownTerms(nonsense, 0)',
    ],
    [
      'another name of a class',
      documentOf([classOf('drone_log', [name], GET)]),
      'supportedClass "DroneLog" ServedUnderName(drone_log, DroneLog)',
    ],
    [
      'another name of the class of a collection',
      documentOf([
        { ...collectionOf('Book'), '@id': 'http://example.org/vocab#Shelf' },
        classOf('Book', [name], GET),
      ]),
      'supportedClass "Shelf" CollectionClassRenamed(BookCollection)',
    ],
    [
      'a class above',
      documentOf([{ ...classOf('Book', [name], GET), subClassOf: 'http://schema.org/Thing' }]),
      'ignored supportedClass "Book" Inheritance(http://schema.org/Thing)',
    ],
    [
      'one IRI of two properties',
      bookDocument([
        supported('title', 'xsd:string', {}, { '@id': 'http://schema.org/name' }),
        supported('subtitle', 'xsd:string', {}, { '@id': 'http://schema.org/name' }),
      ]),
      'supportedClass "Book", supportedProperty "subtitle" SharedIri(title)',
    ],
    [
      'a read-only property',
      bookDocument([supported('added', 'xsd:dateTime', { writable: false })]),
      'supportedClass "Book", supportedProperty "added" NeverFilled',
    ],
    [
      'a link of the entry point that leads nowhere',
      documentOf([
        { ...entryPointTo({}), supportedProperty: [supported('help', 'http://example.com/Help')] },
        collectionOf('Book'),
        classOf('Book', [name], GET),
      ]),
      'ignored supportedClass "EntryPoint", supportedProperty "help" LinkToNoClass',
    ],
    [
      'a search template',
      documentOf([
        { ...collectionOf('Book'), search: { template: '/books{?q}' } },
        classOf('Book', [name], GET),
      ]),
      'ignored supportedClass "BookCollection" SearchTemplate',
    ],
    [
      'a second collection of a class',
      documentOf([
        entryPointTo({ books: 'Book', novels: 'Book' }),
        collectionOf('Book'),
        classOf('Book', [name], GET),
      ]),
      'ignored supportedClass "EntryPoint", supportedProperty "novels" FurtherCollection(Book, books)',
    ],
    [
      'a class that is described but not listed',
      { ...documentOf([classOf('Book', [name], GET)]), '@included': [classOf('Author', [name], GET)] },
      'supportedClass "Author" UnlistedClass',
    ],
  ]
  for (const [what, document, note] of cases) {
    it(what, async () => assert.ok((await notesOf(document)).includes(note), note))
  }
})

describe('A misspelt term of Hydra is told with what was probably meant', () => {
  const cases: [what: string, document: Json, note: string][] = [
    [
      'a property of a property',
      bookDocument([supported('name', 'xsd:string', { 'hydra:requird': true })]),
      'ignored UnknownHydraTerm(requird, name, → required)',
    ],
    [
      'a type',
      bookDocument([name], [{ ...classOf('Author', [name], GET), '@type': 'hydra:Clas' }]),
      'ignored UnknownHydraTerm(Clas, Author, → Class)',
    ],
    [
      'something that resembles nothing',
      bookDocument([name], [{ ...classOf('Author', [name], GET), 'hydra:xyzzyxyzzy': 1 }]),
      'ignored UnknownHydraTerm(xyzzyxyzzy, Author, of closeMatch … variableRepresentation)',
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

test('a value of our own terms that does not fit is told, and leaves no required property that nobody can fill', async () => {
  const unfit: [more: Json, range: string, notes: string[]][] = [
    [{ always: 'then' }, 'xsd:dateTime', ['RequiredIgnored', 'OwnTermIgnored(always, then)']],
    [{ always: 'now' }, 'xsd:string', ['RequiredIgnored', 'OwnTermIgnored(always, now)']],
    [{ always: 'user' }, 'xsd:integer', ['RequiredIgnored']],
    [{ always: 'now' }, 'xsd:dateTime', []],
    [{ writable: true, onDelete: 'delete' }, 'xsd:string', ['OwnTermIgnored(onDelete, delete)']],
  ]
  for (const [more, range, notes] of unfit) {
    const document = bookDocument(
      [name, supported('set', range, { required: true, writable: false, ...more })],
      [],
      operations('GET', 'PUT'),
    )
    const place = 'supportedClass "Book", supportedProperty "set" '
    assert.deepEqual(
      (await notesOf(document)).map((note) => note.replace(place, '').replace('ignored ', '')),
      notes,
      JSON.stringify(more),
    )
    const set = (await modelOf(document)).classes[0]?.properties.find((one) => one.name === 'set')
    assert.ok(set !== undefined && (!set.required || set.writable || set.always === 'now'))
  }
})
