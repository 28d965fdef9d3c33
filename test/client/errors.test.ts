import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ApiError, ConflictError, createClient } from 'hydrant-client'
import { listen } from '../support/browser-server.ts'
import { serve } from '../support/service.ts'
import { CREDENTIALS, recordClient } from './recording.ts'

/** What a client makes of one answer. */
async function errorOf(
  t: TestContext,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): Promise<ApiError> {
  const base = await listen(t, (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/ld+json', ...headers }).end(body)
  })
  const error = await createClient({ base, credentials: CREDENTIALS, patience: 0 })
    .get('/x')
    .catch((reason) => reason)
  assert.ok(error instanceof ApiError, String(error))
  return error
}

const HYDRA = 'http://www.w3.org/ns/hydra/core#'

test('The message is the sentence of the server, in any of its forms', async (t) => {
  for (const [status, body, code, message] of [
    [404, '{"404": "No collection is named \\"boks\\"."}', 'not-found', 'No collection is named "boks".'],
    [409, '{"409": "Others link to it."}', 'refused', 'Others link to it.'],
    [
      400,
      '{"title": "Bad", "detail": "The page is no number.", "status": 400}',
      'refused',
      'The page is no number.',
    ],
    [
      400,
      '{"@type": "hydra:Error", "hydra:title": "An error occurred", "hydra:description": "No."}',
      'refused',
      'No.',
    ],
    [400, '{"@type": "Error", "title": "An error occurred", "description": "No."}', 'refused', 'No.'],
    [400, '{"title": "Not like this"}', 'refused', 'Not like this'],
    [400, `{"${HYDRA}description": [{"@value": "No."}]}`, 'refused', 'No.'],
    [400, `{"@context": {"what": "${HYDRA}description"}, "what": "No."}`, 'refused', 'No.'],
    [400, '{"description": {"en": "No.", "de": "Nein."}}', 'refused', 'No.'],
    [410, '{}', 'not-found', undefined],
    [422, '{}', 'invalid', undefined],
    [429, '', 'throttled', undefined],
    [500, '"oh"', 'refused', undefined],
    [500, 'null', 'refused', undefined],
    [500, '[]', 'refused', undefined],
    [500, '{"500": 7}', 'refused', '7'],
    [500, '{"500": ', 'refused', undefined],
    [501, '', 'refused', undefined],
    [502, '<html><title>Bad gateway</title></html>', 'unavailable', undefined],
    [503, '{"503": "It took too long."}', 'unavailable', 'It took too long.'],
    [504, '', 'unavailable', undefined],
    [401, '{"401": "Need credentials to authenticate"}', 'credentials', 'Need credentials to authenticate'],
    [403, '{"403": "Nobody may do this."}', 'refused', 'Nobody may do this.'],
  ] as const) {
    const error = await errorOf(t, status, body, body.startsWith('<') ? { 'Content-Type': 'text/html' } : {})
    assert.equal(error.status, status)
    assert.equal(error.kind, code, body)
    if (message === undefined)
      assert.match(error.message, new RegExp(`^http://.*/x answered with ${status}\\.$`))
    else assert.equal(error.message, message)
    assert.deepEqual(error.violations, [])
    assert.equal(error.name, 'ApiError')
  }
})

const CONTEXT = { '@vocab': HYDRA }

/** A problem document as hypermedia.md has it. */
const problem = (code: string, more: object): string =>
  JSON.stringify({
    '@context': CONTEXT,
    '@type': ['hydra:Error'],
    type: `http://localhost/api/vocab#${code}`,
    title: 'The request failed',
    detail: 'It is not allowed.',
    ...more,
  })

test('A problem document gives its code, operation, parameter and violations', async (t) => {
  const violation = { propertyPath: 'pages', message: 'must be at least 1.', code: 'MinimumViolated' }
  const refused = await errorOf(t, 400, problem('ParameterUnknown', { status: 400, parameter: 'pages.min' }))
  assert.deepEqual(
    [refused.kind, refused.code, refused.status, refused.parameter, refused.operation, refused.violations],
    ['refused', 'ParameterUnknown', 400, 'pages.min', undefined, []],
  )
  const invalid = await errorOf(
    t,
    422,
    problem('ValuesInvalid', { status: 422, operation: 0, violations: [violation] }),
  )
  assert.deepEqual(
    [invalid.kind, invalid.code, invalid.status, invalid.parameter, invalid.operation, invalid.violations],
    ['invalid', 'ValuesInvalid', 422, undefined, 0, [violation]],
  )
  assert.equal(invalid.message, 'It is not allowed.')
})

