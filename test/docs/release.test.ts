import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesOfVersion, notesOf, PACKAGES } from '../../tools/release-files.ts'
import { ROOT } from '../support/markdown.ts'
import { run } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { soakTest } from '../support/soak.ts'

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const NEXT = '999.0.0'

/** Some of what each package needs, also through others. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  hydrant: ['hydrant-client', 'jsonld', 'rdf-canonize', 'preact', '@node-rs/argon2-linux-x64-gnu'],
  'hydrant-client': [],
  'hydrant-mcp': ['@modelcontextprotocol/server', 'zod', 'hydrant-client'],
}

test('a release gives all packages one version, and closes the changelog', () => {
  const files = filesOfVersion(ROOT, NEXT)
  assert.deepEqual([...files.keys()].toSorted(), [
    'CHANGELOG.md',
    'package-lock.json',
    'package.json',
    'packages/client/package.json',
    'packages/mcp/package.json',
  ])
  for (const folder of Object.keys(PACKAGES)) {
    const { version, dependencies = {} } = JSON.parse(files.get(join(folder, 'package.json')) ?? '')
    assert.equal(version, NEXT)
    assert.ok(['hydrant', 'hydrant-client'].every((name) => [NEXT, undefined].includes(dependencies[name])))
  }
  const changelog = files.get('CHANGELOG.md') ?? ''
  assert.ok(changelog.includes(`\n## Unreleased\n\n## ${NEXT}\n`))
  assert.equal(notesOf(changelog, NEXT), notesOf(textOf('CHANGELOG.md'), 'Unreleased'))
  const lock = JSON.parse(files.get('package-lock.json') ?? '')
  assert.deepEqual([lock.version, lock.packages[''].dependencies['hydrant-client']], [NEXT, NEXT])
})

test('a release of this version changes no file, and one of an earlier version or of none is refused', () => {
  const { version } = JSON.parse(textOf('package.json'))
  assert.equal(filesOfVersion(ROOT, version).size, 0)
  for (const wrong of ['0.0.9', '1.0', 'v1.0.0', 'next']) assert.throws(() => filesOfVersion(ROOT, wrong))
})

soakTest(
  'npm run release --dry-run packs everything with its checksums, and leaves the clone as it is',
  async (t) => {
    const out = join(temporaryFolder(t), 'release')
    const before = ['package.json', 'package-lock.json', 'CHANGELOG.md'].map(textOf)
    const args = ['tools/release.ts', NEXT, '--dry-run', '--built', '--out', out]
    const { status, stderr } = await run(process.execPath, args)
    assert.equal(status, 0, stderr)
    assert.deepEqual(['package.json', 'package-lock.json', 'CHANGELOG.md'].map(textOf), before)

    const names = Object.values(PACKAGES)
    const expected = names.flatMap((name) => [`${name}-${NEXT}.tgz`, `${name}-${NEXT}.cdx.json`])
    assert.deepEqual(readdirSync(out).toSorted(), [...expected, 'NOTES.md', 'SHA256SUMS'].toSorted())
    const lines = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n')
    assert.equal(lines.length, expected.length + 1)
    for (const line of lines) {
      const [sum, name = ''] = line.split('  ')
      assert.equal(
        createHash('sha256')
          .update(readFileSync(join(out, name)))
          .digest('hex'),
        sum,
        name,
      )
    }
    for (const name of names) {
      const { metadata, components } = JSON.parse(readFileSync(join(out, `${name}-${NEXT}.cdx.json`), 'utf8'))
      assert.deepEqual([metadata.component.name, metadata.component.version], [name, NEXT])
      const found: string[] = components.map((one: { name: string }) => one.name)
      assert.deepEqual(
        (NEEDED[name] ?? []).filter((one) => !found.includes(one)),
        [],
      )
      // Tools, tests, and what only another package needs, are in no list.
      const others = ['typescript', 'playwright-core', 'hydrant-runtime', 'runtime']
      assert.ok(!others.some((one) => found.includes(one)), `${name}: ${found.join()}`)
      assert.equal(found.includes('jsonld'), name === 'hydrant')
    }
  },
)
