import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownDatabase } from '../../../src/database/index.ts'
import { createPool } from '../../../src/database/postgres/pool.ts'
import { openStore } from '../../../src/store/open.ts'
import { contentOf } from '../../support/contents.ts'
import { startPgBouncer } from '../../support/pgbouncer.ts'
import { newPostgres, onPostgres, postgresUrl } from '../../support/postgres.ts'
import { memberOf, select, shapeOf } from '../../support/shapes.ts'
import { openFor } from '../../support/stores.ts'

const KINDS = { title: 'text' } as const
const SHAPES = [shapeOf('Book', KINDS)]
/** As providers do, so that clients may connect whatever they ask for. */
const IGNORING = {
  ignore_startup_parameters: 'search_path,statement_timeout,synchronous_commit,default_transaction_isolation',
}

for (const settings of [{}, IGNORING])
  test(`a PgBouncer in session mode is served as PostgreSQL itself (${Object.keys(settings).join() || 'by default'})`, async (t) => {
    const direct = newPostgres(t)
    const url = await startPgBouncer(t, direct, 'session', { settings })
    const store = await openFor(t, url, SHAPES)
    const titles = ['one', 'two', 'three']
    await Promise.all(
      titles.map((title, index) => store.members.add('Book', memberOf(KINDS, String(index), { title }))),
    )
    await store.members.remove('Book', '1', undefined)
    const { members } = await store.members.list('Book', select({}))
    assert.deepEqual(members.map(({ id }) => id).toSorted(), ['0', '2'])
    assert.deepEqual((await store.changes.after(0, 10)).changes.length, 4)
  })

test('each session behind a PgBouncer in session mode has the settings of its pool and of the address', async (t) => {
  const url = await startPgBouncer(t, newPostgres(t), 'session')
  const session = { statement_timeout: '1234', plan_cache_mode: 'force_generic_plan' }
  const place = `${url}&bytea_output=${encodeURIComponent('escape')}&hydrant.quoted=${encodeURIComponent("it's a \\")}`
  const pool = createPool(place, { connections: 3, limitMs: 5_000, session })
  t.after(() => pool.close())
  const names = [
    'statement_timeout',
    'plan_cache_mode',
    'bytea_output',
    'hydrant.quoted',
    'synchronous_commit',
  ]
  const ask = () =>
    pool.run(`SELECT pg_backend_pid(), pg_sleep(0.05), ${names.map((name) => `current_setting('${name}')`)}`)
  const rows = (await Promise.all([ask(), ask(), ask()])).flat() as [number, '', ...string[]][]
  for (const [, , ...values] of rows)
    assert.deepEqual(values, ['1234ms', 'force_generic_plan', 'escape', "it's a \\", 'on'])
  assert.equal(new Set(rows.map(([process]) => process)).size, 3)
})

for (const mode of ['transaction', 'statement'] as const)
  test(`a PgBouncer in ${mode} mode is refused, and nothing is changed: neither the database nor a session`, async (t) => {
    const direct = newPostgres(t)
    await (await openStore(direct, SHAPES)).close()
    const before = await contentOf(direct)
    const url = await startPgBouncer(t, direct, mode)
    const values = { database: shownDatabase(url) }
    await assert.rejects(openStore(url, SHAPES), { code: 'SharedSessions', values })
    assert.deepEqual(await contentOf(direct), before)
    // What the next program gets is the session that was looked at.
    const plain = new URL(url)
    plain.search = ''
    const [row] = await onPostgres(plain.href, "SELECT current_setting('search_path')")
    const [usual] = await onPostgres(postgresUrl(), "SELECT current_setting('search_path')")
    assert.deepEqual(row, usual)
  })

test('a PgBouncer in transaction mode is refused while others use it', async (t) => {
  const url = await startPgBouncer(t, newPostgres(t), 'transaction')
  const plain = new URL(url)
  plain.search = ''
  let isOver = false
  const others = Array.from({ length: 4 }, async () => {
    while (!isOver) await onPostgres(plain.href, 'SELECT pg_sleep(0.001 + 0.003 * random())')
  })
  for (let times = 0; times < 10; times += 1)
    await assert.rejects(openStore(url, SHAPES), { code: 'SharedSessions' })
  isOver = true
  await Promise.all(others)
})
