import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { HYDRANT, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { inSoak } from '../support/soak.ts'

const FLOOD_BYTES = 6_000_000
const FLOOD_MS = inSoak(4_000, 1_500)

/** What is pipelined without end, and what would have to be kept for it: a request, its response, a listener. */
const FLOODS: readonly { readonly name: string; readonly unit: string }[] = [
  // contract: Nothing is stored when a challenge is answered
  {
    name: 'requests that are pipelined without end wait in the memory of the client',
    unit: 'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  },
  {
    name: 'requests with bodies that are pipelined without end wait in the memory of the client',
    unit: 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx',
  },
  {
    name: 'what is sent behind a request to upgrade is not kept',
    unit: 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
  },
]

test('what is sent without end takes no memory of the server', async (t) => {
  // A heap that would not hold it: the process would end.
  const args = ['--max-old-space-size=48', HYDRANT, 'serve', '--port', '0', '--db', 'sqlite::memory:']
  const server = await start(t, [...args, '--log-format', 'json'], /"msg":"listening"/, {
    cwd: temporaryFolder(t),
  })
  const { url } = JSON.parse(/^\{.*"msg":"listening".*\}$/m.exec(server.stdout())?.[0] ?? '{}')
  for (const { name, unit } of FLOODS) {
    await t.test(name, async () => {
      await flood(Number(new URL(url).port), unit)
      assert.equal((await fetch(url)).status, 401)
    })
  }
  assert.equal(await server.stop(), 0)
})

/** So much, or for so long: whatever comes first. */
async function flood(port: number, unit: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.resume()
  const chunk = unit.repeat(Math.ceil(65_536 / unit.length))
  const deadline = AbortSignal.timeout(FLOOD_MS)
  for (let sent = 0; sent < FLOOD_BYTES && !socket.destroyed; sent += chunk.length) {
    if (socket.write(chunk)) continue
    try {
      await Promise.race([
        once(socket, 'drain', { signal: deadline }),
        once(socket, 'close', { signal: deadline }),
      ])
    } catch {
      // Time is up: the server takes no more than it can answer.
      break
    }
  }
  socket.destroy()
}
