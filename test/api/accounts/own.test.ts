import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PARAPHRASE } from '../../support/client.ts'
import { AS_PROBLEM, codesOf } from '../signed-in.ts'
import { serveOffice } from './office.ts'

// contract: `POST {base}/accounts/{id}/paraphrase` `{"current", "new"}` by the user alone: 204
test('a user changes the own paraphrase with the current one, and keeps this token alone', async (t) => {
  const { as, client } = await serveOffice(t)
  const other = await client.exchange(34, PARAPHRASE)
  const body = { current: PARAPHRASE, new: 'better words' }
  assert.equal((await as.tom.send('POST', '/accounts/34/paraphrase', body)).status, 204)
  assert.equal((await as.tom.send('GET', '/session')).status, 200)
  assert.equal((await client.send('GET', '/session', { 'X-Authorization': other })).status, 401)
  assert.ok(await client.exchange(34, 'better words'))
})

// contract: A wrong `current` is 422
test('a wrong paraphrase, an unfit one and that of somebody else are refused', async (t) => {
  const { as } = await serveOffice(t)
  const refused = async (who: 'tom' | 'boss' | 'eve', body: object) => {
    const response = await as[who].send('POST', '/accounts/34/paraphrase', body, AS_PROBLEM)
    return `${response.status} ${codesOf(response)}`
  }
  assert.equal(await refused('tom', { current: 'x', new: 'y' }), '422 current: WrongParaphrase')
  assert.equal(await refused('tom', { current: PARAPHRASE, new: '' }), '422 new: ParaphraseEmpty')
  assert.equal(
    await refused('tom', { current: 1, newer: 'y' }),
    '422 newer: UnknownEntry, current: RequiredText, new: RequiredText',
  )
  assert.equal(await refused('boss', { current: PARAPHRASE, new: 'y' }), '403 NotOwnAccount')
  assert.equal(await refused('eve', { current: PARAPHRASE, new: 'y' }), '404 MemberNotFound')
})

test('guesses at the own paraphrase are counted like those at sign-in', async (t) => {
  const { as } = await serveOffice(t, { flags: { userFailures: '3/1h' } })
  const guess = async () =>
    (await as.tom.send('POST', '/accounts/34/paraphrase', { current: 'x', new: 'y' })).status
  assert.deepEqual([await guess(), await guess(), await guess(), await guess()], [422, 422, 422, 429])
})

// contract: `DELETE {base}/accounts/{id}/tokens`, by the user or who manages: ends them all.
test('the user, or who manages accounts, ends all tokens of an account', async (t) => {
  const { as } = await serveOffice(t)
  assert.equal((await as.eve.send('DELETE', '/accounts/34/tokens')).status, 404)
  assert.equal((await as.sue.send('DELETE', '/accounts/34/tokens')).status, 403)
  assert.equal((await as.boss.send('DELETE', '/accounts/34/tokens')).status, 204)
  assert.equal((await as.tom.send('GET', '/session')).status, 401)
  assert.equal((await as.eve.send('DELETE', '/accounts/35/tokens')).status, 204)
  assert.equal((await as.eve.send('GET', '/session')).status, 401)
})
