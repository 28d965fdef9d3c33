import assert from 'node:assert/strict'
import { test } from 'node:test'
import { USER } from '../../support/client.ts'
import { openStream } from '../../support/streams.ts'
import { CREATE } from '../newsroom.ts'
import { quadsOf } from '../rdf.ts'
import {
  AS_PROBLEM,
  assertProblem,
  type Json,
  type Said,
  serveSignedIn,
  withoutContext,
} from '../signed-in.ts'
import { change, type EventsPage, idOf, LD, PATCH, pageAt, shown } from './changes.ts'

const AS = 'https://www.w3.org/ns/activitystreams#'

const ALL = ['Create /books/1', 'Create /authors/ann', 'Update /books/1', 'Delete /books/1']

// contract: `GET` otherwise: the same log as a Hydra collection
test('the log is a collection, oldest first, walked by next, which an empty page has too', async (t) => {
  const service = await serveSignedIn(t)
  const { base } = service
  const empty = await pageAt(service, '/events')
  assert.deepEqual(empty.member, [])
  await change(service)
  const first = await pageAt(service, '/events?itemsPerPage=3')
  assert.deepEqual(first['@type'], ['Collection', 'events'])
  assert.deepEqual(shown(service, first.member), ALL.slice(0, 3))
  const second = await pageAt(service, first.view.next.slice(base.length))
  assert.deepEqual(shown(service, second.member), ALL.slice(3))
  const end = await pageAt(service, second.view.next.slice(base.length))
  assert.deepEqual(end.member, [])
  await service.add('/authors', { name: 'Ben' })
  for (const { view } of [end, second]) {
    const { member } = await pageAt(service, view.next.slice(base.length))
    assert.equal(member.length, 1)
  }
  assert.deepEqual(
    shown(service, (await pageAt(service, empty.view.next.slice(base.length))).member).length,
    5,
  )
  // A full page stays as it is, and so does its ETag.
  const { headers } = await service.get('/events?itemsPerPage=3')
  const again = await service.get('/events?itemsPerPage=3', { 'If-None-Match': headers.etag ?? '' })
  assert.equal(again.status, 304)
})

// contract: Members of a batch appear in the feed like any others
test('what a batch changes is in the feed, in the order of its operations, and nothing of one that fails', async (t) => {
  const service = await serveSignedIn(t)
  const operation = [
    { method: 'PUT', target: 'authors/ann', ifNoneMatch: '*', body: { name: 'Ann' } },
    { method: 'PUT', target: 'books/1', ifNoneMatch: '*', body: { title: 'One' } },
    { method: 'PATCH', target: 'books/1', body: { title: 'Two' } },
    { method: 'PATCH', target: 'authors/ann', body: { name: 'Anne' } },
    { method: 'DELETE', target: 'books/1' },
  ]
  const batch = (all: readonly object[]) =>
    service.send('POST', '/batch', LD, JSON.stringify({ operation: all }))
  assert.equal((await batch([...operation, { method: 'DELETE', target: 'books/2' }])).status, 404)
  assert.deepEqual((await pageAt(service, '/events')).member, [])
  const { status, body } = await batch(operation)
  assert.equal(status, 200, body)
  const { member } = await pageAt(service, '/events')
  const changes = [
    'Create /authors/ann',
    'Create /books/1',
    'Update /books/1',
    'Update /authors/ann',
    'Delete /books/1',
  ]
  assert.deepEqual(shown(service, member), changes)
})

// contract: An event has an opaque `id`
test('an event is JSON-LD with the terms of ActivityStreams, and its id tells nothing', async (t) => {
  const service = await serveSignedIn(t)
  const { base, get, send } = service
  const put = await send('PUT', '/books/1', { ...LD, ...CREATE }, '{"title":"One"}')
  const { member } = await pageAt(service, '/events')
  const [created] = member
  const id = idOf(created)
  assert.match(id, /^[\w-]{22}$/)
  assert.deepEqual(created, {
    '@id': `${base}/events#${id}`,
    '@type': 'Create',
    object: { '@id': `${base}/books/1`, '@type': 'Book' },
    actor: `${base}/accounts/${USER}`,
    published: created?.published,
    etag: put.headers.etag,
  })
  assert.equal((await get('/books/1')).headers.etag, created?.etag)
  await send('DELETE', '/books/1')
  const page = (await get('/events')).json() as EventsPage
  assert.deepEqual(Object.keys(page.member[1] ?? {}), ['@id', '@type', 'object', 'actor', 'published'])
  const quads = (await quadsOf(page)).join('\n')
  for (const [at, type] of ['Create', 'Delete'].entries()) {
    const subject = `<${page.member[at]?.['@id']}>`
    assert.ok(quads.includes(`${subject} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${AS}${type}>`))
    assert.ok(quads.includes(`${subject} <${AS}object> <${base}/books/1>`))
    assert.ok(quads.includes(`${subject} <${AS}actor> <${base}/accounts/${USER}>`))
    assert.ok(quads.includes(`${subject} <${AS}published> "`))
  }
  // Two ends of one log are never the same text: that would tell that nothing happened in between.
  const next = async () => (await pageAt(service, '/events')).view.next
  assert.notEqual(await next(), await next())
})

