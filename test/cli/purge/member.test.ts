import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { postgresUrl } from '../../support/postgres.ts'
import { assertRefused } from '../command.ts'
import { KINDS, openPurged } from './purged.ts'

const BEFORE = `
history: true
classes:
  Book:
    access: { all: owner, create: everyone }
    properties:
      title: { type: string, required: true }
      isbn: { type: string, unique: true }
      tags: { type: string, many: true }
      secret: string
      sequel: Book
  Note:
    properties: { text: string, book: Book }
  Settings: { collection: false, operations: [create, read, replace], properties: { text: string } }
`
const API = BEFORE.replace('      secret: string\n', '')

/** As an index of words has them: in lower case, and no two begin alike, since it would shorten the second. */
const MARKERS = {
  id: 'qzaidentity',
  title: 'wybfirsttitle',
  later: 'xkclatertitle',
  isbn: 'jvdnumber',
  tag: 'ufelabelled',
  secret: 'ogfwhispered',
} as const
const ALL = Object.values(MARKERS)

for (const kind of KINDS)
  describe(`purge --member on ${kind}`, () => {
    // contract: `hydrant purge <api-file> --history [Class[/id]]
    test('nothing of the member is left in the files of the database', async (t) => {
      const { file, purge, purged, write, open, found } = await openPurged(t, kind, BEFORE)
      const { id, title, later, isbn, tag, secret } = MARKERS
      await write(async (send) => {
        await send('PUT', '/books/kept', { title: 'Kept', tags: ['a', 'b'] })
        await send('PUT', `/books/${id}`, { title, isbn, tags: [tag, 'a'], secret })
        await send('PUT', '/notes/n', { text: 'a note', book: `/api/books/${id}` })
      }, BEFORE)
      writeFileSync(file, API)
      await write(async (send) => {
        await send('PATCH', `/books/${id}`, { title: later, sequel: `/api/books/${id}` })
        await send('PATCH', '/books/kept', { title: 'Kept on' })
      }, API)
      // The log has its changes in their final place.
      const store = await open(API)
      assert.equal((await store.changes.last())?.id, 'kept')
      await store.close()
      assert.deepEqual(await found(ALL), ALL)

      const refused = await purge('--member', `books/${id}`, '--yes')
      assertRefused(refused, 1, 'notes/n')
      await write((send) => send('PATCH', '/notes/n', { book: null }).then(() => {}), API)
      assertRefused(await purge('--member', `books/${id}`, '--yes'), 1, '--history Note/n')
      assert.deepEqual(await purged('--history', 'Note/n', '--yes'), {
        removed: [{ class: 'Note', id: 'n', entries: 2 }],
      })
      assertRefused(await purge('--member', `books/${id}`), 2, '--yes')

      assert.deepEqual(await purged('--member', `http://localhost:8080/api/books/${id}`, '--yes'), {
        removed: [{ class: 'Book', id, entries: 2, changes: 2 }],
      })
      assertRefused(await purge('--member', `/api/books/${id}`, '--yes'), 1, `books/${id}`)
      assert.ok((await found(ALL)).length > 0, 'there is nothing to compact')
      assert.deepEqual(await purged('--history', 'Note', '--yes', '--compact'), { removed: [] })
      assert.deepEqual(await found(ALL), [])

      await write(async (send) => {
        const { totalItems, member } = await send('GET', '/books')
        assert.equal(totalItems, 1)
        assert.equal((member as [{ title: string }])[0].title, 'Kept on')
        // The id can be used again, as one that never was.
        await send('PUT', `/books/${id}`, { title: 'Another', isbn })
      }, API)
      const { history } = await open(API)
      const kindsOf = async (id: string) =>
        (await history.heads({ className: 'Book', id }, { limit: 10 })).map((entry) => entry.kind)
      assert.deepEqual(await kindsOf('kept'), ['update', 'create'])
      assert.deepEqual(await kindsOf(id), ['create'])
    })

    test('a member that is gone is removed with what is left of it, beside a server', async (t) => {
      const { purge, purged, write, open, found } = await openPurged(t, kind, API)
      const { id, title } = MARKERS
      await write(async (send) => {
        await send('PUT', `/books/${id}`, { title })
        await send('PUT', '/books/kept', { title: 'Kept' })
        await send('DELETE', `/books/${id}`)
        assert.deepEqual(await purged('--member', `books/${id}`, '--yes', '--compact'), {
          removed: [{ class: 'Book', id, entries: 2, changes: 2 }],
        })
        await send('PATCH', '/books/kept', { title: 'Kept on' })
      })
      // The log has no gap: readers pass over what is gone.
      const { changes, stop, isSwept } = await (await open()).changes.after(0, 10)
      assert.deepEqual(
        changes.map(({ position, kind }) => [position, kind]),
        [
          [2, 'create'],
          [4, 'update'],
        ],
      )
      assert.deepEqual([stop, isSwept], ['end of log', false])
      assert.deepEqual(await found([id, title]), [])
      assertRefused(await purge('--member', `books/${id}`, '--yes'), 1, `books/${id}`)
    })

    test('a single resource is named by its class', async (t) => {
      const { purged, write, found } = await openPurged(t, kind, API)
      await write((send) => send('PUT', '/Settings', { text: MARKERS.title }).then(() => {}))
      assert.deepEqual(await purged('--member', 'Settings', '--yes', '--compact'), {
        removed: [{ class: 'Settings', id: 'Settings', entries: 1, changes: 1 }],
      })
      assert.deepEqual(await found([MARKERS.title]), [])
    })
  })

