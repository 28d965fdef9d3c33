import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { describe, test } from 'node:test'
import { isUnavailable } from '../../../src/database/index.ts'
import { createPool } from '../../../src/database/postgres/pool.ts'
import { type Look, type Middleman, startMiddleman } from '../../support/middleman.ts'
import { onPostgres, postgresUrl } from '../../support/postgres.ts'
import { newTable, one, recovery, refusal } from './troubled-pool.ts'

describe('a pool that loses connections', { timeout: 30_000 }, () => {
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
})

function severalAddresses(first: Middleman, second: Middleman): string {
  const { username, password } = new URL(postgresUrl())
  const hosts = `127.0.0.1:${first.port},127.0.0.1:${second.port}`
  return `postgres://${username}:${password}@${hosts}/postgres?target_session_attrs=read-write`
}
