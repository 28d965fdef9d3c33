import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { AppBinding } from '../../src/http/connection.ts'
import { createUnsentLimit } from '../../src/http/limits.ts'
import { parseResponses } from '../support/raw.ts'
import { type Opened, open, until } from './opened.ts'

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const LAST = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n'
const CHUNKED = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n'
/** More than the buffers between two sockets hold. */
const LARGE = 'x'.repeat(32 * 1024 * 1024)

const answer = (body: string) => ({ status: 200, shared: [], headers: [], body })
/** Says what was sent, to `take` as well. Like the real one, it answers where no body comes. */
const echoTo =
  (take: (body: string) => void): AppBinding['app'] =>
  async (request) => {
    try {
      const body = (await request.readBody()).toString()
      take(body)
      return answer(body)
    } catch {
      return answer('nobody reads this')
    }
  }
const echo = echoTo(() => {})
const large: AppBinding['app'] = async () => answer(LARGE)
const never: AppBinding['app'] = () => new Promise(() => {})

const statuses = (text: string): number[] => parseResponses(text).map(({ status }) => status)

interface Slow {
  readonly name: string
  readonly app?: AppBinding['app']
  /** What comes before the time of which the deadline is measured. */
  readonly begin: (opened: Opened) => unknown
  readonly deadlineMs: number
  /** Of the responses that come in all; the connection ends with the deadline. */
  readonly expected: readonly number[]
}

