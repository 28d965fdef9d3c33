import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertChallenged, assertExchanged, tally, together } from '../support/auth-steps.ts'
import { stepB, type TestClient, USER } from '../support/client.ts'
import { newPostgres, onPostgres } from '../support/postgres.ts'
import { prepareDatabase, spawnServer } from '../support/server-processes.ts'
import { openFor } from '../support/stores.ts'
import { serveHosts } from './hosts.ts'

/** So many requests at once with one nonce of the first and correct credentials, over all in turn. */
async function race(clients: readonly TestClient[], times: number): Promise<Record<number, number>> {
  const [first] = clients
  assert.ok(first !== undefined)
  const headers = stepB(await first.nonce())
  return tally(
    await together(times, (index) => (clients[index % clients.length] ?? first).send('GET', '/', headers)),
  )
}

// contract: Works on every host that shares the database
test('a nonce from one host is accepted by another, and then by none; a wrong paraphrase spends it as well', async (t) => {
  const [first, second, third] = await serveHosts(t, 3)
  const nonce = await first.client.nonce()
  assertExchanged(await second.client.send('GET', '/', stepB(nonce)))
  for (const host of [first, second, third]) {
    assertChallenged(await (host as typeof first).client.send('GET', '/', stepB(nonce)))
  }
  const other = await first.client.nonce()
  assertChallenged(await first.client.send('GET', '/', stepB(other, USER, 'wrong')))
  assertChallenged(await second.client.send('GET', '/', stepB(other)))
})

test('of 100 requests racing with one nonce on four hosts exactly one gets a token', async (t) => {
  const hosts = await serveHosts(t, 4)
  const clients = hosts.map(({ client }) => client)
  assert.deepEqual(await race(clients, 100), { 200: 1, 401: 99 })
  const [left = []] = await onPostgres(
    hosts[0].db,
    'SELECT (SELECT count(*) FROM attempts)::int, (SELECT count(*) FROM tokens)::int',
  )
  assert.deepEqual([...left], [0, 1])
})

test('of 100 requests racing with one nonce on two server processes exactly one gets a token; one that is killed has spent its nonces for the other', async (t) => {
  const db = await prepareDatabase(t, newPostgres(t))
  const [killed, other] = await together(2, () => spawnServer(t, db))
  assert.ok(killed !== undefined && other !== undefined)
  assert.deepEqual(await race([killed.client, other.client], 100), { 200: 1, 401: 99 })

  const [spent, unused] = [await killed.client.nonce(), await killed.client.nonce()]
  const exchange = await killed.client.send('GET', '/', stepB(spent))
  assertExchanged(exchange)
  await killed.kill()
  assertChallenged(await other.client.send('GET', '/', stepB(spent)))
  assertExchanged(await other.client.send('GET', '/', stepB(unused)))
  const token = exchange.headers['x-authorization'] ?? ''
  assert.equal((await other.client.send('GET', '/', { 'X-Authorization': token })).status, 200)
})

test('ten hosts that start at once on a new database have the same nonce secret', async (t) => {
  const db = newPostgres(t)
  const secrets = await together(10, async () => {
    const { auth } = await openFor(t, db)
    return (await auth.nonceSecret()).toString('hex')
  })
  assert.equal(new Set(secrets).size, 1)
  assert.match(secrets[0] ?? '', /^[0-9a-f]{64}$/)
})
