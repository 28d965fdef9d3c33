import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChangeEvent, createClient } from 'hydrant-client'
import { PARAPHRASE, USER } from '../support/client.ts'
import { newDatabase } from '../support/databases.ts'
import { serve } from '../support/service.ts'
import { recordClient } from './recording.ts'

const next = async (changes: AsyncGenerator<ChangeEvent, void>): Promise<ChangeEvent> => {
  const { value } = await changes.next()
  assert.ok(value !== undefined)
  return value
}

test('Changes are followed through a restart and the expiry of the token, each once', async (t) => {
  const service = await serve(t, { db: newDatabase(t) })
  const { client, exchanges, observed } = recordClient(service.base)
  const books = client.collection('books')
  const changes = client.changes({ collection: 'books' })
  const start = await next(changes)
  assert.deepEqual([start.type, start.resource, start.object], ['start', '', undefined])
  await client.collection('authors').create({ name: 'Ann' })
  const emma = await books.create({ title: 'Emma' })
  const created = await next(changes)
  assert.deepEqual([created.type, created.resource, created.etag], ['create', emma.iri, emma.etag])
  assert.ok(created.published instanceof Date)

  // Its stream ends while nobody reads it.
  await service.store.auth.revokeTokens({ userId: USER }, Date.now())
  const waiting = next(changes)
  const updated = await emma.update({ pages: 474 })
  assert.deepEqual([(await waiting).type, (await waiting).etag], ['update', updated.etag])
  assert.equal(exchanges().filter(({ status }) => status === 200).length, 2)

  await service.close()
  const again = await serve(t, { db: service.db, flags: { port: String(service.port) } })
  await updated.remove()
  const deleted = await next(changes)
  assert.deepEqual([deleted.type, deleted.resource], ['delete', emma.iri])
  await changes.return()

  const behind = client.changes({ after: created.id, include: 'object' })
  assert.equal((await next(behind)).type, 'start')
  assert.deepEqual([(await next(behind)).type, (await next(behind)).type], ['update', 'delete'])
  await behind.return()
  assert.ok(observed.every(({ responseBody }) => !responseBody.includes('event:')))
  await again.close()
})

test('A change is read whole, whatever characters its member has', { timeout: 60_000 }, async (t) => {
  const { base } = await serve(t, { flags: { auth: false } })
  const client = createClient({ base })
  const changes = client.changes({ include: 'object' })
  await next(changes)
  const title = 'ö\u2028event: x\u2029\n\ndata: y\r'
  await client.collection('books').create({ title })
  assert.equal((await next(changes)).object?.title, title)
  await changes.return()
})

test('The stream of changes ends on an abort, and is refused if its start is too old', async (t) => {
  const service = await serve(t)
  const { client } = recordClient(service.base)
  const stop = new AbortController()
  const changes = client.changes({ signal: stop.signal })
  await next(changes)
  const waiting = changes.next()
  stop.abort(new Error('enough'))
  await assert.rejects(waiting, /enough/)
  const old = client.changes({ after: 'AAAAAAAAAAAAAAAAAAAAAA' })
  await assert.rejects(old.next(), { status: 410 })
  await assert.rejects(client.changes({ collection: 'boks' }).next(), { status: 400, message: /books/ })
  const page = createClient({
    base: service.base,
    credentials: { id: USER, paraphrase: PARAPHRASE },
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...(init?.headers as object), accept: 'application/ld+json' } }),
  })
  await assert.rejects(page.changes().next(), { kind: 'malformed' })
})

test('A stream that is silent for too long counts as cut, and is resumed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const opened: (string | null)[] = []
  const client = createClient({
    base: 'http://localhost/api',
    async fetch(url, init) {
      if (!`${url}`.endsWith('/events')) return new Response('{"events": "http://localhost/api/events"}')
      opened.push(new Headers(init?.headers).get('last-event-id'))
      const text = `event: ${opened.length > 1 ? 'create' : 'start'}\nid: ${opened.length}\ndata: {}\n\n`
      const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(text)) })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const changes = client.changes()
  assert.equal((await next(changes)).id, '1')
  const waiting = next(changes)
  for (let seconds = 0; seconds < 60; seconds += 1) {
    if (seconds < 30) assert.equal(opened.length, 1)
    await new Promise((resolve) => setImmediate(resolve))
    t.mock.timers.tick(1_000)
  }
  assert.deepEqual(opened, [null, '1'])
  assert.deepEqual([(await waiting).type, (await waiting).id], ['create', '2'])
  await changes.return()
})