test('If the server sends no code, the code of an error is its kind', async (t) => {
  for (const type of [
    undefined,
    'about:blank',
    '/errors/404',
    'http://localhost/errors/404',
    404,
    { en: 'x#y' },
  ]) {
    const { kind, code } = await errorOf(t, 404, JSON.stringify({ type, operation: '1', parameter: 7 }))
    assert.deepEqual([kind, code], ['not-found', 'not-found'], String(type))
  }
})

test('Malformed violations are ignored', async (t) => {
  const violationsOf = async (violations: unknown) =>
    (await errorOf(t, 422, JSON.stringify({ detail: 'No.', violations }))).violations
  const nothings = [null, 'text', 7, {}, [], { message: null }, { message: { en: 'no' } }, { message: ' ' }]
  for (const nothing of [...nothings, nothings]) assert.deepEqual(await violationsOf(nothing), [])
  for (const propertyPath of [null, 5, ['text'], undefined])
    assert.deepEqual(await violationsOf([null, { propertyPath, message: 'No.', code: 7 }]), [
      { propertyPath: '', message: 'No.' },
    ])
})

test('Members that link to one that could not be deleted are data', async (t) => {
  const linksIn = async (more: object) => {
    const { linkedFrom, hasFurtherLinks } = await errorOf(t, 409, problem('StillLinked', more))
    return [linkedFrom, hasFurtherLinks]
  }
  const linkedFrom = ['http://localhost/api/books/1', 'http://localhost/api/books/2']
  assert.deepEqual(await linksIn({ linkedFrom }), [linkedFrom, false])
  assert.deepEqual(await linksIn({ linkedFrom, hasFurtherLinks: true }), [linkedFrom, true])
  assert.deepEqual(await linksIn({ detail: 'Linked from http://localhost/api/books/1.' }), [[], false])
  assert.deepEqual(await linksIn({ linkedFrom: [7, null, {}, ''], hasFurtherLinks: 'yes' }), [[], false])
})

test('Removing a member that others link to names them, alone and in a batch', async (t) => {
  const { base } = await serve(t)
  const { client } = recordClient(base)
  const author = await client.collection('authors').create({ name: 'Jane' })
  const book = await client.collection('books').create({ title: 'Emma', author: author.iri })
  const refused = { code: 'StillLinked', status: 409, linkedFrom: [book.iri], hasFurtherLinks: false }
  await assert.rejects(author.remove(), refused)
  await assert.rejects(
    client.batch((batch) => batch.remove(author)),
    { ...refused, operation: 0 },
  )
  const [result] = await client.batch((batch) => batch.remove(author), { lenient: true })
  assert.deepEqual(
    [result?.status, result?.linkedFrom, result?.hasFurtherLinks],
    [409, [book.iri], undefined],
  )
})

test('An operation of a batch is found by its index, whatever the sentence says', async (t) => {
  const base = await listen(t, ({ url, method }, response) => {
    const [status, body] =
      method === 'POST'
        ? [412, problem('MemberChanged', { status: 412, operation: 1, detail: 'Version 7 is gone.' })]
        : [200, JSON.stringify({ '@id': url, '@type': 'Person', batch: '/batch' })]
    response.writeHead(status, { 'Content-Type': 'application/ld+json', ETag: '"7"' }).end(body)
  })
  const client = createClient({ base })
  const [ann, bob] = [await client.get('/people/ann'), await client.get('/people/bob')]
  const error = await client
    .batch((batch) => {
      batch.remove(ann)
      batch.remove(bob)
    })
    .catch((reason) => reason)
  assert.ok(error instanceof ConflictError)
  assert.deepEqual([error.kind, error.code, error.operation], ['conflict', 'MemberChanged', 1])
  assert.deepEqual([error.message, error.seen], ['Version 7 is gone.', bob.data])
})

test('Errors that the client finds have codes of their own', async (t) => {
  const base = await listen(t, ({ url }, response) => {
    if (url === '/elsewhere') return response.writeHead(401).end()
    const body =
      url === '/text' ? 'text' : JSON.stringify({ '@id': url, '@type': 'Thing', events: '/events' })
    response.writeHead(200, { 'Content-Type': 'application/ld+json' }).end(body)
  })
  const client = createClient({ base, patience: 0 })
  const below = createClient({ base: `${base}/api` })
  const member = await client.get('/thing')
  const cases: Readonly<Record<string, readonly [() => Promise<unknown>, object]>> = {
    'no-address': [() => client.get(''), { kind: 'malformed' }],
    'not-json': [() => client.get('/text'), { kind: 'malformed' }],
    'not-a-stream': [() => client.changes().next(), { kind: 'malformed' }],
    'no-search-template': [() => client.collectionAt('/things').search(), { kind: 'malformed' }],
    'unknown-link': [() => client.collection('books').page(), { kind: 'not-found' }],
    'unknown-operation': [() => member.call('ship'), { kind: 'not-found' }],
    'impossible-id': [() => client.collectionAt('/things').get('..'), { kind: 'not-found' }],
    'outside-base': [() => below.get(`${base}/elsewhere`), { kind: 'credentials', status: 401 }],
    'no-response': [
      () => createClient({ base: 'http://127.0.0.1:1', patience: 0 }).entryPoint(),
      { kind: 'unreachable' },
    ],
  }
  for (const [code, [fail, expected]] of Object.entries(cases))
    await assert.rejects(fail, { code, ...expected }, code)
})

