import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { quadsOf } from './rdf.ts'
import { type Json, serveSignedIn, withoutContext } from './signed-in.ts'
import { put } from './walks.ts'

// docs/contract/hypermedia.md, Resources and Writing: what holds for every representation and every error.

const API = `
classes:
  Author: { properties: { name: { type: string, required: true } } }
  Address: { collection: false, properties: { street: string, country: Author } }
  Book:
    iri: http://schema.org/Book
    properties:
      title: { type: string, minLength: 1, maxLength: 200, pattern: "^[A-Z]" }
      pages: { type: integer, minimum: 1, maximum: 9 }
      kind: { type: string, enum: [a, b], required: true }
      page: anyURI
      author: Author
      editors: { type: Author, many: true }
      address: Address
  Motto: { collection: false, operations: [read, create], properties: { text: string } }
`

const PROBLEM = 'application/problem+json'

/** Every value of this key, however deep, outside of contexts. */
function* valuesOf(node: unknown, key: string): Generator<unknown> {
  if (node === null || typeof node !== 'object') return
  for (const [name, value] of Object.entries(node)) {
    if (name === key) yield value
    if (name !== '@context') yield* valuesOf(value, key)
  }
}

// contract: **Contexts are inline** in every representation.
// contract: Every `@id` is absolute.
test('every representation has its context inline, and every @id in it is absolute', async (t) => {
  const service = await serveSignedIn(t, { api: API })
  const { get, post, base } = service
  await put(service, '/authors/1', { name: 'Ann' })
  const author = `${base}/authors/1`
  const book = { kind: 'a', author, editors: [author], address: { country: author } }
  await put(service, '/books/1', book)
  await service.send('PUT', '/Motto', { 'Content-Type': 'application/json' }, '{"text": "t"}')
  const paths = [
    '',
    '/',
    '/vocab',
    '/authors',
    '/books',
    '/books?page=1&kind=a',
    '/books/1',
    '/Motto',
    '/session',
  ]
  const responses = [
    ...(await Promise.all(paths.map((path) => get(path)))),
    await post('/books', book),
    await post('/books', {}, { Accept: `${PROBLEM}, */*` }),
  ]
  let ids = 0
  for (const response of responses) {
    const document = response.json()
    assert.ok(response.status < 300 || response.status === 422, response.body)
    const context = document['@context']
    assert.ok(context !== null && typeof context === 'object' && !Array.isArray(context), response.body)
    // Nothing inside it has to be fetched either: the processor of `quadsOf` refuses to.
    await quadsOf(document)
    for (const id of valuesOf(document, '@id')) {
      assert.match(String(id), /^(https?:\/\/|hydra:)/)
      ids += 1
    }
  }
  assert.ok(ids > 50, `${ids}`)
})

// contract: They are also at `{base}/contexts/{name}`
test('contexts are behind the token like everything', async (t) => {
  const { client, get } = await serveSignedIn(t, { api: API })
  for (const name of ['Book', 'BookCollection', 'EntryPoint', 'ApiDocumentation', 'Nothing']) {
    const { status, headers } = await client.send('GET', `/contexts/${name}`)
    assert.deepEqual([status, headers['x-authentication']?.length], [401, 36], name)
  }
  assert.equal((await get('/contexts/Book')).status, 200)
})

// contract: **Vocabulary**: nested
test('each constraint is in the documentation as SHACL', async (t) => {
  const { get, base } = await serveSignedIn(t, { api: API })
  const quads = await quadsOf((await get('/vocab')).json())
  const said = quads.filter((line) => line.includes('http://www.w3.org/ns/shacl#')).join('\n')
  const about = (name: string) => {
    const [subject = ''] =
      said
        .split('\n')
        .find((line) => line.includes(`#path> <${base}/vocab#Book/${name}> .`))
        ?.split(' ') ?? []
    return said
      .split('\n')
      .filter((line) => line.startsWith(`${subject} `))
      .join('\n')
  }
  const table: [name: string, ...parts: string[]][] = [
    [
      'title',
      '#minLength> "1"',
      '#maxLength> "200"',
      '#pattern> "^[A-Z]"',
      '#maxCount> "1"',
      'XMLSchema#string>',
    ],
    ['pages', '#minInclusive> "1"', '#maxInclusive> "9"', 'XMLSchema#integer>'],
    ['kind', '#in> ', '#minCount> "1"'],
    ['author', `#class> <${base}/vocab#Author>`, '#maxCount> "1"'],
  ]
  for (const [name, ...parts] of table) {
    for (const part of parts) assert.ok(about(name).includes(part), `${name} ${part}: ${about(name)}`)
  }
  assert.ok(!about('editors').includes('#maxCount>'))
})

