import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  classesOf,
  classOf,
  collectionOf,
  documentOf,
  entryPointTo,
  type Json,
  notesOf,
  operations,
  supported,
} from './document.ts'

const name = supported('name', 'xsd:string')

const operation = (method: string, type: string, more: Json = {}): Json => ({
  ...operations(method)[0],
  '@type': type,
  ...more,
})

/** A class Book with these operations on its collection and on itself. */
const library = (onCollection: Json[], onMember: Json[]): Json =>
  documentOf([
    entryPointTo({ books: 'Book' }),
    collectionOf('Book', onCollection),
    classOf('Book', [name], onMember),
  ])

async function offered(document: Json): Promise<[operations: string, create: string, replace: string]> {
  const book = (await classesOf(document)).get('Book')
  const { create, replace } = book?.methods ?? { create: [], replace: [] }
  return [[...(book?.operations ?? [])].join(' '), create.join(' '), replace.join(' ')]
}

describe('What an operation means', () => {
  const cases: [what: string, onCollection: Json[], onMember: Json[], expected: [string, string, string]][] =
    [
      [
        'the usual ones',
        operations('GET', 'POST'),
        operations('GET', 'PATCH', 'PUT', 'DELETE'),
        ['list create read update replace delete', 'POST', 'PUT'],
      ],
      ['only what is declared', [], operations('GET'), ['read', 'POST', 'PUT']],
      ['PUT on a collection adds a member', operations('PUT'), [], ['create', 'PUT', 'PUT']],
      [
        'POST and PUT on a collection both add one',
        operations('PUT', 'POST'),
        [],
        ['create', 'POST PUT', 'PUT'],
      ],
      ['POST on a member replaces it', [], operations('POST'), ['replace', 'POST', 'POST']],
      [
        'POST and PUT with POST meant to replace',
        [],
        operations('PUT', 'POST'),
        ['create replace', 'PUT', 'POST'],
      ],
      [
        'PUT on a class that says it adds',
        [],
        [
          operation('PUT', 'http://schema.org/AddAction'),
          operation('POST', 'http://schema.org/UpdateAction'),
        ],
        ['create replace', 'PUT', 'POST'],
      ],
      [
        'PUT and POST on a class that both say they replace',
        [],
        [operation('POST', 'schema:ReplaceAction'), operation('PUT', 'schema:ReplaceAction')],
        ['replace', 'POST', 'PUT POST'],
      ],
      [
        'POST on a class that says it creates',
        [],
        [operation('POST', 'CreateResourceOperation')],
        ['create', 'POST', 'PUT'],
      ],
      [
        'an update that is listed with the collection',
        [operation('POST', 'http://schema.org/UpdateAction')],
        [],
        ['replace', 'POST', 'POST'],
      ],
      [
        'a deletion of a member that is listed with the collection',
        [operation('DELETE', 'http://schema.org/DeleteAction', { expects: 'Book' })],
        [],
        ['delete', 'POST', 'PUT'],
      ],
      [
        'methods in small letters',
        operations('get'),
        operations('get', 'delete'),
        ['list read delete', 'POST', 'PUT'],
      ],
    ]
  for (const [what, onCollection, onMember, expected] of cases) {
    it(what, async () => assert.deepEqual(await offered(library(onCollection, onMember)), expected))
  }
})

describe('What is not served is told', () => {
  const cases: [what: string, onCollection: Json[], onMember: Json[], note: string][] = [
    [
      'a deletion of a whole collection',
      operations('GET', 'DELETE'),
      [],
      'ignored supportedClass "BookCollection" MethodOfCollection(DELETE)',
    ],
    [
      'a replacement of a whole collection',
      [operation('PUT', 'schema:ReplaceAction')],
      operations('GET'),
      'ignored supportedClass "BookCollection" MethodOfCollection(PUT)',
    ],
    [
      'another method',
      [],
      operations('GET', 'PURGE'),
      'ignored supportedClass "Book" UnknownMethod(PURGE, member, of GET … DELETE)',
    ],
    [
      'no method',
      [],
      [...operations('GET'), { '@type': 'Operation' }],
      'ignored supportedClass "Book" OperationWithoutMethod',
    ],
    ['a class that nothing reads', operations('POST'), [], 'supportedClass "Book" NoRead'],
  ]
  for (const [what, onCollection, onMember, note] of cases) {
    it(what, async () => assert.ok((await notesOf(library(onCollection, onMember))).includes(note), note))
  }

  it('a misspelt method, once and without completing what is not served', async () => {
    const notes = await notesOf(library(operations('GET'), [...operations('GET'), { method: 'POT' }]))
    assert.deepEqual(notes, ['ignored supportedClass "Book" UnknownMethod(POT, member, → POST)'])
  })

  it('an operation that takes another class', async () => {
    const draft = classOf('Draft', [name], operations('GET'))
    const expecting = operation('POST', 'Operation', { expects: 'Draft' })
    const document = documentOf([
      collectionOf('Book', [expecting]),
      classOf('Book', [name], operations('GET')),
      draft,
    ])
    const notes = await notesOf(document)
    assert.ok(notes.includes('supportedClass "BookCollection" ExpectsOtherClass(Book, Draft)'), String(notes))
  })
})

