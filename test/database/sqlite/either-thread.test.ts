import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect as connectTo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { ThreadReply } from '../../../src/channel.ts'
import type { WriteJob } from '../../../src/database/sqlite/commands.ts'
import { sharedNow } from '../../../src/database/sqlite/connection.ts'
import {
  createCommitTimes,
  newSharedTimes,
  onEitherThread,
} from '../../../src/database/sqlite/either-thread.ts'
import { createGroupCommit } from '../../../src/database/sqlite/group-commit.ts'
import { connect, newSqlite } from '../../support/stores.ts'

/** A thread that replies when the test says, beside commits on this one. */
function createThreads(t: TestContext) {
  const url = newSqlite(t)
  const db = connect(t, url)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 0; CREATE TABLE jobs (name TEXT)')
  const add = db.prepare('INSERT INTO jobs VALUES (?)')
  const commits = createGroupCommit(db, { add: (name: string) => add.run(name).changes }, { onBusy() {} })
  const [sent, replies]: [WriteJob[], ThreadReply[]] = [[], []]
  let onThreadReplies = (_: readonly ThreadReply[]) => {}
  let state: 'quick' | 'slow' | 'unreadable' = 'quick'
  let count = 0
  const thread = onEitherThread(
    (onReplies) => {
      onThreadReplies = onReplies
      return { send: (jobs) => void sent.push(...jobs), unref() {}, async close() {} }
    },
    {
      find() {
        if (state === 'unreadable') throw new Error('disk I/O error')
        return state === 'quick' ? commits : undefined
      },
      onCommit() {
        count += 1
      },
    },
  )(
    (some) => void replies.push(...some),
    () => {},
  )
  let id = 0
  const job = (isSmall = true): WriteJob => {
    id += 1
    return {
      ...{ id, name: 'add', args: [`${id}`], durable: true, isSmall },
      deadline: sharedNow() + 60_000,
    }
  }
  // Everything that this process has done before.
  thread.send([job()])
  for (const list of [sent, replies]) list.splice(0)
  onThreadReplies([{ id, value: 1 }])
  replies.splice(0)
  count = 0
  return {
    ...{ thread, job, sent, replies, url },
    count: () => count,
    reply: () => onThreadReplies(sent.map((one) => ({ id: one.id, value: 1 }))),
    become: (next: typeof state) => {
      state = next
    },
  }
}

test('a small write alone is made on this thread, where the disk is quick', (t) => {
  const { thread, job, sent, replies, count, become } = createThreads(t)
  const first = job()
  thread.send([first])
  assert.deepEqual([sent, replies, count()], [[], [{ id: first.id, value: 1 }], 1])
  become('slow')
  const second = job()
  thread.send([second])
  assert.deepEqual([sent, replies.length, count()], [[second], 1, 1])
})

test('where the log cannot be read, the write thread gets the write, and reports what is wrong', (t) => {
  const { thread, job, sent, become } = createThreads(t)
  become('unreadable')
  const first = job()
  thread.send([first])
  assert.deepEqual(sent, [first])
})

test('a write that fails with its rollback is not made with the next one', (t) => {
  const db = connect(t, newSqlite(t))
  const commits = createGroupCommit(db, { end: () => db.close() })
  const thread = onEitherThread(
    (onReplies) => ({
      send: (jobs) => onReplies(jobs.map(({ id }) => ({ id, value: 1 }))),
      unref() {},
      async close() {},
    }),
    { find: () => commits, onCommit() {} },
  )(
    () => {},
    () => {},
  )
  const job = { id: 1, name: 'end', args: [], durable: true, isSmall: true, deadline: sharedNow() + 60_000 }
  // Everything that this process has done before may send the first one to the write thread.
  thread.send([{ ...job, isSmall: false }])
  assert.throws(() => thread.send([job]), /database is not open/)
  assert.ok(commits.isDone())
})

test('a large write, and writes that come together, go to the write thread', (t) => {
  const { thread, job, sent, reply, count } = createThreads(t)
  thread.send([job(false)])
  reply()
  thread.send([job(), job()])
  assert.deepEqual([sent.length, count()], [3, 0])
})

test('no write overtakes one that the write thread has not replied to', (t) => {
  const { thread, job, sent, reply, count } = createThreads(t)
  thread.send([job(false)])
  thread.send([job()])
  assert.deepEqual([sent.length, count()], [2, 0])
  reply()
  thread.send([job()])
  assert.deepEqual([sent.length, count()], [2, 1])
})

test('where another process has the lock, the write thread waits for it, and not this one', (t) => {
  const { thread, job, sent, replies, count, url } = createThreads(t)
  const other = connect(t, url)
  other.exec('BEGIN IMMEDIATE')
  const waiting = job()
  const started = performance.now()
  thread.send([waiting])
  assert.ok(performance.now() - started < 1_000)
  assert.deepEqual([sent, replies, count()], [[waiting], [], 0])
})

test('while others are served, writes go to the write thread', async (t) => {
  const { thread, job, sent, count } = createThreads(t)
  const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connectTo((server.address() as AddressInfo).port, '127.0.0.1')
  for (let index = 0; index < 5; index += 1) {
    socket.write('.')
    await once(socket, 'data')
  }
  thread.send([job()])
  assert.deepEqual([sent.length, count()], [1, 0])
  socket.destroy()
  server.close()
})

/** Commits that take as many milliseconds as the test says. */
function createClock() {
  let time = 0
  const times = createCommitTimes(newSharedTimes(), () => time)
  const take = (ms: number, count = 1) => {
    for (let index = 0; index < count; index += 1)
      times.measure(() => {
        time += ms
      })
  }
  return { times, take }
}

test('after a commit that fails, a disk counts as slow until some commits have been short', () => {
  const { times, take } = createClock()
  take(0.3, 30)
  const fail = () => {
    throw new Error('disk I/O error')
  }
  assert.throws(() => times.measure(fail), /disk I\/O error/)
  assert.equal(times.areShort(), false)
  take(0.3, 30)
  assert.equal(times.areShort(), true)
})

test('a disk counts as quick after some short commits, and a single long one does not change that', () => {
  const { times, take } = createClock()
  assert.equal(times.areShort(), false)
  take(0.3, 30)
  assert.equal(times.areShort(), true)
  take(8)
  assert.equal(times.areShort(), true)
  take(8)
  assert.equal(times.areShort(), false)
  take(0.3, 12)
  assert.equal(times.areShort(), true)
})

test('a very long commit counts at once, and a disk with a sync of 5 ms is never quick', () => {
  const { times, take } = createClock()
  take(0.3, 20)
  take(30)
  assert.equal(times.areShort(), false)
  const slow = createClock()
  for (let index = 0; index < 50; index += 1) {
    slow.take(5)
    assert.equal(slow.times.areShort(), false)
  }
})
