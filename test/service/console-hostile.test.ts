import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'

import { startConsoleServer } from '../../src/service/console.ts'
import { makeCertificate } from '../cli/certificate.ts'
import { temporaryFolder } from '../support/folders.ts'
import { sendRaw } from '../support/raw.ts'
import { BASE, FILES, INDEX, request, servePage, writeConsole } from './console-folder.ts'

test('whatever the base is, it stays the value of its attribute', async (t) => {
  const rows: readonly (readonly [base: string, content: string])[] = [
    ['http://x/"><script>alert(1)</script>', 'http://x/&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'],
    ["http://x/' onload='alert(1)", 'http://x/&#39; onload=&#39;alert(1)'],
    ['http://x/?a=1&lt=2&amp;', 'http://x/?a=1&amp;lt=2&amp;amp;'],
    // What String.replace takes for the text around it.
    ["http://x/$&$`$'$1", 'http://x/$&amp;$`$&#39;$1'],
    [
      'http://x/<meta name="hydrant-base" content="">',
      'http://x/&lt;meta name=&quot;hydrant-base&quot; content=&quot;&quot;&gt;',
    ],
    ['http://bücher.example/ä', 'http://bücher.example/ä'],
  ]
  for (const [base, content] of rows) {
    const { port } = await servePage(t, { base })
    const [page] = (await sendRaw(port, [request('GET', '/')])).responses
    assert.equal(
      page?.body,
      INDEX.replace('content=""', () => `content="${content}"`),
    )
  }
})

test('no target reaches beyond the folder, however it is spelled', async (t) => {
  const outside = temporaryFolder(t)
  writeFileSync(join(outside, 'secret.txt'), 'hush')
  const folder = join(outside, 'console')
  writeConsole(folder)
  symlinkSync(outside, join(folder, 'linked'))
  symlinkSync(join(outside, 'secret.txt'), join(folder, 'linked.txt'))
  const { port } = await servePage(t, { folder })
  for (const target of [
    '/../secret.txt',
    '/deep/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '/deep/..%2f..%2fsecret.txt',
    '/%252e%252e/secret.txt',
    '//secret.txt',
    '///etc/passwd',
    '/etc/passwd',
    '/linked/secret.txt',
    '/linked.txt',
    '/console.js%00.html',
    '/%',
    'file:///etc/passwd',
    'secret.txt',
    '*',
    '//',
    '/./',
    '/.',
  ]) {
    const { responses, text } = await sendRaw(port, [request('GET', target)])
    assert.ok([400, 404].includes(responses[0]?.status ?? 0), `${target}: ${responses[0]?.status}`)
    assert.ok(!/hush|root:|alert/.test(text), target)
    assert.ok(!text.includes('secret.txt'), 'what was asked for is not repeated')
  }
})

test('headers that are huge, many or malformed are refused, and the page is served on', async (t) => {
  const { port } = await servePage(t)
  const rows: readonly (readonly [bytes: string, status: number])[] = [
    [request('GET', '/', { 'X-Much': 'x'.repeat(17_000) }), 431],
    [request('GET', `/${'x'.repeat(17_000)}`), 431],
    [`GET / HTTP/1.1\r\nHost: test\r\n${'a: b\r\n'.repeat(2_000)}\r\n`, 431],
    ['GET / HTTP/1.1\r\nHost: test\r\nno colon\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['nonsense\r\n\r\n', 400],
    [request('GET', '/', { Expect: 'the impossible' }), 417],
  ]
  for (const [bytes, status] of rows) {
    const { responses, closed } = await sendRaw(port, [bytes], 5_000)
    assert.deepEqual([responses[0]?.status, closed], [status, true], bytes.slice(0, 40))
    assert.match(responses[0]?.headers['content-security-policy'] ?? '', /^default-src 'none'/)
  }
  const tags = Array.from({ length: 1_000 }, (_, index) => `"${index}"`).join(',')
  const many = { 'If-None-Match': tags, 'Accept-Encoding': 'br;q=0,'.repeat(200) }
  assert.equal((await sendRaw(port, [request('GET', '/', many)])).responses[0]?.status, 200)
})

test('closing waits for nobody: neither idle nor half a request, nor half a handshake', async (t) => {
  const folder = temporaryFolder(t)
  await makeCertificate(folder)
  const tls = { cert: readFileSync(join(folder, 'cert.pem')), key: readFileSync(join(folder, 'key.pem')) }
  // One that goes on: what it waits for in vain, and gives up at last, takes longer than closing.
  const other = await servePage(t, { tls })
  const [waiting] = await hold(other.port, ['\x16\x03\x01'])
  for (const server of [await servePage(t), await servePage(t, { tls })]) {
    const held = await hold(server.port, ['', 'GET / HTTP/1.1\r\nHo', '\x16\x03\x01'])
    // Whoever comes later is taken later: the server knows the others by now.
    await sendRaw(server.port, ['nonsense\r\n\r\n'])
    const closed = server.close().then(() => 'closed')
    assert.equal(await Promise.race([closed, waiting]), 'closed')
    await Promise.all(held)
    await assert.rejects(fetch(`http://127.0.0.1:${server.port}/`))
  }
})

/** Connections that send this and wait; each with its end. */
async function hold(port: number, beginnings: readonly string[]): Promise<Promise<unknown>[]> {
  const sockets = beginnings.map(() => connect(port, '127.0.0.1').on('error', () => {}))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const [index, socket] of sockets.entries()) socket.write(beginnings[index] ?? '')
  return sockets.map((socket) => new Promise((resolve) => socket.resume().once('close', resolve)))
}

test('with a certificate the page is served by https, and by nothing else', async (t) => {
  const folder = temporaryFolder(t)
  const { cert } = await makeCertificate(folder)
  const tls = { cert: Buffer.from(cert), key: readFileSync(join(folder, 'key.pem')) }
  const { port } = await servePage(t, { tls })
  const options = { ca: cert, host: '127.0.0.1', port, servername: 'localhost', agent: false }
  const [response] = await once(requestHttps({ ...options, path: '/console.js' }).end(), 'response')
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  assert.deepEqual([response.statusCode, text], [200, FILES['console.js']])
  assert.equal(response.headers['strict-transport-security'], undefined, 'it would hold for every port')
  const plain = await sendRaw(port, [request('GET', '/')])
  assert.equal(plain.text.includes('Console'), false)
})

test('a folder without a page is told apart from one that cannot be served', async (t) => {
  const folder = temporaryFolder(t)
  const start = (files: Readonly<Record<string, string>>, name: string) => {
    writeConsole(join(folder, name), files)
    return startConsoleServer({ host: '127.0.0.1', port: 0, base: BASE, folder: join(folder, name) })
  }
  await assert.rejects(start({}, 'missing'), { code: 'ConsoleNotBuilt' })
  await assert.rejects(start({ 'console.js': '' }, 'half'), { code: 'ConsoleNotBuilt' })
  const place = /index\.html should have <meta name="hydrant-base" content=""> once/
  await assert.rejects(start({ 'index.html': '<!doctype html>' }, 'none'), place)
  await assert.rejects(start({ 'index.html': INDEX + INDEX }, 'twice'), place)
})
