import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { hashParaphrase } from '../../../src/auth/index.ts'
import { readConfig } from '../../../src/config/index.ts'
import { DEFAULT_SERVER_LIMITS } from '../../../src/http/index.ts'
import { startClient } from '../../support/client.ts'
import { ROOT } from '../../support/markdown.ts'
import { hydrant as hydrantProcess } from '../../support/processes.ts'
import { serve } from '../../support/service.ts'
import { folderWithApi, hydrant, inStore, serveIn } from '../command.ts'

// docs/contract/command-line.md, and what docs/contract/hypermedia.md says of a server that starts or ends.

const PARAPHRASE = 'open sesame'

/** The second column of the table of flags, by the flags of the first. */
function defaultsOfThePage(): Map<string, string> {
  const text = readFileSync(join(ROOT, 'docs/contract/command-line.md'), 'utf8')
  return new Map(
    [...text.matchAll(/^\| (`--.*?) \| (.*?) \|/gm)].map(([, flags = '', standard = '']) => [
      flags.replaceAll('`', ''),
      standard.replaceAll('`', ''),
    ]),
  )
}

// contract: `--base-url` ¦
// contract: `--host`, `--port` ¦
// contract: `--db` ¦ `sqlite:hydrant.db` ¦
// contract: `--auth` / `--no-auth` ¦
// contract: `--token` / `--no-token` ¦
// contract: `--token-ttl`, `--nonce-ttl` ¦
// contract: `--secret-file` (or `HYDRANT_SECRET`) ¦
// contract: `--trust-proxy` ¦
// contract: `--page-size`, `--max-page-size` ¦
// contract: `--require-if-match` ¦
// contract: `--tls-cert`, `--tls-key` ¦
// contract: `--console-port` ¦
// contract: `--ops-port` ¦
// contract: `--access` ¦
// contract: `--workers` ¦
// contract: `--log-level`, `--log-format` ¦
test('every setting has the default that the page says', () => {
  const config = readConfig({}, {})
  const minutes = (ms: number) => `${ms / 60_000}m`
  const onOff = (is: boolean) => (is ? 'on' : 'off')
  const { host, port, pageSizes, tokenTtlMs, nonceTtlMs, mode, requireIfMatch } = config
  const table: [flags: string, standard: string][] = [
    ['--base-url', String(config.base)],
    ['--host, --port', `${host}; the port written in the base URL, else ${port}`],
    ['--db', config.db],
    ['--auth / --no-auth', onOff(mode !== 'open')],
    ['--token / --no-token', onOff(mode === 'token')],
    ['--token-ttl, --nonce-ttl', `${minutes(tokenTtlMs)}, ${minutes(nonceTtlMs)}`],
    ['--secret-file (or HYDRANT_SECRET)', config.secrets === undefined ? 'kept in the database' : ''],
    ['--trust-proxy', config.trusted.length === 0 ? 'none' : ''],
    ['--page-size, --max-page-size', `${pageSizes.standard}, ${pageSizes.maximum}`],
    ['--require-if-match', onOff(requireIfMatch)],
    ['--tls-cert, --tls-key', config.tls === undefined ? 'none' : ''],
    ['--console-port', `${config.console?.port} (off for none)`],
    ['--ops-port', config.ops === undefined ? 'off' : ''],
    ['--access', config.access ?? 'none'],
    ['--workers', String(config.workers)],
    [
      '--log-level, --log-format',
      `${config.logLevel}, ${config.logFormat ?? 'pretty on a terminal, json otherwise'}`,
    ],
  ]
  const page = defaultsOfThePage()
  for (const [flags, standard] of table) assert.equal(page.get(flags), standard, flags)
  assert.equal(readConfig({ baseUrl: 'https://example.org:8443/v1' }, {}).port, 8443)
  assert.equal(readConfig({ baseUrl: 'https://example.org/v1' }, {}).port, 8080)
  assert.equal(readConfig({ baseUrl: 'https://example.org:8443/v1', port: '9000' }, {}).port, 9000)
})

// contract: `--host`, `--port` ¦
test('it listens on 127.0.0.1 alone, or on the host that is named alone', async (t) => {
  const reaches = (host: string, port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, host)
      socket.on('connect', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
  for (const [flags, here, elsewhere] of [
    [{}, '127.0.0.1', '127.0.0.2'],
    [{ host: '127.0.0.2' }, '127.0.0.2', '127.0.0.1'],
  ] as const) {
    const { port, close } = await serve(t, { flags })
    assert.equal(await reaches(here, port), true, here)
    assert.equal(await reaches(elsewhere, port), false, elsewhere)
    await close()
  }
})

// contract: An acknowledged write is on disk.
test('every write that was answered is there after the server was killed', async (t) => {
  const folder = folderWithApi(t)
  await inStore(folder, async (store) =>
    store.addUser({ id: 1, paraphraseHash: await hashParaphrase(PARAPHRASE) }, 0),
  )
  let token: string | undefined
  const answered: string[] = []
  for (let round = 0; round < 2; round++) {
    const server = await serveIn(t, folder)
    const client = startClient(server)
    token ??= await client.signIn(1, PARAPHRASE)
    const headers = { 'X-Authorization': token, 'Content-Type': 'application/json' }
    // Several at once, and killed at the answer to one of them: the others may or may not be there.
    const writes = Array.from({ length: 10 }, async (_, index) => {
      const name = `${round}-${index}`
      const { status } = await client.send('POST', '/authors', headers, JSON.stringify({ name }))
      if (status === 201) answered.push(name)
      server.child.kill('SIGKILL')
    })
    await Promise.allSettled(writes)
    await server.ended
  }
  assert.ok(answered.length >= 2, `${answered}`)
  const { stdout } = await hydrant(['export', 'api.yaml'], { cwd: folder })
  const found = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).name)
  for (const name of answered) assert.ok(found.includes(name), `${name} of ${found}`)
})

