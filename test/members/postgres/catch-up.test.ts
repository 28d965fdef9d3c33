import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { newPostgres } from '../../support/postgres.ts'
import { memberOf, select, shapeOf } from '../../support/shapes.ts'
import { openFor } from '../../support/stores.ts'

const FORMER = shapeOf('Book', { title: 'text' })
const CHANGED = shapeOf('Book', { title: 'text', pages: 'number' }, { fingerprint: 2 })

// scaling.md: pg_dump may be open for hours, and an index waits for every transaction that has begun before it.
test('a host that stops does not wait for an index that is being built', async (t) => {
  const url = newPostgres(t)
  const former = await openFor(t, url, [FORMER])
  await former.members.add('Book', memberOf({ title: 'text' }, 'one', { title: 'A' }))
  const sql = postgres(url, { max: 1 })
  t.after(() => sql.end())
  // As if there were so many that indexes are built while the class is served.
  await sql`UPDATE totals SET total = total + 100000`
  const { members, catchUp } = await openFor(t, url, [CHANGED])
  await sql.begin(async (held) => {
    await held`SELECT pg_current_xact_id()`
    const running = catchUp.turn()
    const isOver = await Promise.race([running.then(() => true), wait(500, false)])
    assert.equal(isOver, false, 'it waits for the open transaction')
    await catchUp.interrupt?.()
    assert.equal(await running, false)
  })
  const byPages = select({ filters: [{ property: 'pages', test: 'in', keys: [1] }] })
  await assert.rejects(async () => members.list('Book', byPages), { code: 'KeysPending' })
  while (await catchUp.turn());
  // The layout is read anew with the next turn.
  await catchUp.turn()
  assert.equal((await members.list('Book', byPages)).members.length, 0)
})
