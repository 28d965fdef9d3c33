import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/service.ts'
import { serveSignedIn, withoutContext } from './signed-in.ts'

// contract: **Entry point**: first `@type`
test('the entry point has one key for each collection, and lists all with their member assertions', async (t) => {
  const { get, base } = await serveSignedIn(t)
  const response = await get('/')
  assert.equal(response.status, 200)
  const described = (path: string, name: string) => ({
    '@id': `${base}/${path}`,
    '@type': ['Collection', `${base}/vocab#${name}Collection`],
    memberAssertion: { property: 'rdf:type', object: `${base}/vocab#${name}` },
  })
  assert.deepEqual(withoutContext(response.json()), {
    '@id': `${base}/`,
    '@type': ['EntryPoint', 'hydra:Resource'],
    authors: `${base}/authors`,
    books: `${base}/books`,
    session: `${base}/session`,
    batch: `${base}/batch`,
    events: `${base}/events`,
    openapi: `${base}/openapi`,
    collection: [described('authors', 'Author'), described('books', 'Book')],
  })
})

// contract: **Entry point**: first `@type`
test('the entry point names a class of another vocabulary by its IRI', async (t) => {
  const api = 'classes: { Book: { iri: "http://schema.org/Book", collection: my-books } }'
  const { get, base } = await serveSignedIn(t, { api })
  const { collection, 'my-books': link } = (await get('/')).json()
  assert.equal(link, `${base}/my-books`)
  assert.deepEqual(collection, [
    {
      '@id': `${base}/my-books`,
      '@type': ['Collection', `${base}/vocab#BookCollection`],
      memberAssertion: { property: 'rdf:type', object: 'http://schema.org/Book' },
    },
  ])
})

// contract: A class without a collection is an embedded value
// contract: What is no collection (`session`, `events`, `batch`, `openapi`, single resources)
test('the entry point has one key for each single resource, which is in no collection', async (t) => {
  const api = `
classes:
  Author: { properties: { address: Address } }
  Address: { collection: false, properties: { street: string } }
  Settings: { collection: false, operations: [create, read], properties: { motto: string } }
`
  const { get, send, base } = await serveSignedIn(t, { api })
  const entryPoint = withoutContext((await get('/')).json())
  assert.deepEqual(Object.keys(entryPoint), [
    '@id',
    '@type',
    'authors',
    'Settings',
    'session',
    'batch',
    'events',
    'openapi',
    'collection',
  ])
  assert.equal(entryPoint.Settings, `${base}/Settings`)
  assert.equal((entryPoint.collection as unknown[]).length, 1)
  assert.equal((await get('/Address')).status, 404)
  const put = await send('PUT', '/Settings', { 'Content-Type': 'application/ld+json' }, '{"motto": "a"}')
  assert.equal(put.status, 201, put.body)
  assert.equal((await get('/Settings')).json()['@id'], entryPoint.Settings)
})

// contract: `{base}` and `{base}/` (entry point)
test('the entry point is the same with and without the slash at its end', async (t) => {
  const { get } = await serveSignedIn(t)
  const [without, withSlash] = [await get(''), await get('/')]
  assert.equal(without.status, 200)
  assert.equal(without.body, withSlash.body)
  assert.equal(without.headers.etag, withSlash.headers.etag)
})

// contract: `{base}` and `{base}/` (entry point)
// contract: `{base}/vocab` (ApiDocumentation)
// contract: `{base}/contexts/{name}` ¦
// contract: `If-None-Match` gives 304.
test('every resource that never changes answers HEAD like GET, and If-None-Match with 304', async (t) => {
  const { send, get } = await serveSignedIn(t)
  for (const path of ['/', '/vocab', '/contexts/Book']) {
    const [got, head] = [await get(path), await send('HEAD', path)]
    assert.equal(head.status, 200, path)
    assert.equal(head.body, '', path)
    assert.equal(head.headers['content-length'], String(Buffer.byteLength(got.body)), path)
    assert.equal(head.headers.etag, got.headers.etag, path)
    const fresh = await get(path, { 'If-None-Match': got.headers.etag ?? '' })
    assert.equal(fresh.status, 304, path)
    assert.equal(fresh.headers['content-type'], undefined, path)
  }
})

// contract: `{base}` and `{base}/` (entry point)
// contract: `{base}/vocab` (ApiDocumentation)
// contract: `{base}/contexts/{name}` ¦
test('what cannot be written refuses every write with 405 and says what is possible', async (t) => {
  const { send } = await serveSignedIn(t)
  for (const path of ['/', '/vocab', '/contexts/Book']) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await send(method, path, { 'Content-Type': 'application/ld+json' }, '{}')
      assert.equal(response.status, 405, `${method} ${path}`)
      assert.equal(response.headers.allow, 'GET, HEAD', `${method} ${path}`)
    }
  }
})

// contract: Scoped contexts keep a user's
test('a collection may have the name of a term that the entry point needs inside', async (t) => {
  const names = ['member', 'object', 'property', 'rdf', 'constructor', 'memberAssertion', 'Collection']
  const classes = names.map((name, index) => `  C${index}: { collection: ${name} }`).join('\n')
  const { get, base } = await serveSignedIn(t, { api: `classes:\n${classes}\n` })
  const entryPoint = (await get('/')).json()
  for (const name of names) assert.equal(entryPoint[name], `${base}/${name}`)
  for (const name of names) assert.equal((await get(`/${name}`)).status, 200)
})

test('while authentication is off the entry point and the documentation know no session', async (t) => {
  const { client } = await serve(t, { flags: { auth: false } })
  const entryPoint = (await client.send('GET', '/')).json()
  assert.equal(entryPoint.session, undefined)
  const { body } = await client.send('GET', '/vocab')
  assert.equal(body.includes('Session'), false)
})
