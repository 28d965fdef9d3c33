import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createTurns, type Work } from '../../../src/api/batch/turns.ts'

/** A budget of 100 ms. */
const LIMITS = { operations: 10, bytes: 1024 }

/** Batches on a clock that only their work moves. `log`: which of them worked, in the order of their operations. */
function createBatches() {
  const time = { now: 0 }
  const log: string[] = []
  const workOf = createTurns(LIMITS, () => time.now)
  const operate = async (name: string, work: Work, count: number, ms: number) => {
    for (let n = 0; n < count; n++) {
      await work.pause()
      log.push(name)
      time.now += ms
    }
  }
  const run = (user: string, name: string, count: number, ms: number) => {
    const work = workOf(user)
    return work.inLine(() => operate(name, work, count, ms))
  }
  return { time, log, workOf, operate, run }
}

test('batches of different users take turns, and those of one user go one after the other', async () => {
  const { log, run } = createBatches()
  await Promise.all([run('a', 'a1', 3, 5), run('a', 'a2', 2, 5), run('b', 'b1', 3, 5)])
  assert.deepEqual(log, ['a1', 'b1', 'a1', 'b1', 'a1', 'b1', 'a2', 'a2'])
})

// contract: A batch takes turns with other requests
test('however many batches there are, they work for one slice in a turn of the event loop', async () => {
  const { time, run } = createBatches()
  const slices: number[] = []
  let isOver = false
  // Begun before the batches, so that each of its turns comes before theirs.
  const observed = (async () => {
    for (let before = 0; !isOver; before = time.now) {
      await turn()
      slices.push(time.now - before)
    }
  })()
  // Some end within a slice, and the next one goes on.
  await Promise.all(Array.from({ length: 36 }, (_, user) => run(String(user), 'x', 1 + (user % 12), 1)))
  isOver = true
  await observed
  assert.ok(Math.max(...slices) <= 5, `${slices}`)
  assert.equal(time.now, (3 * (12 * 13)) / 2)
})

test('after an operation that takes long other requests have several turns', async () => {
  const { log, run } = createBatches()
  const running = run('a', 'a', 2, 50)
  const begunAfter: number[] = []
  for (let turns = 0; log.length < 2; turns++) {
    begunAfter[log.length] = turns
    await turn()
  }
  await running
  const [, second = 0] = begunAfter
  assert.ok(second > 3, `${second} turns of the event loop`)
})

test('a batch whose budget is used up is refused, and waiting does not count', async () => {
  const { time, log, workOf, operate, run } = createBatches()
  await assert.rejects(run('a', 'a', 30, 10), { code: 'BatchTooMuchWork' })
  assert.equal(log.length, 11)
  const work = workOf('a')
  await work.inLine(async () => {
    await operate('waiting', work, 5, 10)
    const answer = turn('answer').then((text) => {
      time.now += 1_000
      return text
    })
    assert.equal(await work.waitFor(answer), 'answer')
    await operate('waiting', work, 5, 10)
  })
  // The next part of the same batch, and the same batch prepared anew, have what is left.
  await assert.rejects(
    work.atOnce(() => operate('more', work, 3, 10)),
    { code: 'BatchTooMuchWork' },
  )
})

test('a batch that waits lets others work, and takes its turn again before it goes on', async () => {
  const { log, workOf, operate, run } = createBatches()
  const work = workOf('a')
  const answer = Promise.withResolvers<void>()
  const waiting = work.inLine(async () => {
    await operate('a', work, 1, 1)
    // Several at once, of which the last one counts.
    await Promise.all([work.waitFor(turn()), work.waitFor(answer.promise)])
    await operate('a', work, 1, 1)
  })
  await run('b', 'b', 2, 5)
  answer.resolve()
  await Promise.all([waiting, run('c', 'c', 2, 5)])
  assert.deepEqual(log.slice(0, 3), ['a', 'b', 'b'])
  assert.deepEqual(log.slice(3).toSorted(), ['a', 'c', 'c'])
})

test('of the batches of one user that wait, four have begun, and the next begins where one leaves its line', async () => {
  const { log, workOf, operate } = createBatches()
  const answer = Promise.withResolvers<void>()
  const begin = (name: string) => {
    const work = workOf('a')
    const done = work.inLine(async () => {
      await operate(name, work, 1, 1)
      await work.waitFor(answer.promise)
    })
    return { work, done }
  }
  const batches = ['1', '2', '3', '4', '5', '6'].map(begin)
  for (let turns = 0; turns < 20; turns++) await turn()
  assert.deepEqual(log, ['1', '2', '3', '4'])
  batches[0]?.work.leaveLine()
  for (let turns = 0; turns < 20; turns++) await turn()
  assert.deepEqual(log, ['1', '2', '3', '4', '5'])
  answer.resolve()
  await Promise.all(batches.map(({ done }) => done))
  assert.equal(log.length, 6)
})

test('a batch that fails gives its turn and its place in the line back', async () => {
  const { log, workOf, run } = createBatches()
  const failing = workOf('a').inLine(async () => {
    throw new Error('failed')
  })
  await assert.rejects(failing, { message: 'failed' })
  await Promise.all([run('a', 'a', 1, 1), run('b', 'b', 1, 1)])
  assert.deepEqual(log, ['a', 'b'])
})