const SLOW: readonly Slow[] = [
  { name: 'A connection on which nothing comes', begin: () => {}, deadlineMs: 10_000, expected: [] },
  {
    name: 'A head that does not end, from its first byte',
    begin: async ({ pass, send }) => {
      pass(9_999)
      await send('GET / HT')
    },
    deadlineMs: 10_000,
    expected: [408],
  },
  {
    name: 'A head of which a byte comes now and then',
    begin: async ({ pass, send }) => {
      for (const byte of GET.slice(0, 9)) {
        await send(byte)
        pass(1_000)
      }
    },
    deadlineMs: 1_000,
    expected: [408],
  },
  {
    name: 'An empty line and no request',
    begin: ({ send }) => send('\r\n'),
    deadlineMs: 10_000,
    expected: [408],
  },
  {
    name: 'A connection that is idle after a response',
    begin: async ({ send, received }) => {
      await send(GET)
      await received('\r\n\r\n')
    },
    deadlineMs: 75_000,
    expected: [200],
  },
  {
    name: 'The head of a second request',
    begin: async ({ send, received, pass }) => {
      await send(GET)
      await received('\r\n\r\n')
      pass(74_999)
      await send('G')
    },
    deadlineMs: 10_000,
    expected: [200, 408],
  },
  {
    name: 'A body that does not end, from the first byte of the request',
    begin: async ({ send, pass }) => {
      await send('POST')
      pass(9_999)
      await send(`${POST.slice(4)}ab`)
      pass(20_000)
      await send('c')
    },
    deadlineMs: 1,
    expected: [408],
  },
  {
    name: 'A body that does not end, of a request that is carried out without it',
    app: never,
    begin: ({ send }) => send(`${POST}ab`),
    deadlineMs: 30_000,
    expected: [408],
  },
  {
    name: 'A client that waits for 100 Continue and then sends nothing',
    begin: async ({ send, received }) => {
      await send(POST.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'))
      await received('100 Continue')
    },
    deadlineMs: 30_000,
    expected: [100, 408],
  },
  {
    name: 'A client that keeps the connection open behind the last response',
    begin: async ({ send, received, server }) => {
      await send(LAST)
      await received('\r\n\r\n')
      await until(() => server.writableFinished)
    },
    deadlineMs: 2_000,
    expected: [200],
  },
]

for (const { name, app = echo, begin, deadlineMs, expected } of SLOW) {
  test(`${name} is ended by its deadline, and not before`, async (t) => {
    const opened = await open(t, app)
    await begin(opened)
    const { server, pass, toEnd } = opened
    const hasAnswered = server.writableEnded
    pass(deadlineMs - 1)
    assert.deepEqual([server.destroyed, server.writableEnded], [false, hasAnswered])
    pass(1)
    assert.equal(server.destroyed || server.writableEnded, true)
    assert.deepEqual(statuses(await toEnd()), expected)
    // A refusal waits for its reader, and no longer.
    if (!server.destroyed) {
      await until(() => server.writableFinished)
      pass(2_000)
    }
    assert.equal(server.destroyed, true)
    await until(() => opened.running() === 0 || app === never)
    assert.deepEqual(opened.faults, [])
  })
}

for (const request of [GET, LAST]) {
  test(`A client that does not read is cut off, the later the more there is to read: ${JSON.stringify(request)}`, async (t) => {
    const { send, pass, server, running } = await open(t, large)
    await send(request)
    await until(() => server.writableLength > 0 && running() === 0)
    pass(30_000 + LARGE.length / 16)
    assert.equal(server.destroyed, false)
    // For the head of the response.
    pass(1_000)
    assert.equal(server.destroyed, true)
  })
}

test('Responses that nobody reads take no more memory than their limit: the oldest are cut off', async (t) => {
  const unsent = createUnsentLimit(2.5 * LARGE.length)
  const all: Opened[] = []
  for (const request of [GET, LAST, GET, LAST, GET]) {
    const opened = await open(t, large, unsent)
    all.push(opened)
    await opened.send(request)
    await until(() => opened.server.writableLength > 0)
  }
  const isCut = () => all.map(({ server }) => server.destroyed)
  assert.deepEqual(isCut(), [true, true, true, false, false])
  // What has been read, or whose client has gone, counts no more.
  const [, , , fourth, fifth] = all as [Opened, Opened, Opened, Opened, Opened]
  fourth.client.destroy()
  await fifth.received(LARGE)
  const late = await Promise.all([open(t, large, unsent), open(t, large, unsent)])
  for (const { send, server } of late) {
    await send(GET)
    await until(() => server.writableLength > 0)
  }
  assert.deepEqual(
    late.map(({ server }) => server.destroyed),
    [false, false],
  )
  assert.equal(fifth.server.destroyed, false)
})

test('A client that reads slowly is not cut off where others do not read at all', async (t) => {
  let time = 0
  const unsent = createUnsentLimit(2.5 * LARGE.length, () => time)
  const slow = await open(t, large, unsent)
  await slow.send(GET)
  await until(() => slow.server.writableLength > 0)
  const all: Opened[] = []
  for (let count = 0; count < 6; count += 1) {
    time += 1_000
    // More than the buffers of the system hold, so that the server sends more.
    const wanted = slow.client.bytesRead + 4 * 1024 * 1024
    slow.client.resume()
    await until(() => slow.client.bytesRead >= wanted)
    slow.client.pause()
    const opened = await open(t, large, unsent)
    all.push(opened)
    await opened.send(count % 2 === 0 ? GET : LAST)
    await until(() => opened.server.writableLength > 0)
  }
  assert.equal(slow.server.destroyed, false)
  assert.deepEqual(
    all.map(({ server }) => server.destroyed),
    [true, true, true, true, false, false],
  )
  await slow.received(LARGE)
})

test('A request that is carried out has no deadline, and is answered', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const app: AppBinding['app'] = async () => {
    await promise
    return answer('late')
  }
  const { send, pass, server, received } = await open(t, app)
  await send(`${POST}abcd`)
  pass(1_000_000_000)
  assert.equal(server.destroyed || server.writableEnded, false)
  resolve()
  await received('late')
})

test('Behind the last response 64 KiB are thrown away, and then the connection is gone', async (t) => {
  const { send, received, client, server } = await open(t, echo)
  await send(LAST)
  await received('\r\n\r\n')
  await send('x'.repeat(64 * 1024))
  assert.equal(server.destroyed, false)
  client.write('x')
  await until(() => server.destroyed)
})

test('Reading pauses while a request is carried out: no more than three reads are kept', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let count = 0
  const app: AppBinding['app'] = async () => {
    await promise
    count += 1
    return answer('')
  }
  const { client, server } = await open(t, app)
  client.resume()
  const many = 12_000
  client.write(GET.repeat(many))
  await until(() => server.isPaused())
  await wait(50)
  // Node.js reads 64 KiB at a time, and stops when it has as much as it wants to keep.
  assert.ok(server.bytesRead <= 3 * 64 * 1024, `${server.bytesRead} bytes`)
  resolve()
  await until(() => count === many)
})

