import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, symlinkSync } from 'node:fs'
import { get } from 'node:https'
import { connect, createServer } from 'node:net'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pino from 'pino'
import { readConfig } from '../../../src/config/index.ts'
import { openConsole } from '../../../src/service/index.ts'
import { startClient } from '../../support/client.ts'
import { ROOT } from '../../support/markdown.ts'
import { start } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/service.ts'
import { makeCertificate } from '../certificate.ts'
import {
  assertRefused,
  folderWithApi,
  freePort,
  hydrant,
  IN_MEMORY,
  type Serving,
  serveIn,
} from '../command.ts'

const ANY = ['--console-port', '0']
/** What takes longer is stuck. */
const PATIENCE_MS = 30_000
/** The line after the one about the console. */
const SERVING = /"msg":"serving"/

interface Line {
  readonly level: number
  readonly msg: string
  readonly url?: string
}

const linesOf = ({ stdout }: Pick<Serving, 'stdout'>): Line[] =>
  stdout()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const consoleOf = (server: Pick<Serving, 'stdout'>): string =>
  linesOf(server).find(({ msg }) => msg === 'console')?.url ?? ''

const warningsOf = (server: Pick<Serving, 'stdout'>): string[] =>
  linesOf(server)
    .filter(({ level, msg }) => level === 40 && msg.includes('console'))
    .map(({ msg }) => msg)

const serveJson = (
  t: TestContext,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> => serveIn(t, folderWithApi(t), args, { ...IN_MEMORY, ...env }, SERVING)

async function takenPort(t: TestContext): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  return (other.address() as { port: number }).port
}

// contract: `--console-port` ¦
test('the console has a port of its own, any free one for 0, and knows the base of the API, whose port serves no page', async (t) => {
  const server = await serveJson(t, [], { HYDRANT_CONSOLE_PORT: '0' })
  const url = consoleOf(server)
  assert.match(url, /^http:\/\/localhost:[1-9]\d*\/$/)
  const page = await fetch(url)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('Content-Type'), 'text/html; charset=utf-8')
  const html = await page.text()
  assert.ok(html.includes(`<meta name="hydrant-base" content="${server.base}">`), html)
  const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part = '']) => part)
  assert.ok(parts.length >= 2)
  for (const part of parts) {
    assert.equal((await fetch(new URL(part, url))).status, 200, part)
    assert.equal((await startClient({ ...server, base: 'http://x' }).send('GET', `/${part}`)).status, 401)
  }
  assert.equal((await fetch(new URL('/api/books', url))).status, 404)
  assert.deepEqual(warningsOf(server), [])
  const told = linesOf(server).map(({ msg }) => msg)
  assert.deepEqual(told.slice(told.indexOf('listening')), ['listening', 'console', 'serving'])

  // Whoever is connected to it, it ends with the server.
  const sockets = ['', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'GET / HT'].map((bytes) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    return socket.on('error', () => {})
  })
  const ends = sockets.map((socket) => new Promise((resolve) => socket.resume().once('close', resolve)))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  // Whatever is asked later is answered later: the others are known by now.
  assert.equal((await fetch(url)).status, 200)
  const stuck = setTimeout(PATIENCE_MS, 'stuck', { ref: false })
  assert.equal(await Promise.race([server.stop('SIGINT'), stuck]), 0)
  await Promise.all(ends)
  await assert.rejects(fetch(url))
})

