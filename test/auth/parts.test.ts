import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createClock } from '../../src/auth/clock.ts'
import { createHashQueue } from '../../src/auth/hash-queue.ts'
import { startSweeper } from '../../src/auth/sweeper.ts'
import { openStore } from '../../src/store/open.ts'
import { USER } from '../support/client.ts'
import { countRows } from '../support/databases.ts'
import { serve } from '../support/service.ts'
import { MINUTE, START, together } from './wire.ts'

/** Work that ends when it is told to, and notes when it began. */
function createJobs() {
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve, reject) => {
      ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)))
    })
  }
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await turn()
  }
  return { begun, work, end }
}

test('no more hashes run at once than there are slots', async () => {
  const { begun, work, end } = createJobs()
  const queue = createHashQueue({ slots: 2, places: 10 })
  const results = ['a1', 'a2', 'a3', 'a4'].map((name) => queue.run('a', work(name)))
  assert.deepEqual(begun, ['a1', 'a2'])
  await end('a2')
  assert.deepEqual(begun, ['a1', 'a2', 'a3'])
  for (const name of ['a1', 'a3', 'a4']) await end(name)
  assert.deepEqual(await Promise.all(results), ['a1', 'a2', 'a3', 'a4'])
})

test('addresses take turns: whoever floods waits behind himself', async () => {
  const { begun, work, end } = createJobs()
  const queue = createHashQueue({ slots: 1, places: 10 })
  for (const name of ['a1', 'a2', 'a3', 'a4']) queue.run('a', work(name))
  for (const name of ['b1', 'b2']) queue.run('b', work(name))
  queue.run('c', work('c1'))
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) {
    assert.equal(begun.at(-1), name)
    await end(name)
  }
})

test('a bounded number waits, and when all places are taken the last of the longest line gives way', async () => {
  const { begun, work, end } = createJobs()
  const queue = createHashQueue({ slots: 1, places: 4 })
  const gone: string[] = []
  const knock = (name: string) =>
    void queue.run(name.slice(0, 1), work(name)).then((ran) => ran ?? gone.push(name))
  const after = async (...names: readonly string[]) => {
    names.forEach(knock)
    await turn()
    return gone.splice(0)
  }
  assert.deepEqual(await after('a0', 'a1', 'a2', 'a3', 'b1'), [])
  // The longest line gives way to none of its own, and to any other.
  assert.deepEqual(await after('a4'), ['a4'])
  assert.deepEqual(await after('c1'), ['a3'])
  assert.deepEqual(await after('b2'), ['a2'])
  // Two of b, one of a, one of c: the longest line is b's now.
  assert.deepEqual(await after('b3', 'a5'), ['b3', 'b2'])
  // Two of a, and of b and c one each.
  assert.deepEqual(await after('d1'), ['a5'])
  // All lines are of one: the latest gives way to one from no line, and to nobody who stands in one.
  assert.deepEqual(await after('e1'), ['d1'])
  assert.deepEqual(await after('b4'), ['b4'])
  assert.equal(queue.waiting, 4)
  for (const name of ['a0', 'a1', 'b1', 'c1', 'e1']) {
    assert.equal(begun.at(-1), name)
    await end(name)
  }
  assert.deepEqual([queue.running, queue.waiting], [0, 0])
})

test('a hash that fails frees its slot, and fails alone', async () => {
  const { begun, work, end } = createJobs()
  const queue = createHashQueue({ slots: 1, places: 10 })
  const [first, second] = [queue.run('a', work('a1')), queue.run('a', work('a2'))]
  const refused = assert.rejects(async () => first, /broken/)
  await end('a1', new Error('broken'))
  await refused
  assert.deepEqual(begun, ['a1', 'a2'])
  await end('a2')
  assert.equal(await second, 'a2')
})

