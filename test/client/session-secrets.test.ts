import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { createClient } from 'hydrant-client'
import { listen } from '../support/browser-server.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { serve } from '../support/service.ts'
import { CREDENTIALS, recordClient } from './recording.ts'

const SECRET_HEADERS = ['authorization', 'x-authorization', 'x-authentication']
const secretsIn = (headers: IncomingHttpHeaders) => SECRET_HEADERS.filter((name) => name in headers)

test('No address outside of the base gets a secret, and its challenge starts no exchange', async (t) => {
  const received: string[] = []
  const elsewhere = await listen(t, ({ headers, url }, response) => {
    received.push(`${url} ${secretsIn(headers)}`)
    response.writeHead(401, { 'X-Authentication': '00000000-0000-8000-8000-000000000000' }).end('{}')
  })
  const { base } = await serve(t)
  const { client, exchanges, sent } = recordClient(base)
  await client.entryPoint()
  const { origin, port } = new URL(base)
  for (const address of [
    elsewhere,
    `${elsewhere}/api/books`,
    `${elsewhere}/${base}/books`,
    `http://localhost:${port}@${new URL(elsewhere).host}/api/books`,
    origin,
    `${origin}/apis/books`,
    `${origin}/other`,
    `${base}/../books`,
    `${base}/%2e%2e/books`,
    `${base}\\..\\..\\books`,
    '/books',
    '//127.0.0.1:1/api/books',
  ]) {
    await assert.rejects(client.request('POST', address, { body: {} }), { name: 'ApiError' }, address)
    const { headers } = sent.at(-1) ?? {}
    assert.deepEqual(
      SECRET_HEADERS.filter((name) => headers?.has(name)),
      [],
      address,
    )
  }
  assert.equal(exchanges().length, 1)
  assert.deepEqual(received, ['/ ', '/api/books ', `/${base}/books `])
})

test('A link outside of the base gets no credentials, and the error names both addresses', async (t) => {
  const { base } = await serve(t)
  const { client } = recordClient(base.replace('localhost', '127.0.0.1'))
  await assert.rejects(client.collection('books').page(), {
    code: 'outside-base',
    kind: 'credentials',
    status: 401,
    message: `${base}/books is not below ${client.base} and gets no credentials; the base must be the address that the API uses in its links.`,
  })
})

test('Every address below the base gets the token, however it is written', async (t) => {
  const { base } = await serve(t)
  const { client } = recordClient(base)
  for (const address of [
    base,
    `${base}/`,
    `${base}?x`,
    `${base}#x`,
    'books',
    './books',
    '/api/books',
    `${base}/a/../books`,
    `${base}/books#it`,
    base.replace('http:', 'HTTP:'),
  ]) {
    const outcome = await client.request('GET', address).catch((error) => error)
    assert.notEqual(outcome.status, 401, address)
  }
})

test('A redirection is followed only by requests without secrets', async (t) => {
  const reached: string[] = []
  const elsewhere = await listen(t, ({ headers }, response) => {
    reached.push(secretsIn(headers).join())
    response.writeHead(200, { 'Content-Type': 'application/ld+json' }).end('{"@id": "/moved"}')
  })
  const base = await listen(t, ({ headers }, response) => {
    if (headers.authorization) response.writeHead(200, { 'X-Authorization': 'token' }).end('{}')
    else if (headers['x-authorization'] === 'token' || headers['x-open']) {
      response.writeHead(307, { Location: `${elsewhere}/moved` }).end()
    } else response.writeHead(401, { 'X-Authentication': 'nonce' }).end('{}')
  })
  const client = createClient({ base, credentials: CREDENTIALS })
  await assert.rejects(client.request('GET', '/old'), { kind: 'refused', status: 307 })
  await assert.rejects(client.request('DELETE', '/old'), { kind: 'refused', status: 307 })
  assert.deepEqual(reached, [])

  const open = createClient({ base })
  const answer = await open.request('GET', '/old', { headers: { 'X-Open': 'yes' } })
  assert.deepEqual(reached, [''])
  assert.equal(answer.url, `${elsewhere}/moved`)
})

