import assert from 'node:assert/strict'
import { test } from 'node:test'
import { throttleNumber } from '../../src/auth/credentials.ts'
import { assertChallenged, assertExchanged } from '../support/auth-steps.ts'
import { stepB, USER } from '../support/client.ts'
import { countRows, newDatabase, stolen } from '../support/databases.ts'
import { serve } from '../support/service.ts'
import { assertThrottled, startThrottled } from './throttled.ts'

const NAME = 'Jos\u00e9 M\u00fcller'

const SPELLINGS: readonly string[] = [
  NAME,
  NAME.normalize('NFD'),
  'jose muller',
  'JOS\u00c9 MULLER',
  '\uff2aose Mu\u0308ller',
]

// contract: In its place a user's name may stand
// contract: Wherever the procedure takes the id, it takes the name
// contract: Nothing here weakens `seed.md`: the user of a token
test('a user signs in with the name, however it is spelt, and the token is that of the user', async (t) => {
  const { client, store } = await serve(t)
  await store.auth.changeUser(USER, { name: NAME })
  for (const name of SPELLINGS) {
    const response = await client.send('GET', '/books', stepB(await client.nonce(), name))
    assertExchanged(response, name)
    const token = response.headers['x-authorization'] ?? ''
    const session = await client.send('GET', '/session', { 'X-Authorization': token })
    assert.equal(session.json().user, USER)
  }
  // The id works as before.
  await client.exchange()
})

// contract: Wherever the procedure takes the id, it takes the name
test('while tokens are off, a request with the name is served', async (t) => {
  const { client, store } = await serve(t, { flags: { token: 'off' } })
  await store.auth.changeUser(USER, { name: NAME })
  assert.equal((await client.send('GET', '/books', stepB(await client.nonce(), NAME))).status, 200)
})

test('a name that was taken away or given to another no longer signs its former user in', async (t) => {
  const { client, store } = await serve(t)
  const attempt = async (paraphrase?: string) =>
    client.send('GET', '/books', stepB(await client.nonce(), 'anna', paraphrase))
  await store.auth.changeUser(USER, { name: 'anna' })
  assertExchanged(await attempt())
  await store.auth.changeUser(USER, { name: null })
  assertChallenged(await attempt())
  await store.auth.addUser({ id: 8, name: 'Anna', paraphraseHash: 'nobody has this' }, 0)
  assert.notEqual((await attempt()).status, 200)
})

test('what cannot be a name spends no nonce, and is not counted', async (t) => {
  const { service } = await startThrottled(t, { userFailures: '1/5m' }, newDatabase(t))
  const { client, db } = service
  const nonce = await client.nonce()
  for (const name of ['', '007', 'x'.repeat(201), 'a\tb', '\u0301\u0316'.repeat(600)])
    assertChallenged(await client.send('GET', '/books', stepB(nonce, name)), JSON.stringify(name))
  assert.equal((await countRows(db)).attempts, 0)
  assertExchanged(await client.send('GET', '/books', stepB(nonce)))
})

// contract: The throttle counts by what was sent
test('failures for a name do not count for the id, nor those for the id for the name', async (t) => {
  const { service, attempt } = await startThrottled(t, { userFailures: '2/5m' })
  await service.store.auth.changeUser(USER, { name: 'anna' })
  for (const name of ['anna', 'ANNA']) assertChallenged(await attempt(name))
  assertThrottled(await attempt('\u00c5nna'), 300)
  for (let count = 0; count < 2; count += 1) assertChallenged(await attempt(USER))
  assertThrottled(await attempt(USER), 300)
})

// contract: The throttle counts by what was sent
// contract: An unknown name costs the same time
test('an unknown name is throttled like a known one, with the same words', async (t) => {
  const { service, attempt } = await startThrottled(t, { userFailures: '2/5m' })
  await service.store.auth.changeUser(USER, { name: 'anna' })
  const answers: string[] = []
  for (const name of ['anna', 'nobody']) {
    for (let count = 0; count < 2; count += 1) assertChallenged(await attempt(name))
    const response = await attempt(name)
    assertThrottled(response, 300)
    answers.push(response.body)
  }
  assert.equal(answers[0], answers[1])
})

test('what was typed in place of a name is not stored', async (t) => {
  const { service, attempt } = await startThrottled(t, {}, newDatabase(t))
  assertChallenged(await attempt('plum-pudding'))
  assert.equal((await countRows(service.db)).attempts, 1)
  assert.ok(!(await stolen(service.db)).includes('plum-pudding'))
})

test('the number that stands for a name is a negative integer, and that of an id is the id', () => {
  const numbers = Array.from({ length: 1_000 }, (_, index) => throttleNumber({ nameKey: `name ${index}` }))
  assert.ok(numbers.every((number) => Number.isSafeInteger(number) && number < 0))
  assert.equal(new Set(numbers).size, 1_000)
  assert.equal(throttleNumber({ userId: 7 }), 7)
})
