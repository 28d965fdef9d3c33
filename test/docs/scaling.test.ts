import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parseEnv } from 'node:util'
import { readConfig, SETTINGS, variableFor } from '../../src/config/index.ts'
import { DEFAULT_SERVER_LIMITS } from '../../src/http/index.ts'
import { describeFileChange } from '../../src/service/problems/file-changes.ts'
import { hydrant } from '../cli/command.ts'
import { stepB, type TestResponse, USER } from '../support/client.ts'
import { codeBlock, codeBlocks, ROOT } from '../support/markdown.ts'
import { newPostgres, onPostgres } from '../support/postgres.ts'
import { type Running, run, start } from '../support/processes.ts'
import { serve } from '../support/service.ts'
import { inSoak, soakTest } from '../support/soak.ts'
import { createSite, HOSTS, PAGE, PASSWORD, type Site } from './scaled-site.ts'

const TEXT = readFileSync(join(ROOT, PAGE), 'utf8')
const PASSPHRASE = 'typed by the administrator'
const API = 'title: Library\nclasses: { Book: { properties: { title: string } } }\n'

// Two hosts on one PostgreSQL: test/hosts; from an embedded database: cli/copy; the settings of the page: below.
soakTest(
  'The deployment of docs/scaling.md works as printed: two hosts, from an embedded database',
  async (t) => {
    const site = await createSite(t)
    const { folder, shell } = site
    writeFileSync(join(folder, 'etc/api.yaml'), API)
    await fillEmbedded(folder)

    const [
      install = '',
      address = '',
      source = '',
      copy = '',
      users = '',
      ready = '',
      exchange = '',
      check = '',
      revoke = '',
      ...others
    ] = codeBlocks(PAGE, 'sh')
    assert.deepEqual(others, [])
    assert.match(install, /^npm run build$/m)
    const [installed] = await shell([inSoak(install, install.replace('npm run build\n', ''))])
    assert.match(installed ?? '', /^\d+\.\d+\.\d+$/m, 'through the link')
    await shell([address])
    assert.equal(statSync(join(folder, 'etc/environment')).mode & 0o777, 0o600)
    const [, copied, listed] = await shell([source, copy, users], `${PASSPHRASE}\n`)
    assert.match(copied ?? '', /Book/)
    assert.match(listed ?? '', /^1\b[\s\S]*^2\b/m, 'the copied user and the new one')

    const environment = parseEnv(readFileSync(join(folder, 'etc/environment'), 'utf8')) as Record<
      string,
      string
    >
    // One of them with the processes that the page says.
    const workers = [environment.HYDRANT_WORKERS ?? '', inSoak(environment.HYDRANT_WORKERS ?? '', '1')]
    const hosts = await Promise.all(
      HOSTS.map((host, index) =>
        startHost(t, site, { ...environment, HYDRANT_WORKERS: workers[index] ?? '' }, host),
      ),
    )
    assert.deepEqual(await shell([ready]), ['ready\nready'])
    const books = `curl -s -H "X-Authorization: $TOKEN" http://${HOSTS[1]}:8080/api/books`
    const [codes, found, checked, revoked] = await shell([
      `PASSPHRASE='${PASSPHRASE}'\n${exchange}`,
      books,
      `${source}${check}`,
      `${source}${revoke}`,
    ])
    assert.equal(codes, '200\n200')
    assert.equal(JSON.parse(found ?? '').member[0].title, 'Emma', 'the copied book')
    assert.match(checked ?? '', /api\.yaml/)
    assert.match(revoked ?? '', /\b1\b/)

    await holdMetrics(site)
    assert.deepEqual(await Promise.all(hosts.map((host) => host.stop())), [0, 0])
    for (const host of hosts) assert.ok(!host.output().includes(PASSWORD), 'the password is in the log')

    await site.database.stop()
    const [command = '', ...args] = unitCommand(site)
    const { status, stderr } = await run(command, args, { env: hostEnvironment(site, environment, HOSTS[0]) })
    assert.equal(status, 1, 'systemd starts it again')
    assert.match(stderr, /nothing listens there/)
  },
)

