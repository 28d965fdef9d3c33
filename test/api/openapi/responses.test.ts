import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenApi } from '../../../src/api/index.ts'
import { createCheckResponse } from '../../support/documented.ts'
import type { RawResponse } from '../../support/raw.ts'
import { API, modelOf, serve } from '../../support/service.ts'

const BASE = 'https://host.example/api'
const options = { mode: 'token', pageSizes: { standard: 20, maximum: 100 } } as const
const check = createCheckResponse(JSON.parse(JSON.stringify(createOpenApi(modelOf(API), BASE, options))))

interface Sent {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const LD_JSON = { 'Content-Type': 'application/ld+json' }

function responseOf({ status, body, headers = LD_JSON }: Sent): RawResponse {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const text = body === undefined ? '' : JSON.stringify(body)
  return { status, headers: Object.fromEntries(named), headerNames: Object.keys(headers), body: text }
}

const AUTHOR = { '@id': `${BASE}/authors/1`, '@type': 'Author', name: 'Ann' }
const CREATED = { ...LD_JSON, Location: AUTHOR['@id'], ETag: '"1-x"' }

const RIGHT: readonly [method: string, path: string, Sent][] = [
  ['GET', '/authors/1', { status: 200, body: AUTHOR }],
  ['GET', '/authors/1?include=x', { status: 404, body: { 404: 'Nothing.' } }],
  ['HEAD', '/authors/1', { status: 200 }],
  ['POST', '/authors', { status: 201, body: AUTHOR, headers: CREATED }],
  ['POST', '/authors', { status: 201, headers: CREATED }],
  ['DELETE', '/authors/1', { status: 204, headers: {} }],
  ['GET', '/nowhere', { status: 404, body: { 404: 'Nothing.' } }],
  ['TRACE', '/authors', { status: 405, body: { 405: 'No.' }, headers: { ...LD_JSON, Allow: 'GET' } }],
  [
    'PATCH',
    '/vocab',
    { status: 200, body: { 200: 'Issued' }, headers: { ...LD_JSON, 'X-Authorization': 't' } },
  ],
]

const WRONG: readonly [what: RegExp, method: string, path: string, Sent][] = [
  [/required property 'name'/, 'GET', '/authors/1', { status: 200, body: { ...AUTHOR, name: undefined } }],
  [/born must match/, 'GET', '/authors/1', { status: 200, body: { ...AUTHOR, born: '1815' } }],
  [
    /@id must match format "uri"/,
    'GET',
    '/authors/1',
    { status: 200, body: { ...AUTHOR, '@id': '/authors/1' } },
  ],
  [/the status/, 'GET', '/authors/1', { status: 202, body: AUTHOR }],
  [/the status/, 'GET', '/nowhere', { status: 200, body: AUTHOR }],
  [/the status/, 'PUT', '/authors', { status: 200, body: AUTHOR }],
  [
    /text\/html is not documented/,
    'GET',
    '/authors/1',
    { status: 200, body: AUTHOR, headers: { 'Content-Type': 'text/html' } },
  ],
  [/no header location/, 'POST', '/authors', { status: 201, body: AUTHOR }],
  [
    /the header is not documented/,
    'DELETE',
    '/authors/1',
    { status: 204, headers: { 'X-Total-Count': '1' } },
  ],
  [/a body is not documented/, 'DELETE', '/authors/1', { status: 204, body: AUTHOR }],
  [
    /header retry-after: it must be integer/,
    'GET',
    '/',
    { status: 429, body: { 429: 'Later.' }, headers: { ...LD_JSON, 'Retry-After': 'soon' } },
  ],
  [/more than 1 properties/, 'GET', '/nowhere', { status: 404, body: { 404: 'Nothing.', 405: 'No.' } }],
  [/not as documented/, 'HEAD', '/authors/1', { status: 200, body: AUTHOR }],
]

test('a response that is not as documented is found by its path, method, status, type, body and headers', () => {
  for (const [method, path, sent] of RIGHT) check({ method, path }, responseOf(sent))
  for (const [what, method, path, sent] of WRONG)
    assert.throws(() => check({ method, path }, responseOf(sent)), what, `${method} ${path} ${what}`)
})

test('the client of every test checks what it gets, as the user of the token is shown it', async (t) => {
  const { client, store } = await serve(t, { api: API })
  const headers = { 'X-Authorization': await client.signIn() }
  const type = { 'Content-Type': 'application/json' }
  const { status, json } = await client.send('POST', '/authors', { ...headers, ...type }, '{"name":"Ann"}')
  assert.equal(status, 201)
  const path = new URL(String(json()['@id'])).pathname.replace('/api', '')
  // A member that no request could have written.
  const { members } = store
  const id = path.split('/').at(-1) ?? ''
  const found = await members.find('Author', id)
  assert.ok(found)
  t.mock.method(members, 'find', async () => ({ ...found, body: found.body.replace('"Ann"', '17') }))
  await assert.rejects(client.send('GET', path, headers), /GET \/authors\/.*name must be string/)
})
