import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { throttleNumber } from '../../src/auth/credentials.ts'
import { type AuthStore, createClock, openGate, type User } from '../../src/auth/index.ts'
import { createFairQueue, createSlots } from '../../src/fair-queue.ts'
import { MINUTE, START } from '../support/auth-steps.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { ownDatabase } from '../support/databases.ts'
import { paraphraseHash } from '../support/service.ts'
import { openFor } from '../support/stores.ts'

const LIMITS = { user: { failures: 2, windowMs: MINUTE }, address: { failures: 9, windowMs: MINUTE } }
const ADDRESS = '192.0.2.1'

async function open(t: TestContext, change: Partial<AuthStore> = {}) {
  const { auth } = await openFor(t, ownDatabase(t))
  await auth.addUser({ id: USER, name: 'Anna', paraphraseHash: await paraphraseHash() }, START)
  const failures: number[] = []
  const hashing = createFairQueue(createSlots({ slots: 1, maxWaiting: 0 }))
  const { checkOwn, hashNew, close } = await openGate({
    ...{ mode: 'token', store: { ...auth, ...change }, limits: LIMITS, hashing, secrets: undefined },
    ...{ clock: createClock(() => START), tokenTtlMs: 45 * MINUTE, nonceTtlMs: 5 * MINUTE },
    onFailure: ({ claimed }) => failures.push(claimed),
    onWrongClock() {},
    onError() {},
  })
  t.after(close)
  const user = (await auth.findUser(USER)) as User
  const check = async (paraphrase: string, of = user) => checkOwn(of, paraphrase, ADDRESS)
  const until = async (claimed: number) => auth.throttledUntil({ address: ADDRESS, claimed }, LIMITS, START)
  return { auth, user, failures, check, until, hashNew, hashing }
}

const ANNA = throttleNumber({ nameKey: 'anna' })

test('the right paraphrase of a user who is signed in is found right, and not counted', async (t) => {
  const { check, failures, until } = await open(t)
  for (let count = 0; count < 3; count += 1) assert.deepEqual(await check(PARAPHRASE), { verdict: 'right' })
  assert.deepEqual([failures, await until(USER), await until(ANNA)], [[], undefined, undefined])
})

// contract: A wrong `current` is 422
test('a wrong one counts for the throttle of both the id and the name', async (t) => {
  const { check, failures, until } = await open(t)
  for (let count = 0; count < 2; count += 1) assert.deepEqual(await check('wrong'), { verdict: 'wrong' })
  assert.deepEqual([await until(USER), await until(ANNA)], [START + MINUTE, START + MINUTE])
  assert.deepEqual(failures, [USER, USER])
  assert.deepEqual(await check(PARAPHRASE), { verdict: 'throttled', retryAfterSeconds: 60 })
})

test('failures for either of the two hold up the check', async (t) => {
  for (const claimed of [USER, ANNA]) {
    const { auth, check } = await open(t)
    for (let count = 0; count < 2; count += 1) {
      const reserved = await auth.reserve(ADDRESS, [claimed], LIMITS, START)
      assert.ok(reserved.outcome === 'reserved')
      for (const attemptId of reserved.attemptIds) await auth.fail(attemptId)
    }
    assert.equal((await check(PARAPHRASE)).verdict, 'throttled')
  }
})

test('a user without a name is counted by the id alone', async (t) => {
  const { check, user, until } = await open(t)
  for (let count = 0; count < 2; count += 1) await check('wrong', { ...user, name: undefined })
  assert.deepEqual([await until(USER), await until(ANNA)], [START + MINUTE, undefined])
})

test('checks wait in the queue of the exchanges, and are told where it is full', async (t) => {
  const { check } = await open(t)
  const verdicts = (await Promise.all([check('wrong'), check('wrong')])).map(({ verdict }) => verdict)
  assert.deepEqual(verdicts, ['wrong', 'busy'])
})

test('what cannot be a paraphrase is wrong, and one that could not be checked is given back', async (t) => {
  const { check, user, until } = await open(t)
  for (const text of ['', 'x\0', 'x'.repeat(1025)]) assert.deepEqual(await check(text), { verdict: 'wrong' })
  for (let count = 0; count < 3; count += 1)
    await assert.rejects(check('x', { ...user, paraphraseHash: '$argon2id$nobody' }))
  assert.deepEqual([await until(USER), await until(ANNA)], [undefined, undefined])
  assert.deepEqual(await check(PARAPHRASE), { verdict: 'right' })
})

test('a new paraphrase is hashed in a slot like any other, or not at all', async (t) => {
  const { hashNew, hashing } = await open(t)
  const held = Promise.withResolvers<void>()
  const exchange = hashing.run(ADDRESS, () => held.promise)
  assert.equal(await hashNew('new words', ADDRESS), undefined)
  held.resolve()
  await exchange
  assert.match((await hashNew('new words', ADDRESS)) ?? '', /^\$argon2id\$/)
})
