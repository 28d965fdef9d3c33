import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { newPostgres } from '../../support/postgres.ts'
import { ENVIRONMENT, HYDRANT } from '../../support/processes.ts'
import { parseResponses } from '../../support/raw.ts'
import { inSoak } from '../../support/soak.ts'
import { folderWithApi, freePort, IN_MEMORY } from '../command.ts'
import { until } from '../ops.ts'

// threats.md: a connection that arrives before the process is ready, or while it stops, is answered or closed.

const RESTARTS = inSoak(15, 1)
const GET = 'GET /api/ HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n'
const POST =
  'POST /api/authors HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{'

/** A client that connects all the time, whether or not there is a server. */
function startKnocking(t: TestContext, port: number) {
  const open = new Set<Socket>()
  const statuses: (number | undefined)[] = []
  let refused = 0
  const timer = setInterval(() => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.once('connect', () => open.add(socket))
    socket.once('close', () => {
      if (open.delete(socket)) statuses.push(parseResponses(text)[0]?.status)
      else refused += 1
    })
    socket.write(GET)
  }, 2)
  t.after(() => {
    clearInterval(timer)
    for (const socket of open) socket.destroy()
  })
  return { open, statuses, refused: () => refused, stop: () => clearInterval(timer) }
}

for (const { name, args, env } of [
  { name: 'one process', args: [], env: () => IN_MEMORY },
  {
    name: 'two workers',
    args: ['--workers', '2'],
    env: (t: TestContext) => ({ HYDRANT_DB: newPostgres(t) }),
  },
]) {
  test(`no connection is left open by a start or a stop: ${name}`, { timeout: 240_000 }, async (t) => {
    const [cwd, port, database] = [folderWithApi(t), await freePort(), env(t)]
    for (let count = 0; count < RESTARTS; count += 1) await restart()

    async function restart(): Promise<void> {
      const knocking = startKnocking(t, port)
      const child = spawn(
        process.execPath,
        [HYDRANT, 'serve', '--port', String(port), '--no-auth', '--log-format', 'json', ...args],
        { cwd, env: { ...ENVIRONMENT, ...database } },
      )
      t.after(() => child.kill('SIGKILL'))
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      await until(async () => output.includes('"msg":"listening"'))
      const early = [...knocking.open]
      await until(async () => !early.some((socket) => knocking.open.has(socket)))

      // A request in flight keeps the server from ending, and what it leaves open with it.
      const busy = connect(port, '127.0.0.1')
      busy.on('error', () => {})
      busy.write(POST)
      await once(busy, 'connect')
      // The server reads connections in their order, and gives them to the workers in turn: once some that came later are
      // answered, this one has been read. A connection without a request would be closed.
      const enough = knocking.statuses.length + knocking.open.size + 4
      await until(async () => knocking.statuses.length >= enough)
      const before = knocking.refused()
      child.kill('SIGTERM')
      await until(async () => knocking.refused() > before)
      knocking.stop()
      await until(async () => knocking.open.size === 0)
      assert.equal(child.exitCode, null)
      const answered = once(busy, 'data')
      busy.write('}')
      assert.match(String(await answered), /^HTTP\/1\.1 422 /)
      const [status] = await once(child, 'exit')
      assert.equal(status, 0, output)
      assert.ok(knocking.statuses.includes(200), 'a request was answered')
    }
  })
}
