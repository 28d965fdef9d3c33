import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../../src/config/index.ts'
import { flagOf, SETTINGS, type SettingName, variableFor } from '../../../src/config/settings.ts'
import { startClient, stepB, type TestClient, USER } from '../../support/client.ts'
import { paraphraseHash, serve, temporaryFolder } from '../../support/service.ts'
import {
  assertRefused,
  each,
  folderWithApi,
  freePort,
  hydrant,
  IN_MEMORY,
  inStore,
  serveIn,
} from '../command.ts'

/** Malformed values of every setting, and what the message says would be right. */
const MALFORMED: Readonly<
  Record<SettingName, { readonly values: readonly string[]; readonly right: string }>
> = {
  baseUrl: {
    values: ['nonsense', 'ftp://example.org/', 'localhost:8080'],
    right: 'http://localhost:8080/api',
  },
  host: { values: ['http://localhost', 'two words', '0'], right: '127.0.0.1' },
  port: { values: ['-1', '65536', 'eighty', '80.5', '0x50'], right: 'a whole number from 0 to 65535' },
  db: { values: ['hydrant.db', 'sqlite:', 'mysql://me:hush@host/db'], right: 'sqlite:' },
  auth: { values: ['maybe'], right: 'on nor off' },
  token: { values: ['2'], right: 'on nor off' },
  tokenTtl: { values: ['46m', '1h', '2701s'], right: '45m.' },
  nonceTtl: { values: ['0s', '5', '25h', '1d', 'five minutes'], right: '90s, 5m or 1h' },
  secretFile: { values: ['missing.txt'], right: 'there is no file' },
  trustProxy: {
    values: ['proxy', '10.0.0.0/33', '10.0.0.1,', '1', '10/8', '010.0.0.0/8'],
    right: '10.0.0.0/8,::1',
  },
  userFailures: { values: ['20', '0/5m', 'many/5m'], right: '20/5m' },
  addressFailures: { values: ['100/0m', '100/25h'], right: '5m or 1h' },
  pageSize: { values: ['0', '10001', 'x'], right: 'a whole number from 1 to 10000' },
  maxPageSize: { values: ['0', '-5', '1e3'], right: 'a whole number from 1 to 10000' },
  maxPageBytes: { values: ['0', '4MB', '129MiB', '1e6', 'much'], right: '4MiB, 512KiB or 1000000' },
  maxBatchSize: { values: ['0', '10001', 'x'], right: 'a whole number from 1 to 10000' },
  maxBatchBytes: { values: ['0', '8MB', '129MiB'], right: '4MiB, 512KiB or 1000000' },
  with: { values: ['missing.ts', '.'], right: ' file' },
  hookTime: { values: ['0s', '2', 'long'], right: '90s, 5m or 1h' },
  webhooks: { values: ['missing.yaml', '.'], right: ' file' },
  webhookAllow: {
    values: [
      'https://billing.internal',
      'billing.internal:443',
      'me@billing.internal',
      'a,',
      '[::1]',
      '256.1.1.1',
    ],
    right: 'billing.internal,10.0.0.7',
  },
  scanTime: { values: ['0s', '2', 'long'], right: '90s, 5m or 1h' },
  requireIfMatch: { values: ['sometimes'], right: 'on nor off' },
  history: { values: ['24h', '1000000', '24h/0', '1h/many'], right: '24h/1000000' },
  followerHistory: { values: ['0d', '366d', '30', 'ever'], right: '30d, 12h or 90m' },
  maxStreams: { values: ['0', '10001', 'x'], right: 'a whole number from 1 to 10000' },
  maxUserStreams: { values: ['0', '10001', 'x'], right: 'a whole number from 1 to 10000' },
  maxConnections: { values: ['0', '100001', 'x'], right: 'a whole number from 1 to 100000' },
  anyoneRequests: { values: ['0', 'x'], right: 'a whole number from 1 to ' },
  bodyMemory: { values: ['0', '64GB', '65GiB', '16MiB'], right: 'give ' },
  compression: { values: ['gzip'], right: 'on nor off' },
  tlsCert: { values: ['missing.pem'], right: 'there is no file' },
  tlsKey: { values: ['missing.pem'], right: 'there is no file' },
  consolePort: { values: ['on', '127.0.0.1', '8081:', 'http://localhost:8081'], right: '127.0.0.1:8081' },
  opsPort: { values: ['on', '127.0.0.1', '9090:', ':9090', 'http://localhost:9090'], right: '0.0.0.0:9090' },
  access: { values: ['missing.yaml', '.'], right: ' file' },
  migrate: { values: ['all', 'none'], right: 'any or compatible' },
  watch: { values: ['maybe'], right: 'on nor off' },
  workers: { values: ['0', '-1', '257', '2.5', 'many'], right: 'a whole number from 1 to 256' },
  logLevel: { values: ['loud', 'INFO'], right: 'error, warn, info or debug' },
  logFormat: { values: ['xml'], right: 'pretty or json' },
}

