import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceOf, serveSignedIn, withoutContext } from './signed-in.ts'

const PROBLEM = 'application/problem+json'

// contract: With `application/problem+json` in `Accept`
test('with application/problem+json in Accept a 422 lists its violations', async (t) => {
  const { post, base } = await serveSignedIn(t)
  const response = await post(
    '/books',
    { pages: 0, titel: 'a' },
    { Accept: `${PROBLEM}, application/ld+json` },
  )
  assert.equal(response.status, 422)
  assert.equal(response.headers['content-type'], PROBLEM)
  assert.equal(response.headers['cache-control'], 'no-store')
  const problem = response.json()
  assert.deepEqual(withoutContext(problem), {
    '@type': ['ConstraintViolationList', 'Error'],
    type: `${base}/vocab#ValidationFailed`,
    title: 'Validation failed',
    detail:
      'titel: is not a property of Book; did you mean "title"? title: is required. pages: must be at least 1.',
    status: 422,
    violations: [
      {
        propertyPath: 'titel',
        message: 'is not a property of Book; did you mean "title"?',
        code: 'UnknownProperty',
      },
      { propertyPath: 'title', message: 'is required.', code: 'RequiredValue' },
      { propertyPath: 'pages', message: 'must be at least 1.', code: 'BelowMinimum' },
    ],
  })
  const vocab = (name: string) => `${base}/vocab#${name}`
  assert.deepEqual(problem['@context'], {
    '@version': 1.1,
    '@vocab': vocab(''),
    hydra: 'http://www.w3.org/ns/hydra/core#',
    Error: 'hydra:Error',
    ConstraintViolationList: vocab('ConstraintViolationList'),
    type: '@type',
    title: 'hydra:title',
    detail: 'hydra:description',
    description: 'hydra:description',
    status: 'hydra:statusCode',
    instance: { '@id': 'http://www.w3.org/2000/01/rdf-schema#seeAlso', '@type': '@id' },
    violations: { '@id': vocab('ConstraintViolationList/violations') },
    propertyPath: vocab('propertyPath'),
    message: vocab('message'),
    code: vocab('code'),
  })
})

// contract: With `application/problem+json` in `Accept`
test('with application/problem+json in Accept every error after admission is a problem document', async (t) => {
  const { send } = await serveSignedIn(t)
  const table: [method: string, path: string, status: number, title: string][] = [
    ['GET', '/books?page=0', 400, 'The request is malformed'],
    ['GET', '/books/none', 404, 'There is nothing here'],
    ['GET', '/boooks', 404, 'There is nothing here'],
    ['POST', '/vocab', 405, 'The method is not possible here'],
    ['POST', '/books', 415, 'The body has a type that is not understood'],
  ]
  for (const [method, path, status, title] of table) {
    const response = await send(method, path, { Accept: `${PROBLEM};q=0.1, */*` })
    const { detail, ...rest } = withoutContext(response.json())
    assert.equal(response.status, status, path)
    assert.equal(response.headers['content-type'], PROBLEM, path)
    assert.deepEqual(rest, { '@type': ['Error'], title, status }, path)
    assert.ok(typeof detail === 'string' && detail !== '', path)
  }
  const alone = await send('GET', '/books/none', { Accept: PROBLEM })
  assert.deepEqual([alone.status, alone.headers['content-type']], [404, PROBLEM])
  const refused = await send('POST', '/vocab', { Accept: PROBLEM })
  assert.equal(refused.headers.allow, 'GET, HEAD')
})

// contract: With `application/problem+json` in `Accept`
test('what a write is refused for is a problem document with a title of its own', async (t) => {
  const api = `
classes:
  Author: { properties: { name: string } }
  Book: { properties: { author: Author }, operations: [read, replace, create, update] }
  Note: { properties: { text: string }, operations: [read, replace] }
`
  const { send, add, base } = await serveSignedIn(t, { api, flags: { requireIfMatch: true } })
  const author = await add('/authors', { name: 'Ann' })
  const book = (await add('/books', { author: author['@id'] }))['@id'].slice(base.length)
  const ann = author['@id'].slice(base.length)
  const [LD, PATCH] = ['application/ld+json', 'application/merge-patch+json']
  const table: [method: string, path: string, headers: object, status: number, title: string][] = [
    ['DELETE', ann, { 'If-Match': '*' }, 409, 'The change conflicts with other members'],
    ['DELETE', ann, {}, 428, 'A precondition is required'],
    ['PATCH', book, { 'Content-Type': PATCH, 'If-Match': '"0-x"' }, 412, 'The precondition does not hold'],
    [
      'PATCH',
      book,
      { 'Content-Type': LD, 'If-Match': '*' },
      415,
      'The body has a type that is not understood',
    ],
    ['PUT', '/notes/new', { 'Content-Type': LD, 'If-None-Match': '*' }, 403, 'This is not allowed'],
    ['PUT', '/books/new', { 'Content-Type': LD, 'If-Match': '*' }, 404, 'There is nothing here'],
  ]
  for (const [method, path, headers, status, title] of table) {
    const response = await send(method, path, { ...headers, Accept: `${PROBLEM}, */*` }, '{}')
    const { detail, ...rest } = withoutContext(response.json())
    assert.deepEqual(rest, { '@type': ['Error'], title, status }, `${method} ${path}: ${response.body}`)
    assert.ok(typeof detail === 'string' && detail !== '', path)
    assert.equal(response.status, status)
    assert.equal(response.headers['content-type'], PROBLEM)
    assert.equal(response.headers['accept-patch'], status === 415 ? `${PATCH}, application/json` : undefined)
  }
})

test('an Accept that does not name application/problem+json keeps the form with one member', async (t) => {
  const { post } = await serveSignedIn(t)
  const accepts = ['*/*', 'application/*', 'application/json', `${PROBLEM};q=0, */*`, 'application/ld+json']
  for (const accept of accepts) {
    const response = await post('/books', {}, { Accept: accept })
    assert.equal(response.status, 422, accept)
    assert.equal(response.headers['content-type'], 'application/ld+json', accept)
    assert.equal(sentenceOf(response), 'title: is required.', accept)
  }
})

// contract: With `application/problem+json` in `Accept`
test('an error before admission has the form of the seed, whatever Accept says', async (t) => {
  const { client } = await serveSignedIn(t)
  const response = await client.send('GET', '/books/none', { Accept: PROBLEM })
  assert.equal(response.status, 401)
  assert.equal(response.headers['content-type'], 'application/ld+json')
  assert.ok(sentenceOf(response) !== '')
})
