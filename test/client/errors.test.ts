import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ApiError, createClient } from 'hydrant-client'
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

test('The message is the sentence of the server, in whichever form it is', async (t) => {
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
    assert.equal(error.code, code, body)
    if (message === undefined)
      assert.match(error.message, new RegExp(`^http://.*/x answered with ${status}\\.$`))
    else assert.equal(error.message, message)
    assert.deepEqual(error.violations, [])
    assert.equal(error.name, 'ApiError')
  }
})

test('An answer that is no JSON is an error, also where the status says that all is well', async (t) => {
  for (const body of ['', '<!doctype html><p>Sign in to the hotel', '{"@id": ']) {
    const error = await errorOf(t, 200, body, { 'Content-Type': 'text/html' })
    assert.equal(error.code, 'malformed')
    assert.match(error.message, /^http:.*\/x did not answer with JSON\.$/)
  }
})

test('A 401 without a nonce is not one that an exchange could answer', async (t) => {
  let asked = 0
  const base = await listen(t, (_, response) => {
    asked += 1
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="A proxy"' }).end('<p>Who are you?')
  })
  await assert.rejects(createClient({ base, credentials: CREDENTIALS }).entryPoint(), { code: 'credentials' })
  assert.equal(asked, 1)
})

test('A server whose tokens are dead on arrival is not asked for ever', async (t) => {
  let asked = 0
  const base = await listen(t, ({ headers }, response) => {
    asked += 1
    if (headers.authorization) response.writeHead(200, { 'X-Authorization': `token ${asked}` }).end('{}')
    else response.writeHead(401, { 'X-Authentication': `nonce ${asked}` }).end('{"401": "Who are you?"}')
  })
  await assert.rejects(createClient({ base, credentials: CREDENTIALS }).entryPoint(), { code: 'credentials' })
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
  assert.equal(error.code, 'invalid')
  assert.equal(error.status, 422)
  assert.deepEqual(Object.fromEntries(error.violations.map((one) => [one.propertyPath, one.message])), {
    titel: 'is not a property of Book; did you mean "title"?',
    title: 'is required.',
    pages: 'must be at least 1.',
  })
  assert.match(error.message, /did you mean "title"\?/)
})

test('Whoever does not answer is named, and the error of fetch is the cause', async () => {
  const client = createClient({ base: 'http://127.0.0.1:1/api', patience: 0 })
  const error = await client.entryPoint().catch((reason) => reason)
  assert.equal(error.code, 'unreachable')
  assert.equal(error.message, 'http://127.0.0.1:1/api did not answer.')
  assert.ok(error.cause instanceof TypeError)
})

test('A base that is no address is refused at once', () => {
  assert.throws(() => createClient({ base: 'localhost' }), TypeError)
})
