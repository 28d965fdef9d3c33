import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Batch } from 'hydrant-client'
import { addPerson, conflictOf, fromPage, PEOPLE, serveDrones, servePeople } from './fixtures.ts'

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

test('A batch is carried out as a whole, with the types and preconditions of single writes', async (t) => {
  const { client, sent } = await servePeople(t)
  const [ann, bob] = [await addPerson(client), await addPerson(client, { name: 'Bob' })]
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
  assert.deepEqual(
    lenient[0]?.violations?.map(({ propertyPath, code }) => [propertyPath, code]),
    [['operation[0]/name', 'RequiredValue']],
  )
  const before = sent.length
  const early = await conflictOf(client.batch((batch) => batch.update(paged, { nick: 'C' })))
  assert.deepEqual([early.code, early.operation], ['changed', 0])
  assert.deepEqual(
    sent.slice(before).map(({ method }) => method),
    ['GET'],
  )
})

test('In a lenient batch each operation succeeds or fails on its own, also if its member has changed', async (t) => {
  const { client } = await servePeople(t)
  const ann = await addPerson(client)
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
    assert.equal(results[4]?.violations?.[0]?.propertyPath, 'operation[4]/name')
    assert.equal((await client.get(results[1]?.location ?? '')).data.name, 'Bob')
    if (expected === 412) await (await changed.reload()).remove()
  }
})

test('In a lenient batch, an update of a changed member is a conflict, also without PATCH', async (t) => {
  const { client } = await servePeople(t, {
    api: PEOPLE.replace('people', 'people\n    operations: [list, create, read, replace]'),
  })
  const ann = await addPerson(client)
  const paged = await fromPage(client)
  await ann.update({ name: 'Annie' })
  const [result] = await client.batch((batch) => batch.update(paged, { nick: 'A' }), { lenient: true })
  assert.equal(result?.status, 412, result?.detail)
})

test('A batch waits for an asynchronous function that collects its operations, and fails with it', async (t) => {
  const { client, sent } = await servePeople(t)
  const ann = await addPerson(client)
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
