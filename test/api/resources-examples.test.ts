import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { codeBlock, ROOT } from '../support/markdown.ts'
import { quadsOf } from './rdf.ts'
import {
  AS_PROBLEM,
  assertProblem,
  type Json,
  pathOf,
  type Said,
  serveSignedIn,
  withoutContext,
} from './signed-in.ts'
import { put } from './walks.ts'
import { serveWriter } from './writing.ts'

const PROBLEM = 'application/problem+json'

/** The API that the examples of the contract are from, at the address that they name. */
const REFERENCE = `
title: Reference API
description: fixture
classes:
  Author: { properties: { name: { type: string, required: true } } }
  Book:
    properties:
      title: { type: string, required: true }
      description: string
      isbn: { type: string, iri: "https://schema.org/isbn" }
      pages: integer
      price: decimal
      published: date
      available: boolean
      author: Author
`

const example = (name: string): Json =>
  JSON.parse(readFileSync(join(ROOT, 'docs/contract/examples', name), 'utf8')) as Json

// contract: `examples/` beside this file holds one response of each kind
test('what is served has the shape and the meaning of the examples of the contract', async (t) => {
  const flags = { baseUrl: 'http://localhost:8080/api' }
  const service = await serveSignedIn(t, { api: REFERENCE, flags })
  const { get, post } = service
  for (const id of ['1', '2', '3']) await put(service, `/authors/${id}`, { name: id })
  const { member, '@id': collection, '@type': types, memberAssertion } = example('collection.jsonld')
  const { '@id': _, '@type': __, ...values } = withoutContext(example('member.jsonld'))
  await put(service, '/books/1', values)
  for (const { '@id': id, '@type': type, ...values } of member as Json[]) {
    assert.equal(type, 'Book')
    await put(service, String(id).slice(flags.baseUrl.length), values)
  }

  const served = (await get('/books/1')).json()
  assert.deepEqual(withoutContext(served), withoutContext(example('member.jsonld')))
  assert.deepEqual(await quadsOf(served), await quadsOf(example('member.jsonld')))

  const { session, batch, events, openapi, ...entryPoint } = withoutContext((await get('/')).json())
  const linked = ['session', 'batch', 'events', 'openapi'].map((name) => `${flags.baseUrl}/${name}`)
  assert.deepEqual([session, batch, events, openapi], linked)
  assert.deepEqual(entryPoint, withoutContext(example('entry-point.jsonld')))

  const page = (await get('/books?page=1')).json()
  assert.deepEqual([page['@id'], page['@type'], page.memberAssertion], [collection, types, memberAssertion])
  assert.deepEqual((page.member as Json[]).slice(1), member)
  const keys = Object.keys(example('collection.jsonld')).sort()
  // The example is older than summaries.
  const { summary, ...whole } = (await get('/books')).json()
  assert.ok(summary)
  assert.deepEqual(Object.keys(whole).sort(), keys)
  assert.deepEqual([...Object.keys(page), 'search'].sort(), keys)

  const violated = (await post('/books', {}, { Accept: `${PROBLEM}, */*` })).json()
  const problem = example('violations.problem.json')
  // The example is older than `type`, and than the terms for operations, parameters and links (hypermedia.md, Writing).
  const { type: kind, ...others } = violated
  assert.equal(kind, `${flags.baseUrl}/vocab#ValidationFailed`)
  assert.deepEqual(Object.keys(others), Object.keys(problem))
  const { operation, parameter, linkedFrom, hasFurtherLinks, ...context } = violated['@context'] as Json
  assert.ok(operation && parameter && linkedFrom && hasFurtherLinks)
  assert.deepEqual([context, violated['@type']], [problem['@context'], problem['@type']])
  assert.deepEqual(Object.keys((violated.violations as Json[])[0] ?? {}), ['propertyPath', 'message', 'code'])

  const titled = (document: Json) =>
    new Map((document.supportedClass as Json[]).map((cls) => [cls['@id'], cls.supportedProperty as Json[]]))
  const [ours, theirs] = [titled((await get('/vocab')).json()), titled(example('vocab.jsonld'))]
  for (const iri of theirs.keys()) assert.ok(ours.has(iri), String(iri))
  const book = `${flags.baseUrl}/vocab#Book`
  assert.deepEqual(ours.get(book)?.map(asBefore), theirs.get(book))
})

