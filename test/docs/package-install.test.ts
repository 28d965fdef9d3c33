import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { run } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
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

test('npm install of the packed packages works in an empty folder, and npx runs the command there', async (t) => {
  const [folder, env] = [temporaryFolder(t), await npmEnvironment(t)]
  const archives = [await tarballOf('hydrant-client'), await tarballOf('hydrant')]
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const options = { cwd: folder, env }
  const installed = await run('npm', ['install', '--no-audit', '--no-fund', ...archives], options)
  assert.equal(installed.status, 0, installed.stderr)
  assert.doesNotMatch(installed.stderr, /deprecated|ERESOLVE|EBADENGINE/)
  const printed = await run('npx', ['hydrant', '--version'], options)
  assert.deepEqual([printed.stdout, printed.status], [`${version}\n`, 0])
  const use = "import { createHydrant } from 'hydrant'\nconsole.log(typeof createHydrant)\n"
  writeFileSync(join(folder, 'use.js'), use)
  assert.equal((await run(process.execPath, ['use.js'], options)).stdout, 'function\n')
  const names = readdirSync(join(folder, 'node_modules'))
  assert.ok(!names.includes('hydrant-mcp') && !names.includes('typescript'), names.join())
})

test('npx of the packed package works in an empty folder, and writes nothing else there', async (t) => {
  const [folder, env] = [temporaryFolder(t), await npmEnvironment(t)]
  const packages = ['hydrant-client', 'hydrant'] as const
  const flags = (await Promise.all(packages.map(tarballOf))).map((archive) => `--package=${archive}`)
  const made = await run('npx', ['--yes', ...flags, '--', 'hydrant', 'init'], { cwd: folder, env })
  assert.equal(made.status, 0, made.stderr)
  assert.deepEqual(readdirSync(folder).toSorted(), ['api.schema.json', 'api.yaml'])
})