describe('A class that no collection holds', () => {
  const link = (path: string, range: string, supportedOperation: Json[] = []): Json => ({
    title: path,
    property: {
      '@id': `http://example.org/vocab#EntryPoint/${path}`,
      '@type': 'Link',
      range,
      supportedOperation,
    },
  })
  const entryPoint = (...supportedProperty: Json[]): Json => ({ ...entryPointTo({}), supportedProperty })
  const setup = (methods: string[]) => classOf('Setup', [name], operations(...methods))

  it('is one resource where the entry point leads to it', async () => {
    const cls = (
      await classesOf(documentOf([entryPoint(link('setup', 'Setup')), setup(['GET', 'PUT'])]))
    ).get('Setup')
    assert.equal(cls?.collection, undefined)
    assert.deepEqual([...(cls?.operations ?? [])], ['create', 'read', 'replace'])
    assert.deepEqual(cls?.methods, { create: ['PUT'], replace: ['PUT'] })
  })

  it('has the operations of the link too', async () => {
    const document = documentOf([entryPoint(link('setup', 'Setup', operations('DELETE'))), setup(['GET'])])
    assert.deepEqual([...((await classesOf(document)).get('Setup')?.operations ?? [])], ['read', 'delete'])
  })

  it('has a collection where a link of the entry point adds members', async () => {
    const adding = [operation('POST', 'schema:CreateAction', { expects: 'Setup' })]
    const document = documentOf([entryPoint(link('register', 'Setup', adding)), setup(['GET'])])
    const cls = (await classesOf(document)).get('Setup')
    assert.deepEqual([cls?.collection, [...(cls?.operations ?? [])]], ['setups', ['create', 'read']])
  })

  it('has a collection where another class links to it', async () => {
    const author = supported('author', 'Author', {}, { '@type': 'Link' })
    const document = documentOf([
      entryPointTo({ books: 'Book' }),
      collectionOf('Book'),
      classOf('Book', [author], operations('GET')),
      classOf('Author', [name], operations('GET', 'DELETE')),
    ])
    const cls = (await classesOf(document)).get('Author')
    assert.equal(cls?.collection, 'authors')
    assert.deepEqual([...(cls?.operations ?? [])], ['list', 'create', 'read', 'delete'])
  })

  it('has a collection where the document has no entry point at all', async () => {
    const document = documentOf([classOf('Box', [name], operations('GET', 'PUT'))])
    const cls = (await classesOf(document)).get('Box')
    assert.equal(cls?.collection, 'boxes')
    assert.deepEqual([...(cls?.operations ?? [])], ['list', 'create', 'read', 'replace'])
  })

  it('is embedded where it has no operations and is the range of a property', async () => {
    const document = documentOf([
      collectionOf('Book'),
      classOf('Book', [supported('size', 'Size')], operations('GET')),
      classOf('Size', [supported('width', 'xsd:int')]),
    ])
    const [size] = (await classesOf(document)).get('Book')?.properties ?? []
    assert.equal(size?.range.kind === 'embedded' && size.range.cls.name, 'Size')
    assert.equal(size?.filterable, false)
  })

  it('is left out, and that is told, where nothing leads to it', async () => {
    const document = documentOf([classOf('Book', [name], operations('GET')), classOf('Shelf', [name])])
    assert.deepEqual([...(await classesOf(document)).keys()], ['Book'])
    const notes = await notesOf(document)
    assert.ok(notes.includes('ignored supportedClass "Shelf" UnusedClassIgnored'), String(notes))
  })

  it('is left out with the values that only it embeds', async () => {
    const document = documentOf([
      classOf('Book', [name, supported('size', 'Size')], operations('GET')),
      classOf('Shelf', [supported('size', 'Size'), supported('board', 'Board')]),
      classOf('Size', [name]),
      classOf('Board', [supported('wood', 'Wood')]),
      classOf('Wood', [name]),
    ])
    assert.deepEqual([...(await classesOf(document)).keys()], ['Book', 'Size'])
    const ignored = (await notesOf(document)).filter((note) => note.endsWith(' UnusedClassIgnored'))
    assert.deepEqual(
      ignored.map((note) => /"(\w+)"/.exec(note)?.[1]),
      ['Shelf', 'Board', 'Wood'],
    )
  })
})
