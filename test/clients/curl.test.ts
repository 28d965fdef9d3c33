import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../api/signed-in.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { run } from '../support/processes.ts'
import { serve } from '../support/service.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** `-i` prints the head of the response before its body. */
async function curl(...args: readonly string[]): Promise<Answer> {
  const { status, stdout, stderr } = await run('curl', [
    '-q',
    '-s',
    '-S',
    '-i',
    '--noproxy',
    '*',
    ...args,
  ]).catch((error: Error) => {
    throw new Error(`This test needs curl on the PATH: ${error.message}`)
  })
  assert.equal(status, 0, stderr)
  const end = stdout.indexOf('\r\n\r\n')
  const [line = '', ...lines] = stdout.slice(0, end).split('\r\n')
  const headers = lines.map((text): [string, string] => {
    const colon = text.indexOf(':')
    return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()]
  })
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: stdout.slice(end + 4),
  }
}

const JSON_BODY = ['-H', 'Content-Type: application/json', '-d']

// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('curl signs in, and then creates, finds, reads, updates and removes a member', async (t) => {
  const { base } = await serve(t)
  const challenge = await curl(`${base}/books`)
  assert.equal(challenge.status, 401)
  const nonce = `X-Authentication: ${challenge.headers['x-authentication']}`
  const exchange = await curl('-u', `${USER}:${PARAPHRASE}`, '-H', nonce, `${base}/books`)
  assert.equal(exchange.status, 200)
  const token = ['-H', `X-Authorization: ${exchange.headers['x-authorization']}`]

  const ann = await curl(...token, ...JSON_BODY, '{"name": "Änne"}', `${base}/authors`)
  assert.equal(ann.status, 201)
  const author = String(ann.headers.location)
  const book = JSON.stringify({ title: 'One & two', price: 12.5, genres: ['a', 'b'], author })
  const made = await curl(...token, ...JSON_BODY, book, `${base}/books`)
  assert.equal(made.status, 201)
  const { location = '', etag = '' } = made.headers
  assert.equal(JSON.parse(made.body)['@id'], location)

  const asked = [
    '--data-urlencode',
    'title=One & two',
    '--data-urlencode',
    `author=${author}`,
    '-d',
    'price[lte]=12.50',
  ]
  const found: Json = JSON.parse((await curl(...token, '-G', ...asked, `${base}/books`)).body)
  assert.equal(found.totalItems, 1)
  // Brackets mean something to curl unless it is told not to look.
  const globbed = await curl(...token, '-g', `${base}/authors?order[name]=desc&name[contains]=%C3%84NN`)
  assert.equal(JSON.parse(globbed.body).totalItems, 1)

  const turtle = await curl(...token, '-H', 'Accept: text/turtle', location)
  assert.equal(turtle.headers['content-type'], 'text/turtle; charset=utf-8')
  assert.match(turtle.body, /Book:title "One & two"/)
  assert.equal((await curl(...token, '-H', `If-None-Match: ${etag}`, location)).status, 304)
  const head = await curl(...token, '-I', location)
  assert.deepEqual([head.status, head.headers.etag, head.body], [200, etag, ''])

  const patch = ['-X', 'PATCH', '-H', 'Content-Type: application/merge-patch+json', '-d', '{"pages": 9}']
  const patched = await curl(...token, ...patch, '-H', `If-Match: ${etag}`, location)
  assert.equal(patched.status, 200)
  assert.equal((await curl(...token, ...patch, '-H', `If-Match: ${etag}`, location)).status, 412)
  const sent = ['-X', 'PUT', '-H', 'Content-Type: application/ld+json', '--data-binary', patched.body]
  const put = await curl(...token, ...sent, location)
  assert.deepEqual([put.status, JSON.parse(put.body)], [200, JSON.parse(patched.body)])

  assert.equal((await curl(...token, '-X', 'DELETE', author)).status, 409)
  const gone = await curl(...token, '-X', 'DELETE', location)
  assert.deepEqual([gone.status, gone.body], [204, ''])
  assert.equal((await curl(...token, location)).status, 404)
  assert.equal((await curl(...token, '-X', 'DELETE', author)).status, 204)
  assert.equal((await curl(...token, '-X', 'DELETE', `${base}/session`)).status, 204)
  assert.equal((await curl(...token, `${base}/books`)).status, 401)
})
