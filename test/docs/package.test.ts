import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { run } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { unpack } from './packed.ts'

const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** All that a published package may have. */
const ALLOWED = [
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^dist\/[\w/-]+\.(?:js|d\.ts)$/,
  /^dist\/api\.schema\.json$/,
  /^dist\/console\/[\w/-]+\.(?:html|js|css|svg|png|ico|woff2)$/,
  /^examples\/(?:shop\/)?[\w-]+\.(?:yaml|ndjson)$/,
  /^examples\/shop\/[\w.-]+\.ts$/,
  /^docs\/[\w/-]+\.md$/,
]

test('npm pack has what is needed and nothing else, and what it has runs', async (t) => {
  const folder = temporaryFolder(t)
  const { home, paths } = await unpack(folder)
  assert.deepEqual(
    paths.filter((path) => !ALLOWED.some((form) => form.test(path))),
    [],
  )
  const exported = Object.values<string | { types: string; default: string }>(PACKAGE.exports)
  const needed = [
    ...exported.flatMap((one) => (typeof one === 'string' ? one : [one.types, one.default])),
    ...[PACKAGE.bin.hydrant, 'CHANGELOG.md', 'LICENSE', 'dist/console/index.html', 'examples/library.ndjson'],
  ].map((path) => path.replace(/^\.\//, ''))
  for (const path of needed) assert.ok(paths.includes(path), `${path} is not in the package`)

  for (const name of Object.keys(PACKAGE.dependencies)) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  const main = join(home, PACKAGE.bin.hydrant)
  const vocab = await run(process.execPath, [main, 'vocab', join(home, 'examples/library.yaml')], {
    cwd: folder,
  })
  assert.equal(vocab.status, 0, vocab.stderr)
  writeFileSync(
    join(folder, 'use.mjs'),
    "import { createClient } from 'hydrant/client'\nimport { openProtection } from 'hydrant/auth'\nconsole.log(typeof createClient, typeof openProtection)\n",
  )
  const used = await run(process.execPath, ['use.mjs'], { cwd: folder })
  assert.deepEqual([used.stdout, used.stderr], ['function function\n', ''])
})

test('the version of the package is in the changelog, and publishing is open to everybody', () => {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  assert.ok(changelog.includes(`\n## ${PACKAGE.version}\n`))
  assert.equal(PACKAGE.publishConfig.access, 'public')
  assert.match(PACKAGE.engines.node, /^>=24\.\d+$/)
})
