import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { onPostgres, postgresUrl } from '../../support/postgres.ts'
import { one, open, recovery, refusal } from './troubled-pool.ts'

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

  test('refuses transactions that wait when it is closed, and leaves no connection open', async (t) => {
    const { pool, middleman } = await open(t)
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const running = pool.transaction(async () => {
      begun.resolve()
      await goOn.promise
    })
    await begun.promise
    const waiting = pool.transaction(async () => assert.fail('It was carried out after the end.'))
    const closed = Promise.all([pool.close(), refusal(waiting)])
    goOn.resolve()
    await running.catch(() => {})
    const [, { code }] = await closed
    assert.equal(code, 'DatabaseClosing')
    while (middleman.connections() > 0) await wait(10)
  })

  test('answers 503 for what was under way when its connection was cut, and works again', async (t) => {
    const { pool, middleman } = await open(t)
    await one(pool)
    const slow = refusal(pool.run('SELECT pg_sleep(5)'))
    await waitForStatement('SELECT pg_sleep(5)')
    middleman.cut()
    assert.equal((await slow).code, 'DatabaseUnreachable')
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
    assert.equal(first.code, 'DatabaseNotAnswering')
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

  test('does not take a transaction that waits for others for a PostgreSQL that is away', async (t) => {
    const lost: unknown[] = []
    const reachability = { lost: (error: unknown) => lost.push(error), answered: () => {} }
    const { pool } = await open(t, { limitMs: 4_000, reachability })
    const [first, ...waiting] = [2_000, 6_000, 6_000].map((ms) => pool.transaction(() => wait(ms, ms)))
    assert.equal(await first, 2_000)
    // One has its connection by now, and too little time; the other has none.
    for (const one of waiting) assert.equal((await refusal(one)).code, 'DatabaseBusy')
    assert.deepEqual(lost, [])
  })

  test('does not let transactions wait for a silent PostgreSQL one after the other', async (t) => {
    // Shorter than the second after which the driver gives up a connection: which of the two comes first must not vary.
    const { pool, middleman } = await open(t, { limitMs: 800 })
    const begin = () => pool.transaction(({ run }) => run('SELECT 1'), 'long')
    await begin()
    middleman.hold()
    const refusedAfter = async (count: number): Promise<number> => {
      const started = performance.now()
      await Promise.all(Array.from({ length: count }, () => refusal(begin())))
      return performance.now() - started
    }
    // On the connection that there was, and on those that cannot be opened.
    const [onOld, onNew] = [await refusedAfter(8), await refusedAfter(8)]
    const alone = await refusedAfter(1)
    assert.ok(Math.max(onOld, onNew) < 5 * alone, `${onOld} and ${onNew} ms for 8, ${alone} ms for one`)
    middleman.release()
    await recovery(pool)
    assert.deepEqual(await begin(), [[1]])
  })

  test('does not let transactions wait one after the other for connections that the driver gives up', async (t) => {
    // Longer than the second after which it does.
    const { pool, middleman } = await open(t, { limitMs: 4_000 })
    const begin = () => pool.transaction(({ run }) => run('SELECT 1'), 'long')
    middleman.hold()
    const started = performance.now()
    await refusal(begin())
    const alone = performance.now() - started
    await Promise.all(Array.from({ length: 8 }, () => refusal(begin())))
    const all = performance.now() - started - alone
    assert.ok(all < 3 * alone, `${all} ms for 8, ${alone} ms for one`)
  })

  test('leaves no connection behind', async (t) => {
    const { pool, middleman } = await open(t)
    for (let n = 0; n < 20; n += 1) {
      const answers = Promise.allSettled([one(pool), one(pool), one(pool)])
      middleman.cut()
      await answers
    }
    await recovery(pool)
    await pool.close()
    while (middleman.connections() > 0) await wait(10)
  })

  test('closes while the other end is silent', async (t) => {
    const { pool, middleman } = await open(t)
    await one(pool)
    middleman.hold()
    const silent = refusal(one(pool))
    await pool.close()
    await silent
    assert.equal((await refusal(one(pool))).code, 'DatabaseClosing')
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
