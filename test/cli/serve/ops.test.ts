import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { hashParaphrase } from '../../../src/auth/index.ts'
import { createReadiness } from '../../../src/service/ops.ts'
import { startClient, stepB } from '../../support/client.ts'
import { parseResponses, sendRaw } from '../../support/raw.ts'
import { assertRefused, folderWithApi, freePort, hydrant, inStore, serveIn } from '../command.ts'
import { ask, metric, opsOf, until } from '../ops.ts'

const PARAPHRASE = 'open sesame'

test('the port for health', async (t) => {
  // No figure among the metrics has so many digits by chance.
  const user = 471_147_114_711
  const folder = folderWithApi(t)
  await inStore(folder, async (store) =>
    store.addUser({ id: user, paraphraseHash: await hashParaphrase(PARAPHRASE) }, 0),
  )
  const server = await serveIn(t, folder, ['--ops-port', '0', '--user-failures', '2/5m'])
  const [client, ops] = [startClient(server), opsOf(server)]
  let token = ''

  // contract: `--ops-port` ¦
  await t.test(
    'metrics count requests by method and status and exchanges by outcome, and name nobody',
    async () => {
      assert.equal(await metric(ops, 'hydrant_exchanges_total{outcome="right"}'), 0)

      token = await client.signIn(user, PARAPHRASE)
      const headers = { 'X-Authorization': token }
      for (let count = 0; count < 3; count += 1) await client.send('GET', '/books?title=secret', headers)
      await client.send('GET', '/nothing/of-that-kind', headers)
      await client.send('PROPFIND', '/books', headers)
      // The third is refused: two wrong ones are the limit.
      for (let count = 0; count < 3; count += 1)
        await client.send('GET', '/', stepB(await client.nonce(), user, 'wrong'))

      const expected = {
        // With the one of the sign-in.
        'hydrant_requests_total{method="GET",status="200"}': 4,
        'hydrant_requests_total{method="GET",status="404"}': 1,
        'hydrant_requests_total{method="other",status="405"}': 1,
        'hydrant_requests_total{method="GET",status="429"}': 1,
        // Four of step A, and two wrong paraphrases.
        'hydrant_requests_total{method="GET",status="401"}': 6,
        hydrant_request_duration_seconds_count: 13,
        'hydrant_exchanges_total{outcome="right"}': 1,
        'hydrant_exchanges_total{outcome="wrong"}': 2,
        'hydrant_exchanges_total{outcome="throttled"}': 1,
        'hydrant_exchanges_total{outcome="busy"}': 0,
        hydrant_hashes_running: 0,
        hydrant_hashes_waiting: 0,
        hydrant_processes: 1,
      }
      for (const [name, value] of Object.entries(expected)) assert.equal(await metric(ops, name), value, name)
      const { text } = await ask(ops, '/metrics')
      for (const secret of [String(user), 'books', '127.0.0.1', 'PROPFIND'])
        assert.ok(!text.includes(secret), secret)
    },
  )

  // contract: `--ops-port` ¦
  await t.test(
    'health, readiness and metrics have a port of their own on loopback, without authentication',
    async () => {
      assert.match(ops, /^http:\/\/127\.0\.0\.1:\d+$/)
      assert.deepEqual(await ask(ops, '/healthz'), { status: 200, text: 'ok\n' })
      assert.deepEqual(await ask(ops, '/readyz?verbose'), { status: 200, text: 'ready\n' })
      const metrics = await fetch(`${ops}/metrics`)
      assert.equal(metrics.status, 200)
      assert.equal(metrics.headers.get('Content-Type'), 'text/plain; version=0.0.4; charset=utf-8')
      assert.match(await metrics.text(), /^process_cpu_seconds_total \d/m)
      for (const path of ['/healthz', '/readyz', '/metrics']) {
        assert.equal((await client.send('GET', path)).status, 401, 'not on the port of the API')
      }

      // GET and HEAD of what it has, and nothing else.
      const head = await fetch(`${ops}/readyz`, { method: 'HEAD' })
      assert.deepEqual([head.status, head.headers.get('Content-Length'), await head.text()], [200, '6', ''])
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const response = await fetch(`${ops}/metrics`, { method })
        assert.deepEqual([response.status, response.headers.get('Allow')], [405, 'GET, HEAD'])
      }
      for (const path of ['/', '/api', '/healthz/', '/toString', '/metrics/x']) {
        assert.equal((await ask(ops, path)).status, 404, path)
      }
      const huge = `GET /healthz HTTP/1.1\r\nHost: test\r\nX-Much: ${'x'.repeat(17_000)}\r\n\r\n`
      assert.equal((await sendRaw(Number(new URL(ops).port), [huge])).responses[0]?.status, 431)
    },
  )

  // contract: `--ops-port` ¦
  await t.test('while it stops and finishes what is in flight it is healthy, and not ready', async () => {
    const busy = connect(server.port, '127.0.0.1')
    let text = ''
    busy.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    const head = `POST /api/books HTTP/1.1\r\nHost: test\r\nX-Authorization: ${token}\r\nContent-Type: application/json\r\n`
    busy.write(`${head}Content-Length: 13\r\n\r\n{"title"`)
    // Whatever is asked later is answered later: the first half has arrived by now.
    await client.send('GET', '/')

    server.child.kill('SIGTERM')
    await until(async () => (await ask(ops, '/readyz')).status === 503)
    assert.deepEqual(await ask(ops, '/readyz'), { status: 503, text: 'not ready: it is stopping\n' })
    assert.equal((await ask(ops, '/healthz')).status, 200)
    busy.write(':"x"}')
    await once(busy, 'close')
    assert.equal(parseResponses(text)[0]?.status, 201)
    assert.equal(await server.ended, 0)
    await assert.rejects(ask(ops, '/healthz'))
  })
})

