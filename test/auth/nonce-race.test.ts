import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { assertChallenged, assertExchanged, tally, together } from '../support/auth-steps.ts'
import { stepB, type TestClient } from '../support/client.ts'
import { countRows, newDatabase } from '../support/databases.ts'
import { prepareDatabase, spawnServer } from '../support/server-processes.ts'
import { serve } from '../support/service.ts'
import { inSoak } from '../support/soak.ts'

/** So many requests at once with one nonce and correct credentials, over all clients in turn. */
async function race(clients: readonly TestClient[], times: number): Promise<Record<number, number>> {
  const [first] = clients
  assert.ok(first !== undefined)
  const headers = stepB(await first.nonce())
  const responses = await together(times, (index) =>
    (clients[index % clients.length] ?? first).send('GET', '/books', headers),
  )
  return tally(responses)
}

// contract: Step B in order
test('of 100 requests racing with one nonce exactly one gets a token, the others step A', async (t) => {
  const { client } = await serve(t)
  assert.deepEqual(await race([client], 100), { 200: 1, 401: 99 })
})

// contract: Step B in order
test('of 100 requests racing with one nonce on two server processes exactly one gets a token', async (t) => {
  const db = await prepareDatabase(t)
  const [first, second] = await Promise.all([spawnServer(t, db), spawnServer(t, db)])
  assert.deepEqual(await race([first.client, second.client], 100), { 200: 1, 401: 99 })
})

test('one nonce in upper and in lower case at once gets one token', async (t) => {
  const { client } = await serve(t)
  const nonce = await client.nonce()
  const responses = await together(10, (index) =>
    client.send('GET', '/books', stepB(index % 2 === 0 ? nonce : nonce.toUpperCase())),
  )
  assert.deepEqual(tally(responses), { 200: 1, 401: 9 })
})

test('after kill -9 a spent nonce stays spent, an unused one works, and an issued token lives', async (t) => {
  const db = await prepareDatabase(t)
  const before = await spawnServer(t, db)
  const [spent, wasted, unused] = [
    await before.client.nonce(),
    await before.client.nonce(),
    await before.client.nonce(),
  ]
  const exchange = await before.client.send('GET', '/books', stepB(spent))
  assertExchanged(exchange)
  assertChallenged(await before.client.send('GET', '/books', stepB(wasted, 7, 'wrong')))
  await before.kill()

  const { client } = await spawnServer(t, db)
  assertChallenged(await client.send('GET', '/books', stepB(spent)))
  assertChallenged(await client.send('GET', '/books', stepB(wasted)))
  assertExchanged(await client.send('GET', '/books', stepB(unused)))
  const token = exchange.headers['x-authorization'] ?? ''
  assert.equal((await client.send('GET', '/books', { 'X-Authorization': token })).status, 200)
})

// contract: Nothing is stored when a challenge is answered
// contract: Only spent nonces are stored
test('hundreds of anonymous requests write no row', async (t) => {
  const { client, port, db } = await serve(t, { db: newDatabase(t) })
  await client.signIn()
  const before = await countRows(db)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  t.after(() => agent.destroy())
  const statuses = await together(inSoak(10_000, 300), () => statusOf(agent, port))
  assert.ok(statuses.every((status) => status === 401))
  assert.deepEqual(await countRows(db), before)
  // The counts are alive: an exchange does write.
  await client.exchange()
  assert.notDeepEqual(await countRows(db), before)
})

function statusOf(agent: Agent, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, host: '127.0.0.1', path: '/api/books' }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject).end()
  })
}
