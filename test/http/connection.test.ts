import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type App, DEFAULT_SERVER_LIMITS } from '../../src/http/index.ts'
import { answer, CHUNKED, echo, echoTo, GET, LARGE, LAST, large, POST, statuses } from './answers.ts'
import { open, until } from './opened.ts'

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
  const app: App = async () => {
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
  const app: App = async () => {
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
  const app: App = async (request) => {
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

/** RFC 9110 §9.3.2: a response to HEAD has no content, whatever is wrong with the request. */
const REFUSED_HEADS: readonly [why: string, request: string | readonly string[], status: number][] = [
  ['no Host', 'HEAD / HTTP/1.1\r\nX: y\r\n\r\n', 400],
  ['an empty line before it', '\r\nHEAD / HTTP/1.1\r\nX: y\r\n\r\n', 400],
  ['an expectation that cannot be met', 'HEAD / HTTP/1.1\r\nHost: x\r\nExpect: foo\r\n\r\n', 417],
  ['a Transfer-Encoding', 'HEAD / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n', 400],
  ['a Content-Length that is none', 'HEAD / HTTP/1.1\r\nHost: x\r\nContent-Length: +4\r\n\r\n', 400],
  ['too many bytes', `HEAD / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ['another version', 'HEAD / HTTP/1.2\r\nHost: x\r\n\r\n', 400],
  ['a path that is not ASCII', 'HEAD /\xf6 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['several packets', ['HE', 'AD / HTTP/1.1\r\n', 'X: y\r\n\r\n'], 400],
  ['a request before it', `${GET}HEAD / HTTP/1.1\r\nX: y\r\n\r\n`, 400],
]

for (const [why, request, status] of REFUSED_HEADS) {
  test(`A refused HEAD request gets no content: ${why}`, async (t) => {
    const { send, toEnd } = await open(t, async () => answer(''))
    for (const part of [request].flat()) await send(part)
    const text = await toEnd()
    assert.match(text, new RegExp(`HTTP/1.1 ${status} `))
    assert.match(text, /Content-Length: [1-9]/)
    assert.ok(text.endsWith('\r\n\r\n'), text)
  })
}

test('A HEAD request that stops in the middle of its head gets no content', async (t) => {
  const { send, pass, toEnd } = await open(t, echo)
  await send('HEAD / HTTP/1.1\r\nX')
  pass(DEFAULT_SERVER_LIMITS.headersMs)
  const text = await toEnd()
  assert.match(text, /^HTTP\/1.1 408 /)
  assert.ok(text.endsWith('\r\n\r\n'), text)
})
