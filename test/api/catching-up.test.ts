import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { execute, newDatabase } from '../support/databases.ts'
import { inSoak } from '../support/soak.ts'
import { openStream } from '../support/streams.ts'
import { compareTimes } from '../support/timing.ts'
import { serveSignedIn } from './signed-in.ts'

const CHANGES = inSoak(20_000, 8_000)
const STREAMS = 6

test('streams that catch up read no more than one page of the log in a turn, and a bystander waits for no more', async (t) => {
  const service = await serveSignedIn(t, { db: newDatabase(t) })
  const { base, get, client, store } = service
  const { view } = (await get('/events')).json() as unknown as { view: { next: string } }
  const start = view.next.split('after=')[1] ?? ''
  await execute(service.db, {
    sqlite: `WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${CHANGES})
      INSERT INTO changes (class, id, kind, version, at)
      SELECT iif(n % 100 = 0, 'Book', 'Author'), n, 1, n, ${Date.now()} FROM s`,
    postgres: `INSERT INTO new_changes (class, id, kind, version, at)
      SELECT CASE WHEN n % 100 = 0 THEN 'Book' ELSE 'Author' END, n, 1, n, ${Date.now()}
      FROM generate_series(1, ${CHANGES}) AS n`,
  })
  const token = await client.signIn()
  const head = `Host: test\r\nAccept: text/event-stream\r\nX-Authorization: ${token}\r\nLast-Event-ID: ${start}\r\n\r\n`
  const path = `${new URL(base).pathname.replace(/\/$/, '')}/events`

  /** Reads a stream up to a text, as cheaply as can be: the client runs in the same process. */
  const readUpTo = (query: string, last: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(service.port, '127.0.0.1')
      let tail = ''
      socket.on('error', reject)
      socket.on('data', (bytes: Buffer) => {
        tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 1_000))).slice(-1_000)
        if (tail.includes('HTTP/1.1 503')) socket.destroy(new Error(tail))
        else if (tail.includes(last)) socket.destroy()
      })
      socket.on('close', () => resolve())
      socket.write(`GET ${path}${query} HTTP/1.1\r\n${head}`)
    })

  let [inTurn, most, all] = [0, 0, 0]
  const { after } = store.changes
  const counted: typeof after = async (...args) => {
    const page = await after(...args)
    if (args[1] < 1_000) {
      inTurn += page.changes.length
      all += page.changes.length
    }
    most = Math.max(most, inTurn)
    return page
  }
  Object.assign(store.changes, { after: counted })

  /**
   * What catching up takes of the processor, and the most of a turn of the event loop, for which a bystander waits. Not the
   * time that passes: other programs add to that.
   */
  async function catchUp(query: string, last: string) {
    const usedMs = (since?: NodeJS.CpuUsage) => {
      const { user, system } = process.cpuUsage(since)
      return (user + system) / 1_000
    }
    const started = process.cpuUsage()
    let isOver = false
    const streams = Array.from({ length: STREAMS }, () => readUpTo(query, last))
    const caughtUp = Promise.all(streams).finally(() => {
      isOver = true
    })
    let worst = 0
    while (!isOver) {
      const before = process.cpuUsage()
      await nextTurn()
      inTurn = 0
      worst = Math.max(worst, usedMs(before))
    }
    await caughtUp
    return { worst, whole: usedMs(started) }
  }

  let least = 1
  await compareTimes(async () => {
    const { worst, whole } = await catchUp('', `/authors/${CHANGES - 1}"`)
    least = Math.min(least, worst / whole)
    // A stream that took no turns would make a bystander wait for a sixth of it at least.
    assert.ok(least < 1 / 10, `${worst} ms of ${whole} ms`)
  })
  assert.ok(most <= 250, `${most} changes in a turn`)
  all = 0
  const headers = { 'X-Authorization': token, 'Last-Event-ID': start }
  const filtered = Array.from({ length: STREAMS }, () => openStream(service, '?collection=books', headers))
  for (const stream of filtered) await stream.until(1 + CHANGES / 100)
  for (const stream of filtered) stream.cut()
  // What is filtered out is not read.
  assert.ok(all <= (4 * STREAMS * CHANGES) / 100, `${all} changes read`)
})
