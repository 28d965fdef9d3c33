import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMiddleman } from '../support/middleman.ts'
import { newPostgres } from '../support/postgres.ts'
import { createPostgresServer } from '../support/postgres-server.ts'
import { eventually, lastServed, serveHosts, statusOf } from './hosts.ts'

/** What is remembered of a token does not last longer, whatever happens (authentication.md, Token). */
const WITHIN_MS = 1_000

test('when PostgreSQL is gone no host serves a token that it remembers for more than a second, and all recover', async (t) => {
  const server = await createPostgresServer({ fsync: 'off' })
  t.after(() => server.remove())
  const hosts = await serveHosts(t, 2, { db: server.url })
  const token = await hosts[0].client.signIn()
  for (const { client } of hosts) assert.equal(await statusOf(client, token), 200)

  await server.stop()
  const stoppedAt = performance.now()
  for (const { client } of hosts) {
    assert.ok((await lastServed(client, token, stoppedAt, 503)) < WITHIN_MS)
    const refused = await client.send('GET', '/', { 'X-Authorization': token })
    assert.equal(refused.status, 503)
    assert.match(refused.headers['retry-after'] ?? '', /^[1-9][0-9]*$/)
  }

  await server.start()
  for (const { client } of hosts) {
    await eventually('the token is served', async () => (await statusOf(client, token)) === 200)
  }
})

test('when PostgreSQL does not answer no host serves a token that it remembers for more than a second', async (t) => {
  const direct = newPostgres(t)
  const middleman = await startMiddleman(t, direct)
  const hosts = await serveHosts(t, 2, { db: middleman.through(direct) })
  const token = await hosts[0].client.signIn()
  for (const { client } of hosts) assert.equal(await statusOf(client, token), 200)

  middleman.hold()
  const heldAt = performance.now()
  for (const { client } of hosts) {
    assert.ok((await lastServed(client, token, heldAt, 503)) < WITHIN_MS)
  }
  middleman.release()
  for (const { client } of hosts) {
    await eventually('the token is served', async () => (await statusOf(client, token)) === 200)
  }
})
