import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchReachability } from '../../../src/database/postgres/errors.ts'

/** What is told, at which time. */
function watch() {
  const told: string[] = []
  const time = { now: 1_000 }
  const reachability = watchReachability(
    (reason) => told.push(`away: ${reason}`),
    () => told.push('back'),
    () => time.now,
  )
  return { ...reachability, told, time }
}

test('that the database is away is told once, with the first reason, and that it is back', () => {
  const { lost, answered, told, time } = watch()
  answered()
  lost('refused')
  lost('silent')
  time.now += 1_000
  answered()
  answered()
  assert.deepEqual(told, ['away: refused', 'back'])
})

test('while some connections are refused and others answer, the database is not back', () => {
  const { lost, answered, told, time } = watch()
  for (let n = 0; n < 100; n += 1) {
    lost('too many clients')
    time.now += 10
    answered()
  }
  assert.deepEqual(told, ['away: too many clients'])
})

test('a database that stays away is told of again after a minute', () => {
  const { lost, told, time } = watch()
  for (const ms of [0, 59_999, 1]) {
    time.now += ms
    lost('refused')
  }
  assert.deepEqual(told, ['away: refused', 'away: refused'])
})
