import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { IriTemplate } from 'alcaeus'
import { HYDRA, RDF, XSD } from '../../src/vocabulary/index.ts'
import { type SignedIn, serveSignedIn } from '../api/signed-in.ts'
import { type Ended, share } from '../support/service.ts'
import {
  type Alcaeus,
  type Collection,
  createAlcaeus,
  load,
  operationOf,
  type RuntimeOperation,
  rootOf,
  statusOf,
} from './alcaeus.ts'

const LD = { 'Content-Type': 'application/ld+json' }

const API = `
title: Library
classes:
  Author:
    iri: http://schema.org/Person
    properties:
      name: { type: string, required: true, unique: true, pattern: "^[A-Z]", iri: http://schema.org/name }
      born: date
  Book:
    properties:
      title: { type: string, required: true }
      pages: { type: integer, minimum: 1 }
      price: decimal
      available: boolean
      author: Author
  Shelf:
    collection: shelves
  Motto:
    collection: false
    properties:
      text: { type: string, required: true }
    operations: [read, create, replace, update]
`

interface Library extends SignedIn {
  readonly ann: string
  readonly alcaeus: Alcaeus
}

/** Pages of five, with some more books and authors than one holds. */
async function serveLibrary(t: Ended): Promise<Library> {
  const service = await serveSignedIn(t, { api: API, flags: { pageSize: '5' } })
  const ann = await service.add('/authors', { name: 'Ann', born: '1970-01-02' })
  for (let index = 0; index < 12; index++) {
    if (index < 5) await service.add('/authors', { name: `Author ${index}` })
    const author = index % 2 === 0 ? { author: ann['@id'] } : {}
    const more = index === 7 ? { price: '12.50', available: true } : {}
    await service.add('/books', { title: `Book ${index}`, pages: 1 + (index % 4), ...author, ...more })
  }
  return { ...service, ann: ann['@id'], alcaeus: createAlcaeus(await service.client.signIn()) }
}

const shared = share(serveLibrary)

// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('alcaeus follows next through every collection and finds totalItems members', async () => {
  const { alcaeus, base } = await shared()
  const entryPoint = await load(alcaeus, `${base}/`)
  assert.equal(entryPoint.id.value, `${base}/`)
  const collections = entryPoint.getCollections()
  const walked: Record<string, number> = {}
  for (const { id } of collections) {
    const seen: string[] = []
    let page = await load<Collection>(alcaeus, id.value)
    const total = page.totalItems
    for (;;) {
      assert.equal(page.id.value, id.value, 'the root of a page is the collection')
      seen.push(...page.member.map((member) => member.id.value))
      const next = page.view[0]?.next
      if (next === undefined) break
      page = await load<Collection>(alcaeus, next.id.value)
    }
    assert.equal(seen.length, total, id.value)
    assert.equal(new Set(seen).size, total, id.value)
    walked[id.value.slice(base.length)] = seen.length
  }
  assert.deepEqual(walked, { '/authors': 6, '/books': 12, '/shelves': 0 })
})

test('alcaeus finds a collection by the class of its members, and links from the entry point', async () => {
  const { alcaeus, base } = await shared()
  const entryPoint = await load(alcaeus, base)
  const holding = (object: string) =>
    entryPoint
      .getCollections({ predicate: alcaeus.namedNode(`${RDF}type`), object: alcaeus.namedNode(object) })
      .map(({ id }) => id.value)
  assert.deepEqual(holding('http://schema.org/Person'), [`${base}/authors`])
  assert.deepEqual(holding(`${base}/vocab#Book`), [`${base}/books`])
  const links = entryPoint
    .getLinks()
    .map(({ supportedProperty, resources }) => [
      supportedProperty.title,
      ...resources.map(({ id }) => id.value),
    ])
  const names = ['authors', 'books', 'shelves']
  assert.deepEqual(
    links,
    names.map((name) => [name, `${base}/${name}`]),
  )
})

