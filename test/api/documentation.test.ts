import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeApi } from '../../src/api/documentation.ts'
import type { GateMode } from '../../src/auth/index.ts'
import { HYDRA, RDFS } from '../../src/vocabulary/index.ts'
import { modelOf } from '../support/service.ts'
import { type Described, LIBRARY, PARTS, readDocumentation } from './described.ts'
import { hydra, quad, quadsOf } from './rdf.ts'
import { AS_PROBLEM, codesOf, type Json, pathOf, serveSignedIn } from './signed-in.ts'

const BASE = 'http://localhost:8080/api'

const SHARED = `
classes:
  Author: { properties: { label: { type: string, title: Full name, description: On the cover, iri: "http://schema.org/name" } } }
  Book: { properties: { title: { type: string, title: Title, iri: "http://schema.org/name" } } }
`

// contract: A property whose IRI is of another vocabulary has `schema:domainIncludes`
test('a term that two classes share has neither their domains nor their titles', async (t) => {
  const service = await serveSignedIn(t, { api: SHARED })
  const { base } = service
  const documentation = await readDocumentation(service)
  const quads = await quadsOf(documentation)
  const about = (predicate: string) =>
    quads.filter((line) => line.startsWith(`<http://schema.org/name> <${predicate}>`))
  assert.deepEqual(
    about('http://schema.org/domainIncludes'),
    ['Author', 'Book'].map((name) =>
      quad('http://schema.org/name', 'http://schema.org/domainIncludes', `<${base}/vocab#${name}>`),
    ),
  )
  for (const predicate of [`${RDFS}domain`, `${RDFS}label`, hydra('title'), hydra('description')])
    assert.deepEqual(about(predicate), [], predicate)
  const titles = documentation.supportedClass
    .flatMap((cls) => cls.supportedProperty ?? [])
    .filter(({ property }) => property['@id'] === 'http://schema.org/name')
    .map(({ title, label, description }) => [title, label, description])
  assert.deepEqual(titles, [
    ['label', 'Full name', 'On the cover'],
    ['title', 'Title', undefined],
  ])
})

/** The operations of the documentation by their IRIs, with the statuses and headers of each. */
function answersOf(api: string, mode: GateMode = 'open'): Record<string, unknown> {
  const described = JSON.parse(JSON.stringify(describeApi(modelOf(api), BASE, mode))) as Described
  const operations = described.supportedClass.flatMap((cls) => [
    ...(cls.supportedOperation ?? []),
    ...(cls.supportedProperty ?? []).flatMap(({ property }) => property.supportedOperation ?? []),
  ])
  const short = (iri: string) => Number(iri.slice(`${BASE}/vocab#status/`.length))
  return Object.fromEntries(
    operations.map(({ '@id': id, possibleStatus, expectsHeader = [], returnsHeader = [] }) => [
      id.slice(`${BASE}/vocab#`.length).replace('operation/', ''),
      [
        (possibleStatus as string[]).map(short).join(' '),
        (expectsHeader as unknown[]).map((one) => (typeof one === 'string' ? one : (one as Json).headerName)),
        returnsHeader,
      ],
    ]),
  )
}

// contract: Every operation has `possibleStatus` for what it can answer
test('every operation has the statuses that it can answer, and the headers that matter', () => {
  const api = `
classes:
  Author: { properties: { name: string } }
  Book: { properties: { author: Author } }
  Note: { operations: [list, read, replace] }
  Motto: { collection: false, operations: [create, read, replace, delete] }
`
  const [etag, location] = [['ETag'], ['ETag', 'Location']]
  const match = ['If-Match']
  assert.deepEqual(answersOf(api), {
    'EntryPoint/get': ['503', [], etag],
    'AuthorCollection/list': ['503', [], etag],
    'AuthorCollection/create': ['201 412 422 503', [], location],
    'Author/get': ['404 503', [], etag],
    'Author/update': ['204 404 412 422 503', ['Content-Type', ...match], etag],
    'Author/replace': ['201 204 404 412 422 503', match, location],
    // Books link to authors.
    'Author/delete': ['204 404 409 412 503', match, []],
    'BookCollection/list': ['503', [], etag],
    'BookCollection/create': ['201 412 422 503', [], location],
    'Book/get': ['404 503', [], etag],
    'Book/update': ['204 404 412 422 503', ['Content-Type', ...match], etag],
    'Book/replace': ['201 204 404 412 422 503', match, location],
    'Book/delete': ['204 404 412 503', match, []],
    'NoteCollection/list': ['503', [], etag],
    'Note/get': ['404 503', [], etag],
    // A note cannot be created.
    'Note/replace': ['204 403 404 412 422 503', match, etag],
    'Motto/create': ['201 204 404 412 422 503', match, location],
    'Motto/get': ['404 503', [], etag],
    'Motto/replace': ['201 204 404 412 422 503', match, location],
    'Motto/delete': ['204 404 412 503', match, []],
    'OperationBatch/create': ['403 404 409 412 422 503', [], []],
    'events/get': ['503', [], etag],
    'OpenApiDocument/get': ['503', [], etag],
    'summaries/get': ['503', [], etag],
  })
})

