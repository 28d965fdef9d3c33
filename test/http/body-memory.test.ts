import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { BodyMemory, type HeldMemory } from '../../src/http/body-memory.ts'
import type { Request } from '../../src/http/index.ts'
import type { Problem } from '../../src/problem.ts'
import { open, until } from './opened.ts'

/** One part in four is 100. */
const MOST = 400

/** The bodies that are held, and those that wait, by the names that the test gives them. */
function track(memory: BodyMemory) {
  const held = new Map<string, HeldMemory>()
  const refused: string[] = []
  return {
    held,
    refused,
    names: () => [...held.keys()],
    async ask(name: string, owner: number, bytes: number): Promise<void> {
      memory.acquire(owner, bytes).then(
        (given) => held.set(name, given),
        (error: Problem) => refused.push(`${name} ${error.code} ${JSON.stringify(error.values)}`),
      )
      await turn()
    },
    async end(name: string): Promise<void> {
      held.get(name)?.release()
      held.delete(name)
      await turn()
    },
  }
}

test('one user holds a quarter of the memory for bodies at most, and others are served', async () => {
  const { ask, end, names } = track(new BodyMemory(MOST))
  for (const name of ['a1', 'a2', 'a3']) await ask(name, 1, 50)
  await ask('b1', 2, 50)
  assert.deepEqual(names(), ['a1', 'a2', 'b1'])
  await end('a1')
  assert.deepEqual(names(), ['a2', 'b1', 'a3'])
})

test('a body that is larger than a quarter is held where its user holds no other', async () => {
  const { ask, end, names } = track(new BodyMemory(MOST))
  await ask('a1', 1, 300)
  await ask('a2', 1, 1)
  assert.deepEqual(names(), ['a1'])
  await end('a1')
  assert.deepEqual(names(), ['a2'])
})

test('of those that wait, the user that holds least is next, and no smaller body overtakes', async () => {
  const { ask, end, names } = track(new BodyMemory(MOST))
  for (const owner of [1, 2, 3, 4]) await ask(`first of ${owner}`, owner, 99)
  await ask('second of 1', 1, 1)
  await ask('third of 1', 1, 1)
  assert.deepEqual(names().length, 5)
  await ask('large', 5, 99)
  await ask('small', 6, 1)
  assert.deepEqual(names().length, 5)
  await end('first of 2')
  assert.deepEqual(names().slice(-2), ['large', 'small'])
})

test('a body that has waited too long is refused, and takes nothing', async () => {
  const { ask, end, names, refused } = track(new BodyMemory(MOST, { waitMs: 1 }))
  await ask('a', 1, 400)
  await ask('b', 2, 400)
  await until(() => refused.length > 0)
  assert.deepEqual(refused, ['b BodyMemoryFull {"retryAfterSeconds":2}'])
  await end('a')
  assert.deepEqual(names(), [])
})

test('few bodies wait: more of one user, or of all, are refused at once', async () => {
  const { ask, refused } = track(new BodyMemory(MOST))
  await ask('all', 0, 400)
  for (let count = 0; count < 65; count += 1) await ask(`${count}`, 1, 1)
  assert.deepEqual(refused, ['64 BodyMemoryFull {"retryAfterSeconds":2}'])
  for (let owner = 2; owner < 9; owner += 1)
    for (let count = 0; count < 64; count += 1) await ask(`${owner}`, owner, 1)
  assert.equal(refused.length, 1)
  await ask('newcomer', 9, 1)
  assert.equal(refused.length, 2)
})

const requestWith = (bodyLength: number | undefined, body: string): Request => ({
  ...{ method: 'POST', target: '/', headers: {}, rawHeaders: [], bodyLength, address: '' },
  drain: async () => true,
  readBody: async () => Buffer.from(body),
})

test('a body counts three times, without a length as long as it may be, from when it is read until its request is handled', async () => {
  const memory = new BodyMemory(MOST)
  const free = () => {
    let bytes = MOST
    for (; bytes > 0; bytes -= 1) {
      const held = memory.tryHold('anybody', bytes)
      held?.release()
      if (held !== undefined) break
    }
    return bytes
  }
  const CASES: readonly [length: number | undefined, expected: readonly number[]][] = [
    [20, [340, 340]],
    [undefined, [280, 340]],
  ]
  for (const [length, expected] of CASES) {
    const seen: number[] = []
    const request = requestWith(length, 'x'.repeat(20))
    const counting = {
      ...request,
      async readBody() {
        seen.push(free())
        return request.readBody()
      },
    }
    await memory.during(
      counting,
      () => 1,
      async (given) => {
        assert.equal(free(), 400)
        await given.readBody(40)
        seen.push(free())
      },
    )
    assert.deepEqual([seen, free()], [expected, 400], `${length}`)
  }
  // It is refused by its length, not for want of memory.
  const long = requestWith(1_000_000, '')
  assert.equal(
    await memory.during(
      long,
      () => 1,
      async (given) => (await given.readBody(40)).length,
    ),
    0,
  )
})

test('before admission no more is read than what has come with the head, and where memory is short not even that is kept', async (t) => {
  const POST = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(1_000_000)}`
  const early = new BodyMemory(200_000)
  const others = early.tryHold('others', 190_000)
  const admitted = Promise.withResolvers<void>()
  const answers: string[] = []
  const opened = await open(
    t,
    async (request) => {
      await admitted.promise
      const found = await request.readBody().then(String, (error: Problem) => error.code)
      answers.push(found)
      return { status: 200, shared: [], headers: [], body: '' }
    },
    undefined,
    early,
  )
  opened.client.write(POST)
  await until(() => opened.server.isPaused())
  assert.ok(opened.server.bytesRead <= 3 * 64 * 1024, `${opened.server.bytesRead} bytes`)
  admitted.resolve()
  await until(() => answers.length > 0)
  assert.deepEqual(answers, ['BodyMemoryFull'])
  opened.client.destroy()
  await until(() => opened.server.destroyed)
  others?.release()
  assert.notEqual(early.tryHold('anybody', 200_000), undefined)
})
