import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { stepB } from '../support/client.ts'
import { parseResponses, readToEnd, sendRaw } from '../support/raw.ts'
import { serve } from '../support/service.ts'
import { assertRefused, statuses } from './every-response.ts'
import { AUTHOR, CHUNKED, HOST, head, JSON_TYPE, linesOf, POST, signedIn } from './requests.ts'

// authentication.md, Before the gate: no handler has side effects before its whole body has been read and found
// well-formed.

/** All of the author, and then no end. */
const BROKEN = `e\r\n${AUTHOR}\r\nxyz\r\n`

const begin = async (t: TestContext) => signedIn(await serve(t))

test('A connection that is reset within its body adds nothing', async (t) => {
  const { port, who, count } = await begin(t)
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).on('close', () => resolve())
    socket.write(head(POST, HOST, JSON_TYPE, who, 'Content-Length: 15') + AUTHOR, () =>
      socket.resetAndDestroy(),
    )
  })
  assert.equal(await count(), 0)
})

test('What is beyond the Content-Length is not part of the body', async (t) => {
  const { base, port, who, count } = await begin(t)
  const request = head(POST, HOST, JSON_TYPE, who, 'Content-Length: 14') + AUTHOR
  const exchange = await sendRaw(port, [`${request}, "born": "1815-12-10"}`], 5_000)
  assert.deepEqual(statuses(exchange), [201, 400])
  assertRefused({ ...exchange, responses: exchange.responses.slice(1) }, 400, base)
  assert.equal(JSON.parse(exchange.responses[0]?.body ?? '').born, undefined)
  assert.equal(await count(), 1)
})

test('A Content-Length that cuts the body short adds nothing', async (t) => {
  const { port, who, count } = await begin(t)
  const request = head(POST, HOST, JSON_TYPE, who, 'Content-Length: 5') + AUTHOR
  assert.deepEqual(statuses(await sendRaw(port, [request], 5_000)), [400, 400])
  assert.equal(await count(), 0)
})

// contract: No handler has side effects
test('A POST with a bad chunk adds nothing', async (t) => {
  const { base, port, who, count } = await begin(t)
  const request = head(POST, HOST, JSON_TYPE, who, CHUNKED)
  assertRefused(await sendRaw(port, [request + BROKEN], 5_000), 400, base)
  assertRefused(await sendRaw(port, [request, 50, BROKEN], 5_000), 400, base)
  assert.equal(await count(), 0)
})

// contract: No handler has side effects
test('A DELETE with a bad chunk deletes nothing', async (t) => {
  const { client, base, port, token, who, count } = await begin(t)
  const added = await client.send(
    'POST',
    '/authors',
    { ...token, 'Content-Type': 'application/json' },
    AUTHOR,
  )
  const remove = head(`DELETE ${new URL(added.headers.location ?? '').pathname} HTTP/1.1`, HOST, who, CHUNKED)
  assertRefused(await sendRaw(port, [remove + BROKEN], 5_000), 400, base)
  assertRefused(await sendRaw(port, [remove, 50, BROKEN], 5_000), 400, base)
  assert.equal(await count(), 1)
  assert.deepEqual(statuses(await sendRaw(port, [`${remove}0\r\n\r\n`])), [204])
})

test('A DELETE of the session with a bad chunk revokes nothing', async (t) => {
  const { client, base, port, token, who } = await begin(t)
  const revoke = head('DELETE /api/session HTTP/1.1', HOST, who, CHUNKED)
  assertRefused(await sendRaw(port, [revoke + BROKEN], 5_000), 400, base)
  assertRefused(await sendRaw(port, [revoke, 50, BROKEN], 5_000), 400, base)
  assert.equal((await client.send('GET', '/session', token)).status, 200)
})

// contract: No handler has side effects
test('Step B on a POST with a bad chunk spends no nonce', async (t) => {
  const { client, base, port } = await serve(t)
  const exchange = stepB(await client.nonce())
  const lines = linesOf(exchange)
  const request = head(POST, HOST, JSON_TYPE, ...lines, CHUNKED)
  assertRefused(await sendRaw(port, [request + BROKEN], 5_000), 400, base)
  assertRefused(await sendRaw(port, [request, 50, BROKEN], 5_000), 400, base)
  const socket = connect(port, '127.0.0.1').end(`${request}e\r\n${AUTHOR}\r\n`)
  const [truncated] = parseResponses(await readToEnd(socket))
  assert.equal(truncated?.status, 400)
  assert.equal((await client.send('POST', '/authors', exchange)).status, 200)
  assert.equal((await client.send('POST', '/authors', exchange)).status, 401)
})

// contract: No handler has side effects
test('Step B with a body that it does not wait for, or not to its end, spends no nonce when that is broken', async (t) => {
  const { client, port } = await serve(t)
  const exchange = stepB(await client.nonce())
  const lines = linesOf(exchange)
  const expecting = head(POST, HOST, JSON_TYPE, ...lines, CHUNKED, 'Expect: 100-continue')
  assert.deepEqual(statuses(await sendRaw(port, [expecting + BROKEN], 5_000)), [400])
  const long = `110000\r\n${'x'.repeat(0x110000)}\r\n`
  const endless = head(POST, HOST, JSON_TYPE, ...lines, CHUNKED)
  assert.deepEqual(statuses(await sendRaw(port, [endless + long, 'zz\r\n'], 5_000)), [401])
  assert.equal((await client.send('POST', '/authors', exchange)).status, 200)
})

test('A token in the trailer of a chunked body is not a token', async (t) => {
  const { port, who, count } = await begin(t)
  const request = head(POST, HOST, JSON_TYPE, 'Connection: close', CHUNKED)
  const exchange = await sendRaw(port, [`${request}e\r\n${AUTHOR}\r\n0\r\n${who}\r\n\r\n`], 5_000)
  assert.deepEqual(statuses(exchange), [401])
  assert.equal(await count(), 0)
})

test('HTTP/1.0 is served with a token, and challenged without, with no Host in either', async (t) => {
  const { base, port, who } = await begin(t)
  const known = await sendRaw(port, [head('GET /api/authors HTTP/1.0', who)], 5_000)
  assert.deepEqual(statuses(known), [200])
  assert.equal(known.closed, true)
  const anonymous = await sendRaw(port, [head('GET /api/authors HTTP/1.0')], 5_000)
  assertRefused(anonymous, 401, base)
})
