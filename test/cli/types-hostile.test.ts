import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { assertRefused, hydrant } from './command.ts'

async function listen(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
}

test('what a server says is printed in one line, and no terminal carries it out', async (t) => {
  const address = await listen(t, (_, response) => {
    const sentence = 'It broke.\u001b]0;title\u0007\u001b[2J\nhydrant: all is well'
    response.writeHead(500, { 'Content-Type': 'application/json' }).end(JSON.stringify({ 500: sentence }))
  })
  const finished = await hydrant(['types', address])
  assertRefused(finished, 1, 'It broke.')
  assert.doesNotMatch(finished.stderr, /\p{Cc}(?!$)/u)
})

test('an answer that never ends is given up, and asked for once', async (t) => {
  let requests = 0
  const address = await listen(t, (_, response) => {
    requests += 1
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const chunk = Buffer.alloc(1_024 * 1_024, ' ')
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more).on('error', () => {})
    more()
  })
  assertRefused(await hydrant(['types', address]), 1, `${address} does not answer`)
  assert.equal(requests, 1)
})