const NARROWED: readonly [query: string, ...wanted: string[]][] = [
  ['', ...ALL],
  ['?collection=books', 'Create /books/1', 'Update /books/1', 'Delete /books/1'],
  ['?collection=books&collection=authors', ...ALL],
  ['?resource={base}/authors/ann', 'Create /authors/ann'],
  ['?resource={base}/authors/%61nn&resource={base}/books/1', ...ALL],
  ['?resource={base}/books/gone'],
  ['?resource={base}/nothing/there'],
  ['?collection=books&resource={base}/authors/ann'],
]

const REFUSED: readonly [query: string, status: number, ...said: Said][] = [
  ['?collection=boks', 400, 'collection: UnknownFeedCollection', '"books"'],
  ['?resource=books/1', 400, 'resource: InvalidResourceAddress'],
  ['?resource=http://elsewhere.example/books/1', 400, 'resource: InvalidResourceAddress'],
  ['?resource={base}/books/1/2', 400, 'resource: InvalidResourceAddress'],
  ['?resource={base}/books/%zz', 400, 'InvalidQueryEncoding'],
  ['?include=author', 400, 'include: UnknownFeedInclude', 'object'],
  ['?colection=books', 400, 'colection: UnknownParameter', '"collection"'],
  ['?after=a&after=b', 400, 'after: DuplicateParameter'],
  ['?after=short', 400, 'after: InvalidEventId'],
  ['?after=AAAAAAAAAAAAAAAAAAAAAB', 400, 'after: InvalidEventId'],
  ['?itemsPerPage=0', 400, 'itemsPerPage: InvalidCount', '100'],
  ['?after=AAAAAAAAAAAAAAAAAAAAAA', 410, 'after: EventIdGone'],
]

// contract: `collection=books` and `resource={address}`
// contract: A malformed one: 400.
test('collection and resource narrow the feed, and what is unknown or malformed is refused', async (t) => {
  const service = await serveSignedIn(t)
  const { base, get } = service
  const before = (await pageAt(service, '/events')).view.next
  await change(service)
  const token = await service.client.signIn()
  for (const [query, ...wanted] of NARROWED) {
    const asked = query.replaceAll('{base}', base)
    assert.deepEqual(shown(service, (await pageAt(service, `/events${asked}`)).member), wanted, query)
    const after = `${asked === '' ? '?' : `${asked}&`}${before.split('?')[1]}`
    const stream = openStream(service, after, { 'X-Authorization': token })
    const events = await stream.until(1 + wanted.length)
    assert.deepEqual(
      shown(
        service,
        events.slice(1).map(({ data }) => data),
      ),
      wanted,
      query,
    )
    stream.cut()
  }
  for (const [query, status, ...said] of REFUSED) {
    const refused = await get(`/events${query.replaceAll('{base}', base)}`, AS_PROBLEM)
    assert.equal(refused.status, status, `${query} ${refused.body}`)
    assertProblem(refused, said, query)
    const streamed = await get(`/events${query.replaceAll('{base}', base)}`, { Accept: 'text/event-stream' })
    assert.deepEqual([streamed.status, streamed.headers['content-type']], [status, 'application/ld+json'])
  }
})

