import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { newPostgres } from '../../support/postgres.ts'
import { type Kinds, memberOf, select, shapeOf } from '../../support/shapes.ts'
import { openFor } from '../../support/stores.ts'

const FORMER = shapeOf('Book', { title: 'text' })
const WITH_PAGES = { title: 'text', pages: 'number' } as const
const CHANGED = shapeOf('Book', WITH_PAGES, { fingerprint: 2 })

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

function wordedOf(
  values: Record<string, string | number>,
  id: string,
  words: string[],
  kinds: Kinds = WITH_PAGES,
) {
  const member = memberOf(kinds, id, values)
  return { ...member, keys: { ...member.keys, words } }
}

test('a member that is converted while a change of it waits is changed, and is found by its new words alone', async (t) => {
  const url = newPostgres(t)
  const former = await openFor(t, url, [FORMER])
  await former.members.add('Book', wordedOf({ title: 'A' }, 'one', ['a'], { title: 'text' }))
  const { members } = await openFor(t, url, [CHANGED])
  await members.add('Book', wordedOf({ title: 'B', pages: 1 }, 'two', ['b']))
  const sql = postgres(url, { max: 1 })
  t.after(() => sql.end())
  const table = sql('forms_1')
  // What a conversion does that fills in a default with two words.
  const changed = await sql.begin(async (held) => {
    const [row] = await held`
      UPDATE ${table} SET form = (SELECT form FROM ${table} WHERE id = 'two'), words = '{a,open,shut}'
      WHERE id = 'one' RETURNING sequence`
    for (const word of ['open', 'shut'])
      await held`INSERT INTO words_1 (word, sequence) VALUES (${word}, ${row?.sequence})`
    const changing = members.change('Book', 'one', undefined, () =>
      wordedOf({ title: 'C', pages: 2 }, 'one', ['c']),
    )
    await wait(200)
    // In an object: as a promise, it would be awaited before the transaction ends.
    return { changing }
  })
  assert.equal((await changed.changing).outcome, 'changed')
  const found = await Promise.all(
    ['a', 'open', 'shut', 'c'].map(
      async (word) => (await members.list('Book', select({ words: [word] }))).members.length,
    ),
  )
  assert.deepEqual(found, [0, 0, 0, 1])
})
