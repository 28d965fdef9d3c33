import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { parseResponses, type RawResponse, sendRaw } from '../support/raw.ts'
import { FILES, INDEX, request, servePage } from './console-folder.ts'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const PAGE = INDEX.replace('content=""', 'content="http://localhost:8080/api"')

/** What every answer of the page has, whatever its status. */
function assertProtected({ status, headers, headerNames }: RawResponse): void {
  assert.equal(headers['content-security-policy'], POLICY)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
  assert.equal(headers['origin-agent-cluster'], '?1')
  assert.match(headers['permissions-policy'] ?? '', /\bcamera=\(\).*\bgeolocation=\(\).*\bmicrophone=\(\)/)
  assert.ok(!/unsafe|\*/.test(headers['content-security-policy'] ?? ''))
  assert.equal(headers['access-control-allow-origin'], undefined)
  assert.equal(headers['set-cookie'], undefined)
  assert.equal('content-length' in headers, status !== 304)
  assert.equal(headers['transfer-encoding'], undefined)
  assert.equal(new Set(headerNames.map((name) => name.toLowerCase())).size, headerNames.length)
}

async function ask(port: number, method: string, target: string, headers = {}): Promise<RawResponse> {
  const { text } = await sendRaw(port, [request(method, target, headers)])
  const [response, ...others] = parseResponses(text, method === 'HEAD')
  assert.ok(response && others.length === 0, text)
  assertProtected(response)
  return response
}

test('every file of the folder is served with its type, and the page with the base of the API', async (t) => {
  const { port } = await servePage(t)
  const rows: readonly (readonly [target: string, type: string, body: string])[] = [
    ['/', 'text/html; charset=utf-8', PAGE],
    ['/?anything=at+all', 'text/html; charset=utf-8', PAGE],
    ['/index.html', 'text/html; charset=utf-8', PAGE],
    ['/console.js', 'text/javascript; charset=utf-8', FILES['console.js'] ?? ''],
    ['/console.css?v=1', 'text/css; charset=utf-8', FILES['console.css'] ?? ''],
    ['/icon.svg', 'image/svg+xml; charset=utf-8', FILES['icon.svg'] ?? ''],
    ['/deep/a%20b.txt', 'text/plain; charset=utf-8', 'ä'],
  ]
  for (const [target, type, body] of rows) {
    const got = await ask(port, 'GET', target)
    assert.deepEqual([got.status, got.headers['content-type'], got.body], [200, type, body], target)
    assert.equal(got.headers['content-length'], String(Buffer.byteLength(body)))
    assert.equal(got.headers['cache-control'], 'no-cache')
    assert.equal(got.headers.vary, 'Accept-Encoding')
    assert.equal(got.headers['content-encoding'], undefined)
    const head = await ask(port, 'HEAD', target)
    assert.deepEqual([head.status, head.body], [200, ''])
    const { date: _, ...expected } = got.headers
    const { date: __, ...headers } = head.headers
    assert.deepEqual(headers, expected, 'HEAD has the headers of GET')
  }
})

test('what is not there is 404 in plain words, and what is there can only be read', async (t) => {
  const { port } = await servePage(t)
  for (const target of [
    '/nothing',
    '/console.js/',
    '/CONSOLE.JS',
    '/deep',
    '/deep/',
    '/__proto__',
    '/toString',
  ])
    for (const method of ['GET', 'HEAD', 'POST']) {
      const { status, headers, body } = await ask(port, method, target)
      assert.deepEqual([status, headers['content-type']], [404, 'text/plain; charset=utf-8'], target)
      assert.equal(headers['cache-control'], 'no-store')
      const said =
        'There is no such file here; the console is at /, and the API at http://localhost:8080/api.\n'
      if (method !== 'HEAD') assert.equal(body, said)
    }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'])
    for (const target of ['/', '/console.js']) {
      const { status, headers, body } = await ask(port, method, target)
      assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'], `${method} ${target}`)
      assert.equal(body, 'GET and HEAD are possible here.\n')
    }
  const posted = await ask(port, 'POST', '/', { 'Content-Length': '5' })
  assert.deepEqual([posted.status, posted.headers.connection], [405, 'close'], 'its body is not waited for')
})

