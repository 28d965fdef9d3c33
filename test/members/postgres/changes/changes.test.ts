import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import type { Store } from '../../../../src/store/index.ts'
import { newPostgres, onPostgres } from '../../../support/postgres.ts'
import { type Kinds, memberOf, shapeOf } from '../../../support/shapes.ts'
import { openFor } from '../../../support/stores.ts'

const KINDS: Kinds = { isbn: 'unique', title: 'text' }
const SHAPES = ['Author', 'Book'].map((name) => shapeOf(name, KINDS))
const DAY = 86_400_000

const told = async ({ changes }: Store, after = 0) =>
  (await changes.after(after, 1_000)).changes.map(
    ({ position, className, id, kind }) => `${position} ${kind} ${className}/${id}`,
  )

const add = ({ members }: Store, id: string) => members.add('Book', memberOf(KINDS, id, { isbn: id }))

test('a transaction that is open for long holds nothing up, and is told when it commits', async (t) => {
  const url = newPostgres(t)
  const [one, other] = [await openFor(t, url, SHAPES), await openFor(t, url, SHAPES)]
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false })
  t.after(() => sql.end())
  await sql.begin(async (open) => {
    // Its number is lower than those of the changes that are committed before it.
    await open`INSERT INTO new_changes (class, id, kind, version) VALUES ('Book', 'late', 0, 1)`
    await add(one, 'a')
    await add(other, 'b')
    assert.deepEqual(await told(one), ['1 create Book/a', '2 create Book/b'])
  })
  assert.deepEqual(await told(other, 2), ['3 create Book/late'])
})

// contract: Every committed change after the starting point is sent exactly once
test('what another process is placing while its class is renamed goes by the new name', async (t) => {
  const url = newPostgres(t)
  const before = await openFor(t, url, SHAPES)
  await add(before, 'a')
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false })
  t.after(() => sql.end())
  const renamed = shapeOf('Volume', { title: 'text' }, { was: 'Book', fingerprint: 2 })
  const { opening } = await sql.begin(async (placing) => {
    await placing`SELECT place_changes()`
    const opening = openFor(t, url, [shapeOf('Author', KINDS), renamed])
    while ((await onPostgres(url, waitingFor('new_changes'))).length === 0);
    return { opening }
  })
  assert.deepEqual(await told(await opening), ['1 create Volume/a'])
})

/** A row where a statement on the table waits for another transaction. */
const waitingFor = (table: string): string => `
  SELECT FROM pg_locks AS waiting JOIN pg_locks AS held USING (pid)
  WHERE NOT waiting.granted AND waiting.locktype = 'transactionid' AND held.relation = '${table}'::regclass`

// contract: `GET` with `Accept: text/event-stream`: a stream of changes, from now on
test('behind an import too, the last change is the last that was committed', async (t) => {
  const url = newPostgres(t)
  const { changes } = await openFor(t, url, SHAPES)
  // More than two statements give positions to.
  const count = 20_001
  const imported = `INSERT INTO new_changes (class, id, kind, version)
    SELECT 'Book', number, 0, number FROM generate_series(1, ${count}) AS number`
  await onPostgres(url, imported)
  assert.equal((await changes.last())?.position, count)
  await onPostgres(url, imported)
  await changes.sweep(Date.now(), { ageMs: DAY, count: 10 * count }, 1)
  assert.equal((await onPostgres(url, 'SELECT 1 FROM new_changes')).length, 0)
})

test('many who place changes at once leave no gap and place none twice', async (t) => {
  const url = newPostgres(t)
  const stores = await Promise.all([1, 2, 3].map(() => openFor(t, url, SHAPES)))
  const write = async (store: Store, of: number) => {
    for (let index = 0; index < 40; index += 1) {
      await add(store, `${of}-${index}`)
      await store.changes.after(0, 1)
    }
  }
  await Promise.all(stores.map(write))
  const [first] = stores as [Store]
  const all = (await first.changes.after(0, 1_000)).changes
  assert.deepEqual(
    all.map(({ position }) => position),
    Array.from({ length: 120 }, (_, index) => index + 1),
  )
  assert.equal(new Set(all.map(({ id }) => id)).size, 120)
})
