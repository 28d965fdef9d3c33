import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { brokenApi, goodApi, HEADERS, HOST, type RecordedApi } from '../../conform/fixtures.ts'
import { PARAPHRASE, USER } from '../../support/client.ts'
import { serve } from '../../support/service.ts'
import { assertRefused, freePort, hydrant } from '../command.ts'

/** A recorded API over HTTP; the name that nothing has is another each time. */
async function serveRecorded(t: TestContext, api: RecordedApi): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const {
      status = 200,
      headers = {},
      body,
    } = api[url.replace(/[\da-f]{8}-[\da-f-]{27}/, 'unknown')] ?? {
      status: 404,
      body: 'nothing',
    }
    const here = (text: string) => text.replaceAll(HOST, address)
    for (const [name, value] of Object.entries({ ...HEADERS, ...headers }))
      if (value) response.setHeader(name, here(value))
    response.writeHead(status).end(here(typeof body === 'string' ? body : JSON.stringify(body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return address
}

test('conform of an API that does everything right prints so, and exits 0', async (t) => {
  const address = await serveRecorded(t, goodApi())
  assert.deepEqual(await hydrant(['conform', address]), {
    status: 0,
    stdout: `${address}/: 0 wrong, 0 missing, 0 of good practice (1 collection, 8 requests)\n`,
    stderr: '',
  })
})

// contract: `hydrant conform <url>`
test('conform prints what is wrong, with its term, its address and what would be right, and exits 1', async (t) => {
  const address = await serveRecorded(t, brokenApi('OperationWithoutMethod'))
  const { status, stdout, stderr } = await hydrant(['conform', address])
  assert.equal(status, 1)
  assert.match(stderr, /^hydrant: [^\n]+ 1 thing is wrong\.\n$/)
  assert.deepEqual(stdout.split('\n').slice(1), [
    '',
    'Wrong: Hydra, or a standard that it builds on, requires something else',
    '  hydra:method: The operation has no method; add hydra:method, such as "GET".',
    `      ${address}/vocab#Book`,
    '',
  ])
})

test('conform exits 0 where something is only missing', async (t) => {
  const address = await serveRecorded(t, brokenApi('NoApiTitle'))
  const { status, stdout, stderr } = await hydrant(['conform', address])
  assert.deepEqual([status, stderr], [0, ''])
  assert.match(stdout, /^Missing: .*\n {2}hydra:title: /m)
})

test('conform --json prints the findings as data', async (t) => {
  const address = await serveRecorded(t, brokenApi('UnknownTerm'))
  const { status, stdout } = await hydrant(['conform', address, '--json'])
  assert.equal(status, 1)
  const { findings, ...rest } = JSON.parse(stdout)
  assert.deepEqual(rest, {
    address: `${address}/`,
    entryPoint: `${address}/`,
    documentation: `${address}/vocab`,
    requests: 8,
  })
  assert.equal(findings.length, 1)
  const { sentence, ...finding } = findings[0]
  assert.deepEqual(finding, {
    code: 'UnknownTerm',
    level: 'wrong',
    term: 'hydra:totalitems',
    address: `${address}/books`,
  })
  assert.equal(typeof sentence, 'string')
})

test('control characters of a server do not reach the terminal', async (t) => {
  const api = brokenApi('UnknownTerm')
  const books = api['/books']?.body as Record<string, unknown>
  books['hydra:\u001b[2J\u0007gone'] = 1
  books['\u001b]0;title\u0007'] = 1
  const { stdout } = await hydrant(['conform', await serveRecorded(t, api)])
  assert.doesNotMatch(stdout.replaceAll('\n', ''), /\p{Cc}/u)
})

test('of many findings of a kind a terminal shows five', async (t) => {
  const api = goodApi()
  const { body } = api['/books'] as { body: { member: object[] } }
  Object.assign(body, Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`hydra:x${index}`, 1])))
  const { stdout } = await hydrant(['conform', await serveRecorded(t, api)])
  assert.equal(stdout.match(/Hydra has no term/g)?.length, 5)
  assert.match(stdout, /\n {6}and 4 more, which --json lists\n/)
})

test('conform signs in with the paraphrase of the user, or says that it needs one', async (t) => {
  const { base } = await serve(t)
  const input = `${PARAPHRASE}\n`
  const { stdout } = await hydrant(['conform', base], { input, env: { HYDRANT_USER: String(USER) } })
  // Two of the API file, and the events.
  assert.match(stdout, /\(3 collections, \d+ requests\)/)
  assertRefused(await hydrant(['conform', base], { input }), 1, ' --user')
  assertRefused(await hydrant(['conform', base, '--user', String(USER)], { input: 'plum\n' }), 1, `${base}: `)
})

test('conform of a web page says where the API is, or probably is', async (t) => {
  const html = { 'content-type': 'text/html; charset=utf-8', link: '' }
  const page = (body: string) => serveRecorded(t, { '/': { headers: html, body } })
  const findingOf = async (address: string) => {
    const { status, stdout } = await hydrant(['conform', address])
    assert.equal(status, 1)
    return stdout
      .split('\n')
      .find((line) => line.includes('cannot be read'))
      ?.trim()
  }
  const found = '@context: The resource cannot be read: the body is a web page; answer with JSON-LD'
  const console = await page('<!doctype html><meta name="hydrant-base" content="http://localhost:8080/api">')
  assert.equal(
    await findingOf(console),
    `${found}, or give the address of the API, which is http://localhost:8080/api.`,
  )
  const website = await page('<!doctype html><title>A library</title>')
  assert.equal(
    await findingOf(website),
    `${found}, or give the address of the API, which is probably ${website}/api.`,
  )
  // Elsewhere in an API such a hint would mislead.
  const api = goodApi()
  Object.assign(api['/books/1'] as object, { headers: html, body: '<h1>A book</h1>' })
  assert.equal(await findingOf(await serveRecorded(t, api)), `${found}.`)
})

test('conform of no server is a failure, and of no address wrong usage', async () => {
  assertRefused(await hydrant(['conform', `http://127.0.0.1:${await freePort()}/`]), 1, 'does not answer')
  assertRefused(await hydrant(['conform', 'ftp://localhost/']), 2)
  assertRefused(await hydrant(['conform', 'http://1:secret@localhost/']), 2)
  assertRefused(await hydrant(['conform']), 2)
})
