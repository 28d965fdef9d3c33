import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import { createPool, type RunSql } from '../../../src/database/postgres/pool.ts'
import { FIRST_MEMBER, type MemberStore, type TransactionStep } from '../../../src/members/index.ts'
import { createReads } from '../../../src/members/postgres/read.ts'
import { tablesOf } from '../../../src/members/postgres/tables.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { select } from '../../support/shapes.ts'
import { inSoak } from '../../support/soak.ts'
import { openFor } from '../../support/stores.ts'
import { book, open, SHAPES } from './books.ts'

test('every transaction that writes to a class raises its state, and no other does', async (t) => {
  const { store, url, number } = await open(t)
  const added: TransactionStep = { kind: 'add', className: 'Book', member: book('d') }
  const steps: readonly (readonly [name: string, isRaised: boolean, work: () => Promise<unknown>])[] = [
    ['an add', true, () => store.add('Book', book('a'))],
    ['a read', false, async () => [await store.find('Book', 'a'), await store.list('Book', select({}))]],
    ['a change', true, () => store.change('Book', 'a', undefined, () => book('a', { isbn: '1' }))],
    ['another class', false, () => store.add('Author', book('ann'))],
    ['bulk data', true, () => store.addAll([{ className: 'Book', member: book('b') }])],
    ['a batch', true, () => store.writeAll([added])],
    [
      'a page as it would be',
      false,
      () => store.listAfter([{ ...added, member: book('e') }], 'Book', FIRST_MEMBER),
    ],
    ['a removal', true, () => store.remove('Book', 'a', undefined)],
    // As another version of Hydrant writes, which knows nothing of states.
    [
      'a statement of others',
      true,
      () => onPostgres(url, `UPDATE members_${number} SET version = version + 1`),
    ],
  ]
  for (const [name, isRaised, work] of steps) {
    const before = await store.state('Book')
    assert.ok(before !== undefined)
    await work()
    assert.equal((await store.state('Book')) !== before, isRaised, name)
  }
})

/** The state is that of some connections. */
const writesOf = async (store: MemberStore): Promise<number> =>
  Number(String(await store.state('Book')).split('.')[1])

test('a transaction that writes many times raises the state once, also behind a savepoint', async (t) => {
  const { store, url, number } = await open(t)
  const table = `members_${number}`
  const before = await writesOf(store)
  const sql = postgres(url, { max: 1, fetch_types: false })
  t.after(() => sql.end())
  await sql.begin(async (within) => {
    for (let index = 0; index < 3; index += 1) await within.unsafe(`UPDATE ${table} SET version = version`)
    await within.unsafe('SAVEPOINT one')
    await within.unsafe(`UPDATE ${table} SET version = version`)
    await within.unsafe('ROLLBACK TO SAVEPOINT one')
  })
  assert.equal(await writesOf(store), before + 1)
  await sql.begin(async (within) => {
    await within.unsafe('SAVEPOINT one')
    await within.unsafe(`UPDATE ${table} SET version = version`)
    await within.unsafe('ROLLBACK TO SAVEPOINT one')
    await within.unsafe(`UPDATE ${table} SET version = version`)
  })
  assert.equal(await writesOf(store), before + 2)
})

test('writers of one class do not wait for each other because of its state', async (t) => {
  const { store, url, number } = await open(t)
  const table = `members_${number}`
  const before = await writesOf(store)
  // More than there are slots of other numbers: some have the same number to begin with.
  const writers = Array.from({ length: 40 }, () => postgres(url, { max: 1, fetch_types: false }))
  t.after(() => Promise.all(writers.map((sql) => sql.end())))
  const { promise: allHaveWritten, resolve } = Promise.withResolvers<void>()
  let opened = 0
  await Promise.all(
    writers.map((sql) =>
      sql.begin(async (within) => {
        await within.unsafe("SET LOCAL lock_timeout = '5s'")
        await within.unsafe(`DELETE FROM ${table} WHERE false`)
        opened += 1
        if (opened === writers.length) resolve()
        await allHaveWritten
      }),
    ),
  )
  assert.equal(await writesOf(store), before + writers.length)
})

test('a look that begins after a write was acknowledged sees another state, however many write', async (t) => {
  const url = newPostgres(t)
  const hosts = [await openFor(t, url, SHAPES), await openFor(t, url, SHAPES)].map(({ members }) => members)
  const [one, other] = hosts as [(typeof hosts)[0], (typeof hosts)[0]]
  await one.add('Book', book('b'))
  const write = async (writer: number) => {
    for (let round = 0; round < inSoak(300, 20); round += 1) {
      const [here, there] = round % 2 === 0 ? [one, other] : [other, one]
      const before = await there.state('Book')
      const id = `b-${writer}-${round}`
      await (writer % 2 === 0
        ? here.add('Book', book(id))
        : here.change('Book', 'b', undefined, () => book('b')))
      assert.notEqual(await there.state('Book'), before)
      if (writer % 2 === 0) assert.ok((await there.find('Book', id)) !== undefined)
    }
  }
  await Promise.all([0, 1, 2, 3, 4, 5].map(write))
})

// contract: A page or member that is asked for again
test('members that are asked for again cost one statement for all of a turn', async (t) => {
  const { store, url, number } = await open(t)
  for (const id of ['a', 'b', 'c']) await store.add('Book', book(id))
  const pool = createPool(url, { connections: 2, limitMs: 5_000 })
  t.after(() => pool.close())
  let statements: string[] = []
  const run: RunSql = (text, params) => {
    statements.push(text)
    return pool.run(text, params)
  }
  const tables = tablesOf(number, [])
  const reads = createReads({ quick: { run }, slow: { run } }, 1_000, () => tables)
  const readAll = async () => {
    statements = []
    const ids = ['a', 'b', 'c', 'a']
    const [state, ...found] = await Promise.all([
      reads.state('Book'),
      ...ids.map((id) => reads.find('Book', id)),
    ])
    assert.deepEqual(
      found.map((member) => member?.id),
      ids,
    )
    assert.match(String(state), /^0\.\d+$/)
    return statements.length
  }
  await readAll()
  await readAll()
  assert.equal(await readAll(), 1)
  assert.match(statements[0] ?? '', /class_states/)
  await store.change('Book', 'b', undefined, () => book('b', { isbn: '7' }))
  // The look that was in vain, and the members; then the members with the state; then the look alone.
  assert.equal(await readAll(), 2)
  assert.equal(await readAll(), 2)
  assert.equal(await readAll(), 1)
})

test('a database of a version that knew no states gets them, and its classes are kept', async (t) => {
  const { store, url } = await open(t)
  await store.add('Book', book('a'))
  await onPostgres(
    url,
    'DROP TABLE class_states; DROP FUNCTION raise_state, keep_state, keep_state_of_new CASCADE',
  )
  // A host of that version goes on writing, and others have no states until one of them has upgraded.
  await store.add('Book', book('b'))
  await onPostgres(url, "DELETE FROM settings WHERE name = 'postgres_schema'")
  const { members } = await openFor(t, url, SHAPES)
  const before = await members.state('Book')
  assert.match(String(before), /^0\.\d+$/)
  await store.add('Book', book('c'))
  assert.notEqual(await members.state('Book'), before)
})
