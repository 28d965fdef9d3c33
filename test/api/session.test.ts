import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flags } from '../../src/config/index.ts'
import { assertChallenged, MINUTE, START } from '../support/auth-steps.ts'
import { stepB, USER } from '../support/client.ts'
import { heardEverywhere, newDatabase } from '../support/databases.ts'
import { serve, shareService } from '../support/service.ts'

const shared = shareService()

// contract: `GET`/`HEAD {base}/session` with a token
test('GET of the session says whose token it is, when it was issued and when it ends', async (t) => {
  const { client, base } = await serve(t, { time: { now: START } })
  const response = await client.send('GET', '/session', { 'X-Authorization': await client.signIn() })
  assert.equal(response.status, 200)
  assert.equal(response.headers['content-type'], 'application/ld+json')
  const { '@context': context, ...rest } = response.json()
  assert.ok(context !== undefined)
  assert.deepEqual(rest, {
    '@id': `${base}/session`,
    '@type': 'Session',
    user: USER,
    account: `${base}/accounts/${USER}`,
    issuedAt: '2030-01-01T00:00:00.000Z',
    expiresAt: '2030-01-01T00:45:00.000Z',
    roles: [],
  })
})

// contract: `GET`/`HEAD {base}/session` with a token
test('HEAD of the session has the headers of GET and no body', async () => {
  const { client } = await shared()
  const headers = { 'X-Authorization': await client.signIn() }
  const [got, head] = [
    await client.send('GET', '/session', headers),
    await client.send('HEAD', '/session', headers),
  ]
  assert.equal(head.status, 200)
  assert.equal(head.body, '')
  assert.equal(head.headers['content-length'], String(Buffer.byteLength(got.body)))
  assert.deepEqual(head.headerNames, got.headerNames)
})

test('each of two tokens sees its own session, which stays the same while it is used', async (t) => {
  const time = { now: START }
  const { client } = await serve(t, { time })
  const first = await client.signIn()
  const session = async (token: string) => client.send('GET', '/session', { 'X-Authorization': token })
  const before = await session(first)
  time.now += MINUTE
  const second = await client.signIn()
  assert.equal((await session(second)).json().issuedAt, '2030-01-01T00:01:00.000Z')
  time.now += 29 * MINUTE
  assert.equal((await session(first)).body, before.body)
  assert.equal(before.json().issuedAt, '2030-01-01T00:00:00.000Z')
})

test('the ETag of a session does not tell how many tokens were issued', async (t) => {
  const etagAfter = async (exchanges: number): Promise<string | undefined> => {
    const { client } = await serve(t, { time: { now: START }, flags: { baseUrl: 'https://example.org/api' } })
    for (let index = 1; index < exchanges; index += 1) await client.signIn()
    const response = await client.send('GET', '/session', { 'X-Authorization': await client.signIn() })
    assert.equal(response.status, 200)
    return response.headers.etag
  }
  const first = await etagAfter(1)
  assert.match(first ?? '', /^"[\w-]{12}"$/)
  assert.equal(await etagAfter(5), first)
})

// contract: `DELETE {base}/session`
test('DELETE of the session is answered with 204 and no body, and then the token gets step A', async () => {
  const { client } = await shared()
  const headers = { 'X-Authorization': await client.signIn() }
  const response = await client.send('DELETE', '/session', headers)
  assert.equal(response.status, 204)
  assert.equal(response.body, '')
  assert.equal(response.headers['content-type'], undefined)
  assertChallenged(await client.send('GET', '/session', headers))
  assertChallenged(await client.send('DELETE', '/session', headers))
})

test('DELETE of the session ends the token on another service of the same database too', async (t) => {
  const here = await serve(t, { db: newDatabase(t) })
  const there = await serve(t, { db: here.db })
  const headers = { 'X-Authorization': await here.client.signIn() }
  assert.equal((await there.client.send('GET', '/session', headers)).status, 200)
  assert.equal((await here.client.send('DELETE', '/session', headers)).status, 204)
  await heardEverywhere()
  assertChallenged(await there.client.send('GET', '/session', headers))
})

// contract: `{base}/session` ¦
test('the session takes GET, HEAD and DELETE, and nothing else', async () => {
  const { client } = await shared()
  const headers = { 'X-Authorization': await client.signIn() }
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const response = await client.send(method, '/session', headers, '{}')
    assert.equal(response.status, 405, method)
    assert.equal(response.headers.allow, 'GET, HEAD, DELETE')
  }
  assert.equal((await client.send('GET', '/session', headers)).status, 200)
})

const OFF: readonly { name: string; flags: Flags }[] = [
  // contract: authentication off ¦
  { name: 'there is no session while authentication is off', flags: { auth: 'off' } },
  // contract: authentication on, token off ¦
  { name: 'there is no session while tokens are off', flags: { token: 'off' } },
]

for (const { name, flags } of OFF) {
  test(name, async (t) => {
    const { client } = await serve(t, { flags })
    const send = async (method: string, path: string) =>
      client.send(method, path, flags.token === 'off' ? stepB(await client.nonce()) : {})
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      assert.equal((await send(method, '/session')).status, 404, method)
    }
    assert.equal((await send('GET', '/')).json().session, undefined)
    assert.ok(!(await send('GET', '/vocab')).body.includes('#Session"'))
  })
}

interface Described {
  readonly '@id': string
  readonly supportedOperation: readonly { readonly method: string }[]
  readonly supportedProperty: readonly { readonly title: string }[]
  readonly linkedBy?: { readonly '@id': string }
}

// contract: Both are described in the vocabulary
// contract: What is no collection (`session`, `events`, `batch`, `openapi`, single resources)
// contract: Their classes and operations are documented all the same.
test('the session is linked from the entry point and described in the vocabulary', async () => {
  const { client, base } = await shared()
  const headers = { 'X-Authorization': await client.signIn() }
  assert.equal((await client.send('GET', '/', headers)).json().session, `${base}/session`)

  const vocabulary = (await client.send('GET', '/vocab', headers)).json()
  const classes = vocabulary.supportedClass as readonly Described[]
  const session = classes.find((described) => described['@id'] === `${base}/vocab#Session`)
  assert.deepEqual(
    session?.supportedProperty.map(({ title }) => title),
    ['user', 'account', 'issuedAt', 'expiresAt', 'roles'],
  )
  assert.deepEqual(
    session?.supportedOperation.map(({ method }) => method),
    ['GET', 'DELETE'],
  )
  assert.equal(session?.linkedBy?.['@id'], `${base}/vocab#EntryPoint/session`)
  // Clients take its properties for collections.
  const entryPoint = classes.find((described) => described['@id'] === `${base}/vocab#EntryPoint`)
  assert.ok(!entryPoint?.supportedProperty.some(({ title }) => title === 'session'))
})
