import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Batch, type Client, ConflictError, type Member } from 'hydrant-client'
import { readApiFile } from '../../src/vocabulary/api-file.ts'
import { ROOT } from '../support/markdown.ts'
import { type ServiceOptions, serve } from '../support/service.ts'
import { recordClient } from './recording.ts'

const API = `
title: People
classes:
  Person:
    collection: people
    properties:
      name: { type: string, required: true }
      nick: string
      home: Place
      since: { type: dateTime, writable: false, default: now }
  Place:
    collection: false
    properties: { town: string, street: string }
`

async function servePeople(t: TestContext, options: ServiceOptions = {}) {
  const { base } = await serve(t, { api: API, flags: { auth: false }, ...options })
  return { ...recordClient(base), base }
}

const add = (client: Client, body: object = {}): Promise<Member> =>
  client.collection('people').create({ name: 'Ann', home: { town: 'Bath', street: 'Gay Street' }, ...body })

/** The one that a page shows, which has no ETag. */
async function fromPage(client: Client): Promise<Member> {
  const [member] = (await client.collection('people').page()).members
  assert.ok(member)
  assert.equal(member.etag, undefined)
  return member
}

async function conflictOf(writing: Promise<unknown>): Promise<ConflictError<Member['data'], Member>> {
  const error = await writing.then(
    () => 'written',
    (reason) => reason,
  )
  assert.ok(error instanceof ConflictError, String(error))
  assert.equal(error.kind, 'conflict')
  assert.equal(error.status, 412)
  assert.equal(error.name, 'ConflictError')
  return error as ConflictError<Member['data'], Member>
}

test('A member is created, changed, replaced and removed, with the ETag of each version', async (t) => {
  const { client, sent } = await servePeople(t)
  const ann = await add(client)
  assert.equal(ann.data.name, 'Ann')
  const changed = await ann.update({ nick: 'A', home: { street: null } })
  assert.deepEqual(changed.data.home, { '@type': 'Place', town: 'Bath' })
  assert.equal(sent.at(-1)?.headers.get('if-match'), ann.etag)
  assert.equal(sent.at(-1)?.headers.get('content-type'), 'application/merge-patch+json')
  assert.notEqual(changed.etag, ann.etag)
  assert.equal(ann.data.nick, undefined, 'what was read stays as it was')

  const { since } = changed.data
  const replaced = await changed.replace({ name: 'Anna' })
  assert.deepEqual([replaced.data.name, replaced.data.nick, replaced.data.since], ['Anna', undefined, since])
  assert.equal(sent.at(-1)?.headers.get('if-match'), changed.etag)

  await replaced.remove()
  assert.equal(sent.at(-1)?.headers.get('if-match'), replaced.etag)
  await assert.rejects(replaced.reload(), { kind: 'not-found' })
})

test('A lost update is refused, with both versions at hand', async (t) => {
  const { client } = await servePeople(t)
  const ann = await add(client)
  await (await ann.reload()).update({ nick: 'theirs' })

  for (const write of [
    () => ann.update({ nick: 'mine' }),
    () => ann.replace({ name: 'Ann', nick: 'mine' }),
    () => ann.remove(),
  ]) {
    const { seen, current, message } = await conflictOf(write())
    assert.deepEqual(seen, ann.data)
    assert.equal(current?.data.nick, 'theirs')
    assert.match(message, /has changed since/)
  }
  const { attempted, current } = await conflictOf(ann.update({ nick: 'mine' }))
  assert.deepEqual(attempted, { nick: 'mine' })
  assert.equal((await current?.update({ nick: 'mine' }))?.data.nick, 'mine', 'ready to be changed')
  assert.equal((await conflictOf(ann.remove())).attempted, undefined)
})

test('A lost update is refused for a member that came with a page too', async (t) => {
  const { client } = await servePeople(t)
  const ann = await add(client)
  const seen = await fromPage(client)
  await ann.update({ nick: 'theirs' })
  for (const write of [() => seen.update({ nick: 'mine' }), () => seen.replace({ name: 'Mine' })]) {
    const error = await conflictOf(write())
    assert.equal(error.current?.data.nick, 'theirs')
    assert.deepEqual(error.seen, seen.data)
    assert.equal(error.message, `${ann.iri} has changed.`)
  }
  assert.equal((await ann.reload()).data.nick, 'theirs')
})

test('A member that came with a page is changed, and what others added beside stays', async (t) => {
  const { client, sent } = await servePeople(t)
  const ann = await add(client)
  const seen = await fromPage(client)
  const { etag } = await ann.update({ nick: 'theirs' })
  const changed = await seen.update({ name: 'Anna' })
  assert.deepEqual([changed.data.name, changed.data.nick], ['Anna', 'theirs'])
  assert.equal(sent.at(-1)?.headers.get('if-match'), etag, 'over the version that was compared')
})

