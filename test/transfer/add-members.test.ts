import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseProblem } from '../../src/database/index.ts'
import { retryWhileLocked } from '../../src/transfer/add-members.ts'
import { createBatchSize } from '../../src/transfer/import.ts'

test('what fails because the database is locked is tried again, and nothing else is', async () => {
  let tries = 0
  const value = await retryWhileLocked(async () => {
    tries++
    if (tries < 3) throw databaseProblem('DatabaseLocked', { retryAfterSeconds: 1 })
    return 'done'
  })
  assert.deepEqual([value, tries], ['done', 3])

  for (const error of [databaseProblem('DiskFull'), new Error('something else')]) {
    let calls = 0
    const work = async () => {
      calls++
      throw error
    }
    await assert.rejects(retryWhileLocked(work), error)
    assert.equal(calls, 1)
  }
})

test('how long is waited for a lock does not depend on the time of day', async (t) => {
  const time = { steady: 0, host: 0 }
  t.mock.method(performance, 'now', () => time.steady)
  t.mock.method(Date, 'now', () => time.host)
  const locked = databaseProblem('DatabaseLocked', { retryAfterSeconds: 1 })
  // Set ahead it would give up at the first failure, and set back never.
  for (const setBy of [3_600_000, -3_600_000]) {
    let tries = 0
    const work = async () => {
      tries++
      time.host += setBy
      if (tries === 2) time.steady += 60_001
      throw locked
    }
    await assert.rejects(retryWhileLocked(work), locked)
    assert.equal(tries, 2)
  }
})

test('a batch becomes larger while batches are quick, smaller when two were slow, within bounds', () => {
  const size = createBatchSize()
  const fullAt = () => {
    let members = 1
    while (!size.isFull(members, 0)) members++
    return members
  }
  assert.equal(fullAt(), 200)
  size.took(200, 5)
  assert.equal(fullAt(), 400)
  for (let batch = 0; batch < 10; batch++) size.took(fullAt(), 5)
  assert.equal(fullAt(), 2_000)
  size.took(2_000, 400)
  assert.equal(fullAt(), 2_000)
  size.took(2_000, 400)
  assert.equal(fullAt(), 500)
  for (let batch = 0; batch < 2; batch++) size.took(500, 60_000)
  assert.equal(fullAt(), 50)
})

test('a few large members are a batch', () => {
  assert.ok(createBatchSize().isFull(4, 4 * 1024 * 1024))
})
