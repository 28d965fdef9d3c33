import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { hashParaphrase, openProtection, type Protection } from '../../src/auth/middleware.ts'
import { PARAPHRASE, startClient, type TestClient, USER } from '../support/client.ts'
import { temporaryFolder } from '../support/folders.ts'
import { newPostgres } from '../support/postgres.ts'
import { lastServed, statusOf } from './hosts.ts'

interface Protected {
  readonly client: TestClient
  readonly protection: Protection
}

/** A service of somebody else's behind the gate of hydrant/auth. */
async function protect(t: TestContext, db: string): Promise<Protected> {
  const protection = await openProtection({ db, base: 'http://service.example' })
  const server = createServer(
    protection.protect(({ principal }, response) => response.end(`served: ${principal.roles.join()}`)),
  )
  t.after(async () => {
    server.close()
    await protection.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { client: startClient({ base: 'http://service.example', port }), protection }
}

test('hydrant/auth protects a service on two hosts of one PostgreSQL', async (t) => {
  const db = newPostgres(t)
  const [first, second] = await Promise.all([protect(t, db), protect(t, db)])
  await first.protection.store.addUser(
    { id: USER, paraphraseHash: await hashParaphrase(PARAPHRASE) },
    Date.now(),
  )
  const token = await first.client.signIn()
  assert.equal(await statusOf(second.client, token), 200)
  assert.equal((await second.client.send('GET', '/')).status, 401)

  await first.protection.store.revokeTokens('all', Date.now())
  const endedAt = performance.now()
  assert.equal(await statusOf(first.client, token), 401)
  assert.ok((await lastServed(second.client, token, endedAt, 401)) < 1_000)
})

test('hydrant/auth tells the service which roles the user has, from the next request on after a change', async (t) => {
  const { client, protection } = await protect(t, `sqlite:${temporaryFolder(t)}/users.db`)
  const { store } = protection
  await store.addUser(
    { id: USER, paraphraseHash: await hashParaphrase(PARAPHRASE), roles: ['editor'] },
    Date.now(),
  )
  const token = { 'X-Authorization': await client.signIn() }
  assert.equal((await client.send('GET', '/', token)).body, 'served: editor')
  assert.equal(await store.setRoles?.(USER, ['author', 'reader']), true)
  assert.equal((await client.send('GET', '/', token)).body, 'served: author,reader')
  assert.equal(await store.setRoles?.(USER, []), true)
  assert.equal((await client.send('GET', '/', token)).body, 'served: ')
})

test('hydrant/auth refuses a base that cannot stand in a header when it is opened, not with the first request', async () => {
  await assert.rejects(openProtection({ db: 'sqlite::memory:', base: 'http://例.jp' }), {
    name: 'TypeError',
    message: /punycode/,
  })
})