// contract: **Changing the API file** over data that exists
test('incompatible members stop the start: 1, and ten of them are named', async (t) => {
  const api = 'classes:\n  Book: { properties: { title: string } }\n'
  const folder = folderWithApi(t, api)
  const lines = Array.from(
    { length: 12 },
    (_, id) => `{"@type":"Book","@id":"/books/b${id}","title":"t${id}"}\n`,
  )
  const imported = await hydrant(['import', 'api.yaml', '-'], { cwd: folder, input: lines.join('') })
  assert.equal(imported.status, 0, imported.stderr)
  writeFileSync(join(folder, 'api.yaml'), api.replace('title: string', 'title: integer'))
  const { status, stdout, stderr } = await hydrantProcess(['serve', '--port', '0'], { cwd: folder })
  assert.equal(status, 1, stderr)
  assert.ok(!stdout.includes('listening'), stdout)
  assert.match(stderr, /title: "t\d+" cannot be converted to the type integer/)
  assert.equal(new Set(stderr.match(/\bb\d+\b/g)).size, 10, stderr)
  writeFileSync(join(folder, 'api.yaml'), api)
  const { client } = await serve(t, {
    api,
    db: `sqlite:${join(folder, 'hydrant.db')}`,
    flags: { auth: 'off' },
  })
  assert.equal((await client.send('GET', '/books')).json().totalItems, 12)
})

// contract: SIGTERM or SIGINT: no new connections
test('what is in flight when the time to finish is over is cut off, and 10 s are that time', async (t) => {
  assert.equal(DEFAULT_SERVER_LIMITS.graceMs, 10_000)
  const service = await serve(t, { limits: { graceMs: 50 } })
  const token = await service.client.signIn()
  const socket = connect(service.port, '127.0.0.1')
  socket.on('error', () => {})
  const body = '{"name": "Ann"}'
  const head = `POST /api/authors HTTP/1.1\r\nHost: x\r\nX-Authorization: ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  socket.write(head + body.slice(0, 5))
  // By its answer the server has seen what came before it.
  await service.client.send('GET', '/')
  const answers: Buffer[] = []
  socket.on('data', (chunk) => answers.push(chunk))
  const closed = once(socket, 'close')
  await service.close()
  await closed
  assert.equal(Buffer.concat(answers).toString(), '', 'nothing but the end of the connection')
})
