import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { execute, newDatabase } from '../../support/databases.ts'
import { inSoak } from '../../support/soak.ts'
import { type OpenStream, openStream } from '../../support/streams.ts'
import { compareTimes } from '../../support/timing.ts'
import { type Json, type SignedIn, serveSignedIn } from '../signed-in.ts'

const CHANGES = inSoak(20_000, 4_000)
const STREAMS = 6

test('streams that catch up read no more than one page of the log in a turn, and a bystander waits for no more', async (t) => {
  const service = await serveSignedIn(t, { db: newDatabase(t) })
  const { base, get, client, store } = service
  const { view } = (await get('/events')).json() as unknown as { view: { next: string } }
  const start = view.next.split('after=')[1] ?? ''
  await execute(service.db, {
    sqlite: `WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${CHANGES})
      INSERT INTO changes (class, id, kind, version, at)
      SELECT iif(n % 100 = 0, 'Book', 'Author'), n, 1, n, ${Date.now()} FROM s`,
    postgres: `INSERT INTO new_changes (class, id, kind, version, at)
      SELECT CASE WHEN n % 100 = 0 THEN 'Book' ELSE 'Author' END, n, 1, n, ${Date.now()}
      FROM generate_series(1, ${CHANGES}) AS n`,
  })
  const token = await client.signIn()
  const head = `Host: test\r\nAccept: text/event-stream\r\nX-Authorization: ${token}\r\nLast-Event-ID: ${start}\r\n\r\n`
  const path = `${new URL(base).pathname.replace(/\/$/, '')}/events`

  /** Reads a stream up to a text, as cheaply as can be: the client runs in the same process. */
  const readUpTo = (query: string, last: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(service.port, '127.0.0.1')
      let tail = ''
      socket.on('error', reject)
      socket.on('data', (bytes: Buffer) => {
        tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 1_000))).slice(-1_000)
        if (tail.includes('HTTP/1.1 503')) socket.destroy(new Error(tail))
        else if (tail.includes(last)) socket.destroy()
      })
      socket.on('close', () => resolve())
      socket.write(`GET ${path}${query} HTTP/1.1\r\n${head}`)
    })

  let [inTurn, most, all] = [0, 0, 0]
  const { after } = store.changes
  const counted: typeof after = async (...args) => {
    const page = await after(...args)
    if (args[1] < 1_000) {
      inTurn += page.changes.length
      all += page.changes.length
    }
    most = Math.max(most, inTurn)
    return page
  }
  Object.assign(store.changes, { after: counted })

  /**
   * What catching up takes of the processor, and the most of a turn of the event loop, for which a bystander waits. Not the
   * time that passes: other programs add to that.
   */
  async function catchUp(query: string, last: string) {
    const usedMs = (since?: NodeJS.CpuUsage) => {
      const { user, system } = process.cpuUsage(since)
      return (user + system) / 1_000
    }
    const started = process.cpuUsage()
    let isOver = false
    const streams = Array.from({ length: STREAMS }, () => readUpTo(query, last))
    const caughtUp = Promise.all(streams).finally(() => {
      isOver = true
    })
    let worst = 0
    while (!isOver) {
      const before = process.cpuUsage()
      await nextTurn()
      inTurn = 0
      worst = Math.max(worst, usedMs(before))
    }
    await caughtUp
    return { worst, whole: usedMs(started) }
  }

  let least = 1
  await compareTimes(async () => {
    const { worst, whole } = await catchUp('', `/authors/${CHANGES - 1}"`)
    least = Math.min(least, worst / whole)
    // A stream that took no turns would make a bystander wait for a sixth of it at least.
    assert.ok(least < 1 / 10, `${worst} ms of ${whole} ms`)
  })
  assert.ok(most <= 250, `${most} changes in a turn`)
  all = 0
  const headers = { 'X-Authorization': token, 'Last-Event-ID': start }
  const filtered = Array.from({ length: STREAMS }, () => openStream(service, '?collection=books', headers))
  for (const stream of filtered) await stream.until(1 + CHANGES / 100)
  for (const stream of filtered) stream.cut()
  // What is filtered out is not read.
  assert.ok(all <= (4 * STREAMS * CHANGES) / 100, `${all} changes read`)
})

const NOTE = '  Note: { properties: { text: string } }\n'
const BOOK = '  Book: { properties: { title: string } }\n'
const REVIEW = '  Review: { properties: { text: string } }\n'
const VOLUME = '  Volume: { was: Book, collection: books, properties: { title: string } }\n'

const FORMER = `classes:\n${NOTE}${BOOK}`
const WITH_REVIEWS = `classes:\n${NOTE}${BOOK}${REVIEW}`

interface EventsPage extends Json {
  readonly member: readonly Json[]
  readonly view: { readonly next: string }
}

const pageAfter = async (service: SignedIn, id = '', filter = ''): Promise<EventsPage> => {
  const response = await service.get(`/events?${filter}${id && `after=${id}`}`)
  assert.equal(response.status, 200, response.body)
  return response.json() as EventsPage
}

const nextOf = ({ view }: EventsPage): string => view.next.split('after=')[1] ?? ''

const labelOf = ({ base }: SignedIn, event: Json): string =>
  `${event['@type']} ${(event.object as { '@id': string })['@id'].slice(base.length)}`