// contract: `collection=books` and `resource={address}`
test('a resource is named by its address, however its letters are encoded', async (t) => {
  const api = `classes:
  Buch: { collection: bücher, properties: { title: string, after: Buch } }
  日本: { collection: 本, properties: { title: string } }`
  const service = await serveSignedIn(t, { api })
  const { base, send } = service
  for (const path of ['/b%C3%BCcher/1', '/b%C3%BCcher/2', '/%E6%9C%AC/1']) {
    const { status, body } = await send('PUT', path, { ...LD, ...CREATE }, '{}')
    assert.equal(status, 201, body)
  }
  const address = `${base}/b%C3%BCcher/1`
  for (const [resource, wanted] of [
    [address, ['Create /b%C3%BCcher/1']],
    [encodeURIComponent(address), ['Create /b%C3%BCcher/1']],
    [encodeURIComponent(`${base}/bücher/1`), ['Create /b%C3%BCcher/1']],
    [`${base}/%E6%9C%AC/1`, ['Create /%E6%9C%AC/1']],
    [encodeURIComponent(`${base}/%E6%9C%AC/1`), ['Create /%E6%9C%AC/1']],
  ] as const) {
    const page = await pageAt(service, `/events?resource=${resource}`)
    assert.deepEqual(shown(service, page.member), wanted, resource)
    // Links repeat the query: following them must ask for the same.
    const [self = ''] = page.view['@id'].slice(base.length).split('&after=')
    assert.deepEqual(shown(service, (await pageAt(service, self)).member), wanted, self)
  }
  // A filter by link takes addresses too.
  const linked = await send('PUT', '/b%C3%BCcher/3', { ...LD, ...CREATE }, JSON.stringify({ after: address }))
  assert.equal(linked.status, 201, linked.body)
  for (const value of [address, encodeURIComponent(address), encodeURIComponent(`${base}/bücher/1`)]) {
    const { status, body } = await service.get(`/b%C3%BCcher?after[eq]=${value}`)
    assert.equal(status, 200, body)
    assert.equal((JSON.parse(body) as { totalItems: number }).totalItems, 1, value)
  }
})

// contract: With `include=object` the object is the representation
test('with include=object an event has the member as it is now, or an address where it is gone', async (t) => {
  const service = await serveSignedIn(t)
  await change(service)
  const representation = (await service.get('/authors/ann')).json()
  const token = await service.client.signIn()
  const stream = openStream(service, '?include=object&collection=authors', { 'X-Authorization': token })
  await stream.until(1)
  await service.send('PATCH', '/authors/ann', PATCH, '{"name":"Anna"}')
  const [, updated] = await stream.until(2)
  stream.cut()
  const now = await service.get('/authors/ann')
  assert.deepEqual([updated?.data.object, updated?.data.etag], [now.json(), now.headers.etag])
  const { member } = await pageAt(service, '/events?include=object')
  assert.deepEqual(member[0]?.object, { '@id': `${service.base}/books/1`, '@type': 'Book' })
  assert.deepEqual(member[1]?.object, now.json())
  assert.notDeepEqual(withoutContext(representation), withoutContext(now.json()))
})

// contract: HEAD is answered as for a page.
// contract: Linked from the entry point, described in the documentation.
test('HEAD is answered as for a page, and the feed is found from the entry point', async (t) => {
  const { get, send, base } = await serveSignedIn(t, { time: { now: Date.now() } })
  assert.equal((await get('/')).json().events, `${base}/events`)
  const { supportedClass } = (await get('/vocab')).json() as { supportedClass: Json[] }
  assert.ok(supportedClass.some((cls) => cls['@id'] === `${base}/vocab#events`))
  for (const accept of ['*/*', 'text/event-stream']) {
    const { status, headers, body } = await send('HEAD', '/events', { Accept: accept })
    assert.deepEqual([status, headers['content-type'], body], [200, 'application/ld+json', ''])
    assert.ok(Number(headers['content-length']) > 0)
    assert.equal(headers.etag, (await get('/events')).headers.etag)
  }
  assert.equal(
    (await get('/events', { Accept: 'text/turtle' })).headers['content-type'],
    'text/turtle; charset=utf-8',
  )
  assert.equal((await get('/events', { Accept: 'image/png' })).status, 406)
  assert.equal((await send('POST', '/events')).headers.allow, 'GET, HEAD')
})

// contract: `If-None-Match` gives 304.
test('a page at the end of the log is 304 until there is a change that it shows, for a minute at most', async (t) => {
  const time = { now: 60_000 * 30_000_000 }
  const { get, add } = await serveSignedIn(t, { time })
  await add('/authors', { name: 'Ann' })
  for (const coding of ['identity', 'gzip']) {
    const read = (etag = '') =>
      get('/events?collection=authors', { 'Accept-Encoding': coding, 'If-None-Match': etag })
    const { etag } = (await read()).headers
    await add('/books', { title: 'not asked for' })
    assert.equal((await read(etag)).status, 304, coding)
    await add('/authors', { name: 'Ben' })
    const changed = await read(etag)
    assert.equal(changed.status, 200, coding)
    // A client gets a newer `next` before the one that it knows is too old.
    time.now += 60_000
    assert.equal((await read(changed.headers.etag)).status, 200, coding)
  }
})
