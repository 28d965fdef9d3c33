import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { readConfig, SETTINGS, variableFor } from '../../src/config/index.ts'
import { codeBlock, codeBlocks, ROOT } from '../support/markdown.ts'
import { HYDRANT, run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { only, readStages } from './dockerfile.ts'

const PAGE = 'docs/deploy.md'
const VARIABLES = Object.values(SETTINGS).map(variableFor)

/** The module of the page, which says that it runs. */
const HOOKS = `${codeBlock(PAGE, 'ts', 'beforeWrite')}console.log('the module runs')\n`

test('docs/deploy.md works as printed: settings, user, service, backup, a trial of it, and a restore', async (t) => {
  const folder = temporaryFolder(t)
  const here = (text: string): string =>
    text.replaceAll(/\/(?:etc|var\/lib|var\/backups)\/hydrant/g, (path) => join(folder, path))
  // No user of its own, which takes root, and the command from this tree.
  const command = (name: string, text: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  command('hydrant', `exec '${process.execPath}' '${HYDRANT}' "$@"`)
  command('runuser', 'shift 3; exec "$@"')
  for (const path of ['etc/hydrant', 'var/lib/hydrant', 'var/backups/hydrant'])
    mkdirSync(join(folder, path), { recursive: true })
  writeFileSync(
    join(folder, 'etc/hydrant/api.yaml'),
    'classes: { Book: { properties: { title: string } } }\n',
  )
  const [files = '', users = '', backup = '', trial = '', restore = '', hooks = '', ...others] = codeBlocks(
    PAGE,
    'sh',
  )
  assert.deepEqual(others, [])
  const settings = codeBlock(PAGE, 'sh', 'HYDRANT_DB')
  const shell = async (...blocks: string[]) => {
    const script = here(blocks.join('\n')).replace('#!/bin/sh\n', '')
    const env = { PATH: `${folder}:${process.env.PATH}` }
    const done = await run('bash', ['-euc', script], {
      cwd: folder,
      env,
      input: 'typed by the administrator\n',
    })
    assert.equal(done.status, 0, done.stderr)
    return done.stdout
  }

  await shell(
    files,
    users.replace(/hydrant check.*\n/, (line) => `${line}`),
  )
  const environment = parseEnv(readFileSync(join(folder, 'etc/hydrant/environment'), 'utf8'))
  for (const name of Object.keys(environment)) assert.ok(VARIABLES.includes(name), name)
  const { base, port, ops, trusted, console } = readConfig({}, environment)
  assert.deepEqual([base, port, ops?.port], ['https://api.example.org/api', 8080, 9090])
  assert.deepEqual([console?.host, console?.port], ['127.0.0.1', 8081])
  assert.ok(trusted.includes('127.0.0.1'))
  for (const served of [port, console?.port]) {
    assert.ok(codeBlock(PAGE, 'caddy', 'reverse_proxy').includes(`127.0.0.1:${served}\n`))
    assert.ok(codeBlock(PAGE, 'nginx', 'proxy_pass').includes(`http://127.0.0.1:${served};`))
  }
  assert.ok(settings.includes('sqlite:/var/lib/hydrant/hydrant.db'))

  const unit = codeBlock(PAGE, 'ini', 'ProtectClock')
  const [, args = ''] = /^ExecStart=\/usr\/local\/bin\/hydrant (.+)$/m.exec(unit) ?? []
  const free = { HYDRANT_PORT: '0', HYDRANT_OPS_PORT: 'off', HYDRANT_CONSOLE_PORT: '127.0.0.1:0' }
  const env = { ...environment, ...free } as Record<string, string>
  const server = await start(t, [HYDRANT, ...here(args).split(' ')], /"msg":"console"/, { cwd: folder, env })
  const [, page = ''] = /"url":"([^"]+)"[^\n]*"msg":"console"/.exec(server.output()) ?? []
  assert.ok((await (await fetch(page)).text()).includes(`content="${base}"`), 'the console finds the API')
  const source = 'set -a; . /etc/hydrant/environment; set +a'
  await shell(source, backup)
  await shell(source, trial)
  assert.deepEqual(
    readdirSync(join(folder, 'var/lib/hydrant')).filter((name) => name.startsWith('trial')),
    [],
  )
  assert.equal(await server.stop(), 0)
  const [newest = ''] = trial.split('\n')
  assert.match(await shell(source, newest, restore), /What was there is in .*hydrant\.db\.\d+T\d+Z\./)
  assert.ok(existsSync(join(folder, 'var/lib/hydrant/hydrant.db')))

  writeFileSync(join(folder, 'hooks.ts'), HOOKS)
  assert.match(await shell(hooks), /has no problem/)
  const withHooks = parseEnv(readFileSync(join(folder, 'etc/hydrant/environment'), 'utf8'))
  const more = { HYDRANT_WITH: withHooks.HYDRANT_WITH ?? '', HYDRANT_LOG_LEVEL: 'warn' }
  assert.equal(more.HYDRANT_WITH, join(folder, 'etc/hydrant/hooks.ts'))
  const again = await start(t, [HYDRANT, ...here(args).split(' ')], /"listening"/, {
    cwd: folder,
    env: { ...env, ...more },
  })
  assert.match(again.output(), /the module runs/)
  assert.equal(await again.stop(), 0)
})

