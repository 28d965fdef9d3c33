import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestResponse } from '../support/client.ts'
import { codesOf, pathOf, sentenceOf, serveSignedIn } from './signed-in.ts'
import { serveWriter } from './writing.ts'

const LD = 'application/ld+json'
const JSON_TYPE = 'application/json'
const TURTLE = 'text/turtle'
const QUADS = 'application/n-quads'

const CHOICES: [accept: string | undefined, type: string][] = [
  [undefined, LD],
  ['*/*', LD],
  ['application/*', LD],
  [LD, LD],
  [JSON_TYPE, JSON_TYPE],
  [`${LD}, ${JSON_TYPE}`, LD],
  [`${JSON_TYPE}, ${LD}`, LD],
  [`${JSON_TYPE}, */*`, LD],
  [`${JSON_TYPE}, */*;q=0.1`, JSON_TYPE],
  [`${LD};q=0.5, ${JSON_TYPE}`, JSON_TYPE],
  [`${LD};q=0.5, ${JSON_TYPE};q=0.4`, LD],
  [`${LD};q=0, */*`, JSON_TYPE],
  [`${LD}; profile="http://www.w3.org/ns/json-ld#compacted"`, LD],
  ['APPLICATION/JSON', JSON_TYPE],
  [TURTLE, TURTLE],
  [QUADS, QUADS],
  ['Text/Turtle; charset=UTF-8', TURTLE],
  ['text/*', TURTLE],
  [`${TURTLE}, ${QUADS}`, TURTLE],
  [`${QUADS}, ${TURTLE}`, TURTLE],
  [`${TURTLE}, ${LD}`, LD],
  [`${QUADS}, ${JSON_TYPE}`, JSON_TYPE],
  [`${TURTLE}, */*`, LD],
  [`${TURTLE}, */*;q=0.1`, TURTLE],
  [`${TURTLE};q=0.1, ${JSON_TYPE};q=0.05`, TURTLE],
  [`${TURTLE};q=0.1, ${JSON_TYPE};q=0.2`, JSON_TYPE],
  [`${LD};q=0, ${JSON_TYPE};q=0, */*;q=0.5`, TURTLE],
  ['text/html, text/turtle;q=0.1', TURTLE],
  ['text/turtle;q=0, text/html', LD],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', LD],
  ['text/html', LD],
  ['', LD],
]

// RFC 9111 §3.2: what a 304 has of a header takes the place of all that a cache has kept of it.
test('a 304 has the links of the response that it stands for', async (t) => {
  const { get, add, base } = await serveSignedIn(t)
  const author = await add('/authors', { name: 'Ann' })
  await add('/authors', { name: 'Bob' })
  for (const path of ['/authors', '/authors?itemsPerPage=1', pathOf(base, author['@id'])]) {
    for (const Accept of [
      LD,
      JSON_TYPE,
      TURTLE,
      QUADS,
      ...(path.startsWith('/authors/') ? [] : ['text/csv']),
    ]) {
      for (const coding of ['identity', 'gzip']) {
        const headers = { Accept, 'Accept-Encoding': coding }
        const { headers: whole } = await get(path, headers)
        const known = await get(path, { ...headers, 'If-None-Match': whole.etag ?? '' })
        assert.equal(known.status, 304)
        assert.equal(known.headers.link, whole.link, `${path} as ${Accept}, ${coding}`)
      }
    }
  }
})

// contract: `Accept`: `application/ld+json`
test('application/ld+json wins among equals, in any order and for a browser', async (t) => {
  const { get, add, base } = await serveSignedIn(t)
  const author = await add('/authors', { name: 'Ann' })
  const paths = ['/', '/vocab', '/authors', author['@id'].slice(base.length), '/session']
  for (const [accept, type] of CHOICES) {
    for (const path of paths) {
      const response = await get(path, accept === undefined ? {} : { Accept: accept })
      assert.equal(response.status, 200, `${accept} ${path}`)
      const sent = type === TURTLE ? 'text/turtle; charset=utf-8' : type
      assert.equal(response.headers['content-type'], sent, `${accept} ${path}`)
      assert.equal(response.headers.vary, 'X-Authorization, Authorization, Accept', `${accept} ${path}`)
    }
  }
})

