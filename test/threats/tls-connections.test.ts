import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { tlsFlags } from '../cli/certificate.ts'
import { start } from '../support/processes.ts'
import { parseResponses, readToClose } from '../support/raw.ts'
import { serve } from '../support/service.ts'

// TLS connections that never shake hands, or half, or do and then nothing, are reaped like others: no descriptor stays.

const COUNT = 40
const GET = 'GET /api/authors HTTP/1.1\r\nHost: test\r\n'

interface Case {
  readonly name: string
  /** With a handshake before. */
  readonly shaken?: boolean
  readonly act: (socket: Socket, hello: Buffer) => unknown
  /** What each is answered with, of HTTP. */
  readonly status?: number
}

const CASES: readonly Case[] = [
  { name: 'that say nothing', act: () => {} },
  { name: 'that say nothing and are left by their client', act: (socket) => socket.end() },
  { name: 'that are reset by their client', act: (socket) => socket.resetAndDestroy() },
  {
    name: 'with half a ClientHello',
    act: (socket, hello) => socket.write(hello.subarray(0, hello.length / 2)),
  },
  {
    name: 'with half a ClientHello that are left by their client',
    act: (socket, hello) => socket.end(hello.subarray(0, hello.length / 2)),
  },
  {
    name: 'with a ClientHello, and nothing after it',
    act: (socket, hello) => socket.write(hello),
  },
  {
    name: 'with a ClientHello that comes byte by byte',
    act: async (socket, hello) => {
      for (const byte of hello) {
        if (socket.destroyed) return
        socket.write(Buffer.of(byte))
        await wait(20)
      }
    },
  },
  { name: 'with plain HTTP', act: (socket) => socket.write(`${GET}\r\n`) },
  { name: 'with what is no TLS', act: (socket) => socket.write('x'.repeat(100_000)) },
  { name: 'that shake hands and say nothing', shaken: true, act: () => {} },
  {
    name: 'that shake hands and begin a request',
    shaken: true,
    act: (socket) => socket.write(GET),
    status: 408,
  },
  { name: 'that shake hands and are left by their client', shaken: true, act: (socket) => socket.end() },
]

for (const { name, shaken = false, act, status } of CASES) {
  test(`TLS connections ${name} leave no descriptor behind, and others are served`, {
    timeout: 30_000,
  }, async (t) => {
    const flags = await tlsFlags(t)
    const { port } = await serve(t, { flags, limits: { headersMs: 1_000 } })
    const hello = await clientHello()
    const before = descriptors()
    const ended: Promise<string>[] = []
    for (let count = 0; count < COUNT; count += 1) {
      const socket = await open(t, port, shaken)
      ended.push(readToClose(socket))
      act(socket, hello)
    }
    assert.equal(await getStatus(port), 401)
    const texts = await Promise.all(ended)
    if (shaken)
      assert.deepEqual(new Set(texts.map((text) => parseResponses(text)[0]?.status)), new Set([status]))
    // The client has seen the end; the server may have yet to.
    while (descriptors() > before) await wait(10)
    assert.equal(await getStatus(port), 401)
  })
}

test('TLS offers HTTP/1.1 alone: another protocol is refused, and none is taken for HTTP/1.1', async (t) => {
  const { port } = await serve(t, { flags: await tlsFlags(t) })
  const OFFERS: readonly [offered: string[], agreed: string | false | undefined][] = [
    [[], false],
    [['http/1.1'], 'http/1.1'],
    [['h2', 'http/1.1'], 'http/1.1'],
    [['h2'], undefined],
  ]
  for (const [ALPNProtocols, agreed] of OFFERS) {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols })
    t.after(() => socket.destroy())
    const found = await new Promise((resolve) => {
      socket.once('secureConnect', () => resolve(socket.alpnProtocol)).once('error', () => resolve(undefined))
    })
    assert.equal(found, agreed, ALPNProtocols.join())
  }
  assert.equal(await getStatus(port), 401)
})

test('A server that has run out of descriptors serves again once the connections that took them are reaped', {
  timeout: 60_000,
}, async (t) => {
  const { tlsCert, tlsKey } = await tlsFlags(t)
  const server = join(import.meta.dirname, 'few-descriptors.ts')
  for (const files of [[], [tlsCert, tlsKey]]) {
    const running = await start(t, [server, ...files], /listening on \d+/)
    const port = Number(/listening on (\d+)/.exec(running.output())?.[1])
    const own = `/proc/${running.child.pid}/fd`
    const before = readdirSync(own).length
    const silent = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    t.after(() => {
      for (const socket of silent) socket.destroy()
    })
    await Promise.all(silent.map(readToClose))
    while (readdirSync(own).length > before) await wait(10)
    assert.equal(await getStatus(port, files.length > 0), 200)
    assert.equal(await running.stop(), null)
  }
})

/** Those of this process, in which both ends of every connection are. */
const descriptors = (): number => readdirSync('/dev/fd').length

/** What a client that wants TLS says first. */
async function clientHello(): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connectTls({ port: (server.address() as { port: number }).port, host: '127.0.0.1' })
  client.on('error', () => {})
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [hello] = (await once(socket, 'data')) as [Buffer]
  for (const one of [client, socket]) one.destroy()
  await once(server.close(), 'close')
  return hello
}

async function open(t: TestContext, port: number, shaken: boolean): Promise<Socket> {
  const address = { port, host: '127.0.0.1' }
  const socket = shaken ? connectTls({ ...address, rejectUnauthorized: false }) : connect(address)
  t.after(() => socket.destroy())
  await once(socket, shaken ? 'secureConnect' : 'connect')
  return socket
}

async function getStatus(port: number, withTls = true): Promise<number | undefined> {
  const address = { port, host: '127.0.0.1' }
  const socket = withTls ? connectTls({ ...address, rejectUnauthorized: false }) : connect(address)
  socket.write(`${GET}Connection: close\r\n\r\n`)
  return parseResponses(await readToClose(socket))[0]?.status
}
