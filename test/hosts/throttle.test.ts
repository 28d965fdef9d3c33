import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tally, together } from '../support/auth-steps.ts'
import { stepB, USER } from '../support/client.ts'
import { onPostgres } from '../support/postgres.ts'
import { inSoak } from '../support/soak.ts'
import { serveHosts } from './hosts.ts'

const HOSTS = inSoak(10, 4)
const GUESSES = inSoak(400, 100)

test('on several hosts', async (t) => {
  const hosts = await serveHosts(t, HOSTS)
  const [first] = hosts
  const askAll = async (count: number, paraphrase?: string) => {
    const nonces = await together(count, () => first.client.nonce())
    const ask = (nonce: string, index: number) =>
      (hosts[index % HOSTS] ?? first).client.send('GET', '/', stepB(nonce, USER, paraphrase))
    return tally(await Promise.all(nonces.map(ask)))
  }
  const count = async () => {
    const text =
      'SELECT (SELECT count(*) FROM attempts WHERE failed = 1)::int, (SELECT count(*) FROM spent_nonces)::int'
    return [...((await onPostgres(first.db, text))[0] ?? [])]
  }

  await t.test('20 correct exchanges at once all succeed', async () => {
    assert.deepEqual(await askAll(20), { 200: 20 })
    assert.equal((await onPostgres(first.db, 'SELECT 1 FROM attempts')).length, 0)
    assert.deepEqual(await count(), [0, 20])
  })

  // contract: Per client address (IPv4, or IPv6 /64) and user
  await t.test(`${GUESSES} parallel wrong guesses at one user from one address cost 20 hashes`, async () => {
    const statuses = await askAll(GUESSES, 'wrong')
    assert.equal(statuses[200], undefined)
    // Each is logged after its hash was made and compared.
    const hashes = hosts.flatMap(({ logged }) => logged.filter((line) => line.includes('a wrong passphrase')))
    assert.equal(hashes.length, 20)
    assert.equal(statuses[401], 20)
    assert.equal((statuses[429] ?? 0) + (statuses[503] ?? 0), GUESSES - 20)
    assert.deepEqual(await count(), [20, 40])

    // From every host, for the right paraphrase as well.
    for (const { client } of hosts) {
      const response = await client.send('GET', '/', stepB(await client.nonce()))
      assert.equal(response.status, 429)
      assert.ok(Number(response.headers['retry-after']) > 240)
    }
  })
})
