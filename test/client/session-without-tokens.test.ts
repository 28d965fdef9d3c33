import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Flags } from '../../src/config/index.ts'
import { newDatabase } from '../support/databases.ts'
import { serve, type TestService } from '../support/service.ts'
import { recordClient, times } from './recording.ts'

/** Ends a service and starts it again, on the same port and database file, with other switches. */
async function restart(t: TestContext, { port, db, close }: TestService, flags: Flags): Promise<TestService> {
  await close()
  return serve(t, { db, flags: { ...flags, port: String(port) } })
}

test('An open API gets only the requests that are needed', async (t) => {
  const { base } = await serve(t, { flags: { auth: false } })
  const { client, lines, exchanges } = recordClient(base)
  await client.signIn()
  const author = await client.collection('authors').create({ name: 'Ann Leckie' })
  await author.reload()
  assert.deepEqual(exchanges(), [])
  assert.deepEqual(
    lines().map((line) => line.replace(/[^/]{36}/, 'id')),
    ['GET  200', 'GET  200', 'GET /vocab 200', 'POST /authors 201', 'GET /authors/id 200'],
  )
  assert.equal(await client.session(), undefined)
})

test('Tokens off: each response has the nonce for the next request, so none is sent twice', async (t) => {
  const { base } = await serve(t, { flags: { token: false } })
  const { client, lines, exchanges } = recordClient(base)
  await client.collection('authors').create({ name: 'Ann Leckie' })
  await client.request('GET', 'authors')
  await client.request('GET', 'books')
  assert.deepEqual(lines(), [
    'GET  401',
    'GET  200',
    'GET  200',
    'GET /vocab 200',
    'POST /authors 201',
    'GET /authors 200',
    'GET /books 200',
  ])
  const nonces = exchanges().map(({ headers }) => headers.get('x-authentication'))
  assert.equal(new Set(nonces).size, nonces.length, 'no nonce is sent twice')
  assert.equal(await client.session(), undefined)
})

test('Tokens off: parallel requests are all served, each with a nonce of its own', async (t) => {
  const { base } = await serve(t, { flags: { token: false } })
  const { client, exchanges } = recordClient(base)
  for (let wave = 0; wave < 2; wave += 1) {
    const answers = await Promise.all(times(6, (n) => client.request('GET', `books?page=${n + 1}`)))
    assert.ok(answers.every(({ status }) => status === 200))
  }
  const served = exchanges().filter(({ status }) => status === 200)
  assert.equal(served.length, exchanges().length, 'every nonce was good')
  assert.equal(served.length, 13)
})

test('Tokens off: nonces that have become too old are replaced', async (t) => {
  const time = { now: Date.now() }
  const { base } = await serve(t, { flags: { token: false }, time })
  const { client, lines } = recordClient(base)
  await client.request('GET', 'books')
  time.now += 6 * 60_000
  await client.request('GET', 'authors')
  assert.deepEqual(lines().slice(-2), ['GET /authors 401', 'GET /authors 200'])
})

test('Tokens off: a paraphrase that is no longer right is an error, and is not sent again', async (t) => {
  const { base, store } = await serve(t, { flags: { token: false } })
  const { client, exchanges } = recordClient(base)
  await client.request('GET', 'books')
  await store.auth.removeUser(7)
  await assert.rejects(client.request('GET', 'books'), { code: 'credentials-wrong' })
  const sent = exchanges().length
  await assert.rejects(client.request('GET', 'books'), { code: 'credentials-wrong' })
  assert.equal(exchanges().length, sent)
})

test('Tokens switched off and on between requests: every request is carried out once', async (t) => {
  let service = await serve(t, { db: newDatabase(t) })
  const { client } = recordClient(service.base)
  const names: string[] = []
  for (const flags of [{}, { token: false }, {}, { auth: false }, { token: false }, {}]) {
    service = await restart(t, service, flags)
    const wave = times(3, (n) => `${names.length} ${n}`)
    await Promise.all(wave.map((name) => client.collection('authors').create({ name })))
    names.push(...wave)
  }
  const found: string[] = []
  for await (const { data } of client.collection('authors')) found.push(data.name)
  assert.deepEqual(found.sort(), names.sort())
})
