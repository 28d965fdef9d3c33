import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { isUnavailable } from '../../../src/database/index.ts'
import { IN_TIME, inTime } from '../../../src/database/postgres/deadlines.ts'
import {
  createPool,
  type Param,
  type Pool,
  type PoolOptions,
  type RunSql,
} from '../../../src/database/postgres/pool.ts'
import { createReads } from '../../../src/members/postgres/read.ts'
import { tablesOf } from '../../../src/members/postgres/tables.ts'
import type { Problem } from '../../../src/problem.ts'
import { type Look, type Middleman, startMiddleman } from '../../support/middleman.ts'
import { onPostgres, postgresUrl } from '../../support/postgres.ts'

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

async function refusal(answer: Promise<unknown>): Promise<Problem> {
  const error = await answer.then(
    () => assert.fail('It was answered.'),
    (thrown: unknown) => thrown,
  )
  assert.ok(isUnavailable(error), String(error))
  assert.ok('retryAfterSeconds' in error.values, error.code)
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
      assert.ok(isUnavailable(error), String(error))
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

  test('never gives an answer to another statement than its own, wherever a connection is cut', async (t) => {
    let isArmed = true
    // The row has arrived, the end of the answer has not.
    const answer: Look = (data, cut) => {
      if (!isArmed) return data
      if (!data.includes('xxxxxxxx')) return data
      isArmed = false
      setTimeout(cut, 20)
      return data.subarray(0, -10)
    }
    const middleman = await startMiddleman(t, postgresUrl(), { answer })
    const pool = createPool(middleman.through(postgresUrl()), {
      connections: 1,
      pipeline: 100,
      limitMs: 1_000,
    })
    t.after(() => pool.close())
    const cut = refusal(pool.run("SELECT repeat('x', 100) || $1::text", ['']))
    // While the first is described they wait in the driver.
    const others = [1, 2, 3].map((n) =>
      pool.run('SELECT $1::int', [n]).then(
        (rows) => assert.deepEqual(rows, [[n]]),
        (error: unknown) => assert.ok(isUnavailable(error), String(error)),
      ),
    )
    await Promise.all([cut, ...others])
    await recovery(pool)
  })

  test('of several addresses too, what was lost is refused, not answered with nothing', async (t) => {
    let isArmed = true
    const request: Look = (data, cut) => {
      if (!isArmed || !data.includes('the one')) return data
      isArmed = false
      cut()
      return undefined
    }
    const [first, second] = [
      await startMiddleman(t, postgresUrl(), { request }),
      await startMiddleman(t, postgresUrl(), { request }),
    ]
    const pool = createPool(severalAddresses(first, second), {
      connections: 1,
      pipeline: 100,
      limitMs: 1_000,
    })
    t.after(() => pool.close())
    await refusal(pool.run("SELECT 'the one', $1::int", [1]))
    await recovery(pool)
  })

  for (const fault of ['hold', 'refuse'] as const) {
    test(`leaves an address that has become unreachable (${fault}) for the next one`, async (t) => {
      const [first, second] = [await startMiddleman(t, postgresUrl()), await startMiddleman(t, postgresUrl())]
      const pool = createPool(severalAddresses(first, second), {
        connections: 2,
        pipeline: 100,
        limitMs: 1_250,
      })
      t.after(() => pool.close())
      await one(pool)
      assert.deepEqual([first.accepted() > 0, second.accepted()], [true, 0])
      first[fault]()
      await recovery(pool)
      assert.ok(second.accepted() > 0)
    })
  }

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
    const { pool, middleman } = await open(t, { limitMs: 1_000 })
    const begin = () => pool.transaction(({ run }) => run('SELECT 1'), 'long')
    await begin()
    middleman.hold()
    // On the connection that there was, and on those that cannot be opened.
    for (let round = 0; round < 2; round++) {
      const refusals = await Promise.all(Array.from({ length: 8 }, () => refusal(begin())))
      // Those that have waited are refused with the one that they waited for.
      assert.ok(new Set(refusals).size <= 4, refusals.join('\n'))
    }
    middleman.release()
    await recovery(pool)
    assert.deepEqual(await begin(), [[1]])
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

  test('carries nothing out outside of a transaction whose connection was cut', async (t) => {
    const table = await newTable(t)
    let isCut = false
    const request: Look = (data, cut) => {
      if (!isCut && data.includes('INSERT')) {
        isCut = true
        setTimeout(cut, 50)
        return undefined
      }
      return data
    }
    const middleman = await startMiddleman(t, postgresUrl(), { request })
    const pool = createPool(middleman.through(postgresUrl()), {
      connections: 1,
      pipeline: 10,
      limitMs: 1_000,
    })
    t.after(() => pool.close())
    await refusal(
      pool.transaction(({ run }) =>
        // All at once: while the first is described the others wait in the driver.
        Promise.all([1, 2, 3].map((n) => run(`INSERT INTO ${table} VALUES ($1::int) -- ${n}`, [n]))),
      ),
    )
    await recovery(pool)
    const seen = await onPostgres(postgresUrl(), `SELECT * FROM ${table}`)
    assert.equal(seen.length, 0, JSON.stringify(seen))
  })

  test('does not knock without a pause where it is let in and thrown out', async (t) => {
    let accepted = 0
    const closer = createServer((socket) => {
      accepted += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => closer.listen(0, '127.0.0.1', resolve))
    t.after(() => closer.close())
    const { port } = closer.address() as AddressInfo
    const url = Object.assign(new URL(postgresUrl()), { port: String(port) }).href
    const pool = createPool(url, { connections: 2, pipeline: 100, limitMs: 1_000 })
    t.after(() => pool.close())
    for (let n = 0; n < 3; n += 1) await refusal(one(pool))
    assert.ok(accepted < 60, String(accepted))
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

function severalAddresses(first: Middleman, second: Middleman): string {
  const { username, password } = new URL(postgresUrl())
  const hosts = `127.0.0.1:${first.port},127.0.0.1:${second.port}`
  return `postgres://${username}:${password}@${hosts}/postgres?target_session_attrs=read-write`
}

/** Of numbers, removed with the test. */
async function newTable(t: TestContext): Promise<string> {
  const schema = `test_${randomBytes(8).toString('hex')}`
  await onPostgres(postgresUrl(), `CREATE SCHEMA ${schema} CREATE TABLE seen (n int)`)
  await onPostgres(postgresUrl(), IN_TIME.replace('in_time', `${schema}.in_time`))
  t.after(() => onPostgres(postgresUrl(), `DROP SCHEMA ${schema} CASCADE`))
  return `${schema}.seen`
}

/** With the functions of the schema that the table is in. */
const sessionIn = (table: string) => ({ search_path: table.split('.')[0] as string })

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

test('members that are asked for in one turn of the event loop are one statement, and each is answered', async () => {
  const statements: string[] = []
  const run = (async (_, [ids = '']: readonly Param[] = []) => {
    statements.push(`${ids}`)
    return ['a', 'c"\\'].map((id, index) => [id, index + 1, ',"name":"x"', '', null, index])
  }) as RunSql
  const quick = { run } as Pool
  const { find } = createReads({ quick, slow: quick }, 1_000, () => tablesOf(1, []))
  const found = await Promise.all(['a', 'b', 'c"\\', 'a', 'with \0'].map((id) => find('Thing', id)))
  assert.deepEqual(
    found.map((member) => member?.version),
    [1, undefined, 2, 1, undefined],
  )
  assert.deepEqual(statements, ['{"a","b","c\\"\\\\"}'])
  await find('Thing', 'a')
  assert.equal(statements.length, 2, 'what is asked for later is not answered from before')
})