test('No next request is begun before the last response has been read', async (t) => {
  let count = 0
  const app: AppBinding['app'] = async () => {
    count += 1
    return answer(LARGE)
  }
  const { send, client, server } = await open(t, app)
  await send(GET + LAST)
  await until(() => server.writableLength > 0)
  await wait(50)
  assert.equal(count, 1)
  client.resume()
  await until(() => client.readableEnded)
  assert.equal(count, 2)
})

test('A body in chunks of one byte takes hardly more memory than one in one piece', async (t) => {
  let body = ''
  const opened = await open(
    t,
    echoTo((given) => {
      body = given
    }),
  )
  const { send, received } = opened
  const count = 256 * 1024
  await send(CHUNKED.replace(/4.*/s, ''))
  const before = heldBytes()
  for (let sent = 0; sent < count; sent += 1024) await send('1\r\nx\r\n'.repeat(1024))
  const held = heldBytes() - before
  await send('0\r\n\r\n')
  await received('xxx')
  assert.equal(body, 'x'.repeat(count))
  assert.ok(held < 20 * count, `${held} bytes`)
})

/** What is in use, without what waits to be collected. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('The address of a client is known after it has gone', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let address: string | undefined
  const app: AppBinding['app'] = async (request) => {
    await promise
    address = request.address
    return answer('')
  }
  const { send, client, server, running } = await open(t, app)
  await send(GET)
  client.resetAndDestroy()
  await until(() => server.destroyed)
  resolve()
  await until(() => running() === 0)
  assert.equal(address, '127.0.0.1')
})

// At every byte of these: how many requests are whole by then.
const SENT = `${GET}${POST}abcd${CHUNKED}`
const ENDS = [GET.length, GET.length + POST.length + 4, SENT.length]
const wholeAt = (end: number): number => ENDS.filter((one) => one <= end).length

test('A reset at any byte has the effect of the requests before it at most, and ends all that waits', async (t) => {
  for (let end = 0; end <= SENT.length; end += 1) {
    const bodies: string[] = []
    const { send, client, server, running, faults } = await open(
      t,
      echoTo((body) => bodies.push(body)),
    )
    await send(SENT.slice(0, end))
    client.resetAndDestroy()
    await until(() => server.destroyed && running() === 0)
    assert.deepEqual(faults, [])
    assert.ok(bodies.length <= wholeAt(end), `${bodies.length} at ${end}`)
    assert.deepEqual(bodies, ['', 'abcd', 'abcd'].slice(0, bodies.length))
  }
})

test('FIN at any byte: what was whole is answered, what was not is 400', async (t) => {
  for (let end = 0; end <= SENT.length; end += 1) {
    const { client, server, toEnd, pass, faults } = await open(t, echo)
    client.end(SENT.slice(0, end))
    const text = await toEnd()
    const whole = wholeAt(end)
    const isPart = end > (ENDS[whole - 1] ?? 0)
    assert.deepEqual(statuses(text), [...Array(whole).fill(200), ...(isPart ? [400] : [])], `at ${end}`)
    await until(() => server.writableFinished)
    pass(2_000)
    assert.equal(server.destroyed, true)
    assert.deepEqual(faults, [])
  }
})

test('A reset while a response is being read leaves nothing behind', async (t) => {
  for (const bytes of [0, 1, 20, 100_000]) {
    const { send, client, server, running, faults } = await open(t, large)
    await send(GET + GET)
    client.resume()
    await until(() => client.bytesRead >= bytes)
    client.resetAndDestroy()
    await until(() => server.destroyed)
    assert.deepEqual([running(), faults], [0, []])
  }
})

test('A server that closes ends idle connections, also those with a part of a head, and answers what it has', async (t) => {
  const WHAT: readonly [sent: string, expected: readonly number[]][] = [
    ['', []],
    ['GET / HT', []],
    [GET, [200]],
    [`${GET}GET /`, [200]],
    [GET + GET, [200, 200]],
  ]
  for (const [sent, expected] of WHAT) {
    const { send, shutDown, toEnd } = await open(t, echo)
    await send(sent)
    shutDown()
    assert.deepEqual(statuses(await toEnd()), expected, JSON.stringify(sent))
  }
})
