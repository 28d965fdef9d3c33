import assert from 'node:assert/strict'
import { copyFileSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { codeBlock, ROOT } from '../support/markdown.ts'
import { run } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { soakTest } from '../support/soak.ts'
import { COMPILERS, installHydrant, linkInstalled, unpack } from './packed.ts'

const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** All that a published package may have. */
const ALLOWED = [
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^dist\/[\w/-]+\.(?:js|d\.ts)$/,
  /^dist\/api\.schema\.json$/,
  /^dist\/bundle\/(?:yaml-LICENSE|hydrant-\w+\.cjs)$/,
  /^dist\/console\/[\w/-]+\.(?:html|js|css|svg|png|ico|woff2)$/,
  /^examples\/(?:shop\/)?[\w-]+\.(?:yaml|ndjson)$/,
  /^examples\/shop\/[\w.-]+\.ts$/,
  /^docs\/[\w/-]+\.md$/,
]

test('npm pack includes only what is needed, and the package runs', async (t) => {
  const folder = temporaryFolder(t)
  const { home, paths } = await installHydrant(folder)
  assert.deepEqual(
    paths.filter((path) => !ALLOWED.some((form) => form.test(path))),
    [],
  )
  const exported = Object.values<string | { types: string; default: string }>(PACKAGE.exports)
  const needed = [
    ...exported.flatMap((one) => (typeof one === 'string' ? one : [one.types, one.default])),
    ...[PACKAGE.bin.hydrant, 'CHANGELOG.md', 'LICENSE', 'dist/console/index.html', 'examples/library.ndjson'],
    // Of the package that is joined into ours (tools/bundle.ts).
    'dist/bundle/yaml-LICENSE',
  ].map((path) => path.replace(/^\.\//, ''))
  for (const path of needed) assert.ok(paths.includes(path), `${path} is not in the package`)

  const main = join(home, PACKAGE.bin.hydrant)
  const vocab = await run(process.execPath, [main, 'vocab', join(home, 'examples/library.yaml')], {
    cwd: folder,
  })
  assert.equal(vocab.status, 0, vocab.stderr)
  writeFileSync(
    join(folder, 'use.mjs'),
    "import { createClient } from 'hydrant/client'\nimport { createClient as same } from 'hydrant-client'\nimport { openProtection } from 'hydrant/auth'\nconsole.log(createClient === same, typeof openProtection)\n",
  )
  const used = await run(process.execPath, ['use.mjs'], { cwd: folder })
  assert.deepEqual([used.stdout, used.stderr], ['true function\n', ''])
})

soakTest(
  'hydrant-client is packed without its sources, depends on nothing, and runs and compiles alone',
  async (t) => {
    const folder = temporaryFolder(t)
    const { home, paths } = await unpack(folder, 'hydrant-client')
    const sources = readdirSync(join(ROOT, 'packages/client/src')).map((file) => file.replace(/\.ts$/, ''))
    const compiled = sources.flatMap((file) => [`${file}.js`, `${file}.d.ts`])
    const expected = [...compiled, 'LICENSE', 'README.md', 'package.json']
    assert.deepEqual(paths.toSorted(), expected.toSorted())

    const { version, dependencies, peerDependencies, scripts, ...manifest } = JSON.parse(
      readFileSync(join(home, 'package.json'), 'utf8'),
    )
    assert.deepEqual([dependencies, peerDependencies, scripts], [undefined, undefined, undefined])
    assert.equal(version, PACKAGE.version)
    assert.equal(PACKAGE.dependencies['hydrant-client'], version)
    assert.ok(!('private' in manifest))
    assert.equal(manifest.publishConfig.access, 'public')
    assert.deepEqual(manifest.exports['.'], { types: './index.d.ts', default: './index.js' })

    // As docs/client-types.md says it: types are written for both packages, under the name of one.
    const { paths: names } = JSON.parse(codeBlock('docs/client-types.md', 'json', '"paths"')).compilerOptions
    const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: false, paths: names } }),
    )
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    copyFileSync(join(ROOT, 'examples/shop/api.ts'), join(folder, 'api.ts'))
    const use = `import { createClient } from 'hydrant-client'
import type { Shop } from './api.js'
const client = createClient<Shop>({ base: 'http://localhost' })
client.collection('orders')
`
    writeFileSync(join(folder, 'use.ts'), `${use}client.collection('order')\n`)
    for (const tsc of Object.values(COMPILERS)) {
      const { stdout } = await run(process.execPath, [tsc, '--pretty', 'false'], { cwd: folder })
      assert.match(stdout, /^use\.ts\(5,19\): error TS\d+: [^\n]*\n$/)
    }
  },
)

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
}

// contract: Built on the official SDK, a package of its own
test('hydrant-mcp is a package of its own: hydrant says how to get it, and finds it beside itself', async (t) => {
  const folder = temporaryFolder(t)
  const { home } = await installHydrant(folder)
  const args = [join(home, PACKAGE.bin.hydrant), 'mcp', 'http://localhost:9/api']
  const missing = await run(process.execPath, args, { cwd: folder })
  assert.deepEqual([missing.status, missing.stdout], [1, ''])
  assert.match(missing.stderr, /^hydrant: .*npm install hydrant-mcp[^\n]*\n$/)

  const { home: bridge, paths } = await unpack(folder, 'hydrant-mcp')
  const sources = globSync('**/*.ts', { cwd: join(ROOT, 'packages/mcp/src') }).map((file) =>
    file.slice(0, -3),
  )
  const compiled = sources.flatMap((file) => [`${file}.js`, `${file}.d.ts`])
  assert.deepEqual(paths.toSorted(), [...compiled, 'LICENSE', 'README.md', 'package.json'].toSorted())
  const manifest = JSON.parse(readFileSync(join(bridge, 'package.json'), 'utf8'))
  assert.deepEqual(Object.keys(manifest.dependencies), ['@modelcontextprotocol/server', 'hydrant-client'])
  assert.deepEqual(
    [manifest.version, manifest.dependencies['hydrant-client']],
    [PACKAGE.version, PACKAGE.version],
  )
  assert.ok(!('private' in manifest) && !('scripts' in manifest))

  linkInstalled(folder, ['@modelcontextprotocol/server', '@modelcontextprotocol/core', 'zod'])
  const input = `${JSON.stringify(INITIALIZE)}\n`
  for (const command of [args, [join(bridge, manifest.bin['hydrant-mcp']), 'http://localhost:9/api']]) {
    const { status, stdout, stderr } = await run(process.execPath, command, { cwd: folder, input })
    assert.deepEqual([status, stderr], [0, ''])
    assert.equal(JSON.parse(stdout).result.serverInfo.version, PACKAGE.version)
  }
})

test('the version of the package is in the changelog, and publishing is open to everybody', () => {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  assert.ok(changelog.includes(`\n## ${PACKAGE.version}\n`))
  assert.equal(PACKAGE.publishConfig.access, 'public')
  assert.match(PACKAGE.engines.node, /^>=24\.\d+$/)
})