test('on another address where one is named; where its database file is removed it is not ready, and the log says why in one line', async (t) => {
  const folder = folderWithApi(t)
  const server = await serveIn(t, folder, ['--ops-port', '127.0.0.2:0', '--no-auth'])
  const ops = opsOf(server)
  assert.match(ops, /^http:\/\/127\.0\.0\.2:\d+$/)
  assert.equal((await ask(ops, '/readyz')).status, 200)
  rmSync(join(folder, 'hydrant.db'))
  const text = 'not ready: the database file was replaced, removed or written over\n'
  assert.deepEqual(await ask(ops, '/readyz'), { status: 503, text })
  assert.equal((await startClient(server).send('GET', '/books')).status, 503)
  assert.deepEqual(await ask(ops, '/readyz'), { status: 503, text })
  assert.equal((await ask(ops, '/healthz')).status, 200)
  assert.equal(await server.stop(), 0)
  const lines = server.output().split('\n')
  assert.equal(lines.filter((line) => line.includes('the database file was replaced, removed')).length, 1)
})

test('it is not ready before it serves, nor while the store does not answer or something is problem', async () => {
  const readiness = createReadiness('it is starting')
  assert.equal(await readiness.findProblem(), 'it is starting')
  let reachable: () => Promise<void> = async () => {}
  let problem: string | undefined
  readiness.setReady({ reachable: () => reachable(), problem: () => problem })
  assert.equal(await readiness.findProblem(), undefined)
  reachable = () => Promise.reject(new Error('hush at db.example.org'))
  assert.equal(await readiness.findProblem(), 'the database cannot be reached')
  reachable = () => new Promise(() => {})
  assert.equal(await readiness.findProblem(), 'the database does not answer')
  reachable = async () => readiness.setNotReady('it is stopping')
  assert.equal(await readiness.findProblem(), 'it is stopping')
  readiness.setReady({ reachable: async () => {}, problem: () => problem })
  problem = 'no worker serves'
  assert.equal(await readiness.findProblem(), 'no worker serves')
})

test('where the port for health is taken, or that of the API, nothing is served', async (t) => {
  const folder = folderWithApi(t)
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const taken = await hydrant(['serve', '--port', '0', '--ops-port', String(port)], { cwd: folder })
  assertRefused(taken, 1, `${port} of 127.0.0.1`, '--ops-port')
  const elsewhere = await hydrant(['serve', '--port', '0', '--ops-port', `192.0.2.1:${port}`], {
    cwd: folder,
  })
  assertRefused(elsewhere, 1, '192.0.2.1 ', '--ops-port')
  const free = String(await freePort())
  const same = await hydrant(['serve', '--port', free, '--ops-port', `0.0.0.0:${free}`], { cwd: folder })
  assertRefused(same, 2, '--ops-port: ')
})