// contract: Their classes and operations are documented all the same.
test('alcaeus follows the entry point to single resources, and finds their operations', async () => {
  const { alcaeus, base, send } = await shared()
  await send('PUT', '/Motto', LD, '{"text": "One"}')
  const entryPoint = await load(alcaeus, base)
  // It lists what there is to do beside reading.
  for (const [name, methods] of [
    ['session', ['DELETE']],
    ['Motto', ['PATCH', 'PUT']],
  ] as const) {
    const [link] = entryPoint.getArray(`${base}/vocab#EntryPoint/${name}`)
    assert.equal(link?.id.value, `${base}/${name}`)
    const found = (await load(alcaeus, `${base}/${name}`)).findOperations()
    assert.deepEqual([...new Set(found.map(({ method }) => method))].sort(), methods, name)
  }
})

// contract: **Sorting**: `order[p]=asc|desc`
test('alcaeus expands the search template and follows it', async () => {
  const { alcaeus, base, ann } = await shared()
  const { search } = await load<Collection>(alcaeus, `${base}/books`)
  assert.ok(search)
  const own = (name: string) => `${base}/vocab#Book/${name}`
  const table: [values: Values, query: string, titles: string[]][] = [
    [{ [own('title')]: 'Book 3' }, 'title=Book%203', ['Book 3']],
    [{ [own('available')]: 'true' }, 'available=true', ['Book 7']],
    [{ [own('price')]: '12.5' }, 'price=12.5', ['Book 7']],
    [{ [`${base}/vocab#gte/price`]: '12.5' }, 'price.gte=12.5', ['Book 7']],
    [
      { [`${base}/vocab#exists/price`]: 'true', [`${base}/vocab#startsWith/title`]: 'Book' },
      'title.startsWith=Book&price.exists=true',
      ['Book 7'],
    ],
    [{ [`${HYDRA}freetextQuery`]: 'BOOK 11' }, 'q=BOOK%2011', ['Book 11']],
    [
      { [own('pages')]: 4, [`${HYDRA}limit`]: 2, [`${base}/vocab#sort`]: '-title' },
      'pages=4&sort=-title&itemsPerPage=2',
      ['Book 7', 'Book 3'],
    ],
    [{ [`${HYDRA}pageIndex`]: 2, [`${HYDRA}limit`]: 10 }, 'page=2&itemsPerPage=10', ['Book 10', 'Book 11']],
  ]
  for (const [values, query, titles] of table) {
    const address = expand(alcaeus, search, values)
    assert.equal(address, `${base}/books?${query}`)
    const page = await load<Collection>(alcaeus, address)
    // A filtered collection is a resource of its own.
    const filters = query.split('&').filter((pair) => !/^(?:sort|page|itemsPerPage)=/.test(pair))
    assert.equal(page.id.value, `${base}/books${filters.length > 0 ? `?${filters.join('&')}` : ''}`)
    const found = page.member.map((member) => member.getString(own('title')))
    // RDF has no order among the values of a property.
    assert.deepEqual(found.sort(), titles.sort(), address)
  }
  const linked = alcaeus
    .clownface()
    .blankNode()
    .addOut(alcaeus.namedNode(own('author')), alcaeus.namedNode(ann))
  assert.equal((await load<Collection>(alcaeus, search.expand(linked))).totalItems, 6)
})

type Values = Readonly<Record<string, string | number>>

function expand(alcaeus: Alcaeus, template: IriTemplate, values: Values): string {
  const model = alcaeus.clownface().blankNode()
  for (const [property, value] of Object.entries(values)) model.addOut(alcaeus.namedNode(property), value)
  return template.expand(model)
}

// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('alcaeus creates, updates, replaces and deletes a member through the operations that it finds', async () => {
  const { alcaeus, base, ann } = await shared()
  const own = (name: string) => `${base}/vocab#Book/${name}`
  const books = await load<Collection>(alcaeus, `${base}/books`)
  const create = operationOf(books, 'POST')
  assert.deepEqual(
    [create.title, ...create.expects.map(({ id }) => id.value)],
    ['Create Book', `${base}/vocab#Book`],
  )

  const sent = { title: 'New', author: ann, price: '1.10' }
  const made = await create.invoke(JSON.stringify(sent), LD)
  assert.equal(statusOf(made), 201)
  const address = rootOf(made).id.value
  assert.equal(address, made.response?.xhr.headers.get('location'))
  const price = rootOf(made).pointer.out(alcaeus.namedNode(own('price'))).term
  assert.ok(price?.termType === 'Literal')
  assert.deepEqual([price.value, price.datatype.value], ['1.10', `${XSD}decimal`])

  const update = operationOf(await load(alcaeus, address), 'PATCH')
  const updated = await update.invoke('{"pages": 4}', headersFor(alcaeus, update))
  assert.equal(statusOf(updated), 200)
  assert.equal(rootOf(updated).getNumber(own('pages')), 4)

  const replace = operationOf(rootOf(updated), 'PUT')
  const replaced = await replace.invoke(JSON.stringify({ ...sent, title: 'Newer' }), LD)
  assert.equal(statusOf(replaced), 200)

  const member = await load(alcaeus, address)
  assert.equal(member.getString(own('title')), 'Newer')
  assert.equal(member.getNumber(own('pages')), null)
  assert.equal(statusOf(await operationOf(member, 'DELETE').invoke()), 204)
  assert.equal(statusOf(await alcaeus.hydra.loadResource(address)), 404)
  assert.equal((await load<Collection>(alcaeus, `${base}/books`)).totalItems, 12)
})

/** The headers that the documentation asks for. */
function headersFor(alcaeus: Alcaeus, { pointer }: RuntimeOperation): Record<string, string> {
  const header = pointer.out(alcaeus.namedNode(`${HYDRA}expectsHeader`))
  const said = (name: string) => header.out(alcaeus.namedNode(HYDRA + name)).value
  const [name, value] = [said('headerName'), said('possibleValue')]
  assert.ok(name && value)
  return { [name]: value }
}

test('alcaeus replaces a single resource', async (t) => {
  const { alcaeus, base, send } = await serveLibrary(t)
  const text = `${base}/vocab#Motto/text`
  assert.equal((await send('PUT', '/Motto', LD, '{"text": "One"}')).status, 201)
  const motto = await load(alcaeus, `${base}/Motto`)
  assert.equal(motto.getString(text), 'One')
  const [replace] = motto.findOperations({ bySupportedOperation: `${base}/vocab#Motto/operation/replace` })
  assert.equal(statusOf((await replace?.invoke('{"text": "Two"}', LD)) ?? {}), 200)
  assert.equal((await load(alcaeus, `${base}/Motto`)).getString(text), 'Two')
})

/** Answers for www.w3.org: alcaeus loads the context that a problem document links to. */
function offerErrorContext(t: TestContext): void {
  const terms = { hydra: HYDRA, type: '@type', title: 'hydra:title', detail: 'hydra:description' }
  const send = globalThis.fetch
  t.mock.method(globalThis, 'fetch', (...[input, init]: Parameters<typeof fetch>) =>
    input === 'http://www.w3.org/ns/hydra/error'
      ? Promise.resolve(Response.json({ '@context': terms }))
      : send(input, init),
  )
}

// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('alcaeus finds the error in a problem document', async (t) => {
  offerErrorContext(t)
  const { base, client } = await shared()
  const alcaeus = createAlcaeus(await client.signIn())
  // It knows the type, and leaves it to its user to name the parser.
  const parser = alcaeus.formats.parsers.get('application/ld+json')
  assert.ok(parser)
  alcaeus.formats.parsers.set('application/problem+json', parser)
  const create = operationOf(await load<Collection>(alcaeus, `${base}/authors`), 'POST')
  const refused = await create.invoke('{"name": "ann"}', LD)
  assert.equal(statusOf(refused), 422)
  const problem = rootOf(refused)
  assert.ok(problem.hasType(`${HYDRA}Error`))
  assert.equal(problem.getString(`${HYDRA}title`), 'Validation failed')
  assert.match(problem.getString(`${HYDRA}description`), /^name: /)
  const [violation] = problem.getArray(`${base}/vocab#ConstraintViolationList/violations`)
  assert.equal(violation?.getString(`${base}/vocab#propertyPath`), 'name')
})