test('A value that somebody else changed in a page is a conflict, whatever is to be written', async (t) => {
  const { client } = await servePeople(t)
  const ann = await add(client)
  const seen = await fromPage(client)
  await ann.update({ home: { street: 'Milsom Street' } })
  for (const write of [() => seen.update({ nick: 'mine' }), () => seen.remove()]) {
    const { current } = await conflictOf(write())
    assert.equal(current?.data.home.street, 'Milsom Street')
  }
})

test('A member that is gone is a conflict without a current version', async (t) => {
  const { client } = await servePeople(t)
  const ann = await add(client)
  const seen = await fromPage(client)
  await (await ann.reload()).remove()
  for (const write of [
    () => ann.update({ nick: 'mine' }),
    () => ann.replace({ name: 'Mine' }),
    () => ann.remove(),
    () => seen.update({ nick: 'mine' }),
    () => seen.remove(),
  ]) {
    const { current, seen } = await conflictOf(write())
    assert.equal(current, undefined)
    assert.equal(seen.name, 'Ann')
  }
})

test('What a proxy or a browser does to answers does not get in the way of a write', async (t) => {
  const { base } = await serve(t, { api: API, flags: { auth: false } })
  const { client, sent } = recordClient(base, {
    async fetch(input, init) {
      const response = await fetch(input, init)
      const headers = new Headers(response.headers)
      const etag = headers.get('etag')
      if (etag) headers.set('ETag', `W/${etag}`)
      return new Response(response.status === 204 ? null : await response.text(), {
        status: response.status,
        headers,
      })
    },
  })
  const ann = await add(client)
  assert.match(ann.etag ?? '', /^W\/"/)
  await ann.update({ nick: 'A' })
  assert.equal(sent.at(-1)?.headers.get('if-match'), ann.etag?.replace('W/', ''))
  assert.deepEqual(
    new Set(sent.map(({ cache }) => cache)),
    new Set(['no-cache']),
    'nothing comes out of a cache',
  )
})

test('Of many writers of the same version one wins, and every other is told', async (t) => {
  const { client } = await servePeople(t)
  const ann = await add(client)
  const settled = await Promise.allSettled(['a', 'b', 'c', 'd'].map((nick) => ann.update({ nick })))
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const one of settled) if (one.status === 'rejected') assert.equal(one.reason.kind, 'conflict')
})

test('A server that demands If-Match gets it; a bare request is refused', async (t) => {
  const { client } = await servePeople(t, { flags: { auth: false, requireIfMatch: true } })
  await add(client)
  const changed = await (await fromPage(client)).update({ nick: 'A' })
  await assert.rejects(client.request('DELETE', changed.iri), { kind: 'refused', status: 428 })
  await (await fromPage(client)).remove()
  assert.equal((await client.collection('people').page()).totalItems, 0)
})

test('Names that every object has are data like any other', async (t) => {
  const { client, sent } = await servePeople(t)
  const input = JSON.parse('{"name": "Ann", "__proto__": {"polluted": true}, "constructor": 1}')
  const error = await client
    .collection('people')
    .create(input)
    .catch((reason) => reason)
  assert.equal(error.kind, 'invalid')
  assert.equal(sent.at(-1)?.body, JSON.stringify(input))
  assert.ok(!('polluted' in {}))
})

test('An operation of the documentation is carried out as it is declared', async (t) => {
  const { client } = await servePeople(t)
  const ann = await add(client)
  const operations = await ann.operations()
  assert.deepEqual(
    operations.map(({ method }) => method),
    ['GET', 'PATCH', 'PUT', 'DELETE'],
  )
  const patch = operations.find(({ method }) => method === 'PATCH')
  assert.ok(patch)
  assert.equal(patch.contentType, 'application/merge-patch+json')
  const { status, body } = await client.perform(patch, ann.iri, { body: { nick: 'A' } })
  assert.equal(status, 200)
  assert.equal((body as { nick: string }).nick, 'A')
})

/** A document of an older server: PUT adds a member, POST replaces it, and nothing is patched. */
async function serveDrones(t: TestContext) {
  const { model } = await readApiFile(join(ROOT, 'test/documents/hydrus.jsonld'))
  const { base } = await serve(t, { model })
  return recordClient(base)
}

