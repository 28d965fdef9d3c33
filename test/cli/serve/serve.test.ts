import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { startClient } from '../../support/client.ts'
import { ROOT } from '../../support/markdown.ts'
import { HYDRANT, run } from '../../support/processes.ts'
import { OTHER_RUNTIMES } from '../../support/runtimes.ts'
import { temporaryFolder } from '../../support/service.ts'
import { makeCertificate } from '../certificate.ts'
import {
  assertRefused,
  each,
  folderWithApi,
  freePort,
  hydrant,
  IN_MEMORY,
  serveIn,
  userIds,
} from '../command.ts'

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

// contract: `--log-level`, `--log-format` ¦
// contract: Standard output of `serve`
// contract: `--host`, `--port` ¦
// contract: `--console-port` ¦
// contract: `--ops-port` ¦
test('off a terminal every line of standard output is JSON, and one of them says where it listens, with the real port for 0', async (t) => {
  const env = { ...IN_MEMORY, HYDRANT_CONSOLE_PORT: 'off' }
  const server = await serveIn(t, folderWithApi(t), ['--log-level', 'debug'], env)
  const { status, headers } = await startClient(server).send('GET', '/books')
  assert.equal(status, 401)
  assert.match(server.base, /^http:\/\/localhost:[1-9]\d*\/api$/)
  assert.match(headers.link ?? '', new RegExp(`^<${server.base}/vocab>; `))
  assert.equal(await server.stop(), 0)
  const lines = linesOf(server.stdout()).map((line) => JSON.parse(line))
  const listening = lines.filter(({ msg }) => msg === 'listening')
  assert.deepEqual(
    listening.map(({ url }) => url),
    [server.base],
  )
  assert.ok(lines.some(({ msg, path }) => msg === 'request' && path === '/api/books'))
  assert.ok(
    !lines.some(({ msg, ops }) => msg === 'console' || ops !== undefined),
    'no other port is asked for',
  )
  assert.equal(server.stderr(), '')
})

// contract: `--log-level`, `--log-format` ¦
// contract: Standard output of `serve`
// contract: `--base-url` ¦
test('in pretty standard output says where it is and listens, which may be two things, and the log is on standard error', async (t) => {
  const port = await freePort()
  const base = 'https://books.example.org/v1'
  const format = ['--log-format', 'pretty', '--log-level', 'debug']
  const flags = [...format, '--base-url', base, '--port', String(port), '--no-auth']
  const server = await serveIn(t, folderWithApi(t), flags, IN_MEMORY)
  const { body } = await startClient({ base, port }).send('GET', '/books')
  assert.ok(body.includes(`"${base}/books"`))
  assert.equal(await server.stop(), 0)
  const said = `listening on ${base}\nbound to 127.0.0.1:${port}\n`
  assert.ok(server.stdout().startsWith(said), server.stdout())
  assert.ok(!server.stdout().includes('DEBUG'))
  assert.match(server.stderr(), /DEBUG.*: GET \/v1\/books 200 [\d.]+ ms\n/)
})

// contract: Standard output of `serve`
// contract: `--base-url` ¦
// contract: `--host`, `--port` ¦
test('the port and the path of the base URL are where it listens and is mounted, which is said at every log level', async (t) => {
  const port = await freePort()
  const base = `http://localhost:${port}/deep/er`
  const flags = ['--base-url', `${base}/`, '--no-auth', '--log-level', 'error', '--log-format', 'json']
  const server = await serveIn(t, folderWithApi(t), flags, IN_MEMORY)
  assert.equal(server.base, base)
  const { status, body } = await startClient({ base, port }).send('GET', '/books')
  assert.equal(status, 200)
  assert.ok(body.includes(`"${base}/books"`))
  assert.equal(
    (await startClient({ base: `http://localhost:${port}`, port }).send('GET', '/api')).status,
    404,
  )
  assert.equal(await server.stop(), 0)
  assert.equal(linesOf(server.stdout()).length, 1)
})

// contract: `hydrant serve [api-file]` ¦
test('a named file is served, else api.yaml of the working folder, else the bundled example, as the log says', async (t) => {
  const own = folderWithApi(t, 'title: Own\nclasses:\n  Boat:\n    properties: { name: string }\n')
  writeFileSync(join(own, 'other.yaml'), 'title: Other\nclasses:\n  Car:\n    properties: { name: string }\n')
  const bundled = join(ROOT, 'examples', 'library.yaml')
  const rows: readonly (readonly [string, readonly string[], string, string])[] = [
    [own, [], '/boats', 'api.yaml'],
    [own, ['other.yaml'], '/cars', 'other.yaml'],
    [temporaryFolder(t), [bundled], '/authors', bundled],
    [temporaryFolder(t), [], '/authors', 'the bundled library, since there is no api.yaml here'],
  ]
  await each(rows, async ([folder, args, path, api]) => {
    const server = await serveIn(t, folder, [...args, '--no-auth'], IN_MEMORY, /"msg":"serving"/)
    const { status, body } = await startClient(server).send('GET', path)
    assert.equal(status, 200, path)
    if (path === '/authors') assert.ok(JSON.parse(body).totalItems > 0, 'with its sample data')
    const line = linesOf(server.stdout()).find((text) => text.includes('"msg":"serving"'))
    assert.equal(JSON.parse(line ?? '{}').api, api)
    await server.stop()
  })
})

