import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type SendDependencies, send } from '../../src/webhooks/send.ts'
import { makeCertificate } from '../cli/certificate.ts'
import { temporaryFolder } from '../support/folders.ts'
import { inShort } from '../support/problems.ts'
import { startReceiver } from '../support/receiver.ts'

const BODY = Buffer.from('{"name":"Zoë"}')

/** The status of the response, or the problem in short. */
async function attempt(url: string, dependencies: SendDependencies = {}, allowed: readonly string[] = []) {
  const { hostname: host } = new URL(url)
  const destination = { url: new URL(url), host, isAllowed: allowed.includes(host) }
  const outgoing = { headers: { 'Content-Type': 'application/json' }, body: BODY }
  return send(destination, outgoing, { timeoutMs: 5_000, ...dependencies }).catch(inShort)
}

/** A server that does with each connection what it is told to. */
async function startSocketServer(t: TestContext, act: (socket: Socket) => unknown): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => act(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

test('an attempt is one POST with its body on one connection', async (t) => {
  const receiver = await startReceiver(t)
  assert.equal(await attempt(receiver.url('/hook?key=a%20b')), 204)
  assert.equal(await attempt(`http://localhost:${receiver.port}/`), 204)
  const [first, second] = receiver.received
  assert.equal(`${first?.method} ${first?.path}`, 'POST /hook?key=a%20b')
  assert.equal(first?.body, BODY.toString())
  assert.equal(first?.headers['content-type'], 'application/json')
  assert.equal(first?.headers['content-length'], String(BODY.length))
  assert.equal(first?.headers.host, `127.0.0.1:${receiver.port}`)
  assert.equal(second?.headers.host, `localhost:${receiver.port}`)
  assert.equal(receiver.connections(), 2)
})

test('a redirect is not followed', async (t) => {
  const inside = await startReceiver(t)
  for (const status of [301, 302, 303, 307, 308]) {
    const outside = await startReceiver(t, () => (_, response) => {
      response.writeHead(status, { Location: inside.url() }).end()
    })
    assert.equal(await attempt(outside.url()), status)
  }
  assert.equal(inside.connections(), 0)
})

/** What receivers do other than answering. The short time limit ends those that would go on. */
const RECEIVERS: [name: string, act: (socket: Socket) => unknown, expected: number | string][] = [
  ['that says nothing', () => {}, 'ReceiverSilent(127.0.0.1, 0.3)'],
  ['that hangs up', (socket) => socket.end(), 'ReceiverUnreachable(127.0.0.1, ECONNRESET)'],
  ['that resets', (socket) => socket.resetAndDestroy(), 'ReceiverUnreachable(127.0.0.1, ECONNRESET)'],
  [
    'that does not speak HTTP',
    (socket) => socket.end('SSH-2.0-OpenSSH\r\n'),
    'ReceiverUnreachable(127.0.0.1, HPE_INVALID_CONSTANT)',
  ],
  [
    'that changes the protocol',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    'ReceiverUnreachable(127.0.0.1, ECONNRESET)',
  ],
  [
    'with endless headers',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`),
    'ReceiverUnreachable(127.0.0.1, HPE_HEADER_OVERFLOW)',
  ],
  [
    'that trickles headers',
    (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'),
    'ReceiverSilent(127.0.0.1, 0.3)',
  ],
  [
    'that trickles preliminary responses',
    (socket) => trickle(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    'ReceiverSilent(127.0.0.1, 0.3)',
  ],
  [
    'that sends many preliminary responses',
    (socket) => trickle(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)),
    'ReceiverUnreachable(127.0.0.1, ECONNRESET)',
  ],
  ['that trickles the body', (socket) => trickle(socket, 'HTTP/1.1 202 OK\r\n\r\n', 'x'), 202],
  ['that cuts the body', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx'), 200],
  [
    'that breaks the chunks of the body',
    (socket) => socket.end('HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
    500,
  ],
]

/** Writes the rest again and again, until the client closes the connection. */
function trickle(socket: Socket, start: string, rest: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(rest), 10)
  socket.on('close', () => clearInterval(timer))
}

for (const [name, act, expected] of RECEIVERS)
  test(`a receiver ${name}: ${expected}`, async (t) => {
    const closed = Promise.withResolvers<void>()
    const url = await startSocketServer(t, (socket) => {
      socket.on('close', () => closed.resolve())
      return act(socket)
    })
    assert.equal(await attempt(url, { timeoutMs: 300 }), expected)
    // No connection stays.
    await closed.promise
  })

test('an endless body is cut off, long before the time limit', async (t) => {
  let sent = 0
  const endless: RequestListener = (_, response) => {
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  }
  const receiver = await startReceiver(t, () => endless)
  // Without the limit of bytes this would go on until the default limit of the whole test.
  assert.equal(await attempt(receiver.url(), { timeoutMs: 600_000 }), 200)
  assert.ok(sent < 64 * 1_024 * 1_024, `${sent} bytes`)
})

test('a receiver that is away, and a name that has no address', async (t) => {
  const receiver = await startReceiver(t)
  await receiver.close()
  assert.equal(await attempt(receiver.url()), 'ReceiverUnreachable(127.0.0.1, ECONNREFUSED)')
  const lookup = async () => {
    throw Object.assign(new Error('no'), { code: 'EAI_AGAIN' })
  }
  const problem = await attempt('https://away.example/?key=secret', { lookup })
  assert.equal(problem, 'ReceiverNotFound(away.example, EAI_AGAIN)')
})

test('the time limit includes the name: a late address is not connected to', async (t) => {
  const receiver = await startReceiver(t)
  const late = Promise.withResolvers<[{ address: string; family: number }]>()
  const url = `http://localhost:${receiver.port}/`
  assert.equal(
    await attempt(url, { lookup: () => late.promise, timeoutMs: 50 }),
    'ReceiverSilent(localhost, 0.05)',
  )
  late.resolve([{ address: '127.0.0.1', family: 4 }])
  assert.equal(await attempt(receiver.url()), 204, 'what follows shows that nothing else arrived')
  assert.equal(receiver.connections(), 1)
})

test('a name that leads into a private network gets no connection', async (t) => {
  const receiver = await startReceiver(t)
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const problem = await attempt(`https://receiver.example:${receiver.port}/`, { lookup })
  assert.equal(problem, 'ReceiverNotAllowed(receiver.example, 127.0.0.1, loopback)')
  assert.equal(receiver.connections(), 0)
})

/** A receiver with a certificate for a host; `trust`: whether this process trusts it. */
async function startTlsReceiver(t: TestContext, { trust, host }: { trust: boolean; host?: string }) {
  const folder = temporaryFolder(t)
  const { cert } = await makeCertificate(folder, host)
  const key = await readFile(join(folder, 'key.pem'), 'utf8')
  const before = getCACertificates('default')
  if (trust) setDefaultCACertificates([...before, cert])
  t.after(() => setDefaultCACertificates(before))
  return startReceiver(t, () => 204, { tls: { cert, key } })
}

test('the connection goes to the checked address, with the name of the URL, which is looked up once', async (t) => {
  const host = 'receiver.example'
  const receiver = await startTlsReceiver(t, { trust: true, host })
  const asked: string[] = []
  // The system knows no address of this name: only a connection to the checked one succeeds.
  const lookup = async (name: string) => {
    asked.push(name)
    return [{ address: asked.length === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
  }
  assert.equal(await attempt(`https://${host}:${receiver.port}/`, { lookup }, [host]), 204)
  assert.deepEqual(asked, [host])
  assert.equal(receiver.received[0]?.serverName, host)
  assert.equal(receiver.received[0]?.headers.host, `${host}:${receiver.port}`)
})

test('a certificate for another name, or of nobody, is refused before anything is sent', async (t) => {
  const receiver = await startTlsReceiver(t, { trust: true })
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const url = `https://receiver.example:${receiver.port}/`
  const problem = await attempt(url, { lookup }, ['receiver.example'])
  assert.equal(problem, 'ReceiverUnreachable(receiver.example, ERR_TLS_CERT_ALTNAME_INVALID)')
  assert.deepEqual(receiver.received, [])
  const untrusted = await startTlsReceiver(t, { trust: false })
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  })
  assert.equal(
    await attempt(`https://localhost:${untrusted.port}/`),
    'ReceiverUnreachable(localhost, DEPTH_ZERO_SELF_SIGNED_CERT)',
  )
  assert.deepEqual(untrusted.received, [])
})
