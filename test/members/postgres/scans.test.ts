import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import postgres, { type Sql } from 'postgres'
import { isUnavailable } from '../../../src/database/index.ts'
import type { Filter } from '../../../src/members/index.ts'
import type { StoreOptions } from '../../../src/store/index.ts'
import { newPostgres } from '../../support/postgres.ts'
import { type Kinds, memberOf, select, shapeOf } from '../../support/shapes.ts'
import { openFor } from '../../support/stores.ts'

const KINDS: Kinds = { title: 'text' }
const contains = (text: string): Filter => ({ property: 'title', test: 'contains', text })
const here = select({ filters: [contains('here')] })

/** `Book` can be locked, so that whoever reads it waits; `Note` cannot. */
async function openLockable(t: TestContext, options: StoreOptions) {
  // Before the tables are removed, which would wait for them.
  const locks: Sql[] = []
  t.after(() => Promise.all(locks.map((sql) => sql.end({ timeout: 0 }))))
  const url = newPostgres(t)
  const { members, close } = await openFor(t, url, [shapeOf('Book', KINDS), shapeOf('Note', KINDS)], options)
  for (const className of ['Book', 'Note'])
    await members.add(className, memberOf(KINDS, 'one', { title: 'it is here' }))
  return { members, close, lock: () => lockBooks(url, locks) }
}

async function lockBooks(url: string, locks: Sql[]): Promise<() => Promise<void>> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false })
  locks.push(sql)
  await sql.unsafe('BEGIN; LOCK TABLE members_1 IN ACCESS EXCLUSIVE MODE')
  return async () => {
    await sql.unsafe('COMMIT')
  }
}

function assertUnavailable(error: unknown): string {
  assert.ok(isUnavailable(error), String(error))
  assert.ok('retryAfterSeconds' in error.values, error.code)
  return error.code
}

test('a scan that PostgreSQL has not done in time gets 503, which says why; pages are read meanwhile', async (t) => {
  const { members, lock } = await openLockable(t, { scanMs: 300 })
  const release = await lock()
  let ended = false
  const scan = assert
    .rejects(
      async () => members.list('Book', here),
      (error) => {
        assert.equal(assertUnavailable(error), 'SearchTooLong')
        return true
      },
    )
    .finally(() => {
      ended = true
    })
  let read = 0
  for (; !ended; read += 1) assert.equal((await members.list('Note', select())).total, 1)
  await scan
  assert.ok(read > 1, String(read))
  await release()
  assert.equal((await members.list('Book', here)).total, 1)
})

test('two scans run at once and a third waits, whatever it looks at', async (t) => {
  const { members, lock } = await openLockable(t, { scanMs: 60_000 })
  const release = await lock()
  const ended: string[] = []
  const scan = async (className: string) => {
    const { total } = await members.list(className, here)
    ended.push(className)
    return total
  }
  const scans = [scan('Book'), scan('Book'), scan('Note')]
  for (let read = 0; read < 50; read += 1) await members.list('Note', select())
  assert.deepEqual(ended, [])
  await release()
  assert.deepEqual(await Promise.all(scans), [1, 1, 1])
  assert.notEqual(ended[0], 'Note')
})

test('of a crowd of scans, those that wait too long and those that are too many get 503; then all is well', async (t) => {
  const { members, lock } = await openLockable(t, { scanMs: 300 })
  const release = await lock()
  const results = await Promise.allSettled(Array.from({ length: 80 }, async () => members.list('Book', here)))
  const codes = results.map((result) => {
    assert.equal(result.status, 'rejected')
    return result.status === 'rejected' ? assertUnavailable(result.reason) : ''
  })
  assert.equal(codes.filter((code) => code === 'TooManySearches').length, 80 - 2 - 64)
  assert.equal(codes.filter((code) => code === 'SearchTooLong').length, 2 + 64)
  await release()
  // The first two may be on their connections still.
  for (let tries = 1; ; tries += 1) {
    const page = await Promise.resolve(members.list('Book', here)).catch((error) => {
      assertUnavailable(error)
      assert.ok(tries < 100)
      return undefined
    })
    if (page === undefined) continue
    assert.equal(page.total, 1)
    break
  }
})

test('a store that is closed while a scan runs and others wait answers them all', async (t) => {
  const { members, close, lock } = await openLockable(t, { scanMs: 500 })
  await lock()
  const scans = Array.from({ length: 4 }, () =>
    assert.rejects(
      async () => members.list('Book', here),
      (error) => assertUnavailable(error) !== '',
    ),
  )
  await close()
  await Promise.all(scans)
  await assert.rejects(async () => members.list('Book', here), { code: 'DatabaseClosing' })
})
