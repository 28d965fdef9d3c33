import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createFairQueue, createSlots } from '../src/fair-queue.ts'

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

// contract: At most max(1, cores - 1) hashes run at once
test('no more hashes run at once than there are slots', async () => {
  const { begun, work, end } = createJobs()
  const queue = createFairQueue(createSlots({ slots: 2, maxWaiting: 10 }))
  const results = ['a1', 'a2', 'a3', 'a4'].map((name) => queue.run('a', work(name)))
  assert.deepEqual(begun, ['a1', 'a2'])
  await end('a2')
  assert.deepEqual(begun, ['a1', 'a2', 'a3'])
  for (const name of ['a1', 'a3', 'a4']) await end(name)
  assert.deepEqual(await Promise.all(results), ['a1', 'a2', 'a3', 'a4'])
})

// contract: Step B in order
test('addresses take turns: a flood waits behind itself', async () => {
  const { begun, work, end } = createJobs()
  const queue = createFairQueue(createSlots({ slots: 1, maxWaiting: 10 }))
  for (const name of ['a1', 'a2', 'a3', 'a4']) queue.run('a', work(name))
  for (const name of ['b1', 'b2']) queue.run('b', work(name))
  queue.run('c', work('c1'))
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) {
    assert.equal(begun.at(-1), name)
    await end(name)
  }
})

// contract: Step B in order
// contract: At most max(1, cores - 1) hashes run at once
test('a bounded number waits, and when all places are taken the last of the longest line gives way', async () => {
  const { begun, work, end } = createJobs()
  const queue = createFairQueue(createSlots({ slots: 1, maxWaiting: 4 }))
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
  const queue = createFairQueue(createSlots({ slots: 1, maxWaiting: 10 }))
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
  const queue = createFairQueue(createSlots({ slots: 1, maxWaiting: 3 }))
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
  // What comes later waits as always, and has its turn.
  const later = queue.run('b', work('b2'))
  await end('a1')
  assert.equal(await first, 'a1')
  assert.deepEqual(begun, ['a1', 'b2'])
  await end('b2')
  assert.equal(await later, 'b2')
})
