import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { isUnavailable } from '../../../src/database/index.ts'
import { IN_TIME } from '../../../src/database/postgres/deadlines.ts'
import { createPool, type Pool, type PoolOptions } from '../../../src/database/postgres/pool.ts'
import type { Problem } from '../../../src/problem.ts'
import { type Middleman, startMiddleman } from '../../support/middleman.ts'
import { onPostgres, postgresUrl } from '../../support/postgres.ts'

/** Connections through somebody who makes trouble. */
export async function open(
  t: TestContext,
  options: Partial<PoolOptions> = {},
): Promise<{ pool: Pool; middleman: Middleman }> {
  const middleman = await startMiddleman(t, postgresUrl())
  const pool = createPool(middleman.through(postgresUrl()), {
    connections: 2,
    pipeline: 100,
    limitMs: 500,
    ...options,
  })
  t.after(() => pool.close())
  return { pool, middleman }
}

export async function refusal(answer: Promise<unknown>): Promise<Problem> {
  const error = await answer.then(
    () => assert.fail('It was answered.'),
    (thrown: unknown) => thrown,
  )
  assert.ok(isUnavailable(error), String(error))
  assert.ok('retryAfterSeconds' in error.values, error.code)
  return error
}

export const one = (pool: Pool) => pool.run<[number]>('SELECT $1::bigint', [1])

/** Until the pool works again, which it does by itself; bounded by the time limit of the tests. */
export async function recovery(pool: Pool): Promise<void> {
  for (;;) {
    try {
      assert.deepEqual(await one(pool), [[1]])
      return
    } catch (error) {
      assert.ok(isUnavailable(error), String(error))
    }
  }
}

/** A table of numbers, removed with the test. */
export async function newTable(t: TestContext): Promise<string> {
  const schema = `test_${randomBytes(8).toString('hex')}`
  await onPostgres(postgresUrl(), `CREATE SCHEMA ${schema} CREATE TABLE seen (n int)`)
  await onPostgres(postgresUrl(), IN_TIME.replace('in_time', `${schema}.in_time`))
  t.after(() => onPostgres(postgresUrl(), `DROP SCHEMA ${schema} CASCADE`))
  return `${schema}.seen`
}

/** With the functions of the schema that the table is in. */
export const sessionIn = (table: string) => ({ search_path: table.split('.')[0] as string })