test('Where the documentation says so, PUT creates and POST replaces', async (t) => {
  const { client, lines } = await serveDrones(t)
  const drones = client.collection('drones')
  const input = { name: 'D1', DroneState: { battery: 90 } }
  const made = await drones.create(input)
  assert.equal(lines().at(-1), 'PUT /drones 201')
  assert.equal(made.data.name, 'D1')

  const replaced = await made.replace({ ...input, name: 'D2' })
  assert.match(lines().at(-1) ?? '', /^POST \/drones\/.* 200$/)
  assert.equal(replaced.data.name, 'D2')

  const updated = await replaced.update({ maxSpeed: 12, DroneState: { Position: 'here' } })
  assert.match(lines().at(-1) ?? '', /^POST \/drones\/.* 200$/)
  assert.deepEqual(updated.data.DroneState.battery, 90, 'merged as a patch would be')
  assert.equal(updated.data.maxSpeed, '12')
  assert.equal(updated.data.name, 'D2')
  const { current } = await conflictOf(made.update({ name: 'D3' }))
  assert.equal(current?.data.name, 'D2')
  await updated.remove()
})

test('A batch creates, replaces and updates by the methods that single writes use', async (t) => {
  const { client } = await serveDrones(t)
  const input = { name: 'D1', DroneState: { battery: 90 } }
  const made = await client.collection('drones').create(input)
  const results = await client.batch((batch) => {
    batch.create('drones', { ...input, name: 'D2' })
    batch.update(made, { maxSpeed: 12 })
  })
  assert.deepEqual(
    results.map(({ status }) => status),
    [201, 200],
  )
  const updated = await made.reload()
  assert.deepEqual([updated.data.name, updated.data.maxSpeed], ['D1', '12'])
  await client.batch((batch) => batch.replace(updated, { ...input, name: 'D3' }))
  assert.equal((await made.reload()).data.name, 'D3')
  // As pages keep it: in the state of a framework, which copies it or watches it through a proxy.
  const kept = await made.reload()
  await client.batch((batch) => batch.update({ ...kept }, { maxSpeed: 13 }))
  // As tests and tools have it, which put a function of their own in the place of one.
  const spied = await made.reload()
  t.mock.method(spied, 'update')
  const seen = await spied.update({ maxSpeed: 14 })
  t.mock.method(seen, 'update')
  await client.batch((batch) => batch.update(seen, { maxSpeed: 15 }))
  const watched = new Proxy(await made.reload(), {})
  await client.batch((batch) => batch.remove(watched))
})

test('A single resource is read and replaced by the name in the entry point', async (t) => {
  const { client, lines } = await serveDrones(t)
  const operations = (await client.documentation()).links.find(({ name }) => name === 'Station')?.operations
  const create = operations?.find(({ types }) => types.some((type) => type.endsWith('CreateAction')))
  assert.equal(create?.method, 'PUT')
  const { links } = await client.entryPoint()
  await client.perform(create, links.Station ?? '', { body: { name: 'Ground' } })
  const station = await client.single('Station')
  assert.equal(station.data.name, 'Ground')
  assert.equal((await station.replace({ name: 'Ground control' })).data.name, 'Ground control')
  assert.equal(lines().at(-1), 'POST /Station 200')
})

test('A batch is carried out as a whole, typed and guarded as single writes are', async (t) => {
  const { client, sent } = await servePeople(t)
  const [ann, bob] = [await add(client), await add(client, { name: 'Bob' })]
  const results = await client.batch((batch) => {
    assert.match(batch.create('people', { name: 'Cy' }), /^_:/)
    batch.update(ann, { nick: 'A' })
    batch.remove(bob)
  })
  assert.deepEqual(
    results.map(({ status }) => status),
    [201, 200, 204],
  )
  assert.equal((await client.get(results[0]?.location ?? '')).data.name, 'Cy')
  const again = client.batch((batch) => {
    batch.create('people', { name: 'Di' })
    batch.replace(ann, { name: 'Ann' })
  })
  const { operation, current } = await conflictOf(again)
  assert.equal(operation, 1)
  assert.equal(current?.data.nick, 'A')
  const gone = await conflictOf(client.batch((batch) => batch.remove(bob)))
  assert.equal(gone.current, undefined)

  const paged = await fromPage(client)
  const lenient = await client.batch(
    (batch) => {
      batch.create('people', {})
      batch.update(paged, { nick: 'B' })
    },
    { lenient: true },
  )
  assert.deepEqual(
    lenient.map(({ status }) => status),
    [422, 200],
  )
  assert.match(lenient[0]?.detail ?? '', /name: is required/)
  const before = sent.length
  const early = await conflictOf(client.batch((batch) => batch.update(paged, { nick: 'C' })))
  assert.deepEqual([early.code, early.operation], ['changed', 0])
  assert.match(early.message, /^operation\[0\]: /)
  assert.deepEqual(
    sent.slice(before).map(({ method }) => method),
    ['GET'],
  )
})

