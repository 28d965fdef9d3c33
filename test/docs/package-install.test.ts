import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { run } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { soakTest } from '../support/soak.ts'
import { tarballOf } from './packed.ts'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const asking = run('npm', ['config', 'get', 'cache'])

/**
 * npm with what it has downloaded before, such as the dependencies of this clone, but with its other files in a folder
 * of the test.
 */
async function npmEnvironment(t: TestContext): Promise<Record<string, string>> {
  const downloads = join((await asking).stdout.trim(), '_cacache')
  mkdirSync(downloads, { recursive: true })
  const cache = temporaryFolder(t)
  symlinkSync(downloads, join(cache, '_cacache'))
  return { npm_config_cache: cache, npm_config_prefer_offline: 'true' }
}

const WARNINGS = /deprecated|ERESOLVE|EBADENGINE/

/** Neither the bridge for agents nor what we build with comes along. */
function requireNoOthers(modules: string): void {
  const names = readdirSync(modules)
  assert.ok(names.includes('hydrant'), names.join())
  assert.ok(!names.includes('hydrant-mcp') && !names.includes('typescript'), names.join())
}

// What npx installs below, it installs in the same way; docs/library.test.ts imports from the packed package.
soakTest(
  'npm install of the packed packages works in an empty folder, and npx runs the command there',
  async (t) => {
    const [folder, env] = [temporaryFolder(t), await npmEnvironment(t)]
    const archives = [await tarballOf('hydrant-client'), await tarballOf('hydrant')]
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    const options = { cwd: folder, env }
    const installed = await run('npm', ['install', '--no-audit', '--no-fund', ...archives], options)
    assert.equal(installed.status, 0, installed.stderr)
    assert.doesNotMatch(installed.stderr, WARNINGS)
    const printed = await run('npx', ['hydrant', '--version'], options)
    assert.deepEqual([printed.stdout, printed.status], [`${version}\n`, 0])
    const use = "import { createHydrant } from 'hydrant'\nconsole.log(typeof createHydrant)\n"
    writeFileSync(join(folder, 'use.js'), use)
    assert.equal((await run(process.execPath, ['use.js'], options)).stdout, 'function\n')
    requireNoOthers(join(folder, 'node_modules'))
  },
)

test('npx of the packed package works in an empty folder, and writes nothing else there', async (t) => {
  const [folder, env] = [temporaryFolder(t), await npmEnvironment(t)]
  const packages = ['hydrant-client', 'hydrant'] as const
  const flags = (await Promise.all(packages.map(tarballOf))).map((archive) => `--package=${archive}`)
  const made = await run('npx', ['--yes', ...flags, '--', 'hydrant', 'init'], { cwd: folder, env })
  assert.equal(made.status, 0, made.stderr)
  assert.doesNotMatch(made.stderr, WARNINGS)
  const places = join(env.npm_config_cache ?? '', '_npx')
  for (const place of readdirSync(places)) requireNoOthers(join(places, place, 'node_modules'))
  assert.deepEqual(readdirSync(folder).toSorted(), ['api.schema.json', 'api.yaml'])
})