test('all who wait can be refused at once: their places are free, and what runs goes on', async () => {
  const { begun, work, end } = createJobs()
  const queue = createHashQueue({ slots: 1, places: 3 })
  const [first, ...others] = [
    queue.run('a', work('a1')),
    queue.run('a', work('a2')),
    queue.run('a', work('a3')),
    queue.run('b', work('b1')),
  ]
  assert.equal(await queue.run('a', work('a4')), undefined)
  const refused = others.map((other) => assert.rejects(async () => other, /no database/))
  queue.refuseWaiting(new Error('no database'))
  await Promise.all(refused)
  assert.deepEqual([queue.running, queue.waiting], [1, 0])
  // Whoever comes later waits as always, and has his turn.
  const later = queue.run('b', work('b2'))
  await end('a1')
  assert.equal(await first, 'a1')
  assert.deepEqual(begun, ['a1', 'b2'])
  await end('b2')
  assert.equal(await later, 'b2')
})

test('now never runs backwards', () => {
  let host = 1_000
  const clock = createClock(() => host)
  assert.equal(clock.now(), 1_000)
  host = 500
  assert.equal(clock.now(), 1_000)
  host = 1_001
  assert.equal(clock.now(), 1_001)
})

test('now is never before a time that was witnessed', () => {
  const clock = createClock(() => 1_000)
  clock.witness(5_000)
  assert.equal(clock.now(), 5_000)
  clock.witness(3_000)
  assert.equal(clock.now(), 5_000)
})

test('the sweeper removes what has expired, in as many batches as it takes, and nothing else', async (t) => {
  const time = { now: START - 60 * MINUTE }
  const { client, store, db } = await serve(t, { time })
  const limit = { failures: 1_000_000, windowMs: MINUTE }
  const limits = { user: limit, address: limit }
  const spend = (nonce: string, now: number) =>
    store.auth.begin({ address: 'x', userId: USER, nonce, nonceExpiresAt: now + MINUTE, now, limits })
  // More than two batches of 500, long expired; and then one of each kind that has not.
  await client.signIn()
  await together(1_100, (index) => spend(`old ${index}`, time.now))
  time.now = START
  await spend('young', START)
  const token = await client.signIn()
  const before = await countRows(db)

  t.mock.timers.enable({ apis: ['setInterval'] })
  const errors: unknown[] = []
  const sweeper = startSweeper({
    store: store.auth,
    clock: createClock(() => time.now),
    limits,
    onError: (error) => errors.push(error),
  })
  t.mock.timers.tick(MINUTE - 1)
  await turn()
  assert.deepEqual(await countRows(db), before)
  t.mock.timers.tick(1)
  for (let turns = 0; turns < 100 && (await countRows(db)).attempts !== 1; turns += 1) await turn()
  await sweeper.stop()

  assert.deepEqual(errors, [])
  const removed = Object.entries(await countRows(db)).map(([name, rows]) => [
    name,
    (before[name] ?? 0) - rows,
  ])
  assert.deepEqual(
    removed.filter(([, rows]) => rows !== 0).sort(),
    // The time of the sweep is a setting that is new.
    [
      ['attempts', 1_100],
      ['settings', -1],
      ['spent_nonces', 1_101],
      ['tokens', 1],
    ],
  )
  assert.equal(await store.auth.isSpent('young'), true)
  assert.equal((await client.send('GET', '/books', { 'X-Authorization': token })).status, 200)
})

test('a sweep that fails is reported, and the next one tries again', async (t) => {
  const store = await openStore('sqlite::memory:')
  await store.close()
  t.mock.timers.enable({ apis: ['setInterval'] })
  const errors: unknown[] = []
  const limit = { failures: 1, windowMs: MINUTE }
  const sweeper = startSweeper({
    store: store.auth,
    clock: createClock(),
    limits: { user: limit, address: limit },
    onError: (error) => errors.push(error),
  })
  for (const count of [1, 2]) {
    t.mock.timers.tick(MINUTE)
    for (let turns = 0; turns < 100 && errors.length < count; turns += 1) await turn()
    assert.equal(errors.length, count)
  }
  await sweeper.stop()
})
