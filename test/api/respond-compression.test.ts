import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { chooseCoding } from '../../src/http/index.ts'
import { stepB } from '../support/client.ts'
import { type SignedIn, serveSignedIn } from './signed-in.ts'
import { fill, numbered, THINGS } from './things.ts'

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

type Send = (method: string, path: string, headers?: Record<string, string>, body?: string) => Promise<Answer>

/** As a client reads that leaves bodies as they came. */
const sender =
  ({ base, port }: SignedIn, token: Record<string, string>): Send =>
  (method, path, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const target = new URL(base).pathname + path
      const sent = request(
        { port, method, path: target, headers: { ...token, ...headers }, agent: false },
        async (response) => {
          const bytes = Buffer.concat(await response.toArray())
          resolve({ status: response.statusCode, headers: response.headers, bytes })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })

const plainOf = ({ headers, bytes }: Answer): string => {
  const coding = headers['content-encoding']
  if (coding === undefined) return String(bytes)
  return String(coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes))
}

async function serveThings(t: Parameters<typeof serveSignedIn>[0], flags = {}) {
  const service = await serveSignedIn(t, { api: THINGS, flags })
  await fill(service, numbered(100), (index) => ({
    name: index === 99 ? 'é'.repeat(50_000) : `thing ${index}`,
  }))
  const send = sender(service, { 'X-Authorization': await service.client.signIn() })
  return { service, send }
}

const CHOICES: [accepted: string, coding: string | undefined][] = [
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['GZIP;q=1, br;q=0.9', 'gzip'],
  ['gzip;q=0.5, br;q=0.6', 'br'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', undefined],
  ['gzip;q=0, br;q=0', 'identity'],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['identity;q=0', undefined],
  ['identity, gzip;q=0.5', 'identity'],
  ['deflate, zstd', 'identity'],
  ['gzip;q=2', 'identity'],
]

test('a coding is chosen by its quality, br among equals (RFC 9110 §12.5.3)', () => {
  for (const [accepted, coding] of CHOICES)
    assert.equal(chooseCoding(accepted, ['br', 'gzip', 'identity']), coding, accepted)
})

// contract: **Compression**: `gzip` and `br`
test('what is served with 200 and has more than 1 kB is compressed for who accepts it', async (t) => {
  const { send } = await serveThings(t)
  const paths = [
    '/things',
    '/things?itemsPerPage=100',
    '/things/t00099',
    '/vocab',
    '/',
    '/contexts/ThingCollection',
  ]
  const types = ['application/ld+json', 'application/json', 'text/turtle']
  for (const path of paths) {
    for (const Accept of path.includes('contexts') ? types.slice(0, 2) : types) {
      const bare = await send('GET', path, { Accept })
      assert.equal(bare.headers['content-encoding'], undefined)
      const isLong = bare.bytes.length > 1_000
      for (const coding of ['gzip', 'br']) {
        const asked = { Accept, 'Accept-Encoding': coding }
        // The second time it may come from memory.
        for (const _ of [1, 2]) {
          const got = await send('GET', path, asked)
          const said = `${path} ${Accept} ${coding}`
          assert.equal(got.headers['content-encoding'], isLong ? coding : undefined, said)
          assert.equal(plainOf(got), String(bare.bytes), said)
          const more = isLong ? ', Accept-Encoding' : ''
          assert.equal(got.headers.vary, `X-Authorization, Authorization, Accept${more}`, said)
          assert.equal(
            got.headers.etag,
            isLong ? bare.headers.etag?.replace(/"$/, `-${coding}"`) : bare.headers.etag,
          )
          assert.ok(!isLong || got.bytes.length < bare.bytes.length, said)
          const head = await send('HEAD', path, asked)
          assert.deepEqual([head.status, head.bytes.length], [200, 0])
          for (const name of ['content-length', 'content-encoding', 'etag', 'vary'])
            assert.equal(head.headers[name], got.headers[name], `${said} ${name}`)
          const again = await send('GET', path, { ...asked, 'If-None-Match': got.headers.etag ?? '' })
          assert.deepEqual(
            [again.status, again.headers.etag, again.headers.vary],
            [304, got.headers.etag, got.headers.vary],
          )
          // RFC 9110 §8.8.3.3: an ETag names one representation, and another coding is another one.
          const other = await send('GET', path, { ...asked, 'If-None-Match': bare.headers.etag ?? '' })
          assert.equal(other.status, isLong ? 200 : 304, said)
        }
        assert.equal((await send('GET', path, { ...asked, 'If-None-Match': '*' })).status, 304)
      }
    }
  }
})

// contract: Steps A and B, errors and streams are never compressed
test('steps A and B, errors and what is not 200 go as they are', async (t) => {
  const { service, send } = await serveThings(t)
  const asked = { 'Accept-Encoding': 'gzip, br', 'Content-Type': 'application/ld+json' }
  const long = JSON.stringify({ name: 'x'.repeat(5_000) })
  const unknown = JSON.stringify(Object.fromEntries(numbered(100).map((name) => [name, 1])))
  const nonce = await service.client.nonce()
  const anonymous = sender(service, {})
  const table: [status: number, answer: Promise<Answer>][] = [
    [401, anonymous('GET', '/things', asked)],
    [200, anonymous('GET', '/things', { ...asked, ...stepB(nonce) })],
    [201, send('POST', '/things', asked, long)],
    [422, send('POST', '/things', asked, unknown)],
    [400, send('GET', `/things?${'x'.repeat(2_000)}=1`, asked)],
  ]
  for (const [status, answer] of table) {
    const { status: got, headers } = await answer
    assert.deepEqual([got, headers['content-encoding']], [status, undefined])
  }
})

// contract: **Compression**: `gzip` and `br`
test('a write understands the ETag of a compressed representation, and answers with one', async (t) => {
  const { send } = await serveThings(t)
  const gzip = { 'Accept-Encoding': 'gzip' }
  const { etag = '' } = (await send('GET', '/things/t00099', gzip)).headers
  assert.match(etag, /^"\d+-[\w-]{12}-gzip"$/)
  const patch = { ...gzip, 'Content-Type': 'application/merge-patch+json', 'If-Match': etag }
  const changed = await send('PATCH', '/things/t00099', patch, '{"rank":1}')
  assert.deepEqual([changed.status, changed.headers['content-encoding']], [200, 'gzip'])
  assert.equal((await send('PATCH', '/things/t00099', patch, '{"rank":2}')).status, 412)
  const read = await send('GET', '/things/t00099', { ...gzip, 'If-None-Match': changed.headers.etag ?? '' })
  assert.equal(read.status, 304)
})

test('a page in memory is never older than the last write, compressed or not; --no-compression turns it off', async (t) => {
  const { service, send } = await serveThings(t)
  for (let round = 0; round < 5; round += 1) {
    for (const _ of [1, 2, 3]) {
      const found = JSON.parse(plainOf(await send('GET', '/things', { 'Accept-Encoding': 'br' })))
      assert.equal(found.totalItems, 100 + round)
    }
    await service.add('/things', { name: 'one more' })
  }
  const { send: off } = await serveThings(t, { compression: false })
  const { headers } = await off('GET', '/things', { 'Accept-Encoding': 'br, gzip' })
  assert.deepEqual(
    [headers['content-encoding'], headers.vary],
    [undefined, 'X-Authorization, Authorization, Accept'],
  )
})