const isSwitch = (name: SettingName) => !SETTINGS[name].flag.includes(' ')

// contract: Exit status: 0 done
// contract: `--token-ttl`, `--nonce-ttl` ¦
test('a malformed flag is wrong usage: its name, and what would be right', async (t) => {
  const folder = temporaryFolder(t)
  const rows = (Object.keys(MALFORMED) as SettingName[])
    .filter((name) => !isSwitch(name))
    .flatMap((name) => MALFORMED[name].values.map((value) => ({ name, value, right: MALFORMED[name].right })))
  await each(rows, async ({ name, value, right }) => {
    const flag = `--${flagOf(SETTINGS[name])}`
    const refused = await hydrant(['serve', flag, value], { cwd: folder })
    assertRefused(refused, 2, `hydrant: ${flag}: `, right)
    assert.ok(!refused.stderr.includes('hush'), 'the password of a database is not repeated')
  })
})

// contract: Every flag but `--help` and `--version`
test('a malformed environment variable is wrong usage: its name, and what would be right', async (t) => {
  const folder = temporaryFolder(t)
  await each(Object.keys(MALFORMED) as SettingName[], async (name) => {
    const { values, right } = MALFORMED[name]
    const env = { [variableFor(SETTINGS[name])]: values[0] ?? '' }
    assertRefused(
      await hydrant(['serve'], { cwd: folder, env }),
      2,
      `hydrant: ${variableFor(SETTINGS[name])}: `,
      right,
    )
  })
})

test('a base URL has no user, no query, no fragment and no port 0', async (t) => {
  const folder = temporaryFolder(t)
  const rows = ['http://me@host/', 'http://:hush@host/', 'http://host/?x', 'http://host/#x', 'http://host:0/']
  await each(rows, async (url) => {
    const refused = await hydrant(['serve', '--base-url', url], { cwd: folder })
    assertRefused(refused, 2, 'hydrant: --base-url: ')
    assert.ok(!refused.stderr.includes('hush'))
  })
})

test('a flag without its value is wrong usage', async (t) => {
  const folder = temporaryFolder(t)
  await each(['--port', '--port=', '--db='], async (flag) => {
    assertRefused(await hydrant(['serve', flag], { cwd: folder }), 2, flag.replace('=', ''))
  })
})

// contract: `--page-size`, `--max-page-size` ¦
test('a page is never larger than the largest, but a smaller largest one is enough to say', async (t) => {
  const folder = folderWithApi(t)
  const refused = await hydrant(['serve', '--page-size', '11', '--max-page-size', '10'], { cwd: folder })
  assertRefused(refused, 2, '--page-size: 11', 'at most 10, or raise --max-page-size')
  const { standard, maximum } = readConfig({ maxPageSize: '10' }, {}).pageSizes
  assert.deepEqual([standard, maximum], [10, 10])
})

// contract: Every flag but `--help` and `--version`
// contract: `--auth` / `--no-auth` ¦
test('a setting may come from the environment, and a flag wins', async (t) => {
  const folder = folderWithApi(t)
  const [variable, flag] = [await freePort(), await freePort()]
  const env = {
    HYDRANT_PORT: String(variable),
    HYDRANT_AUTH: 'off',
    HYDRANT_LOG_FORMAT: 'pretty',
    ...IN_MEMORY,
  }

  const fromEnvironment = await serveIn(t, folder, [], env)
  assert.equal(fromEnvironment.base, `http://localhost:${variable}/api`)
  assert.match(fromEnvironment.stdout(), /^listening on /)
  assert.equal((await startClient(fromEnvironment).send('GET', '/books')).status, 200)
  await fromEnvironment.stop()

  const fromFlags = await serveIn(t, folder, ['--port', String(flag), '--auth', '--log-format', 'json'], env)
  assert.equal(fromFlags.base, `http://localhost:${flag}/api`)
  assert.equal((await startClient(fromFlags).send('GET', '/books')).status, 401)
  await fromFlags.stop()
})

test('an empty environment variable is as good as none', () => {
  const env = Object.fromEntries(
    (Object.keys(SETTINGS) as SettingName[]).map((name) => [variableFor(SETTINGS[name]), '']),
  )
  assert.deepEqual(readConfig({}, { ...env, HYDRANT_SECRET: '' }), readConfig({}, {}))
})

