// `npm run release -- 0.2.0`: sets the version of all packages, closes the changelog, and puts what is to be published
// into release/: the packages, a list of everything in each (SBOM), checksums, and the notes. It publishes nothing.
// For the version that package.json has already, it only packs. `--dry-run` leaves the files of the clone as they are,
// `--out` names another folder, and `--built` packs what has been built before.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packageWorkspace } from './build-package.ts'
import { filesOfVersion, notesOf, PACKAGES } from './release-files.ts'
import { lockOf } from './release-lock.ts'

const root = dirname(import.meta.dirname)
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
})
const [version, ...others] = positionals
if (version === undefined || others.length > 0) {
  console.error('Which version? For example: npm run release -- 0.2.0 --dry-run')
  process.exit(2)
}

const files = filesOfVersion(root, version)
const out = resolve(values.out ?? join(root, 'release'))
// Only our own folder is emptied; another one may hold something else.
if (values.out === undefined) rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
if (readdirSync(out).length > 0) {
  console.error(`${out} is not empty. Name another folder with --out.`)
  process.exit(2)
}
if (!values.built) execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })

const stage = mkdtempSync(join(tmpdir(), 'hydrant-release-'))
try {
  copyPackages()
  // The scripts of the package would build it once more.
  const flags = ['--silent', '--ignore-scripts', '--pack-destination', out]
  npm(stage, 'pack', ...flags, '.', './packages/client/dist', './packages/mcp/dist')
  for (const [folder, name] of Object.entries(PACKAGES)) describe(folder, name)
  writeFileSync(join(out, 'NOTES.md'), notesOf(readFileSync(join(stage, 'CHANGELOG.md'), 'utf8'), version))
} finally {
  rmSync(stage, { recursive: true, force: true })
}
writeFileSync(join(out, 'SHA256SUMS'), checksums(out))
if (!values['dry-run']) for (const [path, text] of files) writeFileSync(join(root, path), text)
report()

/** Copies what is packed, with the new version, to a folder of its own: a dry run leaves no trace in the clone. */
function copyPackages(): void {
  const folders = Object.keys(PACKAGES)
  const own = folders.flatMap((path) => ['dist', 'package.json', 'README.md'].map((name) => join(path, name)))
  const shared = ['docs', 'examples', 'CHANGELOG.md', 'LICENSE', 'package-lock.json', '.npmrc']
  for (const path of [...own, ...shared]) cpSync(join(root, path), join(stage, path), { recursive: true })
  for (const [path, text] of files) writeFileSync(join(stage, path), text)
  for (const name of ['client', 'mcp'] as const)
    packageWorkspace(stage, name, join(stage, 'packages', name, 'dist'))
}

/** Writes the list of everything that an installed package consists of. */
function describe(folder: string, name: string): void {
  const [manifest, lock] = [join(folder, 'package.json'), 'package-lock.json'].map((path) =>
    JSON.parse(readFileSync(join(stage, path), 'utf8')),
  )
  const { devDependencies, workspaces: _, ...published } = manifest
  // esbuild has joined it into the console.
  if (name === 'hydrant') published.dependencies.preact = devDependencies.preact
  // npm takes the name of the folder for that of the package.
  const alone = join(stage, 'alone', name)
  mkdirSync(alone, { recursive: true })
  writeFileSync(join(alone, 'package.json'), JSON.stringify(published))
  writeFileSync(join(alone, 'package-lock.json'), JSON.stringify(lockOf(published, lock)))
  const list = npm(alone, 'sbom', '--package-lock-only', '--sbom-format=cyclonedx')
  writeFileSync(join(out, `${name}-${version}.cdx.json`), list)
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

/** As `sha256sum --check SHA256SUMS` reads them. */
function checksums(folder: string): string {
  const sumOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return readdirSync(folder)
    .sort()
    .map((name) => `${sumOf(name)}  ${name}\n`)
    .join('')
}

function report(): void {
  console.log(`${out} has version ${version}:`)
  for (const name of readdirSync(out).sort()) console.log(`  ${name}`)
  if (values['dry-run'] || files.size === 0) return
  console.log(`Changed: ${[...files.keys()].join(', ')}.`)
  console.log('Next: move PREVIOUS_COMMIT (test/support/previous-build.ts) as it says there, commit, then')
  console.log(
    `  git tag v${version}    # pushing the tag publishes the packages (.github/workflows/publish.yml)`,
  )
}
