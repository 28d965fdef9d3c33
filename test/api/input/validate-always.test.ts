import assert from 'node:assert/strict'
import { test } from 'node:test'
import { USER } from '../../support/client.ts'
import { serve } from '../../support/service.ts'
import { openBulk } from '../../transfer/transfer.ts'
import { serveWriter } from '../writing.ts'

const API = `
classes:
  Note:
    properties:
      text: { type: string, required: true }
      day: { type: date, always: now, required: true }
      changedAt: { type: dateTime, always: now }
      changedBy: { type: integer, always: user }
      createdAt: { type: dateTime, writable: false, default: now }
      parts: { type: Part, many: true }
  Part:
    collection: false
    properties: { text: string, setAt: { type: dateTime, always: now } }
`
const START = Date.UTC(2030, 0, 1, 23, 59, 59)
const iso = (time: number) => new Date(time).toISOString()

// contract: **Set at every write**
test('always is set by create, replace, update and batch, and nobody else sets it', async (t) => {
  const time = { now: START }
  const writer = await serveWriter(t, { api: API, time })
  const path = await writer.addAt('/notes', { text: 'a', parts: [{ text: 'p' }] })
  const createdAt = iso(START)
  const expected = (text: string) => ({
    text,
    day: iso(time.now).slice(0, 10),
    changedAt: iso(time.now),
    changedBy: USER,
    createdAt,
  })
  const { parts, ...created } = await writer.values(path)
  assert.deepEqual(created, expected('a'))
  assert.deepEqual(parts, [{ '@type': 'Part', text: 'p', setAt: createdAt }])

  time.now += 1_000
  assert.equal((await writer.patch(path, { text: 'b', parts: null })).status, 200)
  assert.deepEqual(await writer.values(path), expected('b'))

  time.now += 1_000
  const served = await writer.values(path)
  assert.equal((await writer.put(path, { ...served, text: 'c' })).status, 200)
  assert.deepEqual(await writer.values(path), expected('c'))

  time.now += 1_000
  const operation = [{ method: 'PATCH', target: path.slice(1), body: { text: 'd' } }]
  const batch = await writer.post('/batch', { operation })
  assert.equal(batch.status, 200, batch.body)
  assert.deepEqual(await writer.values(path), expected('d'))

  const refused = { Accept: 'application/problem+json' }
  for (const response of [
    await writer.post('/notes', { text: 'x', changedAt: createdAt }, refused),
    await writer.put(path, { text: 'x', changedBy: USER + 1 }, refused),
    await writer.patch(path, { changedAt: null }, refused),
  ]) {
    assert.equal(response.status, 422, response.body)
    assert.deepEqual(
      (response.json().violations as { code: string }[]).map(({ code }) => code),
      ['ReadOnly'],
    )
  }
})

// contract: With authentication off `user` sets nothing
test('without authentication nobody is the user, and the time is set all the same', async (t) => {
  const time = { now: START }
  const { client } = await serve(t, { api: API, time, environment: { HYDRANT_AUTH: 'off' } })
  const created = await client.send(
    'POST',
    '/notes',
    { 'Content-Type': 'application/json' },
    JSON.stringify({ text: 'a' }),
  )
  const { changedBy, changedAt } = created.json()
  assert.deepEqual([created.status, changedBy, changedAt], [201, undefined, iso(START)])
})

// contract: **Set at every write**
test('an import keeps the value that its file has, and sets the others', async (t) => {
  const bulk = await openBulk(t, API)
  const kept = { text: 'a', day: '2001-01-01', changedAt: '2001-01-01T00:00:00Z', changedBy: 7 }
  await bulk.import(
    [
      { '@id': '/notes/1', ...kept },
      { '@id': '/notes/2', text: 'b' },
    ],
    { now: START },
  )
  const members = await bulk.members()
  const { day, changedAt, changedBy } = members['/notes/1'] ?? {}
  assert.deepEqual({ text: 'a', day, changedAt, changedBy }, kept)
  assert.deepEqual([members['/notes/2']?.changedAt, members['/notes/2']?.changedBy], [iso(START), undefined])
})