const OLD_SECRET = 'old'.repeat(12)
const NEW_SECRET = 'new'.repeat(12)

// contract: `--secret-file` (or `HYDRANT_SECRET`) ¦
test('a nonce is good wherever its secret is, by file or by variable, and is shown nowhere', async (t) => {
  const folder = folderWithApi(t)
  await inStore(folder, async (store) =>
    store.addUser({ id: USER, paraphraseHash: await paraphraseHash() }, 0),
  )
  const secretFile = join(folder, 'secret.txt')
  writeFileSync(secretFile, `${OLD_SECRET}\n`)
  const secrets = { HYDRANT_SECRET: `${NEW_SECRET}\n${OLD_SECRET}` }
  const rotating = await serveIn(t, folder, ['--log-level', 'debug'], secrets)
  const before = await serve(t, { flags: { secretFile } })
  const after = await serve(t, { environment: { HYDRANT_SECRET: NEW_SECRET } })

  const exchange = async (nonce: string, client: TestClient) =>
    (await client.send('GET', '/', stepB(nonce))).status
  assert.equal(await exchange(await before.client.nonce(), startClient(rotating)), 200)
  assert.equal(await exchange(await startClient(rotating).nonce(), after.client), 200)
  assert.equal(await exchange(await before.client.nonce(), after.client), 401)

  await rotating.stop()
  const said = [rotating.output(), ...before.logged, ...after.logged].join('\n')
  assert.ok(!said.includes(OLD_SECRET) && !said.includes(NEW_SECRET))
})

test('a secret that is too short, none or three of them is wrong usage, and is not repeated', async (t) => {
  const folder = temporaryFolder(t)
  const short = 'hush'.repeat(7)
  const rows: readonly (readonly [string, string])[] = [
    [short, '32 '],
    [`${OLD_SECRET}\n${short}\n`, '32 '],
    [`${OLD_SECRET}\n${NEW_SECRET}\n${OLD_SECRET}x`, '3 lines'],
    ['\n', '0 lines'],
  ]
  await each(rows, async ([secret, part]) => {
    const byVariable = await hydrant(['serve'], { cwd: folder, env: { HYDRANT_SECRET: secret } })
    assertRefused(byVariable, 2, 'HYDRANT_SECRET: ', part)
    const path = join(temporaryFolder(t), 'secret.txt')
    writeFileSync(path, secret)
    const byFile = await hydrant(['serve', '--secret-file', path], { cwd: folder })
    assertRefused(byFile, 2, '--secret-file: ', part)
    for (const { stderr } of [byVariable, byFile]) {
      assert.ok(!stderr.includes('hushhush') && !stderr.includes(OLD_SECRET))
    }
  })
})

test('an empty secret file is wrong usage, not a silent return to the secret in the database', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'secret.txt'), '')
  const refused = await hydrant(['serve', '--secret-file', 'secret.txt'], { cwd: folder })
  assertRefused(refused, 2, '--secret-file: ', '0 lines')
})

// contract: `--secret-file` (or `HYDRANT_SECRET`) ¦
test('there is no flag that takes the secret itself, and what stands there is not repeated', async (t) => {
  const folder = temporaryFolder(t)
  await each([['--secret', OLD_SECRET], [`--secret=${OLD_SECRET}`]], async (args) => {
    const refused = await hydrant(['serve', ...args], { cwd: folder })
    assertRefused(refused, 2, "unknown option '--secret'")
    assert.ok(!refused.stderr.includes(OLD_SECRET))
  })
})

test('serve warns of a variable that is nearly one of its own, without its value', async (t) => {
  const env = {
    HYDRANT_PROT: 'hush',
    HYDRANT_BASEURL: 'hush',
    // Of another command, of the tests, and of Kubernetes for a service of this name.
    HYDRANT_ROLE: 'editor',
    HYDRANT_TEST_POSTGRES: 'hush',
    HYDRANT_SERVICE_HOST: 'hush',
    HYDRANT_SERVICE_PORT: 'hush',
    HYDRANT_PORT_8080_TCP_ADDR: 'hush',
  }
  const server = await serveIn(t, folderWithApi(t), ['--no-auth'], env)
  const warnings = server.output().match(/the variable [^"]+/g)
  assert.deepEqual(warnings, [
    'the variable HYDRANT_PROT is not known and changes nothing; did you mean HYDRANT_PORT?',
    'the variable HYDRANT_BASEURL is not known and changes nothing; did you mean HYDRANT_BASE_URL?',
  ])
  assert.ok(!server.output().includes('hush'))
})