test('The files of docs/scaling.md name settings and commands that exist', () => {
  const environment = Object.keys(parseEnv(codeBlock(PAGE, 'sh', 'HYDRANT_DB').split("'END'\n")[1] ?? ''))
  const known = Object.values(SETTINGS).map(variableFor)
  for (const name of environment.filter((one) => one !== 'END'))
    assert.ok(known.includes(name) || name === 'NODE_EXTRA_CA_CERTS', name)
  for (const [name] of TEXT.matchAll(/HYDRANT_[A-Z_]+/g))
    assert.ok(known.includes(name) || name === 'HYDRANT_TO', name)
  const standby = parseEnv(codeBlock(PAGE, 'text', 'target_session_attrs'))
  assert.equal(readConfig({}, standby).db, standby.HYDRANT_DB)

  const unit = codeBlock(PAGE, 'ini', '[Service]')
  assert.match(unit, /^EnvironmentFile=\/etc\/hydrant\/environment$/m)
  // A host that starts while PostgreSQL is away ends, and is not given up.
  assert.match(unit.split('[Service]')[0] ?? '', /^StartLimitIntervalSec=0$/m)
  assert.match(unit, /^Restart=always$/m)
  // Hydrant has 10 s for what is in flight (command-line.md).
  assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > 10)
})

test('The change that docs/scaling.md shows is what check says of it', () => {
  const kind = 'added with default'
  const change = { className: 'Book', property: 'language', kind, isCompatible: true } as const
  assert.ok(TEXT.includes(describeFileChange(change)))
})

test('The proxy of docs/scaling.md checks readiness, repeats nothing and closes idle connections before Hydrant does', () => {
  const proxy = codeBlock(PAGE, 'caddy', 'reverse_proxy')
  const value = (name: string) => new RegExp(`^\\s*${name} (.+)$`, 'm').exec(proxy)?.[1] ?? ''
  assert.equal(value('reverse_proxy'), `${HOSTS.map((host) => `${host}:8080`).join(' ')} {`)
  assert.deepEqual([value('health_uri'), value('health_port'), value('lb_retries')], ['/readyz', '9090', '0'])
  assert.equal(value('lb_try_duration'), '')
  assert.ok(Number.parseInt(value('keepalive'), 10) * 1_000 < DEFAULT_SERVER_LIMITS.idleMs)
  assert.equal(proxy.split('{').length, proxy.split('}').length)
})

const BATCH = '{"operation":[{"method":"POST","target":"books","body":{"title":"Emma"}}]}'

test('A process opens as many connections as docs/scaling.md says, or one less', async (t) => {
  const db = newPostgres(t)
  const { client } = await serve(t, { db: `${db}&application_name=counted`, api: API })
  const token = { 'X-Authorization': await client.signIn() }
  /** How a dozen at once are answered. */
  const together = async (ask: (index: number) => Promise<TestResponse>) =>
    new Set(
      (await Promise.all(Array.from({ length: 12 }, (_, index) => ask(index)))).map(({ status }) => status),
    )
  const nonces = await Promise.all(Array.from({ length: 12 }, client.nonce))
  const json = { ...token, 'Content-Type': 'application/json', 'If-None-Match': '*' }
  const patch = { ...token, 'Content-Type': 'application/merge-patch+json' }
  const answers = [
    await together((index) => client.send('PUT', `/books/b${index}`, json, '{"title":"Emma"}')),
    await together((index) => client.send('PATCH', `/books/b${index}`, patch, `{"title":"${index}"}`)),
    await together((index) => client.send('GET', `/books/b${index}`, token)),
    await together((index) => client.send('GET', `/books?title[contains]=${index}`, token)),
    await together((index) => client.send('GET', '/', stepB(nonces[index] ?? '', USER, 'wrong'))),
    await together((index) => client.send('DELETE', `/books/b${index}`, token)),
    await together(() =>
      client.send('POST', '/batch', { ...token, 'Content-Type': 'application/json' }, BATCH),
    ),
  ]
  assert.deepEqual(
    answers.map((statuses) => [...statuses].toSorted()),
    [[201], [200], [200], [200], [401], [204], [200]],
  )

  const [row] = await onPostgres(
    db,
    "SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'counted'",
  )
  const said = Number(/A process opens up to (\d+) connections/.exec(TEXT)?.[1])
  const [, parts = ''] = /as it needs them: (.+?)\. So/.exec(TEXT) ?? []
  assert.equal(
    [...parts.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0),
    said,
  )
  // On two cores one hash runs at a time, and so one attempt.
  assert.ok([said - 1, said].includes(Number(row?.[0])), `${row?.[0]} connections`)
})

