import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { PARAPHRASE, USER } from '../../support/client.ts'
import { hydrant as hydrantProcess } from '../../support/processes.ts'
import { serve, type TestService, temporaryFolder } from '../../support/service.ts'
import { assertRefused, each, hydrant } from '../command.ts'
import { openTerminal } from '../terminal.ts'

/** A folder of a user at home, with the variables that name the API, the user and the paraphrase. */
async function atHome(t: TestContext, flags: Readonly<Record<string, boolean>> = {}) {
  const service = await serve(t, { flags })
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'me.txt'), `${PARAPHRASE}\n`)
  const env = {
    ...{ HOME: folder, XDG_RUNTIME_DIR: join(folder, 'run'), XDG_STATE_HOME: '' },
    HYDRANT_BASE_URL: service.base,
    HYDRANT_USER: String(USER),
    HYDRANT_PARAPHRASE_FILE: join(folder, 'me.txt'),
  }
  const curl = (args: readonly string[], options: { readonly input?: string; readonly env?: object } = {}) =>
    hydrantProcess(['curl', ...args], { cwd: folder, ...options, env: { ...env, ...options.env } })
  return { service, folder, env, curl, tokens: join(folder, 'run', 'hydrant', 'tokens') }
}

const liveTokens = async ({ store }: TestService): Promise<number> =>
  (await store.auth.listTokens(Date.now())).length

// contract: `hydrant token --user <id>`
test('curl runs with a token, which is kept for the next call and renewed when it has ended', async (t) => {
  const { service, folder, curl, tokens } = await atHome(t)
  const added = await curl(['-sf', '-H', 'Content-Type: application/json', '-d', '@-', '/authors'], {
    input: '{"name":"Ann Leckie"}',
  })
  assert.deepEqual([added.status, added.stderr], [0, ''])
  assert.equal(JSON.parse(added.stdout).name, 'Ann Leckie')
  const [file = '', ...others] = readdirSync(tokens)
  assert.deepEqual(others, [])
  assert.equal(statSync(join(tokens, file)).mode & 0o777, 0o600)
  assert.equal(statSync(tokens).mode & 0o777, 0o700)

  rmSync(join(folder, 'me.txt'))
  const read = await curl(['-sf', `${service.base}/authors`])
  assert.equal(JSON.parse(read.stdout).totalItems, 1)
  assert.equal(await liveTokens(service), 1)

  await service.store.auth.revokeTokens('all', Date.now())
  const ended = await curl(['-s', '/authors'])
  assert.equal(ended.status, 1)
  assert.match(ended.stderr, /me\.txt: there is no such file/)
  writeFileSync(join(folder, 'me.txt'), `${PARAPHRASE}\n`)
  assert.equal((await curl(['-sf', '/authors'])).status, 0)
  assert.equal(await liveTokens(service), 1)

  // What others can read may be theirs.
  chmodSync(join(tokens, file), 0o644)
  assert.equal((await curl(['-sf', '/authors'])).status, 0)
  assert.equal(await liveTokens(service), 2)
  assert.equal(statSync(join(tokens, file)).mode & 0o777, 0o600)
})

test('the exit status of curl is that of the command, and its own help needs no token', async (t) => {
  const { service, curl } = await atHome(t)
  await each(
    [
      { args: ['-sf', '/nothing'], status: 22 },
      { args: ['-s', '-o', '/dev/null', '-w', '%{http_code}', '/nothing'], status: 0, stdout: '404' },
      { args: ['-s', '-d'], status: 2 },
    ],
    async ({ args, status, stdout }) => {
      const ended = await curl(args)
      assert.equal(ended.status, status, ended.stderr)
      if (stdout !== undefined) assert.equal(ended.stdout, stdout)
    },
  )
  const before = await liveTokens(service)
  const version = await curl(['--version'], { env: { HYDRANT_BASE_URL: 'http://localhost:9/api' } })
  assert.match(version.stdout, /^curl [0-9]/)
  assert.equal(await liveTokens(service), before)
})

/** A curl that prints its arguments, and the header that it is to send. */
function recordCurl(folder: string): { readonly PATH: string } {
  mkdirSync(join(folder, 'bin'))
  const script = `#!/bin/sh
if [ "$2" = --help ]; then PATH="$OTHERS" exec curl "$@"; fi
printf '%s\\n' "$@" "header $(cat /dev/fd/3)"
`
  writeFileSync(join(folder, 'bin', 'curl'), script, { mode: 0o755 })
  return { PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter) }
}

test('no argument of curl has the token or the paraphrase, and no configuration of curl is read', async (t) => {
  const { folder, service, curl, tokens } = await atHome(t)
  const env = { ...recordCurl(folder), OTHERS: process.env.PATH }
  const { stdout, stderr } = await curl(['-s', '/authors'], { env })
  const [file = ''] = readdirSync(tokens)
  const token = readFileSync(join(tokens, file), 'utf8').trim()
  assert.equal(stderr, '')
  assert.deepEqual(stdout.trimEnd().split('\n'), [
    ...[
      '--disable',
      '--globoff',
      '--noproxy',
      '*',
      '--header',
      '@/dev/fd/3',
      '-s',
      `${service.base}/authors`,
    ],
    `header X-Authorization: ${token}`,
  ])
})

