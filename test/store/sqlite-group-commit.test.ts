import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { HttpError } from '../../src/errors.ts'
import { createWriter } from '../../src/store/sqlite/group-commit.ts'
import { connect, newDatabase } from './stores.ts'

/** How long the writer is patient here, and how often it tries meanwhile. */
const PATIENCE_MS = 100
const RETRY_MS = 5
const HOUR_MS = 3_600_000

function createTable(t: TestContext) {
  const url = newDatabase(t)
  const db = connect(t, url)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 0; CREATE TABLE jobs (name TEXT)')
  const others = connect(t, url)
  const add = db.prepare('INSERT INTO jobs VALUES (?)')
  const seen = others.prepare('SELECT name FROM jobs ORDER BY rowid')
  return { db, others, add: (name: string) => add.run(name), seen: () => seen.all().map(({ name }) => name) }
}

// contract: An acknowledged write is on disk.
test('writes of one turn share a transaction, of at most 128, and each is acknowledged after its commit', async (t) => {
  const { db, add, seen } = createTable(t)
  const writer = createWriter(db, PATIENCE_MS)
  /** How much another connection sees while each write is made: commits only. */
  const committed: number[] = []
  const write = async (index: number) => {
    await writer.write(() => {
      committed.push(seen().length)
      add(`${index}`)
    })
    assert.ok(seen().includes(`${index}`))
  }
  await Promise.all(Array.from({ length: 200 }, (_, index) => write(index)))
  // Two transactions, or a few more on a busy machine, where one ends for its time.
  const starts = [...new Set(committed)]
  assert.ok(starts.length < 20, String(starts))
  for (const [index, start] of starts.entries())
    assert.ok((starts[index + 1] ?? 200) - start <= 128, String(starts))
  await writer.close()
})

// contract: A failed one has changed nothing.
test('a write that fails undoes its own work alone', async (t) => {
  const { db, add, seen } = createTable(t)
  const writer = createWriter(db, PATIENCE_MS)
  const outcomes = await Promise.allSettled([
    writer.write(() => add('first')),
    writer.write(() => {
      add('never')
      throw new Error('broken')
    }),
    writer.write(() => add('third')),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.match(String(outcomes[1].status === 'rejected' && outcomes[1].reason), /broken/)
  assert.deepEqual(seen(), ['first', 'third'])
  await writer.close()
})

test('close writes what is waiting', async (t) => {
  const { db, add, seen } = createTable(t)
  const writer = createWriter(db, PATIENCE_MS)
  const written = writer.write(() => add('waiting'))
  await writer.close()
  await written
  assert.deepEqual(seen(), ['waiting'])
})

/** Time passes as the test says; meanwhile the time of day may be set to anything. */
function stopClocks(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const time = { steady: 0, host: HOUR_MS }
  t.mock.method(performance, 'now', () => time.steady)
  t.mock.method(Date, 'now', () => time.host)
  const pass = (ms: number) => {
    time.steady += ms
    time.host += ms
    t.mock.timers.tick(ms)
  }
  return { time, pass }
}

test('writes wait for a lock of another connection and are then made, in their order', async (t) => {
  const { db, others, add, seen } = createTable(t)
  const { pass } = stopClocks(t)
  const writer = createWriter(db, PATIENCE_MS)
  others.exec('BEGIN IMMEDIATE')
  const written = ['a', 'b', 'c'].map((name) => writer.write(() => add(name)))
  await turn()
  // Tried again and again, and refused each time.
  pass(PATIENCE_MS - RETRY_MS)
  others.exec('COMMIT')
  assert.deepEqual(seen(), [])
  pass(RETRY_MS)
  await Promise.all(written)
  assert.deepEqual(seen(), ['a', 'b', 'c'])
})

for (const { name, setBy } of [
  // contract: Waiting for a database lock never holds up
  {
    name: 'a write that has waited for a lock as long as it may is refused with 503 and Retry-After',
    setBy: 0,
  },
  { name: 'a clock that is set back does not lengthen the wait for a lock', setBy: -HOUR_MS },
])
  test(name, async (t) => {
    const { db, others, add, seen } = createTable(t)
    const { time, pass } = stopClocks(t)
    const writer = createWriter(db, PATIENCE_MS)
    others.exec('BEGIN IMMEDIATE')
    const refused = assert.rejects(
      writer.write(() => add('refused')),
      (error: unknown) =>
        error instanceof HttpError && error.status === 503 && error.headers.join() === 'Retry-After,1',
    )
    await turn()
    time.host += setBy
    pass(PATIENCE_MS)
    await refused
    others.exec('COMMIT')
    await writer.write(() => add('later'))
    assert.deepEqual(seen(), ['later'])
  })

test('a clock that is set ahead does not shorten the wait for a lock', async (t) => {
  const { db, others, add, seen } = createTable(t)
  const { time, pass } = stopClocks(t)
  const writer = createWriter(db, PATIENCE_MS)
  others.exec('BEGIN IMMEDIATE')
  const written = writer.write(() => add('patient'))
  await turn()
  time.host += HOUR_MS
  pass(RETRY_MS)
  others.exec('COMMIT')
  pass(RETRY_MS)
  await written
  assert.deepEqual(seen(), ['patient'])
})

// contract: An acknowledged write is on disk.
test('a write is synced by its own commit, from the very first on; one that is made lightly is not', async (t) => {
  const { db, add } = createTable(t)
  const writer = createWriter(db, PATIENCE_MS)
  const level = () => db.prepare('PRAGMA synchronous').get()?.synchronous
  const job = (name: string) => () => {
    add(name)
    return level()
  }
  // https://sqlite.org/pragma.html#pragma_synchronous: FULL is 2, NORMAL is 1.
  assert.equal(await writer.write(job('first')), 2)
  assert.equal(await writer.writeLightly(job('second')), 1)
  assert.equal(await writer.write(job('third')), 2)
  // One transaction: it is as durable as the most demanding of its writes.
  assert.deepEqual(
    await Promise.all([writer.writeLightly(job('fourth')), writer.write(job('fifth'))]),
    [2, 2],
  )
  const other = createWriter(db, PATIENCE_MS)
  assert.equal(await other.writeLightly(job('sixth')), 1)
})

test('a write that comes after the close is refused with 503', async (t) => {
  const { db, add, seen } = createTable(t)
  const writer = createWriter(db, PATIENCE_MS)
  await writer.close()
  await assert.rejects(
    writer.write(() => add('late')),
    (error) => error instanceof HttpError && error.status === 503,
  )
  assert.deepEqual(seen(), [])
})
