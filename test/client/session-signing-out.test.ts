import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserCredentials } from 'hydrant-client'
import { listen } from '../support/browser-server.ts'
import { USER } from '../support/client.ts'
import { serve } from '../support/service.ts'
import { CREDENTIALS, recordClient } from './recording.ts'

const LATER_MS = 46 * 60_000

test('Signing out revokes the token and forgets the credentials', async (t) => {
  const { base, store } = await serve(t)
  const { client, sent, exchanges } = recordClient(base)
  await client.entryPoint()
  const token = sent.findLast(({ headers }) => headers.has('x-authorization'))?.headers.get('x-authorization')
  await client.signOut()
  assert.equal((await store.auth.listTokens(Date.now())).length, 0)
  assert.equal((await fetch(base, { headers: { 'X-Authorization': `${token}` } })).status, 401)
  await assert.rejects(client.request('GET', 'books'), { kind: 'credentials' })
  assert.equal(exchanges().length, 1)
  assert.equal(await client.session(), undefined)

  await client.signIn(CREDENTIALS)
  assert.equal((await client.session())?.user, USER)
})

test('Signing out with an expired token asks for no credentials and starts no exchange', async (t) => {
  const time = { now: Date.now() }
  const { base } = await serve(t, { time })
  let asked = 0
  const { client, exchanges } = recordClient(base, {
    credentials() {
      asked += 1
      return CREDENTIALS
    },
  })
  await client.entryPoint()
  time.now += LATER_MS
  await client.signOut()
  assert.equal(asked, 1)
  assert.equal(exchanges().length, 1)
})

test('Signing out of an open API, or before signing in, sends nothing', async (t) => {
  for (const flags of [{ auth: false }, {}]) {
    const { base } = await serve(t, { flags })
    const { client, sent } = recordClient(base)
    await client.signOut()
    assert.deepEqual(sent, [])
  }
})

test('A token that could not be revoked is forgotten anyway, and the error says so', async (t) => {
  const service = await serve(t)
  const { client } = recordClient(service.base, { patience: 0 })
  await client.entryPoint()
  await service.close()
  await assert.rejects(client.signOut(), { kind: 'unreachable' })
  assert.equal(await client.session(), undefined)
})

test('A server that fails to revoke a token is an error, unless it no longer knows the token', async (t) => {
  for (const [status, expected] of [
    [204, 'signed out'],
    [401, 'signed out'],
    [404, 'signed out'],
    [405, 'refused'],
    [500, 'refused'],
    [503, 'unavailable'],
  ] as const) {
    const base = await listen(t, ({ method, headers }, response) => {
      if (method === 'DELETE') response.writeHead(status).end()
      else if (headers.authorization) response.writeHead(200, { 'X-Authorization': 'token' }).end('{}')
      else if (headers['x-authorization']) response.writeHead(200).end('{"session": "/session"}')
      else response.writeHead(401, { 'X-Authentication': 'nonce' }).end('{}')
    })
    const { client } = recordClient(base)
    await client.entryPoint()
    const outcome = await client.signOut().then(
      () => 'signed out',
      (error) => error.kind,
    )
    assert.equal(outcome, expected, String(status))
  }
})

test('Signing in during a sign-out stays in effect', async (t) => {
  const { base, store } = await serve(t)
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const { promise: leaving, resolve: leave } = Promise.withResolvers<void>()
  const { client } = recordClient(base, {
    async fetch(input, init) {
      if (init?.method === 'DELETE') {
        leave()
        await gate
      }
      return fetch(input, init)
    },
  })
  await client.entryPoint()
  const left = client.signOut()
  await leaving
  await client.signIn(CREDENTIALS)
  open()
  await left
  assert.equal((await client.session())?.user, USER)
  assert.equal((await store.auth.listTokens(Date.now())).length, 1, 'and the first token is revoked')
})

test('Signing out ends a pending question for credentials, and a late answer has no effect', async (t) => {
  const { base, store } = await serve(t)
  const { promise: answer, resolve } = Promise.withResolvers<UserCredentials>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { client, exchanges } = recordClient(base, {
    credentials() {
      ask()
      return answer
    },
  })
  const waiting = assert.rejects(client.request('GET', 'books'), { name: 'AbortError' })
  await asked
  await client.signOut()
  await waiting
  resolve(CREDENTIALS)
  await answer
  await new Promise((done) => setTimeout(done, 50))
  assert.equal(await client.session(), undefined)
  assert.equal((await store.auth.listTokens(Date.now())).length, 0)
  assert.deepEqual(
    exchanges().filter(({ status }) => status !== undefined),
    [],
  )
})

test('A request of the previous user is not repeated for the next one', async (t) => {
  const { base } = await serve(t)
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const { client, sent } = recordClient(base, {
    async fetch(input, init) {
      if (init?.method === 'POST') await gate
      return fetch(input, init)
    },
  })
  await client.documentation()
  const late = assert.rejects(client.collection('authors').create({ name: 'Late' }), { name: 'AbortError' })
  await new Promise((done) => setTimeout(done, 10))
  await client.signOut()
  await client.signIn(CREDENTIALS)
  open()
  await late
  assert.equal(sent.filter(({ method }) => method === 'POST').length, 1)
  assert.equal((await client.collection('authors').page()).totalItems, 0)
})

test('Signing out during an exchange discards its token', async (t) => {
  const { base } = await serve(t)
  const left: Promise<void>[] = []
  const { client } = recordClient(base, {
    observe({ responseHeaders }) {
      if (responseHeaders['x-authorization']) left.push(client.signOut())
    },
  })
  await assert.rejects(client.entryPoint(), { name: 'AbortError' })
  await Promise.all(left)
  assert.equal(left.length, 1)
  assert.equal(await client.session(), undefined)
  await assert.rejects(client.entryPoint(), { kind: 'credentials' })
})

test('signIn with wrong credentials is an error for its caller, and asks for no others', async (t) => {
  const { base } = await serve(t)
  let asked = 0
  const { client } = recordClient(base, {
    credentials() {
      asked += 1
      return CREDENTIALS
    },
  })
  await assert.rejects(client.signIn({ id: USER, paraphrase: 'wrong' }), { kind: 'credentials' })
  assert.equal(asked, 0)
  await client.entryPoint()
  assert.equal(asked, 1, 'the next request asks')
})

test('Signing in with given credentials does not wait for a pending question', async (t) => {
  const { base } = await serve(t)
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { client, exchanges } = recordClient(base, {
    credentials() {
      ask()
      return new Promise<undefined>(() => {})
    },
  })
  const waiting = assert.rejects(client.request('GET', 'books'), { name: 'AbortError' })
  await asked
  const signedIn = client.signIn(CREDENTIALS)
  await waiting
  assert.equal((await client.request('GET', 'books')).status, 200)
  await signedIn
  assert.equal(exchanges().length, 1)
})

test('The session has the user and the expiry of the token, also right after the exchange', async (t) => {
  const { base } = await serve(t)
  const seen: Promise<unknown>[] = []
  const { client } = recordClient(base, {
    observe({ responseHeaders }) {
      if (responseHeaders['x-authorization']) seen.push(client.session())
    },
  })
  await client.entryPoint()
  const session = await client.session()
  assert.equal(session?.user, USER)
  assert.equal(session.expiresAt.getTime() - session.issuedAt.getTime(), 45 * 60_000)
  assert.deepEqual(await Promise.all(seen), [session])
})
