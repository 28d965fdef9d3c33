import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { connect, createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import postgres from 'postgres'
import { hashParaphrase } from '../../src/auth/index.ts'
import { classSchemas } from '../../src/members/conversion/conversion.ts'
import { openStore } from '../../src/store/open.ts'
import { startClient, stepB } from '../support/client.ts'
import { ADDRESSES, assertSignInBesideFlood, FEW_FAILURES } from '../support/flood.ts'
import { newPostgres } from '../support/postgres.ts'
import { createPostgresServer } from '../support/postgres-server.ts'
import { HYDRANT, hydrant as hydrantProcess, start } from '../support/processes.ts'
import { parseResponses } from '../support/raw.ts'
import { API, modelOf } from '../support/service.ts'
import { inSoak } from '../support/soak.ts'
import { makeCertificate } from './certificate.ts'
import { assertRefused, folderWithApi, freePort, hydrant, type Serving, serveIn } from './command.ts'
import { ask, metric, opsOf, until } from './ops.ts'

const PARAPHRASE = 'open sesame'
const paraphraseHash = hashParaphrase(PARAPHRASE)
const TWO = ['--workers', '2', '--ops-port', '0']

/** `hydrant serve --workers 2` on a PostgreSQL of the test's own, with user 1. The URL, which has a password, is no argument. */
async function serveWorkers(
  t: TestContext,
  db: string,
  args: readonly string[] = [],
  folder = folderWithApi(t),
): Promise<Serving> {
  const store = await openStore(db)
  await store.auth.addUser({ id: 1, paraphraseHash: await paraphraseHash }, 0)
  await store.close()
  return serveIn(t, folder, [...TWO, ...args], { HYDRANT_DB: db })
}

interface Line {
  readonly msg: string
  readonly worker?: number
  readonly pid?: number
  readonly [name: string]: unknown
}

/** What it has logged so far; the last line may be half there. */
const linesOf = (server: Serving): Line[] =>
  server
    .stdout()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

/** The processes that serve now, by their numbers, as the log has them. */
function workersOf(server: Serving): number[] {
  const serving = linesOf(server).filter(({ msg }) => msg === 'a worker serves')
  return [1, 2].map((number) => serving.findLast(({ worker }) => worker === number)?.pid ?? 0)
}

/** The lines of requests at a path, by debug. */
const requestsAt = (server: Serving, at: string): Line[] =>
  linesOf(server).filter(({ msg, path }) => msg === 'request' && path === at)

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const HOOKS = `import { writeFileSync } from 'node:fs'
import 'hydrant'
function loop() {
  writeFileSync('looping', '')
  for (;;);
}
export default {
  hooks: {
    Author: { beforeWrite: ({ member }: any) => member.name === 'Loop' ? loop() : { ...member, born: '2000-01-01' } },
  },
}`

test('two workers', async (t) => {
  const db = newPostgres(t)
  const limits = ['--trust-proxy', '127.0.0.1', '--address-failures', FEW_FAILURES]
  // Where both are killed nobody has the port for a moment, so it must be one that no server of another test is given.
  const port = ['--port', String(await freePort())]
  const server = await serveWorkers(t, db, [...port, '--log-level', 'debug', ...limits])
  const [client, ops] = [startClient(server), opsOf(server)]

  /** The workers that have answered so many requests at this path, once the log has all of them. */
  async function answering(path: string, count: number, before = 0): Promise<unknown[]> {
    const answered = () => requestsAt(server, path).slice(before)
    await until(async () => answered().length >= count)
    assert.equal(answered().length, count)
    return [...new Set(answered().map(({ worker }) => worker))].sort()
  }

  // contract: `--workers` ¦
  await t.test('share one port, say once where they listen, and both answer', async () => {
    const headers = {
      'X-Authorization': await client.signIn(1, PARAPHRASE),
      'Content-Type': 'application/json',
    }
    assert.equal((await client.send('POST', '/authors', headers, '{"name": "Ursula"}')).status, 201)
    const pages = await Promise.all(Array.from({ length: 8 }, () => client.send('GET', '/authors', headers)))
    for (const { status, body } of pages) assert.deepEqual([status, body.includes('Ursula')], [200, true])
    assert.deepEqual(await answering('/api/authors', 9), [1, 2])
    assert.equal(linesOf(server).filter(({ msg }) => msg === 'listening').length, 1)
  })

  // contract: `--workers` ¦
  await t.test('of which one is killed are two again, and what was counted stays counted', async () => {
    const counted = () => metric(ops, 'hydrant_requests_total{method="GET",status="401"}')
    const before = Number((await counted()) ?? 0)
    const knock = async () => {
      for (let count = 0; count < 10; count += 1) assert.equal((await client.send('GET', '/')).status, 401)
    }
    await knock()
    assert.equal(await counted(), before + 10)
    assert.equal(await metric(ops, 'hydrant_processes'), 2)

    const [killed = 0, kept] = workersOf(server)
    process.kill(killed, 'SIGKILL')
    await until(async () => workersOf(server)[0] !== killed)
    assert.equal(workersOf(server)[1], kept)
    assert.equal(await metric(ops, 'hydrant_processes'), 2)
    const ended = linesOf(server).find(({ msg }) => msg === 'a worker has ended; it is started again')
    assert.deepEqual([ended?.pid, ended?.endedBy], [killed, 'SIGKILL'])
    assert.equal(await counted(), before + 10)
    const answered = requestsAt(server, '/api/').length
    await knock()
    assert.equal(await counted(), before + 20)
    assert.deepEqual(await answering('/api/', 10, answered), [1, 2])
    assert.equal((await ask(ops, '/readyz')).status, 200)
  })

  await t.test('that are killed at once come back on the same port', async () => {
    const before = workersOf(server)
    for (const pid of before) process.kill(pid, 'SIGKILL')
    await until(async () => !workersOf(server).some((pid) => before.includes(pid)))
    assert.equal((await client.send('GET', '/')).status, 401)
  })

  // contract: `--workers` ¦
  await t.test('run no more hashes at once than one', async () => {
    const right = () => metric(ops, 'hydrant_exchanges_total{outcome="right"}')
    const before = Number((await right()) ?? 0)
    const nonces = await Promise.all(Array.from({ length: 6 }, () => client.nonce()))
    let left = nonces.length
    const exchanges = nonces.map(async (nonce, index) => {
      const headers = { ...stepB(nonce, 1, PARAPHRASE), 'X-Forwarded-For': `192.0.2.${index}` }
      const { status } = await client.send('GET', '/', headers)
      left -= 1
      return status
    })
    // An attempt is there from before its hash until after it: of all workers, in one moment.
    let most = 0
    const sql = postgres(db, { max: 1 })
    while (left > 0) {
      const [row] = await sql`SELECT count(*) FROM attempts`
      most = Math.max(most, Number(row?.count))
    }
    await sql.end()
    assert.deepEqual(new Set(await Promise.all(exchanges)), new Set([200]))
    assert.ok(most >= 1 && most <= Math.max(1, availableParallelism() - 1), `${most} at once`)
    assert.equal(await right(), before + nonces.length)
  })

  // One process: auth/gate-flood; the one line for all: workers/hash-slots.
  const left = (async () => {}) as unknown as typeof t.test
  await inSoak(t.test.bind(t), left)(
    'let somebody sign in beside a flood from twenty addresses after one turn of each',
    async () => {
      await assertSignInBesideFlood({
        service: server,
        guesses: 90,
        // More than may be before the user: in one line for all, there would be.
        crowded: () =>
          until(async () => Number(await metric(ops, 'hydrant_hashes_waiting')) > 2.5 * ADDRESSES),
        user: { id: 1, paraphrase: PARAPHRASE },
        wrong: () => linesOf(server).filter(({ msg }) => msg === 'a wrong passphrase').length,
      })
    },
  )

  // contract: `--workers` ¦
  await t.test('let the requests in flight finish before SIGTERM ends all processes', () =>
    assertFinished(server, 'SIGTERM'),
  )
})

// contract: `--workers` ¦
// contract: `--console-port` ¦
test('the first process serves the console; SIGINT lets the requests in flight at every worker finish, and ends all processes', async (t) => {
  const server = await serveWorkers(t, newPostgres(t), ['--console-port', '0'])
  await until(async () => server.stdout().includes('"msg":"serving"'))
  const [console, ...others] = linesOf(server).filter(({ msg }) => msg === 'console')
  assert.deepEqual(others, [])
  assert.ok((await (await fetch(String(console?.url))).text()).includes(`content="${server.base}"`))
  await assertFinished(server, 'SIGINT')
  await assert.rejects(fetch(String(console?.url)))
})

async function assertFinished(server: Serving, signal: NodeJS.Signals): Promise<void> {
  const [client, ops] = [startClient(server), opsOf(server)]
  const token = await client.signIn(1, PARAPHRASE)
  const workers = workersOf(server)
  const said = server.output().length
  const head = `POST /api/authors HTTP/1.1\r\nHost: test\r\nX-Authorization: ${token}\r\nContent-Type: application/json\r\n`
  // Connections go to the workers in turn.
  const busy = Array.from({ length: 4 }, () => {
    const socket = connect(server.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.write(`${head}Content-Length: 12\r\n\r\n{"name"`)
    return { socket, closed: once(socket, 'close').then(() => parseResponses(text)[0]?.status) }
  })
  // Whatever is asked later of each worker is answered later: the first halves have arrived by now.
  for (let count = 0; count < 4; count += 1) await client.send('GET', '/')
  // As a terminal does it: every process at once.
  for (const pid of [server.child.pid ?? 0, ...workers]) process.kill(pid, signal)
  await until(async () => (await ask(ops, '/readyz')).status === 503)
  assert.ok(workers.every(isAlive))
  for (const { socket } of busy) socket.write(':"x"}')
  assert.deepEqual(await Promise.all(busy.map(({ closed }) => closed)), [201, 201, 201, 201])
  assert.equal(await server.ended, 0)
  assert.ok(!workers.some(isAlive))
  assert.ok(!server.output().slice(said).includes('started again'))
}

// contract: `hydrant serve --with hooks.ts` takes the same
test('workers serve https, run the hooks of --with, and end when the first process is killed, also in a loop', async (t) => {
  const folder = folderWithApi(t)
  const { cert } = await makeCertificate(folder)
  writeFileSync(join(folder, 'hooks.ts'), HOOKS)
  const tls = ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem', '--log-level', 'debug']
  const server = await serveWorkers(t, newPostgres(t), [...tls, '--with', 'hooks.ts', '--no-auth'], folder)
  assert.match(server.base, /^https:\/\/localhost:\d+\/api$/)
  const headers = { 'Content-Type': 'application/json' }
  const options = {
    method: 'POST',
    ca: cert,
    host: '127.0.0.1',
    servername: 'localhost',
    agent: false,
    headers,
  }
  for (let count = 0; count < 4; count += 1) {
    const posted = request(`${server.base}/authors`, options).end('{"name":"Ann"}')
    const [response] = await once(posted, 'response')
    assert.equal(JSON.parse(await text(response)).born, '2000-01-01')
  }
  const answered = () => linesOf(server).filter(({ msg }) => msg === 'request')
  await until(async () => answered().length >= 4)
  assert.deepEqual([...new Set(answered().map(({ worker }) => worker))].sort(), [1, 2])
  const workers = workersOf(server)
  assert.equal(workers.length, 2)
  t.after(() => {
    for (const pid of workers.filter(isAlive)) process.kill(pid, 'SIGKILL')
  })
  request(`${server.base}/authors`, options)
    .on('error', () => {})
    .end('{"name":"Loop"}')
  await until(async () => existsSync(join(folder, 'looping')))
  server.child.kill('SIGKILL')
  await until(async () => !workers.some(isAlive))
})

/** What a process has started, as Linux tells. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

test('a stop while workers start ends all processes at once, also one that stands still', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const args = [HYDRANT, 'serve', '--port', '0', ...TWO]
  const options = { cwd: folderWithApi(t), env: { HYDRANT_DB: newPostgres(t) } }
  const server = await start(t, args, /"ops":/, options)
  let workers: number[] = []
  await until(async () => {
    workers = await childrenOf(server.child.pid ?? 0)
    return workers.length === 2
  })
  const [still = 0] = workers
  process.kill(still, 'SIGSTOP')
  t.after(() => isAlive(still) && process.kill(still, 'SIGKILL'))
  // The other one serves by now, perhaps: the whole does not.
  assert.equal(await server.stop(), 0)
  assert.match(server.output(), /stopped before it served/)
  assert.ok(!server.output().includes('listening'))
  assert.ok(!workers.some(isAlive))
})

test('where workers cannot listen the command fails with the reason, and none is left', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  // A busy machine makes it warn of a database that takes long.
  const args = ['serve', '--workers', '2', '--port', String(port), '--log-level', 'error']
  const refused = await hydrantProcess(args, { cwd: folderWithApi(t), env: { HYDRANT_DB: newPostgres(t) } })
  assertRefused(refused, 1, `${port} of 127.0.0.1`, '--port')
})

// contract: `--workers` ¦
test('more than one worker on SQLite is wrong usage, and no database is made', async (t) => {
  const folder = folderWithApi(t)
  const refused = await hydrant(['serve', '--workers', '2'], { cwd: folder })
  assertRefused(refused, 2, '--workers: ', 'PostgreSQL', '--db postgres://')
  const byVariable = await hydrant(['serve'], { cwd: folder, env: { HYDRANT_WORKERS: '3' } })
  assertRefused(byVariable, 2, 'HYDRANT_WORKERS: 3 ')
  assert.ok(!existsSync(`${folder}/hydrant.db`))
})

test('two workers whose PostgreSQL goes away and whose members another process migrates', async (t) => {
  const database = await createPostgresServer({ fsync: 'off' })
  t.after(() => database.remove())
  const server = await serveWorkers(t, database.url)
  const [client, ops] = [startClient(server), opsOf(server)]
  const headers = {
    'X-Authorization': await client.signIn(1, PARAPHRASE),
    'Content-Type': 'application/json',
  }
  assert.equal((await client.send('POST', '/authors', headers, '{"name": "Ursula"}')).status, 201)
  const isReady = async () => (await ask(ops, '/readyz')).status === 200
  assert.ok(await isReady())
  const [killed = 0] = workersOf(server)

  // contract: `--ops-port` ¦
  await t.test('are healthy and not ready while it is down', async () => {
    await database.stop()
    const { status, text } = await ask(ops, '/readyz')
    assert.equal(status, 503)
    assert.match(text, /^not ready: the database /)
    assert.equal((await ask(ops, '/healthz')).status, 200)
  })

  await t.test('start again as soon as they can, and the log has the reason and no password', async () => {
    process.kill(killed, 'SIGKILL')
    // Not the one that was killed, which ends without a reason; nor what a worker says of the database.
    const failed = () =>
      linesOf(server).filter(
        ({ worker, reason, againAfterMs }) =>
          worker === 1 && reason !== undefined && againAfterMs !== undefined,
      )
    await until(async () => failed().length >= 2)
    const [first, second] = failed()
    assert.equal(first?.endedBy, 1)
    assert.ok(Number(first?.againAfterMs) < Number(second?.againAfterMs), 'it is waited longer each time')
    await database.start()
    await until(async () => workersOf(server)[0] !== killed)
    assert.ok(!server.output().includes(new URL(database.url).password))
  })

  // contract: `--ops-port` ¦
  await t.test('are ready again when it is back', () => until(isReady))

  await t.test('are not ready once the members are migrated', async () => {
    const other = await openStore(
      database.url,
      classSchemas(modelOf(API.replace('born: date', 'born: integer'))),
    )
    await other.close()
    assert.equal((await client.send('GET', '/authors', headers)).status, 503)
    await until(async () => !(await isReady()))
    assert.match((await ask(ops, '/readyz')).text, /another API file/)
  })

  await t.test('end within 10 s, also where one stands still', async (t) => {
    const workers = workersOf(server)
    const [still = 0] = workers
    process.kill(still, 'SIGSTOP')
    t.after(() => isAlive(still) && process.kill(still, 'SIGKILL'))
    const started = performance.now()
    assert.equal(await server.stop(), 0)
    // command-line.md: after 10 s the rest is cut off.
    assert.ok(performance.now() - started < 10_000)
    assert.ok(!workers.some(isAlive))
  })
})