// contract: `Accept`: `application/ld+json`
// contract: ETags are strong
test('application/json is without a context where a Link has it, under an ETag of its own', async (t) => {
  const service = await serveSignedIn(t, { api: PLAIN })
  const { get, add, send, base } = service
  const author = pathOf(base, (await add('/authors', { name: 'Ann' }))['@id'])
  const book = pathOf(base, (await add('/books', { title: 'x', author: base + author }))['@id'])
  const headers = { 'Content-Type': JSON_TYPE, Accept: JSON_TYPE }
  const made = await send('PUT', '/Motto', headers, '{"text":"x"}')
  const contexts: [path: string, context?: string][] = [
    ['/'],
    ['/vocab'],
    ['/session'],
    ['/contexts/Book'],
    ['/authors', 'AuthorCollection'],
    ['/authors?name=Ann', 'AuthorCollection'],
    ['/books?include=author', 'BookCollection?include=author'],
    [author, 'Author'],
    ['/Motto', 'Motto'],
    [`${book}?include=author`, 'Book?include=author'],
  ]
  for (const [path, context] of contexts) {
    const [ld, json] = [await get(path, { Accept: LD }), await get(path, { Accept: JSON_TYPE })]
    assert.notEqual(json.headers.etag, ld.headers.etag, path)
    // RFC 9110 §8.8.3.3: one ETag names one representation, and the other type is another one.
    const asked = await get(path, { Accept: JSON_TYPE, 'If-None-Match': ld.headers.etag ?? '' })
    assert.equal(asked.status, 200, path)
    const link = contextIn(json)
    if (context === undefined) assert.deepEqual([json.body, link], [ld.body, undefined], path)
    else {
      assert.equal(link, `${base}/contexts/${context}`, path)
      // What the Link leads to is what was left out, and nothing else was except for the templates.
      const found = (await get(pathOf(base, link))).json()
      const { search: _, summary: __, ...whole } = ld.json()
      assert.deepEqual({ ...found, ...json.json() }, whole, path)
      assert.equal(json.json()['@context'], undefined, path)
    }
    assert.equal(contextIn(ld), undefined, path)
  }
  // What was written comes back in the same form.
  assert.deepEqual(
    [made.status, made.json()['@context'], contextIn(made)],
    [201, undefined, `${base}/contexts/Motto`],
  )
})

const PLAIN = `
classes:
  Author: { properties: { name: string } }
  Book: { properties: { title: string, author: Author } }
  Motto: { collection: false, operations: [create, read], properties: { text: string } }
`

/** JSON-LD 1.1 §6.1. */
const contextIn = ({ headers }: TestResponse): string | undefined =>
  /<([^>]+)>; rel="http:\/\/www\.w3\.org\/ns\/json-ld#context"; type="application\/ld\+json"/.exec(
    String(headers.link),
  )?.[1]

// contract: `Accept`: `application/ld+json`
test('where nothing acceptable can be sent the answer is 406, and a POST has created nothing', async (t) => {
  const { get, post } = await serveSignedIn(t)
  const none = [
    'image/png',
    `${LD};q=0, ${JSON_TYPE};q=0`,
    '*/*;q=0',
    'application/ld',
    'text/turtle;q=0',
    'application/trig, text/n3, application/rdf+xml',
    `${LD};q=2`,
  ]
  for (const accept of none) {
    for (const path of ['/', '/vocab', '/authors']) {
      const response = await get(path, { Accept: accept })
      assert.equal(response.status, 406, `${accept} ${path}`)
      assert.ok(
        sentenceOf(response).includes(
          'application/ld+json, application/json, text/turtle, application/n-quads',
        ),
      )
      assert.equal(response.headers['content-type'], LD, accept)
    }
    assert.equal((await post('/authors', { name: 'Ann' }, { Accept: accept })).status, 406, accept)
  }
  assert.equal((await get('/authors')).json().totalItems, 0)
})