// contract: Every operation has `possibleStatus` for what it can answer
test('what a gate answers, and whether a member is its own, depend on the mode and the rules', () => {
  const api = `
roles: [editor]
access: { update: [owner, editor] }
classes: { Note: { properties: { text: string } } }
`
  const list = (mode: GateMode) => answersOf(api, mode)['NoteCollection/list']
  assert.deepEqual(list('open'), ['503', [], ['ETag']])
  assert.deepEqual(list('nonce'), ['401 429 503', [], ['ETag']])
  assert.deepEqual(list('token'), ['401 429 503', ['X-Authorization'], ['ETag']])
  const { 'Note/update': update, 'Note/replace': replace } = answersOf(api)
  assert.deepEqual(update, ['204 403 404 412 422 503', ['Content-Type', 'If-Match'], ['ETag']])
  assert.deepEqual(replace, ['201 204 404 412 422 503', ['If-Match'], ['ETag', 'Location']])
})

// contract: Every operation has `possibleStatus` for what it can answer
test('every status of an operation is described once', async (t) => {
  const service = await serveSignedIn(t, { api: `${LIBRARY}${PARTS}` })
  const quads = await quadsOf(await readDocumentation(service))
  const used = new Set(quads.flatMap((line) => /possibleStatus> <([^>]*#status\/\d+)>/.exec(line)?.[1] ?? []))
  assert.ok(used.size >= 9)
  for (const iri of used) {
    const code = iri.slice(iri.lastIndexOf('/') + 1)
    const about = quads.filter((line) => line.startsWith(`<${iri}>`))
    assert.deepEqual(
      about.filter((line) => line.includes(`<${HYDRA}statusCode> "${code}"`)).length,
      1,
      about.join('\n'),
    )
  }
})

// contract: Every operation has `possibleStatus` for what it can answer
test('every property of a search mapping is described', async (t) => {
  const api = `
classes:
  Author: { properties: { name: string, born: date } }
  Order: { properties: { total: decimal, lines: { type: Line, many: true }, mapping: string } }
  Line: { collection: false, properties: { author: Author } }
`
  const service = await serveSignedIn(t, { api })
  const quads = await quadsOf(await readDocumentation(service))
  const subjects = new Set(quads.map((line) => line.slice(1, line.indexOf('>'))))
  let checked = 0
  for (const path of ['/authors', '/orders', '/events']) {
    const lines = await quadsOf((await service.get(path)).json())
    for (const line of lines) {
      const [, iri = ''] = /<http:\/\/www\.w3\.org\/ns\/hydra\/core#property> <([^>]+)>/.exec(line) ?? []
      if (iri === '' || iri.startsWith(HYDRA) || iri.endsWith('#type')) continue
      assert.ok(subjects.has(iri), iri)
      checked += 1
    }
  }
  assert.ok(checked > 40, String(checked))
  const { base } = service
  const cases = [quad(`${base}/vocab#gte/total`, `${RDFS}subPropertyOf`, `<${base}/vocab#gte>`)]
  assert.deepEqual(
    quads.filter((line) => line.startsWith(`<${base}/vocab#gte/total>`)),
    cases,
  )
})

test('the documentation does not name the filters of a class that the user may not list', () => {
  const model = modelOf('classes: { Note: { operations: [read, create], properties: { secret: integer } } }')
  assert.equal(JSON.stringify(describeApi(model, BASE, 'open')).includes('gte/secret'), false)
})

test('?resource= gives the description of one class, as hydrus does', async (t) => {
  const service = await serveSignedIn(t, { api: LIBRARY })
  const { get, base } = service
  const { supportedClass, shapes, ...whole } = await readDocumentation(service)
  for (const [name, iri] of [
    ['Author', `${base}/vocab#Author`],
    ['Book', 'http://schema.org/Book'],
    ['AuthorCollection', `${base}/vocab#AuthorCollection`],
    ['EntryPoint', `${base}/vocab#EntryPoint`],
    ['Session', `${base}/vocab#Session`],
  ]) {
    const response = await get(`/vocab?resource=${name}`)
    const { possibleStatus, terms, ...rest } = whole
    assert.deepEqual(
      response.json(),
      {
        ...rest,
        '@id': `${base}/vocab?resource=${name}`,
        supportedClass: supportedClass.filter((one) => one['@id'] === iri),
        shapes: shapes.filter((one) => one.targetClass === iri),
      },
      name,
    )
    const { etag = '' } = response.headers
    assert.equal((await get(`/vocab?resource=${name}`, { 'If-None-Match': etag })).status, 304)
  }
  assert.deepEqual((await get('/vocab?')).json(), (await get('/vocab')).json())
})

test('any other query of the documentation is refused, with the nearest', async (t) => {
  const { get } = await serveSignedIn(t, { api: LIBRARY })
  const rows: [query: string, codes: string, nearest: string][] = [
    ['resouce=Book', 'resouce: UnknownParameter', 'resource'],
    ['resource=Boook', 'resource: UndocumentedClass', 'Book'],
    ['resource=constructor', 'resource: UndocumentedClass', ''],
    ['resource=Book&resource=Author', 'resource: DuplicateParameter', ''],
    ['resource=Book&page=2', 'page: UnknownParameter', 'resource'],
  ]
  for (const [query, codes, nearest] of rows) {
    const response = await get(`/vocab?${query}`, AS_PROBLEM)
    assert.equal(response.status, 400, query)
    assert.equal(codesOf(response), codes, query)
    assert.ok(response.body.includes(nearest), response.body)
  }
})

// contract: What is no collection (`session`, `events`, `batch`, `openapi`, single resources)
test('events are a collection with a search template, which the entry point does not list', async (t) => {
  const service = await serveSignedIn(t, { api: LIBRARY })
  const { base, get } = service
  const activity = { property: 'rdf:type', object: 'https://www.w3.org/ns/activitystreams#Activity' }
  const { supportedClass } = await readDocumentation(service)
  const events = supportedClass.find((cls) => cls['@id'] === `${base}/vocab#events`)
  assert.deepEqual([events?.subClassOf, events?.memberAssertion], ['hydra:Collection', activity])
  const entryPoint = (await get('/')).json() as Json & { collection: Json[] }
  assert.equal(
    entryPoint.collection.some((one) => one['@id'] === `${base}/events`),
    false,
  )
  const page = (await get('/events')).json() as Json & { search: Json & { mapping: Json[] } }
  assert.deepEqual(page.memberAssertion, activity)
  assert.equal(page.search.template, `${base}/events{?collection*,resource*,include,after,itemsPerPage}`)
  assert.deepEqual(
    page.search.mapping.map(({ variable, property }) => [variable, property]),
    [
      ['collection', `${base}/vocab#events/collection`],
      ['resource', `${base}/vocab#events/resource`],
      ['include', `${base}/vocab#include`],
      ['after', 'hydra:pageReference'],
      ['itemsPerPage', 'hydra:limit'],
    ],
  )
  const { view } = page as unknown as { view: { next: string } }
  for (const path of [pathOf(base, view.next), '/events?itemsPerPage=1'])
    assert.equal('search' in (await get(path)).json(), false, path)
  assert.equal('search' in (await get('/events', { Accept: 'application/json' })).json(), false)
})