const eventsOf = (service: SignedIn, { events }: OpenStream): string[] =>
  events.map(({ type, data }) => ('object' in data ? labelOf(service, data) : type))

async function follow(t: TestContext, service: SignedIn, after?: string, filter = ''): Promise<OpenStream> {
  const headers = { 'X-Authorization': await service.client.signIn() }
  const stream = openStream(service, `?${filter}`, {
    ...headers,
    ...(after !== undefined && { 'Last-Event-ID': after }),
  })
  t.after(() => stream.cut())
  await stream.until(1)
  return stream
}

const put = async ({ send }: SignedIn, path: string) => {
  const headers = { 'Content-Type': 'application/ld+json', 'If-None-Match': '*' }
  const { status, body } = await send('PUT', path, headers, '{}')
  assert.equal(status, 201, body)
}

/** Walks from page to page, up to the first that is empty. */
async function walk(service: SignedIn, after: string): Promise<string[]> {
  const page = await pageAfter(service, after, 'itemsPerPage=2&')
  if (page.member.length === 0) return []
  return [...page.member.map((event) => labelOf(service, event)), ...(await walk(service, nextOf(page)))]
}

const NEWER: readonly [what: string, api: string, path: string][] = [
  ['added', WITH_REVIEWS, '/reviews/1'],
  ['renamed', `classes:\n${NOTE}${VOLUME}`, '/books/1'],
]

for (const [what, api, path] of NEWER) {
  // contract: A host whose API file does not know the class of a change
  test(`a host with the former API file passes over no change of a class that was ${what}`, async (t) => {
    const db = newDatabase(t)
    const former = await serveSignedIn(t, { db, api: FORMER })
    await put(former, '/notes/0')
    const streams = [
      await follow(t, former),
      await follow(t, former, undefined, 'collection=notes'),
      await follow(t, former, undefined, `resource=${former.base}/notes/2`),
    ]
    const polled = nextOf(await pageAfter(former))
    const newer = await serveSignedIn(t, { db, api })
    for (const one of ['/notes/1', path, '/notes/2']) await put(newer, one)

    const [all, notes, second] = streams as [OpenStream, OpenStream, OpenStream]
    for (const stream of streams) await stream.closed
    assert.deepEqual(eventsOf(former, all), ['start', 'Create /notes/1', 'end'])
    assert.deepEqual(eventsOf(former, notes), ['start', 'Create /notes/1', 'end'])
    assert.deepEqual(eventsOf(former, second), ['start', 'end'])
    assert.ok(streams.every(({ isWhole }) => isWhole))
    const rest = [`Create ${path}`, 'Create /notes/2']
    for (const [filter, stream, expected] of [
      ['', all, rest],
      ['collection=notes', notes, rest.slice(1)],
      [`resource=${newer.base}/notes/2`, second, rest.slice(1)],
    ] as const) {
      const resumed = await follow(t, newer, stream.lastId, filter)
      await resumed.until(1 + expected.length)
      assert.deepEqual(eventsOf(newer, resumed), ['start', ...expected])
    }

    for (const filter of ['', 'collection=notes&', `resource=${former.base}/notes/1&`]) {
      const page = await pageAfter(former, polled, filter)
      assert.deepEqual(
        page.member.map((event) => labelOf(former, event)),
        ['Create /notes/1'],
      )
      assert.deepEqual((await pageAfter(former, nextOf(page), filter)).member, [])
      assert.deepEqual(await walk(newer, nextOf(await pageAfter(former, nextOf(page)))), rest)
    }
    // A stream from now on begins after the change that this host does not know.
    const later = await follow(t, former)
    await put(newer, '/notes/3')
    await later.until(2)
    assert.deepEqual(eventsOf(former, later), ['start', 'Create /notes/3'])
  })
}

// contract: A host whose API file does not know the class of a change
test('changes of a class that has left the API file hold nothing up, until it is back', async (t) => {
  const db = newDatabase(t)
  const before = await serveSignedIn(t, { db, api: WITH_REVIEWS })
  const start = nextOf(await pageAfter(before))
  for (const path of ['/notes/1', '/reviews/1', '/reviews/2', '/notes/2']) await put(before, path)
  const after = await serveSignedIn(t, { db, api: FORMER })
  // A host that has not been restarted yet goes on writing to the class.
  for (const path of ['/reviews/3', '/notes/3', '/reviews/4']) await put(before, path)
  const NOTES = ['Create /notes/1', 'Create /notes/2', 'Create /notes/3']
  assert.deepEqual(await walk(after, start), NOTES)
  const stream = await follow(t, after, start)
  await stream.until(4)
  await put(before, '/reviews/5')
  await put(after, '/notes/4')
  await stream.until(5)
  assert.deepEqual(eventsOf(after, stream), ['start', ...NOTES, 'Create /notes/4'])
  const again = await serveSignedIn(t, { db, api: WITH_REVIEWS })
  await put(again, '/reviews/6')
  await stream.closed
  assert.deepEqual(eventsOf(after, stream).at(-1), 'end')
  const resumed = await follow(t, again, stream.lastId)
  await resumed.until(2)
  assert.deepEqual(eventsOf(again, resumed), ['start', 'Create /reviews/6'])
})
