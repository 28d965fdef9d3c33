import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type App, encodePart } from '../../src/http/index.ts'
import { createUnsentLimit } from '../../src/http/limits.ts'
import { answer, echo, GET, LARGE, LAST, large, never, POST, statuses } from './answers.ts'
import { type Opened, open, until } from './opened.ts'
import { quiet } from './streams.ts'

interface Slow {
  readonly name: string
  readonly app?: App
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

/** Stops at once: on a busy machine, a client that stops later may have read everything. */
const readMore = ({ client }: Opened, bytes: number): Promise<void> =>
  new Promise((resolve) => {
    const wanted = client.bytesRead + bytes
    const stop = () => {
      if (client.bytesRead < wanted) return
      client.pause().off('data', stop)
      resolve()
    }
    client.on('data', stop).resume()
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
    await readMore(slow, 4 * 1024 * 1024)
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
  const app: App = async () => {
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

const LARGE_PART = encodePart(LARGE)

test('What clients leave unread of streams is limited in all: the one who has been reading longest is cut off', async (t) => {
  const unsent = createUnsentLimit(2.5 * LARGE_PART.chunk.length)
  const all = []
  for (const _ of [1, 2, 3]) {
    const { app, writer } = quiet()
    const opened = await open(t, app, unsent)
    await opened.send(GET)
    all.push(opened)
    ;(await writer).write(LARGE_PART)
  }
  const [first, second, third] = all
  assert.deepEqual([first?.server.destroyed, second?.server.destroyed], [true, false])
  // What has been read counts no more.
  second?.client.resume()
  await until(() => second?.server.writableLength === 0)
  const { app, writer } = quiet()
  const last = await open(t, app, unsent)
  await last.send(GET)
  ;(await writer).write(LARGE_PART)
  assert.deepEqual(
    [second, third, last].map((one) => one?.server.destroyed),
    [false, false, false],
  )
})