test('a file that cannot be read as an API file stops the start and says why', async (t) => {
  const folder = folderWithApi(t)
  writeFileSync(join(folder, 'api.txt'), 'title: Boats')
  const rows: readonly (readonly [string, RegExp])[] = [
    ['missing.yaml', /^missing\.yaml: [^\n]+\n$/],
    ['.', /^\.: [^\n]+\n$/],
    ['api.txt', /^api\.txt: [^\n]+"\.txt"\n$/],
    ['', /^: [^\n]+\n$/],
  ]
  await each(rows, async ([file, message]) => {
    const { status, stdout, stderr } = await hydrant(['serve', file, '--port', '0'], { cwd: folder })
    assert.equal(status, 1)
    assert.equal(stdout, '')
    assert.match(stderr, message)
  })
})

// contract: Exit status: 0 done
test('an address that cannot be listened on is a failure that says what to choose instead', async (t) => {
  const folder = temporaryFolder(t)
  const other = createServer()
  const port = await freePort()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  t.after(() => other.close())
  const taken = await hydrant(['serve', '--port', String(port)], { cwd: folder })
  assertRefused(taken, 1, `${port} of 127.0.0.1`, '--port')
  assert.deepEqual(await userIds(folder), [], 'a first user whose paraphrase nobody saw')
  const elsewhere = await hydrant(['serve', '--port', '0', '--host', '192.0.2.1'], { cwd: folderWithApi(t) })
  assertRefused(elsewhere, 1, '192.0.2.1 ', '--host')
})

// contract: `--tls-cert`, `--tls-key` ¦
test('with a certificate and its key it serves https, in its base too', async (t) => {
  const folder = folderWithApi(t)
  const { cert } = await makeCertificate(folder)
  const server = await serveIn(t, folder, ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem'], IN_MEMORY)
  assert.match(server.base, /^https:\/\/localhost:\d+\/api$/)
  const link = await new Promise((resolve, reject) => {
    get(server.base, { ca: cert, host: '127.0.0.1', servername: 'localhost' }, (response) => {
      response.resume()
      resolve(`${response.statusCode} ${response.headers.link?.slice(0, server.base.length + 1)}`)
    }).on('error', reject)
  })
  assert.equal(link, `401 <${server.base}`)
  assert.equal(await server.stop(), 0)
})

test('a certificate without its key, or what is neither, is wrong usage', async (t) => {
  const folder = folderWithApi(t)
  await makeCertificate(folder)
  await run('cp', ['key.pem', 'first-key.pem'], { cwd: folder })
  await makeCertificate(folder)
  const rows: readonly (readonly [readonly string[], string])[] = [
    [['--tls-cert', 'cert.pem'], '--tls-cert and --tls-key '],
    [['--tls-key', 'key.pem'], '--tls-cert and --tls-key '],
    [['--tls-cert', 'key.pem', '--tls-key', 'key.pem'], '--tls-cert: key.pem '],
    [['--tls-cert', 'cert.pem', '--tls-key', 'cert.pem'], '--tls-key: cert.pem '],
    [['--tls-cert', 'cert.pem', '--tls-key', 'first-key.pem'], ' of --tls-cert'],
  ]
  await each(rows, async ([args, part]) => {
    assertRefused(await hydrant(['serve', '--port', '0', ...args], { cwd: folder }), 2, part)
  })
})

// contract: `serve` on a Node.js that is too old
test('on a Node.js that is too old it says so in one line and stops', async (t) => {
  const folder = temporaryFolder(t)
  const preload = join(folder, 'old.mjs')
  writeFileSync(
    preload,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.14.9' } })",
  )
  const refused = await run(process.execPath, ['--import', preload, HYDRANT, 'serve'], { cwd: folder })
  assert.deepEqual(refused, {
    status: 1,
    stdout: '',
    stderr: 'hydrant needs Node.js 24.15 or newer, from https://nodejs.org; this is 24.14.9.\n',
  })
})

for (const [name, [command, ...args]] of Object.entries(OTHER_RUNTIMES)) {
  test(`under ${name} the command and the library say that they need Node.js`, async (t) => {
    const folder = temporaryFolder(t)
    const sentence = new RegExp(`^hydrant needs Node\\.js [\\d.]+ or newer, .* this is ${name} .*\\n$`)
    const served = await run(command, [...args, HYDRANT, 'serve'], { cwd: folder })
    assert.deepEqual([served.status, served.stdout], [1, ''])
    assert.match(served.stderr, sentence)
    // In a folder of the package, whose dependencies Deno finds there alone.
    const file = join(ROOT, 'dist', `use-${name}.mjs`)
    t.after(() => rmSync(file))
    writeFileSync(
      file,
      `import { createHydrant } from './library/index.js'
       import { openProtection } from './auth/middleware.js'
       const told = (error) => console.log(error.message)
       await createHydrant({ api: {}, db: 'sqlite::memory:' }).catch(told)
       await openProtection({ base: 'http://localhost', db: 'sqlite::memory:' }).catch(told)`,
    )
    const { stdout, stderr } = await run(command, [...args, file])
    const lines = stdout.split(/(?<=\n)/)
    assert.equal(lines.length, 2, stderr)
    for (const line of lines) assert.match(line, sentence)
  })
}