test('a file goes out in the encoding that suits the browser best', async (t) => {
  const { port } = await servePage(t)
  const rows: readonly (readonly [accepted: string | undefined, encoding: string | undefined])[] = [
    [undefined, undefined],
    ['', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['identity, br;q=0.5', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['br; q=0.001', 'br'],
    ['br;q=much, gzip;q=2', undefined],
    ['identity;q=0', undefined],
    ['*;q=0', undefined],
    ['deflate, zstd, ,;;', undefined],
  ]
  for (const [accepted, encoding] of rows) {
    const headers = accepted === undefined ? {} : { 'Accept-Encoding': accepted }
    for (const [target, text] of [
      ['/console.js', FILES['console.js'] ?? ''],
      ['/', PAGE],
    ] as const) {
      const url = `http://127.0.0.1:${port}${target}`
      const { text: raw } = await sendRaw(port, [request('GET', target, headers)])
      const [head = ''] = raw.split('\r\n\r\n')
      const got = /^Content-Encoding: (.+)$/im.exec(head)?.[1]
      assert.equal(got, encoding, `${accepted} of ${url}`)
      const body = Buffer.from(raw.slice(head.length + 4), 'latin1')
      const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((as: Buffer) => as)
      assert.equal(decode(body).toString('utf8'), text)
      assert.equal(/^Content-Length: (\d+)$/im.exec(head)?.[1], String(body.length))
      assert.match(head, /^Vary: Accept-Encoding$/im)
    }
  }
  const small = await ask(port, 'GET', '/deep/a%20b.txt', { 'Accept-Encoding': 'br, gzip' })
  assert.equal(small.headers['content-encoding'], undefined, 'it would not get smaller')
})

test('who has the file already is told so, for the encoding that is asked for', async (t) => {
  const { port } = await servePage(t)
  const tagOf = async (accepted: string) =>
    (await ask(port, 'HEAD', '/console.js', { 'Accept-Encoding': accepted })).headers.etag ?? ''
  const [bare, gzip, br] = [await tagOf('identity'), await tagOf('gzip'), await tagOf('br')]
  for (const tag of [bare, gzip, br]) assert.match(tag, /^"[\w-]+"$/)
  assert.equal(new Set([bare, gzip, br]).size, 3)
  assert.notEqual((await ask(port, 'GET', '/')).headers.etag, bare)

  const rows: readonly (readonly [condition: string, accepted: string, status: number])[] = [
    [bare, 'identity', 304],
    [br, 'gzip, br', 304],
    [`W/${gzip}`, 'gzip', 304],
    [`"other", ${gzip}`, 'gzip', 304],
    ['*', 'br', 304],
    [bare, 'br', 200],
    [br, 'gzip', 200],
    ['"other"', 'identity', 200],
    [bare.replaceAll('"', ''), 'identity', 200],
    ['', 'identity', 200],
  ]
  for (const [condition, accepted, status] of rows)
    for (const method of ['GET', 'HEAD']) {
      const sent = { 'If-None-Match': condition, 'Accept-Encoding': accepted }
      const got = await ask(port, method, '/console.js', sent)
      assert.equal(got.status, status, `${condition} for ${accepted}`)
      if (status !== 304) continue
      assert.equal(got.headers['cache-control'], 'no-cache')
      assert.equal(got.headers.vary, 'Accept-Encoding')
      assert.equal(got.headers.etag, { identity: bare, gzip, br, 'gzip, br': br }[accepted])
      assert.equal(got.headers['content-type'], undefined)
      assert.equal(got.body, '')
    }
})

test('another base is another page for the cache of a browser, and the other files stay the same', async (t) => {
  const [one, other] = [await servePage(t), await servePage(t, { base: 'https://example.org/v1' })]
  const tags = async (target: string) =>
    Promise.all([one, other].map(async ({ port }) => (await ask(port, 'GET', target)).headers.etag))
  const [page, otherPage] = await tags('/')
  assert.notEqual(page, otherPage)
  const [script, sameScript] = await tags('/console.js')
  assert.equal(script, sameScript)
})