test('in pretty the console is named right after the lines that say where it listens, and in what to do next', async (t) => {
  for (const [args, next] of [
    [['--no-auth'], /^Open (\S+) in a browser, or:$/m],
    [['--db', 'sqlite:other.db'], /^Open (\S+) in a browser and sign in as one of the users \(/m],
  ] as const) {
    const pretty = [...args, '--log-format', 'pretty', ...ANY]
    const server = await serveIn(t, folderWithApi(t), pretty, {}, /^ {2}curl .*\n/m)
    const [, url] =
      /^listening on \S+\nbound to 127\.0\.0\.1:\d+\nconsole on (http:\/\/localhost:\d+\/)\n/.exec(
        server.stdout(),
      ) ?? []
    assert.equal((await fetch(url ?? '')).status, 200)
    assert.equal(next.exec(server.stdout())?.[1], url, server.stdout())
    assert.equal(server.stdout().match(/listening on/g)?.length, 1)
    await server.stop()
    const commands = [...server.output().matchAll(/hydrant user add .*$/gm)].map(([command]) => command)
    const named = args[0] === '--no-auth' ? [] : ['hydrant user add 1 --db sqlite:other.db']
    assert.deepEqual(commands, named, 'once, and where there is nobody')
  }
})

// contract: `--console-port` ¦
test('the console is on 8081 by default', async () => {
  const { stdout } = await hydrant(['serve', '--help'])
  assert.match(
    stdout.replaceAll(/\s+/g, ' '),
    /--console-port <port> .*?\(default: 8081; HYDRANT_CONSOLE_PORT\)/,
  )
  assert.deepEqual(readConfig({}, {}).console, { host: '127.0.0.1', port: 8081 })
  assert.deepEqual(readConfig({ host: '0.0.0.0' }, {}).console, { host: '0.0.0.0', port: 8081 })
})

/** The console that the server would open with these flags, and what is logged on the way. */
async function openHere(t: TestContext, flags: Readonly<Record<string, string>>) {
  const config = readConfig(flags, {})
  const logged: string[] = []
  const log = pino({}, { write: (line) => logged.push(line) })
  const opened = await openConsole(config, { base: 'http://localhost:8081/api', port: config.port }, log)
  t.after(() => opened?.close())
  return { opened, warnings: logged.filter((line) => line.includes('"level":40')) }
}

test('the console is on the host of the API, or on an address of its own', async (t) => {
  for (const [host, consolePort, url] of [
    ['127.0.0.2', '0', /^http:\/\/127\.0\.0\.2:\d+\/$/],
    ['127.0.0.2', '127.0.0.3:0', /^http:\/\/127\.0\.0\.3:\d+\/$/],
    ['0.0.0.0', '0', /^http:\/\/localhost:\d+\/$/],
  ] as const) {
    const { opened } = await openHere(t, { host, consolePort })
    assert.match(opened?.url ?? '', url)
    assert.equal((await fetch(opened?.url ?? '')).status, 200)
  }
})

// contract: `--console-port` ¦
test('where the port of the console is taken, one warning says which and what to do, and the API serves', async (t) => {
  const port = await takenPort(t)
  const server = await serveJson(t, ['--console-port', String(port)])
  assert.equal((await startClient(server).send('GET', '/books')).status, 401)
  assert.equal(consoleOf(server), '')
  const [warning = '', ...others] = warningsOf(server)
  assert.deepEqual(others, [])
  assert.ok(warning.includes(`${port} of 127.0.0.1`) && warning.includes('--console-port'), warning)
  assert.equal(await server.stop(), 0)
  assert.equal(server.stderr(), '')

  const { opened, warnings } = await openHere(t, { consolePort: '192.0.2.1:0' })
  assert.equal(opened, undefined)
  assert.match(warnings.join('\n'), /^.*192\.0\.2\.1 \b.*--console-port.*\n$/)
})

test('the port of the API or of health for the console is wrong usage, but one warning where it is only the default', async (t) => {
  const folder = folderWithApi(t)
  const port = String(await freePort())
  for (const [args, part] of [
    [['--port', port, '--console-port', port], port],
    [['--port', port, '--console-port', `127.0.0.2:${port}`], port],
    [['--port', '0', '--ops-port', port, '--console-port', port], '--ops-port'],
  ] as const) {
    assertRefused(await hydrant(['serve', ...args], { cwd: folder }), 2, '--console-port: ', part, 'off')
  }
  for (const [flags, part] of [
    [{ port: '8081' }, '8081'],
    [{ opsPort: '8081' }, '--ops-port'],
  ] as const) {
    const { opened, warnings } = await openHere(t, flags)
    assert.equal(opened, undefined)
    assert.equal(warnings.length, 1)
    assert.ok(warnings[0]?.includes(part) && warnings[0].includes('--console-port'), warnings[0])
  }
})

test('a console that is not built is one warning with the command that builds it, and the API serves', async (t) => {
  const clone = temporaryFolder(t)
  const built = join(ROOT, 'dist')
  cpSync(built, join(clone, 'dist'), {
    recursive: true,
    filter: (path) => path !== join(built, 'console') && !basename(path).endsWith('.map'),
  })
  for (const name of ['package.json', 'examples', 'node_modules'])
    symlinkSync(join(ROOT, name), join(clone, name))
  const main = join(clone, 'dist', 'cli', 'main.js')
  for (const [cwd, command] of [
    [clone, 'npm run build'],
    [folderWithApi(t), `npm --prefix ../${basename(clone)} run build`],
  ] as const) {
    const server = await start(t, [main, 'serve', '--port', '0', ...ANY], SERVING, { cwd })
    const [warning = '', ...others] = warningsOf(server)
    assert.deepEqual(others, [])
    assert.ok(warning.endsWith(`: ${command}`), warning)
    const { url = '' } = linesOf(server).find(({ msg }) => msg === 'listening') ?? {}
    assert.equal((await fetch(url)).status, 401)
    assert.equal(await server.stop(), 0)
  }
})

test('with a certificate the console is served by https, under the name in the base URL', async (t) => {
  const folder = folderWithApi(t)
  const { cert } = await makeCertificate(folder)
  const tls = ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem']
  const server = await serveIn(t, folder, [...tls, '--host', '127.0.0.2', ...ANY], {}, SERVING)
  const url = new URL(consoleOf(server))
  assert.match(url.href, /^https:\/\/localhost:\d+\/$/)
  const [response] = await once(
    get(url, { ca: cert, hostname: '127.0.0.2', servername: 'localhost', agent: false }),
    'response',
  )
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  assert.equal(response.statusCode, 200)
  assert.ok(text.includes(`content="${server.base}"`) && server.base.startsWith('https://localhost:'), text)
  await assert.rejects(fetch(`http://127.0.0.2:${url.port}/`))
  assert.equal(await server.stop(), 0)
})
