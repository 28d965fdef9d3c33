import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newPostgres } from '../support/postgres.ts'
import { serve } from '../support/service.ts'

/** What a host is told of its clock whose time is so far from that of the database's host. */
async function warnings(t: TestContext, aheadMs: number): Promise<string[]> {
  const { logged } = await serve(t, { db: newPostgres(t), time: { now: Date.now() + aheadMs } })
  return logged.filter((line) => line.includes('clock'))
}

// contract: Hosts are expected to agree within 2 s
test("a clock more than 2 s from that of PostgreSQL's host is warned about at start, in either direction", async (t) => {
  const [ahead = '', ...moreAhead] = await warnings(t, 60_000)
  assert.match(ahead, /"level":"warn".*ahead of that of the database's host/)
  assert.deepEqual(moreAhead, [])
  const [behind = '', ...moreBehind] = await warnings(t, -60_000)
  assert.match(behind, /"level":"warn".*behind that of the database's host/)
  assert.deepEqual(moreBehind, [])
})

test("a clock that agrees with that of PostgreSQL's host is not warned about", async (t) => {
  const { logged } = await serve(t, { db: newPostgres(t) })
  assert.deepEqual(
    logged.filter((line) => line.includes('clock')),
    [],
  )
})
