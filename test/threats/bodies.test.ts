import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { folderWithApi, IN_MEMORY, serveIn } from '../cli/command.ts'
import { parseResponses, readToClose } from '../support/raw.ts'
import { serve } from '../support/service.ts'

// The bodies of all requests in flight have one budget, and no user can take all of it.

const BATCH = 8_000_000

function sendBatch(t: TestContext, port: number, token: string, bytes: number) {
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  const answer = readToClose(socket).then((text) => parseResponses(text)[0])
  socket.write(
    `POST /api/batch HTTP/1.1\r\nHost: test\r\nX-Authorization: ${token}\r\nContent-Type: application/json\r\nContent-Length: ${BATCH}\r\n\r\n`,
  )
  socket.write(' '.repeat(bytes))
  return { socket, answer }
}

test('one user with many unfinished batches is refused, and another writes', {
  timeout: 60_000,
}, async (t) => {
  const { client, port, store } = await serve(t)
  await store.auth.addUser({ id: 8, paraphraseHash: 'nobody' }, 0)
  const attacker = await client.signIn(8)
  const unfinished = Array.from({ length: 80 }, () => sendBatch(t, port, attacker, 100_000))
  const first = await Promise.any(unfinished.map(async ({ answer }) => (await answer) ?? Promise.reject()))
  assert.deepEqual([first?.status, first?.headers['retry-after']], [503, '2'])
  const headers = { 'X-Authorization': await client.signIn(), 'Content-Type': 'application/json' }
  assert.equal((await client.send('POST', '/authors', headers, '{"name":"Ann"}')).status, 201)
  const operation = { method: 'POST', target: 'authors', body: { name: 'x'.repeat(900_000) } }
  const batch = JSON.stringify({ operation: Array(8).fill(operation) })
  assert.equal((await client.send('POST', '/batch', headers, batch)).status, 200)
})

// contract: `--max-connections`, `--body-memory` ¦
test('unfinished batches of all addresses take no more memory than --body-memory, and idle connections no place', {
  skip: process.platform !== 'linux',
  timeout: 60_000,
}, async (t) => {
  const flags = ['--body-memory', '32MiB', '--max-connections', '60', '--no-auth', '--ops-port', '0']
  const server = await serveIn(t, folderWithApi(t), flags, IN_MEMORY)
  const resident = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) * 1_024
  const before = resident()
  let isOver = false
  const unfinished = Array.from({ length: 50 }, () => sendBatch(t, server.port, '', BATCH - 1))
  const settled = Promise.all(unfinished.map(({ answer }) => answer)).then(() => {
    isOver = true
  })
  let most = 0
  for (let count = 0; count < 40 && !isOver; count += 1) {
    most = Math.max(most, resident() - before)
    await wait(50)
  }
  // All of them are 400 MB.
  assert.ok(most < 150_000_000, `${most} bytes`)
  for (const { socket } of unfinished) socket.destroy()
  await settled
  for (let count = 0; count < 100; count += 1) {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    t.after(() => socket.destroy())
  }
  assert.equal((await fetch(server.base)).status, 200)
  const ops = /"ops":"([^"]+)"/.exec(server.output())?.[1]
  assert.equal((await fetch(`${ops}/healthz`)).status, 200)
})
