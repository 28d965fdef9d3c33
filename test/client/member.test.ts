import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/service.ts'
import { addPerson, conflictOf, fromPage, PEOPLE, serveDrones, servePeople } from './fixtures.ts'
import { recordClient } from './recording.ts'

test('A member is created, changed, replaced and removed, with the ETag of each version', async (t) => {
  const { client, sent } = await servePeople(t)
  const ann = await addPerson(client)
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

test('A lost update is refused, with both versions in the error', async (t) => {
  const { client } = await servePeople(t)
  const ann = await addPerson(client)
  await (await ann.reload()).update({ nick: 'theirs' })

  for (const write of [
    () => ann.update({ nick: 'mine' }),
    () => ann.replace({ name: 'Ann', nick: 'mine' }),
    () => ann.remove(),
  ]) {
    const { seen, current, code } = await conflictOf(write())
    assert.deepEqual(seen, ann.data)
    assert.equal(current?.data.nick, 'theirs')
    assert.equal(code, 'PreconditionFailed')
  }
  const { attempted, current } = await conflictOf(ann.update({ nick: 'mine' }))
  assert.deepEqual(attempted, { nick: 'mine' })
  assert.equal((await current?.update({ nick: 'mine' }))?.data.nick, 'mine', 'ready to be changed')
  assert.equal((await conflictOf(ann.remove())).attempted, undefined)
})

test('A lost update is also refused for a member of a page', async (t) => {
  const { client } = await servePeople(t)
  const ann = await addPerson(client)
  const seen = await fromPage(client)
  await ann.update({ nick: 'theirs' })
  for (const write of [() => seen.update({ nick: 'mine' }), () => seen.replace({ name: 'Mine' })]) {
    const error = await conflictOf(write())
    assert.equal(error.current?.data.nick, 'theirs')
    assert.deepEqual(error.seen, seen.data)
    assert.equal(error.code, 'changed')
    assert.ok(error.message.includes(ann.iri))
  }
  assert.equal((await ann.reload()).data.nick, 'theirs')
})

test('A member of a page can be changed, and properties that others have added stay', async (t) => {
  const { client, sent } = await servePeople(t)
  const ann = await addPerson(client)
  const seen = await fromPage(client)
  const { etag } = await ann.update({ nick: 'theirs' })
  const changed = await seen.update({ name: 'Anna' })
  assert.deepEqual([changed.data.name, changed.data.nick], ['Anna', 'theirs'])
  assert.equal(sent.at(-1)?.headers.get('if-match'), etag, 'over the version that was compared')
})

test('A value of a page that someone else has changed is a conflict for any write', async (t) => {
  const { client } = await servePeople(t)
  const ann = await addPerson(client)
  const seen = await fromPage(client)
  await ann.update({ home: { street: 'Milsom Street' } })
  for (const write of [() => seen.update({ nick: 'mine' }), () => seen.remove()]) {
    const { current } = await conflictOf(write())
    assert.equal(current?.data.home.street, 'Milsom Street')
  }
})

test('A member that is gone is a conflict without a current version', async (t) => {
  const { client } = await servePeople(t)
  const ann = await addPerson(client)
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

test('Weak ETags of a proxy and the cache of a browser do not prevent writes', async (t) => {
  const { base } = await serve(t, { api: PEOPLE, flags: { auth: false } })
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
  const ann = await addPerson(client)
  assert.match(ann.etag ?? '', /^W\/"/)
  await ann.update({ nick: 'A' })
  assert.equal(sent.at(-1)?.headers.get('if-match'), ann.etag?.replace('W/', ''))
  assert.deepEqual(
    new Set(sent.map(({ cache }) => cache)),
    new Set(['no-cache']),
    'nothing comes out of a cache',
  )
})

test('Of many writers of the same version one wins, and all others get a conflict', async (t) => {
  const { client } = await servePeople(t)
  const ann = await addPerson(client)
  const settled = await Promise.allSettled(['a', 'b', 'c', 'd'].map((nick) => ann.update({ nick })))
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const one of settled) if (one.status === 'rejected') assert.equal(one.reason.kind, 'conflict')
})

test('A server that demands If-Match gets it; a bare request is refused', async (t) => {
  const { client } = await servePeople(t, { flags: { auth: false, requireIfMatch: true } })
  await addPerson(client)
  const changed = await (await fromPage(client)).update({ nick: 'A' })
  await assert.rejects(client.request('DELETE', changed.iri), { kind: 'refused', status: 428 })
  await (await fromPage(client)).remove()
  assert.equal((await client.collection('people').page()).totalItems, 0)
})

test('Properties named like those of every object are ordinary data', async (t) => {
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

test('An operation of the documentation is performed as declared', async (t) => {
  const { client } = await servePeople(t)
  const ann = await addPerson(client)
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

test('PUT creates and POST replaces if the documentation says so', async (t) => {
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
