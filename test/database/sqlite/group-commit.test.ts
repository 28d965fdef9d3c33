import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ThreadReply } from '../../../src/channel.ts'
import type { WriteJob } from '../../../src/database/sqlite/commands.ts'
import { sharedNow } from '../../../src/database/sqlite/connection.ts'
import { createGroupCommit, type GroupCommitOptions } from '../../../src/database/sqlite/group-commit.ts'
import { connect, newSqlite } from '../../support/stores.ts'

/** How long jobs wait for a lock here: those that are to be made, and those that are to be refused. */
const PATIENCE_MS = 60_000
const SHORT_MS = 30
const HOUR_MS = 3_600_000

/** Jobs of one name, each of which writes a row and then does what the test says. */
function createTable(t: TestContext, options?: GroupCommitOptions) {
  const url = newSqlite(t)
  const db = connect(t, url)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 0; CREATE TABLE jobs (name TEXT)')
  const others = connect(t, url)
  const add = db.prepare('INSERT INTO jobs VALUES (?)')
  const seen = others.prepare('SELECT name FROM jobs ORDER BY rowid')
  const work: { next: (name: string) => unknown } = { next: () => undefined }
  const commands = {
    add(name: string) {
      add.run(name)
      return work.next(name)
    },
  }
  const commits = createGroupCommit(db, commands, options)
  let id = 0
  const job = (name: string, durable = true): WriteJob => {
    id += 1
    return { id, name: 'add', args: [name], durable, isSmall: false, deadline: sharedNow() + PATIENCE_MS }
  }
  /** Until all is answered. */
  function run(jobs: readonly WriteJob[]): ThreadReply[] {
    commits.add(jobs)
    const answers: ThreadReply[] = []
    while (!commits.isDone()) answers.push(...commits.commitNext())
    return answers.toSorted((left, right) => left.id - right.id)
  }
  return { db, others, commits, job, run, work, seen: () => seen.all().map(({ name }) => name) }
}

const resultOf = (answer: ThreadReply | undefined): unknown =>
  answer !== undefined && 'value' in answer ? answer.value : assert.fail(JSON.stringify(answer))

// contract: An acknowledged write is on disk.
test('writes that wait share a transaction, of at most 128, and each is answered after its commit', (t) => {
  const { commits, job, seen } = createTable(t)
  const jobs = Array.from({ length: 200 }, (_, index) => job(`${index}`))
  commits.add(jobs)
  let transactions = 0
  for (; !commits.isDone(); transactions += 1) {
    const before = seen().length
    const answers = commits.commitNext()
    assert.ok(answers.length > 0 && answers.length <= 128)
    assert.equal(seen().length, before + answers.length)
  }
  // Two transactions, or a few more on a busy machine, where one ends for its time.
  assert.ok(transactions >= 2 && transactions < 20, String(transactions))
  assert.equal(seen().length, 200)
})

// contract: A failed one has changed nothing.
test('a write that fails undoes its own work alone', (t) => {
  const { job, run, work, seen } = createTable(t)
  work.next = (name) => {
    if (name === 'never') throw new Error('broken')
  }
  const answers = run(['first', 'never', 'third'].map((name) => job(name)))
  assert.deepEqual(
    answers.map((answer) => 'failure' in answer && answer.failure.message),
    [false, 'broken', false],
  )
  assert.deepEqual(seen(), ['first', 'third'])
})

test('writes wait for a lock of another connection and are then made, in their order', (t) => {
  const { others, commits, job, run, seen } = createTable(t)
  others.exec('BEGIN IMMEDIATE')
  commits.add([job('a'), job('b')])
  assert.deepEqual(commits.commitNext(), [])
  others.exec('COMMIT')
  run([job('c')])
  assert.deepEqual(seen(), ['a', 'b', 'c'])
})

for (const { name, setBy } of [
  // contract: Waiting for a database lock never holds up
  { name: 'a write that has waited for a lock as long as it may is refused', setBy: 0 },
  { name: 'a clock that is set back does not lengthen the wait for a lock', setBy: -HOUR_MS },
  { name: 'a clock that is set ahead does not shorten the wait for a lock', setBy: HOUR_MS },
])
  test(name, (t) => {
    const { others, commits, job, run, seen } = createTable(t)
    others.exec('BEGIN IMMEDIATE')
    const waiting = { ...job('refused'), deadline: sharedNow() + SHORT_MS }
    const host = Date.now()
    t.mock.method(Date, 'now', () => host + setBy)
    commits.add([waiting])
    for (;;) {
      const began = sharedNow()
      const [answer] = commits.commitNext()
      const isPast = sharedNow() >= waiting.deadline
      if (answer !== undefined) {
        assert.ok(isPast && 'failure' in answer && /locked/.test(answer.failure.message))
        break
      }
      assert.ok(began < waiting.deadline)
    }
    others.exec('COMMIT')
    run([job('later')])
    assert.deepEqual(seen(), ['later'])
  })

// contract: An acknowledged write is on disk.
test('a write is synced by its own commit, from the very first on; one that is made lightly is not', (t) => {
  const { db, job, run, work } = createTable(t)
  work.next = () => db.prepare('PRAGMA synchronous').get()?.synchronous
  const levels = (...durable: boolean[]) => run(durable.map((one) => job('any', one))).map(resultOf)
  // https://sqlite.org/pragma.html#pragma_synchronous: FULL is 2, NORMAL is 1.
  assert.deepEqual(levels(true), [2])
  assert.deepEqual(levels(false), [1])
  assert.deepEqual(levels(true), [2])
  // One transaction: it is as durable as the most demanding of its writes.
  assert.deepEqual(levels(false, true), [2, 2])
})

test('a write that is left to another thread waits, unwritten', (t) => {
  const { commits, job, seen } = createTable(t, { leaves: ({ args }) => args[0] === 'long' })
  const [short, long] = [job('short'), job('long')]
  commits.add([short, long])
  assert.deepEqual(
    commits.commitNext().map(({ id }) => id),
    [short.id],
  )
  assert.deepEqual(seen(), ['short'])
  assert.deepEqual(commits.takeWaiting(), [long])
})
