import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startSideServer, textAnswer } from '../../src/service/side-server.ts'
import { readToClose } from '../support/raw.ts'
import { HOST, head } from '../wire/requests.ts'

// In every turn of the event loop one of them connects: whoever waits for them all does not come to an end.
test('Connections that keep coming do not hold up a shutdown', { timeout: 30_000 }, async () => {
  let answered = 0
  const answer = async () => {
    answered += 1
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    return textAnswer(200, 'ok')
  }
  const parts = { host: '127.0.0.1', port: 0, mostConnections: 64, unknown: '', find: () => answer }
  const server = await startSideServer(parts)
  let isOver = false
  const knock = async () => {
    while (!isOver) {
      const socket = connect(server.port, '127.0.0.1')
      socket.write(head('GET / HTTP/1.1', HOST, 'Connection: close'))
      await readToClose(socket)
    }
  }
  const clients = [knock(), knock(), knock(), knock()]
  while (answered < 10) await setTimeout(1)
  await server.close()
  isOver = true
  await Promise.all(clients)
})