test('nothing of a member is left, though a transaction in another database began before', async (t) => {
  const { purged, write, found } = await openPurged(t, 'PostgreSQL', API)
  const sql = postgres(postgresUrl(), { max: 1 })
  t.after(() => sql.end())
  const held = Promise.withResolvers<void>()
  const other = sql.begin(async (open) => {
    await open`SELECT pg_current_xact_id()`
    await held.promise
  })
  await write((send) => send('PUT', '/Settings', { text: MARKERS.title }).then(() => {}))
  const removal = purged('--member', 'Settings', '--yes', '--compact')
  const first = await Promise.race([removal.then(() => 'removal'), wait(2000, 'pause')])
  held.resolve()
  await Promise.all([other, removal])
  assert.deepEqual([first, await found([MARKERS.title])], ['pause', []])
})

test('beside a transaction that does not end, the command fails, and says how to finish', async (t) => {
  const { db, file, purge, purged, write, found } = await openPurged(t, 'SQLite', API)
  await write((send) => send('PUT', '/Settings', { text: MARKERS.title }).then(() => {}))
  using reader = new DatabaseSync(db.slice('sqlite:'.length))
  reader.exec('BEGIN; SELECT count(*) FROM changes')
  const remedy = `purge ${file} --compact`
  assertRefused(await purge('--member', 'Settings', '--yes', '--compact'), 1, remedy)
  assert.deepEqual(await found([MARKERS.title]), [MARKERS.title])
  reader.exec('COMMIT')
  assert.deepEqual(await purged('--compact'), { hidden: [] })
  assert.deepEqual(await found([MARKERS.title]), [])
})

test('an address that is no member of this API is refused', async (t) => {
  const { purge, write } = await openPurged(t, 'SQLite', API)
  await write(async () => {})
  for (const address of [
    ...[
      'http://example.org/api/books/1',
      'books',
      'books/1/history',
      'book/1',
      'accounts/1',
      'books/a b',
      '',
    ],
  ])
    assertRefused(await purge('--member', address, '--yes'), 2, '--member')
  assertRefused(await purge('--member', 'books/1', '--yes'), 1, 'books/1')
  assertRefused(await purge('--member', 'books/1', '--hidden', '--yes'), 2, '--hidden')
  assertRefused(await purge('--member', 'books/1', '--before', '2026-01-01', '--yes'), 2, '--before')
})
