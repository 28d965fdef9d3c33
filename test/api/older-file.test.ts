import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newDatabase } from '../support/databases.ts'
import { type OpenStream, openStream } from '../support/streams.ts'
import { type Json, type SignedIn, serveSignedIn } from './signed-in.ts'

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
