import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flags } from '../../src/config/index.ts'
import { stepB, type TestResponse } from '../support/client.ts'
import { serve, type TestService } from '../support/service.ts'
import { openStream } from '../support/streams.ts'
import { assertEveryHeader } from './every-response.ts'

// authentication.md, On every response: Cache-Control and Vary by switch; Link by the configured base alone.

const AUTHOR = '{"name":"Ada"}'
const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Headers that admit one request, by switch. */
type Admit = (service: TestService) => Promise<Record<string, string>>

interface Switched {
  readonly name: string
  readonly flags: Flags
  readonly admit: Admit
  readonly expected: { readonly cacheControl: string; readonly vary: string | undefined }
}

const SWITCHES: readonly Switched[] = [
  // contract: `Cache-Control`, `Vary` ¦
  {
    name: 'With tokens, what is served is private and varies by both authorization headers',
    flags: {},
    admit: async ({ client }) => ({ 'X-Authorization': await client.signIn() }),
    expected: { cacheControl: 'private, no-cache', vary: 'X-Authorization, Authorization, Accept' },
  },
  // contract: `Cache-Control`, `Vary` ¦
  {
    name: 'While tokens are off, nothing may be stored',
    flags: { token: false },
    admit: async ({ client }) => stepB(await client.nonce()),
    expected: { cacheControl: 'no-store', vary: undefined },
  },
  // contract: `Cache-Control`, `Vary` ¦
  {
    name: 'While authentication is off, what is served may be stored and varies by Accept',
    flags: { auth: false },
    admit: async () => ({}),
    expected: { cacheControl: 'no-cache', vary: 'Accept' },
  },
]

for (const { name, flags, admit, expected } of SWITCHES) {
  test(name, async (t) => {
    const service = await serve(t, { flags })
    const { client, base } = service
    const send = async (method: string, path: string, headers = {}, body?: string): Promise<TestResponse> =>
      client.send(method, path, { ...(await admit(service)), ...headers }, body)

    const added = await send('POST', '/authors', JSON_TYPE, AUTHOR)
    const member = (added.headers.location ?? '').slice(base.length)
    const served: [number, TestResponse][] = [
      [201, added],
      [200, await send('GET', '/')],
      [200, await send('GET', '/vocab')],
      [200, await send('HEAD', '/authors')],
      [200, await send('GET', member)],
      [304, await send('GET', member, { 'If-None-Match': added.headers.etag ?? '' })],
      [204, await send('OPTIONS', '/authors')],
      [204, await send('DELETE', member)],
    ]
    for (const [status, response] of served) {
      assert.equal(response.status, status, response.body)
      assertEveryHeader(response, base)
      const { 'cache-control': cacheControl, vary } = response.headers
      assert.deepEqual({ cacheControl, vary }, expected)
    }
    const stream = openStream(service, '', await admit(service))
    await stream.until(1)
    stream.cut()
    const streamed = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'm').exec(stream.head)?.[1]
    assert.deepEqual({ cacheControl: streamed('Cache-Control'), vary: streamed('Vary') }, expected)
    for (const [status, response] of [
      [404, await send('GET', member)],
      [405, await send('POST', '/vocab')],
      [400, await send('POST', '/authors', JSON_TYPE, '{')],
    ] as const) {
      assert.equal(response.status, status)
      assertEveryHeader(response, base)
      assert.equal(response.headers['cache-control'], 'no-store')
      assert.equal(response.headers.vary, undefined)
    }
  })
}

const BASES: readonly { name: string; baseUrl: string; expected: string }[] = [
  // contract: `Link` ¦
  // contract: Every `@id` is absolute.
  {
    name: 'Link and every address use a configured base with another host, port and path',
    baseUrl: 'https://api.example.org:8443/v1/library',
    expected: 'https://api.example.org:8443/v1/library',
  },
  {
    name: 'Link and every address use a configured base without a path',
    baseUrl: 'http://api.example.org',
    expected: 'http://api.example.org',
  },
  // contract: `{base}` is the configured public base URL
  {
    name: 'A slash at the end of the configured base is left out',
    baseUrl: 'http://api.example.org/v1/',
    expected: 'http://api.example.org/v1',
  },
]

for (const { name, baseUrl, expected } of BASES) {
  test(name, async (t) => {
    const { client, base } = await serve(t, { flags: { baseUrl } })
    assert.equal(base, expected)
    assertEveryHeader(await client.send('GET', '/authors'), expected)
    const known = { 'X-Authorization': await client.signIn() }
    const added = await client.send('POST', '/authors', { ...known, ...JSON_TYPE }, AUTHOR)
    assert.equal(added.status, 201)
    assert.equal(added.headers.location, added.json()['@id'])
    assert.ok(added.headers.location?.startsWith(`${expected}/authors/`))
    const collection = await client.send('GET', '/authors', known)
    assertEveryHeader(collection, expected)
    assert.equal(collection.json()['@id'], `${expected}/authors`)
  })
}

const EVIL = {
  Host: 'evil.example',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Prefix': '/evil.example',
  Forwarded: 'host=evil.example;proto=https',
}

// contract: `{base}` is the configured public base URL
test('No host that a request names comes back in any response', async (t) => {
  const { client, base } = await serve(t)
  const known = { ...EVIL, 'X-Authorization': await client.signIn() }
  const responses = [
    await client.send('GET', '/authors', EVIL),
    await client.send('GET', '/', { ...EVIL, ...stepB(await client.nonce()) }),
    await client.send('GET', '/', known),
    await client.send('GET', '/vocab', known),
    await client.send('GET', '/authors', known),
    await client.send('GET', '/nothing', known),
    await client.send('POST', '/authors', { ...known, ...JSON_TYPE }, AUTHOR),
  ]
  assert.deepEqual(
    responses.map(({ status }) => status),
    [401, 200, 200, 200, 200, 404, 201],
  )
  for (const response of responses) {
    assertEveryHeader(response, base)
    assert.doesNotMatch(JSON.stringify(response.headers) + response.body, /evil/)
  }
})
