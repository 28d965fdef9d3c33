import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tally, together } from '../auth/wire.ts'
import { stepB, USER } from '../support/client.ts'
import { onPostgres } from '../support/postgres.ts'
import { serveHosts } from './hosts.ts'

const HOSTS = 10
const GUESSES = 400

// contract: Per client address (IPv4, or IPv6 /64) and user
test('on ten hosts 400 parallel wrong guesses at one user from one address cost 20 hashes', async (t) => {
  const hosts = await serveHosts(t, HOSTS)
  const [first] = hosts
  const nonces = await together(GUESSES, () => first.client.nonce())
  const responses = await Promise.all(
    nonces.map((nonce, index) =>
      (hosts[index % HOSTS] ?? first).client.send('GET', '/', stepB(nonce, USER, 'wrong')),
    ),
  )
  const statuses = tally(responses)
  assert.equal(statuses[200], undefined)
  // Each is logged after its hash was made and compared.
  const hashes = hosts.flatMap(({ logged }) => logged.filter((line) => line.includes('a wrong paraphrase')))
  assert.equal(hashes.length, 20)
  assert.equal(statuses[401], 20)
  assert.equal((statuses[429] ?? 0) + (statuses[503] ?? 0), GUESSES - 20)
  const [row = []] = await onPostgres(
    first.db,
    'SELECT (SELECT count(*) FROM attempts WHERE failed = 1)::int, (SELECT count(*) FROM spent_nonces)::int',
  )
  assert.deepEqual([...row], [20, 20])

  // From every host, for the right paraphrase as well.
  for (const { client } of hosts) {
    const response = await client.send('GET', '/', stepB(await client.nonce()))
    assert.equal(response.status, 429)
    assert.ok(Number(response.headers['retry-after']) > 240)
  }
})

test('on ten hosts 20 correct exchanges at once all succeed', async (t) => {
  const hosts = await serveHosts(t, HOSTS)
  const [first] = hosts
  const nonces = await together(20, () => first.client.nonce())
  const responses = await Promise.all(
    nonces.map((nonce, index) => (hosts[index % HOSTS] ?? first).client.send('GET', '/', stepB(nonce))),
  )
  assert.deepEqual(tally(responses), { 200: 20 })
  assert.equal((await onPostgres(first.db, 'SELECT 1 FROM attempts')).length, 0)
})
