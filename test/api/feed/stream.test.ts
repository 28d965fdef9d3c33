import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createFeed } from '../../../src/api/feed/feed.ts'
import { createEventIds } from '../../../src/api/feed/ids.ts'
import { writeStream } from '../../../src/api/feed/stream.ts'
import { createClock, type UserRoles } from '../../../src/auth/index.ts'
import type { StreamPart } from '../../../src/http/index.ts'
import { openStore } from '../../../src/store/open.ts'
import { stepB, USER } from '../../support/client.ts'
import { newDatabase } from '../../support/databases.ts'
import { type ServiceOptions, serve, type TestService } from '../../support/service.ts'
import { inSoak } from '../../support/soak.ts'
import { type OpenStream, openStream } from '../../support/streams.ts'
import { type SignedIn, serveSignedIn } from '../signed-in.ts'

const LD = { 'Content-Type': 'application/ld+json' }

/** A stream that is ended with the test, once it has begun. */
async function follow(
  t: TestContext,
  service: TestService,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const token = await service.client.signIn()
  const stream = openStream(service, query, { 'X-Authorization': token, ...headers })
  t.after(() => stream.cut())
  await stream.until(1)
  return stream
}

const addBook = ({ add }: SignedIn, title: string) => add('/books', { title })

const addressesIn = (stream: OpenStream) =>
  stream.events.flatMap(({ data }) => (data.object as { '@id'?: string } | undefined)?.['@id'] ?? [])

// contract: `GET` with `Accept: text/event-stream`: a stream of changes
// contract: It begins with an event `start`
// contract: **Deliberate departures from the seed, all of them:**
test('a stream begins with its starting point, and resumes behind the event that was last seen', async (t) => {
  const service = await serveSignedIn(t)
  await addBook(service, 'before')
  const stream = await follow(t, service)
  const books = [await addBook(service, 'one'), await addBook(service, 'two')]
  const [start, first, second] = await stream.until(3)
  assert.deepEqual([start?.type, start?.data], ['start', {}])
  assert.deepEqual(
    addressesIn(stream),
    books.map((book) => book['@id']),
  )
  stream.cut()
  const behind = (id: string | undefined) => [`?after=${id}`, { 'Last-Event-ID': id ?? '' }] as const
  const [query, header] = behind(first?.id)
  for (const [asked, headers] of [
    [query, {}],
    ['', header],
    // A browser repeats the query with which it began: the header is the newer one.
    [`?after=${start?.id}`, header],
  ] as const) {
    const resumed = await follow(t, service, asked, headers)
    const [begun, found] = await resumed.until(2)
    assert.equal(begun?.id, first?.id)
    assert.deepEqual(found, second)
    resumed.cut()
  }
  const fromStart = await follow(t, service, `?after=${start?.id}`)
  assert.deepEqual((await fromStart.until(3)).slice(1), [first, second])
  const token = await service.client.signIn()
  const raw = openStream(service, '', { 'X-Authorization': token })
  await raw.until(1)
  assert.match(raw.head, /\r\nContent-Type: text\/event-stream\r\n/)
  assert.match(raw.head, /\r\nCache-Control: private, no-cache\r\n/)
  assert.match(raw.head, /\r\nVary: X-Authorization, Authorization, Accept\r\n/)
  assert.doesNotMatch(raw.head, /Content-Length/)
  raw.cut()
})

// contract: Who has received an event and reads the member sees at least that state.
test('a change of another process is sent, and can be read then', async (t) => {
  const one = await serveSignedIn(t, { db: newDatabase(t) })
  const other = await serveSignedIn(t, { db: one.db })
  const stream = await follow(t, one)
  const book = await addBook(other, 'from elsewhere')
  const [, event] = await stream.until(2)
  const path = `/books/${book['@id'].split('/').pop()}`
  assert.deepEqual(addressesIn(stream), [one.base + path])
  const { status, headers } = await one.get(path)
  assert.deepEqual([status, headers.etag], [200, event?.data.etag])
})

// contract: A change reaches streams of the same process within 50 ms
test('a change of this process is sent at once, not at the next look for those of others', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const service = await serveSignedIn(t)
  const stream = await follow(t, service)
  for (const title of ['a', 'b', 'c']) await addBook(service, title)
  await stream.until(4)
})

