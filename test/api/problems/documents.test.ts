import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsonld from 'jsonld'
import { PROBLEM_TYPES, titleOf } from '../../../src/api/problems/index.ts'
import { HYDRA } from '../../../src/vocabulary/index.ts'
import { quadsOf } from '../rdf.ts'
import { type Json, sentenceOf, serveSignedIn, withoutContext } from '../signed-in.ts'

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
  const { violations, ...problem } = response.json() as Json & { violations: Record<string, string>[] }
  assert.deepEqual(withoutContext(problem), {
    '@type': ['ConstraintViolationList', 'Error'],
    type: `${base}/vocab#ValidationFailed`,
    title: 'Validation failed',
    detail:
      'titel: is not a property of Book; did you mean "title"? title: is required. pages: must be at least 1.',
    status: 422,
  })
  assert.deepEqual(violations, [
    {
      propertyPath: 'titel',
      message: 'is not a property of Book; did you mean "title"?',
      code: 'UnknownProperty',
    },
    { propertyPath: 'title', message: 'is required.', code: 'RequiredValue' },
    { propertyPath: 'pages', message: 'must be at least 1.', code: 'BelowMinimum' },
  ])
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
    operation: vocab('operation'),
    parameter: vocab('parameter'),
    linkedFrom: { '@id': vocab('StillLinked/linkedFrom'), '@type': '@id' },
    hasFurtherLinks: vocab('StillLinked/hasFurtherLinks'),
  })
})

/** The form of a problem document but for its context and its sentence. */
function formOf({ body }: { readonly body: string }): Json {
  const { detail, ...rest } = withoutContext(JSON.parse(body))
  assert.ok(typeof detail === 'string' && detail !== '', body)
  return rest
}

const problemOf = (base: string, code: string, status: number, place: object = {}) => ({
  '@type': ['Error'],
  type: `${base}/vocab#${code}`,
  title: titleOf(code),
  status,
  ...place,
})

// contract: With `application/problem+json` in `Accept`
test('with application/problem+json in Accept every error after admission is a problem document', async (t) => {
  const { send, base } = await serveSignedIn(t)
  const table: [method: string, path: string, status: number, code: string, place?: object][] = [
    ['GET', '/books?page=0', 400, 'InvalidCount', { parameter: 'page' }],
    ['GET', '/books?titel=a', 400, 'UnknownParameter', { parameter: 'titel' }],
    ['GET', '/books?title=%ff', 400, 'InvalidQueryEncoding'],
    ['GET', '/books/none', 404, 'MemberNotFound'],
    ['GET', '/boooks', 404, 'UnknownCollection'],
    ['POST', '/vocab', 405, 'MethodNotAllowed'],
    ['POST', '/books', 415, 'UnsupportedMediaType'],
    ['GET', '/events?after=AAAAAAAAAAAAAAAAAAAAAA', 410, 'EventIdGone', { parameter: 'after' }],
  ]
  for (const [method, path, status, code, place] of table) {
    const response = await send(method, path, { Accept: `${PROBLEM};q=0.1, */*` })
    assert.equal(response.status, status, path)
    assert.equal(response.headers['content-type'], PROBLEM, path)
    assert.deepEqual(formOf(response), problemOf(base, code, status, place), path)
  }
  const alone = await send('GET', '/books/none', { Accept: PROBLEM })
  assert.deepEqual([alone.status, alone.headers['content-type']], [404, PROBLEM])
  const refused = await send('POST', '/vocab', { Accept: PROBLEM })
  assert.equal(refused.headers.allow, 'GET, HEAD')
})

// contract: With `application/problem+json` in `Accept`
test('a problem document links to the context of errors, and other forms do not', async (t) => {
  const { client, base } = await serveSignedIn(t)
  const token = await client.signIn()
  const documentation = `<${base}/vocab>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`
  const context =
    '<http://www.w3.org/ns/hydra/error>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"'
  const linkOf = async (path: string, accept: string) => {
    const { headers } = await fetch(base + path, { headers: { 'X-Authorization': token, Accept: accept } })
    return headers.get('link')
  }
  assert.equal(await linkOf('/books/none', PROBLEM), `${documentation}, ${context}`)
  assert.equal(await linkOf('/books/none', '*/*'), documentation)
  assert.equal(await linkOf('/books', `${PROBLEM}, */*`), documentation)
})

