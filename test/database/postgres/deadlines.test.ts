import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { inTime } from '../../../src/database/postgres/deadlines.ts'
import { createPool, type Pool } from '../../../src/database/postgres/pool.ts'
import { type Look, startMiddleman } from '../../support/middleman.ts'
import { onPostgres, postgresUrl } from '../../support/postgres.ts'
import { newTable, open, recovery, refusal, sessionIn } from './troubled-pool.ts'

describe('a pool whose answers are late', { timeout: 30_000 }, () => {
  const WRITES: Readonly<Record<string, (pool: Pool, text: string) => Promise<unknown>>> = {
    'a statement': (pool, text) => pool.write(`${text} SELECT 1 WHERE ${inTime(1)}`),
    'a transaction': (pool, text) => pool.transaction(({ run }) => run(`${text} VALUES (1)`)),
    'a transaction before there is a schema': (pool, text) =>
      pool.transaction(({ run }) => run(`${text} VALUES (1)`)),
  }
  for (const [what, write] of Object.entries(WRITES)) {
    test(`says of ${what} whose answer did not come that it may have been carried out; too late, it is not`, async (t) => {
      const table = await newTable(t)
      // Held is the statement, which has been prepared, or the commit.
      const held = Promise.withResolvers<void>()
      let isArmed = false
      const request: Look = (data) => {
        if (isArmed && (what === 'a statement' || data.includes('COMMIT'))) {
          middleman.hold()
          held.resolve()
        }
        return data
      }
      const middleman = await startMiddleman(t, postgresUrl(), { request })
      const pool = createPool(middleman.through(postgresUrl()), {
        connections: 1,
        pipeline: 100,
        limitMs: 500,
        hasSchema: !what.endsWith('schema'),
        session: sessionIn(table),
      })
      t.after(() => pool.close())
      await write(pool, `INSERT INTO ${table}`)
      isArmed = true
      const answer = write(pool, `INSERT INTO ${table}`)
      await held.promise
      await assert.rejects(answer, { code: 'OutcomeUnknown', values: {} })
      isArmed = false
      middleman.release()
      await recovery(pool)
      await wait(200)
      assert.equal((await onPostgres(postgresUrl(), `SELECT * FROM ${table}`)).length, 1)
    })
  }

  test('says of a write that was not sent that it is to be tried again, and does not send it later', async (t) => {
    const table = await newTable(t)
    const { pool, middleman } = await open(t, { session: sessionIn(table) })
    middleman.hold()
    for (const write of Object.values(WRITES)) await refusal(write(pool, `INSERT INTO ${table}`))
    middleman.release()
    await recovery(pool)
    assert.equal((await onPostgres(postgresUrl(), `SELECT * FROM ${table}`)).length, 0)
  })

  test('writes on where the clock of PostgreSQL has been set', async (t) => {
    const table = await newTable(t)
    const { pool } = await open(t, { session: sessionIn(table) })
    const write = () => pool.write(`INSERT INTO ${table} SELECT 1 WHERE ${inTime(1)}`)
    await write()
    // The same to whoever compares both: this host's clock stands behind.
    const { now } = performance
    t.mock.method(performance, 'now', () => now.call(performance) - 60_000)
    await write()
    assert.equal((await onPostgres(postgresUrl(), `SELECT * FROM ${table}`)).length, 2)
  })
})