const ENDS: readonly [
  what: string,
  options: ServiceOptions & { readonly time: { now: number } },
  end: (service: TestService, time: { now: number }) => unknown,
][] = [
  ['the time of its token', { time: { now: 1e12 } }, (_, time) => (time.now += 45 * 60_000)],
  // By a step of the clock: its token lies ahead.
  ['a clock that is put right', { time: { now: 1e12 } }, (_, time) => (time.now -= 60_000)],
  ['a revocation', { time: { now: 1e12 } }, ({ store }) => store.auth.revokeTokens({ userId: USER }, 1e12)],
  ['the removal of its user', { time: { now: 1e12 } }, ({ store }) => store.auth.removeUser(USER)],
  ['another role', { time: { now: 1e12 } }, ({ store }) => store.auth.setRoles(USER, ['editor'])],
]

// contract: The stream ends, after an event `end`, when its token does
test('a stream ends with an event when its token, its user or the roles of its user do', async (t) => {
  for (const [what, options, end] of ENDS) {
    const service = await serve(t, options)
    const stream = await follow(t, service)
    const stays = { ...(await service.client.send('GET', '/', {})) }.status
    assert.equal(stays, 401)
    await end(service, options.time)
    const events = await stream.until((found) => found.at(-1)?.type === 'end')
    await stream.closed
    assert.deepEqual([events.map(({ type }) => type), stream.isWhole], [['start', 'end'], true], what)
    await service.close()
  }
})

// contract: While tokens are off a stream ends after `--token-ttl`.
test('while tokens are off a stream ends after the time of a token, or with its user', async (t) => {
  for (const isRemoved of [false, true]) {
    const time = { now: 1e12 }
    const service = await serveSignedIn(t, { time, flags: { token: false, tokenTtl: '10m' } })
    const nonce = await service.client.nonce()
    const stream = openStream(service, '', stepB(nonce))
    await stream.until(1)
    assert.match(stream.head, /\r\nX-Authentication: /)
    time.now += 10 * 60_000 - 1
    const book = await service.client.send(
      'POST',
      '/books',
      { ...LD, ...stepB(await service.client.nonce()) },
      '{"title":"a"}',
    )
    assert.equal(book.status, 201)
    await stream.until(2)
    if (isRemoved) await service.store.auth.removeUser(USER)
    else time.now += 1
    const events = await stream.until((found) => found.at(-1)?.type === 'end')
    assert.equal(events.length, 3)
    await service.close()
  }
})

test('what a user may read is judged when it is sent', async (t) => {
  const api = `
roles: [editor]
classes: { Note: { access: { all: editor, create: everyone }, properties: { text: string } } }`
  const service = await serveSignedIn(t, { api })
  const { store, post } = service
  await store.auth.setRoles(USER, ['editor'])
  const stream = await follow(t, service)
  assert.equal((await post('/notes', { text: 'seen' })).status, 201)
  await stream.until(2)
  await store.auth.setRoles(USER, [])
  assert.equal((await post('/notes', { text: 'secret' })).status, 201)
  const events = await stream.until((found) => found.at(-1)?.type === 'end')
  assert.deepEqual(
    events.map(({ type }) => type),
    ['start', 'create', 'end'],
  )
  // Whoever resumes has the roles of now, and their end is behind what was hidden.
  const resumed = await follow(t, service, '', { 'Last-Event-ID': events[0]?.id ?? '' })
  await store.auth.setRoles(USER, ['editor'])
  await resumed.until((found) => found.at(-1)?.type === 'end')
  assert.deepEqual(
    resumed.events.map(({ type }) => type),
    ['start', 'end'],
  )
})