// contract: With `application/problem+json` in `Accept`
test('with application/problem+json in Accept the limits of a request are problem documents too', async (t) => {
  const { send } = await serveSignedIn(t)
  const type = { 'Content-Type': 'application/json' }
  const table: [method: string, path: string, headers: object, body: string | undefined, status: number][] = [
    ['GET', '/authors', { Accept: `image/png, ${PROBLEM}` }, undefined, 406],
    ['GET', `/authors?name=${'x'.repeat(8 * 1024)}`, {}, undefined, 414],
    ['POST', '/authors', { ...type, Accept: `${PROBLEM}, */*` }, `"${'x'.repeat(1024 * 1024)}"`, 413],
    ['POST', '/authors', { ...type, Accept: `${PROBLEM}, */*` }, '{"name": "A", "name": "B"}', 400],
    ['POST', '/authors', { ...type, Accept: `${PROBLEM}, */*` }, '[]', 422],
    ['PROPFIND', '/authors', {}, undefined, 405],
    ['GET', '/authors?born=1', { Accept: `${PROBLEM}, */*` }, undefined, 400],
    ['GET', '/contexts/Nothing', {}, undefined, 404],
  ]
  for (const [method, path, headers, body, status] of table) {
    const response = await send(method, path, { Accept: PROBLEM, ...headers }, body)
    assert.equal(response.status, status, `${method} ${path.slice(0, 50)} ${response.body}`)
    assert.equal(response.headers['content-type'], PROBLEM)
    const document = response.json()
    assert.equal(document.status, status)
    assert.deepEqual([document['@type']].flat().includes('Error'), true)
    assert.ok(typeof document.title === 'string' && typeof document.detail === 'string')
    const quads = await quadsOf(document)
    assert.ok(
      quads.some((line) => line.includes('<http://www.w3.org/ns/hydra/core#Error>')),
      response.body,
    )
  }
})

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
  const { '@id': _, '@type': __, ...book } = withoutContext(example('member.jsonld'))
  await put(service, '/books/1', book)
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
  assert.deepEqual(Object.keys((await get('/books')).json()).sort(), keys)
  assert.deepEqual([...Object.keys(page), 'search'].sort(), keys)

  const violated = (await post('/books', {}, { Accept: `${PROBLEM}, */*` })).json()
  const problem = example('violations.problem.json')
  // The example is older than `type`, and than the terms for an operation and a parameter (hypermedia.md, Writing).
  const { type: kind, ...others } = violated
  assert.equal(kind, `${flags.baseUrl}/vocab#ValidationFailed`)
  assert.deepEqual(Object.keys(others), Object.keys(problem))
  const { operation, parameter, ...context } = violated['@context'] as Json
  assert.ok(operation && parameter)
  assert.deepEqual([context, violated['@type']], [problem['@context'], problem['@type']])
  assert.deepEqual(Object.keys((violated.violations as Json[])[0] ?? {}), ['propertyPath', 'message', 'code'])

  const titled = (document: Json) =>
    new Map((document.supportedClass as Json[]).map((cls) => [cls['@id'], cls.supportedProperty as Json[]]))
  const [ours, theirs] = [titled((await get('/vocab')).json()), titled(example('vocab.jsonld'))]
  for (const iri of theirs.keys()) assert.ok(ours.has(iri), String(iri))
  assert.deepEqual(ours.get(`${flags.baseUrl}/vocab#Book`), theirs.get(`${flags.baseUrl}/vocab#Book`))
})
