import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { HttpError } from '../../src/errors.ts'
import { createPool, type Pool, type PoolOptions } from '../../src/store/postgres/pool.ts'
import { type Middleman, startMiddleman } from '../support/middleman.ts'
import { onPostgres, postgresUrl } from '../support/postgres.ts'

/** Connections through somebody who makes trouble. */
async function open(
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

async function refusal(answer: Promise<unknown>): Promise<HttpError> {
  const error = await answer.then(
    () => assert.fail('It was answered.'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof HttpError, String(error))
  assert.equal(error.status, 503)
  assert.equal(error.headers[0], 'Retry-After')
  return error
}

const one = (pool: Pool) => pool.run<[number]>('SELECT $1::bigint', [1])

/** Until the pool works again, which it does by itself; bounded by the time limit of the tests. */
async function recovery(pool: Pool): Promise<void> {
  for (;;) {
    try {
      assert.deepEqual(await one(pool), [[1]])
      return
    } catch (error) {
      assert.ok(error instanceof HttpError, String(error))
    }
  }
}

describe('a pool of connections', { timeout: 30_000 }, () => {
  test('answers rows as arrays, and bigint as a number', async (t) => {
    const { pool } = await open(t)
    assert.deepEqual(await pool.run('SELECT $1::text, $2::bigint, NULL', ['a', 9_007_199_254_740_991]), [
      ['a', 9_007_199_254_740_991, null],
    ])
  })

  test('sends many statements over few connections', async (t) => {
    const { pool, middleman } = await open(t)
    const all = await Promise.all(Array.from({ length: 200 }, (_, n) => pool.run('SELECT $1::int', [n])))
    assert.deepEqual(
      all.map(([row]) => row?.[0]),
      all.map((_, n) => n),
    )
    assert.ok(middleman.connections() <= 2, String(middleman.connections()))
  })

  test('answers 503 for what was under way when its connection was cut, and works again', async (t) => {
    const { pool, middleman } = await open(t)
    await one(pool)
    const slow = refusal(pool.run('SELECT pg_sleep(5)'))
    await waitForStatement('SELECT pg_sleep(5)')
    middleman.cut()
    assert.match((await slow).message, /cannot be reached/)
    await recovery(pool)
  })

  test('answers 503 while nobody listens, and works again afterwards', async (t) => {
    const { pool, middleman } = await open(t)
    await one(pool)
    middleman.refuse()
    for (let n = 0; n < 5; n += 1) await refusal(one(pool))
    await middleman.accept()
    await recovery(pool)
  })

  test('answers 503 when the other end is silent, replaces the connections and works again', async (t) => {
    const { pool, middleman } = await open(t)
    await one(pool)
    middleman.hold()
    const [first] = await Promise.all([refusal(one(pool)), refusal(one(pool)), refusal(one(pool))])
    assert.match(first.message, /does not answer/)
    // What was sent into the silence may still be carried out; nobody is told of it any more.
    middleman.release()
    await recovery(pool)
  })

  test('answers 503 when answers are slow, and works again when they are not', async (t) => {
    const { pool, middleman } = await open(t)
    await one(pool)
    middleman.delay(2_000)
    await refusal(one(pool))
    middleman.delay(0)
    await recovery(pool)
  })

  test('undoes a transaction whose work throws, and throws the same', async (t) => {
    const { pool } = await open(t)
    const thrown = new Error('no')
    await assert.rejects(
      pool.transaction(async ({ script }) => {
        await script('CREATE TABLE pg_temp.undone (id int)')
        throw thrown
      }),
      thrown,
    )
    assert.deepEqual(await pool.run("SELECT to_regclass('pg_temp.undone')::text"), [[null]])
  })

  test('answers 503 for a transaction whose connection was cut', async (t) => {
    const { pool, middleman } = await open(t)
    await refusal(
      pool.transaction(async ({ run }) => {
        await run('SELECT 1')
        middleman.cut()
        await run('SELECT 1')
      }),
    )
    await recovery(pool)
  })

  test('closes while the other end is silent', async (t) => {
    const { pool, middleman } = await open(t)
    await one(pool)
    middleman.hold()
    const silent = refusal(one(pool))
    await pool.close()
    await silent
    assert.match((await refusal(one(pool))).message, /being closed/)
  })
})

/** Until the server carries it out. */
async function waitForStatement(text: string): Promise<void> {
  for (;;) {
    const found = await onPostgres(
      postgresUrl(),
      "SELECT 1 FROM pg_stat_activity WHERE query = $1 AND state = 'active'",
      [text],
    )
    if (found.length > 0) return
  }
}
