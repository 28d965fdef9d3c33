import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Token, UserRoles } from '../../../../src/auth/index.ts'
import { createTokenCache } from '../../../../src/auth/store/postgres/token-cache.ts'

type Known = Token & UserRoles

const TOKEN: Known = { id: 1, userId: 7, issuedAt: 0, expiresAt: 1, number: 1, roles: [] }

/** A memory whose clocks and whose database are the test's. */
function start(t: TestContext) {
  const time = { steady: 1_000, host: 1_000_000 }
  t.mock.method(performance, 'now', () => time.steady)
  t.mock.method(Date, 'now', () => time.host)
  const reads: PromiseWithResolvers<Known | undefined>[] = []
  const cache = createTokenCache(() => {
    const read = Promise.withResolvers<Known | undefined>()
    reads.push(read)
    return read.promise
  })
  const memory = { find: (hash: string) => cache.find(hash, time.host), forget: cache.forget }
  const pass = (ms: number) => {
    time.steady += ms
    time.host += ms
  }
  /** What the database says to the n-th read. */
  const answer = (index: number, token: Known | undefined) => reads[index]?.resolve(token)
  return { memory, time, pass, answer, reads }
}

async function remembered(t: TestContext) {
  const started = start(t)
  const found = started.memory.find('a')
  started.answer(0, TOKEN)
  assert.deepEqual(await found, TOKEN)
  return started
}

test('a token that was read is found without a read for half a second', async (t) => {
  const { memory, pass, reads } = await remembered(t)
  pass(499)
  assert.deepEqual(memory.find('a'), TOKEN)
  assert.equal(reads.length, 1)
  pass(1)
  memory.find('a')
  assert.equal(reads.length, 2)
})

test('the half second begins when the read does, not when it is answered', async (t) => {
  const { memory, pass, answer, reads } = start(t)
  const found = memory.find('a')
  pass(500)
  answer(0, TOKEN)
  assert.deepEqual(await found, TOKEN)
  memory.find('a')
  assert.equal(reads.length, 2)
})

test('an answer that has become old before it was looked at is asked for again', async (t) => {
  const { memory, pass, answer, reads } = start(t)
  const found = Promise.resolve(memory.find('a'))
  // As when the process was stopped while the answer was on its way.
  pass(60_000)
  answer(0, TOKEN)
  await turn()
  assert.equal(reads.length, 2)
  answer(1, undefined)
  assert.equal(await found, undefined)
})

test('where the second answer is old as well nobody is let in, and nothing is remembered', async (t) => {
  const { memory, time, answer, reads } = start(t)
  const refused = assert.rejects(Promise.resolve(memory.find('a')), { code: 'DatabaseBusy' })
  for (const index of [0, 1]) {
    // One clock alone stands still while the machine sleeps.
    time.host += 1_000
    answer(index, TOKEN)
    await turn()
  }
  await refused
  assert.equal(reads.length, 2)
  memory.find('a')
  assert.equal(reads.length, 3)
})

test('after a sleep of the machine, in which one clock stood still, a token is read again', async (t) => {
  const { memory, time, reads } = await remembered(t)
  time.host += 60_000
  memory.find('a')
  assert.equal(reads.length, 2)
})

test('after the clock was set back a token is read again', async (t) => {
  const { memory, time, reads } = await remembered(t)
  time.host -= 1
  memory.find('a')
  assert.equal(reads.length, 2)
})

test('what is forgotten is read again', async (t) => {
  const { memory, reads } = await remembered(t)
  memory.forget()
  memory.find('a')
  assert.equal(reads.length, 2)
})

test('what was read while tokens ended is not remembered', async (t) => {
  const { memory, answer, reads } = start(t)
  const found = memory.find('a')
  memory.forget()
  answer(0, TOKEN)
  assert.deepEqual(await found, TOKEN)
  memory.find('a')
  assert.equal(reads.length, 2)
})

test('that a token was not found is not remembered', async (t) => {
  const { memory, answer } = start(t)
  const first = memory.find('a')
  answer(0, undefined)
  assert.equal(await first, undefined)
  const second = memory.find('a')
  answer(1, TOKEN)
  assert.deepEqual(await second, TOKEN)
})

test('a read that fails admits nobody, also not the one who was remembered', async (t) => {
  const { memory, pass, reads } = await remembered(t)
  pass(500)
  const found = memory.find('a')
  reads[1]?.reject(new Error('gone'))
  await assert.rejects(Promise.resolve(found), /gone/)
  memory.find('a')
  assert.equal(reads.length, 3)
})