// contract: With `application/problem+json` in `Accept`
test('a problem document is a hydra:Error of a class that the documentation describes', async (t) => {
  const { get, base } = await serveSignedIn(t)
  const iri = `${base}/vocab#InvalidCount`
  const document = (await get('/books?page=0', { Accept: PROBLEM })).json()
  const problem = (await jsonld.expand(document as object))[0] as Json
  assert.deepEqual(problem['@type'], [`${HYDRA}Error`, iri])
  assert.deepEqual(problem[`${HYDRA}statusCode`], [{ '@value': 400 }])
  assert.deepEqual(problem[`${HYDRA}title`], [{ '@value': 'Invalid count' }])
  assert.deepEqual(problem[`${base}/vocab#parameter`], [{ '@value': 'page' }])

  const [documentation] = await jsonld.expand((await get('/vocab')).json() as object)
  const described = documentation?.[`${HYDRA}possibleStatus`] as Json[]
  assert.deepEqual(
    described.find((one) => one['@id'] === iri),
    {
      '@id': iri,
      '@type': [`${HYDRA}Class`, `${HYDRA}Status`],
      'http://www.w3.org/2000/01/rdf-schema#subClassOf': [{ '@id': `${HYDRA}Error` }],
      [`${HYDRA}statusCode`]: [{ '@value': 400 }],
      [`${HYDRA}title`]: [{ '@value': 'Invalid count' }],
      [`${HYDRA}description`]: [{ '@value': 'Send a whole number within the limits.' }],
    },
  )
  // A problem without an entry in the tables that PROBLEM_TYPES lists has no sentence either, and is not sent.
  assert.deepEqual(
    described.map((one) => String(one['@id'])).filter((id) => !id.includes('#status/')),
    PROBLEM_TYPES.map(({ code }) => `${base}/vocab#${code}`),
  )
})

test('a class that is named like a problem keeps its name', async (t) => {
  const api = 'classes:\n  Rejected: { properties: { name: string } }\n'
  const { get, base } = await serveSignedIn(t, { api })
  const { possibleStatus, supportedClass } = (await get('/vocab')).json() as Record<string, Json[]>
  const isRejected = (one: Json) => one['@id'] === `${base}/vocab#Rejected`
  assert.equal(possibleStatus?.some(isRejected), false)
  assert.equal(supportedClass?.filter(isRejected).length, 1)
})

// contract: With `application/problem+json` in `Accept`
test('a write that is refused is a problem document with a type of its own', async (t) => {
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
  const linkedFrom = [`${base}${book}`]
  const table: [
    method: string,
    path: string,
    headers: object,
    status: number,
    code: string,
    more?: object,
  ][] = [
    ['DELETE', ann, { 'If-Match': '*' }, 409, 'StillLinked', { linkedFrom }],
    ['DELETE', ann, {}, 428, 'PreconditionRequired'],
    ['PATCH', book, { 'Content-Type': PATCH, 'If-Match': '"0-x"' }, 412, 'PreconditionFailed'],
    ['PATCH', book, { 'Content-Type': LD, 'If-Match': '*' }, 415, 'UnsupportedMediaType'],
    ['PUT', '/notes/new', { 'Content-Type': LD, 'If-None-Match': '*' }, 403, 'NotCreatable'],
    ['PUT', '/books/new', { 'Content-Type': LD, 'If-Match': '*' }, 404, 'MemberNotFound'],
  ]
  for (const [method, path, headers, status, code, more] of table) {
    const response = await send(method, path, { ...headers, Accept: `${PROBLEM}, */*` }, '{}')
    assert.deepEqual(
      formOf(response),
      problemOf(base, code, status, more),
      `${method} ${path}: ${response.body}`,
    )
    assert.equal(response.status, status)
    assert.equal(response.headers['content-type'], PROBLEM)
    assert.equal(response.headers['accept-patch'], status === 415 ? `${PATCH}, application/json` : undefined)
  }
})

// contract: With `application/problem+json` in `Accept`
test('a batch that fails names the operation', async (t) => {
  const { post, base } = await serveSignedIn(t)
  const operation = [
    { method: 'POST', target: 'authors', body: { name: 'Ann' } },
    { method: 'DELETE', target: 'books/none' },
  ]
  const response = await post('/batch', { operation }, { Accept: PROBLEM })
  assert.deepEqual(formOf(response), problemOf(base, 'MemberNotFound', 404, { operation: 1 }))
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