test('The sum of connections in docs/scaling.md is right, and below its max_connections', () => {
  const [, each = ''] = /A process opens up to (\d+) connections/.exec(TEXT) ?? []
  const [, table = ''] = /is at least the sum of\n\n([\s\S]+?)\n\n/.exec(TEXT) ?? []
  const cells = table
    .split('\n')
    .slice(2)
    .map((row) => row.split('|')[2]?.trim() ?? '')
  const [hosts = '', command, ...others] = cells.slice(0, -1)
  const environment = parseEnv(codeBlock(PAGE, 'sh', 'HYDRANT_DB'))
  const processes = HOSTS.length * (Number(environment.HYDRANT_WORKERS) + 1)
  assert.deepEqual([hosts.split(' = ')[1], command], [String(processes * Number(each)), each])
  const sum = processes * Number(each) + Number(command) + others.reduce((all, cell) => all + Number(cell), 0)
  assert.equal(cells.at(-1), `**${sum}**`)
  assert.ok(Number(/^max_connections = (\d+)$/m.exec(TEXT)?.[1]) >= sum)
  assert.ok(TEXT.includes(`Twenty processes are ${20 * Number(each)} connections`))
})

/** What was there before PostgreSQL: a book, and a user. */
async function fillEmbedded(folder: string): Promise<void> {
  writeFileSync(join(folder, 'books.ndjson'), '{"@type":"Book","title":"Emma"}\n')
  const db = ['--db', `sqlite:${join(folder, 'hydrant.db')}`]
  for (const [args, input] of [
    [['user', 'add', '1', ...db], `${PASSPHRASE} before\n`],
    [['import', 'etc/api.yaml', 'books.ndjson', ...db], ''],
  ] as const) {
    const { status, stderr } = await hydrant(args, { cwd: folder, input })
    assert.equal(status, 0, stderr)
  }
}

/** ExecStart of the unit, with our folders. */
function unitCommand({ ours }: Site): string[] {
  const unit = codeBlock(PAGE, 'ini', '[Service]')
  return (/^ExecStart=(.+)$/m.exec(unit)?.[1] ?? '').split(' ').map(ours)
}

/** The environment of its file, on loopback. */
function hostEnvironment(
  { ports }: Site,
  environment: Readonly<Record<string, string>>,
  host: string,
): Record<string, string> {
  assert.equal(environment.HYDRANT_OPS_PORT, `${environment.HYDRANT_HOST}:9090`)
  const { api, ops } = ports[host] as { api: number; ops: number }
  return {
    ...environment,
    HYDRANT_HOST: '127.0.0.1',
    HYDRANT_PORT: String(api),
    HYDRANT_OPS_PORT: `127.0.0.1:${ops}`,
  }
}

async function startHost(
  t: TestContext,
  site: Site,
  environment: Readonly<Record<string, string>>,
  host: string,
): Promise<Running> {
  const [command, ...args] = unitCommand(site)
  assert.equal(command, join(site.folder, 'bin/hydrant'))
  const main = join(site.folder, 'opt/dist/cli/main.js')
  return start(t, [main, ...args], /"listening"/, { env: hostEnvironment(site, environment, host) })
}

/** Every metric that the page names is there, except for those of replicas, which this site has none of. */
async function holdMetrics({ ports }: Site): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${ports[HOSTS[0]]?.ops}/metrics`)
  const metrics = await response.text()
  const named = [...TEXT.matchAll(/`((?:hydrant|process)_[a-z_]+)`/g)].map(([, name]) => name)
  assert.ok(named.length >= 5)
  for (const name of named.filter((one) => one?.startsWith('hydrant_replica') === false))
    assert.ok(metrics.includes(`# TYPE ${name} `), `${name} is not in /metrics`)
}
