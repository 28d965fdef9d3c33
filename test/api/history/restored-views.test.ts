import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveUsers } from '../users.ts'
import { entriesOf, pathOf } from './entries.ts'

const USERS = { boss: [31, 'hr'], tom: [34], eve: [35] } as const

// contract: For a user who may not view it the property does not exist
test('a link from the other side that the user may not see does not prevent a restore', async (t) => {
  const rules = [
    { access: 'all: hr' },
    { access: 'list: hr' },
    { author: ', view: hr, write: hr' },
    { author: ', view: [hr, owner]' },
  ]
  for (const { access = 'read: everyone', author = '' } of rules) {
    const api = `
history: true
roles: [hr]
classes:
  Author:
    properties:
      name: { type: string, required: true }
      fee: { type: decimal, view: hr, write: hr }
  Book:
    access: { ${access} }
    label: title
    properties:
      title: string
      author: { type: Author, reverse: books${author} }
`
    const { as } = await serveUsers(t, USERS, { api })
    const created = await as.boss.send('POST', '/authors', { name: 'a', fee: '1.0' })
    const member = pathOf(created.headers.location)
    assert.equal((await as.tom.send('PATCH', member, { name: 'b' })).status, 200)
    const first = pathOf((await entriesOf(as.tom, member)).at(-1)?.restore)
    for (const status of [200, 201]) {
      const restored = await as.tom.send('POST', first)
      assert.equal(restored.status, status, `${access}${author}: ${restored.body}`)
      const { name, fee } = (await as.boss.send('GET', member)).json()
      assert.deepEqual([name, fee], ['a', '1.0'])
      assert.equal((await as.tom.send('DELETE', member)).status, 204)
    }
  }
})

/** A note of tom's that is gone. `ro`: a read-only property. */
async function serveNote(t: Parameters<typeof serveUsers>[0], ro: string) {
  const api = `
history: true
roles: [hr]
classes:
  Note:
    properties:
      text: { type: string, required: true }
      own: { type: string, view: [owner, hr], write: [owner, hr] }
      code: { type: dateTime, view: owner, writable: false, default: now }
      ro: { type: dateTime, ${ro} }
      lines: { type: Line, many: true }
  Line:
    collection: false
    properties:
      product: string
      addedAt: { type: dateTime, writable: false, default: now }
`
  const time = { now: Date.parse('2026-01-01T00:00:00Z') }
  const { as } = await serveUsers(t, USERS, { api, time })
  const sent = { text: 'a', own: 's', lines: [{ product: 'pen' }] }
  const created = await as.tom.send('POST', '/notes', sent)
  const note = pathOf(created.headers.location)
  assert.equal((await as.boss.send('PATCH', note, { text: 'b', lines: null })).status, 200)
  assert.equal((await as.tom.send('DELETE', note)).status, 204)
  time.now += 60_000
  const first = pathOf((await entriesOf(as.eve, note)).at(-1)?.['@id'])
  const then = (await as.eve.send('GET', first)).json()
  const put = (body: object) => as.eve.send('PUT', note, body, { 'If-None-Match': '*' })
  return { as, note, then, put, code: String(created.json().code), now: new Date(time.now).toISOString() }
}

// contract: Bringing back is a write like any other
test('a new owner, who sees more, brings an entry back with its read-only values by PUT', async (t) => {
  for (const ro of ['default: now, writable: false', 'default: now, write: hr', 'always: now']) {
    const { as, note, then, put, now } = await serveNote(t, ro)
    assert.deepEqual(Object.keys(then).slice(3), ['text', 'ro', 'lines'])
    assert.equal((await put({ ...then, ro: '2025-01-01T00:00:00Z' })).status, 422, ro)
    const back = await put(then)
    assert.equal(back.status, 201, `${ro}: ${back.body}`)
    const { text, own, lines, ro: value, code } = back.json()
    assert.deepEqual([text, own, lines], ['a', undefined, then.lines])
    assert.equal(String(value), ro === 'always: now' ? now : then.ro)
    // As in any new member.
    assert.equal(code, now)
    assert.equal((await as.eve.send('DELETE', note)).status, 204)
  }
  const { as, note, then, put } = await serveNote(t, 'default: now, writable: false')
  const body = { method: 'PUT', target: note.slice(1), body: then, ifNoneMatch: '*' }
  assert.equal((await as.eve.send('POST', '/batch', { operation: [body] })).status, 200)
  assert.equal((await put(then)).status, 412)
})

// contract: For a user who may not view it the property does not exist
test('a new owner is not told whether a value is the one that was hidden in the former member', async (t) => {
  const { then, put, code } = await serveNote(t, 'default: now, writable: false')
  for (const other of [{}, { text: 7 }]) {
    const [right, wrong] = [
      await put({ ...then, ...other, code }),
      await put({ ...then, ...other, code: '2025-01-01T00:00:00Z' }),
    ]
    assert.equal(right.status, 422, right.body)
    assert.deepEqual(right.json().violations, wrong.json().violations)
    assert.equal(right.body, wrong.body)
  }
})
