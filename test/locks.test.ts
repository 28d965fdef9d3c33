import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { createLocks, type LockKeys } from '../src/locks.ts'

/** Work that ends when it is told to, and notes when it began. */
function createJobs() {
  const begun: string[] = []
  const jobs = new Map<string, PromiseWithResolvers<string>>()
  const work = (name: string) => () => {
    begun.push(name)
    const job = Promise.withResolvers<string>()
    jobs.set(name, job)
    return job.promise
  }
  return {
    begun,
    work,
    end: (name: string) => jobs.get(name)?.resolve(name),
  }
}

const TOO_LATE = new Error('It has waited too long.')

/** Work that locks one key exclusively. */
function createExclusive() {
  const withLocks = createLocks({ ms: 1_700, onTimeout: () => TOO_LATE })
  return <T>(key: string, work: () => Promise<T>) => withLocks({ exclusive: [key], shared: [] }, work)
}

test('work under one key is done in turn, under another at the same time', async () => {
  const { begun, work, end } = createJobs()
  const exclusive = createExclusive()
  const results = [exclusive('a', work('a1')), exclusive('a', work('a2')), exclusive('b', work('b1'))]
  await turn()
  assert.deepEqual(begun, ['a1', 'b1'])
  end('a1')
  await turn()
  assert.deepEqual(begun, ['a1', 'b1', 'a2'])
  for (const name of ['a2', 'b1']) end(name)
  assert.deepEqual(await Promise.all(results), ['a1', 'a2', 'b1'])
})

test('work that names a key twice does not wait for itself', async () => {
  const withLocks = createLocks()
  const done = withLocks({ exclusive: ['a', 'b', 'a'], shared: ['b'] }, async () => 'done')
  assert.equal(await Promise.race([done, turn('waits')]), 'done')
  assert.equal(await createExclusive()('a', async () => 'next'), 'next')
})

test('work that has waited too long is refused, and not begun any more; what is behind it is', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { begun, work, end } = createJobs()
  const exclusive = createExclusive()
  const first = exclusive('a', work('a1'))
  const late = assert.rejects(exclusive('a', work('a2')), TOO_LATE)
  await turn()
  t.mock.timers.tick(1_699)
  const young = exclusive('a', work('a3'))
  t.mock.timers.tick(1)
  await late
  end('a1')
  assert.equal(await first, 'a1')
  await turn()
  assert.deepEqual(begun, ['a1', 'a3'])
  // What has begun is not given up.
  t.mock.timers.tick(10_000)
  end('a3')
  assert.equal(await young, 'a3')
})

const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 })
const works: fc.Arbitrary<LockKeys[]> = fc.array(fc.record({ exclusive: keys, shared: keys }), {
  maxLength: 12,
})

const conflict = (one: LockKeys, other: LockKeys): boolean =>
  one.exclusive.some((key) => other.exclusive.includes(key) || other.shared.includes(key)) ||
  one.shared.some((key) => other.exclusive.includes(key))

test('work that conflicts with earlier work begins when that has ended, and nothing waits for anything else', () =>
  fc.assert(
    fc.asyncProperty(works, fc.infiniteStream(fc.nat()), async (all, choices) => {
      const withLocks = createLocks()
      const ended = new Set<LockKeys>()
      const mayBegin = (work: LockKeys) =>
        all.slice(0, all.indexOf(work)).every((before) => ended.has(before) || !conflict(before, work))
      const running = new Map<LockKeys, () => void>()
      const ends = all.map((work) =>
        withLocks(work, () => new Promise<void>((resolve) => running.set(work, resolve))),
      )
      while (ended.size < all.length) {
        await turn()
        assert.deepEqual(
          new Set(running.keys()),
          new Set(all.filter((work) => !ended.has(work) && mayBegin(work))),
        )
        const [work, end] = [...running][(choices.next().value as number) % running.size] ?? []
        assert.ok(work !== undefined && end !== undefined)
        running.delete(work)
        ended.add(work)
        end()
      }
      await Promise.all(ends)
    }),
  ))