test('a context is JSON alone: it says nothing by itself', async (t) => {
  const { get } = await serveSignedIn(t)
  for (const [accept, status, type] of [
    [TURTLE, 406, LD],
    [QUADS, 406, LD],
    [`${TURTLE}, */*;q=0.1`, 200, LD],
    [`${TURTLE}, ${JSON_TYPE};q=0.1`, 200, JSON_TYPE],
    ['text/html', 200, LD],
  ] as const) {
    const response = await get('/contexts/Author', { Accept: accept })
    assert.deepEqual([response.status, response.headers['content-type']], [status, type], accept)
  }
})

test('an error is JSON, whatever was asked for', async (t) => {
  const { get, post } = await serveSignedIn(t)
  for (const accept of [TURTLE, QUADS, `${TURTLE}, ${QUADS};q=0.5`]) {
    const missing = await get('/authors/none', { Accept: accept })
    assert.deepEqual([missing.status, missing.headers['content-type']], [404, LD])
    const invalid = await post('/authors', {}, { Accept: accept })
    assert.deepEqual([invalid.status, invalid.headers['content-type']], [422, LD])
    assert.ok(sentenceOf(invalid).startsWith('name: '))
    const problem = await post('/authors', {}, { Accept: `${accept}, application/problem+json;q=0.1` })
    assert.deepEqual([problem.status, problem.headers['content-type']], [422, 'application/problem+json'])
    assert.equal(codesOf(problem), 'name: RequiredValue')
  }
})

const MINIMAL = { Prefer: 'return=minimal' }

// contract: `Prefer: return=minimal` is honoured
test('return=minimal: a write is answered without the representation, with its ETag, and says so', async (t) => {
  const { post, put, patch, get, base } = await serveWriter(t)
  const created = await post('/authors', { name: 'Ann' }, MINIMAL)
  const { location, etag } = created.headers
  assert.equal(created.status, 201)
  assert.equal(created.body, '')
  assert.equal(created.headers['content-length'], '0')
  assert.equal(created.headers['content-type'], undefined)
  assert.equal(created.headers['preference-applied'], 'return=minimal')
  const path = pathOf(base, location)
  assert.equal((await get(path)).headers.etag, etag)

  for (const response of [
    await put(path, { name: 'Bob' }, MINIMAL),
    await patch(path, { name: 'Cyd' }, MINIMAL),
    await patch(path, { name: 'Dan' }, { Prefer: 'respond-async, return="minimal"' }),
  ]) {
    assert.equal(response.status, 204)
    assert.equal(response.body, '')
    assert.equal(response.headers['preference-applied'], 'return=minimal')
    assert.match(response.headers.etag ?? '', /^"\d+-/)
  }
  assert.equal((await get(path)).json().name, 'Dan')

  const placed = await put('/authors/eve', { name: 'Eve' }, { ...MINIMAL, 'If-None-Match': '*' })
  assert.deepEqual([placed.status, placed.body, placed.headers.location], [201, '', `${base}/authors/eve`])
  const inTurtle = await post('/authors', { name: 'Fay' }, { ...MINIMAL, Accept: 'text/turtle' })
  assert.deepEqual([inTurtle.status, inTurtle.headers['content-type']], [201, undefined])
})

// contract: `Prefer: return=minimal` is honoured
test('other preferences are not confirmed, and the representation is sent', async (t) => {
  const { post, put, base } = await serveWriter(t)
  for (const Prefer of [
    'return=representation',
    'return=representation, return=minimal',
    'minimal',
    'wait=10',
    '',
  ]) {
    const created = await post('/authors', { name: 'Ann' }, { Prefer })
    assert.equal(created.status, 201, Prefer)
    assert.equal(created.json().name, 'Ann', Prefer)
    assert.equal(created.headers['preference-applied'], undefined, Prefer)
    const replaced = await put(pathOf(base, created.headers.location), { name: 'Bob' }, { Prefer })
    assert.equal(replaced.json().name, 'Bob', Prefer)
  }
})

test('return=minimal changes nothing about what is refused', async (t) => {
  const { post, put } = await serveWriter(t)
  const refused = await post('/authors', { name: 5 }, MINIMAL)
  assert.equal(refused.status, 422)
  assert.notEqual(refused.body, '')
  assert.equal(refused.headers['preference-applied'], undefined)
  assert.equal((await put('/authors/none', { name: 'Ann' }, MINIMAL)).status, 404)
})
