import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash, type Options, verify } from '@node-rs/argon2'
import { createParaphraseCheck, hashParaphrase, needsUpgrade } from '../../src/auth/credentials.ts'
import { assertChallenged } from '../support/auth-steps.ts'
import { PARAPHRASE, stepB, USER } from '../support/client.ts'
import { newDatabase } from '../support/databases.ts'
import { serve, type TestService } from '../support/service.ts'
import { openFor } from '../support/stores.ts'
import { compareTimes, createLeast } from '../support/timing.ts'

const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$'
const isParaphrase = createParaphraseCheck()
const OLD = { memoryCost: 8_192, timeCost: 1, parallelism: 1 }

// contract: A paraphrase has 1 to 1024 bytes
test('a paraphrase is stored as argon2id with 19 MiB, two passes and one lane, in PHC form', async () => {
  const stored = await hashParaphrase(PARAPHRASE)
  assert.ok(stored.startsWith(CURRENT))
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22,}\$[A-Za-z0-9+/]{43}$/)
  assert.equal(await isParaphrase(stored, PARAPHRASE), true)
  assert.equal(await isParaphrase(stored, `${PARAPHRASE} `), false)
  assert.notEqual(await hashParaphrase(PARAPHRASE), stored)
})

// contract: An unknown user costs the same hash
test('an unknown user costs a hash too: a well-formed one is checked that nothing matches', async () => {
  // What is not well-formed is refused before anything is computed; this is what must not happen.
  await assert.rejects(verify('$argon2id$nobody', PARAPHRASE))
  for (const paraphrase of [PARAPHRASE, '', 'x'.repeat(1024)]) {
    assert.equal(await isParaphrase(undefined, paraphrase), false)
  }
})

const COSTLIER: Options = { memoryCost: 19_456, timeCost: 6, parallelism: 1 }

// contract: An unknown user costs the same hash
test('a wrong paraphrase is hashed with the same parameters for an unknown user as for any other', async () => {
  const older = await hash('older', OLD)
  const costlier = await hash('costlier', COSTLIER)
  const current = await hashParaphrase(PARAPHRASE)
  const parametersOf = (stored: string) => stored.slice(0, stored.indexOf(',p=1$') + 5)
  const hashed: string[] = []
  const isParaphrase = createParaphraseCheck([older, costlier].map(parametersOf), async (stored) => {
    hashed.push(parametersOf(String(stored)))
    return false
  })
  const parameters = [older, costlier, current].map(parametersOf).sort()
  for (const stored of [undefined, older, costlier, current]) {
    assert.equal(await isParaphrase(stored, 'wrong'), false)
    assert.deepEqual(hashed.splice(0).sort(), parameters, stored)
  }
})

/** A wrong guess, to be timed. */
const guess =
  ({ client }: TestService, user: number | string) =>
  async () => {
    const headers = stepB(await client.nonce(), user, 'wrong')
    return async () => assertChallenged(await client.send('GET', '/books', headers))
  }

/** Without the costlier hash it is a quarter; other programs that use the same memory take their part too. */
const SIMILAR = 2

// contract: An unknown user costs the same hash
test('a wrong paraphrase takes as long for an unknown user as for one with costlier parameters', async (t) => {
  const db = newDatabase(t)
  const before = await openFor(t, db)
  await before.auth.addUser({ id: 8, paraphraseHash: await hash('other', COSTLIER) }, 0)
  await before.close()
  await compareTimes(async () => {
    const service = await serve(t, { db })
    // Before the other user is seen: what is in use is known from the start.
    const first = await createLeast([guess(service, 999)])(2)
    const others = await createLeast([guess(service, 999), guess(service, USER), guess(service, 8)])(2)
    const times = [...first, ...others]
    assert.ok(Math.max(...times) < SIMILAR * Math.min(...times), `${times} µs`)
  })
})

// contract: An unknown name costs the same time
test('a wrong paraphrase takes as long for an unknown name as for a known one, and for an id', async (t) => {
  await compareTimes(async () => {
    const service = await serve(t)
    await service.store.auth.changeUser(USER, { name: 'anna@studio.example' })
    const users = ['nobody@studio.example', 'anna@studio.example', 'x'.repeat(200), USER, 999]
    const times = await createLeast(users.map((user) => guess(service, user)))(2)
    assert.ok(Math.max(...times) < SIMILAR * Math.min(...times), `${times} µs`)
  })
})

// contract: An unknown user costs the same hash
test('parameters that another process brings in count from the first time that they are seen', async (t) => {
  await compareTimes(async () => {
    const service = await serve(t)
    await service.store.auth.addUser({ id: 8, paraphraseHash: await hash('other', COSTLIER) }, 0)
    const [before] = await createLeast([guess(service, 999)])(2)
    const [other, unknown] = await createLeast([guess(service, 8), guess(service, 999)])(2)
    assert.ok(unknown > 2 * before, `${[before, unknown]} µs`)
    assert.ok(Math.max(other, unknown) < SIMILAR * Math.min(other, unknown), `${[other, unknown]} µs`)
  })
})

test('a hash that cannot be checked stops its user and nobody else', async (t) => {
  const { client, store } = await serve(t)
  await store.auth.addUser({ id: 8, paraphraseHash: '$argon2id$v=19$m=1,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaA' }, 0)
  assert.equal((await client.send('GET', '/books', stepB(await client.nonce(), 8, 'wrong'))).status, 500)
  assertChallenged(await client.send('GET', '/books', stepB(await client.nonce(), 999, 'wrong')))
})

// contract: A paraphrase has 1 to 1024 bytes
test('a hash with old parameters is upgraded at the next successful exchange, and tokens live on', async (t) => {
  const { client, store } = await serve(t)
  const old = await hash('old paraphrase', OLD)
  assert.ok(needsUpgrade(old))
  await store.auth.addUser({ id: 8, paraphraseHash: old }, 0)
  const storedHash = async () => (await store.auth.findUser(8))?.paraphraseHash ?? ''

  assertChallenged(await client.send('GET', '/books', stepB(await client.nonce(), 8, 'wrong')))
  assert.equal(await storedHash(), old)

  const token = await client.exchange(8, 'old paraphrase')
  const upgraded = await storedHash()
  assert.ok(upgraded.startsWith(CURRENT))
  assert.equal((await client.send('GET', '/books', { 'X-Authorization': token })).status, 200)

  await client.exchange(8, 'old paraphrase')
  assert.equal(await storedHash(), upgraded)
})