test('a stream that is woken before it is known who may still read is sent nothing new', async (t) => {
  const store = await openStore('sqlite::memory:')
  t.after(() => store.close())
  const [asked, judged] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<ReadonlyMap<number, UserRoles>>(),
  ]
  const listRoles = () => {
    asked.resolve()
    return judged.promise
  }
  const change = {
    ...{ position: 1, className: 'Note', id: '1', version: 1, at: 0, owner: undefined, actor: undefined },
    kind: 'create' as const,
  }
  const page = { changes: [change], end: change, stop: 'end of log' as const, isSwept: false }
  const changes = { ...store.changes, after: () => page }
  const parts = { store: { ...store, changes, auth: { ...store.auth, listRoles } }, clock: createClock() }
  const feed = createFeed({ ...parts, streams: { all: 1, perUser: 1 } })
  const principal = { userId: USER, number: 1, roles: [], token: undefined }
  const subscription = feed.subscribe({ principal, address: '', endsAt: Number.POSITIVE_INFINITY }, undefined)
  const text: string[] = []
  const over = new AbortController().signal
  const outlet = {
    signal: over,
    ready: () => undefined,
    write: ({ content }: StreamPart) => text.push(`${content}`),
  }
  const ids = createEventIds({ secret: Buffer.alloc(32), base: '', changes }, 'x')
  const view = { name: '', isPersonal: false, user: principal, ranges: undefined, textOf: () => 'secret' }
  const ended = writeStream(outlet, subscription, undefined, { feed, ids, view })
  await asked.promise
  subscription.wake()
  await new Promise(setImmediate)
  judged.resolve(new Map())
  await ended
  assert.match(text.join(''), /^event: start\n[^\n]*\n[^\n]*\n\nevent: end\n/)
})

// contract: Closing the server ends streams at once.
test('closing the server ends streams at once', async (t) => {
  const service = await serveSignedIn(t)
  const stream = await follow(t, service)
  await service.close()
  await stream.closed
  assert.equal(stream.isWhole, true)
})

// contract: Writing pauses while 256 KiB wait for a reader
test('a slow reader is waited for, a silent one is cut off, and both miss nothing', async (t) => {
  const limits = { stallMs: 500, slowestBytesPerMs: 1e6, headersMs: 400 }
  const service = await serveSignedIn(t, { limits, flags: { maxUserStreams: '1' } })
  const open = async (lastId = '') => {
    const token = await service.client.signIn()
    const stream = openStream(service, '?include=object', {
      'X-Authorization': token,
      'Last-Event-ID': lastId,
    })
    t.after(() => stream.cut())
    await stream.until(1).catch(() => {})
    return stream
  }
  const silent = await open()
  silent.pause()
  // More than the system keeps for a socket.
  const count = 30
  for (let index = 0; index < count; index += 1) await service.add('/authors', { name: 'x'.repeat(200_000) })
  // There is room for one stream: for another one when the silent one was cut off.
  for (let next = await open(); ; next = await open()) {
    next.cut()
    if (next.refused === undefined) break
  }
  silent.resume()
  await silent.closed
  const seen = silent.events.length - 1
  assert.ok(seen < count, `${seen}`)
  let slow = await open(silent.lastId)
  while (slow.refused !== undefined) slow = await open(silent.lastId)
  // It takes its time, but never stands still.
  for (let events = 2; events <= 1 + count - seen; events += 1) {
    await slow.until(events)
    slow.pause()
    await new Promise((resolve) => setTimeout(resolve, 5))
    slow.resume()
  }
  assert.equal(new Set([...addressesIn(silent), ...addressesIn(slow)]).size, count)
})

// contract: A comment line every 15 s.
test('a quiet stream has a comment line now and then, by itself every 15 s', async (t) => {
  const store = await openStore('sqlite::memory:')
  t.after(() => store.close())
  const parts = { store, clock: createClock(), streams: { all: 1, perUser: 1 } }
  const heartbeats = async (heartbeatMs: number | undefined, times: number) => {
    const feed = createFeed({ ...parts, ...(heartbeatMs === undefined ? {} : { heartbeatMs }) })
    const ids = createEventIds({ secret: Buffer.alloc(32), base: '', changes: store.changes }, 'x')
    const over = new AbortController()
    let lines = 0
    let text = ''
    const write = ({ content }: StreamPart) => {
      text += content
      lines += `${content}` === ':\n\n' ? 1 : 0
      if (lines === times) over.abort()
    }
    const subscriber = { principal: undefined, address: '', endsAt: Number.POSITIVE_INFINITY }
    const outlet = { write, ready: () => undefined, signal: over.signal }
    const view = { name: '', isPersonal: false, user: undefined, ranges: undefined, textOf: () => '' }
    const started = performance.now()
    await writeStream(outlet, feed.subscribe(subscriber, undefined), undefined, { feed, ids, view })
    assert.match(text, /^event: start\nid: [\w-]{22}\ndata: \{\}\n\n(?::\n\n)+$/)
    return (performance.now() - started) / times
  }
  const quick = await heartbeats(300, 3)
  if (inSoak(true, false)) assert.ok((await heartbeats(undefined, 1)) > 10 * quick)
})
