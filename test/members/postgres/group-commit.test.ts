import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isUnavailable } from '../../../src/database/index.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.ts'
import { writtenOf } from '../../support/shapes.ts'
import { begin, book, idsOf, KINDS, open, outcomes, totalOf } from './books.ts'

/** One of our own, which waits for the disk, and on which every connection is that of the test. */
let server: PostgresServer
before(async () => {
  server = await createPostgresServer()
})
after(() => server.remove())

test('members that are added at once share their commits', async (t) => {
  const { store, url, number } = await open(t, newPostgres(t, server.url))
  await Promise.all(Array.from({ length: 32 }, (_, index) => store.add('Book', book(`${index}`))))
  // A row knows the transaction that has written it.
  const [row] = await onPostgres(
    url,
    `SELECT count(*)::int, count(DISTINCT xmin::text)::int FROM members_${number}`,
  )
  assert.equal(row?.[0], 32)
  assert.ok(Number(row?.[1]) <= 4, `${row?.[1]} commits`)
})

test('members that have to do with each other are added as if they came one after the other', async (t) => {
  const { store } = await open(t)
  const added = await Promise.all([
    store.add('Author', book('ann')),
    store.add('Book', book('one', { isbn: '1', by: 'Author/ann' })),
    store.add('Book', book('two', { isbn: '1' })),
    store.add('Book', book('one', { isbn: '2' })),
    store.add('Book', book('three', { isbn: '2', after: 'Book/one' })),
    store.add('Book', book('four', { after: 'Book/five' })),
    store.add('Book', book('five', { after: 'Book/three' })),
    store.add('Book', book('six', { after: 'Book/six' })),
  ])
  assert.deepEqual(outcomes(added), [
    'added',
    'added',
    'refused',
    'exists',
    'added',
    'refused',
    'added',
    'added',
  ])
  assert.deepEqual(added[2], { outcome: 'refused', dangling: [], taken: ['isbn'] })
  assert.equal(await totalOf(store), 4)
})

test('a member that PostgreSQL refuses does not touch those that share its statement', async (t) => {
  const { store, url, number } = await open(t)
  await onPostgres(
    url,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not this one'; END $$`,
  )
  await onPostgres(
    url,
    `CREATE TRIGGER refusing BEFORE INSERT ON members_${number} FOR EACH ROW WHEN (new.id = 'bad')
     EXECUTE FUNCTION refuse()`,
  )
  const added = await Promise.allSettled(['a', 'bad', 'b', 'c'].map((id) => store.add('Book', book(id))))
  assert.deepEqual(
    added.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual((await idsOf(store)).sort(), ['a', 'b', 'c'])
  assert.equal(await totalOf(store), 3)
})

test('a member that waits for somebody in vain is refused with 503, and does not touch those that share its statement', async (t) => {
  const { store, url, number } = await open(t)
  const other = await begin(t, url)
  await other.unsafe(
    `INSERT INTO members_${number} (id, version, body, holes, hidden) VALUES ('held', 0, '', '', '')`,
  )
  const added = await Promise.allSettled(['a', 'held', 'b'].map((id) => store.add('Book', book(id))))
  assert.deepEqual(
    added.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.ok(added[1]?.status === 'rejected' && added[1].reason.code === 'DatabaseBusy')
  await other.unsafe('ROLLBACK')
  assert.equal((await store.add('Book', book('held'))).outcome, 'added')
  assert.equal(await totalOf(store), 3)
})

test('writers do not wait for each other because of the total', async (t) => {
  const { store, url, number } = await open(t, newPostgres(t, server.url))
  const ids = Array.from({ length: 8 }, (_, index) => `${index}`)
  await Promise.all(ids.map((id) => store.add('Book', book(id))))
  // So many changes at once that all connections for writing are open.
  const title = (text: string) => () => writtenOf(KINDS, { title: text })
  await Promise.all(ids.map((id) => store.change('Book', id, undefined, title('A'))))
  const pids = await onPostgres(url, "SELECT pid FROM pg_stat_activity WHERE application_name = 'hydrant'")
  const taken = new Set(Array.from(pids, ([pid]) => Number(pid) % 32))
  // Backwards from the newest: a connection that is opened later has a higher number, and must not get this slot.
  const newest = Math.max(...Array.from(pids, ([pid]) => Number(pid)))
  const free = Array.from({ length: 32 }, (_, back) => (newest - back) % 32).find((slot) => !taken.has(slot))
  assert.ok(free !== undefined)

  // Another host is about to add one, on a connection of its own.
  const other = await begin(t, url)
  await other.unsafe(
    `INSERT INTO members_${number} (id, version, body, holes, hidden) VALUES ('x', 0, '', '', '')`,
  )
  await other.unsafe(`INSERT INTO totals VALUES (${number}, ${free}, 1)`)
  assert.equal((await store.add('Book', book('y'))).outcome, 'added')
  assert.equal((await store.remove('Book', '0', undefined)).outcome, 'removed')
  assert.equal(await totalOf(store), 8)
  await other.unsafe('COMMIT')
  assert.equal(await totalOf(store), 9)
})

test('what was acknowledged is there after every connection was cut, again and again', async (t) => {
  const { store, url, number } = await open(t, newPostgres(t, server.url))
  const added: string[] = []
  let cut = 0
  const add = async (id: string) => {
    try {
      if ((await store.add('Book', book(id))).outcome === 'added') added.push(id)
    } catch (error) {
      assert.ok(isUnavailable(error), String(error))
      cut++
    }
  }
  for (let round = 0; round < 20; round++) {
    const adds = Promise.all(Array.from({ length: 20 }, (_, index) => add(`${round}-${index}`)))
    if (round % 4 === 3) {
      await onPostgres(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hydrant'",
      )
    }
    await adds
  }
  assert.ok(added.length > 0)
  const [row] = await onPostgres(
    url,
    `SELECT count(*)::int FROM (SELECT unnest($1::text[]) EXCEPT SELECT id FROM members_${number}) AS lost`,
    [`{${added.join(',')}}`],
  )
  assert.equal(row?.[0], 0)
  t.diagnostic(`${added.length} acknowledged, ${cut} refused with 503`)
})