test('nothing is sent where curl would send the token elsewhere', async (t) => {
  const { service, env } = await atHome(t)
  const { base } = service
  await each(
    [
      { args: ['-L', '/authors'], part: 'redirect' },
      { args: ['-sSL', '/authors'], part: 'redirect' },
      { args: ['/authors', 'http://localhost:9/'], part: `not below ${base}` },
      { args: ['/authors', '--next', '/authors'], part: '--next' },
      { args: ['-s', '--user', '7', '/authors'], part: 'before the arguments of curl' },
      { args: ['-s', '--base-url', base, '/authors'], part: 'no option --base-url' },
    ],
    async ({ args, part }) => assertRefused(await hydrant(['curl', ...args], { env }), 2, part),
  )
  assert.equal(await liveTokens(service), 0)
})

test('a proxy does not see the token, and an address is sent as it is written', async (t) => {
  const { seen, to } = await redirectFrom(t)
  const { curl } = await atHome(t)
  const proxy = `http://localhost:${to}/`
  const { stdout } = await curl(['-s', '-w', '%{http_code} ', '/authors', '/{authors,../x}'], {
    env: { http_proxy: proxy, all_proxy: proxy },
  })
  assert.match(stdout, /200 .*404 $/s)
  assert.equal(seen(), 0)
})

/** An API that issues a token, and sends whoever has one elsewhere. */
async function redirectFrom(t: TestContext) {
  let seen = 0
  const elsewhere = createServer((_, response) => {
    seen++
    response.end()
  })
  const api = createServer(({ headers }, response) => {
    if ('x-authorization' in headers)
      response.writeHead(302, { Location: `http://localhost:${portOf(elsewhere)}/` })
    else if ('authorization' in headers) response.setHeader('X-Authorization', 'a'.repeat(64))
    else response.writeHead(401, { 'X-Authentication': 'nonce' })
    response.end()
  })
  for (const server of [elsewhere, api]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
  }
  return { seen: () => seen, to: portOf(elsewhere), base: `http://localhost:${portOf(api)}/api` }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

test('a redirect is not followed, also where the configuration of curl says so', async (t) => {
  const { seen, to, base } = await redirectFrom(t)
  const { folder, curl } = await atHome(t)
  writeFileSync(join(folder, '.curlrc'), `location\nurl = "http://localhost:${to}/"\n`)
  const env = { HYDRANT_BASE_URL: base, CURL_HOME: folder }
  const { stdout } = await curl(['-s', '-w', '%{http_code}', '/authors'], { env })
  assert.deepEqual([stdout, seen()], ['302', 0])
})

test('curl without a token where the API wants none, and not at all where it is not installed', async (t) => {
  const { curl, folder, tokens } = await atHome(t, { auth: false })
  const env = { HYDRANT_USER: '', HYDRANT_PARAPHRASE_FILE: '' }
  const open = await curl(['-sf', '/authors'], { env })
  assert.deepEqual([open.status, JSON.parse(open.stdout).totalItems], [0, 0])
  assert.throws(() => readdirSync(tokens))
  assertRefused(await curl(['/authors'], { env: { PATH: folder } }), 1, 'curl is not installed')
})

test('on a terminal curl asks for the paraphrase once, and then has the terminal', async (t) => {
  const { folder, env } = await atHome(t)
  const args = ['curl', '-s', '-H', 'Content-Type: application/json', '-d', '@-', '-w', '%{http_code}']
  const variables = { ...env, HYDRANT_PARAPHRASE_FILE: '' }
  const terminal = openTerminal(t, [...args, '/authors'], folder, variables)
  await terminal.shows(`Passphrase of user ${USER} (not shown): `)
  terminal.type(`${PARAPHRASE}\r`)
  await terminal.shows(/shown\): \r\n/)
  terminal.type('{"name":"Ann"}\r\x04')
  assert.equal(await terminal.ended, 0)
  assert.match(terminal.screen(), /201$/)
  assert.ok(!terminal.screen().includes(PARAPHRASE))
  assert.equal(await openTerminal(t, ['curl', '-sf', '/authors'], folder, variables).ended, 0)
})

test('curl says what it lacks to sign in', async (t) => {
  const { env } = await atHome(t)
  const piped = { ...env, HYDRANT_PARAPHRASE_FILE: '' }
  assertRefused(await hydrant(['curl', '/authors'], { env: piped, input: 'body' }), 2, '--paraphrase-file')
  assertRefused(await hydrant(['curl', '/authors'], { env: { ...env, HYDRANT_USER: '' } }), 1, '--user')
  assertRefused(await hydrant(['curl', '--user', '8', '/authors'], { env }), 1, 'is wrong')
  assertRefused(await hydrant(['curl'], { env }), 2, "missing required argument 'arguments'")
})
