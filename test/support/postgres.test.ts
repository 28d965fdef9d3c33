import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import { dropSchema, postgresUrl } from './postgres.ts'

test('a schema is dropped also where a service that is still at work would be in a deadlock with that', async () => {
  const url = postgresUrl()
  const [sql, other] = [postgres(url, { max: 1 }), postgres(url, { max: 1, onnotice: () => {} })]
  try {
    await sql.unsafe('CREATE SCHEMA test_deadlock CREATE TABLE a (id int) CREATE TABLE b (id int)')
    let dropped: Promise<void> | undefined
    const isWaiting = async () =>
      (
        await other`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DROP SCHEMA%test_deadlock%'`
      ).length > 0
    // Whichever table is dropped first, the other one is locked already.
    await sql
      .begin(async (tx) => {
        await tx.unsafe('LOCK TABLE test_deadlock.b IN ACCESS SHARE MODE')
        dropped = dropSchema(url, 'test_deadlock')
        while (!(await isWaiting()));
        // The one that has waited for a second finds the deadlock: the removal.
        await tx.unsafe("SET LOCAL deadlock_timeout = '20s'")
        await tx.unsafe('LOCK TABLE test_deadlock.a IN ACCESS SHARE MODE')
      })
      .catch(() => {})
    await dropped
    assert.equal((await other`SELECT to_regnamespace('test_deadlock') AS place`)[0]?.place, null)
  } finally {
    await Promise.all([sql.end(), other.end()])
  }
})