test('nginx in docs/deploy.md lets the largest batch through, and passes streams on at once', () => {
  const nginx = codeBlock(PAGE, 'nginx', 'proxy_pass')
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(nginx) ?? []
  assert.equal(Number(megabytes) * 2 ** 20, readConfig({}, {}).batchLimits.bytes)
  assert.match(nginx, /proxy_buffering off;/)
})

test('the units of docs/deploy.md may write only where the files are, and stop as serve does', () => {
  const [service = '', nightly = '', timer = ''] = codeBlocks(PAGE, 'ini')
  for (const unit of [service, nightly])
    for (const line of ['User=hydrant', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'UMask=0077'])
      assert.ok(unit.includes(`\n${line}\n`), line)
  assert.ok(service.includes('\nStateDirectory=hydrant\n'), '/var/lib/hydrant')
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(service)?.[1])
  assert.ok(seconds > 10, 'requests in flight have 10 s')
  assert.match(nightly, /^ReadWritePaths=\/var\/lib\/hydrant \/var\/backups\/hydrant$/m)
  assert.match(timer, /^OnCalendar=\d\d:\d\d$/m)
})

test('docker run in docs/deploy.md names the volumes, the port and settings of the image, whose base is pinned', () => {
  const stages = readStages()
  const image = stages.at(-1) ?? []
  const [line = ''] = /^docker run -d .*$/m.exec(codeBlock(PAGE, 'text', 'docker run')) ?? []
  const values = (flag: string) =>
    [...line.matchAll(new RegExp(` ${flag} "?(\\S+?)"?(?= )`, 'g'))].map(([, value = '']) => value)
  const targets = values('-v').map((volume) => volume.split(':')[1])
  assert.deepEqual(targets, [only(image, 'VOLUME').text, only(image, 'WORKDIR').text])
  assert.deepEqual(values('-p'), [`127.0.0.1:8080:${only(image, 'EXPOSE').text}`])
  for (const setting of values('-e')) assert.ok(VARIABLES.includes(setting.split('=')[0] ?? ''), setting)
  // The image with code is built from this one, in its folder and with its user.
  const derived = codeBlock(PAGE, 'dockerfile', 'FROM hydrant').trim().split('\n')
  assert.equal(derived.at(-2), `USER ${only(image, 'USER').text}`)
  assert.equal(derived.at(-1), `ENV HYDRANT_WITH=${only(image, 'WORKDIR').text}/hooks.ts`)
  assert.match(derived.find((one) => one.startsWith('COPY')) ?? '', /^COPY api\.yaml hooks\.ts .* \/api\/$/)
  for (const stage of stages) assert.match(only(stage, 'FROM').text, /^node:24\.\d+\.\d+-slim\b/)
  assert.match(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), /image: postgres:18\.\d+\n/)
})