test('Of a lenient batch each operation stands alone, also one whose member is not what was seen', async (t) => {
  const { client } = await servePeople(t)
  const ann = await add(client)
  const paged = await fromPage(client)
  const collect = (batch: Batch) => {
    batch.update(paged, { nick: 'A' })
    batch.create('people', { name: 'Bob' })
    batch.replace(paged, { name: 'Anna' })
    batch.remove(paged)
    batch.create('people', {})
  }
  const changed = await ann.update({ name: 'Annie' })
  for (const expected of [412, 404]) {
    const results = await client.batch(collect, { lenient: true })
    assert.deepEqual(
      results.map(({ status }) => status),
      [expected, 201, expected, expected, 422],
    )
    assert.match(results[4]?.detail ?? '', /^operation\[4\]: /)
    assert.equal((await client.get(results[1]?.location ?? '')).data.name, 'Bob')
    if (expected === 412) await (await changed.reload()).remove()
  }
})

test('Of a lenient batch, an update of what has changed is a conflict also where there is no PATCH', async (t) => {
  const { client } = await servePeople(t, {
    api: API.replace('people', 'people\n    operations: [list, create, read, replace]'),
  })
  const ann = await add(client)
  const paged = await fromPage(client)
  await ann.update({ name: 'Annie' })
  const [result] = await client.batch((batch) => batch.update(paged, { nick: 'A' }), { lenient: true })
  assert.equal(result?.status, 412, result?.detail)
})

test('A batch waits for a function that collects its operations bit by bit, and fails with it', async (t) => {
  const { client, sent } = await servePeople(t)
  const ann = await add(client)
  const paged = await fromPage(client)
  const results = await client.batch(async (batch) => {
    batch.create('people', { name: 'Bob' })
    await client.get(ann.iri)
    batch.remove(ann)
  })
  assert.deepEqual(
    results.map(({ status }) => status),
    [201, 204],
  )
  const before = sent.length
  const failing = client.batch((batch) => {
    // Neither would have a place to report to: that Ann is gone, or that there is no such collection.
    batch.update(paged, { nick: 'A' })
    batch.create('poeple', { name: 'Cy' })
    throw new Error('not like this')
  })
  await assert.rejects(failing, /not like this/)
  assert.equal(sent.length, before)
})

test('What was included is written as an address, and its change is no conflict', async (t) => {
  const { base } = await serve(t, { flags: { auth: false }, api: SHELF })
  const { client } = recordClient(base)
  const [authors, books] = [client.collection('authors'), client.collection('books')]
  const ann = await authors.create({ name: 'Ann' })
  const made = await books.create({ title: 'x', author: ann.iri, shelf: { keeper: ann.iri, row: 1 } })
  const include = ['author', 'shelf.keeper']
  const id = made.iri.split('/').at(-1) as string

  const page = await books.page({ include })
  const first = await books.members({ include, itemsPerPage: 1 }).next()
  const found = [
    await books.get(id, { include }),
    await client.get(made.iri, { include }),
    page.members[0],
    first.value || undefined,
  ]
  for (const one of found) {
    assert.ok(one !== undefined)
    assert.equal(one.data.author.name, 'Ann')
    assert.equal(one.data.shelf.keeper['@id'], ann.iri)
    assert.equal((await one.reload()).data.author.name, 'Ann')
  }

  // One with an ETag, and one of a page that is read again: the author has changed meanwhile.
  for (const read of [
    () => books.get(id, { include }),
    async () => (await books.page({ include })).members[0],
  ]) {
    const one = await read()
    assert.ok(one !== undefined)
    await ann.reload().then((author) => author.update({ name: `${author.data.name}!` }))
    const updated = await one.update({ title: 'y', author: one.data.author })
    assert.equal(updated.data.author, ann.iri)
    assert.match((await updated.reload()).data.author.name, /^Ann!/)
    const again = await read()
    assert.ok(again !== undefined)
    const replaced = await again.replace({ ...again.data, title: 'z' })
    assert.deepEqual(
      [replaced.data.title, replaced.data.author, replaced.data.shelf.keeper],
      ['z', ann.iri, ann.iri],
    )
  }
})

const SHELF = `
classes:
  Author: { properties: { name: string } }
  Shelf: { collection: false, properties: { keeper: Author, row: integer } }
  Book: { properties: { title: string, author: Author, shelf: Shelf } }
`