test('A response that is not JSON is an error, also with status 200', async (t) => {
  for (const body of ['', '<!doctype html><p>Sign in to the hotel', '{"@id": ']) {
    const error = await errorOf(t, 200, body)
    assert.deepEqual([error.kind, error.code], ['malformed', 'not-json'])
    assert.match(error.message, /^http:.*\/x is not JSON\.$/)
  }
})

test('A web page instead of an API is an error that says where the API is, or probably is', async (t) => {
  const html = { 'Content-Type': 'text/html; charset=utf-8' }
  const isAt = (address: string) => `; the API is at ${address}`
  const [named, wrong] = ['http://localhost:8080/a&amp;b', 'x y'].map(
    (base) => `<!doctype html><meta name="hydrant-base" content="${base}"><title>Console</title>`,
  )
  for (const [path, body, where] of [
    ['/', named, () => isAt('http://localhost:8080/a&b')],
    ['/', wrong, (base: string) => `; the API is probably at ${base}/api`],
    [
      '/books',
      '<!doctype html><p>Sign in to the hotel',
      (base: string) => `; the API is probably at ${base}/api`,
    ],
    ['/api', '<!doctype html><p>Sign in to the hotel', () => ''],
    ['/api/books', '<!doctype html><p>Sign in to the hotel', () => ''],
  ] as const) {
    const base = await listen(t, (_, response) => response.writeHead(200, html).end(body))
    const error = await createClient({ base })
      .get(path)
      .catch((reason) => reason)
    assert.ok(error instanceof ApiError, String(error))
    assert.deepEqual([error.kind, error.code], ['malformed', 'web-page'])
    assert.equal(error.message, `${base}${path} is a web page and not an API${where(base)}.`)
  }
})

test('A 401 without a nonce starts no exchange', async (t) => {
  let asked = 0
  const base = await listen(t, (_, response) => {
    asked += 1
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="A proxy"' }).end('<p>Who are you?')
  })
  await assert.rejects(createClient({ base, credentials: CREDENTIALS }).entryPoint(), { kind: 'credentials' })
  assert.equal(asked, 1)
})

test('A server whose tokens never work is not asked forever', async (t) => {
  let asked = 0
  const base = await listen(t, ({ headers }, response) => {
    asked += 1
    if (headers.authorization) response.writeHead(200, { 'X-Authorization': `token ${asked}` }).end('{}')
    else response.writeHead(401, { 'X-Authentication': `nonce ${asked}` }).end('{"401": "Who are you?"}')
  })
  await assert.rejects(createClient({ base, credentials: CREDENTIALS }).entryPoint(), { kind: 'credentials' })
  assert.ok(asked < 10, String(asked))
})

test('Violations come with the property that they are about, and what would be right', async (t) => {
  const { base } = await serve(t)
  const { client } = recordClient(base)
  const error = await client
    .collection('books')
    .create({ titel: 'Emma', pages: 0 })
    .catch((reason) => reason)
  assert.ok(error instanceof ApiError)
  assert.equal(error.kind, 'invalid')
  assert.equal(error.status, 422)
  assert.deepEqual(Object.fromEntries(error.violations.map((one) => [one.propertyPath, one.code])), {
    titel: 'UnknownProperty',
    title: 'RequiredValue',
    pages: 'BelowMinimum',
  })
  for (const { message } of error.violations) assert.ok(error.message.includes(message), message)
})

test('An error without a response names the address, and has the error of fetch as its cause', async () => {
  const client = createClient({ base: 'http://127.0.0.1:1/api', patience: 0 })
  const error = await client.entryPoint().catch((reason) => reason)
  assert.equal(error.kind, 'unreachable')
  assert.equal(error.message, 'http://127.0.0.1:1/api did not answer.')
  assert.ok(error.cause instanceof TypeError)
})

test('A base that is not an address of the web is refused at once, by an error of the client that does not repeat it', () => {
  const refused = {
    name: 'ApiError',
    kind: 'malformed',
    code: 'invalid-base',
    message: 'base must be an address such as http://localhost:8080/api.',
  }
  const bases = ['localhost', 'localhost:8080/api', '/api', '', 'ftp://localhost/api', 'http://', undefined]
  for (const base of bases as string[]) assert.throws(() => createClient({ base }), refused, base)
})
