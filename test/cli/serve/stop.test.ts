import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { hashParaphrase } from '../../../src/auth/index.ts'
import { startClient } from '../../support/client.ts'
import { holding } from '../../support/holding.ts'
import { newPostgres, onPostgres, postgresUrl } from '../../support/postgres.ts'
import { HYDRANT, start } from '../../support/processes.ts'
import { parseResponses } from '../../support/raw.ts'
import { serve } from '../../support/service.ts'
import { folderWithApi, inStore, serveIn } from '../command.ts'

const BODY = '{"title": "The Long Goodbye"}'
const PARAPHRASE = 'open sesame'
/** What takes longer is stuck. */
const PATIENCE_MS = 30_000
const POLL_MS = 10
const paraphraseHash = hashParaphrase(PARAPHRASE)

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const closed = (socket: Socket): Promise<unknown> =>
  once(socket, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) })

/** Waits until nobody listens there any more. */
async function refused(port: number): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const isOpen = async () => {
    try {
      const socket = await open(port)
      socket.destroy()
      return true
    } catch {
      // What a refused connection ends with.
      return false
    }
  }
  while (await isOpen()) await setTimeout(POLL_MS, undefined, { signal })
}

const post = (token: string): string =>
  [
    'POST /api/books HTTP/1.1',
    'Host: test',
    `X-Authorization: ${token}`,
    'Content-Type: application/ld+json',
    `Content-Length: ${BODY.length}`,
    '',
    '',
  ].join('\r\n')

// contract: SIGTERM or SIGINT: no new connections
test('SIGTERM and SIGINT, also twice, let requests in flight finish, take no new connections, and end with 0', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const folder = folderWithApi(t)
    await inStore(folder, async (store) => store.addUser({ id: 1, paraphraseHash: await paraphraseHash }, 0))
    const server = await serveIn(t, folder)
    const token = await startClient(server).signIn(1, PARAPHRASE)

    // It stays open, as that of a browser does.
    const idle = await open(server.port)
    idle.write('GET /api HTTP/1.1\r\nHost: test\r\n\r\n')
    await once(idle, 'data')
    const busy = await open(server.port)
    let text = ''
    busy.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    busy.write(post(token) + BODY.slice(0, 10))
    // Whatever is asked later on this server is answered later: the first half has arrived by now.
    await startClient(server).send('GET', '/')

    const busyClosed = closed(busy)
    server.child.kill(signal)
    await refused(server.port)
    // As when a terminal and a supervisor both pass it on.
    server.child.kill('SIGINT')
    busy.write(BODY.slice(10))
    await busyClosed
    const [response] = parseResponses(text)
    assert.equal(response?.status, 201)
    assert.equal(response?.headers.connection, 'close')
    assert.equal(await server.ended, 0)
    assert.match(server.stdout(), new RegExp(`"signal":"${signal}"`))

    const again = await serve(t, { db: `sqlite:${join(folder, 'hydrant.db')}` })
    const { body } = await again.client.send('GET', '/books', { 'X-Authorization': token })
    assert.ok(body.includes('The Long Goodbye'), 'what was answered with 201 is there after the restart')
    await again.close()
  }
})

/** A server that is told to stop while it still waits for its database. */
async function stopWhileOpening(t: TestContext, db: string, signal: NodeJS.Signals): Promise<string> {
  const args = [HYDRANT, 'serve', '--port', '0', '--log-format', 'json']
  const waits = /still opening the database; another process may be migrating the members to its API file/
  const server = await start(t, args, waits, { cwd: folderWithApi(t), env: { HYDRANT_DB: db } })
  assert.equal(await server.stop(signal), 0)
  return server.output()
}

test('SIGTERM and SIGINT end a server that waits for a silent PostgreSQL at once, with 0', async (t) => {
  const silent = createServer((socket) => socket.on('error', () => {}))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => silent.close())
  const { port } = silent.address() as { port: number }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const output = await stopWhileOpening(t, `postgres://me:hush@127.0.0.1:${port}/db`, signal)
    assert.match(output, new RegExp(`"signal":"${signal}","msg":"stopped before it served"`))
    assert.ok(!output.includes('hush') && !output.includes('listening'), output)
  }
})

test('SIGTERM ends a server that waits until another process has opened the database, with 0', async (t) => {
  const db = newPostgres(t)
  await holding(
    t,
    db,
    "SELECT pg_advisory_xact_lock(hashtextextended('opening ' || current_setting('search_path'), 0))",
  )
  await stopWhileOpening(t, db, 'SIGTERM')
  const schema = new URL(db).searchParams.get('search_path')
  const made = await onPostgres(postgresUrl(), `SELECT 1 FROM pg_namespace WHERE nspname = '${schema}'`)
  assert.equal(made.length, 0)
})
