import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { assertRefused, hydrant } from '../command.ts'
import { KINDS, openPurged } from './purged.ts'

const API = `
history: true
classes:
  Book: { properties: { title: string, subtitle: string } }
  Author: { properties: { name: string } }
  Note: { history: false, properties: { text: string } }
`

for (const kind of KINDS)
  describe(`purge --history on ${kind}`, () => {
    // contract: `hydrant purge <api-file> --history [Class[/id]]
    test('entries are removed of one member, of one class or of all, and only those before a date', async (t) => {
      const { purge, purged, write, open, found } = await openPurged(t, kind, API)
      await write(async (send) => {
        for (const id of ['1', '2']) {
          await send('PUT', `/books/${id}`, { title: `Markedfirst${id}` })
          await send('PATCH', `/books/${id}`, { title: `Second${id}` })
        }
        await send('PUT', '/authors/a', { name: 'Ann' })
        await send('DELETE', '/authors/a')
        await send('PUT', '/notes/n', { text: 'n' })
      })
      assert.deepEqual(await purged('--history', '--before', '2020-01-01', '--yes'), { removed: [] })
      for (const date of ['1.1.2020', '2026-02-30', '2026-01-01T25:00Z', '2026-01-01T10:00'])
        assertRefused(await purge('--history', '--before', date, '--yes'), 2, '--before')
      assertRefused(await purge('--history', 'Boook', '--yes'), 2, '"Book"')
      assertRefused(await purge('--history', 'Note', '--yes'), 2, 'Note')
      assertRefused(await purge('--history', 'Book'), 2, '--yes')
      assert.deepEqual(await purged('--history', 'Book/3', '--yes'), { removed: [] })
      assert.deepEqual(
        await purged('--history', 'Book/1', '--before', '2999-12-31T00:00:00Z', '--yes', '--compact'),
        {
          removed: [{ class: 'Book', id: '1', entries: 2 }],
        },
      )
      const marks = () => found(['Markedfirst1', 'Markedfirst2'])
      // PostgreSQL keeps what another session may still see, such as one that takes statistics.
      for (let tries = 0; tries < 5 && (await marks()).length > 1; tries++)
        await purged('--history', 'Book/1', '--yes', '--compact')
      assert.deepEqual(await marks(), ['Markedfirst2'])
      assert.deepEqual(await purged('--history', 'Book', '--yes'), {
        removed: [{ class: 'Book', entries: 2 }],
      })
      const { stdout } = await purge('--history', '--yes')
      assert.match(stdout, /history of Author: 2 entries/)
      await write(async (send) => {
        assert.equal((await send('GET', '/books/1')).title, 'Second1')
        await send('PATCH', '/books/1', { title: 'Third' })
      })
      const { history } = await open()
      const entries = async (id: string) =>
        (await history.heads({ className: 'Book', id }, { limit: 10 })).length
      assert.deepEqual([await entries('1'), await entries('2')], [1, 0])
      assert.deepEqual(await history.removed('Author', { limit: 10 }, 1_000), [])
    })

    test('a history that is no longer shown is listed, and so are values that only entries have', async (t) => {
      const { file, purge, purged, write, found } = await openPurged(t, kind, API)
      await write(async (send) => {
        await send('PUT', '/books/1', { title: 'One', subtitle: 'Markedsub' })
        await send('PATCH', '/books/1', { subtitle: null })
        await send('PUT', '/authors/a', { name: 'Ann' })
      })
      const without = API.replace(', subtitle: string', '').replace('Author: {', 'Author: { history: false,')
      writeFileSync(file, without)
      await write(async () => {}, without)
      assert.deepEqual(await purged(), {
        hidden: [{ class: 'Book', property: 'subtitle', members: 0, entries: 1 }],
        histories: [{ class: 'Author', entries: 1 }],
      })
      assert.match((await purge()).stdout, /Book\.subtitle +0 +1\n(?:.*\n)*.*--history Author/)
      assert.equal((await purged('--hidden', '--yes', '--compact')).removed.length, 1)
      assert.deepEqual(await found(['Markedsub']), [])
      assert.equal((await purged('--history', 'Author', '--yes')).removed.length, 1)
      assert.deepEqual(await purged(), { hidden: [] })
    })
  })

// contract: Every flag but `--help` and `--version`
test('HYDRANT_HISTORY is the variable of each command, except for how much of the feed is kept', async (t) => {
  const { db, file, write } = await openPurged(t, 'SQLite', API)
  await write(async (send) => {
    await send('PUT', '/books/1', { title: 'One' })
    await send('PATCH', '/books/1', { title: 'Two' })
    await send('PUT', '/authors/a', { name: 'Ann' })
  })
  const call = (command: string, history: string, ...args: string[]) =>
    hydrant([command, file, ...args], {
      env: { HYDRANT_DB: db, HYDRANT_YES: 'on', HYDRANT_HISTORY: history },
    })
  const purged = async (history: string, ...args: string[]) => {
    const { status, stdout, stderr } = await call('purge', history, '--json', ...args)
    assert.equal(status, 0, stderr)
    return JSON.parse(stdout)
  }
  const [{ stdout: members }, { stdout: all }] = [await call('export', 'off'), await call('export', 'on')]
  assert.equal(members.split('\n').length, 3)
  assert.ok(all.split('\n').length > 3, all)
  assert.equal((await call('export', '24h/1000')).stdout, members)
  assert.equal((await call('export', 'on', '--no-history')).stdout, members)
  assertRefused(await call('export', 'Book'), 2, 'HYDRANT_HISTORY')

  assert.deepEqual(await purged('24h/1000'), { hidden: [] })
  assertRefused(await call('purge', 'on'), 2, '"on"')
  assert.deepEqual(await purged('Book', '--hidden'), { removed: [] })
  assert.deepEqual(await purged('Book/1'), { removed: [{ class: 'Book', id: '1', entries: 2 }] })
  assert.deepEqual(await purged('Book', '--history'), { removed: [{ class: 'Author', entries: 1 }] })
})

// contract: Every flag but `--help` and `--version`
test('a variable names the member to remove, and two variables that ask for different things are refused', async (t) => {
  const { db, file, write, found } = await openPurged(t, 'SQLite', API)
  await write(async (send) => {
    await send('PUT', '/books/1', { title: 'Markedone' })
  })
  const purge = (more: Record<string, string>) =>
    hydrant(['purge', file, '--yes', '--compact'], {
      env: { HYDRANT_DB: db, HYDRANT_MEMBER: 'books/1', ...more },
    })
  assertRefused(await purge({ HYDRANT_HIDDEN: 'Book' }), 2, '--member')
  assert.deepEqual(await found(['Markedone']), ['Markedone'])
  assert.equal((await purge({})).status, 0)
  assert.deepEqual(await found(['Markedone']), [])
})
