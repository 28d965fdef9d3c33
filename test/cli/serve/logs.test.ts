import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoggedPath } from '../../../src/service/log.ts'
import { createDerivedId } from '../../../src/transfer/derived-id.ts'
import { basic, startClient, stepB } from '../../support/client.ts'
import { HYDRANT, run, start } from '../../support/processes.ts'
import { sendRaw } from '../../support/raw.ts'
import { temporaryFolder } from '../../support/service.ts'

const WRONG = 'not the right words'
const QUERY = 'tell-nobody'

test('at level debug no paraphrase, token, nonce, Authorization value or query is in the log', async (t) => {
  for (const format of ['json', 'pretty']) {
    const args = [HYDRANT, 'serve', '--port', '0', '--log-level', 'debug', '--log-format', format]
    const server = await start(t, args, /curl -H "X-Authorization: .*\n/, { cwd: temporaryFolder(t) })
    const welcome = server.output()
    const paraphrase = /-u '1:([A-Za-z ]+)'/.exec(welcome)?.[1] ?? ''
    const base = /http:\/\/localhost:\d+\/api/.exec(welcome)?.[0] ?? ''
    const port = Number(new URL(base).port)
    const client = startClient({ base, port })
    const seen = { stdout: server.stdout().length, stderr: server.stderr().length }

    const nonces = [await client.nonce(), await client.nonce(), await client.nonce(), await client.nonce()]
    const [spent = '', wrong = '', unknown = '', unused = ''] = nonces
    const exchanged = await client.send('POST', '/books', stepB(spent, 1, paraphrase), '{}')
    const token = exchanged.headers['x-authorization'] ?? ''
    assert.match(token, /^[0-9a-f]{64}$/)
    const withToken = { 'X-Authorization': token }
    assert.equal((await client.send('GET', '/', stepB(wrong, 1, WRONG))).status, 401)
    assert.equal((await client.send('GET', '/', stepB(unknown, 99, WRONG))).status, 401)
    assert.equal((await client.send('GET', '/', stepB(spent, 1, paraphrase))).status, 401)
    assert.equal((await client.send('GET', '/books', withToken)).status, 200)
    const body = JSON.stringify({ title: 5, paraphrase, token })
    const type = { 'Content-Type': 'application/ld+json' }
    assert.equal((await client.send('POST', '/books', { ...withToken, ...type }, body)).status, 422)
    assert.equal((await client.send('POST', '/books', { ...withToken, ...type }, `{"${token}`)).status, 400)
    for (const path of [
      `/missing?token=${token}&q=${QUERY}`,
      `/books?${QUERY}=${unused}`,
      `/books/${token}`,
      `/books/${unused}?x=${QUERY}`,
      `/${token}/${unused.toUpperCase()}`,
    ]) {
      await client.send('GET', path)
      await client.send('GET', path, withToken)
    }
    const credentials = basic(1, paraphrase)
    const userinfo = `1:${encodeURIComponent(paraphrase)}`
    for (const target of carelessTargets({ paraphrase: encodeURIComponent(paraphrase), token, unused })) {
      for (const line of ['', `X-Authorization: ${token}\r\n`]) {
        const request = `GET ${target} HTTP/1.1\r\nHost: x\r\n${line}Connection: close\r\n\r\n`
        const { responses } = await sendRaw(port, [request])
        assert.ok((responses[0]?.status ?? 0) >= 400, target)
      }
    }
    for (const request of [
      `GET http://${userinfo}@localhost/api/books HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      `GET /api?${QUERY} HTTP/1.1\r\nHost: x\r\nAuthorization: ${credentials}\r\nAuthorization: ${credentials}\r\nConnection: close\r\n\r\n`,
      `GET /api?${QUERY} HTTP/1.1\r\nX-Authorization: ${token}\r\n\r\n`,
      `GET /api?${QUERY} HTTP/9.9\r\nHost: x\r\nX-Authorization: ${token}\r\n\r\n`,
      `GET /api HTTP/1.1\r\nHost: x\r\nX-Authentication ${unused}\r\n\r\n`,
      `${token} ${credentials}\r\n\r\n`,
    ]) {
      const { responses } = await sendRaw(port, [request])
      assert.ok((responses[0]?.status ?? 0) >= 400)
    }
    assert.equal(await server.stop(), 0)

    const log = server.stdout().slice(seen.stdout) + server.stderr().slice(seen.stderr)
    assert.ok(log.includes('/api/books'), 'requests are logged at this level')
    const secrets = { paraphrase, userinfo, WRONG, token, credentials, QUERY, nonces }
    for (const [name, values] of Object.entries(secrets)) {
      for (const value of [values].flat()) {
        assert.ok(!hasPartOf(value.replace('Basic ', ''), log), `${name} is in the ${format} log`)
      }
    }
  }
})

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'

/** What a line of the log has of a target. */
const SHOWN: readonly (readonly [target: string, shown: string])[] = [
  ['/api', '/api'],
  ['/api/', '/api/'],
  ['/api?x=1', '/api'],
  ['*', '*'],
  ['/api/books?q=x', '/api/books'],
  [`/api/books/${ID}?x`, `/api/books/${ID}`],
  ['/api/books/emma', '/api/books/…'],
  ['/api/b%C3%BCcher', '/api/b%C3%BCcher'],
  ['http://1:x@evil.example/api/books', '/api/books'],
  ['/api/books/a/b/c/d', '/api/books/…/…'],
  ['/api/%zz', '/api/…'],
  ['/apibooks', '…'],
  ['//1:x@host/', '…'],
  ['', '…'],
]

test('a line of the log has the names that are served and the ids that the server chose, and nothing else of a path', () => {
  const loggedPath = createLoggedPath('/api', new Set(['books', 'bücher']))
  for (const [target, shown] of SHOWN) assert.equal(loggedPath(target), shown, target)
  assert.equal(createLoggedPath('', new Set(['books']))('//1:x@host/books'), '//…/books')
})

interface Secrets {
  readonly paraphrase: string
  readonly token: string
  readonly unused: string
}

/** Targets in which a careless client has a secret, each in a spelling that is not the secret's own. */
function carelessTargets({ paraphrase, token, unused }: Secrets): string[] {
  const encode = (text: string, from = 0, to = text.length) =>
    text.slice(0, from) +
    [...text.slice(from, to)].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('') +
    text.slice(to)
  return [
    ...[token, unused, paraphrase].flatMap((secret) => [
      `/api/books/${secret.toUpperCase()}`,
      `/api/books/${encode(secret, 0, 1)}`,
      `/api/books/${encode(secret, 31, 32)}`,
      `/api/books/${encode(secret)}`,
      `/api/books/${encode(secret).toUpperCase()}`,
      `/api/books/${encode(secret, 0, 1).replace('%', '%25')}`,
      `/api/books/${encode(secret).replaceAll('%', '%25')}`,
      `/api/books/${secret.slice(0, -1)}`,
      `/api/books/${secret}.json`,
      `/api/books/${secret.slice(0, 20)}/${secret.slice(20)}`,
      `/api/books;token=${secret}`,
      `/api/books%3Ftoken=${secret}`,
      `/api/books#${secret}`,
      `/${secret}`,
      `/api${secret}`,
      `//${secret}/api/books`,
      `/api/%zz${secret}`,
    ]),
    `//1:${paraphrase}@localhost/api/books`,
    `/api//1:${paraphrase}@localhost/`,
    `///1:${paraphrase}@localhost/api`,
    `/api/http://1:${paraphrase}@localhost/api`,
    `https://1:${paraphrase}@localhost/api/missing`,
    `HTTP://1:${paraphrase}@localhost`,
    `ftp://1:${paraphrase}@localhost/api/books`,
  ]
}

/** Whether 12 characters of a secret stand in a text, however often the text is percent-encoded. */
function hasPartOf(secret: string, text: string): boolean {
  const plain = [text]
  for (let times = 0; times < 3; times += 1) {
    const decode = (_: string, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))
    plain.push((plain.at(-1) ?? '').replaceAll(/%([\da-f]{2})/gi, decode))
  }
  const length = Math.min(12, secret.length)
  return Array.from({ length: secret.length - length + 1 }, (_, from) =>
    secret.slice(from, from + length).toLowerCase(),
  ).some((part) => plain.some((each) => each.toLowerCase().includes(part)))
}

test('an unexpected error that repeats what a client has sent has no token, nonce or credentials in the log', async () => {
  const token = 'a5'.repeat(32)
  const nonce = '6a1b2c3d-4e5f-8abc-9def-0123456789ab'
  // Of the same shape, and no secret.
  const imported = createDerivedId('books.ndjson')(17, '{}')
  const texts = [
    token,
    token.toUpperCase(),
    `%61${token.slice(1)}`,
    token.replaceAll('5', '%2535'),
    nonce,
    nonce.replaceAll('-', '%2D'),
    nonce.replace('8abc', '%38abc'),
    basic(1, 'a paraphrase'),
    'https://1:a%20paraphrase@localhost/',
    imported,
  ]
  // In json it is on standard output, in pretty on standard error.
  const program = `
    import { createLog } from ${JSON.stringify(new URL('../../../src/service/log.ts', import.meta.url).href)}
    for (const format of ['json', 'pretty']) {
      const log = await createLog(format, 'debug')
      for (const text of ${JSON.stringify(texts)}) {
        const err = new Error('no ' + text, { cause: new TypeError('for ' + text) })
        log.child({ worker: 1 }).error({ err: Object.assign(err, { detail: text }) }, 'a request failed')
      }
    }`
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', program])
  for (const log of [stdout, stderr]) {
    assert.equal(log.split('a request failed').length - 1, texts.length)
    for (const secret of [token, nonce, basic(1, 'a paraphrase').slice(6), 'a%20paraphrase']) {
      assert.ok(!hasPartOf(secret, log), log)
    }
    assert.ok(log.includes(`no ${imported}`), log)
  }
  for (const line of stdout.trim().split('\n')) assert.ok(JSON.parse(line).err)
})