test('A write is not redirected, since fetch would send a GET without the body', async (t) => {
  const received: string[] = []
  const base = await listen(t, ({ method, url }, response) => {
    received.push(`${method} ${url}`)
    if (url === '/things') response.writeHead(301, { Location: '/things/' }).end()
    else response.end(`{"@id": "${url}", "things": "/things"}`)
  })
  const creating = createClient({ base }).collection('things').create({ name: 'Ann' })
  await assert.rejects(creating, { kind: 'refused', status: 301 })
  assert.equal(received.at(-1), 'POST /things')
  await createClient({ base }).request('HEAD', '/things')
  assert.equal(received.at(-1), 'HEAD /things/', 'what only asks is')
})

test('An observer sees every request, and no secret in any of them', async (t) => {
  for (const flags of [{}, { token: false }]) {
    const { base } = await serve(t, { flags })
    const { client, sent, observed } = recordClient(base)
    const author = await client.collection('authors').create({ name: 'Ann Leckie' })
    await client.request('GET', author.iri, {
      headers: { AUTHORIZATION: 'Bearer of news', 'X-Own': 'shown' },
    })
    await client.signOut()
    assert.equal(observed.length, sent.length)
    const secrets = sent.flatMap(({ headers }) => SECRET_HEADERS.flatMap((name) => headers.get(name) ?? []))
    const text = JSON.stringify(observed)
    for (const secret of [PARAPHRASE, 'of news', ...secrets.map((value) => value.replace('Basic ', ''))]) {
      assert.ok(!text.includes(secret), 'a secret was shown')
    }
    const [, exchange] = observed
    assert.equal(exchange?.requestHeaders.authorization, 'Basic <credentials>')
    assert.equal(exchange.requestHeaders['x-authentication'], '<nonce>')
    const answered = exchange.responseHeaders
    if (flags.token === false) assert.equal(answered['x-authentication'], '<nonce>')
    else assert.equal(answered['x-authorization'], '<token>')
    assert.ok(observed.some(({ requestHeaders }) => requestHeaders['x-own'] === 'shown'))
  }
})

test('No request lets a browser ask for a password, or send a cookie', async (t) => {
  const { base } = await serve(t)
  const { client, sent } = recordClient(base)
  await client.collection('authors').create({ name: 'Ann Leckie' })
  await assert.rejects(client.request('GET', '/elsewhere'))
  await client.signOut()
  assert.deepEqual(new Set(sent.map(({ credentials }) => credentials)), new Set(['omit']))
})

test('An observer sees what went over the wire: method, address, bodies, status and time', async (t) => {
  const { base } = await serve(t, { flags: { auth: false } })
  const before = Date.now()
  const { client, observed } = recordClient(base)
  await assert.rejects(client.collection('authors').create({ nam: 'x' }))
  const record = observed.at(-1)
  assert.equal(record?.method, 'POST')
  assert.equal(record.url, `${base}/authors`)
  assert.equal(record.requestBody, '{"nam":"x"}')
  assert.equal(record.requestHeaders['content-type'], 'application/ld+json')
  assert.equal(record.status, 422)
  assert.match(record.responseBody, /"violations":/)
  assert.equal(record.responseHeaders['content-type'], 'application/problem+json')
  assert.ok(record.startedAt >= before && record.startedAt <= Date.now())
  assert.ok(record.milliseconds >= 0)
})

test('An observer sees requests without a response', async (t) => {
  const base = await listen(t, (_, response) => response.destroy())
  const { client, observed } = recordClient(base, { patience: 0 })
  await assert.rejects(client.request('GET', '/x'), { kind: 'unreachable' })
  assert.equal(observed.length, 1)
  assert.equal(observed[0]?.status, undefined)
})

test('A user name and a password in the base are neither used nor shown', async (t) => {
  const { base } = await serve(t)
  const { client, observed } = recordClient(base.replace('//', `//${USER}:${encodeURIComponent('secret')}@`))
  assert.equal(client.base, base)
  await client.entryPoint()
  assert.ok(!JSON.stringify(observed).includes('secret'))
})

test('No error has a secret in it', async (t) => {
  const service = await serve(t)
  const { client } = recordClient(service.base, { patience: 0 })
  await client.entryPoint()
  const token = await client.request('GET', 'nothing').catch((error) => error)
  await service.close()
  const away = await client.request('GET', 'books').catch((error) => error)
  for (const error of [token, away]) {
    const text = JSON.stringify([error, error.message, error.stack, String(error.cause)])
    assert.doesNotMatch(text, /[0-9a-f]{64}|Basic/)
    assert.ok(!text.includes(PARAPHRASE))
  }
})
