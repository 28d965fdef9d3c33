import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PARAPHRASE, type TestClient } from '../../support/client.ts'
import { inSoak } from '../../support/soak.ts'
import type { Visitor } from '../users.ts'
import { serveOffice } from './office.ts'

const PATIENT = { flags: { userFailures: '9999/1h', addressFailures: '9999/1h' } }
const ROUNDS = inSoak(40, 1)
const TOM = 34

const isLive = async ({ send }: TestClient, token: string): Promise<boolean> =>
  (await send('GET', '/session', { 'X-Authorization': token })).status === 200

const EXCHANGES = 4

/** Makes the change when so many of the exchanges are done, and the others are under way. Returns their tokens. */
async function changeDuring(
  { client, paraphrase, done }: { client: TestClient; paraphrase: string; done: number },
  change: () => Promise<void>,
): Promise<string[]> {
  const tokens: string[] = []
  const isTime = Promise.withResolvers<void>()
  if (done === 0) isTime.resolve()
  const exchanges = Array.from({ length: EXCHANGES }, async () => {
    // Refused where the change was before it.
    const token = await client.exchange(TOM, paraphrase).catch(() => undefined)
    if (token !== undefined) tokens.push(token)
    if (tokens.length === done) isTime.resolve()
  })
  await Promise.all([isTime.promise.then(change), ...exchanges])
  return tokens
}

const withToken = (client: TestClient, token: string): Visitor => ({
  send: (method, path, body) =>
    client.send(
      method,
      path,
      { 'X-Authorization': token, 'Content-Type': 'application/ld+json' },
      JSON.stringify(body),
    ),
})

// authentication.md, Token: ends at once when its user is given a new paraphrase
// contract: `POST {base}/accounts/{id}/paraphrase` `{"current", "new"}` by the user alone: 204
test('no token of an exchange with the former paraphrase outlives a change of the own one', async (t) => {
  const { client } = await serveOffice(t, PATIENT)
  let current = PARAPHRASE
  let ended = 0
  for (let round = 0; round < ROUNDS; round++) {
    const kept = await client.exchange(TOM, current)
    const body = { current, new: `words ${round}` }
    const tokens = await changeDuring({ client, paraphrase: current, done: round % EXCHANGES }, async () => {
      const { status } = await withToken(client, kept).send('POST', `/accounts/${TOM}/paraphrase`, body)
      assert.equal(status, 204)
    })
    for (const token of tokens) assert.equal(await isLive(client, token), false, `round ${round}`)
    assert.equal(await isLive(client, kept), true)
    ended += tokens.length
    current = body.new
  }
  assert.ok(inSoak(ended > ROUNDS / 2, true), `${ended} exchanges came before the changes.`)
})

test('no token of an exchange with the former paraphrase outlives a new one from who manages accounts', async (t) => {
  const { as, client } = await serveOffice(t, PATIENT)
  let current = PARAPHRASE
  for (let round = 0; round < ROUNDS; round++) {
    const paraphrase = `words ${round}`
    const before = await client.exchange(TOM, current)
    const tokens = await changeDuring({ client, paraphrase: current, done: round % EXCHANGES }, async () => {
      assert.equal((await as.boss.send('PATCH', `/accounts/${TOM}`, { paraphrase })).status, 200)
    })
    for (const token of [before, ...tokens])
      assert.equal(await isLive(client, token), false, `round ${round}`)
    current = paraphrase
  }
})

test('of two changes of the own paraphrase at once one succeeds, and keeps its token alone', async (t) => {
  const { client } = await serveOffice(t, PATIENT)
  let current = PARAPHRASE
  for (let round = 0; round < ROUNDS; round++) {
    const tokens = [await client.exchange(TOM, current), await client.exchange(TOM, current)]
    const statuses = await Promise.all(
      tokens.map(async (token, index) => {
        const body = { current, new: `words ${round} ${index}` }
        return (await withToken(client, token).send('POST', `/accounts/${TOM}/paraphrase`, body)).status
      }),
    )
    const won = statuses.indexOf(204)
    // 401 where the other has ended the token before the request was admitted.
    assert.match(String(statuses.toSorted()), /^204,(?:401|422)$/)
    for (const [index, token] of tokens.entries()) assert.equal(await isLive(client, token), index === won)
    current = `words ${round} ${won}`
  }
  assert.ok(await client.exchange(TOM, current))
})