/** The example is older than the collection of a link, and than terms that several classes share. */
function asBefore({ label, property, ...supported }: Json): Json {
  const { collection, domainIncludes, ...rest } = property as Json
  const ofTerm = domainIncludes === undefined ? {} : { domain: domainIncludes, label }
  return { ...supported, property: { ...rest, ...ofTerm } }
}

// docs/contract/hypermedia.md, The API file: what it shows and says, on a served API.

const PRINTED = codeBlock('docs/contract/hypermedia.md', 'yaml', 'classes:')

// contract: One API file in, a complete API out.
// contract: ```yaml title: Library
test('the API file that the contract shows is served, and each line of it does what it says', async (t) => {
  const { add, get, post, send, base } = await serveWriter(t, { api: PRINTED })
  const author = await add('/authors', { name: 'Ann', born: '1970-01-31' })
  const sent = {
    ...{ title: 'A', isbn: '0-X', pages: 1, price: '9.90', published: '2024-02-29', available: true },
    ...{ genres: ['a', 'b'], author: author['@id'], notes: 'n' },
  }
  const book = await add('/books', sent)
  const { createdAt, '@context': context, '@id': address, ...rest } = book
  assert.deepEqual(rest, { '@type': 'Book', ...sent })
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT/)
  const { Book, title } = context as Record<string, unknown>
  assert.deepEqual([Book, title], [{ '@id': 'http://schema.org/Book' }, { '@id': 'http://schema.org/name' }])

  const refused: [sent: object, ...said: Said][] = [
    [{ title: undefined }, 'title: RequiredValue, isbn: NotUnique'],
    [{ title: 'x'.repeat(201), isbn: '1' }, 'title: TooLong'],
    [{ isbn: 'abc' }, 'isbn: PatternMismatch'],
    [{}, 'isbn: NotUnique'],
    [{ isbn: '1', pages: 0 }, 'pages: BelowMinimum'],
    [{ isbn: '1', author: undefined }, 'author: RequiredValue'],
    [{ isbn: '1', createdAt: '2024-02-29T00:00:00Z' }, 'createdAt: ReadOnly'],
  ]
  for (const [change, ...said] of refused) {
    const response = await post('/books', { ...sent, ...change }, AS_PROBLEM)
    assert.equal(response.status, 422, JSON.stringify(change))
    assertProblem(response, said, JSON.stringify(change))
  }
  assert.equal((await get('/books?notes=n')).status, 400)
  assert.equal((await get(`/books?author=${author['@id']}`)).json().totalItems, 1)
  const allowed = async (path: string) => (await send('OPTIONS', path)).headers.allow
  for (const [collection, member] of [
    ['/authors', pathOf(base, author['@id'])],
    ['/books', pathOf(base, address)],
  ] as const) {
    assert.equal(await allowed(collection), 'GET, HEAD, POST')
    assert.equal(await allowed(member), 'GET, HEAD, PUT, PATCH, DELETE')
  }
  const { title: named, description } = (await get('/vocab')).json()
  assert.deepEqual([named, description], ['Library', 'Books and the people who write them'])
})

// contract: ```yaml title: Library
test('a class whose collection is not named has the plural of its name in lower case', async (t) => {
  const api = 'classes: { Author: , Category: , ShoppingList: }'
  const { get } = await serveWriter(t, { api })
  for (const path of ['/authors', '/categories', '/shoppinglists']) {
    assert.equal((await get(path)).status, 200, path)
  }
})
